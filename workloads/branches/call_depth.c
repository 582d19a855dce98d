/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls within calls: what happens when they are deeper than the processor's return stack.
 *
 * A chain of functions, of which each calls the next one. On the way back the return stack knows the newest return
 * addresses, 24 on Family 10h (AMD Software Optimization Guide 40546, appendix A); the older ones have been pushed out,
 * and the returns to them are mispredicted. All return addresses are different: with a recursive function, the lost
 * addresses would equal those that are left.
 */
#include "workloads/result.h"

enum {
    PARAM_ROUNDS = 0,
    PARAM_DEPTH = 1,
    LEVELS = 48, /* the asm has it, too */
};

/* A level is 16 bytes, so that a round can begin at the level that leaves the requested number. */
WORKLOAD_ASM static void call_depth(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %eax\n\t"
            "shl $4, %eax\n\t"
            "lea 4f(%rip), %r10\n\t"
            "sub %rax, %r10\n\t"
            "xor %eax, %eax");
    __asm__("1: call *%r10\n\t"
            "sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
    __asm__(".balign 16, 0xcc\n\t"
            ".rept 47\n\t"
            "call 3f\n\t"
            "add $1, %rax\n\t"
            "ret\n\t"
            ".balign 16, 0xcc\n"
            "3:\n\t"
            ".endr");
    __asm__("add $1, %rax\n\t"
            "ret\n\t"
            ".balign 16, 0xcc\n"
            "4:");
}

static uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_ROUNDS] * params[PARAM_DEPTH];
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, work(params), ret_check);
}

WORKLOAD(depth) = {
    .name = "call-depth",
    .title = "nested calls, and their returns",
    .shows = "returns are predicted up to the return stack's 24 entries; those beyond are mispredicted",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "call_depth",
    .unit = "calls",
    .unit_ops = 5,
    .params = {{"rounds", 1, 1000000000, 10000, "times that the chain of calls is executed"},
               {"depth", 1, LEVELS, 32, "nesting depth of the calls"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = call_depth,
    .check = check,
    .work = work,
    .expected = {INSTRUCTIONS(.per_unit = 3, .per_pass = 2, .once = 8),
                 {0x0C2, 0, {.per_unit = 2, .per_pass = 1, .once = 1}},
                 {0x0C4, 0, {.per_unit = 2, .per_pass = 1}},
                 {0x0C8, 0, {.per_unit = 1, .once = 1}},
                 {0x040, 0, {.per_unit = 2, .once = 4}}},
};
