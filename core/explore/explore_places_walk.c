/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of the table of core/explore/explore_places.h. */
#include "core/base/str.h"
#include "core/explore/explore_places.h"

enum {
    NAME = 80,
    ROWS_MAX = 20,
    PART_MIN = 200, /* a row has at least 1 / PART_MIN of the clocks */
};

static int clocks_of(const struct pmc_profile *profile)
{
    const struct explore_event *clocks = &explore_of(profile->set)->event[EXPLORE_C];

    return pmc_profile_event(profile, clocks->select, clocks->mask);
}

/* Finds the row with the most clocks of those after (most, row): in descending order, equal ones by their number. */
static bool next_row(const struct pmc_profile *profile, enum profile_level level, uint64_t *most, int64_t *row)
{
    uint64_t best = 0;
    unsigned clocks = (unsigned)clocks_of(profile);
    int64_t found = -1;

    for (uint32_t i = 0; i < levels_count(&profile->levels, level); i++) {
        uint64_t samples = pmc_profile_sum_of(profile, level, i, clocks);

        if (samples > *most || (samples == *most && i <= *row) || samples <= best)
            continue;
        best = samples;
        found = i;
    }
    *most = best;
    *row = found;
    return found >= 0;
}

static void name_line(struct explore_place_row *row, const struct levels *levels, uint32_t index, char text[NAME])
{
    const struct profile_line *line = &levels->lines[index];
    struct out_memory memory;

    row->kind = "line";
    row->name = "(line not known)";
    if (line->file >= levels->map->file_count || !line->line)
        return;
    row->file = levels->map->strings + levels->map->files[line->file];
    row->line = line->line;
    out_memory_init(&memory, text, NAME);
    out_printf(&memory.out, "%s:%u", str_basename(row->file), row->line);
    row->name = text;
}

static void name_row(struct explore_place_row *row, const struct levels *levels, enum profile_level level,
                     uint32_t index, char text[NAME])
{
    const struct codemap *map = levels->map;
    uint32_t first = levels_first(levels, level, index);

    row->has_rva = true;
    row->rva = map->insns[first].rva;
    row->function = map->strings + map->funcs[map->insns[first].func].name;
    row->kind = "function";
    row->name = row->function;
    if (level == PROFILE_LINES)
        name_line(row, levels, index, text);
}

void explore_places_walk(const struct pmc_profile *profile, enum profile_level level, explore_places_fn *use,
                         void *context)
{
    uint64_t counts[PMC_PROFILE_EVENTS], most = UINT64_MAX, all;
    struct explore_place_row last = {.kind = "all", .name = "all samples"};
    char text[NAME];
    int64_t index = -1;

    if (!explore_places_possible(profile))
        return;
    all = profile->event[clocks_of(profile)].samples;
    for (unsigned shown = 0; shown < ROWS_MAX && next_row(profile, level, &most, &index); shown++) {
        struct explore_place_row row = {.all_clocks = all};

        if (most * PART_MIN < all)
            break;
        pmc_profile_sum(profile, level, (uint32_t)index, counts);
        (void)explore_place(&row.place, profile, counts);
        name_row(&row, &profile->levels, level, (uint32_t)index, text);
        use(context, &row);
    }
    for (unsigned i = 0; i < profile->event_count; i++)
        counts[i] = profile->event[i].samples;
    (void)explore_place(&last.place, profile, counts);
    last.all_clocks = all;
    use(context, &last);
}
