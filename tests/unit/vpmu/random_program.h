/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random programs of instructions of every kind that the code map can express, to reach every part of the model
 * (test_golden.c). Everything follows from the seed.
 */
#ifndef UNIT_VPMU_RANDOM_PROGRAM_H
#define UNIT_VPMU_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "core/ibs/codemap.h"

enum {
    RANDOM_INSNS = 800,
    RANDOM_FUNCTION = 16, /* instructions in each function */
};

struct random_program {
    struct codemap_insn insns[RANDOM_INSNS];
    struct codemap map;
    uint64_t base; /* run-time address of RVA 0 */
};

void random_program_make(struct random_program *program, uint64_t base, uint64_t seed);

#endif
