/*
 * Caches of one core: L1I, L1D, L2, L3, the misses in flight, and the data prefetcher. Tags only, no data.
 *
 * L2 and L3 are victim caches: a line that leaves an L1 goes to the L2, one that leaves the L2 to the L3, and a line
 * found there moves back up. Time is in core cycles; a line's tag is there from its miss on, 'ready' says when its data
 * is.
 */
#ifndef VPMU_CACHE_H
#define VPMU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/vpmu/model/params.h"

enum cache_source {
    SOURCE_L1,
    SOURCE_L2,
    SOURCE_L3,
    SOURCE_DRAM,
};

#define LINE_NONE UINT64_MAX

/* Of the five states of a line (modified, owned, exclusive, shared, invalid) one core alone sees these. */
enum line_state { LINE_EXCLUSIVE, LINE_MODIFIED, LINE_STATES };

/* Who asks the L2, and through it the northbridge. */
enum cache_requester { REQUEST_IC, REQUEST_LOAD, REQUEST_STORE, REQUEST_WALK, REQUEST_PREFETCH, CACHE_REQUESTERS };

struct l1_line {
    uint64_t line;    /* physical address >> LINE_SHIFT, LINE_NONE = empty */
    uint64_t ready;   /* cycle in which its data is there */
    uint8_t source;   /* enum cache_source */
    uint8_t stream;   /* a stream has reached it: its next use brings in the line behind it */
    uint8_t modified; /* enum line_state */
};

struct l1_cache {
    struct l1_line lines[L1_SETS][L1_WAYS];
    uint8_t recent[L1_SETS]; /* the way used last; the other one is the victim */
};

/* Set-associative, least recently used by stamps. */
struct outer_cache {
    uint64_t *lines;
    uint32_t *stamps;
    uint8_t *modified;   /* enum line_state */
    uint32_t sets, ways; /* sets: a power of two */
    uint32_t clock;
};

struct caches {
    struct l1_cache l1d, l1i;
    struct outer_cache l2, l3;
    uint64_t mab[MAB_COUNT];          /* cycle in which the miss in this buffer is over */
    uint64_t history[STREAM_HISTORY]; /* lines behind which a stream may go on */
    uint32_t next_history;
    uint32_t latency[SOURCE_DRAM + 1]; /* cycles from the start of the access */
    uint64_t from[SOURCE_DRAM + 1];    /* L1D misses served by each, prefetches not counted */
    uint64_t prefetches, prefetches_dropped;

    /* What the performance events of the DC, IC, L2 and L3 count; lines of 64 bytes. */
    uint64_t requests[CACHE_REQUESTERS]; /* to the L2 */
    uint64_t l2_misses[CACHE_REQUESTERS];
    uint64_t l3_misses[CACHE_REQUESTERS];
    uint64_t dc_refills_l2[LINE_STATES], dc_refills_nb[LINE_STATES]; /* prefetches included */
    uint64_t dc_evicted[LINE_STATES];
    uint64_t ic_refills_l2;
    uint64_t l2_fills, l2_writebacks; /* lines that came; modified ones that went */
    uint64_t l3_fills[LINE_STATES];   /* by what left the L2 */
    uint64_t mab_requests[MAB_COUNT], mab_cycles[MAB_COUNT];
};

struct dc_result {
    uint64_t ready;   /* cycle in which the data can be used */
    uint32_t latency; /* from the detection of the miss to the data (IbsDcMissLat), 0 on a hit */
    uint8_t source;   /* enum cache_source */
    bool miss;
    bool mab_hit; /* the line was already on its way */
};

/* Memory that caches_init() needs for L2 and L3. */
uint64_t caches_memory(const struct vpmu_params *params);
void caches_init(struct caches *caches, const struct vpmu_params *params, void *memory);

/* True for a plain hit in the way used last: the data is L1_LATENCY cycles on, and nothing changes but that a store
 * makes the line a modified one. */
static inline bool caches_plain_hit(struct caches *caches, uint64_t physical, uint64_t cycle, bool store)
{
    uint64_t line = physical >> LINE_SHIFT;
    uint32_t set = (uint32_t)line & (L1_SETS - 1);
    struct l1_line *found = &caches->l1d.lines[set][caches->l1d.recent[set]];

    if (found->line != line || found->ready > cycle + L1_LATENCY || found->stream)
        return false;
    found->modified |= store;
    return true;
}
/* One data access in the given cycle; allocates in the L1D. */
void caches_data(struct caches *caches, uint64_t physical, uint64_t cycle, bool store, struct dc_result *result);
/* The store of an instruction that has loaded the same bytes. */
void caches_modify(struct caches *caches, uint64_t physical);
/* One instruction fetch. Returns the cycles beyond an L1I hit. */
uint32_t caches_fetch(struct caches *caches, uint64_t physical);
/* One read of a page table entry: through the L2, not the L1D. Returns its cycles. */
uint32_t caches_walk(struct caches *caches, uint64_t physical);

#endif
