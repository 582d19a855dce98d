/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A branch on random bits: what a misprediction costs.
 *
 * A xorshift generator (G. Marsaglia, "Xorshift RNGs", 2003; 13, 7, 17) makes a number per iteration, and a branch
 * decides by its lower half whether the number is counted. At 50 % no predictor can beat a coin toss. The same
 * code with percent=100 always goes the same way: the difference between the two runs is what mispredictions cost.
 */
#include "workloads/loop.h"
#include "workloads/random.h"
#include "workloads/result.h"

enum {
    PARAM_PERCENT = 1,
    LOOP_OPS = 15, /* if the number is counted, otherwise one fewer */
};

struct branches {
    uint64_t counted;
    uint64_t limit; /* lower halves below it are counted */
    uint64_t seed;
};

WORKLOAD_ASM static void branch_random(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 8(%rdi), %r8\n\t"
            "mov 16(%rdi), %rax\n\t"
            "xor %r9d, %r9d");
    __asm__("1: mov %rax, %rdx\n\t"
            "shl $13, %rdx\n\t"
            "xor %rdx, %rax");
    __asm__("mov %rax, %rdx\n\t"
            "shr $7, %rdx\n\t"
            "xor %rdx, %rax");
    __asm__("mov %rax, %rdx\n\t"
            "shl $17, %rdx\n\t"
            "xor %rdx, %rax");
    __asm__("mov %eax, %edx\n\t"
            "cmp %r8, %rdx");
    __asm__("jae 2f");
    __asm__("add $1, %r9");
    __asm__("2: sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %r9, (%rdi)\n\t"
            "ret");
}

_Static_assert(offsetof(struct branches, limit) == 8 && offsetof(struct branches, seed) == 16, "as the code has it");

static void prepare(void *arena, const uint32_t *params)
{
    struct branches *branches = arena;

    result_clear(arena, params);
    branches->limit = ((uint64_t)params[PARAM_PERCENT] << 32) / 100;
    branches->seed = XORSHIFT_SEED;
}

/* Computes the count by its definition, without a branch. */
static uint64_t count(const uint32_t *params)
{
    uint64_t x = XORSHIFT_SEED, limit = ((uint64_t)params[PARAM_PERCENT] << 32) / 100, counted = 0;

    for (uint32_t i = 0; i < iterations(params); i++) {
        x = xorshift(x);
        counted += ((x & 0xFFFFFFFF) - limit) >> 63;
    }
    return counted;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    return result_is(arena, count(params), ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct branches);
}

static uint64_t taken(const uint32_t *params)
{
    return 2 * iterations(params) - count(params);
}

WORKLOAD(random) = {
    .name = "branch-random",
    .title = "a branch on random bits",
    .shows = "bad speculation: at percent=50 every second branch on a random number is mispredicted",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "branch_random",
    .unit = "random numbers",
    .unit_ops = LOOP_OPS,
    .params = {{"iterations", 1, 1000000000, 75000, "passes of the loop"},
               {"percent", 1, 100, 50,
                "percentage of the random numbers that are counted; 100: the branch always goes the same way"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = branch_random,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS - 1, .once = 6, .others = count),
                 {0x0C2, 0, {.per_unit = 2, .once = 1}},
                 {0x0C4, 0, {.others = taken}},
                 ONE_RETURN,
                 {0x040, 0, {.once = 5}}},
};
