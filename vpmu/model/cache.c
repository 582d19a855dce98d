/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/cache.h"

#include "core/mem.h"
#include "vpmu/model/coherence.h"

uint64_t caches_memory(const struct vpmu_params *params)
{
    uint64_t lines = (uint64_t)L2_SETS * L2_WAYS + (uint64_t)params->l3_sets * params->l3_ways;

    return lines * (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint8_t));
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
    caches->hop = params->hop_cycles;
    pace_init(&caches->pace, params->core_line);
    pace_init(&caches->own_node.pace, params->node_line);
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
    caches->leaving.line = LINE_NONE;
    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        caches->history[i] = LINE_NONE;
    caches->next_history = 0;
}

static void insert_l2(struct caches *caches, uint64_t line, uint8_t modified)
{
    uint64_t leaving = outer_insert(&caches->l2, line, &modified);

    caches->l2_fills++;
    if (leaving == LINE_NONE)
        return;
    caches->l2_writebacks += modified & LINE_DIRTY;
    caches->node->l3_fills[modified] += caches->node->l3.ways != 0;
    leaving = outer_insert(&caches->node->l3, leaving, &modified);
    if (leaving != LINE_NONE && (modified & LINE_DIRTY))
        coherence_write_back(caches, leaving);
}

static uint32_t latency(const struct caches *caches, uint8_t source, bool remote)
{
    return caches->latency[source] + (remote ? caches->hop : 0);
}

static void past_l2(struct caches *caches, enum cache_requester who)
{
    caches->l2_misses[who]++;
    caches->node->l3_requests[who] += caches->node->l3.ways != 0;
}

/* Finds a line that missed the L1, its source and state, and removes it from the source. fill->ready: the cycle of the
 * request; then that in which the supplier gives the line away. */
static void take_line(struct caches *caches, struct l1_line *fill, enum cache_requester who)
{
    struct answer answer = {.source = SOURCE_DRAM, .ready = fill->ready};
    bool store = who == REQUEST_STORE, from_memory;

    caches->requests[who]++;
    fill->modified = LINE_EXCLUSIVE;
    fill->source = SOURCE_L2;
    if (outer_take(&caches->l2, fill->line, &fill->modified)) {
        if (store && (fill->modified & LINE_ELSEWHERE)) {
            coherence_upgrade(caches, fill->line, fill->ready);
            fill->held = coherence_upgrade_latency(caches);
            fill->modified = LINE_MODIFIED;
        }
        return;
    }
    past_l2(caches, who);
    if (caches->node->fabric->cores > 1)
        answer = coherence_probe(caches, fill->line, store, fill->ready);
    from_memory = answer.source == SOURCE_DRAM;
    if (outer_take(&caches->node->l3, fill->line, &fill->modified)) {
        if (from_memory)
            answer.source = SOURCE_L3;
    } else {
        bool remote = coherence_past_l3(caches, fill->line, who, answer.source, &answer.ready);

        if (from_memory)
            answer.remote = remote;
    }
    fill->source = (uint8_t)answer.source;
    fill->remote = answer.remote;
    fill->ready = answer.ready;
    if (store) /* no other core has it any more; the caller marks it modified */
        fill->modified &= LINE_DIRTY;
    else if (answer.there) /* dirty lines from the L3 stay dirty; those of other cores stay theirs */
        fill->modified |= LINE_ELSEWHERE;
}

/* The same for the data cache. */
static void take_data(struct caches *caches, struct l1_line *fill, enum cache_requester who)
{
    take_line(caches, fill, who);
    if (fill->source == SOURCE_L2) {
        caches->dc_refills_l2[fill->modified]++;
        return;
    }
    /* A store that misses requests the line as modified (CodeXL event description 06Ch). */
    fill->modified |= who == REQUEST_STORE;
    caches->dc_refills_nb[fill->modified]++;
}

/* Finds the line and makes it the most recently used of its set; NULL: a miss. */
static struct l1_line *l1_find(struct l1_cache *cache, uint64_t line)
{
    struct l1_line *set = cache->lines[line & (L1_SETS - 1)], found = set[1];

    if (set[0].line == line)
        return &set[0];
    if (found.line != line)
        return NULL;
    set[1] = set[0];
    set[0] = found;
    return &set[0];
}

static void l1_fill(struct caches *caches, struct l1_cache *cache, const struct l1_line *line)
{
    struct l1_line *set = cache->lines[line->line & (L1_SETS - 1)], leaving = set[1];

    set[1] = set[0];
    set[0] = *line;
    if (leaving.line == LINE_NONE)
        return;
    if (cache == &caches->l1d)
        caches->dc_evicted[leaving.modified]++;
    insert_l2(caches, leaving.line, leaving.modified);
}

/* The miss buffer that becomes free first. */
static uint32_t mab_next(struct caches *caches)
{
    uint32_t best = 0;

    for (uint32_t i = 1; i < MAB_COUNT; i++)
        if (caches->mab[i] < caches->mab[best])
            best = i;
    return best;
}

static void mab_take(struct caches *caches, uint32_t mab, uint64_t start, uint64_t end)
{
    caches->mab[mab] = end;
    caches->mab_requests[mab]++;
    caches->mab_cycles[mab] += end - start;
}

/* Prefetches the next line of a stream into the L1D, unless all miss buffers are busy. A line that is there already is
 * only marked, so that the stream goes on after it. Streams end with the 4 KB page: the next frame may be unrelated. */
static void prefetch_next(struct caches *caches, uint64_t line, uint64_t cycle)
{
    struct l1_line fill = {.line = line + 1, .ready = cycle, .stream = 1}, *there;
    uint32_t mab;

    if ((fill.line & (PAGE_LINES - 1)) == 0)
        return;
    there = l1_peek(&caches->l1d, fill.line);
    if (there) {
        there->stream = 1;
        return;
    }
    mab = mab_next(caches);
    if (caches->mab[mab] > cycle) {
        caches->prefetches_dropped++;
        return;
    }
    caches->now = cycle;
    take_data(caches, &fill, REQUEST_PREFETCH);
    fill.ready += latency(caches, fill.source, fill.remote);
    mab_take(caches, mab, cycle, fill.ready);
    caches->prefetches++;
    l1_fill(caches, &caches->l1d, &fill);
}

/* Remembers where a stream may continue: after a line that missed, or that a stream has reached. */
static void remember(struct caches *caches, uint64_t line)
{
    caches->history[caches->next_history] = line;
    caches->next_history = (caches->next_history + 1) & (STREAM_HISTORY - 1);
}

/* Misses on two consecutive lines, ascending, start a stream. */
static bool continues_stream(const struct caches *caches, uint64_t line)
{
    bool found = false;

    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        found |= caches->history[i] == line - 1;
    return found;
}

static void data_miss(struct caches *caches, uint64_t line, uint64_t cycle, bool store, struct dc_result *result)
{
    uint32_t mab = mab_next(caches);
    uint64_t start = later(caches->mab[mab], cycle);
    struct l1_line fill = {.line = line, .ready = start};

    caches->now = start;
    take_data(caches, &fill, store ? REQUEST_STORE : REQUEST_LOAD);
    fill.modified |= store;
    fill.ready += latency(caches, fill.source, fill.remote);
    mab_take(caches, mab, start, fill.ready);
    caches->from[fill.source]++;
    caches->from_remote[fill.source] += fill.remote;
    l1_fill(caches, &caches->l1d, &fill);
    result->ready = fill.ready + fill.held;
    result->latency = (uint32_t)(fill.ready - cycle - L1_LATENCY);
    result->source = fill.source;
    result->remote = fill.remote;
    result->miss = true;
    result->mab_hit = false;
    if (continues_stream(caches, line))
        prefetch_next(caches, line, cycle);
    remember(caches, line);
}

static void hold(struct l1_line *line, uint64_t until)
{
    uint64_t held = until - line->ready;

    if (until > line->ready + line->held)
        line->held = held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
}

/* A store to a line that other cores may have, which is there in the given cycle. Returns the cycle in which it is
 * owned. */
static uint64_t upgrade(struct caches *caches, struct l1_line *line, uint64_t cycle)
{
    uint64_t owned = cycle + coherence_upgrade_latency(caches);

    coherence_upgrade(caches, line->line, cycle);
    hold(line, owned);
    return owned;
}

/* True when another core has requested the line, which this one keeps until it has owned it, and an access has its data
 * by then. */
static bool still_used(const struct l1_line *leaving, uint64_t line, uint64_t data, bool store)
{
    return leaving->line == line && data <= leaving->ready + leaving->held &&
           !(store && (leaving->modified & LINE_ELSEWHERE));
}

uint64_t caches_modify(struct caches *caches, uint64_t physical, uint64_t cycle)
{
    struct l1_line *there = l1_peek(&caches->l1d, physical >> LINE_SHIFT);

    if (still_used(&caches->leaving, physical >> LINE_SHIFT, cycle, true))
        there = &caches->leaving;
    if (!there)
        return 0;
    if (there->modified & LINE_ELSEWHERE)
        (void)upgrade(caches, there, later(cycle, there->ready));
    there->modified = LINE_MODIFIED;
    return there->ready + there->held;
}

void caches_hold(struct caches *caches, uint64_t physical, uint64_t until)
{
    struct l1_line *there = l1_peek(&caches->l1d, physical >> LINE_SHIFT);

    if (there)
        hold(there, until);
}

void caches_data(struct caches *caches, uint64_t physical, uint64_t cycle, bool store, struct dc_result *result)
{
    uint64_t line = physical >> LINE_SHIFT;
    struct l1_line *found = l1_find(&caches->l1d, line);

    if (still_used(&caches->leaving, line, cycle + L1_LATENCY, store))
        found = &caches->leaving;
    if (!found) {
        data_miss(caches, line, cycle, store, result);
        return;
    }
    result->ready = cycle + L1_LATENCY;
    result->latency = 0;
    result->source = SOURCE_L1;
    result->miss = result->mab_hit = result->remote = false;
    if (found->ready > result->ready) { /* the line is still on its way */
        result->latency = (uint32_t)(found->ready - result->ready);
        result->ready = found->ready;
        result->source = found->source;
        result->remote = found->remote;
        result->miss = result->mab_hit = true;
    }
    if (store && (found->modified & LINE_ELSEWHERE)) {
        result->ready = upgrade(caches, found, result->ready);
        found->modified = LINE_MODIFIED;
    }
    found->modified |= store;
    if (found->stream) {
        found->stream = 0;
        remember(caches, line); /* the next line may be evicted before it is used */
        prefetch_next(caches, line, cycle);
    }
}

uint32_t caches_fetch(struct caches *caches, uint64_t physical)
{
    struct l1_line fill = {.line = physical >> LINE_SHIFT};
    uint64_t cycle = caches->now;

    if (l1_find(&caches->l1i, fill.line))
        return 0;
    caches->requests[REQUEST_IC]++;
    /* Code stays in the L3 for the other cores ("mostly exclusive"): it is looked up there, not removed. */
    if (outer_take(&caches->l2, fill.line, &fill.modified)) {
        fill.source = SOURCE_L2;
        caches->ic_refills_l2++;
    } else {
        past_l2(caches, REQUEST_IC);
        fill.source = outer_touch(&caches->node->l3, fill.line) ? SOURCE_L3 : SOURCE_DRAM;
        if (fill.source == SOURCE_DRAM)
            fill.remote = coherence_past_l3(caches, fill.line, REQUEST_IC, SOURCE_DRAM, &cycle);
    }
    l1_fill(caches, &caches->l1i, &fill);
    return latency(caches, fill.source, fill.remote) - L1_LATENCY;
}

uint32_t caches_walk(struct caches *caches, uint64_t physical)
{
    uint64_t line = physical >> LINE_SHIFT, cycle = caches->now;
    uint8_t modified = LINE_EXCLUSIVE;
    enum cache_source source = SOURCE_L3;
    bool remote = false;

    caches->requests[REQUEST_WALK]++;
    if (outer_touch(&caches->l2, line))
        return caches->latency[SOURCE_L2];
    past_l2(caches, REQUEST_WALK);
    if (!outer_take(&caches->node->l3, line, &modified)) {
        source = SOURCE_DRAM;
        remote = coherence_past_l3(caches, line, REQUEST_WALK, source, &cycle);
    }
    insert_l2(caches, line, modified);
    return latency(caches, source, remote);
}
