/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/caches/tlb.h"

/* ---------------------------------------------------------------- set-associative */

INLINED void set_to_front(struct set_entry *set, uint32_t at, uint64_t key, uint64_t frame)
{
    for (; at > 0; at--)
        set[at] = set[at - 1];
    set[0] = (struct set_entry){key, frame};
}

INLINED struct set_entry *set_of(const struct set_tlb *tlb, uint64_t key)
{
    return &tlb->entry[(key & tlb->mask) * tlb->ways];
}

INLINED bool set_find(const struct set_tlb *tlb, uint64_t key, uint64_t *frame)
{
    struct set_entry *set = set_of(tlb, key);

    for (uint32_t i = 0; i < tlb->ways; i++) {
        if (set[i].key == key) {
            *frame = set[i].frame;
            set_to_front(set, i, key, *frame);
            return true;
        }
    }
    return false;
}

INLINED void set_insert(const struct set_tlb *tlb, uint64_t key, uint64_t frame)
{
    if (tlb->ways)
        set_to_front(set_of(tlb, key), tlb->ways - 1, key, frame);
}

/* ---------------------------------------------------------------- the walker */

/* Walks. The page directory cache holds pointers to the tables of the last level: with a hit only the entry itself is
 * read. */
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

/* Returns whether a size shares the entries of the next smaller one. */
static bool shares(const struct tlb_shape *shapes, unsigned size)
{
    return size && shapes[size].entries == shapes[size - 1].entries;
}

static uint32_t entries_of(const struct tlb_shape *shapes)
{
    uint32_t entries = 0;

    for (unsigned size = 0; size < PAGE_SIZES; size++)
        entries += shares(shapes, size) ? 0 : shapes[size].entries;
    return entries;
}

uint64_t tlbs_memory(const struct vpmu_params *params)
{
    return (uint64_t)(entries_of(params->l2_dtlb) + entries_of(params->l2_itlb)) * sizeof(struct set_entry);
}

static void l1_init(struct assoc_tlb **tlb, struct assoc_tlb *own, const uint8_t *entries)
{
    for (unsigned size = 0; size < PAGE_SIZES; size++) {
        bool shared = size && entries[size] == entries[size - 1];

        own[size].size = entries[size];
        tlb[size] = shared ? tlb[size - 1] : &own[size];
    }
}

/* Returns the rest of the memory. */
static struct set_entry *l2_init(struct set_tlb *tlb, const struct tlb_shape *shapes, struct set_entry *memory)
{
    for (unsigned size = 0; size < PAGE_SIZES; size++) {
        const struct tlb_shape *shape = &shapes[size];

        tlb[size] = (struct set_tlb){memory, shape->entries ? shape->entries / shape->ways - 1u : 0, shape->ways};
        if (shares(shapes, size))
            tlb[size].entry = tlb[size - 1].entry;
        else
            memory += shape->entries;
    }
    return memory;
}

void tlbs_init(struct tlbs *tlbs, const struct vpmu_params *params, void *memory)
{
    tlbs->entries = memory;
    l1_init(tlbs->l1d, tlbs->own, params->l1_dtlb);
    l1_init(tlbs->l1i, tlbs->own + PAGE_SIZES, params->l1_itlb);
    tlbs->count =
        (uint32_t)(l2_init(tlbs->l2i, params->l2_itlb, l2_init(tlbs->l2d, params->l2_dtlb, memory)) - tlbs->entries);
    tlbs->l2_dtlb_random = params->l2_dtlb_random;
    rng_seed(&tlbs->rng, 1);
    tlbs->walks = tlbs->walk_reads = 0;
    tlbs_flush(tlbs);
}

void tlbs_flush(struct tlbs *tlbs)
{
    for (unsigned i = 0; i < 2 * PAGE_SIZES; i++)
        assoc_clear(&tlbs->own[i], tlbs->own[i].size);
    assoc_clear(&tlbs->pdc, PDC_ENTRIES);
    for (uint32_t i = 0; i < tlbs->count; i++)
        tlbs->entries[i].key = NO_PAGE;
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
    enum page_size size = size_of(shift);

    assoc_insert(tlbs->l1d[size], assoc_key(linear, shift), frame);
    tlbs->sizes |= (uint8_t)(1 << size);
    make_recent(tlbs, linear, frame, shift);
}

static __attribute__((noinline)) bool find_large(struct tlbs *tlbs, uint64_t linear)
{
    unsigned shift = 21;
    uint64_t frame;

    if (!has_size(tlbs, PAGE_2M) || !assoc_find(tlbs->l1d[PAGE_2M], assoc_key(linear, shift), &frame)) {
        shift = 30;
        if (!has_size(tlbs, PAGE_1G) || !assoc_find(tlbs->l1d[PAGE_1G], assoc_key(linear, shift), &frame))
            return false;
    }
    make_recent(tlbs, linear, frame, shift);
    return true;
}

bool tlbs_find_recent(struct tlbs *tlbs, uint64_t linear)
{
    uint64_t frame;

    if (!assoc_find(&tlbs->own[PAGE_4K], assoc_key(linear, 12), &frame))
        return find_large(tlbs, linear);
    make_recent(tlbs, linear, frame, 12);
    return true;
}

static bool l2d_find(struct tlbs *tlbs, uint64_t linear, uint64_t *frame, uint8_t *shift)
{
    if (set_find(&tlbs->l2d[PAGE_4K], assoc_key(linear, 12), frame))
        *shift = 12;
    else if (has_size(tlbs, PAGE_2M) && set_find(&tlbs->l2d[PAGE_2M], assoc_key(linear, 21), frame))
        *shift = 21;
    else if (has_size(tlbs, PAGE_1G) && set_find(&tlbs->l2d[PAGE_1G], assoc_key(linear, 30), frame))
        *shift = 30;
    else
        return false;
    return true;
}

static void l2d_insert(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    const struct set_tlb *tlb = &tlbs->l2d[size_of(shift)];
    uint64_t key = assoc_key(linear, shift);

    if (shift == 12 && tlbs->l2_dtlb_random) /* any way may be replaced, also while others are empty */
        set_of(tlb, key)[rng_below(&tlbs->rng, tlb->ways)] = (struct set_entry){key, frame};
    else
        set_insert(tlb, key, frame);
}

/* Returns the size in which an L1 holds a page: 1 GB in pieces of 2 MB, if it has no entries of 1 GB. */
static unsigned held_as(struct assoc_tlb *const *l1, unsigned shift)
{
    return shift == 30 && l1[PAGE_1G]->size == 0 ? 21 : shift;
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
    shift = held_as(tlbs->l1d, walk(tlbs, caches, config, linear, result));
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

    if (assoc_find(tlbs->l1i[PAGE_4K], assoc_key(linear, 12), &frame))
        result->shift = 12;
    else if (assoc_find(tlbs->l1i[PAGE_2M], assoc_key(linear, 21), &frame))
        result->shift = 21;
    else
        return false;
    result->physical = frame | offset_in(linear, result->shift);
    result->cycles = 0;
    result->level = TLB_L1;
    return true;
}

static bool l2i_find(struct tlbs *tlbs, uint64_t linear, struct translation *result)
{
    uint64_t frame;

    if (set_find(&tlbs->l2i[PAGE_4K], assoc_key(linear, 12), &frame))
        result->shift = 12;
    else if (set_find(&tlbs->l2i[PAGE_2M], assoc_key(linear, 21), &frame))
        result->shift = 21;
    else
        return false;
    result->physical = frame | offset_in(linear, result->shift);
    result->cycles = L2_TLB_LATENCY;
    result->level = TLB_L2;
    return true;
}

void tlbs_fetch(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
                struct translation *result)
{
    *result = tlbs->code;
    if (tlbs_same_code_page(tlbs, linear, &result->physical))
        return;
    if (!l1i_find(tlbs, linear, result)) {
        bool found = l2i_find(tlbs, linear, result);
        enum page_size size;
        uint64_t frame, key;

        if (!found) {
            unsigned shift = walk(tlbs, caches, config, linear, result);

            result->shift = shift > 21 ? 21 : (uint8_t)shift;
            if (shift == 0)
                return;
        }
        size = size_of(result->shift);
        key = assoc_key(linear, result->shift);
        frame = result->physical - offset_in(result->physical, result->shift);
        if (!found)
            set_insert(&tlbs->l2i[size], key, frame);
        assoc_insert(tlbs->l1i[size], key, frame);
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
