/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Coherence between cores and nodes, for cache.c: who has a line, who loses it, which node is its home. Traffic is
 * counted in struct cache_node.
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

/* Probes all other cores and the L3s of the other nodes, in the given cycle. For a read they keep the line as shared or
 * owned, for a store they lose it. */
struct answer coherence_probe(struct caches *caches, uint64_t line, bool store, uint64_t cycle);

/* A store to a line that other caches may have: they lose it, and the L3's copy is out of date. Complete when the last
 * of them has answered. */
void coherence_upgrade(struct caches *caches, uint64_t line, uint64_t cycle);
uint32_t coherence_upgrade_latency(const struct caches *caches);

/* Counts a request of the given cycle that missed the L3; 'source' supplies the line. True when the line's home is
 * another node. *cycle becomes that in which memory serves it, or the earlier one
 * from which its latency counts because the memory controller has read the line ahead. */
bool coherence_past_l3(struct caches *caches, uint64_t line, enum cache_requester who, enum cache_source source,
                       uint64_t *cycle);
/* Memory gives or takes the line: the core has its pace, and the memory of the line's home. Returns the cycle in which
 * it is served. */
uint64_t coherence_use_memory(struct caches *caches, uint64_t line, bool write, uint64_t cycle);
/* A modified line leaves the L3, because of this core's latest request. */
void coherence_write_back(struct caches *caches, uint64_t line);

#endif
