/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches as they are before the first access. */
#include "core/mem.h"
#include "vpmu/model/cache.h"

uint64_t caches_memory(const struct vpmu_params *params)
{
    uint64_t lines = (uint64_t)L2_SETS * L2_WAYS + (uint64_t)params->l3_sets * params->l3_ways;

    return lines * (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint8_t));
}

static void forget_reads(struct cache_node *node)
{
    for (uint32_t i = 0; i < DRAM_HISTORY; i++)
        node->recent[i] = LINE_NONE;
}

static void l1_init(struct l1_cache *cache)
{
    for (uint32_t set = 0; set < L1_SETS; set++)
        for (uint32_t way = 0; way < L1_WAYS; way++)
            cache->lines[set][way] = (struct l1_line){.line = LINE_NONE};
}

void caches_init(struct caches *caches, const struct vpmu_params *params, void *memory)
{
    static const uint64_t none;
    uint32_t all = L2_SETS * L2_WAYS + params->l3_sets * params->l3_ways;
    uint64_t *lines = memory;
    uint32_t *stamps;

    *caches = (struct caches){0};
    lines = outer_init(&caches->l2, lines, L2_SETS, L2_WAYS);
    caches->node = &caches->own_node;
    caches->clock = &none;
    caches->own_node.fabric = &caches->own_fabric;
    caches->own_node.core[0] = caches;
    caches->own_node.cores = 1;
    caches->own_fabric = (struct cache_fabric){.node = {&caches->own_node}, .nodes = 1, .cores = 1};
    lines = outer_init(&caches->own_node.l3, lines, params->l3_sets, params->l3_ways);
    stamps = (uint32_t *)lines;
    caches->l2.stamps = stamps;
    caches->own_node.l3.stamps = stamps + L2_SETS * L2_WAYS;
    caches->l2.modified = (uint8_t *)(stamps + all);
    caches->own_node.l3.modified = caches->l2.modified + L2_SETS * L2_WAYS;
    l1_init(&caches->l1d);
    l1_init(&caches->l1i);
    combine_init(&caches->combine);
    caches->leaving.line = LINE_NONE;
    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        caches->history[i] = LINE_NONE;
    caches->latency[SOURCE_L1] = L1_LATENCY;
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
    struct outer_cache *l2 = &caches->l2, *l3 = &caches->node->l3;

    l1_init(&caches->l1d);
    l1_init(&caches->l1i);
    (void)outer_init(l2, l2->lines, l2->sets, l2->ways);
    (void)outer_init(l3, l3->lines, l3->sets, l3->ways);
    memset(l2->stamps, 0, (size_t)l2->sets * l2->ways * sizeof(*l2->stamps));
    memset(l3->stamps, 0, (size_t)l3->sets * l3->ways * sizeof(*l3->stamps));
    memset(caches->mab, 0, sizeof(caches->mab));
    combine_init(&caches->combine);
    caches->now = 0;
    pace_init(&caches->pace, caches->pace.cycles);
    pace_init(&caches->node->pace, caches->node->pace.cycles);
    forget_reads(caches->node);
    caches->leaving.line = LINE_NONE;
    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        caches->history[i] = LINE_NONE;
    caches->next_history = 0;
}
