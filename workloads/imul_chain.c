/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A chain of integer multiplications, each of the result of the one before: the multiplier's latency.
 *
 * Multiplications of 64 bits take 4 cycles (GCC i386.c, amdfam10_cost), although the multiplier could begin others
 * meanwhile: the chain has none for it.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum { TURNS = 60 }; /* multiplications in one iteration, as in the asm */

WORKLOAD_ASM static void imul_chain(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov $1, %eax");
    __asm__("1:\n\t"
            ".rept 60\n\t"
            "imul $3, %rax, %rax\n\t"
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

/* Returns a power by squaring, modulo 2^64. */
static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;

    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, power(3, work(params)), ret_check);
}

WORKLOAD(imul) = {
    .name = "imul-chain",
    .title = "integer multiplications, each of the previous result",
    .shows = "back-end bound by results: one 64-bit multiplication every 4 cycles",
    .group = WORKLOAD_ABOUT_CORE,
    .kernel = "imul_chain",
    .unit = "multiplications",
    .unit_ops = 1,
    .params = {{"iterations", 1, 1000000000, 10000, "passes of the loop, of 60 each"}},
    .arena_size = result_size,
    .prepare = result_clear,
    .run = imul_chain,
    .check = check,
    .work = work,
    .expected = {INSTRUCTIONS(.per_unit = 1, .per_pass = 2, .once = 4), LOOP_FLOW, THREE_ACCESSES},
};
