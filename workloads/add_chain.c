/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A long chain of additions: the instructions of alu-independent, but each waits for the one before.
 *
 * An addition takes a cycle, so the core does one in each cycle, of three that it could do. Nothing else delays it: no
 * memory, no branch except the loop's own.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum { TURNS = 60 }; /* additions in one iteration, as in the asm */

WORKLOAD_ASM static void add_chain(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov $1, %eax");
    __asm__("1:\n\t"
            ".rept 60\n\t"
            "add $3, %rax\n\t"
            ".endr");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

static uint64_t work(const uint32_t *params)
{
    return iterations(params) * TURNS;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, work(params) * 3 + 1, ret_check);
}

WORKLOAD(chain) = {
    .name = "add-chain",
    .title = "additions, each of the previous result",
    .shows = "back-end bound by results: one addition per cycle, where alu-independent has three",
    .group = WORKLOAD_ABOUT_CORE,
    .kernel = "add_chain",
    .unit = "additions",
    .unit_ops = 1,
    .params = {{"iterations", 1, 1000000000, 20000, "passes of the loop, of 60 each"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = add_chain,
    .check = check,
    .work = work,
    .expected = {INSTRUCTIONS(.per_unit = 1, .per_pass = 2, .once = 4), LOOP_FLOW, THREE_ACCESSES},
};
