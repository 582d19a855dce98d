/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An indirect jump to several places in turn, like that of an interpreter's loop.
 *
 * The order is as regular as can be. But a predictor that keeps one target for a jump, or chooses among several by the
 * directions of conditional branches, which here are always the same, expects the last target again, and is wrong
 * every time there is more than one.
 */
#include "workloads/result.h"
#include "workloads/branches/targets.h"

enum { LOOP_OPS = 11 };

WORKLOAD_ASM static void jump_indirect(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %r8d\n\t"
            "lea 3f(%rip), %r10\n\t"
            "xor %r9d, %r9d\n\t"
            "xor %r11d, %r11d\n\t"
            "xor %edx, %edx");
    __asm__("1: add $1, %edx\n\t"
            "cmp %r8d, %edx\n\t"
            "cmove %r11d, %edx\n\t"
            "mov %edx, %eax\n\t"
            "shl $4, %eax\n\t"
            "add %r10, %rax");
    __asm__("jmp *%rax");
    __asm__("2: sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %r9, (%rdi)\n\t"
            "ret");
    __asm__(".balign 16, 0xcc\n"
            "3:\n\t" TARGETS_CODE("jmp 2b"));
}

/* Checks whole turns and the rest of one, which begins with the second target. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t targets = params[PARAM_TARGETS], turns = iterations(params) / targets;
    uint64_t rest = iterations(params) % targets;

    return result_is(arena, turns * targets * (targets + 1) / 2 + rest * (rest + 1) / 2 + rest, ret_check);
}

WORKLOAD(jumps) = {
    .name = "jump-indirect",
    .title = "an indirect jump to several targets in turn",
    .shows = "a jump to a single target is predicted, one to several targets in turn is not",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "jump_indirect",
    .unit = "jumps",
    .unit_ops = LOOP_OPS,
    .params = {{"iterations", 1, 1000000000, 100000, "passes of the loop"},
               {"targets", 1, TARGETS, 4, "number of targets; 1: always the same"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = jump_indirect,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .once = 8), TARGETS_BRANCHES, ONE_RETURN, FOUR_ACCESSES},
};
