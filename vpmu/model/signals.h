/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Running totals of what happens in the core, for the performance counters; those of the caches are in cache.h. Only
 * the difference between two moments means something: those marked (c) are kept only while a counter is enabled.
 */
#ifndef VPMU_SIGNALS_H
#define VPMU_SIGNALS_H

#include <stdint.h>

#include "vpmu/model/params.h"
#include "vpmu/model/caches/tlb.h"

/* Why a load could not take its data from the store queue (event 02Ah). */
enum forward_cancel { CANCEL_ADDRESS, CANCEL_SIZE, CANCEL_MISALIGNED, CANCELS };

/* Cycles in a row. */
struct span {
    uint64_t cycles, times;
};

struct signals {
    /* Retirement (c). Branches are counted where their instruction retires. */
    uint64_t instructions, ops;
    uint64_t branches, mispredicted, taken, taken_mispredicted;
    uint64_t returns, returns_mispredicted, indirect_mispredicted;
    uint64_t doubles[DISPATCH_WIDTH];   /* DirectPath doubles, by the place of their first op in the line */
    uint64_t fp_insns[3];               /* x87, MMX, SSE */
    uint64_t x87[3];                    /* add and subtract, multiply, divide */
    uint64_t sse_uops[6], sse_flops[6]; /* single add, multiply, divide; double add, multiply, divide */
    uint64_t interrupts;
    uint64_t microcode_ops, resyncs; /* of VectorPath instructions; of serialising ones, as IBS marks them */
    /* Cycles without retirement, of a processor with slots: no op is there; the oldest is not complete; of these, it
     * loads. */
    struct span retire_empty, retire_waits, retire_loads;

    /* Data accesses: (c), but for the TLBs. */
    uint64_t dc_accesses;      /* of eight bytes */
    uint64_t misaligned;       /* crossing 16 bytes */
    uint64_t streaming_stores; /* past the caches */
    uint64_t cancelled[CANCELS];
    uint64_t dtlb_hits[PAGE_SIZES], dtlb_l2_hits[PAGE_SIZES], dtlb_walks[PAGE_SIZES];

    /* Fetching. */
    uint64_t ic_fetches; /* of 16 bytes */
    uint64_t itlb_l2_hits, itlb_walks[2];
    struct span no_fetch; /* no fetch begins */

    /* Dispatch: nothing is dispatched although the decoder has something. */
    struct span aborting, serial, far, other;
    struct span full; /* at least one of these is: */
    struct span rob_full, station_full, fp_full, ls_full;
    struct span load_full, store_full; /* the last, where the line loads; where it stores */
    struct span token_stalls[2];       /* at least one of the first two; of the last two */
    uint64_t empties; /* how often the decoder became empty; truth.totals.decoder_empty has the cycles */

    uint64_t lines[DISPATCH_WIDTH + 1]; /* dispatched, by their ops; none: after a drain */
    /* Cycles of wrong paths, whose ops are not modelled: they count as full lines, until these fill the reorder
     * buffer. */
    uint64_t wrong_lines, wrong_waits;

    uint64_t other_thread; /* slots of another thread: there is none */
};

#endif
