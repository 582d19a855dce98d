/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A branch that goes the other way once in 'period' times: how long a pattern the predictor remembers.
 *
 * A counter runs down from 'period' and starts again: the branch at its end is taken period - 1 times, and then once
 * not. A global-history predictor learns that as long as its history reaches back to the last time; with a longer
 * period it sees only taken branches and is wrong once per period: a share of 1 / period. So the first period with
 * that share gives the length of the history, of which the loop's own branch takes every second place.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    PARAM_PERIOD = 1,
    LOOP_OPS = 4, /* two more at the end of a period */
};

WORKLOAD_ASM static void branch_pattern(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %r8d\n\t"
            "mov %r8d, %edx\n\t"
            "xor %eax, %eax");
    __asm__("1: sub $1, %edx");
    __asm__("jnz 2f");
    __asm__("mov %r8d, %edx\n\t"
            "add $1, %rax");
    __asm__("2: sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

static uint64_t periods(const uint32_t *params)
{
    return iterations(params) / params[PARAM_PERIOD];
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, periods(params), ret_check);
}

static uint64_t restarts(const uint32_t *params)
{
    return 2 * periods(params);
}

static uint64_t taken(const uint32_t *params)
{
    return 2 * iterations(params) - periods(params);
}

WORKLOAD(pattern) = {
    .name = "branch-pattern",
    .title = "a branch that goes the other way once in a period",
    .shows = "a short period is learned; if it is longer than the history, each end of it is mispredicted",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "branch_pattern",
    .unit = "branches",
    .unit_ops = LOOP_OPS,
    .params = {{"iterations", 1, 1000000000, 300000, "passes of the loop"},
               {"period", 1, 1000000, 4, "the branch is not taken once in this many passes"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = branch_pattern,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .once = 6, .others = restarts),
                 {0x0C2, 0, {.per_unit = 2, .once = 1}},
                 {0x0C4, 0, {.others = taken}},
                 ONE_RETURN,
                 FOUR_ACCESSES},
};
