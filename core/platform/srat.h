/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores and memory that belong together: ACPI's "SRAT" table. Layout: ACPI specification 6.5, section 5.2.16, entries
 * of type 0 (local APIC), 1 (memory) and 2 (local x2APIC). Its proximity domains are nodes.
 *
 * A table is bytes from outside: length and checksum are verified before anything is used, and what is not in order is
 * refused as a whole.
 */
#ifndef CORE_SRAT_H
#define CORE_SRAT_H

#include <stddef.h>
#include <stdint.h>

#include "core/platform/acpi.h"

/* Two processors of AMD's of 2024 have 32 domains, if firmware makes one of each of their 16 L3 caches (option "ACPI
 * SRAT L3 Cache as NUMA Domain"). */
enum { SRAT_NODES = 32, SRAT_CORES = 1024, SRAT_RANGES = 3 * SRAT_NODES };

enum srat_error {
    SRAT_OK = 0,
    SRAT_MISSING, /* no such table is found */
    SRAT_LENGTH,  /* its length is impossible */
    SRAT_CHECKSUM,
    SRAT_ENTRY, /* an entry is shorter than its type, or reaches beyond the table; or memory ends below its begin */
    SRAT_MANY,  /* more nodes, cores or ranges than there is room for */
};

/* Nodes are numbered by their domains, the lowest first. */
struct srat {
    uint32_t nodes;
    uint32_t domain[SRAT_NODES];
    uint32_t cores; /* enabled ones */
    struct {
        uint32_t apic_id, node;
    } core[SRAT_CORES];
    uint32_t ranges; /* of memory, enabled, not empty */
    struct {
        uint64_t base, end; /* physical addresses base..end-1 */
        uint32_t node;
    } range[SRAT_RANGES];
};

/* Finds the table from the root pointer at this address and reads it. *ret_srat is undefined after an error. */
enum srat_error srat_find(const struct physical_memory *memory, uint64_t root, struct srat *ret_srat);

/* Reads a table of which 'size' bytes are there. */
enum srat_error srat_read(const void *table, size_t size, struct srat *ret_srat);

/* Returns the node of the core with this APIC id, or -1 if the table does not name it. */
int srat_node_of(const struct srat *srat, uint32_t apic_id);

#endif
