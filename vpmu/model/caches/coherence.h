/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Coherence between cores and nodes, for cache.c: who has a line, who loses it, which node is its home. struct
 * cache_node has counts of traffic.
 */
#ifndef VPMU_COHERENCE_H
#define VPMU_COHERENCE_H

#include "vpmu/model/caches/cache.h"

struct answer {
    enum cache_source source; /* who supplies the line; SOURCE_DRAM: no cache does */
    bool there;               /* another cache has the line, or had it before a store took it */
    bool remote;              /* the supplier is on another node */
    uint64_t ready;           /* cycle in which the supplier gives it away */
};

/* Probes all other cores and the L3s of the other nodes, in the given cycle. A read leaves them the line as shared or
 * owned, a store takes it from them. */
struct answer coherence_probe(struct caches *caches, uint64_t line, bool store, uint64_t cycle);

/* Takes a line from other caches that may have it, for a store; the L3's copy is then out of date. Complete when the
 * last of them has answered. */
void coherence_upgrade(struct caches *caches, uint64_t line, uint64_t cycle);
uint32_t coherence_upgrade_latency(const struct caches *caches);

/* Counts a request that missed the L3 in the given cycle; 'source' supplies the line. Returns whether the line's home
 * is another node. *cycle becomes that in which memory serves it, or the earlier one from which its latency counts
 * because the memory controller has read the line ahead. */
bool coherence_past_l3(struct caches *caches, uint64_t line, enum cache_requester who, enum cache_source source,
                       uint64_t *cycle);
/* Moves the line from or to memory, at the pace of the core and of the memory of its home. Returns the cycle in which
 * it is served. */
uint64_t coherence_use_memory(struct caches *caches, uint64_t line, bool write, uint64_t cycle);
/* Writes back a modified line that leaves the L3, because of this core's latest request. */
void coherence_write_back(struct caches *caches, uint64_t line);

#endif
