/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts of a kernel that is one counted loop: its first parameter, whatever the name, is the number of iterations.
 *
 *         mov (%rsi), %ecx
 *      1: ...
 *         sub $1, %ecx
 *         jnz 1b
 *         mov ..., (%rdi)      the result
 *         ret
 *
 * A workload's row uses the counts that hold for its kernel, and the workload's own functions for the others.
 */
#ifndef WORKLOADS_LOOP_H
#define WORKLOADS_LOOP_H

#include "workloads/workload.h"

enum { PARAM_ITERATIONS = 0 };

static inline uint64_t iterations(const uint32_t *params)
{
    return params[PARAM_ITERATIONS];
}

/* 0C2h with no branch in the loop except its own: one per iteration, and the ret. */
static inline uint64_t loop_branches(const uint32_t *params)
{
    return iterations(params) + 1;
}

/* 0C4h of the same: the loop's last branch falls through, the ret makes up for it. */
static inline uint64_t loop_taken(const uint32_t *params)
{
    return iterations(params);
}

/* 0C8h of a kernel that calls nothing. */
static inline uint64_t one_return(const uint32_t *params)
{
    (void)params;
    return 1;
}

/* 040h with no access to memory in the loop: the only parameter, the result, the ret. */
static inline uint64_t three_accesses(const uint32_t *params)
{
    (void)params;
    return 3;
}

/* The same for a kernel with two parameters. */
static inline uint64_t four_accesses(const uint32_t *params)
{
    (void)params;
    return 4;
}

#endif
