/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sources of what the events mean: CodeXL's event descriptions for Family 10h (0x10.xml, made from BKDG 31116 rev.
 * 3.20), oprofile events/x86-64/family10; for 068h and 069h only the latter (rev. 3.48). Later families: what kept its
 * number and meaning (Linux arch/x86/events/amd/core.c; tools/perf/pmu-events/arch/x86/amdzen2), and Zen's 02Ch, 1CFh.
 */
#include "vpmu/model/pmu/pmc_events.h"

#include "vpmu/model/state.h"

#define IN(field)  (uint32_t) offsetof(struct vpmu, field)
#define SIG(field) IN(signals.field)
/* Bits of the unit mask; care and want. */
#define NO_MASK   0, 0
#define BIT(n)    (1u << (n)), (1u << (n))
#define NUMBER(n) 0xFF, (n) /* the mask is a number */
/* Bits 7:4 choose cores and must all be set: erratum 437 (oprofile, libpfm4). */
#define CORES(n) (0xF0 | 1u << (n)), (0xF0 | 1u << (n))
/* Event 003h: bit 6 selects what is counted. */
#define UOPS(n)  (0x40 | 1u << (n)), (1u << (n))
#define FLOPS(n) (0x40 | 1u << (n)), (0x40 | 1u << (n))
/* Floating-point operations from Zen on, nothing else; from Zen 2 on of all types together, 7:4 are 0. */
#define TYPE_NO(n)             (0xF0 | 1u << (n)), (1u << (n))
#define ZEN2_ON                (PMC_ZEN | PMC_ZEN2 | PMC_ZEN3 | EITHER)
#define ZEN_FLOPS(which, kind) AT_RETIREMENT, PMC_ZEN | (which), SIG(sse_flops[kind]), 0
/* The remaining fields of a row. */
#define RETIRED(field)    AT_RETIREMENT, 0, SIG(field), 0
#define ALWAYS(field)     AT_RETIREMENT, PMC_EARLY | PMC_ZEN, SIG(field), 0
#define RETIRED_C(field)  AT_RETIREMENT, PMC_SINCE_C, SIG(field), 0
#define ACCESS(total)     AT_ACCESS, 0, total, 0
#define FETCH(total)      AT_FETCH, 0, total, 0
#define ZEN_ACCESS(total) AT_ACCESS, PMC_ZEN, total, 0
#define ZEN_FETCH(total)  AT_FETCH, PMC_ZEN, total, 0
/* A line that comes to the data cache, by its place and state; all bits of the mask are set. */
#define ALL_FILLS(mask)                                                                                                \
    {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN | PMC_SHARING, IN(caches.dc_refills_l2[LINE_SHARED]), 0},                   \
        {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN, IN(caches.dc_refills_l2[LINE_EXCLUSIVE]), 0},                          \
        {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN | PMC_SHARING, IN(caches.dc_refills_l2[LINE_OWNED]), 0},                \
        {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN, IN(caches.dc_refills_l2[LINE_MODIFIED]), 0},                           \
        {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN | PMC_SHARING, IN(caches.dc_refills_nb[LINE_SHARED]), 0},               \
        {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN, IN(caches.dc_refills_nb[LINE_EXCLUSIVE]), 0},                          \
        {0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN | PMC_SHARING, IN(caches.dc_refills_nb[LINE_OWNED]), 0},                \
    {                                                                                                                  \
        0x044, 0xFF, mask, AT_ACCESS, PMC_ZEN, IN(caches.dc_refills_nb[LINE_MODIFIED]), 0                              \
    }
#define SHARING(total)    AT_ACCESS, PMC_SHARING, total, 0
#define NB(field)         AT_ACCESS, PMC_NODE, (uint32_t)offsetof(struct cache_node, field), 0
#define NB_FETCH(field)   AT_FETCH, PMC_NODE, (uint32_t)offsetof(struct cache_node, field), 0
#define NB_SHARING(field) AT_ACCESS, PMC_NODE | PMC_SHARING, (uint32_t)offsetof(struct cache_node, field), 0
/* On machines of at least this number of nodes. */
#define NB_FAR(field, nodes) AT_ACCESS, PMC_NODE, (uint32_t)offsetof(struct cache_node, field), (nodes)
#define STALL(span)          AT_DISPATCH, PMC_SPAN, SIG(span.cycles), SIG(span.times)
#define NEVER                AT_RETIREMENT, 0, PMC_NEVER, 0
/* Events of processors with slots; all bits of the back end's go together. */
#define EITHER                 (PMC_SIX | PMC_EIGHT)
#define OF_SLOTS               (PMC_ZEN | PMC_MANY | EITHER | PMC_SLOTS)
#define OF_ALL                 (OF_SLOTS | PMC_TOKENS)
#define DISPATCHED(field, ops) AT_DISPATCH, OF_ALL, SIG(field), (ops)
#define UNUSED(field, ops)     AT_DISPATCH, PMC_ZEN | PMC_MANY | EITHER | PMC_UNUSED, IN(field), (ops)
#define NO_RETIRE(span)        AT_RETIREMENT, PMC_ZEN | PMC_SPAN | EITHER, SIG(span.cycles), SIG(span.times)
#define BACK_END               0x1E, 0x1E
/* Cycles in which dispatch waits, on the Zens in 'which'; their ends, and those whose number is unknown. */
#define TOKENS(which, span) AT_DISPATCH, PMC_ZEN | PMC_SPAN | (which), SIG(span.cycles), SIG(span.times)
#define FLOODED(which)      AT_DISPATCH, PMC_ZEN | PMC_SPAN | (which), SIG(wrong_waits), PMC_NEVER

/* clang-format off */
const struct pmc_row pmc_rows[] = {
    {0x076, NO_MASK, AT_CYCLE, PMC_SPAN | PMC_EARLY | PMC_ZEN, IN(pipe.retire_cycle), PMC_NEVER}, /* never halted: no rise */

    {0x0C0, NO_MASK, ALWAYS(instructions)},
    {0x0C1, NO_MASK, AT_OP, PMC_EARLY | PMC_ZEN, SIG(ops), 0},
    {0x0C2, NO_MASK, ALWAYS(branches)},
    {0x0C3, NO_MASK, ALWAYS(mispredicted)},
    {0x0C4, NO_MASK, ALWAYS(taken)},
    {0x0C5, NO_MASK, ALWAYS(taken_mispredicted)},
    {0x0C8, NO_MASK, ALWAYS(returns)},
    {0x0C9, NO_MASK, ALWAYS(returns_mispredicted)},
    {0x0CA, NO_MASK, ALWAYS(indirect_mispredicted)}, /* returns have 0C9h */
    {0x0CB, BIT(0), RETIRED(fp_insns[FP_X87 - 1])},
    {0x0CB, BIT(1), RETIRED(fp_insns[FP_MMX - 1])},
    {0x0CB, BIT(2), RETIRED(fp_insns[FP_SSE - 1])},
    {0x0CC, BIT(0), RETIRED(doubles[0])},
    {0x0CC, BIT(1), RETIRED(doubles[1])},
    {0x0CC, BIT(2), RETIRED(doubles[2])},
    {0x0CF, NO_MASK, AT_RETIREMENT, PMC_EARLY, SIG(interrupts), 0},
    {0x1C0, BIT(0), RETIRED_C(x87[0])},
    {0x1C0, BIT(1), RETIRED_C(x87[1])},
    {0x1C0, BIT(2), RETIRED_C(x87[2])},
    {0x1CF, NO_MASK, AT_RETIREMENT, PMC_SINCE_C, IN(ibs.op_tags), 0},
    {0x003, UOPS(0), RETIRED(sse_uops[0])},
    {0x003, UOPS(1), RETIRED(sse_uops[1])},
    {0x003, UOPS(2), RETIRED(sse_uops[2])},
    {0x003, UOPS(3), RETIRED(sse_uops[3])},
    {0x003, UOPS(4), RETIRED(sse_uops[4])},
    {0x003, UOPS(5), RETIRED(sse_uops[5])},
    {0x003, FLOPS(0), RETIRED(sse_flops[0])},
    {0x003, FLOPS(1), RETIRED(sse_flops[1])},
    {0x003, FLOPS(2), RETIRED(sse_flops[2])},
    {0x003, FLOPS(3), RETIRED(sse_flops[3])},
    {0x003, FLOPS(4), RETIRED(sse_flops[4])},
    {0x003, FLOPS(5), RETIRED(sse_flops[5])},

    {0x02A, BIT(0), ACCESS(SIG(cancelled[CANCEL_ADDRESS]))},
    {0x02A, BIT(1), ACCESS(SIG(cancelled[CANCEL_SIZE]))},
    {0x02A, BIT(2), ACCESS(SIG(cancelled[CANCEL_MISALIGNED]))},
    {0x040, NO_MASK, ACCESS(SIG(dc_accesses))},
    {0x041, NO_MASK, ACCESS(IN(caches.from[SOURCE_L2]))}, /* only the first miss on a line */
    {0x041, NO_MASK, ACCESS(IN(caches.from[SOURCE_L3]))},
    {0x041, NO_MASK, ACCESS(IN(caches.from[SOURCE_DRAM]))},
    {0x041, NO_MASK, SHARING(IN(caches.from[SOURCE_MODIFIED]))},
    {0x041, NO_MASK, SHARING(IN(caches.from[SOURCE_OWNED]))},
    {0x041, NO_MASK, AT_ACCESS, PMC_ONLY_B, SIG(streaming_stores), 0},
    {0x042, BIT(0), ACCESS(IN(caches.dc_refills_nb[LINE_EXCLUSIVE]))},
    {0x042, BIT(0), ACCESS(IN(caches.dc_refills_nb[LINE_MODIFIED]))},
    {0x042, BIT(0), SHARING(IN(caches.dc_refills_nb[LINE_SHARED]))},
    {0x042, BIT(0), SHARING(IN(caches.dc_refills_nb[LINE_OWNED]))},
    /* One core shares with no other: no lines in the states S and O. Nothing brings in invalid ones. */
    {0x042, BIT(1), SHARING(IN(caches.dc_refills_l2[LINE_SHARED]))},
    {0x042, BIT(2), ACCESS(IN(caches.dc_refills_l2[LINE_EXCLUSIVE]))},
    {0x042, BIT(3), SHARING(IN(caches.dc_refills_l2[LINE_OWNED]))},
    {0x042, BIT(4), ACCESS(IN(caches.dc_refills_l2[LINE_MODIFIED]))},
    {0x043, BIT(0), NEVER},
    {0x043, BIT(1), SHARING(IN(caches.dc_refills_nb[LINE_SHARED]))},
    {0x043, BIT(2), ACCESS(IN(caches.dc_refills_nb[LINE_EXCLUSIVE]))},
    {0x043, BIT(3), SHARING(IN(caches.dc_refills_nb[LINE_OWNED]))},
    {0x043, BIT(4), ACCESS(IN(caches.dc_refills_nb[LINE_MODIFIED]))},
    {0x044, BIT(0), NEVER},
    {0x044, BIT(1), SHARING(IN(caches.dc_evicted[LINE_SHARED]))},
    {0x044, BIT(2), ACCESS(IN(caches.dc_evicted[LINE_EXCLUSIVE]))},
    {0x044, BIT(3), SHARING(IN(caches.dc_evicted[LINE_OWNED]))},
    {0x044, BIT(4), ACCESS(IN(caches.dc_evicted[LINE_MODIFIED]))},
    {0x045, BIT(0), ACCESS(SIG(dtlb_l2_hits[PAGE_4K]))},
    {0x045, BIT(1), ACCESS(SIG(dtlb_l2_hits[PAGE_2M]))},
    {0x045, BIT(2), AT_ACCESS, PMC_SINCE_C, SIG(dtlb_l2_hits[PAGE_1G]), 0},
    {0x046, BIT(0), ACCESS(SIG(dtlb_walks[PAGE_4K]))},
    {0x046, BIT(1), ACCESS(SIG(dtlb_walks[PAGE_2M]))},
    {0x046, BIT(2), ACCESS(SIG(dtlb_walks[PAGE_1G]))},
    {0x047, NO_MASK, ACCESS(SIG(misaligned))},
    {0x04D, BIT(0), ACCESS(SIG(dtlb_hits[PAGE_4K]))},
    {0x04D, BIT(1), ACCESS(SIG(dtlb_hits[PAGE_2M]))},
    {0x04D, BIT(2), ACCESS(SIG(dtlb_hits[PAGE_1G]))},

    {0x068, NUMBER(0), ACCESS(IN(caches.mab_requests[0]))},
    {0x068, NUMBER(1), ACCESS(IN(caches.mab_requests[1]))},
    {0x068, NUMBER(2), ACCESS(IN(caches.mab_requests[2]))},
    {0x068, NUMBER(3), ACCESS(IN(caches.mab_requests[3]))},
    {0x068, NUMBER(4), ACCESS(IN(caches.mab_requests[4]))},
    {0x068, NUMBER(5), ACCESS(IN(caches.mab_requests[5]))},
    {0x068, NUMBER(6), ACCESS(IN(caches.mab_requests[6]))},
    {0x068, NUMBER(7), ACCESS(IN(caches.mab_requests[7]))},
    {0x069, NUMBER(0), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[0]), 0},
    {0x069, NUMBER(1), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[1]), 0},
    {0x069, NUMBER(2), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[2]), 0},
    {0x069, NUMBER(3), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[3]), 0},
    {0x069, NUMBER(4), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[4]), 0},
    {0x069, NUMBER(5), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[5]), 0},
    {0x069, NUMBER(6), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[6]), 0},
    {0x069, NUMBER(7), AT_ACCESS, PMC_MANY, IN(caches.mab_cycles[7]), 0},
    {0x06C, BIT(0), ACCESS(IN(caches.dc_refills_nb[LINE_EXCLUSIVE]))},
    {0x06C, BIT(0), ACCESS(IN(caches.l2_misses[REQUEST_IC]))},
    {0x06C, BIT(0), ACCESS(IN(caches.l2_misses[REQUEST_WALK]))},
    {0x06C, BIT(1), ACCESS(IN(caches.dc_refills_nb[LINE_MODIFIED]))},
    {0x06C, BIT(2), SHARING(IN(caches.dc_refills_nb[LINE_SHARED]))},
    {0x06C, BIT(3), SHARING(IN(caches.dc_refills_nb[LINE_OWNED]))},
    {0x06C, BIT(4), NEVER},
    {0x07D, BIT(0), FETCH(IN(caches.requests[REQUEST_IC]))},
    {0x07D, BIT(1), ACCESS(IN(caches.requests[REQUEST_LOAD]))},
    {0x07D, BIT(1), ACCESS(IN(caches.requests[REQUEST_STORE]))},
    {0x07D, BIT(2), ACCESS(IN(caches.requests[REQUEST_WALK]))},
    {0x07D, BIT(3), SHARING(IN(caches.snoops))},
    {0x07D, BIT(5), ACCESS(IN(caches.requests[REQUEST_PREFETCH]))},
    {0x07E, BIT(0), FETCH(IN(caches.l2_misses[REQUEST_IC]))},
    {0x07E, BIT(1), ACCESS(IN(caches.l2_misses[REQUEST_LOAD]))},
    {0x07E, BIT(1), ACCESS(IN(caches.l2_misses[REQUEST_STORE]))},
    {0x07E, BIT(2), ACCESS(IN(caches.l2_misses[REQUEST_WALK]))},
    {0x07E, BIT(3), ACCESS(IN(caches.l2_misses[REQUEST_PREFETCH]))},
    {0x07F, BIT(0), ACCESS(IN(caches.l2_fills))},
    {0x07F, BIT(1), ACCESS(IN(caches.l2_writebacks))},
    {0x0E9, NUMBER(0xA8), NB(to_memory[HERE])}, /* from local cores to local memory */
    {0x0E9, NUMBER(0x98), NB_FAR(to_memory[REMOTE], 2)},
    {0x0E9, NUMBER(0xB8), NB(to_memory[HERE])},
    {0x0E9, NUMBER(0xB8), NB(to_memory[REMOTE])},
    {0x0E9, NUMBER(0x68), NB_FAR(from_remote, 2)},
    {0x0EA, BIT(0), NB(writebacks)},
    {0x0EA, BIT(2), NB(reads[REQUEST_LOAD])},
    {0x0EA, BIT(2), NB(reads[REQUEST_WALK])},
    {0x0EA, BIT(2), NB(reads[REQUEST_PREFETCH])},
    {0x0EA, BIT(3), NB_FETCH(reads[REQUEST_IC])},
    {0x0EA, BIT(4), NB(reads[REQUEST_STORE])},
    {0x0EA, BIT(5), NB_SHARING(upgrades)},
    {0x1E0, BIT(0), NB(to_dram[0])},
    {0x1E0, BIT(1), NB_FAR(to_dram[1], 2)},
    {0x1E0, BIT(2), NB_FAR(to_dram[2], 3)},
    {0x1E0, BIT(3), NB_FAR(to_dram[3], 4)},
    {0x1E0, BIT(4), NB_FAR(to_dram[4], 5)},
    {0x1E0, BIT(5), NB_FAR(to_dram[5], 6)},
    {0x1E0, BIT(6), NB_FAR(to_dram[6], 7)},
    {0x1E0, BIT(7), NB_FAR(to_dram[7], 8)},
    {0x4E0, CORES(0), NB(l3_requests[REQUEST_LOAD])},
    {0x4E0, CORES(0), NB(l3_requests[REQUEST_WALK])},
    {0x4E0, CORES(0), NB(l3_requests[REQUEST_PREFETCH])},
    {0x4E0, CORES(1), NB_FETCH(l3_requests[REQUEST_IC])},
    {0x4E0, CORES(2), NB(l3_requests[REQUEST_STORE])},
    {0x4E1, CORES(0), NB(l3_misses[REQUEST_LOAD])},
    {0x4E1, CORES(0), NB(l3_misses[REQUEST_WALK])},
    {0x4E1, CORES(0), NB(l3_misses[REQUEST_PREFETCH])},
    {0x4E1, CORES(1), NB_FETCH(l3_misses[REQUEST_IC])},
    {0x4E1, CORES(2), NB(l3_misses[REQUEST_STORE])},
    {0x4E2, CORES(0), NB_SHARING(l3_fills[LINE_SHARED])},
    {0x4E2, CORES(1), NB(l3_fills[LINE_EXCLUSIVE])},
    {0x4E2, CORES(2), NB_SHARING(l3_fills[LINE_OWNED])},
    {0x4E2, CORES(3), NB(l3_fills[LINE_MODIFIED])},

    {0x080, NO_MASK, FETCH(SIG(ic_fetches))},
    {0x081, NO_MASK, FETCH(IN(caches.requests[REQUEST_IC]))},
    {0x082, NO_MASK, FETCH(IN(caches.ic_refills_l2))},
    {0x083, NO_MASK, FETCH(IN(caches.l2_misses[REQUEST_IC]))},
    {0x084, NO_MASK, FETCH(SIG(itlb_l2_hits))},
    {0x085, BIT(0), FETCH(SIG(itlb_walks[PAGE_4K]))},
    {0x085, BIT(1), FETCH(SIG(itlb_walks[PAGE_2M]))},
    {0x088, NO_MASK, FETCH(IN(predictor.stack_hits))},
    {0x089, NO_MASK, FETCH(IN(predictor.stack_overflows))},
    {0x087, NO_MASK, AT_FETCH, PMC_SPAN, SIG(no_fetch.cycles), SIG(no_fetch.times)},

    {0x0D0, NO_MASK, AT_DISPATCH, PMC_SPAN, IN(truth.totals.decoder_empty), SIG(empties)},
    {0x0D1, NO_MASK, STALL(aborting)},
    {0x0D1, NO_MASK, STALL(full)},
    {0x0D1, NO_MASK, STALL(serial)},
    {0x0D1, NO_MASK, STALL(far)},
    {0x0D2, NO_MASK, STALL(aborting)},
    {0x0D3, NO_MASK, STALL(serial)},
    {0x0D5, NO_MASK, STALL(rob_full)},
    {0x0D6, NO_MASK, STALL(station_full)},
    {0x0D7, NO_MASK, STALL(fp_full)},
    {0x0D8, NO_MASK, STALL(ls_full)},
    {0x0DA, NO_MASK, STALL(far)},

    /* Zen's alone: last, as the tests' random driver chooses among the others. Numbers and masks: amdzen1 to amdzen6,
     * memory.json, cache.json. Pages of several sizes are never coalesced here, so those bits are rightly 0. */
    {0x003, BIT(0), ZEN_FLOPS(PMC_ZEN1, 0)},
    {0x003, BIT(1), ZEN_FLOPS(PMC_ZEN1, 1)},
    {0x003, BIT(2), ZEN_FLOPS(PMC_ZEN1, 2)},
    {0x003, BIT(4), ZEN_FLOPS(PMC_ZEN1, 3)},
    {0x003, BIT(5), ZEN_FLOPS(PMC_ZEN1, 4)},
    {0x003, BIT(6), ZEN_FLOPS(PMC_ZEN1, 5)},
    {0x003, BIT(3), AT_RETIREMENT, PMC_ZEN | PMC_ZEN1, PMC_NEVER, 0}, /* multiply-adds: none run here */
    {0x003, BIT(7), AT_RETIREMENT, PMC_ZEN | PMC_ZEN1, PMC_NEVER, 0},
    {0x003, TYPE_NO(0), ZEN_FLOPS(ZEN2_ON, 0)},
    {0x003, TYPE_NO(1), ZEN_FLOPS(ZEN2_ON, 1)},
    {0x003, TYPE_NO(2), ZEN_FLOPS(ZEN2_ON, 2)},
    {0x003, TYPE_NO(0), ZEN_FLOPS(ZEN2_ON, 3)},
    {0x003, TYPE_NO(1), ZEN_FLOPS(ZEN2_ON, 4)},
    {0x003, TYPE_NO(2), ZEN_FLOPS(ZEN2_ON, 5)},
    {0x003, TYPE_NO(3), AT_RETIREMENT, ZEN2_ON, PMC_NEVER, 0},
    {0x02C, NO_MASK, AT_RETIREMENT, PMC_ZEN, SIG(interrupts), 0},
    {0x1CF, BIT(0), AT_RETIREMENT, PMC_ZEN, IN(ibs.op_tags), 0},     /* tagged */
    {0x1CF, BIT(1), AT_RETIREMENT, PMC_ZEN, IN(ibs.op_samples), 0},  /* tagged and retired, ... */
    {0x1CF, BIT(1), AT_RETIREMENT, PMC_ZEN, IN(ibs.op_filtered), 0}, /* ... with what a filter dropped */
    {0x045, BIT(0), ZEN_ACCESS(SIG(dtlb_l2_hits[PAGE_4K]))},
    {0x045, BIT(1), ZEN_ACCESS(PMC_NEVER)}, /* coalesced */
    {0x045, BIT(2), ZEN_ACCESS(SIG(dtlb_l2_hits[PAGE_2M]))},
    {0x045, BIT(3), ZEN_ACCESS(SIG(dtlb_l2_hits[PAGE_1G]))},
    {0x045, BIT(4), ZEN_ACCESS(SIG(dtlb_walks[PAGE_4K]))},
    {0x045, BIT(5), ZEN_ACCESS(PMC_NEVER)},
    {0x045, BIT(6), ZEN_ACCESS(SIG(dtlb_walks[PAGE_2M]))},
    {0x045, BIT(7), ZEN_ACCESS(SIG(dtlb_walks[PAGE_1G]))},
    {0x082, NO_MASK, ZEN_FETCH(IN(caches.ic_refills_l2))},
    {0x083, NO_MASK, ZEN_FETCH(IN(caches.l2_misses[REQUEST_IC]))},
    {0x084, NO_MASK, ZEN_FETCH(SIG(itlb_l2_hits))},
    {0x085, BIT(0), ZEN_FETCH(SIG(itlb_walks[PAGE_4K]))},
    {0x085, BIT(1), ZEN_FETCH(SIG(itlb_walks[PAGE_2M]))},
    {0x085, BIT(2), ZEN_FETCH(PMC_NEVER)}, /* 1 GB pages have entries of 2 MB in the ITLB */
    {0x085, BIT(3), ZEN_FETCH(PMC_NEVER)},

    /* Data cache and L2. Bits without a total are of what the model does not have: caches of other CCXs, extension
     * memory, requests of other types, changes to writable on one core. Of demand fills memory is one bit, right on one
     * node alone. All fills are modelled with all their bits, which differ (amdzen3; amdzen4 on). */
    {0x040, NO_MASK, ZEN_ACCESS(SIG(dc_accesses))},
    {0x041, BIT(0), ZEN_ACCESS(IN(caches.requests[REQUEST_LOAD]))},
    {0x041, BIT(1), ZEN_ACCESS(IN(caches.requests[REQUEST_STORE]))},
    {0x041, BIT(2), ZEN_ACCESS(PMC_NEVER)},
    {0x041, BIT(3), ZEN_ACCESS(PMC_NEVER)},
    {0x041, BIT(4), ZEN_ACCESS(PMC_NEVER)},
    {0x041, BIT(5), ZEN_ACCESS(PMC_NEVER)},
    {0x043, BIT(0), ZEN_ACCESS(IN(caches.from[SOURCE_L2]))},
    {0x043, BIT(1), ZEN_ACCESS(IN(caches.from[SOURCE_L3]))},
    {0x043, BIT(1), AT_ACCESS, PMC_ZEN | PMC_SHARING, IN(caches.from[SOURCE_MODIFIED]), 0},
    {0x043, BIT(1), AT_ACCESS, PMC_ZEN | PMC_SHARING, IN(caches.from[SOURCE_OWNED]), 0},
    {0x043, BIT(2), ZEN_ACCESS(PMC_NEVER)},
    {0x043, BIT(3), ZEN_ACCESS(IN(caches.from[SOURCE_DRAM]))},
    {0x043, BIT(4), ZEN_ACCESS(PMC_NEVER)},
    {0x043, BIT(6), ZEN_ACCESS(PMC_NEVER)},
    {0x043, BIT(7), ZEN_ACCESS(PMC_NEVER)},
    ALL_FILLS(0x5F),
    ALL_FILLS(0xDF),
    {0x060, BIT(0), ZEN_ACCESS(PMC_NEVER)},
    {0x060, BIT(3), ZEN_ACCESS(PMC_NEVER)},
    {0x060, BIT(4), ZEN_FETCH(IN(caches.requests[REQUEST_IC]))},
    {0x060, BIT(5), ZEN_ACCESS(PMC_NEVER)},
    {0x060, BIT(6), ZEN_ACCESS(IN(caches.requests[REQUEST_STORE]))},
    {0x060, BIT(7), ZEN_ACCESS(IN(caches.requests[REQUEST_LOAD]))},
    {0x060, BIT(7), ZEN_ACCESS(IN(caches.requests[REQUEST_PREFETCH]))}, /* with those of the data cache */
    {0x064, BIT(0), ZEN_FETCH(IN(caches.l2_misses[REQUEST_IC]))},
    {0x064, BIT(3), ZEN_ACCESS(IN(caches.l2_misses[REQUEST_LOAD]))},
    {0x064, BIT(3), ZEN_ACCESS(IN(caches.l2_misses[REQUEST_STORE]))},
    {0x064, BIT(3), ZEN_ACCESS(IN(caches.l2_misses[REQUEST_PREFETCH]))},
    {0x081, NO_MASK, ZEN_FETCH(IN(caches.requests[REQUEST_IC]))},
    {0x18E, 0x1F, 0x18, ZEN_FETCH(IN(caches.requests[REQUEST_IC]))},

    /* From Zen 4 on, by the slots of a cycle: amdzen4 to amdzen6, pipeline.json and where the events are. */
    {0x096, NO_MASK, AT_RETIREMENT, PMC_ZEN | PMC_SIX, SIG(resyncs), 0},
    {0x09F, BIT(0), AT_RETIREMENT, PMC_ZEN | PMC_EIGHT, SIG(resyncs), 0},
    {0x09F, BIT(1), AT_RETIREMENT, PMC_ZEN | PMC_EIGHT, SIG(mispredicted), 0},
    {0x0AA, BIT(0), DISPATCHED(lines[1], 1)},
    {0x0AA, BIT(0), DISPATCHED(lines[2], 2)},
    {0x0AA, BIT(0), DISPATCHED(lines[3], 3)},
    {0x0AA, BIT(0), DISPATCHED(wrong_lines, DISPATCH_WIDTH)},
    {0x0AA, BIT(1), AT_DISPATCH, OF_ALL, PMC_NEVER, 0},   /* there is no op cache */
    {0x0AA, BIT(2), AT_DISPATCH, OF_SLOTS, PMC_NEVER, 0}, /* and no loop buffer */
    {0x0D6, BIT(0), NO_RETIRE(retire_empty)},
    {0x0D6, 0xA2, 0x02, NO_RETIRE(retire_waits)},
    {0x0D6, 0xA2, 0xA2, NO_RETIRE(retire_loads)},
    {0x1A0, BIT(0), UNUSED(truth.totals.decoder_empty, 0)},
    {0x1A0, BIT(0), UNUSED(signals.lines[1], 1)},
    {0x1A0, BIT(0), UNUSED(signals.lines[2], 2)},
    {0x1A0, BIT(0), UNUSED(signals.lines[3], 3)},
    {0x1A0, BIT(0), UNUSED(signals.wrong_lines, DISPATCH_WIDTH)},
    {0x1A0, BACK_END, UNUSED(signals.aborting.cycles, 0)},
    {0x1A0, BACK_END, UNUSED(signals.full.cycles, 0)},
    {0x1A0, BACK_END, UNUSED(signals.serial.cycles, 0)},
    {0x1A0, BACK_END, UNUSED(signals.far.cycles, 0)},
    {0x1A0, BACK_END, UNUSED(signals.other.cycles, 0)},
    {0x1A0, BACK_END, UNUSED(signals.wrong_waits, 0)},
    {0x1A0, 0x60, 0x60, UNUSED(signals.other_thread, 0)}, /* rightly 0, also alone */
    {0x1C2, NO_MASK, AT_RETIREMENT, PMC_ZEN | EITHER, SIG(microcode_ops), 0},

    /* Before Zen 4, by the tokens that dispatch waits for: amdzen1 to amdzen3, other.json; libpfm4. Of several bits
     * together only those are modelled that the pipeline has one cause for, and all. A wrong path that fills the
     * reorder buffer waits for it. */
    {0x0A9, NO_MASK, AT_DISPATCH, PMC_ZEN | PMC_SPAN | PMC_ZEN2 | PMC_ZEN3, IN(truth.totals.decoder_empty), SIG(empties)},
    {0x0AE, NUMBER(0x02), TOKENS(PMC_TOKENS, load_full)},
    {0x0AE, NUMBER(0x04), TOKENS(PMC_TOKENS, store_full)},
    {0x0AE, NUMBER(0x06), TOKENS(PMC_TOKENS, ls_full)},
    {0x0AE, NUMBER(0x40), TOKENS(PMC_TOKENS, fp_full)},
    {0x0AE, NUMBER(0xFF), TOKENS(PMC_TOKENS, token_stalls[1])},
    {0x0AF, NUMBER(0x3F), TOKENS(PMC_ZEN1, station_full)},
    {0x0AF, NUMBER(0x5F), TOKENS(PMC_ZEN2, station_full)},
    {0x0AF, NUMBER(0x1F), TOKENS(PMC_ZEN3, station_full)},
    {0x0AF, NUMBER(0x40), TOKENS(PMC_ZEN1, rob_full)},
    {0x0AF, NUMBER(0x40), FLOODED(PMC_ZEN1)},
    {0x0AF, NUMBER(0x20), TOKENS(PMC_ZEN2 | PMC_ZEN3, rob_full)},
    {0x0AF, NUMBER(0x20), FLOODED(PMC_ZEN2 | PMC_ZEN3)},
    {0x0AF, NUMBER(0x7F), TOKENS(PMC_ZEN1 | PMC_ZEN2, token_stalls[0])},
    {0x0AF, NUMBER(0x7F), FLOODED(PMC_ZEN1 | PMC_ZEN2)},
    {0x0AF, NUMBER(0x3F), TOKENS(PMC_ZEN3, token_stalls[0])},
    {0x0AF, NUMBER(0x3F), FLOODED(PMC_ZEN3)},
    {0x0C7, NO_MASK, AT_RETIREMENT, PMC_ZEN | PMC_TOKENS, SIG(resyncs), 0},
};
/* clang-format on */

const uint32_t pmc_row_count = sizeof(pmc_rows) / sizeof(pmc_rows[0]);
_Static_assert(sizeof(pmc_rows) / sizeof(pmc_rows[0]) <= PMC_ROWS_MAX, "struct pmc_truth");
_Static_assert(offsetof(struct vpmu, config) == PMC_NEVER, "no total is there");

_Static_assert(offsetof(struct cache_node, l3) == PMC_NEVER, "nor there");

/* Returns whether this event can happen on this machine. */
static bool can_happen(const struct pmc_row *row, uint32_t cores, uint32_t nodes)
{
    if (row->total == PMC_NEVER || ((row->flags & PMC_SHARING) && cores < 2))
        return false;
    return !(row->flags & PMC_NODE) || row->times <= nodes;
}

bool pmc_modelled(const struct vpmu_params *params, uint32_t cores, uint32_t nodes, uint32_t select, uint32_t mask)
{
    uint32_t covered = 0;
    bool can = false;

    for (uint32_t i = 0; i < pmc_row_count; i++) {
        if (!pmc_row_counts(&pmc_rows[i], params, select, mask))
            continue;
        covered |= pmc_rows[i].care ? pmc_rows[i].want : mask;
        can |= can_happen(&pmc_rows[i], cores, nodes);
    }
    return can && covered == mask;
}

bool pmc_models(const struct vpmu *vpmu, uint32_t select, uint32_t mask)
{
    return pmc_modelled(vpmu->params, vpmu->nodes->cores, vpmu->nodes->count, select, mask);
}

const uint64_t *pmc_row_total(const struct vpmu *vpmu, const struct pmc_row *row, bool times)
{
    uint32_t at = times ? row->times : row->total;
    const void *base = row->flags & PMC_NODE ? (const void *)vpmu->caches.node : (const void *)vpmu;

    return at == PMC_NEVER ? NULL : (const uint64_t *)((const uint8_t *)base + at);
}
