/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk along a list with one element in each page: how many pages the TLBs reach.
 *
 * Few lines are used, so the data cache has them all; only the number of pages grows with reach. The L1 DTLB has 48
 * entries, the L2 DTLB 512 for 4 KB pages: up to 48 pages nothing misses, up to 512 each load misses the first and hits
 * the second, and beyond each load walks the page tables (a walk in a circle always needs the page evicted last).
 * With pages=2m a few entries are enough.
 */
#include "workloads/loop.h"
#include "workloads/result.h"

enum {
    PARAM_REACH = 1,
    HOP_OPS = 3,
    PAGE = 4096, /* offset of the first element in the arena, and from one to the next */
    LINE = 64,
};

struct element {
    struct element *next;
    uint64_t place; /* in the circle, from 0 */
};

WORKLOAD_ASM static void tlb_reach(void *arena, const uint32_t *params)
{
    __asm__("mov (%rsi), %ecx\n\t"
            "lea 4096(%rdi), %rax");
    __asm__("1: mov (%rax), %rax");
    __asm__("sub $1, %ecx\n\t"
            "jnz 1b");
    __asm__("mov %rax, (%rdi)\n\t"
            "ret");
}

/* The cache's index is the offset in the page and the page's lower three bits: every eight pages the next line, so that
 * the elements of 512 pages have different sets. */
static struct element *element(const void *arena, uint32_t page)
{
    return (struct element *)((uintptr_t)arena + PAGE + (uintptr_t)page * PAGE + page / 8 % (PAGE / LINE) * LINE);
}

static void prepare(void *arena, const uint32_t *params)
{
    *(void **)arena = NULL;
    for (uint32_t i = 0; i < params[PARAM_REACH]; i++)
        *element(arena, i) = (struct element){element(arena, (i + 1) % params[PARAM_REACH]), i};
}

static bool filled(const uint32_t *params, uint32_t n, struct workload_range *ret_range)
{
    *ret_range = (struct workload_range){(uintptr_t)element(NULL, n), sizeof(struct element)};
    return n < params[PARAM_REACH];
}

static bool check(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    const struct element *last = *(struct element *const *)arena;
    uint64_t place = UINT64_MAX;

    for (uint32_t i = 0; i < params[PARAM_REACH]; i++)
        if (last == element(arena, i))
            place = last->place;
    return agree(ret_check, iterations(params) % params[PARAM_REACH], place);
}

static size_t arena_size(const uint32_t *params)
{
    return PAGE + (size_t)params[PARAM_REACH] * PAGE;
}

WORKLOAD(reach) = {
    .name = "tlb-reach",
    .title = "one line in each of many pages, in a circle",
    .shows =
        "how many pages the DTLBs cover: no load misses below, every load above, with steps at the sizes of L1 and L2",
    .group = WORKLOAD_ABOUT_MEMORY,
    .kernel = "tlb_reach",
    .unit = "hops",
    .unit_ops = HOP_OPS,
    .params = {{"hops", 1, 1000000000, 262144, "loads, one after the other"},
               {"reach", 1, 262144, 640, "number of 4 KB pages in which a line is used"}},
    .arena_size = arena_size,
    .prepare = prepare,
    .filled = filled,
    .arrays = {"list"},
    .run = tlb_reach,
    .check = check,
    .work = iterations,
    .expected = {INSTRUCTIONS(.per_unit = HOP_OPS, .once = 4), LOOP_FLOW, {0x040, 0, {.per_unit = 1, .once = 3}}},
};
