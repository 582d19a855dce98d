/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translation look-aside buffers and the page walker. The model asks config.translate() only when its own TLBs miss.
 */
#ifndef VPMU_TLB_H
#define VPMU_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "vpmu/model/caches/assoc_tlb.h"
#include "vpmu/model/caches/cache.h"
#include "vpmu/model/params.h"

/* Set-associative: the entries of a set are kept in order of use, for exact LRU, unless ways are replaced at random. */
struct set_entry {
    uint64_t key; /* assoc_key(); NO_PAGE = empty */
    uint64_t frame;
};
struct set_tlb {
    struct set_entry *entry;
    uint32_t mask, ways; /* number of sets less one; ways 0: there is none */
};

#define NO_PAGE UINT64_MAX

enum tlb_level {
    TLB_L1,
    TLB_L2,
    TLB_WALK,
    TLB_FAULT, /* not mapped */
};

struct translation {
    uint64_t physical;
    uint32_t cycles; /* beyond an L1 hit */
    uint8_t level;   /* enum tlb_level */
    uint8_t shift;   /* 12, 21, 30 */
};

struct tlbs {
    struct assoc_tlb own[2 * PAGE_SIZES], pdc;
    struct assoc_tlb *l1d[PAGE_SIZES], *l1i[PAGE_SIZES]; /* in own[]; sizes that share entries have the same */
    struct set_tlb l2d[PAGE_SIZES], l2i[PAGE_SIZES];
    struct set_entry *entries; /* of all set-associative ones; their number */
    uint32_t count;
    /* The newest entry of the L1 DTLB: finding it again changes no order of use. */
    struct {
        uint64_t mask, page; /* the addresses in it have these upper bits; NO_PAGE: none has */
        uint64_t distance;   /* from the page to its frame */
        uint8_t size;        /* enum page_size */
    } recent;
    uint64_t code_page; /* number of the page fetched from last; NO_PAGE: not known any more */
    struct translation code;
    bool l2_dtlb_random;
    struct rng rng; /* which way of the L2 DTLB is replaced */
    uint8_t sizes;  /* sizes of data pages since the last flush: bit n, enum page_size */
    uint64_t walks, walk_reads;
};

/* Returns the bytes for tlbs_init(). */
uint64_t tlbs_memory(const struct vpmu_params *params);
void tlbs_init(struct tlbs *tlbs, const struct vpmu_params *params, void *memory);
void tlbs_flush(struct tlbs *tlbs);

INLINED bool tlbs_recent(const struct tlbs *tlbs, uint64_t linear, uint64_t *physical)
{
    *physical = linear + tlbs->recent.distance;
    return (linear & tlbs->recent.mask) == tlbs->recent.page;
}
/* Makes the address's entry of the L1 DTLB the recent one. Returns false, and changes nothing, if it has none. */
bool tlbs_find_recent(struct tlbs *tlbs, uint64_t linear);
/* Translates what tlbs_find_recent() has not found. */
void tlbs_data_missed(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                      struct translation *result);

/* Returns whether the page is the last one, which is the most recently used of the L1 ITLB. */
INLINED bool tlbs_same_code_page(const struct tlbs *tlbs, uint64_t linear, uint64_t *physical)
{
    *physical = tlbs->code.physical | (linear & 0xFFF);
    return tlbs->code_page == linear >> 12;
}
/* Translates a fetch. 1 GB pages are held as 2 MB pieces: this ITLB has no 1 GB entries. */
void tlbs_fetch(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                struct translation *result);
/* Like tlbs_fetch() for a fetch that is abandoned: no walk, nothing is brought in. TLB_WALK: it would have walked. */
void tlbs_peek(struct tlbs *tlbs, uint64_t linear, struct translation *result);

#endif
