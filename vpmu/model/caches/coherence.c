/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/caches/coherence.h"

/* Software may set the TSC of a core. Cores further apart than any operation takes wait for nothing. */
enum { TIMES_APART = 100000 };

bool caches_join(struct caches *caches, const struct caches *with, uint32_t number)
{
    struct cache_fabric *fabric = with->node->fabric;
    struct cache_node *node = &caches->own_node;

    if (number > fabric->nodes || number == VPMU_NODES)
        return false;
    if (number == fabric->nodes) {
        node->number = number;
        node->fabric = fabric;
        fabric->node[fabric->nodes++] = node;
        fabric->cores++;
        return true;
    }
    node = fabric->node[number];
    if (node->cores == NODE_CORES)
        return false;
    caches->node = node;
    node->core[node->cores++] = caches;
    fabric->cores++;
    return true;
}

void caches_place_memory(struct caches *caches, const uint64_t end[VPMU_NODES])
{
    for (uint32_t i = 0; i < VPMU_NODES; i++)
        caches->node->fabric->end[i] = end[i] >> LINE_SHIFT;
}

/* Returns the line's home node. */
static uint32_t home(const struct cache_fabric *fabric, uint64_t line)
{
    for (uint32_t i = 0; i < fabric->nodes; i++)
        if (line < fabric->end[i])
            return i;
    return 0;
}

/* Counts a request from this core's node to the line's home node. Returns whether that is another node. */
static bool count_request(struct cache_node *node, uint64_t line, bool dram)
{
    uint32_t where = home(node->fabric, line);
    bool remote = where != node->number;

    node->to_memory[remote ? REMOTE : HERE]++;
    node->fabric->node[where]->from_remote += remote;
    node->to_dram[where] += dram;
    return remote;
}

/* Probes one core for a line: returns its state there, or -1. For a read the core keeps the line as shared or owned;
 * for a store it loses it, a modified one not before it owns it: *ready is then that cycle, of the common time, if
 * later. A line is in the L1D or, where the L2 is exclusive, in the L2; page table entries are in the L2 alone. */
static int probe_core(struct caches *other, uint64_t line, bool store, uint64_t *ready)
{
    struct l1_line *inner = l1_peek(&other->l1d, line);
    int64_t at = outer_find(&other->l2, line);
    int state = -1;
    int64_t wait = inner ? (int64_t)(inner->ready + inner->held + *other->clock - *ready) : 0;

    other->snoops++;
    if (inner) {
        state = inner->modified;
        if ((state & LINE_DIRTY) && wait > 0 && wait < TIMES_APART) {
            *ready += (uint64_t)wait;
            other->leaving = *inner;
        }
        inner->modified = state | LINE_ELSEWHERE;
        if (store)
            *inner = (struct l1_line){.line = LINE_NONE};
    }
    if (at >= 0) {
        state = state > 0 ? state | other->l2.modified[at] : other->l2.modified[at];
        other->l2.modified[at] |= LINE_ELSEWHERE;
        if (store)
            outer_drop(&other->l2, at);
    }
    return state;
}

/* Probes the L3 of another node. */
static int probe_l3(struct outer_cache *l3, uint64_t line, bool store)
{
    int64_t at = outer_find(l3, line);
    int state = at < 0 ? -1 : l3->modified[at];

    if (at >= 0)
        l3->modified[at] |= LINE_ELSEWHERE;
    if (at >= 0 && store)
        outer_drop(l3, at);
    return state;
}

static void note(struct answer *answer, int state, bool remote, uint64_t ready)
{
    answer->there |= state >= 0;
    if (state < 0 || !(state & LINE_DIRTY))
        return;
    answer->source = state & LINE_ELSEWHERE ? SOURCE_OWNED : SOURCE_MODIFIED;
    answer->remote = remote;
    answer->ready = ready;
}

struct answer coherence_probe(struct caches *caches, uint64_t line, bool store, uint64_t cycle)
{
    const struct cache_fabric *fabric = caches->node->fabric;
    uint64_t now = cycle + *caches->clock;
    struct answer answer = {.source = SOURCE_DRAM, .ready = now};

    for (uint32_t n = 0; n < fabric->nodes; n++) {
        struct cache_node *node = fabric->node[n];
        bool remote = node != caches->node;

        for (uint32_t i = 0; i < node->cores; i++) {
            uint64_t ready = now;

            if (node->core[i] != caches) {
                int state = probe_core(node->core[i], line, store, &ready);

                note(&answer, state, remote, ready);
            }
        }
        if (remote)
            note(&answer, probe_l3(&node->l3, line, store), true, now);
    }
    answer.ready -= *caches->clock;
    return answer;
}

void coherence_upgrade(struct caches *caches, uint64_t line, uint64_t cycle)
{
    uint8_t state;
    int64_t at;

    (void)coherence_probe(caches, line, true, cycle);
    (void)outer_take(&caches->node->l3, line, &state);
    at = outer_find(&caches->l2, line);
    if (at >= 0)
        caches->l2.modified[at] &= LINE_DIRTY;
    (void)count_request(caches->node, line, false);
    caches->upgrades++;
    caches->node->upgrades++;
}

uint32_t coherence_upgrade_latency(const struct caches *caches)
{
    return caches->latency[SOURCE_L3] + (caches->node->fabric->nodes > 1 ? caches->hop : 0);
}

uint64_t coherence_use_memory(struct caches *caches, uint64_t line, bool write, uint64_t cycle)
{
    const struct cache_fabric *fabric = caches->node->fabric;
    struct cache_node *node = fabric->node[home(fabric, line)];

    node->moved[write]++;
    cycle = pace_take(&caches->pace, cycle) + *caches->clock;
    return pace_take(&node->pace, cycle) - *caches->clock;
}

/* Returns whether the memory controller has read the line ahead, after the two before it at equal distances. A line
 * far from all others cannot be one of a stream. */
static bool read_ahead(struct cache_node *node, uint64_t line)
{
    enum { MIDDLE = 2 * DRAM_STRIDE };
    uint32_t near = 0; /* bit MIDDLE + n: line + n */
    bool found = false;

    for (uint32_t i = 0; i < DRAM_HISTORY; i++) {
        uint64_t place = node->recent[i] - line + MIDDLE;

        near |= place <= 2 * MIDDLE ? 1u << place : 0;
    }
    for (uint32_t n = 1; n <= DRAM_STRIDE; n++)
        found |= (near >> (MIDDLE - n) & near >> (MIDDLE - 2 * n) & 1) ||
                 (near >> (MIDDLE + n) & near >> (MIDDLE + 2 * n) & 1);
    node->recent[node->next_recent] = line;
    node->next_recent = (node->next_recent + 1) & (DRAM_HISTORY - 1);
    return found;
}

bool coherence_past_l3(struct caches *caches, uint64_t line, enum cache_requester who, enum cache_source source,
                       uint64_t *cycle)
{
    caches->node->reads[who]++;
    caches->node->l3_misses[who] += source == SOURCE_DRAM && caches->node->l3.ways;
    if (source == SOURCE_DRAM) {
        const struct cache_fabric *fabric = caches->node->fabric;

        *cycle = coherence_use_memory(caches, line, false, *cycle);
        if (read_ahead(fabric->node[home(fabric, line)], line))
            *cycle -= caches->ahead;
    }
    return count_request(caches->node, line, source == SOURCE_DRAM);
}

void coherence_write_back(struct caches *caches, uint64_t line)
{
    caches->node->writebacks++;
    (void)count_request(caches->node, line, true);
    (void)coherence_use_memory(caches, line, true, caches->now);
}
