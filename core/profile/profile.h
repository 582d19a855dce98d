/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The profile: derived events per instruction of the code map, and their sums by source line and function.
 *
 * A sample belongs to the instruction that contains its address (codemap_find: the straddle rule). A sample outside
 * the map (for example in the code that starts and stops sampling) is kept apart and never lost: totals = rows +
 * outside.
 */
#ifndef CORE_PROFILE_H
#define CORE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/ibs/codemap.h"
#include "core/ibs/derived.h"
#include "core/ibs/record.h"
#include "core/profile/levels.h"

/* Sums of the samples of one core, or of several. */
struct profile_sums {
    uint64_t total[DERIVED_COUNT];
    uint64_t dram_cycles[2]; /* latencies of the loads that F245 (local DRAM) and F246 (remote) count */
};

struct profile {
    const struct codemap *map;
    uint64_t image_base; /* run-time address of RVA 0 */
    struct levels levels;
    const struct derived_set *set;   /* events of the samples' processor */
    uint64_t *rows;                  /* insn_count * DERIVED_COUNT */
    uint64_t total[DERIVED_COUNT];   /* all samples */
    uint64_t outside[DERIVED_COUNT]; /* those outside of the map */
    uint64_t records[2];             /* samples by enum sample_kind */
    uint64_t outside_records[2];
    struct profile_sums *core; /* by sample_record.cpu, of the first 'cores'; profile_by_core() */
    uint32_t cores;
    uint64_t unknown_records; /* of an unknown kind; counter and timer samples are ignored */
};

/* Returns the bytes of memory for a profile of this map; alignment 8. */
size_t profile_memory_size(const struct codemap *map);

/* Begins an empty profile in memory[size], all of it overwritten. Returns false when size is too small or memory not
 * 8-byte aligned. */
bool profile_init(struct profile *profile, const struct codemap *map, uint64_t image_base,
                  const struct derived_set *set, void *memory, size_t size);

/* Adds later samples by core, too, to these sums, which are zero. */
void profile_by_core(struct profile *profile, struct profile_sums *core, uint32_t cores);
void profile_sums_add(struct profile_sums *sum, const struct profile_sums *sums);

/* Returns the index of the sample's instruction, or -1 (outside of the map). */
int32_t profile_find(const struct profile *profile, const struct sample_record *record);

void profile_add(struct profile *profile, const struct sample_record *record);

/* Returns the DERIVED_COUNT counters of one instruction. */
const uint64_t *profile_row(const struct profile *profile, uint32_t insn);

/* Returns whether the instruction has no sample: each fetch sample counts as F000, and each op sample as F100
 * (core/ibs/derived_rows.h). */
bool profile_empty(const struct profile *profile, uint32_t insn);

/* Returns the row of an instruction at a level. */
uint32_t profile_level_of(const struct profile *profile, enum profile_level level, uint32_t insn);

/* Adds up one row of a level; counts is overwritten. */
void profile_sum(const struct profile *profile, enum profile_level level, uint32_t index,
                 uint64_t counts[DERIVED_COUNT]);

#endif
