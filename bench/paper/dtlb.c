/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/paper/variants.h"

#include <stdio.h>

/* Simulates which translations of b miss both levels, by the rule of replacement in an L2 DTLB of 512 entries, 4 ways:
 * the column of b repeatedly, with the row of a and the stack in between. */
enum { SETS = 128, WAYS = 4, L1_ENTRIES = 48, DTLB_COLUMNS = 200 };

enum replaced { BY_AGE, IN_TURN, BY_TREE, AT_RANDOM, RANDOM_BUT_NEWEST };

struct dtlb {
    enum replaced rule;
    unsigned ways, sets;
    uint64_t page[SETS * WAYS], used[SETS * WAYS], now;
    unsigned turn[SETS], tree[SETS], newest[SETS];
    uint64_t l1[L1_ENTRIES], l1_used[L1_ENTRIES];
    struct rng rng;
};

static unsigned oldest(const uint64_t *used, unsigned count)
{
    unsigned found = 0;

    for (unsigned i = 1; i < count; i++)
        if (used[i] < used[found])
            found = i;
    return found;
}

/* Bit 0 chooses the half, bits 1 and 2 the way in it; each points away from what was used last. */
static unsigned by_tree(unsigned tree)
{
    return tree & 1 ? 2 + (tree >> 2 & 1) : tree >> 1 & 1;
}

static unsigned used_in_tree(unsigned tree, unsigned way)
{
    unsigned leaf = way < 2 ? 1 : 2;

    tree = (tree & ~1u) | (way < 2);
    return (tree & ~(1u << leaf)) | (unsigned)!(way & 1) << leaf;
}

static unsigned victim(struct dtlb *tlb, unsigned set)
{
    unsigned way;

    switch (tlb->rule) {
    case IN_TURN:
        return tlb->turn[set]++ % tlb->ways;
    case BY_TREE:
        return by_tree(tlb->tree[set]);
    case AT_RANDOM:
        return rng_below(&tlb->rng, tlb->ways);
    case RANDOM_BUT_NEWEST:
        way = rng_below(&tlb->rng, tlb->ways - 1);
        return way + (way >= tlb->newest[set]);
    default:
        return oldest(&tlb->used[set * tlb->ways], tlb->ways);
    }
}

/* 0: in the first level, 1: in the second, 2: in neither. */
static unsigned translate(struct dtlb *tlb, uint64_t page)
{
    unsigned set = (unsigned)(page % tlb->sets), way, slot, level = 1;
    uint64_t *pages = &tlb->page[set * tlb->ways];

    tlb->now++;
    for (slot = 0; slot < L1_ENTRIES; slot++) {
        if (tlb->l1[slot] == page) {
            tlb->l1_used[slot] = tlb->now;
            return 0;
        }
    }
    for (way = 0; way < tlb->ways && pages[way] != page; way++)
        ;
    if (way == tlb->ways) {
        way = victim(tlb, set);
        pages[way] = page;
        level = 2;
    }
    tlb->used[set * tlb->ways + way] = tlb->now;
    tlb->tree[set] = used_in_tree(tlb->tree[set], way);
    tlb->newest[set] = way;
    slot = oldest(tlb->l1_used, L1_ENTRIES);
    tlb->l1[slot] = page;
    tlb->l1_used[slot] = tlb->now;
    return level;
}

static void dtlb_row(const char *name, enum replaced rule, unsigned page_shift)
{
    static struct dtlb tlb;
    uint64_t levels[3] = {0};

    tlb = (struct dtlb){.rule = rule, .ways = WAYS, .sets = SETS};
    rng_seed(&tlb.rng, 7);
    for (unsigned j = 0; j < 2 * DTLB_COLUMNS; j++) {
        for (unsigned k = 0; k < 1000; k++) {
            unsigned level;

            (void)translate(&tlb, 0x12FF80 >> page_shift);
            (void)translate(&tlb, (0x413FE0 + 4 * k) >> page_shift);
            level = translate(&tlb, (0x7E48E8 + 4000 * k + 4 * j) >> page_shift);
            levels[level] += j >= DTLB_COLUMNS;
        }
    }
    printf("| %s | %.1f %% | %.1f %% | %.1f %% |\n", name, (double)levels[0] / DTLB_COLUMNS / 10,
           (double)levels[1] / DTLB_COLUMNS / 10, (double)levels[2] / DTLB_COLUMNS / 10);
}

void variants_dtlb(void)
{
    puts("| 512 entries, four ways; replaced is | L1 hit | L1M L2H | L1M L2M |\n|---|---|---|---|");
    dtlb_row("the least recently used (the model of C and E)", BY_AGE, 12);
    dtlb_row("each way in turn", IN_TURN, 12);
    dtlb_row("by a tree of bits", BY_TREE, 12);
    dtlb_row("any way, at random (the model of B)", AT_RANDOM, 12);
    dtlb_row("at random, but not the newest", RANDOM_BUT_NEWEST, 12);
    dtlb_row("any; pages of 8 KB, or two neighbours in one walk", BY_AGE, 13);
    dtlb_row("any; pages of 2 MB", BY_AGE, 21);
    puts("| **the paper's IBS op samples** | | | **76.8 %** |");
}
