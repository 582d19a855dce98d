/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/dispatch.h"

/*
 * Fetches that occur, and the address that each reports (AMD IBS paper 2007, section 4.1): the start of a 32-byte block
 * for sequential ones, the target after a taken branch, the fall-through after a branch that was wrongly predicted
 * taken.
 *
 * A taken branch is known one slot after its block was fetched; meanwhile the fetch of the next sequential block has
 * begun, and is killed before its translation. A misprediction abandons the fetch that was under way on the wrong path:
 * it counts as attempted and aborted.
 */

/* Returns the block in which a fetch from the address is counted. */
INLINED struct truth_block *block_of(struct vpmu *vpmu, uint64_t address)
{
    struct truth *truth = &vpmu->truth;
    uint64_t block = ((address - vpmu->config.image_base) >> FETCH_SHIFT) - truth->first_block;

    return USUALLY(block < truth->block_count) && !vpmu->foreign ? &truth->blocks[block]
                                                                 : &truth->totals.fetches_outside;
}

/* Counts accesses of 16 bytes, up to the block's end. */
INLINED void count_accesses(struct vpmu *vpmu, uint64_t address)
{
    vpmu->signals.ic_fetches += address & 0x10 ? 1 : 2;
}

INLINED void count_completed(struct vpmu *vpmu, uint64_t address)
{
    count_accesses(vpmu, address);
    block_of(vpmu, address)->completed++;
    vpmu->truth.totals.fetches.completed++;
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

/* Looks up a block for a fetch that begins in 'start'; it may miss. */
static __attribute__((noinline)) uint64_t look_up_block(struct vpmu *vpmu, uint64_t address)
{
    struct translation translation;
    struct fetch_event event = {.address = address};
    uint32_t extra;

    tlbs_fetch(&vpmu->tlbs, &vpmu->caches, &vpmu->config, address, &translation);
    if (translation.level == TLB_L2)
        vpmu->signals.itlb_l2_hits++;
    else if (translation.level == TLB_WALK)
        vpmu->signals.itlb_walks[translation.shift == 21 ? PAGE_2M : PAGE_4K]++;
    if (vpmu->config.free & FREE_ITLB)
        translation.cycles = 0;
    extra = event.refill = translation.cycles;
    event.bits = VFETCH_COMP | page_bits(&translation);
    if (translation.level != TLB_FAULT) {
        uint32_t miss = caches_fetch(&vpmu->caches, translation.physical);

        if (miss)
            event.bits |= VFETCH_IC_MISS;
        if (vpmu->config.free & FREE_IC)
            miss = 0;
        extra += event.miss = miss;
    }
    event.physical = translation.physical;
    event.latency = L1_LATENCY + extra;
    ibs_fetch(&vpmu->ibs, &event);
    return extra;
}

/* Returns whether a fetch hits, and is not tagged. */
INLINED bool plain_fetch(const struct vpmu *vpmu, uint64_t address)
{
    uint64_t physical;

    return !ibs_fetch_tagged(&vpmu->ibs) && tlbs_same_code_page(&vpmu->tlbs, address, &physical) &&
           caches_plain_fetch(&vpmu->caches, physical);
}

INLINED void fetch_block(struct vpmu *vpmu, uint64_t address, bool plain)
{
    struct frontend *front = &vpmu->front;
    uint64_t start = later(front->cycle + 1, front->earliest);

    /* The front end cannot be further ahead of dispatch than it has stages. */
    start = later(start, vpmu->pipe.cycle - FRONT_DEPTH);
    count_completed(vpmu, address);
    if (plain)
        ibs_fetch_completed(&vpmu->ibs);
    else
        start += look_up_block(vpmu, address);
    no_fetch(vpmu, start - front->cycle - 1);
    front->cycle = start;
    front->available = start + FRONT_DEPTH;
    if (front->available > vpmu->pipe.cycle)
        dispatch_close(&vpmu->pipe);
    front->block = front->held = address >> FETCH_SHIFT;
}

/* Fetches any blocks from the address to the last one. */
static __attribute__((noinline)) void fetch_blocks(struct vpmu *vpmu, uint64_t address, uint64_t last)
{
    for (;; address = last << FETCH_SHIFT) {
        fetch_block(vpmu, address, plain_fetch(vpmu, address));
        if (USUALLY(vpmu->front.block == last)) /* an instruction is in two blocks at most */
            return;
    }
}

void frontend_fetch_slow(struct vpmu *vpmu, const struct announced *insn, uint64_t last)
{
    const struct frontend *front = &vpmu->front;
    /* Sequential code enters at most one new block; more is an unannounced jump (an exception, a task switch). */
    bool sequential = front->held != REDIRECTED && last - front->block == 1;
    uint64_t address = sequential ? last << FETCH_SHIFT : insn->rip;

    if (USUALLY(address >> FETCH_SHIFT == last) && USUALLY(plain_fetch(vpmu, address)))
        fetch_block(vpmu, address, true);
    else
        fetch_blocks(vpmu, address, last);
}

static uint32_t taken_bubble(const struct vpmu *vpmu)
{
    return vpmu->config.free & FREE_TAKEN ? 0 : TAKEN_BUBBLE;
}

/* Kills the fetch of the next sequential block, which has begun, before its translation. */
void frontend_taken(struct vpmu *vpmu)
{
    struct frontend *front = &vpmu->front;
    uint64_t address = (front->block + 1) << FETCH_SHIFT;

    front->cycle += taken_bubble(vpmu);
    front->held = REDIRECTED;
    no_fetch(vpmu, taken_bubble(vpmu));
    block_of(vpmu, address)->killed++;
    vpmu->truth.totals.fetches.killed++;
    if (ibs_fetch_tagged(&vpmu->ibs))
        ibs_fetch(&vpmu->ibs, &(struct fetch_event){.address = address, .latency = TAKEN_BUBBLE});
}

static void aborted_fetch(struct vpmu *vpmu, uint64_t address)
{
    struct translation translation;
    struct fetch_event event = {.address = address, .latency = L1_LATENCY};

    tlbs_peek(&vpmu->tlbs, address, &translation);
    event.physical = translation.physical;
    event.bits = page_bits(&translation);
    count_accesses(vpmu, address);
    block_of(vpmu, address)->aborted++;
    vpmu->truth.totals.fetches.aborted++;
    ibs_fetch(&vpmu->ibs, &event);
}

void frontend_branch(struct vpmu *vpmu, enum branch_result result, const struct branch *branch, uint64_t wrong_path,
                     uint64_t executed)
{
    struct frontend *front = &vpmu->front;
    bool free = vpmu->config.free & FREE_PREDICTION;

    if (result == BRANCH_WRONG) {
        /* Wrongly predicted not taken: the rest of the block has been fetched, the next sequential one is under way. */
        bool sequential = wrong_path == branch->fall_through;

        aborted_fetch(vpmu, sequential ? (front->block + 1) << FETCH_SHIFT : wrong_path);
        if (!free)
            front->earliest = executed + 1;
        else if (branch->taken)
            front->cycle += taken_bubble(vpmu);
        front->held = REDIRECTED;
    } else if (result == BRANCH_LATE) {
        uint32_t bubble = free ? taken_bubble(vpmu) : DECODE_REDIRECT;

        aborted_fetch(vpmu, (front->block + 1) << FETCH_SHIFT);
        front->cycle += bubble;
        no_fetch(vpmu, bubble);
        front->held = REDIRECTED;
    } else if (branch->taken) {
        frontend_taken(vpmu);
    }
}

void frontend_restart(struct vpmu *vpmu, uint64_t cycle)
{
    vpmu->front.earliest = cycle;
    vpmu->front.held = REDIRECTED;
}
