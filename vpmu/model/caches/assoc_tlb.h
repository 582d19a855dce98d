/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fully associative TLB with exact LRU, O(1) by a hash table and a linked list. Inline: every change of page looks
 * up the L1 DTLB.
 */
#ifndef VPMU_ASSOC_TLB_H
#define VPMU_ASSOC_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/inline.h"

enum {
    ASSOC_MAX = 96,
    ASSOC_RING = ASSOC_MAX,
    ASSOC_HEADS = 64,
    ASSOC_END = 0xFF,
};

/* A key is address >> shift with the shift in its upper bits, so sizes mix. */
struct assoc_tlb {
    uint64_t key[ASSOC_MAX];
    uint64_t frame[ASSOC_MAX];
    /* Order of use: a ring that begins and ends at ASSOC_RING, whose successor is the newest entry. */
    uint8_t newer[ASSOC_MAX + 1], older[ASSOC_MAX + 1];
    uint8_t chain[ASSOC_MAX], head[ASSOC_HEADS]; /* entries with the same hash; ASSOC_END ends a chain */
    uint8_t used, size;
};

INLINED uint64_t assoc_key(uint64_t linear, unsigned shift)
{
    return (linear >> shift) ^ ((uint64_t)shift << 58);
}

INLINED uint32_t assoc_head(uint64_t key)
{
    return (uint32_t)(key ^ (key >> 6) ^ (key >> 12)) & (ASSOC_HEADS - 1);
}

static inline void assoc_clear(struct assoc_tlb *tlb, uint8_t size)
{
    tlb->size = size;
    tlb->used = 0;
    tlb->newer[ASSOC_RING] = tlb->older[ASSOC_RING] = ASSOC_RING;
    for (uint32_t i = 0; i < ASSOC_HEADS; i++)
        tlb->head[i] = ASSOC_END;
}

INLINED void assoc_make_newest(struct assoc_tlb *tlb, uint8_t i)
{
    uint8_t newest = tlb->older[ASSOC_RING];

    tlb->older[i] = newest;
    tlb->newer[i] = ASSOC_RING;
    tlb->newer[newest] = i;
    tlb->older[ASSOC_RING] = i;
}

INLINED void assoc_unlink(struct assoc_tlb *tlb, uint8_t i)
{
    uint8_t newer = tlb->newer[i], older = tlb->older[i];

    tlb->older[newer] = older;
    tlb->newer[older] = newer;
}

/* Returns the entry, or ASSOC_END. */
INLINED uint8_t assoc_peek(const struct assoc_tlb *tlb, uint64_t key)
{
    uint8_t i = tlb->head[assoc_head(key)];

    while (i != ASSOC_END && tlb->key[i] != key)
        i = tlb->chain[i];
    return i;
}

INLINED bool assoc_find(struct assoc_tlb *tlb, uint64_t key, uint64_t *frame)
{
    uint8_t i = assoc_peek(tlb, key);

    if (i == ASSOC_END)
        return false;
    if (tlb->newer[i] != ASSOC_RING) {
        assoc_unlink(tlb, i);
        assoc_make_newest(tlb, i);
    }
    *frame = tlb->frame[i];
    return true;
}

static inline void assoc_insert(struct assoc_tlb *tlb, uint64_t key, uint64_t frame)
{
    uint8_t *head = &tlb->head[assoc_head(key)], i;

    if (tlb->size == 0)
        return;
    if (tlb->used < tlb->size) {
        i = tlb->used++;
    } else {
        uint8_t *link;

        i = tlb->newer[ASSOC_RING]; /* the oldest */
        link = &tlb->head[assoc_head(tlb->key[i])];
        while (*link != i)
            link = &tlb->chain[*link];
        *link = tlb->chain[i];
        assoc_unlink(tlb, i);
    }
    tlb->key[i] = key;
    tlb->frame[i] = frame;
    tlb->chain[i] = *head;
    *head = i;
    assoc_make_newest(tlb, i);
}

#endif
