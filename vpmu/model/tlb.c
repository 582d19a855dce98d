/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/tlb.h"

/* ---------------------------------------------------------------- set-associative */

/* The number of ways is passed with each call, so that the compiler knows it. */
static void set_clear(struct set_tlb *tlb)
{
    for (uint32_t i = 0; i < sizeof(tlb->entry) / sizeof(tlb->entry[0]); i++)
        tlb->entry[i].page = NO_PAGE;
}

INLINED void set_to_front(struct set_entry *set, uint32_t at, uint64_t page, uint64_t frame)
{
    for (; at > 0; at--)
        set[at] = set[at - 1];
    set[0] = (struct set_entry){page, frame};
}

INLINED bool set_find(struct set_tlb *tlb, uint32_t sets, uint32_t ways, uint64_t page, uint64_t *frame)
{
    struct set_entry *set = &tlb->entry[(page & (sets - 1)) * ways];

    for (uint32_t i = 0; i < ways; i++) {
        if (set[i].page == page) {
            *frame = set[i].frame;
            set_to_front(set, i, page, *frame);
            return true;
        }
    }
    return false;
}

INLINED void set_insert(struct set_tlb *tlb, uint32_t sets, uint32_t ways, uint64_t page, uint64_t frame)
{
    set_to_front(&tlb->entry[(page & (sets - 1)) * ways], ways - 1, page, frame);
}

/* Any way may be replaced, also while others are empty. */
static void set_insert_at_random(struct set_tlb *tlb, uint32_t sets, uint32_t ways, uint64_t page, uint64_t frame,
                                 struct rng *rng)
{
    tlb->entry[(page & (sets - 1)) * ways + rng_below(rng, ways)] = (struct set_entry){page, frame};
}

#define SIZE_4K L2_TLB_4K_SETS, L2_TLB_4K_WAYS
#define SIZE_2M L2_DTLB_2M_SETS, L2_DTLB_2M_WAYS

/* ---------------------------------------------------------------- the walker */

/* The page directory cache holds pointers to the tables of the last level: with a hit only the entry itself is read. */
static unsigned walk(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                     struct translation *result)
{
    uint64_t physical = 0, tables[4] = {0}, unused;
    unsigned count = 0, first = 0;
    unsigned shift = config->translate(config->context, linear, &physical, tables, &count);

    tlbs->walks++;
    result->level = TLB_WALK;
    result->physical = physical;
    result->cycles = L2_TLB_LATENCY;
    if (shift == 0) {
        result->level = TLB_FAULT;
        return 0;
    }
    if (count > 1) {
        uint64_t key = assoc_key(linear, shift + 9);

        if (assoc_find(&tlbs->pdc, key, &unused))
            first = count - 1;
        else
            assoc_insert(&tlbs->pdc, key, 0);
    }
    for (unsigned i = first; i < count && i < 4; i++) {
        result->cycles += caches_walk(caches, tables[i]);
        tlbs->walk_reads++;
    }
    return shift;
}

static uint64_t offset_in(uint64_t linear, unsigned shift)
{
    return linear & ((1ull << shift) - 1);
}

/* ---------------------------------------------------------------- data */

void tlbs_init(struct tlbs *tlbs, const struct vpmu_params *params)
{
    tlbs->l2_dtlb_1g = params->l2_dtlb_1g;
    tlbs->l2_dtlb_random = params->l2_dtlb_random;
    rng_seed(&tlbs->rng, 1);
    tlbs->walks = tlbs->walk_reads = 0;
    tlbs_flush(tlbs);
}

void tlbs_flush(struct tlbs *tlbs)
{
    assoc_clear(&tlbs->l1d, L1_DTLB_ENTRIES);
    assoc_clear(&tlbs->l1i_4k, L1_ITLB_4K_ENTRIES);
    assoc_clear(&tlbs->l1i_2m, L1_ITLB_2M_ENTRIES);
    assoc_clear(&tlbs->l2d_1g, L2_DTLB_1G_ENTRIES);
    assoc_clear(&tlbs->pdc, PDC_ENTRIES);
    set_clear(&tlbs->l2d_4k);
    set_clear(&tlbs->l2d_2m);
    set_clear(&tlbs->l2i_4k);
    tlbs->code_page = NO_PAGE;
    tlbs->sizes = 0;
    tlbs->recent.page = NO_PAGE;
}

static enum page_size size_of(unsigned shift)
{
    return shift == 30 ? PAGE_1G : shift == 21 ? PAGE_2M : PAGE_4K;
}

INLINED bool has_size(const struct tlbs *tlbs, enum page_size size)
{
    return tlbs->sizes >> size & 1;
}

INLINED void make_recent(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    tlbs->recent.mask = UINT64_MAX << shift;
    tlbs->recent.page = linear & tlbs->recent.mask;
    tlbs->recent.distance = frame - tlbs->recent.page;
    tlbs->recent.size = (uint8_t)size_of(shift);
}

static void l1d_insert(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    assoc_insert(&tlbs->l1d, assoc_key(linear, shift), frame);
    tlbs->sizes |= (uint8_t)(1 << size_of(shift));
    make_recent(tlbs, linear, frame, shift);
}

static __attribute__((noinline)) bool find_large(struct tlbs *tlbs, uint64_t linear)
{
    unsigned shift = 21;
    uint64_t frame;

    if (!has_size(tlbs, PAGE_2M) || !assoc_find(&tlbs->l1d, assoc_key(linear, shift), &frame)) {
        shift = 30;
        if (!has_size(tlbs, PAGE_1G) || !assoc_find(&tlbs->l1d, assoc_key(linear, shift), &frame))
            return false;
    }
    make_recent(tlbs, linear, frame, shift);
    return true;
}

bool tlbs_find_recent(struct tlbs *tlbs, uint64_t linear)
{
    uint64_t frame;

    if (!assoc_find(&tlbs->l1d, assoc_key(linear, 12), &frame))
        return find_large(tlbs, linear);
    make_recent(tlbs, linear, frame, 12);
    return true;
}

static bool l2d_find(struct tlbs *tlbs, uint64_t linear, uint64_t *frame, uint8_t *shift)
{
    if (set_find(&tlbs->l2d_4k, SIZE_4K, linear >> 12, frame))
        *shift = 12;
    else if (has_size(tlbs, PAGE_2M) && set_find(&tlbs->l2d_2m, SIZE_2M, linear >> 21, frame))
        *shift = 21;
    else if (has_size(tlbs, PAGE_1G) && tlbs->l2_dtlb_1g && assoc_find(&tlbs->l2d_1g, assoc_key(linear, 30), frame))
        *shift = 30;
    else
        return false;
    return true;
}

static void l2d_insert(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    if (shift == 12 && tlbs->l2_dtlb_random)
        set_insert_at_random(&tlbs->l2d_4k, SIZE_4K, linear >> 12, frame, &tlbs->rng);
    else if (shift == 12)
        set_insert(&tlbs->l2d_4k, SIZE_4K, linear >> 12, frame);
    else if (shift == 21)
        set_insert(&tlbs->l2d_2m, SIZE_2M, linear >> 21, frame);
    else if (tlbs->l2_dtlb_1g)
        assoc_insert(&tlbs->l2d_1g, assoc_key(linear, 30), frame);
}

void tlbs_data_missed(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                      struct translation *result)
{
    uint64_t frame;
    unsigned shift;

    if (l2d_find(tlbs, linear, &frame, &result->shift)) {
        result->physical = frame | offset_in(linear, result->shift);
        result->cycles = L2_TLB_LATENCY;
        result->level = TLB_L2;
        l1d_insert(tlbs, linear, frame, result->shift);
        return;
    }
    shift = walk(tlbs, caches, config, linear, result);
    result->shift = (uint8_t)shift;
    if (shift == 0)
        return;
    frame = result->physical - offset_in(result->physical, shift);
    l2d_insert(tlbs, linear, frame, shift);
    l1d_insert(tlbs, linear, frame, shift);
}

/* ---------------------------------------------------------------- code */

static bool l1i_find(struct tlbs *tlbs, uint64_t linear, struct translation *result)
{
    uint64_t frame;

    if (assoc_find(&tlbs->l1i_4k, assoc_key(linear, 12), &frame))
        result->shift = 12;
    else if (assoc_find(&tlbs->l1i_2m, assoc_key(linear, 21), &frame))
        result->shift = 21;
    else
        return false;
    result->physical = frame | offset_in(linear, result->shift);
    result->cycles = 0;
    result->level = TLB_L1;
    return true;
}

void tlbs_fetch(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                struct translation *result)
{
    uint64_t frame;
    unsigned shift;

    *result = tlbs->code;
    if (tlbs_same_code_page(tlbs, linear, &result->physical))
        return;
    if (!l1i_find(tlbs, linear, result)) {
        if (set_find(&tlbs->l2i_4k, SIZE_4K, linear >> 12, &frame)) {
            result->shift = 12;
            result->physical = frame | offset_in(linear, 12);
            result->cycles = L2_TLB_LATENCY;
            result->level = TLB_L2;
        } else {
            shift = walk(tlbs, caches, config, linear, result);
            result->shift = shift > 21 ? 21 : (uint8_t)shift;
            if (shift == 0)
                return;
            if (result->shift == 12)
                set_insert(&tlbs->l2i_4k, SIZE_4K, linear >> 12, result->physical - offset_in(result->physical, 12));
        }
        frame = result->physical - offset_in(result->physical, result->shift);
        assoc_insert(result->shift == 12 ? &tlbs->l1i_4k : &tlbs->l1i_2m, assoc_key(linear, result->shift), frame);
    }
    tlbs->code_page = linear >> 12;
    tlbs->code = (struct translation){
        .physical = result->physical - offset_in(result->physical, 12), .level = TLB_L1, .shift = result->shift};
}

void tlbs_peek(struct tlbs *tlbs, uint64_t linear, struct translation *result)
{
    if (!l1i_find(tlbs, linear, result))
        *result = (struct translation){.level = TLB_WALK};
    tlbs->code_page = NO_PAGE; /* the look-up changed the order of use */
}
