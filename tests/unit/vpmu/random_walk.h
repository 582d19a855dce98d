/*
 * A way through a random program: where it goes, and what its registers hold, so that caches, TLBs and branch
 * predictors see sequences, strides and chance. All follows from the seed.
 */
#ifndef UNIT_VPMU_RANDOM_WALK_H
#define UNIT_VPMU_RANDOM_WALK_H

#include "tests/unit/vpmu/random_program.h"

enum { RANDOM_CALLS = 40 }; /* deeper than the return stack */

/* One core's way through a program. */
struct walk {
    const struct random_program *program;
    struct rng rng;
    uint64_t rip;
    uint64_t gpr[16];
    uint32_t index;   /* of the instruction at rip; RANDOM_INSNS: outside of the map */
    uint32_t outside; /* how many more instructions there */
    uint64_t returns[RANDOM_CALLS];
    uint32_t depth;
    uint32_t far; /* see walk_begin() */
    uint64_t steps;
};

/* far: once in so many steps it goes on somewhere else, as an exception does. */
void walk_begin(struct walk *walk, const struct random_program *program, uint32_t far, uint64_t seed);
/* Executes the instruction at rip. */
void walk_step(struct walk *walk);

/* config.translate: 4 KB pages with scattered frames below 16 MB, 2 MB pages up to 1 GB, 1 GB pages up to 64 GB, and
 * nothing above. 'context' is not used. */
unsigned random_translate(void *context, uint64_t linear, uint64_t *physical, uint64_t tables[4], unsigned *count);

#endif
