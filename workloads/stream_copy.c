/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies an array from end to end: a stream that is read and one that is written.
 *
 * The lines of both are fetched, those of the copy only to be overwritten.
 */
#include "workloads/stream.h"

enum { LOOP_OPS = 5 };

WORKLOAD_ASM static void stream_copy(void *arena, const uint32_t *params)
{
    __asm__(STREAM_ARRAYS);
    __asm__("xor %r10d, %r10d");
    __asm__("1: inc %r10\n\t"
            "xor %eax, %eax");
    __asm__("2: mov (%r9,%rax), %r11");
    __asm__("mov %r11, (%r8,%rax)");
    __asm__("add $8, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jne 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %r10, (%rdi)\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    uint64_t *passes = arena, *a = array_of(arena, params, 0), *b = array_of(arena, params, 1);

    *passes = 0;
    for (uint64_t i = 0; i < elements(params); i++) {
        a[i] = 0;
        b[i] = 3 * i + 1;
    }
}

/* Copying again changes nothing, so the passes were counted; they go into the sum. */
static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    return stream_filled(params, 2, n, ret_range);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const uint64_t *passes = arena, *a = array_of(arena, params, 0);
    uint64_t count = elements(params);
    bool right = *passes == params[PARAM_PASSES];

    *ret_check = (struct workload_check){3 * (count * (count - 1) / 2) + count + params[PARAM_PASSES], *passes};
    for (uint64_t i = 0; i < count; i++) {
        right = right && a[i] == 3 * i + 1;
        ret_check->got += a[i];
    }
    return right;
}

static size_t arena_size(const uint32_t *params)
{
    return size_of(params, 2);
}

WORKLOAD(copy) = {
    .name = "stream-copy",
    .title = "copies an array from end to end",
    .shows =
        "a stream of loads and one of stores: each brings in all its lines, those of the stores only to be overwritten",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "stream_copy",
    .unit = "elements",
    .unit_ops = LOOP_OPS,
    .params = {STREAM_PARAMS(4096)},
    .arena_size = arena_size,
    .prepare = prepare,
    .filled = filled,
    .arrays = {"a", "b"},
    .run = stream_copy,
    .check = check,
    .work = passes_work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .per_pass = 4, .once = STREAM_ARRAYS_INSTRUCTIONS + 3),
                 PASSES_FLOW,
                 {0x040, 0, {.per_unit = 2, .once = 4}}}, /* two parameters, the passes, the ret */
};
