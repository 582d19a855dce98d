/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes an array from end to end, through the caches or past them.
 *
 * A store that misses fetches the line first, only to be overwritten: half of the traffic is wasted. Streaming stores
 * (movnti, streaming=2) collect a line in a write-combining buffer and send it to memory; no line is fetched, and IBS
 * reports that at the store. When the array is read again soon, the plain stores win.
 */
#include "workloads/stream.h"

enum { PARAM_STREAMING = 2, LOOP_OPS = 4 };
enum { PLAIN = 1, STREAMING = 2 };

WORKLOAD_ASM static void stream_write(void *arena, const uint32_t *params)
{
    __asm__(STREAM_ARRAYS);
    __asm__("xor %r9d, %r9d\n\t"
            "cmpl $2, 8(%rsi)\n\t"
            "je 3f");
    __asm__("1: inc %r9\n\t"
            "xor %eax, %eax");
    __asm__("2: mov %r9, (%r8,%rax)");
    __asm__("add $8, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jne 2b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b\n\t"
            "ret");
    __asm__("3: inc %r9\n\t"
            "xor %eax, %eax");
    __asm__("4: movnti %r9, (%r8,%rax)");
    __asm__("add $8, %rax\n\t"
            "cmp %rdx, %rax\n\t"
            "jne 4b");
    __asm__("sub $1, %ecx\n\t"
            "jnz 3b\n\t"
            "sfence\n\t"
            "ret");
}

static void prepare(void *arena, const uint32_t *params)
{
    uint64_t *a = array_of(arena, params, 0);

    for (uint64_t i = 0; i < elements(params); i++)
        a[i] = 0;
}

/* Each element is the number of the pass that wrote it. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const uint64_t *a = array_of(arena, params, 0);
    bool right = true;

    *ret_check = (struct workload_check){passes_work(params), 0};
    for (uint64_t i = 0; i < elements(params); i++) {
        right = right && a[i] == params[PARAM_PASSES];
        ret_check->got += a[i];
    }
    return right;
}

static size_t arena_size(const uint32_t *params)
{
    return size_of(params, 1);
}

static uint64_t streaming(const uint32_t *params)
{
    return params[PARAM_STREAMING] == STREAMING;
}

WORKLOAD(write) = {
    .name = "stream-write",
    .title = "fills an array from end to end",
    .shows = "lines that are brought in only to be overwritten; with streaming=2 none are",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "stream_write",
    .unit = "elements",
    .unit_ops = LOOP_OPS,
    .params = {STREAM_PARAMS(4096),
               {"streaming", PLAIN, STREAMING, PLAIN, "1: stores through the caches, 2: streaming stores (movnti)"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .arrays = {"a"},
    .arrays_at = FIRST,
    .run = stream_write,
    .check = check,
    .work = passes_work,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .per_pass = 4, .once = STREAM_ARRAYS_INSTRUCTIONS + 4,
                              .others = streaming),
                 {0x0C2, 0, {.per_unit = 1, .per_pass = 1, .once = 2}},
                 {0x0C4, 0, {.per_unit = 1, .others = streaming}},
                 ONE_RETURN},
};
