/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A chain of floating point divisions, each of which needs the result of the one before: x = 1 / (1 + x).
 *
 * An addition of 4 cycles, a division of 20 and a move of 2 follow one another (latencies of GCC's amdfam10 tables),
 * and the core has nothing else to do meanwhile. No access to memory in the loop. The values are the
 * continued fraction of the golden ratio, F(k) / F(k + 1) after k steps, so the result is known in whole numbers.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    STEP_OPS = 6,
    SETTLED = 40,       /* steps after which nine digits do not change any more */
    SCALE = 1000000000, /* nine digits are checked */
};

WORKLOAD_ASM static void divide_chain(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov $1, %eax\n\t"
            "cvtsi2sd %eax, %xmm2\n\t"
            "xorpd %xmm0, %xmm0");
    __asm__("1: addsd %xmm2, %xmm0");
    __asm__("movapd %xmm2, %xmm1");
    __asm__("divsd %xmm0, %xmm1");
    __asm__("movapd %xmm1, %xmm0");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("movsd %xmm0, (%rdi)\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    double *result = arena;

    (void)params;
    *result = 0.0;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const double *result = arena;
    uint64_t low = 0, high = 1; /* F(k), F(k + 1) */
    int twice = 2 * SCALE;

    for (uint32_t k = 0; k < iterations(params) && k < SETTLED; k++) {
        uint64_t sum = low + high;

        low = high;
        high = sum;
    }
    return agree(ret_check, (low * SCALE + high / 2) / high, (uint64_t)((long)(*result * twice) + 1) / 2);
}

WORKLOAD(divide) = {
    .name = "divide-chain",
    .title = "floating point divisions, each of the previous result",
    .shows = "back-end bound by the core itself: ops wait for results, not for memory",
    .group = WORKLOAD_ABOUT_CORE,
    .kernel = "divide_chain",
    .unit = "divisions",
    .unit_ops = STEP_OPS,
    .params = {{"steps", 1, 1000000000, 170000, "divisions, one after the other"}},
    .arena_size = result_size,
    .prepare = prepare,
    .run = divide_chain,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = STEP_OPS, .once = 6),
                 LOOP_FLOW,
                 THREE_ACCESSES,
                 {0x003, 0x08, {.per_unit = 1}},
                 {0x003, 0x20, {.per_unit = 1}}},
};
