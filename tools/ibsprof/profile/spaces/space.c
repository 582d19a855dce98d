/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/spaces/space.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/search.h"

void space_drop(struct space *space)
{
    if (space && --space->users == 0) {
        free(space->maps);
        free(space);
    }
}

struct space *space_new(const struct space *copied)
{
    struct space *space = must_new(space);

    space->users = 1;
    for (uint32_t i = 0; copied && i < copied->count; i++)
        *must_add(space->maps, space->count) = copied->maps[i];
    return space;
}

uint32_t space_behind(const struct space *space, uint64_t address)
{
    return (uint32_t)search_first(space->count, i, space->maps[i].end > address);
}

const struct map *space_at(const struct space *space, uint64_t address)
{
    uint32_t i = space_behind(space, address);

    return i < space->count && space->maps[i].start <= address ? &space->maps[i] : NULL;
}

void space_insert(struct space *space, uint32_t at, const struct map *map)
{
    (void)must_add(space->maps, space->count);
    memmove(&space->maps[at + 1], &space->maps[at], (space->count - 1 - at) * sizeof(*map));
    space->maps[at] = *map;
}

void space_cut(struct space *space, uint64_t start, uint64_t end)
{
    uint32_t i = space_behind(space, start);

    while (i < space->count && space->maps[i].start < end) {
        struct map *map = &space->maps[i];
        struct map rest = *map;

        if (map->start >= start && map->end <= end) {
            space->count--;
            memmove(map, map + 1, (space->count - i) * sizeof(*map));
            continue;
        }
        if (map->start >= start) { /* keep its end */
            map->page_offset += end - map->start;
            map->start = end;
            return;
        }
        map->end = start;
        i++;
        if (rest.end > end) { /* keep both ends */
            rest.page_offset += end - rest.start;
            rest.start = end;
            space_insert(space, i, &rest);
            return;
        }
    }
}
