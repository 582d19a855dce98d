/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads one word in every 'stride' bytes of a buffer: which lines are fetched in vain, and which strides are harmful.
 *
 * With stride=8 each byte of a line is used, with 64 or more only one word of it: the same loads, eight times the
 * lines. From two lines on the model's prefetcher does not see a stream, and each load misses. Powers of two are even
 * worse: at 4096 bytes all loads fall on eight of the data cache's 512 sets, which hold 16 lines, so a walk over 17
 * words misses every time; with one line more (4160) they spread over all sets and stay.
 */
#include "workloads/loop.h"
#include "workloads/passes.h"
#include "workloads/result.h"

enum {
    PARAM_STRIDE = 2,
    LOOP_OPS = 4,
    FIRST = 4096, /* offset of the buffer in the arena; the asm has it, too */
};

WORKLOAD_ASM static void strided(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %edx\n\t"
            "shl $10, %rdx\n\t"
            "mov 8(%rsi), %r8d\n\t"
            "and $-8, %r8\n\t"
            "xor %r9d, %r9d");
    __asm__("1: xor %eax, %eax");
    __asm__("2: add 4096(%rdi,%rax), %r9");
    __asm__("add %r8, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jb 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %r9, (%rdi)\n\t"
            "ret");
}

static uint64_t stride(const uint32_t *params)
{
    return params[PARAM_STRIDE] & ~7u;
}

/* Returns the loads in a pass, since a unit is a load. */
static uint64_t units_in_pass(const uint32_t *params)
{
    return (bytes(params) + stride(params) - 1) / stride(params);
}

static void prepare(void *arena, const uint32_t *params)
{
    uint64_t *sum = arena, *word = sum + FIRST / 8;

    result_clear(arena, params);
    for (uint64_t i = 0; i < bytes(params) / 8; i++)
        word[i] = 3 * i + 1;
}

/* Load number i of a pass finds 3 * (i * stride / 8) + 1. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t count = units_in_pass(params), words = stride(params) / 8;

    return result_is(arena, params[PARAM_PASSES] * (3 * words * (count * (count - 1) / 2) + count), ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    return FIRST + (size_t)bytes(params);
}

WORKLOAD(strided_row) = {
    .name = "strided",
    .title = "reads one word per stride of a buffer",
    .shows = "what a stride costs: lines of which one word is used, and powers of two that use few sets of the "
             "cache (stride=4096 kb=256), which one more line per stride (stride=4160 kb=260) avoids",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "strided",
    .unit = "loads",
    .unit_ops = LOOP_OPS,
    .params = {{"passes", 1, 10000000, 8, "passes over the buffer"},
               {"kb", 4, 1048576, 4096, "size of the buffer in KB"},
               {"stride", 8, 1048576, 64, "bytes from one word to the next"}},
    .steps = {0, 0, 8},
    .arena_size = arena_size,
    .prepare = prepare,
    .arrays = {"buffer"},
    .arrays_at = FIRST,
    .run = strided,
    .check = check,
    .work = passes_work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .per_pass = 3, .once = 8),
                 PASSES_FLOW,
                 {0x040, 0, {.per_unit = 1, .once = 5}}}, /* three parameters, the result, the ret */
};
