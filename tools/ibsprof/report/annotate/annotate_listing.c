/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/annotate/annotate_listing.h"

#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

enum { SOURCE_LINES_MAX = 400 };

static void add_cell(struct annotate_cell *to, const struct annotate_cell *cell)
{
    to->value += cell->value;
    to->missed += cell->missed;
    to->cycles += cell->cycles;
    to->code = true;
    for (unsigned i = 0; i < ANNOTATE_MORE; i++)
        to->more[i] += cell->more[i];
}

struct annotate_cell annotate_cell_of(const struct annotate_options *options, const struct profile_place *place)
{
    struct annotate_cell cell = {.value = measure_of(&options->measure, place->counts, place->events),
                                 .missed = place->counts[DERIVED_X200_LOAD_DC_MISS],
                                 .cycles = place->counts[DERIVED_F219_DC_LOAD_LATENCY]};

    for (unsigned i = 0; i < options->more_count; i++)
        cell.more[i] = measure_of(&options->more[i], place->counts, place->events);
    return cell;
}

static void collect(struct annotate_listing *listing, const struct annotate_options *options)
{
    for (uint32_t i = 0; i < listing->profile->place_count; i++) {
        const struct profile_place *place = &listing->profile->places[i];
        bool listed = place->insn >= (int32_t)listing->first && place->insn < (int32_t)listing->end;
        struct annotate_cell cell;

        if (place->object != listing->object || (!listed && place->func != (int32_t)listing->func))
            continue;
        cell = annotate_cell_of(options, place);
        if (listed)
            add_cell(&listing->insns[place->insn - (int32_t)listing->first], &cell);
        add_cell(&listing->total, &cell);
    }
    listing->misses = listing->total.missed > 0;
}

void annotate_listing_make(struct annotate_listing *listing, const struct run_profile *profile, uint32_t object,
                           uint32_t func, const struct annotate_options *options)
{
    const struct codemap *map = profile->maps[object];

    *listing = (struct annotate_listing){.profile = profile, .map = map, .object = object, .func = func};
    while (listing->first < map->insn_count && map->insns[listing->first].func != func)
        listing->first++;
    for (listing->end = listing->first; listing->end < map->insn_count && map->insns[listing->end].func == func;)
        listing->end++;
    listing->insns = must_alloc(listing->end - listing->first, sizeof(*listing->insns));
    collect(listing, options);
}

void annotate_listing_free(struct annotate_listing *listing)
{
    free(listing->insns);
}

/* ---------------------------------------------------------------- source lines */

/* Returns the file of most of the function's instructions; UINT16_MAX: none. */
static uint16_t main_file(const struct annotate_listing *listing)
{
    uint32_t *counts = must_alloc(listing->map->file_count, sizeof(*counts));
    uint16_t most = UINT16_MAX;

    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];

        if (insn->file < listing->map->file_count && insn->line > 0)
            counts[insn->file]++;
    }
    for (uint32_t i = 0; i < listing->map->file_count; i++)
        if (counts[i] > 0 && (most == UINT16_MAX || counts[i] > counts[most]))
            most = (uint16_t)i;
    free(counts);
    return most;
}

bool annotate_lines_make(struct annotate_lines *lines, const struct annotate_listing *listing)
{
    uint16_t file = main_file(listing);

    if (file == UINT16_MAX)
        return false;
    *lines = (struct annotate_lines){.file = listing->map->strings + listing->map->files[file], .low = UINT32_MAX};
    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];

        if (insn->file != file || insn->line == 0)
            continue;
        if (insn->line < lines->low)
            lines->low = insn->line;
        if (insn->line > lines->high)
            lines->high = insn->line;
    }
    lines->cells = must_alloc(lines->high - lines->low + 1, sizeof(*lines->cells));
    for (uint32_t i = listing->first; i < listing->end; i++) {
        const struct codemap_insn *insn = &listing->map->insns[i];

        add_cell(insn->file == file && insn->line > 0 ? &lines->cells[insn->line - lines->low] : &lines->elsewhere,
                 &listing->insns[i - listing->first]);
    }
    return true;
}

void annotate_lines_free(struct annotate_lines *lines)
{
    free(lines->cells);
}

bool annotate_line_is_shown(const struct annotate_lines *lines, uint32_t number, const char *text)
{
    return lines->cells[number - lines->low].code || (text && lines->high - lines->low <= SOURCE_LINES_MAX);
}
