/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pairs of loads that can begin in the same cycle, in the same bank of the data cache or in two.
 *
 * The cache answers two loads of a cycle when they are for different banks (eight bytes, address bits 5:3) or for one
 * line; two lines in the same bank take turns, and IBS reports it at the later load. stride=64 is such a pair, stride=8
 * and stride=72 are not, and neither is stride=32768, the same set in both ways. The second load's word is part of both
 * addresses of the next pair, so a pair begins when the one before has ended, both of its loads in one cycle, and a
 * conflict costs each pair a cycle.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    PARAM_STRIDE = 1,
    LOOP_OPS = 6,
    FIRST = 4096,    /* offset of the first word in the arena; the asm has it, too */
    ONE = 3,         /* the words */
    OTHER = 1000003, /* in the asm, too: the addresses are those of the words less this */
};

WORKLOAD_ASM static void bank_conflict(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %edx\n\t"
            "and $-8, %rdx\n\t"
            "lea 4096-1000003(%rdi), %r8\n\t"
            "add %r8, %rdx\n\t"
            "mov $1000003, %rax\n\t"
            "xor %r10d, %r10d\n\t"
            "xor %r11d, %r11d"); /* 32 bytes: the loop is in one fetch block */
    __asm__("1: mov (%r8,%rax), %r9");
    __asm__("mov (%rdx,%rax), %rax");
    __asm__("add %r9, %r10\n\t"
            "add %rax, %r11\n\t"
            "sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("add %r11, %r10\n\t"
            "mov %r10, (%rdi)\n\t"
            "ret");
}

static uint64_t *second(void *arena, const uint32_t *params)
{
    return (uint64_t *)((uintptr_t)arena + FIRST + (params[PARAM_STRIDE] & ~7u));
}

static void prepare(void *arena, const uint32_t *params)
{
    uint64_t *sum = arena;

    result_clear(arena, params);
    sum[FIRST / 8] = ONE;
    *second(arena, params) = OTHER;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, iterations(params) * (ONE + OTHER), ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    return FIRST + (size_t)params[PARAM_STRIDE] + 8;
}

WORKLOAD(bank_conflict_row) = {
    .name = "bank-conflict",
    .title = "pairs of loads, from the same bank or not",
    .shows = "bank conflicts: of two loads the second one waits when both are in the same bank of different "
             "lines (stride=64), but not with stride=72: a cycle for each pair",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "bank_conflict",
    .unit = "iterations",
    .unit_ops = LOOP_OPS,
    .params = {{"iterations", 1, 1000000000, 200000, "passes of the loop, of two loads each"},
               {"stride", 8, 1048576, 64, "bytes from one word to the other"}},
    .steps = {0, 8},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = bank_conflict,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .once = 11),
                 LOOP_FLOW,
                 {0x040, 0, {.per_unit = 2, .once = 4}}}, /* two parameters, the result, the ret */
};
