#include "tests/vpmu/model/state.h"

/*
 * Which fetches there are, and which address each reports (AMD IBS paper 2007, section 4.1): the start of a 32-byte
 * block for sequential ones, the target after a taken branch, the fall-through after a branch that was wrongly
 * predicted taken.
 *
 * A taken branch is known one slot after its block was fetched; in between the next sequential block is begun and
 * killed before its translation. A wrong prediction abandons the fetch that was under way on the wrong path: attempted,
 * aborted.
 */

static void count_fetch(struct vpmu *vpmu, const struct fetch_event *event)
{
    struct truth *truth = &vpmu->truth;
    uint64_t block = ((event->address - vpmu->config.image_base) >> FETCH_SHIFT) - truth->first_block;
    bool inside = block < truth->block_count && !vpmu->pending.foreign;
    struct truth_block *row = inside ? &truth->blocks[block] : &truth->totals.fetches_outside;

    if (event->bits)
        vpmu->signals.ic_fetches += event->address & 0x10 ? 1 : 2; /* up to the block's end */
    if (event->bits & VFETCH_COMP) {
        row->completed++;
        truth->totals.fetches.completed++;
    } else if (event->bits) {
        row->aborted++;
        truth->totals.fetches.aborted++;
    } else {
        row->killed++;
        truth->totals.fetches.killed++;
    }
    ibs_fetch(&vpmu->ibs, event);
}

static uint64_t page_bits(const struct translation *translation)
{
    uint64_t bits = 0, size = translation->shift == 12 ? 0 : translation->shift == 21 ? 1 : 2;

    if (translation->level != TLB_L1)
        bits |= VFETCH_L1TLB_MISS;
    if (translation->level >= TLB_WALK)
        bits |= VFETCH_L2TLB_MISS;
    if (translation->level != TLB_FAULT && translation->shift)
        bits |= VFETCH_PHY_VALID | (size << VFETCH_PGSZ_SHIFT);
    return bits;
}

static void no_fetch(struct vpmu *vpmu, uint64_t cycles)
{
    vpmu->signals.no_fetch.cycles += cycles;
    vpmu->signals.no_fetch.times += cycles > 0;
}

static void fetch_block(struct vpmu *vpmu, uint64_t address)
{
    struct frontend *front = &vpmu->front;
    uint64_t start = front->cycle + 1, dispatch = vpmu->pipe.cycle;
    uint32_t extra;
    struct translation translation;
    struct fetch_event event = {.address = address};

    /* The front end is as deep as its stages: it cannot be further ahead of dispatch. */
    if (dispatch > FRONT_DEPTH && start < dispatch - FRONT_DEPTH)
        start = dispatch - FRONT_DEPTH;
    if (start < front->earliest)
        start = front->earliest;
    tlbs_fetch(&vpmu->tlbs, &vpmu->caches, &vpmu->config, address, &translation);
    if (translation.level == TLB_L2)
        vpmu->signals.itlb_l2_hits++;
    else if (translation.level == TLB_WALK)
        vpmu->signals.itlb_walks[translation.shift == 21 ? PAGE_2M : PAGE_4K]++;
    extra = translation.cycles;
    event.bits = VFETCH_COMP | page_bits(&translation);
    if (translation.level != TLB_FAULT) {
        uint32_t miss = caches_fetch(&vpmu->caches, translation.physical);

        if (miss)
            event.bits |= VFETCH_IC_MISS;
        extra += miss;
    }
    event.physical = translation.physical;
    event.latency = L1_LATENCY + extra;
    no_fetch(vpmu, start + extra - front->cycle - 1);
    front->cycle = start + extra;
    front->available = front->cycle + FRONT_DEPTH;
    front->block = address >> FETCH_SHIFT;
    count_fetch(vpmu, &event);
}

uint64_t frontend_fetch_slow(struct vpmu *vpmu, uint64_t rip, uint64_t last)
{
    struct frontend *front = &vpmu->front;

    /* Sequentially at most one block is new; anything else is a jump nobody told of (an exception, a switch of tasks).
     */
    if (front->redirected || last - front->block > 1) {
        front->redirected = false;
        fetch_block(vpmu, rip);
    }
    while (front->block < last)
        fetch_block(vpmu, (front->block + 1) << FETCH_SHIFT);
    return front->available;
}

static void killed_fetch(struct vpmu *vpmu)
{
    struct fetch_event event = {.address = (vpmu->front.block + 1) << FETCH_SHIFT, .latency = TAKEN_BUBBLE};

    vpmu->front.cycle += TAKEN_BUBBLE;
    no_fetch(vpmu, TAKEN_BUBBLE);
    count_fetch(vpmu, &event);
}

static void aborted_fetch(struct vpmu *vpmu, uint64_t address)
{
    struct translation translation;
    struct fetch_event event = {.address = address, .latency = L1_LATENCY};

    tlbs_peek(&vpmu->tlbs, address, &translation);
    event.physical = translation.physical;
    event.bits = page_bits(&translation);
    count_fetch(vpmu, &event);
}

void frontend_branch(struct vpmu *vpmu, enum branch_result result, const struct branch *branch, uint64_t wrong_path,
                     uint64_t executed)
{
    struct frontend *front = &vpmu->front;

    if (result == BRANCH_WRONG) {
        /* Wrongly predicted not taken: the rest of the block is there, the sequential one behind it is under way. */
        bool sequential = wrong_path == branch->fall_through;

        aborted_fetch(vpmu, sequential ? (front->block + 1) << FETCH_SHIFT : wrong_path);
        front->earliest = executed + 1;
        front->redirected = true;
    } else if (result == BRANCH_LATE) {
        aborted_fetch(vpmu, (front->block + 1) << FETCH_SHIFT);
        front->cycle += DECODE_REDIRECT;
        no_fetch(vpmu, DECODE_REDIRECT);
        front->redirected = true;
    } else if (branch->taken) {
        killed_fetch(vpmu);
        front->redirected = true;
    }
}

void frontend_restart(struct vpmu *vpmu, uint64_t cycle)
{
    vpmu->front.earliest = cycle;
    vpmu->front.redirected = true;
}
