#include "tests/vpmu/model/cache.h"

uint64_t caches_memory(const struct vpmu_params *params)
{
    uint64_t lines = (uint64_t)L2_SETS * L2_WAYS + (uint64_t)params->l3_sets * params->l3_ways;

    return lines * (sizeof(uint64_t) + sizeof(uint32_t) + sizeof(uint8_t));
}

static uint64_t *outer_init(struct outer_cache *cache, uint64_t *lines, uint32_t sets, uint32_t ways)
{
    cache->lines = lines;
    cache->sets = sets;
    cache->ways = ways;
    cache->clock = 0;
    for (uint32_t i = 0; i < sets * ways; i++)
        lines[i] = LINE_NONE;
    return lines + sets * ways;
}

static void l1_init(struct l1_cache *cache)
{
    for (uint32_t set = 0; set < L1_SETS; set++) {
        for (uint32_t way = 0; way < L1_WAYS; way++)
            cache->lines[set][way] = (struct l1_line){.line = LINE_NONE};
        cache->recent[set] = 0;
    }
}

void caches_init(struct caches *caches, const struct vpmu_params *params, void *memory)
{
    uint32_t all = L2_SETS * L2_WAYS + params->l3_sets * params->l3_ways;
    uint64_t *lines = memory;
    uint32_t *stamps;

    *caches = (struct caches){0};
    lines = outer_init(&caches->l2, lines, L2_SETS, L2_WAYS);
    caches->node = &caches->own_node;
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
    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        caches->history[i] = LINE_NONE;
    caches->latency[SOURCE_L1] = L1_LATENCY;
    caches->latency[SOURCE_L2] = L2_LATENCY;
    caches->latency[SOURCE_L3] = L3_LATENCY;
    caches->latency[SOURCE_DRAM] = params->dram_cycles;
    caches->latency[SOURCE_MODIFIED] = caches->latency[SOURCE_OWNED] = CORE_LATENCY;
    caches->hop = params->hop_cycles;
}

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

/* The node whose memory has the line. */
static uint32_t home(const struct cache_fabric *fabric, uint64_t line)
{
    for (uint32_t i = 0; i < fabric->nodes; i++)
        if (line < fabric->end[i])
            return i;
    return 0;
}

/* Something goes from this core's node to where a line is at home. True when that is another node. */
static bool count_request(struct cache_node *node, uint64_t line, bool dram)
{
    uint32_t where = home(node->fabric, line);
    bool remote = where != node->number;

    node->to_memory[remote ? REMOTE : HERE]++;
    node->fabric->node[where]->from_remote += remote;
    node->to_dram[where] += dram;
    return remote;
}

/* Index into lines of a line's place, or -1. */
static int64_t outer_find(const struct outer_cache *cache, uint64_t line)
{
    uint32_t first = (uint32_t)(line & (cache->sets - 1)) * cache->ways;

    for (uint32_t i = first; i < first + cache->ways; i++)
        if (cache->lines[i] == line)
            return i;
    return -1;
}

static bool outer_take(struct outer_cache *cache, uint64_t line, uint8_t *modified)
{
    int64_t at = outer_find(cache, line);

    if (at < 0)
        return false;
    cache->lines[at] = LINE_NONE;
    *modified = cache->modified[at];
    return true;
}

static bool outer_touch(struct outer_cache *cache, uint64_t line)
{
    int64_t at = outer_find(cache, line);

    if (at < 0)
        return false;
    cache->stamps[at] = ++cache->clock;
    return true;
}

/* Returns the line that had to leave, or LINE_NONE, and in *modified its state instead of the new one's. A line that is
 * already there is only made the most recent one. */
static uint64_t outer_insert(struct outer_cache *cache, uint64_t line, uint8_t *modified)
{
    uint8_t state = *modified;
    uint32_t first = (uint32_t)(line & (cache->sets - 1)) * cache->ways, victim = first;
    uint64_t leaving;

    for (uint32_t i = first; i < first + cache->ways; i++) {
        if (cache->lines[i] == LINE_NONE || cache->lines[i] == line) {
            victim = i;
            break;
        }
        if (cache->stamps[i] < cache->stamps[victim])
            victim = i;
    }
    leaving = cache->lines[victim];
    *modified = cache->modified[victim];
    cache->lines[victim] = line;
    cache->stamps[victim] = ++cache->clock;
    cache->modified[victim] = leaving == line ? state | *modified : state;
    return leaving == line ? LINE_NONE : leaving;
}

static void insert_l2(struct caches *caches, uint64_t line, uint8_t modified)
{
    uint64_t leaving = outer_insert(&caches->l2, line, &modified);

    caches->l2_fills++;
    if (leaving == LINE_NONE)
        return;
    caches->l2_writebacks += modified & LINE_DIRTY;
    caches->node->l3_fills[modified]++;
    leaving = outer_insert(&caches->node->l3, leaving, &modified);
    if (leaving == LINE_NONE || !(modified & LINE_DIRTY))
        return;
    caches->node->writebacks++;
    (void)count_request(caches->node, leaving, true);
}

static struct l1_line *l1_peek(struct l1_cache *cache, uint64_t line)
{
    struct l1_line *set = cache->lines[line & (L1_SETS - 1)];

    return set[0].line == line ? &set[0] : set[1].line == line ? &set[1] : NULL;
}

/* One core is asked for a line: its state there, or -1. It keeps the line for a reader, as shared or owned, and loses
 * it to a writer. A line is in the L1D or in the L2, not in both; the L2 alone may have what page walks read. */
static int probe_core(struct caches *other, uint64_t line, bool store)
{
    struct l1_line *inner = l1_peek(&other->l1d, line);
    int64_t at = outer_find(&other->l2, line);
    int state = -1;

    other->snoops++;
    if (inner) {
        state = inner->modified;
        inner->modified = state | LINE_ELSEWHERE;
        if (store)
            *inner = (struct l1_line){.line = LINE_NONE};
    }
    if (at >= 0) {
        state = state > 0 ? state | other->l2.modified[at] : other->l2.modified[at];
        other->l2.modified[at] |= LINE_ELSEWHERE;
        if (store)
            other->l2.lines[at] = LINE_NONE;
    }
    return state;
}

/* The same with the L3 of another node. */
static int probe_l3(struct outer_cache *l3, uint64_t line, bool store)
{
    int64_t at = outer_find(l3, line);
    int state = at < 0 ? -1 : l3->modified[at];

    if (at >= 0)
        l3->modified[at] |= LINE_ELSEWHERE;
    if (at >= 0 && store)
        l3->lines[at] = LINE_NONE;
    return state;
}

struct answer {
    enum cache_source source; /* who supplies the line; SOURCE_DRAM: nobody, it is to be looked for further on */
    bool there;               /* somebody has it, or had it */
    bool remote;              /* who supplies it is on another node */
};

static void note(struct answer *answer, int state, bool remote)
{
    answer->there |= state >= 0;
    if (state < 0 || !(state & LINE_DIRTY))
        return;
    answer->source = state & LINE_ELSEWHERE ? SOURCE_OWNED : SOURCE_MODIFIED;
    answer->remote = remote;
}

/* All other cores are asked. */
static struct answer probe(struct caches *caches, uint64_t line, bool store)
{
    const struct cache_fabric *fabric = caches->node->fabric;
    struct answer answer = {.source = SOURCE_DRAM};

    for (uint32_t n = 0; n < fabric->nodes; n++) {
        struct cache_node *node = fabric->node[n];
        bool remote = node != caches->node;

        for (uint32_t i = 0; i < node->cores; i++)
            if (node->core[i] != caches)
                note(&answer, probe_core(node->core[i], line, store), remote);
        if (remote)
            note(&answer, probe_l3(&node->l3, line, store), true);
    }
    return answer;
}

/* A store to a line that others may have: they lose it, and the L3's copy is out of date. */
static void upgrade(struct caches *caches, uint64_t line)
{
    uint8_t state;

    (void)probe(caches, line, true);
    (void)outer_take(&caches->node->l3, line, &state);
    (void)count_request(caches->node, line, false);
    caches->upgrades++;
    caches->node->upgrades++;
}

/* It takes until the last one has answered. */
static uint32_t upgrade_latency(const struct caches *caches)
{
    return caches->latency[SOURCE_L3] + (caches->node->fabric->nodes > 1 ? caches->hop : 0);
}

static uint32_t latency(const struct caches *caches, uint8_t source, bool remote)
{
    return caches->latency[source] + (remote ? caches->hop : 0);
}

/* The L3 has been asked for a line for nothing; 'source' has it. True when that is another node, or its memory. */
static bool past_l3(struct caches *caches, uint64_t line, enum cache_requester who, enum cache_source source)
{
    caches->node->reads[who]++;
    caches->node->l3_misses[who] += source == SOURCE_DRAM;
    return count_request(caches->node, line, source == SOURCE_DRAM);
}

static void past_l2(struct caches *caches, enum cache_requester who)
{
    caches->l2_misses[who]++;
    caches->node->l3_requests[who]++;
}

/* Where a line comes from that the L1 does not have, and how; it leaves that place. */
static void take_line(struct caches *caches, struct l1_line *fill, enum cache_requester who)
{
    struct answer answer = {.source = SOURCE_DRAM};
    bool store = who == REQUEST_STORE, from_memory;

    caches->requests[who]++;
    fill->modified = LINE_EXCLUSIVE;
    fill->source = SOURCE_L2;
    if (outer_take(&caches->l2, fill->line, &fill->modified)) {
        if (store && (fill->modified & LINE_ELSEWHERE)) {
            upgrade(caches, fill->line);
            fill->modified = LINE_MODIFIED;
        }
        return;
    }
    past_l2(caches, who);
    if (caches->node->fabric->cores > 1)
        answer = probe(caches, fill->line, store);
    from_memory = answer.source == SOURCE_DRAM;
    if (outer_take(&caches->node->l3, fill->line, &fill->modified)) {
        if (from_memory)
            answer.source = SOURCE_L3;
    } else {
        bool remote = past_l3(caches, fill->line, who, answer.source);

        if (from_memory)
            answer.remote = remote;
    }
    fill->source = (uint8_t)answer.source;
    fill->remote = answer.remote;
    if (store) /* nobody else has it any more; the caller makes it a modified one */
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
    /* A store that misses asks for the line as a modified one (CodeXL event description 06Ch). */
    fill->modified |= who == REQUEST_STORE;
    caches->dc_refills_nb[fill->modified]++;
}

static struct l1_line *l1_find(struct l1_cache *cache, uint64_t line)
{
    uint32_t set = (uint32_t)line & (L1_SETS - 1), way = cache->recent[set];

    if (cache->lines[set][way].line == line)
        return &cache->lines[set][way];
    way ^= 1;
    if (cache->lines[set][way].line != line)
        return NULL;
    cache->recent[set] = (uint8_t)way;
    return &cache->lines[set][way];
}

static void l1_fill(struct caches *caches, struct l1_cache *cache, const struct l1_line *line)
{
    uint32_t set = (uint32_t)line->line & (L1_SETS - 1), way = cache->recent[set] ^ 1;
    struct l1_line leaving = cache->lines[set][way];

    cache->lines[set][way] = *line;
    cache->recent[set] = (uint8_t)way;
    if (leaving.line == LINE_NONE)
        return;
    if (cache == &caches->l1d)
        caches->dc_evicted[leaving.modified]++;
    insert_l2(caches, leaving.line, leaving.modified);
}

/* The buffer that is free first. */
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

/* Brings the next line of a stream into the L1D, unless all buffers are busy. A line that is there already is only
 * marked, so that the stream goes on behind it. Streams end with the 4 KB page, behind which another frame may follow.
 */
static void prefetch_next(struct caches *caches, uint64_t line, uint64_t cycle)
{
    struct l1_line fill = {.line = line + 1, .stream = 1}, *there;
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
    take_data(caches, &fill, REQUEST_PREFETCH);
    fill.ready = cycle + latency(caches, fill.source, fill.remote);
    mab_take(caches, mab, cycle, fill.ready);
    caches->prefetches++;
    l1_fill(caches, &caches->l1d, &fill);
}

/* Remembers where a stream may go on: behind a line that missed, or that a stream has reached. */
static void remember(struct caches *caches, uint64_t line)
{
    caches->history[caches->next_history] = line;
    caches->next_history = (caches->next_history + 1) & (STREAM_HISTORY - 1);
}

/* Two misses on neighbouring lines, ascending, make a stream. */
static bool continues_stream(const struct caches *caches, uint64_t line)
{
    bool found = false;

    for (uint32_t i = 0; i < STREAM_HISTORY; i++)
        found |= caches->history[i] == line - 1;
    return found;
}

static void data_miss(struct caches *caches, uint64_t line, uint64_t cycle, bool store, struct dc_result *result)
{
    struct l1_line fill = {.line = line};
    uint32_t mab = mab_next(caches);
    uint64_t start = caches->mab[mab] > cycle ? caches->mab[mab] : cycle;

    take_data(caches, &fill, store ? REQUEST_STORE : REQUEST_LOAD);
    fill.modified |= store;
    fill.ready = start + latency(caches, fill.source, fill.remote);
    mab_take(caches, mab, start, fill.ready);
    caches->from[fill.source]++;
    caches->from_remote[fill.source] += fill.remote;
    l1_fill(caches, &caches->l1d, &fill);
    result->ready = fill.ready;
    result->latency = (uint32_t)(fill.ready - cycle - L1_LATENCY);
    result->source = fill.source;
    result->remote = fill.remote;
    result->miss = true;
    result->mab_hit = false;
    if (continues_stream(caches, line))
        prefetch_next(caches, line, cycle);
    remember(caches, line);
}

void caches_modify(struct caches *caches, uint64_t physical)
{
    struct l1_line *there = l1_peek(&caches->l1d, physical >> LINE_SHIFT);

    if (!there)
        return;
    if (there->modified & LINE_ELSEWHERE)
        upgrade(caches, there->line);
    there->modified = LINE_MODIFIED;
}

void caches_data(struct caches *caches, uint64_t physical, uint64_t cycle, bool store, struct dc_result *result)
{
    uint64_t line = physical >> LINE_SHIFT;
    struct l1_line *found = l1_find(&caches->l1d, line);

    if (!found) {
        data_miss(caches, line, cycle, store, result);
        return;
    }
    result->ready = cycle + L1_LATENCY;
    if (store && (found->modified & LINE_ELSEWHERE)) {
        upgrade(caches, line);
        result->ready += upgrade_latency(caches);
        found->modified = LINE_MODIFIED;
    }
    found->modified |= store;
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
    if (found->stream) {
        found->stream = 0;
        remember(caches, line); /* the line behind it may be lost again before it is used */
        prefetch_next(caches, line, cycle);
    }
}

uint32_t caches_fetch(struct caches *caches, uint64_t physical)
{
    struct l1_line fill = {.line = physical >> LINE_SHIFT};

    if (l1_find(&caches->l1i, fill.line))
        return 0;
    caches->requests[REQUEST_IC]++;
    /* Code stays in the L3 for the other cores ("mostly exclusive"), so it is only looked at there. */
    if (outer_take(&caches->l2, fill.line, &fill.modified)) {
        fill.source = SOURCE_L2;
        caches->ic_refills_l2++;
    } else {
        past_l2(caches, REQUEST_IC);
        fill.source = outer_touch(&caches->node->l3, fill.line) ? SOURCE_L3 : SOURCE_DRAM;
        if (fill.source == SOURCE_DRAM)
            fill.remote = past_l3(caches, fill.line, REQUEST_IC, SOURCE_DRAM);
    }
    l1_fill(caches, &caches->l1i, &fill);
    return latency(caches, fill.source, fill.remote) - L1_LATENCY;
}

uint32_t caches_walk(struct caches *caches, uint64_t physical)
{
    uint64_t line = physical >> LINE_SHIFT;
    uint8_t modified = LINE_EXCLUSIVE;
    enum cache_source source = SOURCE_L3;
    bool remote = false;

    caches->requests[REQUEST_WALK]++;
    if (outer_touch(&caches->l2, line))
        return caches->latency[SOURCE_L2];
    past_l2(caches, REQUEST_WALK);
    if (!outer_take(&caches->node->l3, line, &modified)) {
        source = SOURCE_DRAM;
        remote = past_l3(caches, line, REQUEST_WALK, source);
    }
    insert_l2(caches, line, modified);
    return latency(caches, source, remote);
}
