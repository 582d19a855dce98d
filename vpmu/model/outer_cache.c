/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/outer_cache.h"

uint64_t *outer_init(struct outer_cache *cache, uint64_t *lines, uint32_t sets, uint32_t ways)
{
    cache->lines = lines;
    cache->sets = sets;
    cache->ways = ways;
    cache->clock = 0;
    for (uint32_t i = 0; i < sets * ways; i++)
        lines[i] = LINE_NONE;
    return lines + sets * ways;
}

int64_t outer_find(const struct outer_cache *cache, uint64_t line)
{
    uint32_t first = (uint32_t)(line & (cache->sets - 1)) * cache->ways;

    for (uint32_t i = first; i < first + cache->ways; i++)
        if (cache->lines[i] == line)
            return i;
    return -1;
}

bool outer_take(struct outer_cache *cache, uint64_t line, uint8_t *modified)
{
    int64_t at = outer_find(cache, line);

    if (at < 0)
        return false;
    cache->lines[at] = LINE_NONE;
    *modified = cache->modified[at];
    return true;
}

bool outer_touch(struct outer_cache *cache, uint64_t line)
{
    int64_t at = outer_find(cache, line);

    if (at < 0)
        return false;
    cache->stamps[at] = ++cache->clock;
    return true;
}

uint64_t outer_insert(struct outer_cache *cache, uint64_t line, uint8_t *modified)
{
    uint8_t state = *modified;
    uint32_t first = (uint32_t)(line & (cache->sets - 1)) * cache->ways, victim = first;
    uint32_t oldest = UINT32_MAX; /* the victim's stamp: read again, each way would wait for the one before */
    uint64_t leaving;

    if (!cache->ways)
        return line;
    for (uint32_t i = first; i < first + cache->ways; i++) {
        if (cache->lines[i] == LINE_NONE || cache->lines[i] == line) {
            victim = i;
            break;
        }
        if (cache->stamps[i] < oldest) {
            oldest = cache->stamps[i];
            victim = i;
        }
    }
    leaving = cache->lines[victim];
    *modified = cache->modified[victim];
    cache->lines[victim] = line;
    cache->stamps[victim] = ++cache->clock;
    cache->modified[victim] = leaving == line ? state | *modified : state;
    return leaving == line ? LINE_NONE : leaving;
}
