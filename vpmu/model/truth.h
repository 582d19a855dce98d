/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact counts of what ran while the unit was armed, to compare the samples with.
 */
#ifndef VPMU_TRUTH_H
#define VPMU_TRUTH_H

#include <stdint.h>

#include "core/base/out.h"
#include "core/ibs/codemap.h"

/* Counts of an instruction of the map. There is no wrong path in the model, so every dispatched op retires: the number
 * is executions times the instruction's macro-ops. */
struct truth_row {
    uint64_t executions;
    uint64_t loads, stores; /* ops that load, ops that store; one op can do both */
    uint64_t load_misses;   /* loads with IbsDcMiss, hits on a line in flight included */
    uint64_t store_misses;
    uint64_t mab_hits;
    uint64_t miss_cycles;      /* sum of IbsDcMissLat over load_misses */
    uint64_t l1m_l2h, l1m_l2m; /* DTLB, loads and stores */
    uint64_t forwarded, cancelled;
    uint64_t branches, taken, mispredicted;
    /* Cycles in which a cycle-mode tag would have fallen on this instruction, in sixths: a line has 1 to 3 ops. */
    uint64_t dispatch_sixths;
    uint64_t time_beyond; /* time by state of commit: commit.h */
};

/* Further counts of a row, which are seldom or cheap: a row fills two host cache lines. */
struct truth_rare {
    uint64_t bank_conflicts; /* of loads */
    uint64_t misaligned;
    uint64_t empty_cycles; /* commit.h */
};

/* Counts of a 32-byte block. */
struct truth_block {
    uint64_t completed, aborted, killed; /* attempted = completed + aborted */
};

struct truth_totals {
    uint64_t broken;                    /* announced instructions that were forgotten */
    uint64_t cycles;                    /* dispatch cycle reached */
    uint64_t decoder_empty;             /* cycles without an op to dispatch, not even of a wrong path */
    uint64_t nmi_blocked;               /* requests that the extended LVT did not deliver */
    uint64_t late_nmis, storm_nmis;     /* taken */
    struct truth_block fetches;         /* all */
    struct truth_block fetches_outside; /* of blocks that the map does not touch */
};

struct truth {
    struct truth_row *rows;     /* map->insn_count + 1: the last one is for all code outside the map */
    struct truth_rare *rare;    /* of each row */
    struct truth_block *blocks; /* from the block of the first instruction to the one after the last */
    uint64_t first_block;       /* RVA >> 5 */
    uint64_t block_count;
    struct truth_totals totals;
    uint64_t begin; /* dispatch cycle in which it began */
    uint32_t part;  /* enum vpmu_part */
    uint8_t *parts; /* truth_parts_memory(): of each, what it has counted, unless it is chosen */
};

/* Return the bytes for rows and blocks of a map; those for the parts of the counts that are not chosen. */
uint64_t truth_memory(const struct codemap *map);
uint64_t truth_parts_memory(const struct codemap *map);
/* Return these for any map of up to that many instructions, in that many blocks. */
uint64_t truth_memory_for(uint64_t insns, uint64_t blocks);
uint64_t truth_parts_memory_for(uint64_t insns, uint64_t blocks);
void truth_init(struct truth *truth, const struct codemap *map, void *memory);

#endif
