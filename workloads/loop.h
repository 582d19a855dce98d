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

/* clang-format off */
/* 0C8h of a kernel that calls nothing. */
#define ONE_RETURN {0x0C8, 0, {.once = 1}}

/* 0C2h with no branch in the loop except its own: one per iteration, and the ret. 0C4h: the loop's last branch falls
 * through, the ret makes up for it. */
#define LOOP_FLOW {0x0C2, 0, {.per_pass = 1, .once = 1}}, {0x0C4, 0, {.per_pass = 1}}, ONE_RETURN

/* 040h with no access to memory in the loop: the only parameter, the result, the ret. The same with two parameters. */
#define THREE_ACCESSES {0x040, 0, {.once = 3}}
#define FOUR_ACCESSES  {0x040, 0, {.once = 4}}
/* clang-format on */

#endif
