/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk along a list whose elements are in random order: the latency of memory, and nothing else.
 *
 * Each element fills a cache line and holds the address of the next one; the order is one random cycle through all of
 * them (S. Sattolo, "An algorithm to generate a random cyclic permutation", 1986), so no prefetcher can predict it, and
 * a load cannot begin before its predecessor has ended. Cycles per hop are the latency of the level that holds a list
 * of that size: kb=32 the data cache, kb=256 the L2, kb=4096 the L3 where there is one, 16384 (the default) memory.
 * With pages=4k larger lists pay for page walks, too.
 */
#include "workloads/loop.h"
#include "workloads/random.h"
#include "workloads/result.h"

enum {
    PARAM_KB = 1,
    HOP_OPS = 3,
    LINE = 64,
    FIRST = 4096, /* offset of the elements in the arena */
};

struct element {
    struct element *next;
    uint64_t place; /* in the cycle, from 0 */
    uint8_t rest[LINE - 16];
};

_Static_assert(sizeof(struct element) == LINE, "one to a cache line");

struct chase {
    struct element *last; /* where the walk ended */
    uint8_t rest[FIRST - 8];
    struct element element[];
};

_Static_assert(offsetof(struct chase, element) == FIRST, "as the code has it");

WORKLOAD_ASM static void pointer_chase(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "lea 4096(%rdi), %rax");
    __asm__("1: mov (%rax), %rax");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

static uint32_t elements(const uint32_t *params)
{
    return params[PARAM_KB] * (1024 / LINE);
}

static void prepare(void *arena, const uint32_t *params)
{
    struct chase *chase = arena;
    uint32_t count = elements(params);
    uint64_t x = SHUFFLE_SEED;
    struct element *at = chase->element;

    chase->last = NULL;
    for (uint32_t i = 0; i < count; i++)
        chase->element[i].next = &chase->element[i];
    for (uint32_t i = count - 1; i > 0; i--) {
        struct element *next = chase->element[i].next;
        uint32_t other = random_below(&x, i); /* never i itself: that makes it one cycle */

        chase->element[i].next = chase->element[other].next;
        chase->element[other].next = next;
    }
    for (uint32_t i = 0; i < count; i++, at = at->next)
        at->place = i;
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct chase *chase = arena;
    uint64_t offset = (uint64_t)((const uint8_t *)chase->last - (const uint8_t *)chase->element);
    bool inside = offset / LINE < elements(params) && offset % LINE == 0;

    return agree(ret_check, iterations(params) % elements(params), inside ? chase->last->place : UINT64_MAX);
}

static size_t arena_size(const uint32_t *params)
{
    return sizeof(struct chase) + (size_t)elements(params) * LINE;
}

WORKLOAD(chase) = {
    .name = "pointer-chase",
    .title = "a walk along a list in random order",
    .shows = "back-end bound by memory: every load depends on the previous one, and misses all caches",
    .kernel = "pointer_chase",
    .unit = "hops",
    .unit_ops = HOP_OPS,
    .params = {{"hops", 1, 1000000000, 262144, "loads, one after the other; the default is once around 16 MB"},
               {"kb", 4, 1048576, 16384, "size of the list in KB, with a 64-byte line for each element"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .arrays = {"list"},
    .arrays_at = FIRST,
    .run = pointer_chase,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = HOP_OPS, .once = 4), LOOP_FLOW, {0x040, 0, {.per_unit = 1, .once = 3}}},
};
