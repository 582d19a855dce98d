#include "tests/vpmu/model/tlb.h"

#define END 0xFF

/* ---------------------------------------------------------------- fully associative */

static uint64_t key_of(uint64_t linear, unsigned shift)
{
    return (linear >> shift) ^ ((uint64_t)shift << 58);
}

static uint32_t head_of(uint64_t key)
{
    return (uint32_t)(key ^ (key >> 6) ^ (key >> 12)) & (ASSOC_HEADS - 1);
}

static void assoc_clear(struct assoc_tlb *tlb, uint8_t size)
{
    tlb->size = size;
    tlb->used = 0;
    tlb->newest = tlb->oldest = END;
    for (uint32_t i = 0; i < ASSOC_HEADS; i++)
        tlb->head[i] = END;
}

static void make_newest(struct assoc_tlb *tlb, uint8_t i)
{
    tlb->newer[i] = END;
    tlb->older[i] = tlb->newest;
    if (tlb->newest != END)
        tlb->newer[tlb->newest] = i;
    tlb->newest = i;
    if (tlb->oldest == END)
        tlb->oldest = i;
}

static void unlink_entry(struct assoc_tlb *tlb, uint8_t i)
{
    uint8_t newer = tlb->newer[i], older = tlb->older[i];

    if (newer != END)
        tlb->older[newer] = older;
    else
        tlb->newest = older;
    if (older != END)
        tlb->newer[older] = newer;
    else
        tlb->oldest = newer;
}

static bool assoc_peek(const struct assoc_tlb *tlb, uint64_t key, uint8_t *at)
{
    uint8_t i = tlb->head[head_of(key)];

    while (i != END && tlb->key[i] != key)
        i = tlb->chain[i];
    *at = i;
    return i != END;
}

static bool assoc_find(struct assoc_tlb *tlb, uint64_t key, uint64_t *frame)
{
    uint8_t i;

    if (!assoc_peek(tlb, key, &i))
        return false;
    if (tlb->newest != i) {
        unlink_entry(tlb, i);
        make_newest(tlb, i);
    }
    *frame = tlb->frame[i];
    return true;
}

static void assoc_insert(struct assoc_tlb *tlb, uint64_t key, uint64_t frame)
{
    uint32_t head = head_of(key);
    uint8_t i;

    if (tlb->used < tlb->size) {
        i = tlb->used++;
    } else {
        uint8_t *link;

        i = tlb->oldest;
        link = &tlb->head[head_of(tlb->key[i])];
        while (*link != i)
            link = &tlb->chain[*link];
        *link = tlb->chain[i];
        unlink_entry(tlb, i);
    }
    tlb->key[i] = key;
    tlb->frame[i] = frame;
    tlb->chain[i] = tlb->head[head];
    tlb->head[head] = i;
    make_newest(tlb, i);
}

/* ---------------------------------------------------------------- set-associative */

static void set_clear(struct set_tlb *tlb, uint32_t sets, uint32_t ways)
{
    tlb->sets = sets;
    tlb->ways = ways;
    for (uint32_t i = 0; i < sets * ways; i++)
        tlb->entry[i].page = UINT64_MAX;
}

static void set_to_front(struct set_tlb *tlb, uint32_t first, uint32_t at, uint64_t page, uint64_t frame)
{
    for (; at > first; at--)
        tlb->entry[at] = tlb->entry[at - 1];
    tlb->entry[first].page = page;
    tlb->entry[first].frame = frame;
}

static bool set_find(struct set_tlb *tlb, uint64_t page, uint64_t *frame)
{
    uint32_t first = (uint32_t)(page & (tlb->sets - 1)) * tlb->ways;

    for (uint32_t i = first; i < first + tlb->ways; i++) {
        if (tlb->entry[i].page == page) {
            *frame = tlb->entry[i].frame;
            set_to_front(tlb, first, i, page, *frame);
            return true;
        }
    }
    return false;
}

static void set_insert(struct set_tlb *tlb, uint64_t page, uint64_t frame)
{
    uint32_t first = (uint32_t)(page & (tlb->sets - 1)) * tlb->ways;

    set_to_front(tlb, first, first + tlb->ways - 1, page, frame);
}

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
        uint64_t key = key_of(linear, shift + 9);

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
    set_clear(&tlbs->l2d_4k, L2_TLB_4K_SETS, L2_TLB_4K_WAYS);
    set_clear(&tlbs->l2d_2m, L2_DTLB_2M_SETS, L2_DTLB_2M_WAYS);
    set_clear(&tlbs->l2i_4k, L2_TLB_4K_SETS, L2_TLB_4K_WAYS);
    tlbs->code_valid = false;
    tlbs->sizes = 0;
    tlbs->recent.page = UINT64_MAX;
}

static const struct {
    uint8_t shift, bit;
} page_sizes[] = {{12, 1}, {21, 2}, {30, 4}};

static void make_recent(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    tlbs->recent.page = shift == 12 ? linear >> 12 : UINT64_MAX;
    tlbs->recent.frame = frame;
}

static void l1d_insert(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    assoc_insert(&tlbs->l1d, key_of(linear, shift), frame);
    tlbs->sizes |= shift == 12 ? 1 : shift == 21 ? 2 : 4;
    make_recent(tlbs, linear, frame, shift);
}

static bool l2d_find(struct tlbs *tlbs, uint64_t linear, uint64_t *frame, uint8_t *shift)
{
    if (set_find(&tlbs->l2d_4k, linear >> 12, frame))
        *shift = 12;
    else if (set_find(&tlbs->l2d_2m, linear >> 21, frame))
        *shift = 21;
    else if (tlbs->l2_dtlb_1g && assoc_find(&tlbs->l2d_1g, key_of(linear, 30), frame))
        *shift = 30;
    else
        return false;
    return true;
}

static void l2d_insert(struct tlbs *tlbs, uint64_t linear, uint64_t frame, unsigned shift)
{
    if (shift == 12)
        set_insert(&tlbs->l2d_4k, linear >> 12, frame);
    else if (shift == 21)
        set_insert(&tlbs->l2d_2m, linear >> 21, frame);
    else if (tlbs->l2_dtlb_1g)
        assoc_insert(&tlbs->l2d_1g, key_of(linear, 30), frame);
}

void tlbs_data(struct tlbs *tlbs, struct caches *caches, const struct vpmu_config *config, uint64_t linear,
               struct translation *result)
{
    uint64_t frame;
    unsigned shift;

    for (uint32_t i = 0; i < 3; i++) {
        if ((tlbs->sizes & page_sizes[i].bit) && assoc_find(&tlbs->l1d, key_of(linear, page_sizes[i].shift), &frame)) {
            result->shift = page_sizes[i].shift;
            result->physical = frame | offset_in(linear, result->shift);
            result->cycles = 0;
            result->level = TLB_L1;
            make_recent(tlbs, linear, frame, result->shift);
            return;
        }
    }
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

    if (assoc_find(&tlbs->l1i_4k, key_of(linear, 12), &frame))
        result->shift = 12;
    else if (assoc_find(&tlbs->l1i_2m, key_of(linear, 21), &frame))
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

    if (tlbs->code_valid && tlbs->code_page == linear >> 12) {
        *result = tlbs->code;
        result->physical = tlbs->code.physical | offset_in(linear, 12);
        return;
    }
    if (!l1i_find(tlbs, linear, result)) {
        if (set_find(&tlbs->l2i_4k, linear >> 12, &frame)) {
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
                set_insert(&tlbs->l2i_4k, linear >> 12, result->physical - offset_in(result->physical, 12));
        }
        frame = result->physical - offset_in(result->physical, result->shift);
        assoc_insert(result->shift == 12 ? &tlbs->l1i_4k : &tlbs->l1i_2m, key_of(linear, result->shift), frame);
    }
    tlbs->code_valid = true;
    tlbs->code_page = linear >> 12;
    tlbs->code = (struct translation){
        .physical = result->physical - offset_in(result->physical, 12), .level = TLB_L1, .shift = result->shift};
}

void tlbs_peek(struct tlbs *tlbs, uint64_t linear, struct translation *result)
{
    if (!l1i_find(tlbs, linear, result))
        *result = (struct translation){.level = TLB_WALK};
    tlbs->code_valid = false; /* the look-up changed the order of use */
}
