/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/caches/outer_cache.h"

#include "core/base/mem.h"

enum { BYTE = 8 };

static const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;

uint64_t outer_memory(uint32_t sets, uint32_t ways)
{
    uint64_t lines = (uint64_t)sets * ways; /* ways: eight or a multiple, so bytes of ways are whole words */

    return lines * sizeof(uint64_t) + 4 * lines * sizeof(uint8_t) + sets * sizeof(struct outer_set);
}

static uint64_t all_ways(const struct outer_cache *cache)
{
    return cache->ways < OUTER_WAYS_MAX ? ((uint64_t)1 << cache->ways) - 1 : UINT64_MAX;
}

void outer_empty(struct outer_cache *cache)
{
    for (uint32_t i = 0; i < cache->sets * cache->ways; i++)
        cache->lines[i] = LINE_NONE;
    for (uint32_t i = 0; i < cache->sets; i++)
        cache->set[i] = (struct outer_set){.empty = all_ways(cache)};
}

void *outer_init(struct outer_cache *cache, void *memory, uint32_t sets, uint32_t ways)
{
    uint32_t lines = sets * ways;

    cache->sets = sets;
    cache->ways = ways;
    cache->shift = 0;
    while ((uint32_t)1 << cache->shift < sets)
        cache->shift++;
    cache->lines = memory;
    cache->hints = cache->lines + lines;
    cache->set = (struct outer_set *)(cache->hints + lines / BYTE);
    cache->older = (uint8_t *)(cache->set + sets);
    cache->newer = cache->older + lines;
    cache->modified = cache->newer + lines;
    outer_empty(cache);
    return cache->modified + lines;
}

/* ---------------------------------------------------------------- a set's list */

static uint32_t set_of(const struct outer_cache *cache, uint64_t line)
{
    return (uint32_t)line & (cache->sets - 1);
}

static uint8_t hint_of(const struct outer_cache *cache, uint64_t line)
{
    return (uint8_t)(line >> cache->shift);
}

static void unlink_way(struct outer_cache *cache, uint32_t set, uint32_t way)
{
    struct outer_set *of = &cache->set[set];
    uint8_t *older = cache->older + set * cache->ways, *newer = cache->newer + set * cache->ways;

    if (of->oldest == way)
        of->oldest = newer[way];
    else
        newer[older[way]] = newer[way];
    if (of->newest == way)
        of->newest = older[way];
    else
        older[newer[way]] = older[way];
}

/* Puts the way at the newest end; first: the list is empty. */
static void append_way(struct outer_cache *cache, uint32_t set, uint32_t way, bool first)
{
    struct outer_set *of = &cache->set[set];
    uint8_t *older = cache->older + set * cache->ways, *newer = cache->newer + set * cache->ways;

    if (first) {
        of->oldest = (uint8_t)way;
    } else {
        newer[of->newest] = (uint8_t)way;
        older[way] = of->newest;
    }
    of->newest = (uint8_t)way;
}

static void make_newest(struct outer_cache *cache, uint32_t set, uint32_t way)
{
    struct outer_set *of = &cache->set[set];

    if (of->newest == way)
        return;
    unlink_way(cache, set, way);
    append_way(cache, set, way, false);
}

/* ---------------------------------------------------------------- lines */

/* Finds a way by the byte of 'differs' that is 0: its line has the hint. Bytes above one may seem to be 0, too
 * (Warren, Hacker's Delight, 6-1), and other lines have the same hint: each is compared. */
int64_t outer_find(const struct outer_cache *cache, uint64_t line)
{
    uint32_t first = set_of(cache, line) * cache->ways;
    uint64_t hint = hint_of(cache, line) * ones;

    for (uint32_t at = first; at < first + cache->ways; at += OUTER_WAYS_STEP) {
        uint64_t differs = cache->hints[at / BYTE] ^ hint;

        for (uint64_t hits = (differs - ones) & ~differs & tops; hits; hits &= hits - 1) {
            uint32_t i = at + (uint32_t)__builtin_ctzll(hits) / BYTE;

            if (cache->lines[i] == line)
                return i;
        }
    }
    return -1;
}

void outer_drop(struct outer_cache *cache, int64_t at)
{
    uint32_t set = set_of(cache, cache->lines[at]), way = (uint32_t)at - set * cache->ways;

    unlink_way(cache, set, way);
    cache->set[set].empty |= (uint64_t)1 << way;
    cache->lines[at] = LINE_NONE;
}

bool outer_take(struct outer_cache *cache, uint64_t line, uint8_t *modified)
{
    int64_t at = outer_find(cache, line);

    if (at < 0)
        return false;
    *modified = cache->modified[at];
    outer_drop(cache, at);
    return true;
}

bool outer_touch(struct outer_cache *cache, uint64_t line)
{
    int64_t at = outer_find(cache, line);

    if (at < 0)
        return false;
    make_newest(cache, set_of(cache, line), (uint32_t)at % cache->ways);
    return true;
}

/* Writes a line over what the way has. */
static void put_line(struct outer_cache *cache, uint32_t at, uint64_t line)
{
    uint64_t *hints = &cache->hints[at / BYTE];
    uint32_t shift = at % BYTE * BYTE;

    cache->lines[at] = line;
    *hints = (*hints & ~((uint64_t)0xFF << shift)) | (uint64_t)hint_of(cache, line) << shift;
}

uint64_t outer_insert(struct outer_cache *cache, uint64_t line, uint8_t *modified)
{
    uint32_t set = set_of(cache, line), first = set * cache->ways, way;
    struct outer_set *of = &cache->set[set];
    uint8_t state = *modified;
    uint64_t leaving;
    int64_t at;

    if (!cache->ways)
        return line;
    at = outer_find(cache, line);
    if (at >= 0) {
        make_newest(cache, set, (uint32_t)at - first);
        *modified = cache->modified[at];
        cache->modified[at] = state | *modified;
        return LINE_NONE;
    }
    if (of->empty) {
        way = (uint32_t)__builtin_ctzll(of->empty);
        append_way(cache, set, way, of->empty == all_ways(cache));
        of->empty &= of->empty - 1;
    } else {
        way = of->oldest;
        of->oldest = cache->newer[first + way];
        append_way(cache, set, way, false);
    }
    leaving = cache->lines[first + way];
    *modified = cache->modified[first + way];
    put_line(cache, first + way, line);
    cache->modified[first + way] = state;
    return leaving;
}
