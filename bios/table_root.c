/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/acpi_root.h"

#include "core/base/mem.h"

enum { STEP = 16, BYTES = 20 }; /* the checksum covers as many in every revision */

size_t acpi_root_find(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + BYTES <= size; at += STEP) {
        uint8_t sum = 0;

        if (memcmp(bytes + at, "RSD PTR ", 8) != 0)
            continue;
        for (unsigned i = 0; i < BYTES; i++)
            sum = (uint8_t)(sum + bytes[at + i]);
        if (!sum)
            return at;
    }
    return size;
}
