/*
 * Between cores and nodes: who has a line, who loses it, whose memory it is of; for cache.c. What is found is counted
 * in struct cache_node.
 */
#ifndef VPMU_COHERENCE_H
#define VPMU_COHERENCE_H

#include "vpmu/model/cache.h"

struct answer {
    enum cache_source source; /* who supplies the line; SOURCE_DRAM: nobody, it is to be looked for further on */
    bool there;               /* somebody has it, or had it */
    bool remote;              /* who supplies it is on another node */
};

/* All other cores are asked, and the L3s of the other nodes. They keep the line for a reader, as shared or owned, and
 * lose it to a writer. */
struct answer coherence_probe(struct caches *caches, uint64_t line, bool store);

/* A store to a line that others may have: they lose it, and the L3's copy is out of date. It takes until the last one
 * has answered. */
void coherence_upgrade(struct caches *caches, uint64_t line);
uint32_t coherence_upgrade_latency(const struct caches *caches);

/* The L3 has been asked for a line for nothing; 'source' has it. True when the line's memory is another node's. */
bool coherence_past_l3(struct caches *caches, uint64_t line, enum cache_requester who, enum cache_source source);
/* A modified line leaves the L3. */
void coherence_write_back(struct cache_node *node, uint64_t line);

#endif
