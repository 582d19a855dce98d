/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Additions that do not wait for each other: as close to three macro-ops per cycle as a loop gets.
 *
 * Six chains of one-cycle additions take turns, so that each op's operand is two cycles old when it is used. No memory,
 * no branch but the loop's own. What such a loop shows is the width of the core; anything that is missing from three
 * ops per cycle is the loop's end.
 *
 * In assembly, so that the number of instructions is known exactly and does not depend on a compiler.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    TURNS = 10, /* rounds of the six chains in one iteration, as in the asm */
    CHAINS = 6,
};

WORKLOAD_ASM static void alu_independent(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "xor %eax, %eax\n\t"
            "xor %edx, %edx\n\t"
            "xor %r8d, %r8d\n\t"
            "xor %r9d, %r9d\n\t"
            "xor %r10d, %r10d\n\t"
            "xor %r11d, %r11d");
    __asm__("1:\n\t"
            ".rept 10\n\t"
            "add $1, %rax\n\t"
            "add $2, %rdx\n\t"
            "add $3, %r8\n\t"
            "add $5, %r9\n\t"
            "add $7, %r10\n\t"
            "add $11, %r11\n\t"
            ".endr");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("add %rdx, %rax\n\t"
            "add %r8, %rax\n\t"
            "add %r9, %rax\n\t"
            "add %r10, %rax\n\t"
            "add %r11, %rax\n\t"
            "mov %rax, (%rdi)\n\t"
            "ret");
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, iterations(params) * TURNS * (1 + 2 + 3 + 5 + 7 + 11), ret_check);
}

WORKLOAD(alu) = {
    .name = "alu-independent",
    .title = "independent additions, as many as the core retires",
    .shows = "retiring bound: nearly three macro-ops per cycle, and nothing to wait for",
    .group = WORKLOAD_ABOUT_CORE,
    .kernel = "alu_independent",
    .unit = "iterations",
    .unit_ops = TURNS * CHAINS + 2,
    .params = {{"iterations", 1, 1000000000, 16000, "passes of the loop"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = alu_independent,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = TURNS * CHAINS + 2, .once = 14), LOOP_FLOW, THREE_ACCESSES},
};
