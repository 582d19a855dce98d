/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk through a random program: its path, and its registers, so that caches, TLBs and branch predictors see
 * sequences, strides and random patterns. Everything follows from the seed.
 */
#ifndef UNIT_VPMU_RANDOM_WALK_H
#define UNIT_VPMU_RANDOM_WALK_H

#include "tests/unit/vpmu/random_program.h"

enum { RANDOM_CALLS = 40 }; /* deeper than the return stack */

/* One core's walk through a program. */
struct walk {
    const struct random_program *program;
    struct rng rng;
    uint64_t rip;
    uint64_t gpr[16];
    uint32_t index;   /* index of the instruction at rip; RANDOM_INSNS: outside the map */
    uint32_t outside; /* remaining instructions outside */
    uint64_t returns[RANDOM_CALLS];
    uint32_t depth;
    uint32_t far; /* see walk_begin() */
    uint64_t steps;
};

/* Begins a walk; far: on average once in this number of steps the walk continues elsewhere, as after an exception. */
void walk_begin(struct walk *walk, const struct random_program *program, uint32_t far, uint64_t seed);
/* Executes the instruction at rip. */
void walk_step(struct walk *walk);

/* Translates for config.translate: 4 KB pages with scattered frames below 16 MB, 2 MB pages up to 1 GB, 1 GB pages up
 * to 64 GB, and nothing above. 'context' is not used. */
unsigned random_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count);

#endif
