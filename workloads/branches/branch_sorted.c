/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A branch on data in memory: the same numbers, shuffled or sorted.
 *
 * An array of bytes, each value equally often, is summed up where the value is 128 or more. Sorted, the branch changes
 * its way once for each pass over the array, and nothing is mispredicted; shuffled, it is a coin toss. Instructions,
 * accesses and result are the same, so the two profiles differ only by the cost of mispredictions. The array
 * (64 KB) does not repeat within what a branch history can remember; pass by pass it is the same.
 */
#include "workloads/loop.h"
#include "workloads/random.h"
#include "workloads/result.h"

enum {
    PARAM_PASSES = 0,
    PARAM_SORTED = 1,
    COUNT = 65536, /* the asm has it, too */
    HALF = 128,
    LOOP_OPS = 7, /* for a value that is summed, otherwise one fewer */
};

enum { SHUFFLED = 1, SORTED = 2 };

struct sorted {
    uint64_t sum;
    uint8_t rest[56];
    uint8_t value[COUNT];
};

_Static_assert(offsetof(struct sorted, value) == 64, "as the code has it");

WORKLOAD_ASM static void branch_sorted(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "xor %eax, %eax");
    __asm__("1: xor %edx, %edx");
    __asm__("2: movzbl 64(%rdi,%rdx), %r8d");
    __asm__("cmp $128, %r8d");
    __asm__("jb 3f");
    __asm__("add %r8, %rax");
    __asm__("3: inc %rdx\n\t"
            "cmp $65536, %rdx\n\t"
            "jne 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    struct sorted *sorted = arena;
    uint64_t x = SHUFFLE_SEED;

    result_clear(arena, params);
    for (uint32_t i = 0; i < COUNT; i++)
        sorted->value[i] = (uint8_t)(i / (COUNT / 256));
    if (params[PARAM_SORTED] == SORTED)
        return;
    for (uint32_t i = COUNT - 1; i > 0; i--) { /* R. Fisher and F. Yates */
        uint32_t other = random_below(&x, i + 1);
        uint8_t value = sorted->value[i];

        sorted->value[i] = sorted->value[other];
        sorted->value[other] = value;
    }
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t of_pass = (COUNT / 256) * (255 * 256 / 2 - HALF * (HALF - 1) / 2);

    return result_is(arena, params[PARAM_PASSES] * of_pass, ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct sorted);
}

static uint64_t work(const uint32_t *params)
{
    return (uint64_t)params[PARAM_PASSES] * COUNT;
}

/* Returns how many values are summed: one half of them. */
static uint64_t summed(const uint32_t *params)
{
    return work(params) / 2;
}

WORKLOAD(sorted) = {
    .name = "branch-sorted",
    .title = "a branch on data, shuffled or sorted",
    .shows = "mispredictions caused by the order of the data: the same work with sorted=2 has practically none",
    .group = WORKLOAD_ABOUT_BRANCHES,
    .kernel = "branch_sorted",
    .unit = "values",
    .unit_ops = LOOP_OPS,
    .params = {{"passes", 1, 100000, 4, "passes over the 65536 values"},
               {"sorted", SHUFFLED, SORTED, SHUFFLED, "1: the values are shuffled, 2: sorted"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .arrays = {"value"},
    .arrays_at = offsetof(struct sorted, value),
    .run = branch_sorted,
    .check = check,
    .work = work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS - 1, .per_pass = 3, .once = 4, .others = summed),
                 {0x0C2, 0, {.per_unit = 2, .per_pass = 1, .once = 1}},
                 {0x0C4, 0, {.per_unit = 1, .others = summed}},
                 ONE_RETURN,
                 {0x040, 0, {.per_unit = 1, .once = 3}}},
};
