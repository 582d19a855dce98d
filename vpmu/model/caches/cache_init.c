/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches as they are before the first access. */
#include "core/base/mem.h"
#include "vpmu/model/caches/cache.h"

uint64_t caches_memory(const struct vpmu_params *params)
{
    return outer_memory(params->l2.sets, params->l2.ways) + outer_memory(params->l3_sets, params->l3_ways);
}

static void forget_reads(struct cache_node *node)
{
    for (uint32_t i = 0; i < DRAM_HISTORY; i++)
        node->recent[i] = LINE_NONE;
}

static void l1_empty(struct l1_cache *cache)
{
    for (uint32_t i = 0; i < cache->ways * (cache->mask + 1); i++)
        cache->lines[i] = (struct l1_line){.line = LINE_NONE};
}

static void l1_init(struct l1_cache *cache, const struct cache_shape *shape)
{
    cache->mask = shape->sets - 1;
    cache->ways = shape->ways;
    l1_empty(cache);
}

static void forget_streams(struct caches *caches)
{
    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        caches->history[i] = LINE_NONE;
    caches->next_history = 0;
    memset(caches->remembered, 0, sizeof(caches->remembered));
    caches->remembered[LINE_NONE % STREAM_HASHES] = STREAM_HISTORY;
}

void caches_init(struct caches *caches, const struct vpmu_params *params, void *memory)
{
    static const uint64_t none;

    *caches = (struct caches){0};
    memory = outer_init(&caches->l2, memory, params->l2.sets, params->l2.ways);
    caches->node = &caches->own_node;
    caches->clock = &none;
    caches->own_node.fabric = &caches->own_fabric;
    caches->own_node.core[0] = caches;
    caches->own_node.cores = 1;
    caches->own_fabric = (struct cache_fabric){.node = {&caches->own_node}, .nodes = 1, .cores = 1};
    (void)outer_init(&caches->own_node.l3, memory, params->l3_sets, params->l3_ways);
    caches->l2_has = params->l2_has;
    l1_init(&caches->l1d, &params->l1d);
    l1_init(&caches->l1i, &params->l1i);
    combine_init(&caches->combine);
    caches->leaving.line = LINE_NONE;
    forget_streams(caches);
    caches->latency[SOURCE_L2] = L2_LATENCY;
    caches->latency[SOURCE_L3] = L3_LATENCY;
    caches->latency[SOURCE_DRAM] = params->dram_cycles;
    caches->latency[SOURCE_MODIFIED] = caches->latency[SOURCE_OWNED] = CORE_LATENCY;
    caches->ahead = params->dram_cycles - params->dram_ahead;
    caches->hop = params->hop_cycles;
    pace_init(&caches->pace, params->core_line);
    pace_init(&caches->own_node.pace, params->node_line);
    forget_reads(&caches->own_node);
}

void caches_empty(struct caches *caches)
{
    l1_empty(&caches->l1d);
    l1_empty(&caches->l1i);
    outer_empty(&caches->l2);
    outer_empty(&caches->node->l3);
    memset(caches->mab, 0, sizeof(caches->mab));
    combine_init(&caches->combine);
    caches->now = 0;
    pace_init(&caches->pace, caches->pace.cycles);
    pace_init(&caches->node->pace, caches->node->pace.cycles);
    forget_reads(caches->node);
    caches->leaving.line = LINE_NONE;
    forget_streams(caches);
}
