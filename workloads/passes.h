/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts of a kernel that walks over an array from one end to the other, pass after pass: two nested loops, each with
 * its own branch and no others. The first two parameters are the passes and the array's size in KB.
 */
#ifndef WORKLOADS_PASSES_H
#define WORKLOADS_PASSES_H

#include "workloads/workload.h"

enum { PARAM_PASSES = 0, PARAM_KB = 1 };

/* Iterations of the inner loop in a pass: defined by the file that includes this one. */
static uint64_t units_in_pass(const uint32_t *params);

static inline uint64_t bytes(const uint32_t *params)
{
    return (uint64_t)params[PARAM_KB] * 1024;
}

static inline uint64_t passes_work(const uint32_t *params)
{
    return params[PARAM_PASSES] * units_in_pass(params);
}

/* 0C2h: the inner loop's branch for each unit, one for the next pass, and the ret. 0C4h: the last unit's branch of a
 * pass falls through; the next pass, or the ret, makes up for it. 0C8h: nothing is called. */
/* clang-format off */
#define PASSES_FLOW                                                                                                    \
    {0x0C2, 0, {.per_unit = 1, .per_pass = 1, .once = 1}}, {0x0C4, 0, {.per_unit = 1}}, {0x0C8, 0, {.once = 1}}
/* clang-format on */

#endif
