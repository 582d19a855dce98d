/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores of a machine: ACPI's "APIC" table (MADT). Layout: ACPI specification 6.5, section 5.2.12, entries of type 0
 * (local APIC) and 9 (local x2APIC, section 5.2.12.12).
 *
 * Tables are bytes from outside: lengths and checksums are verified before anything is used, and what is not in order
 * is refused as a whole.
 */
#ifndef CORE_MADT_H
#define CORE_MADT_H

#include <stddef.h>
#include <stdint.h>

#include "core/platform/acpi.h"

/* Ids of local APICs: up to MADT_XAPIC_LAST in xAPIC mode, where FFh is all of them, 32 bits in x2APIC mode (AMD APM
 * vol. 2 sections 16.5, 16.12). */
enum { MADT_CORES = 1024, MADT_XAPIC_LAST = 0xFE };

enum madt_error {
    MADT_OK = 0,
    MADT_NO_ROOT,   /* not a root pointer, or its checksum is wrong */
    MADT_NO_TABLES, /* neither of its lists is in order */
    MADT_MISSING,   /* no list names an "APIC" table */
    MADT_LENGTH,    /* the table's length is impossible */
    MADT_CHECKSUM,
    MADT_ENTRY, /* an entry is shorter than its type, or reaches beyond the table */
};

/* Returns one line without a full stop. */
const char *madt_error_text(enum madt_error error);

struct madt {
    uint32_t cores; /* enabled ones, up to MADT_CORES */
    uint32_t apic_id[MADT_CORES];
    uint32_t
        disabled;     /* entries that are not enabled: empty sockets, or cores that would have to be plugged in first */
    uint32_t capable; /* of these: with the bit "online capable" */
    uint32_t beyond;  /* enabled, with an id above MADT_XAPIC_LAST, which only x2APIC reaches */
    uint32_t more;    /* enabled, without room in the list */
};

/* Finds the table from the root pointer at this address and reads it. An error leaves the result alone. */
enum madt_error madt_find(const struct physical_memory *memory, uint64_t root, struct madt *ret_madt);

/* Reads an "APIC" table, of which 'size' bytes are there. */
enum madt_error madt_read(const void *table, size_t size, struct madt *ret_madt);

#endif
