/* SPDX-License-Identifier: BSD-2-Clause */
/* Physical memory, where firmware has left its tables (ACPI, SMBIOS). */
#ifndef CORE_PHYSICAL_H
#define CORE_PHYSICAL_H

#include <stddef.h>
#include <stdint.h>

struct physical_memory {
    /* Returns 'size' bytes at this physical address; NULL: not readable. */
    const void *(*map)(const struct physical_memory *memory, uint64_t address, size_t size);
};

#endif
