/*
 * Translation look-aside buffers and the page walker.
 *
 * The L1 DTLB and the page directory cache are fully associative with exact LRU, made O(1) by a hash and a linked list.
 * The model asks config.translate() only when its own TLBs miss.
 */
#ifndef VPMU_TLB_H
#define VPMU_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/vpmu/model/cache.h"
#include "tests/vpmu/model/params.h"

enum {
    ASSOC_MAX = 48,
    ASSOC_HEADS = 64,
};

/* Fully associative. A key is address >> shift with the shift in its upper bits, so sizes mix. */
struct assoc_tlb {
    uint64_t key[ASSOC_MAX];
    uint64_t frame[ASSOC_MAX];
    uint8_t newer[ASSOC_MAX], older[ASSOC_MAX], chain[ASSOC_MAX]; /* 0xff ends a chain */
    uint8_t head[ASSOC_HEADS];
    uint8_t newest, oldest, used, size;
};

/* Set-associative with exact LRU: the entries of a set are kept in order of use. */
struct set_tlb {
    struct {
        uint64_t page; /* address >> shift, UINT64_MAX = empty */
        uint64_t frame;
    } entry[L2_TLB_4K_SETS * L2_TLB_4K_WAYS];
    uint32_t sets, ways;
};

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
    struct assoc_tlb l1d, l1i_4k, l1i_2m, l2d_1g, pdc;
    struct set_tlb l2d_4k, l2d_2m, l2i_4k;
    struct {
        uint64_t page; /* number; UINT64_MAX: none */
        uint64_t frame;
    } recent; /* the newest entry of the L1 DTLB, if it is a 4 KB page: finding it again changes no order of use */
    uint64_t code_page; /* the page fetched from last */
    struct translation code;
    bool code_valid;
    bool l2_dtlb_1g;
    uint8_t sizes; /* page sizes in the L1 DTLB since the last flush: bit 0 4 KB, 1 2 MB, 2 1 GB */
    uint64_t walks, walk_reads;
};

void tlbs_init(struct tlbs *tlbs, const struct vpmu_params *params);
void tlbs_flush(struct tlbs *tlbs);

static inline bool tlbs_recent_4k(const struct tlbs *tlbs, uint64_t linear, uint64_t *physical)
{
    if (linear >> 12 != tlbs->recent.page)
        return false;
    *physical = tlbs->recent.frame | (linear & 0xFFF);
    return true;
}
void tlbs_data(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
               struct translation *result);
/* 1 GB pages are held as 2 MB pieces: this ITLB has no 1 GB entries. */
void tlbs_fetch(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                struct translation *result);
/* Like tlbs_fetch() for a fetch that is abandoned: no walk, nothing is brought in. TLB_WALK: it would have walked. */
void tlbs_peek(struct tlbs *tlbs, uint64_t linear, struct translation *result);

#endif
