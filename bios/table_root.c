/* SPDX-License-Identifier: BSD-2-Clause */
#include "bios/table_root.h"

#include "core/base/bytes.h"
#include "core/base/mem.h"

enum { STEP = 16, SHORTEST = 20 };

static const struct root_row {
    const char *anchor;
    uint8_t anchor_bytes, length_at; /* 0: SHORTEST, the bytes in ACPI's checksum in every revision */
} rows[TABLE_ROOTS] = {
    [TABLE_ROOT_ACPI] = {"RSD PTR ", 8, 0},
    [TABLE_ROOT_SMBIOS_3] = {"_SM3_", 5, 6},
    [TABLE_ROOT_SMBIOS] = {"_SM_", 4, 5},
};

size_t table_root_find(enum table_root which, const uint8_t *bytes, size_t size)
{
    const struct root_row *row = &rows[which];

    for (size_t at = 0; at + SHORTEST <= size; at += STEP) {
        size_t length = row->length_at ? bytes[at + row->length_at] : SHORTEST;

        if (memcmp(bytes + at, row->anchor, row->anchor_bytes) != 0 || length < SHORTEST || length > size - at)
            continue;
        if (bytes_sum_to_zero(bytes + at, length))
            return at;
    }
    return size;
}
