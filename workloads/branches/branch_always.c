/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branches that always go the same way: what a taken branch costs that is predicted right.
 *
 * Sixteen branches in a row on a condition that never changes. When taken, each of them ends a line of ops early and
 * wastes the next sequential fetch; when not taken, they are ops like others. None is mispredicted once the predictor
 * has seen it, either way.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    PARAM_TAKEN = 1,
    ALWAYS = 1,    /* PARAM_TAKEN: an odd value is taken */
    BRANCHES = 16, /* branches in one iteration, as in the asm */
};

WORKLOAD_ASM static void branch_always(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %edx\n\t"
            "xor %eax, %eax");
    /* rax counts the branches not taken. */
    __asm__("1:\n\t"
            ".rept 16\n\t"
            "test $1, %dl\n\t"
            "jnz 2f\n\t"
            "add $1, %rax\n"
            "2:\n\t"
            ".endr");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

static uint64_t work(const uint32_t *params)
{
    return iterations(params) * BRANCHES;
}

/* Returns how many branches are taken: all of them, or none. */
static uint64_t taken(const uint32_t *params)
{
    return params[PARAM_TAKEN] == ALWAYS ? work(params) : 0;
}

static uint64_t not_taken(const uint32_t *params)
{
    return work(params) - taken(params);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, not_taken(params), ret_check);
}

WORKLOAD(always) = {
    .name = "branch-always",
    .title = "branches that always go the same way",
    .shows = "taken branches cost fetches and slots in a line of ops, even when all are predicted",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "branch_always",
    .unit = "branches",
    .unit_ops = 3,
    .params = {{"iterations", 1, 1000000000, 40000, "passes of the loop, of 16 branches each"},
               {"taken", 1, 2, ALWAYS, "1: all branches are taken, 2: none are"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = branch_always,
    .check = check,
    .work = work,
    .expected = {INSTRUCTIONS(.per_unit = 2, .per_pass = 2, .once = 5, .others = not_taken),
                 {0x0C2, 0, {.per_unit = 1, .per_pass = 1, .once = 1}},
                 {0x0C4, 0, {.per_pass = 1, .others = taken}},
                 ONE_RETURN,
                 FOUR_ACCESSES},
};
