/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ACPI's tables, found from the root pointer (RSDP). Layouts: ACPI specification 6.5, sections 5.2.5.3 (RSDP), 5.2.6
 * (headers), 5.2.7 and 5.2.8 (RSDT, XSDT).
 *
 * Tables are bytes from outside: lengths and checksums are verified before anything is used.
 */
#ifndef CORE_ACPI_H
#define CORE_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/platform/physical.h"

/* Offset of each table's length; bytes of its header. */
enum { ACPI_LENGTH = 4, ACPI_HEADER = 36 };

enum acpi_error {
    ACPI_OK = 0,
    ACPI_NO_ROOT,      /* not a root pointer, or its checksum is wrong */
    ACPI_NO_TABLES,    /* neither of its lists is in order */
    ACPI_MISSING,      /* no list names such a table */
    ACPI_TABLE_LENGTH, /* the table's length is impossible */
};

/* Finds the first table of this name (four letters) from the root pointer at this address; *ret_size of its bytes are
 * there. Its checksum is not verified yet. An error leaves the results alone. */
enum acpi_error acpi_find(const struct physical_memory *memory, uint64_t root, const char *name,
                          const uint8_t **ret_table, size_t *ret_size);

#endif
