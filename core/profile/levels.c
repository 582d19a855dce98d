/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/profile/levels.h"

#include "core/base/mem.h"

/* The memory is laid out as lines, line_of, next: descending alignment, so nothing needs padding. */
_Static_assert(sizeof(struct profile_line) == 8, "line_of follows without padding");

size_t levels_memory_size(const struct codemap *map)
{
    size_t per_insn = sizeof(struct profile_line) + 2 * sizeof(uint32_t);

    return (map->insn_count * per_insn + 7) & ~(size_t)7;
}

static bool line_before(const struct profile_line *a, const struct codemap_insn *b)
{
    return a->file != b->file ? a->file < b->file : a->line < b->line;
}

/* Finds the place of the instruction's line in the sorted array, or where to insert it. */
static uint32_t line_place(const struct levels *levels, const struct codemap_insn *insn)
{
    uint32_t low = 0, high = levels->line_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (line_before(&levels->lines[middle], insn))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool line_is_at(const struct levels *levels, uint32_t place, const struct codemap_insn *insn)
{
    return place < levels->line_count && levels->lines[place].file == insn->file &&
           levels->lines[place].line == insn->line;
}

void levels_init(struct levels *levels, const struct codemap *map, void *memory)
{
    *levels = (struct levels){.map = map, .lines = memory};
    levels->line_of = (uint32_t *)(levels->lines + map->insn_count);
    for (uint32_t i = 0; i < map->insn_count; i++) {
        uint32_t place = line_place(levels, &map->insns[i]);

        if (line_is_at(levels, place, &map->insns[i]))
            continue;
        memmove(&levels->lines[place + 1], &levels->lines[place],
                (levels->line_count - place) * sizeof(levels->lines[0]));
        levels->lines[place] =
            (struct profile_line){.first = i, .file = map->insns[i].file, .line = map->insns[i].line};
        levels->line_count++;
    }
    levels->next = levels->line_of + map->insn_count;
    for (uint32_t place = 0; place < levels->line_count; place++)
        levels->lines[place].first = LEVELS_END;
    for (uint32_t i = map->insn_count; i-- > 0;) {
        uint32_t place = line_place(levels, &map->insns[i]);

        levels->line_of[i] = place;
        levels->next[i] = levels->lines[place].first;
        levels->lines[place].first = i;
    }
}

uint32_t levels_count(const struct levels *levels, enum profile_level level)
{
    switch (level) {
    case PROFILE_LINES:
        return levels->line_count;
    case PROFILE_FUNCTIONS:
        return levels->map->func_count;
    default:
        return levels->map->insn_count;
    }
}

uint32_t levels_of(const struct levels *levels, enum profile_level level, uint32_t insn)
{
    switch (level) {
    case PROFILE_LINES:
        return levels->line_of[insn];
    case PROFILE_FUNCTIONS:
        return levels->map->insns[insn].func;
    default:
        return insn;
    }
}

/* Finds a function's first instruction; they are adjacent. */
static uint32_t first_of_function(const struct codemap *map, uint32_t func)
{
    uint32_t low = 0, high = map->insn_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (map->insns[middle].func < func)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t levels_first(const struct levels *levels, enum profile_level level, uint32_t row)
{
    const struct codemap *map = levels->map;
    uint32_t first = row;

    if (row >= levels_count(levels, level))
        return LEVELS_END;
    if (level == PROFILE_LINES)
        return levels->lines[row].first;
    if (level == PROFILE_FUNCTIONS)
        first = first_of_function(map, row);
    return first < map->insn_count && levels_of(levels, level, first) == row ? first : LEVELS_END;
}

uint32_t levels_next(const struct levels *levels, enum profile_level level, uint32_t insn)
{
    const struct codemap *map = levels->map;

    if (level == PROFILE_LINES)
        return levels->next[insn];
    return level == PROFILE_FUNCTIONS && insn + 1 < map->insn_count &&
                   map->insns[insn + 1].func == map->insns[insn].func
               ? insn + 1
               : LEVELS_END;
}
