/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A load right after a store to the same place: the store has not reached the cache yet, and forwards its data.
 *
 * Forwarding needs the same first byte, a store that covers the load, and no misalignment (event 02Ah). Otherwise it is
 * cancelled and the load waits until the store is in the cache. Each value depends on the one before, so the difference
 * shows in the time of each round, too.
 *
 *   width=8 offset=0            forwarded          width=8 offset=4            cancelled: another first byte
 *   width=4 offset=0            cancelled: the store is smaller
 *   width=8 offset=0 place=12   cancelled: both cross 16 bytes
 *   width=4 offset=8            no byte in common, nothing to forward
 *
 * The lea between sub and jnz leaves the flags alone: Zen 3 and later dispatch a sub with the jnz right after it as one
 * macro-op (AMD 56665, Software Optimization Guide for Family 19h, branch fusion; all pairs: corsix.org, "x86 macro-op
 * fusion notes"), and the self-test counts ops of this loop.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    PARAM_WIDTH = 1,
    PARAM_OFFSET = 2,
    PARAM_PLACE = 3,
    LOOP_OPS = 6,
    LOAD = 8,
    FIRST = 64, /* offset of the bytes in the arena; the asm has it, too */
    BYTES = 96, /* places 0 to 63 and offsets 0 to 15 */
};

struct forward {
    uint64_t sum;
    uint8_t rest[FIRST - 8];
    uint8_t byte[BYTES];
};

_Static_assert(offsetof(struct forward, byte) == FIRST, "as the code has it");

WORKLOAD_ASM static void store_forward(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "mov 4(%rsi), %edx\n\t"
            "mov 8(%rsi), %r8d\n\t"
            "mov 12(%rsi), %r9d\n\t"
            "lea 64(%rdi,%r9), %r9\n\t"
            "add %r9, %r8\n\t"
            "xor %eax, %eax\n\t"
            "xor %r10d, %r10d");
    __asm__("cmp $8, %edx\n\t"
            "jae 8f\n\t"
            "cmp $4, %edx\n\t"
            "jae 4f\n\t"
            "cmp $2, %edx\n\t"
            "jae 2f");
    __asm__("1: mov %al, (%r9)");
    __asm__("mov (%r8), %rax");
    __asm__("add %rcx, %rax\n\t"
            "sub $1, %ecx\n\t"
            "lea (%r10,%rax), %r10\n\t"
            "jnz 1b\n\t"
            "mov %r10, (%rdi)\n\t"
            "ret");
    __asm__("2: mov %ax, (%r9)");
    __asm__("mov (%r8), %rax");
    __asm__("add %rcx, %rax\n\t"
            "sub $1, %ecx\n\t"
            "lea (%r10,%rax), %r10\n\t"
            "jnz 2b\n\t"
            "mov %r10, (%rdi)\n\t"
            "ret");
    __asm__("4: mov %eax, (%r9)");
    __asm__("mov (%r8), %rax");
    __asm__("add %rcx, %rax\n\t"
            "sub $1, %ecx\n\t"
            "lea (%r10,%rax), %r10\n\t"
            "jnz 4b\n\t"
            "mov %r10, (%rdi)\n\t"
            "ret");
    __asm__("8: mov %rax, (%r9)");
    __asm__("mov (%r8), %rax");
    __asm__("add %rcx, %rax\n\t"
            "sub $1, %ecx\n\t"
            "lea (%r10,%rax), %r10\n\t"
            "jnz 8b\n\t"
            "mov %r10, (%rdi)\n\t"
            "ret");
}

static uint32_t width(const uint32_t *params)
{
    return params[PARAM_WIDTH] >= 8 ? 8 : params[PARAM_WIDTH] >= 4 ? 4 : params[PARAM_WIDTH] >= 2 ? 2 : 1;
}

static void fill(uint8_t *byte)
{
    for (uint32_t i = 0; i < BYTES; i++)
        byte[i] = (uint8_t)(i * 5 + 3);
}

static void prepare(void *arena, const uint32_t *params)
{
    struct forward *forward = arena;

    result_clear(arena, params);
    fill(forward->byte);
}

/* Makes the stores and loads byte by byte, and compares. */
static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    uint8_t byte[BYTES], *store = byte + params[PARAM_PLACE], *load = store + params[PARAM_OFFSET];
    uint64_t value = 0, sum = 0;

    fill(byte);
    for (uint64_t left = iterations(params); left > 0; left--) {
        for (uint32_t i = 0; i < width(params); i++)
            store[i] = (uint8_t)(value >> 8 * i);
        value = 0;
        for (uint32_t i = 0; i < LOAD; i++)
            value |= (uint64_t)load[i] << 8 * i;
        value += left;
        sum += value;
    }
    return result_is(arena, sum, ret_check);
}

static size_t arena_size(const uint32_t *params)
{
    (void)params;
    return sizeof(struct forward);
}

/* Returns how many comparisons, each with its jump, find the loop of this width. */
static uint64_t choices(const uint32_t *params)
{
    return width(params) == 8 ? 1 : width(params) == 4 ? 2 : 3;
}

static uint64_t comparisons(const uint32_t *params)
{
    return 2 * choices(params);
}

/* Returns the taken jumps: the last jump is taken, except that width=1 falls through. */
static uint64_t jumps(const uint32_t *params)
{
    return width(params) > 1;
}

static bool crosses(uint32_t place, uint32_t size)
{
    return place % 16 + size > 16;
}

static uint64_t cancelled(const uint32_t *params)
{
    bool meet = params[PARAM_OFFSET] < width(params);
    bool fits = params[PARAM_OFFSET] == 0 && width(params) == LOAD && !crosses(params[PARAM_PLACE], LOAD);

    return meet && !fits ? iterations(params) : 0;
}

static uint64_t misaligned(const uint32_t *params)
{
    return iterations(params) * ((uint64_t)crosses(params[PARAM_PLACE], width(params)) +
                                 crosses(params[PARAM_PLACE] + params[PARAM_OFFSET], LOAD));
}

WORKLOAD(store_forward_row) = {
    .name = "store-forward",
    .title = "a load after a store to the same address",
    .shows =
        "store-to-load forwarding, and what cancels it: a store that is smaller (width=4), begins at a different byte "
        "(offset=4), or crosses 16 bytes (place=12)",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "store_forward",
    .unit = "iterations",
    .unit_ops = LOOP_OPS,
    .params = {{"iterations", 1, 100000000, 100000, "passes of the loop, of one store and one load of 8 bytes"},
               {"width", 1, 8, 8, "size of the store in bytes"},
               {"offset", 0, 15, 0, "bytes from the start of the store to the start of the load"},
               {"place", 0, 63, 0, "offset of the store in its line"}},
    .steps = {0, WORKLOAD_POWERS},
    .arena_size = arena_size,
    .prepare = prepare,
    .run = store_forward,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = LOOP_OPS, .once = 10, .others = comparisons),
                 {0x0C2, 0, {.per_unit = 1, .once = 1, .others = choices}},
                 {0x0C4, 0, {.per_unit = 1, .others = jumps}},
                 ONE_RETURN,
                 {0x02A, 7, {.others = cancelled}},
                 {0x047, 0, {.others = misaligned}}},
};
