/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/caches/cache.h"

#include "vpmu/model/caches/coherence.h"
#include "vpmu/model/caches/l2.h"

static void insert_l2(struct caches *caches, uint64_t line, uint8_t modified)
{
    uint64_t leaving = l2_put(caches, line, &modified);

    caches->l2_fills++;
    if (leaving == LINE_NONE)
        return;
    caches->l2_writebacks += modified & LINE_DIRTY;
    caches->node->l3_fills[modified] += caches->node->l3.ways != 0;
    leaving = outer_insert(&caches->node->l3, leaving, &modified);
    if (leaving != LINE_NONE && (modified & LINE_DIRTY))
        coherence_write_back(caches, leaving);
}

/* Returns the set with the cause of a wait for a line. */
static uint32_t cause_of(uint8_t source)
{
    static const uint16_t causes[CACHE_SOURCES] = {[SOURCE_L2] = FREE_L2,
                                                   [SOURCE_L3] = FREE_L3,
                                                   [SOURCE_DRAM] = FREE_DRAM,
                                                   [SOURCE_MODIFIED] = FREE_SHARING,
                                                   [SOURCE_OWNED] = FREE_SHARING};

    return causes[source];
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
    if (l2_gives(caches, fill->line, &fill->modified)) {
        if (store && (fill->modified & LINE_ELSEWHERE)) {
            coherence_upgrade(caches, fill->line, fill->ready);
            fill->held = caches->free & FREE_SHARING ? 0 : coherence_upgrade_latency(caches);
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
    if (store) /* gone from all other cores; the caller marks it modified */
        fill->modified &= LINE_DIRTY;
    else if (answer.there) /* dirty lines from the L3 stay dirty; those of other cores stay theirs */
        fill->modified |= LINE_ELSEWHERE;
    if (caches->l2_has != L2_EXCLUSIVE)
        insert_l2(caches, fill->line, fill->modified);
}

/* Fills a line of the data cache from beyond it, and counts the refill. */
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
    struct l1_line *newest = &cache->lines[line & cache->mask], *at = newest;

    if (newest->line == line)
        return newest;
    for (uint32_t way = 1; way < cache->ways; way++) {
        at += cache->mask + 1;
        if (at->line == line) {
            struct l1_line found = *at;

            (void)l1_push(cache, &found, way);
            return newest;
        }
    }
    return NULL;
}

static void l1_fill(struct caches *caches, struct l1_cache *cache, const struct l1_line *line)
{
    struct l1_line leaving = l1_push(cache, line, cache->ways - 1);

    if (leaving.line == LINE_NONE)
        return;
    if (cache == &caches->l1d)
        caches->dc_evicted[leaving.modified]++;
    if (l2_gets(caches, &leaving))
        insert_l2(caches, leaving.line, leaving.modified);
}

/* Returns the miss buffer that becomes free first. */
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
    caches->mab[mab] = later(caches->mab[mab], end); /* a line that takes no time does not free another's buffer */
    caches->mab_requests[mab]++;
    caches->mab_cycles[mab] += end - start;
}

/* Returns the cycle in which a requested line is there; cycle: when an access wanted it. */
static uint64_t arrival(const struct caches *caches, const struct l1_line *fill, uint64_t cycle)
{
    if (caches->free & cause_of(fill->source))
        return cycle + L1_LATENCY;
    return fill->ready + latency(caches, fill->source, fill->remote);
}

/* Prefetches the next line of a stream into the L1D, unless all miss buffers are busy. A line that is there already is
 * only marked, so that the stream goes on after it. Streams end with the 4 KB page: the next frame may be unrelated. */
static void prefetch_next(struct caches *caches, uint64_t line, int8_t stream, uint64_t cycle)
{
    struct l1_line fill = {
        .line = line + (uint64_t)((int64_t)stream * PREFETCH_AHEAD), .ready = cycle + PREFETCH_DELAY, .stream = stream};
    struct l1_line *there;
    uint32_t mab;

    if ((fill.line ^ line) >= PAGE_LINES)
        return;
    there = l1_peek(&caches->l1d, fill.line);
    if (there) {
        there->stream = stream;
        return;
    }
    mab = mab_next(caches);
    if (caches->mab[mab] > cycle + PREFETCH_DELAY) {
        caches->prefetches_dropped++;
        return;
    }
    caches->now = cycle;
    take_data(caches, &fill, REQUEST_PREFETCH);
    fill.ready = arrival(caches, &fill, cycle);
    mab_take(caches, mab, fill.ready - cycle > PREFETCH_DELAY ? cycle + PREFETCH_DELAY : cycle, fill.ready);
    caches->prefetches++;
    l1_fill(caches, &caches->l1d, &fill);
}

/* Remembers where a stream may continue: after a line that missed, or that a stream has reached. */
static void remember(struct caches *caches, uint64_t line)
{
    uint64_t *place = &caches->history[caches->next_history];

    caches->remembered[*place % STREAM_HASHES]--;
    caches->remembered[line % STREAM_HASHES]++;
    *place = line;
    caches->next_history = (caches->next_history + 1) & (STREAM_HISTORY - 1);
}

/* Starts a stream at misses on two neighbouring lines: 1, ascending; -1, descending; 0: none. */
static int8_t stream_of(const struct caches *caches, uint64_t line)
{
    bool above = false;

    if (!caches->remembered[(line - 1) % STREAM_HASHES] && !caches->remembered[(line + 1) % STREAM_HASHES])
        return 0;
#pragma GCC unroll 4
    for (uint32_t i = 0; i < STREAM_HISTORY; i++) {
        uint64_t after = caches->history[i] - (line - 1);

        if (USUALLY(after & ~(uint64_t)2)) /* neither of the two neighbours */
            continue;
        if (after == 0)
            return 1;
        above = true;
    }
    return above ? -1 : 0;
}

static void data_miss(struct caches *caches, uint64_t line, uint64_t cycle, bool store, struct dc_result *result)
{
    uint32_t mab = mab_next(caches);
    uint64_t start = later(caches->mab[mab], cycle);
    struct l1_line fill = {.line = line, .ready = start};
    int8_t stream = stream_of(caches, line);

    caches->now = start;
    take_data(caches, &fill, store ? REQUEST_STORE : REQUEST_LOAD);
    fill.modified |= store;
    fill.ready = arrival(caches, &fill, cycle);
    mab_take(caches, mab, fill.ready > start ? start : cycle, fill.ready);
    caches->from[fill.source]++;
    caches->from_remote[fill.source] += fill.remote;
    l1_fill(caches, &caches->l1d, &fill);
    result->ready = fill.ready + fill.held;
    result->latency = (uint32_t)(fill.ready - cycle - L1_LATENCY);
    result->source = fill.source;
    result->remote = fill.remote;
    result->miss = true;
    result->mab_hit = false;
    if (stream)
        prefetch_next(caches, line, stream, cycle);
    remember(caches, line);
}

static void hold(struct l1_line *line, uint64_t until)
{
    uint64_t held = until - line->ready;

    if (until > line->ready + line->held)
        line->held = held < UINT32_MAX ? (uint32_t)held : UINT32_MAX;
}

/* Stores to a line that other cores may have, which is there in the given cycle. Returns the cycle in which it is
 * owned. */
static uint64_t upgrade(struct caches *caches, struct l1_line *line, uint64_t cycle)
{
    uint64_t owned = cycle + (caches->free & FREE_SHARING ? 0 : coherence_upgrade_latency(caches));

    coherence_upgrade(caches, line->line, cycle);
    hold(line, owned);
    return owned;
}

/* Returns whether another core has requested the line, which this one keeps until it has owned it, and an access has
 * its data by then. */
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
        int8_t stream = found->stream;

        found->stream = 0;
        remember(caches, line); /* the next line may be evicted before it is used */
        prefetch_next(caches, line, stream, cycle);
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
    if (l2_gives(caches, fill.line, &fill.modified)) {
        fill.source = SOURCE_L2;
        caches->ic_refills_l2++;
    } else {
        past_l2(caches, REQUEST_IC);
        fill.source = outer_touch(&caches->node->l3, fill.line) ? SOURCE_L3 : SOURCE_DRAM;
        if (fill.source == SOURCE_DRAM)
            fill.remote = coherence_past_l3(caches, fill.line, REQUEST_IC, SOURCE_DRAM, &cycle);
        if (caches->l2_has != L2_EXCLUSIVE)
            insert_l2(caches, fill.line, fill.modified);
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
