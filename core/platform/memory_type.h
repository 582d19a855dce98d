/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory type of physical addresses, as MTRRs, SYSCFG and PAT of a core make it: AMD64 Architecture Programmer's
 * Manual vol. 2, sections 7.7 (MTRRs), 7.8 (PAT), 7.9 (SYSCFG, TOP_MEM2). IORRs, which send accesses to devices instead
 * of memory, are not looked at.
 */
#ifndef CORE_MEMORY_TYPE_H
#define CORE_MEMORY_TYPE_H

#include <stdint.h>

#include "core/platform/silicon.h"

/* The processor's numbers, as MTRRs and PAT have them. */
enum memory_type {
    MEMORY_UC = 0,
    MEMORY_WC = 1,
    MEMORY_WT = 4,
    MEMORY_WP = 5,
    MEMORY_WB = 6,
    MEMORY_UC_MINUS = 7, /* PAT alone: UC, but WC where the MTRR says so */
    /* and results that are no such number */
    MEMORY_UNDEFINED, /* MTRRs overlap in a way that the manual leaves open, or hold a reserved number */
    MEMORY_MIXED,     /* not the same everywhere in the range */
    MEMORY_UNKNOWN,   /* the registers were not read */
};

/* Returns a name: "WB", "UC", "mixed", "not known", ... */
const char *memory_type_name(enum memory_type type);

/* Returns the type of all of base..base + size - 1, size not 0, mapped by page-table entries that choose entry 'pat' (0
 * to 7) of PAT. */
enum memory_type memory_type_of(const struct silicon *silicon, uint64_t base, uint64_t size, unsigned pat);

#endif
