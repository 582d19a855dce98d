/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The triad of STREAM: a[i] = b[i] + factor * c[i], in double precision.
 *
 * Two streams are read and one is written: 24 bytes and two operations for an element, so any machine waits for memory,
 * not for the multiplier. The factor is the number of the pass.
 */
#include "workloads/stream.h"

enum { LOOP_OPS = 7, PATTERN = 1021, C = 3 };

WORKLOAD_ASM static void stream_triad(void *arena, const uint32_t *params)
{
    __asm__(STREAM_ARRAYS);
    __asm__("xor %esi, %esi");
    __asm__("1: inc %esi\n\t"
            "cvtsi2sd %esi, %xmm1\n\t"
            "xor %eax, %eax");
    __asm__("2: movsd (%r10,%rax), %xmm0");
    __asm__("mulsd %xmm1, %xmm0");
    __asm__("addsd (%r9,%rax), %xmm0");
    __asm__("movsd %xmm0, (%r8,%rax)");
    __asm__("add $8, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jne 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    double *a = array_of(arena, params, 0), *b = array_of(arena, params, 1), *c = array_of(arena, params, 2);

    for (uint64_t i = 0; i < elements(params); i++) {
        a[i] = -1;
        b[i] = (double)(i % PATTERN);
        c[i] = C;
    }
}

/* Small whole numbers: no result is rounded. */
static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    return stream_filled(params, 3, n, ret_range);
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const double *a = array_of(arena, params, 0);
    bool right = true;

    *ret_check = (struct workload_check){0, 0};
    for (uint64_t i = 0; i < elements(params); i++) {
        uint64_t expected = i % PATTERN + (uint64_t)C * params[PARAM_PASSES];

        right = right && a[i] == (double)expected;
        ret_check->expected += expected;
        ret_check->got += a[i] >= 0 ? (uint64_t)a[i] : 0;
    }
    return right;
}

static size_t arena_size(const uint32_t *params)
{
    return size_of(params, 3);
}

WORKLOAD(triad) = {
    .name = "stream-triad",
    .title = "STREAM's triad, a[i] = b[i] + factor * c[i]",
    .shows = "three streams at once: two read and one written, and a multiplier that waits for them",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "stream_triad",
    .unit = "elements",
    .unit_ops = LOOP_OPS,
    .params = {STREAM_PARAMS(4096)},
    .arena_size = arena_size,
    .prepare = prepare,
    .filled = filled,
    .arrays = {"a", "b", "c"},
    .run = stream_triad,
    .check = check,
    .work = passes_work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .per_pass = 5, .once = STREAM_ARRAYS_INSTRUCTIONS + 2),
                 PASSES_FLOW,
                 {0x040, 0, {.per_unit = 3, .once = 3}}, /* two parameters, the ret */
                 {0x003, 0x08, {.per_unit = 1}},         /* double precision additions */
                 {0x003, 0x10, {.per_unit = 1}}},        /* and multiplications */
};
