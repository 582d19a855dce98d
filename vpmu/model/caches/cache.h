/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Caches of one core: L1I, L1D, L2, the L3 that it may share with other cores of its node, the misses in flight, and
 * the data prefetcher. Tags only, no data.
 *
 * L3, and on Family 10h the L2, are victim caches: a line that leaves an L1 goes to the L2, one that leaves the L2 to
 * the L3, and a line found there moves back up. Other families' L2 gets each line that an L1 gets (enum vpmu_l2). Time
 * is in core cycles; a line's tag is present from its miss on, its data from cycle 'ready' on.
 *
 * Between cores data lines are kept coherent by the protocol of the family (AMD APM vol. 2 section 7.3, MOESI): what
 * misses the L2 probes all other cores, and the L3s of other nodes. A cache that has the line modified or owned
 * supplies it and keeps it as owner; a store to a line that other caches may have invalidates their copies first.
 * Code lines are not tracked: no workload modifies its own code.
 *
 * Each node has a part of the memory. An access to another node, to its memory or its caches, takes one hop longer.
 */
#ifndef VPMU_CACHE_H
#define VPMU_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vpmu/model/caches/combine.h"
#include "vpmu/model/free.h"
#include "vpmu/model/caches/outer_cache.h"
#include "vpmu/model/caches/pace.h"
#include "vpmu/model/params.h"

enum cache_source {
    SOURCE_L1,
    SOURCE_L2,
    SOURCE_L3,
    SOURCE_DRAM,
    SOURCE_MODIFIED, /* another core's L1D or L2, where the line was modified */
    SOURCE_OWNED,
    CACHE_SOURCES,
};

/* Bit 0: memory is not up to date; bit 1: another core may have it too. One core alone sees only the first two. */
enum line_state { LINE_EXCLUSIVE, LINE_MODIFIED, LINE_SHARED, LINE_OWNED, LINE_STATES };
enum { LINE_DIRTY = 1, LINE_ELSEWHERE = 2 };

enum { STREAM_HASHES = 256 }; /* a power of two; with few, lines often seem to have neighbours in the history */

enum { NODE_CORES = 8 }; /* cores of a node, at most (the family has up to 6) */

/* Places of memory, or of a line's source, relative to a core's node. */
enum { HERE, REMOTE, PLACES };

/* Requesters of a line from the L2, and through it from the northbridge. */
enum cache_requester { REQUEST_IC, REQUEST_LOAD, REQUEST_STORE, REQUEST_WALK, REQUEST_PREFETCH, CACHE_REQUESTERS };

struct l1_line {
    uint64_t line;    /* physical address >> LINE_SHIFT, LINE_NONE = empty */
    uint64_t ready;   /* cycle in which its data is there */
    uint8_t source;   /* enum cache_source */
    int8_t stream;    /* 1, -1: an ascending or descending stream has reached it: its next use goes on with it */
    uint8_t modified; /* enum line_state */
    uint8_t remote;   /* the line came from another node */
    uint32_t held; /* cycles from 'ready' on in which no other core gets it: until it is owned, or a lock has ended */
};

struct l1_cache {
    uint32_t mask, ways;                /* the number of sets, less 1 */
    struct l1_line lines[L1_LINES_MAX]; /* newest of each set, then the next in order of use; last the victim */
};

struct caches;

struct cache_fabric;

/* Holds what the cores of a node share. */
struct cache_node {
    struct outer_cache l3;
    struct caches *core[NODE_CORES];
    uint32_t cores;
    uint32_t number;
    struct cache_fabric *fabric;
    struct pace pace;              /* of its memory, in the common time */
    uint64_t recent[DRAM_HISTORY]; /* lines requested from its memory */
    uint32_t next_recent;

    /* Counts of the northbridge's performance events, for all cores of the node; lines of 64 bytes. */
    uint64_t l3_requests[CACHE_REQUESTERS];
    uint64_t l3_misses[CACHE_REQUESTERS];
    uint64_t l3_fills[LINE_STATES];   /* by what left the L2s */
    uint64_t reads[CACHE_REQUESTERS]; /* requests that missed the L3 */
    uint64_t upgrades;
    uint64_t writebacks;          /* modified lines that left the L3 */
    uint64_t to_memory[PLACES];   /* reads, upgrades and write-backs, by the place of the memory */
    uint64_t from_remote;         /* requests of other nodes' cores for memory of this node */
    uint64_t to_dram[VPMU_NODES]; /* lines read from the memory of each node, and written back to it */
    uint64_t moved[2];            /* lines that any core read from this node's memory, and wrote to it */
};

/* All nodes of the machine. */
struct cache_fabric {
    struct cache_node *node[VPMU_NODES];
    uint32_t nodes, cores;
    uint64_t end[VPMU_NODES]; /* first line after each node's memory, ascending */
};

struct caches {
    struct l1_cache l1d, l1i;
    struct outer_cache l2;
    struct cache_node *node;
    const uint64_t *clock;          /* the common time of all cores, less this core's cycles */
    struct cache_node own_node;     /* of the first core of a node */
    struct cache_fabric own_fabric; /* of the first core of all */
    uint8_t l2_has;                 /* enum vpmu_l2 */
    uint32_t free;                  /* as in struct vpmu_config */
    struct pace pace;               /* of lines between memory and this core */
    uint64_t now;                   /* cycle of the latest request that missed the L1D */
    struct combine combine;
    uint64_t mab[MAB_COUNT];           /* cycle in which the miss in this buffer is over */
    struct l1_line leaving;            /* another core gets it once this one has owned it: in use until then */
    uint64_t history[STREAM_HISTORY];  /* lines after which a stream may continue */
    uint8_t remembered[STREAM_HASHES]; /* how many of them have these lower bits */
    uint32_t next_history;
    uint32_t latency[CACHE_SOURCES];     /* cycles from the start of an access that misses */
    uint32_t ahead;                      /* cycles of those to memory that its prefetcher saves */
    uint32_t hop;                        /* additional cycles from another node */
    uint64_t from[CACHE_SOURCES];        /* L1D misses served by each, prefetches not counted */
    uint64_t from_remote[CACHE_SOURCES]; /* of these, from another node */
    uint64_t prefetches, prefetches_dropped;

    /* Counts of the performance events of the DC, IC, L2 and L3; lines of 64 bytes. */
    uint64_t requests[CACHE_REQUESTERS]; /* to the L2 */
    uint64_t l2_misses[CACHE_REQUESTERS];
    uint64_t dc_refills_l2[LINE_STATES], dc_refills_nb[LINE_STATES]; /* prefetches included */
    uint64_t dc_evicted[LINE_STATES];
    uint64_t ic_refills_l2;
    uint64_t l2_fills, l2_writebacks; /* lines filled; modified lines evicted */
    uint64_t mab_requests[MAB_COUNT], mab_cycles[MAB_COUNT];
    uint64_t upgrades; /* stores to lines that other cores may share */
    uint64_t snoops;   /* probes by other cores */
};

struct dc_result {
    uint64_t ready;   /* cycle in which the data can be used; a store: and the line is owned */
    uint32_t latency; /* from the detection of the miss to the data (IbsDcMissLat), 0 on a hit */
    uint8_t source;   /* enum cache_source */
    bool miss;
    bool mab_hit; /* the line was already on its way */
    bool remote;  /* another node's memory or cache had it */
};

/* Returns the bytes that caches_init() needs for L2 and L3. */
uint64_t caches_memory(const struct vpmu_params *params);
/* Begins a machine of one core and one node. */
void caches_init(struct caches *caches, const struct vpmu_params *params, void *memory);
/* Empties the core's caches and its node's L3, and ends misses and streams under way. Counts of events go on. */
void caches_empty(struct caches *caches);
/* Adds the core to the machine of another core, in the given node: the cores of a node share the L3 of its first core.
 * Returns false when the node is full, or a lower-numbered node has no core yet. */
bool caches_join(struct caches *caches, const struct caches *with, uint32_t node);
/* Divides memory among the nodes, for the whole machine: node n's ends at end[n] (bytes), where node n + 1's begins.
 * Without this call, and beyond the last end, memory belongs to node 0. */
void caches_place_memory(struct caches *caches, const uint64_t end[VPMU_NODES]);

/* Returns the line if the cache has it, or NULL; nothing changes. */
static inline struct l1_line *l1_peek(struct l1_cache *cache, uint64_t line)
{
    struct l1_line *at = &cache->lines[line & cache->mask];

    for (uint32_t way = 0; way < cache->ways; way++, at += cache->mask + 1)
        if (at->line == line)
            return at;
    return NULL;
}
/* Puts a line before the ones of its set, over the one of the given way, which is returned. */
INLINED struct l1_line l1_push(struct l1_cache *cache, const struct l1_line *line, uint32_t way)
{
    struct l1_line *newest = &cache->lines[line->line & cache->mask], *at = newest + way * (cache->mask + 1);
    struct l1_line leaving = *at;

    for (; at != newest; at -= cache->mask + 1)
        *at = at[-(int64_t)(cache->mask + 1)];
    *newest = *line;
    return leaving;
}

/* Returns the line when it is a plain hit, the most recently used of its set; else NULL. The data is ready after
 * L1_LATENCY cycles, and no state changes except that a store marks the line modified. */
INLINED struct l1_line *caches_plain_line(struct caches *caches, uint64_t physical, uint64_t cycle, bool store)
{
    uint64_t line = physical >> LINE_SHIFT;
    struct l1_line *found = &caches->l1d.lines[line & caches->l1d.mask];

    if (found->line != line || found->ready > cycle + L1_LATENCY || found->stream ||
        (store && (found->modified & LINE_ELSEWHERE)))
        return NULL;
    return found;
}
INLINED bool caches_plain_hit(struct caches *caches, uint64_t physical, uint64_t cycle, bool store)
{
    struct l1_line *found = caches_plain_line(caches, physical, cycle, store);

    if (found)
        found->modified |= store;
    return found;
}
/* Returns whether a fetch is from the most recently used line of its set of the L1I: no state changes. */
INLINED bool caches_plain_fetch(const struct caches *caches, uint64_t physical)
{
    uint64_t line = physical >> LINE_SHIFT;

    return caches->l1i.lines[line & caches->l1i.mask].line == line;
}
/* Makes one data access in the given cycle; allocates in the L1D. */
void caches_data(struct caches *caches, uint64_t physical, uint64_t cycle, bool store, struct dc_result *result);
/* Makes the store of a read-modify-write instruction, whose load has its data in the given cycle. Returns the cycle
 * from which the line is there and owned; 0: it is not in the L1D. */
uint64_t caches_modify(struct caches *caches, uint64_t physical, uint64_t cycle);
/* Keeps the line from other cores before the given cycle. */
void caches_hold(struct caches *caches, uint64_t physical, uint64_t until);
/* Makes one instruction fetch. Returns the cycles beyond an L1I hit. */
uint32_t caches_fetch(struct caches *caches, uint64_t physical);
/* Reads a page table entry through the L2, not the L1D. Returns its cycles. */
uint32_t caches_walk(struct caches *caches, uint64_t physical);

#endif
