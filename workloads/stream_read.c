/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads an array from end to end: the pattern that the prefetcher is made for.
 *
 * Eight elements share a line, so at most one load in eight can miss, and later lines are prefetched before they are
 * needed: what is left are the first lines of each page, where a stream has to be recognised again, and loads that wait
 * for lines on their way (MAB hits). Each line is fetched once for each pass, if the array is larger than the cache.
 */
#include "workloads/stream.h"

enum { LOOP_OPS = 4 };

WORKLOAD_ASM static void stream_read(void *arena, const uint32_t *params)
{
    __asm__(STREAM_ARRAYS);
    __asm__("xor %esi, %esi");
    __asm__("1: xor %eax, %eax");
    __asm__("2: add (%r8,%rax), %rsi");
    __asm__("add $8, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jne 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rsi, (%rdi)\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    uint64_t *a = array_of(arena, params, 0);

    result_clear(arena, params);
    for (uint64_t i = 0; i < elements(params); i++)
        a[i] = 3 * i + 1;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint64_t count = elements(params);

    return result_is(arena, params[PARAM_PASSES] * (3 * (count * (count - 1) / 2) + count), ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    return size_of(params, 1);
}

WORKLOAD(read) = {
    .name = "stream-read",
    .title = "sums up an array from end to end",
    .shows = "what remains of the memory latency with a prefetcher: two misses in each page, and lines that are "
             "already in flight",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "stream_read",
    .unit = "elements",
    .unit_ops = LOOP_OPS,
    .params = {STREAM_PARAMS(4096)},
    .arena_size = arena_size,
    .prepare = prepare,
    .arrays = {"a"},
    .arrays_at = FIRST,
    .run = stream_read,
    .check = check,
    .work = passes_work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .per_pass = 3, .once = STREAM_ARRAYS_INSTRUCTIONS + 3),
                 PASSES_FLOW,
                 {0x040, 0, {.per_unit = 1, .once = 4}}}, /* two parameters, the result, the ret */
};
