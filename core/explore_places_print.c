/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of core/explore_places.h. */
#include "core/explore_places.h"
#include "core/mem.h"
#include "core/str.h"
#include "core/wrap.h"

enum {
    LINE = 79,
    NAME = 17,
    SHARE = 7,
    CELL = 11,
    ROWS_MAX = 20,
    PART_MIN = 200, /* a row has at least 1 / PART_MIN of the clocks */
};

/* "*23.4+-1.1", or "-". */
static void print_cell(struct out *out, const struct explore_place *place, unsigned figure)
{
    unsigned scale = figure == EXPLORE_PLACE_CPI ? 1 : 100, digits = figure == EXPLORE_PLACE_CPI ? 2 : 1;
    int64_t value = place->figure[figure].value;
    char text[40];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    if (place->figure[figure].known) {
        out_printf(&memory.out, "%s", place->figure[figure].flagged ? "*" : "");
        out_ratio(&memory.out, value > 0 ? (uint64_t)value : 0, 1000000, scale, digits, 0);
        out_printf(&memory.out, "+-");
        out_ratio(&memory.out, (uint64_t)place->figure[figure].half, 1000000, scale, digits, 0);
    } else {
        out_printf(&memory.out, "-");
    }
    out_printf(out, "%*s", CELL, text);
}

static void print_name(struct out *out, const struct levels *levels, enum profile_level level, uint32_t row)
{
    const struct codemap *map = levels->map;
    char text[LINE + 1];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    if (level == PROFILE_FUNCTIONS)
        out_printf(&memory.out, "%s", map->strings + map->funcs[row].name);
    else if (levels->lines[row].file < map->file_count && levels->lines[row].line)
        out_printf(&memory.out, "%s:%u", str_basename(map->strings + map->files[levels->lines[row].file]),
                   levels->lines[row].line);
    else
        out_printf(&memory.out, "(line not known)");
    if (memory.needed > NAME)
        out_printf(out, "%s\n%*s", text, NAME, "");
    else
        out_printf(out, "%-*s", NAME, text);
}

static void print_row(struct out *out, const struct explore_place *place, uint64_t all)
{
    out_ratio(out, place->clocks, all, 100, 1, SHARE);
    for (unsigned f = 0; f < EXPLORE_PLACE_FIGURES; f++)
        print_cell(out, place, f);
    out_printf(out, "\n");
}

/* The row with the most clocks of those after (most, row): in descending order, rows of as many by their number. */
static bool next_row(const struct pmc_profile *profile, enum profile_level level, int clocks, uint64_t *most,
                     int64_t *row)
{
    uint64_t best = 0, counts[PMC_PROFILE_EVENTS];
    int64_t found = -1;

    for (uint32_t i = 0; i < levels_count(&profile->levels, level); i++) {
        pmc_profile_sum(profile, level, i, counts);
        if (counts[clocks] > *most || (counts[clocks] == *most && i <= *row) || counts[clocks] <= best)
            continue;
        best = counts[clocks];
        found = i;
    }
    *most = best;
    *row = found;
    return found >= 0;
}

static void print_head(struct out *out, enum profile_level level)
{
    static const char *const titles[EXPLORE_PLACE_FIGURES] = {
        [EXPLORE_PLACE_CPI] = "CPI",         [EXPLORE_PLACE_RETIRING] = "Retiring", [EXPLORE_PLACE_BAD] = "Bad spec.",
        [EXPLORE_PLACE_FRONT] = "Front end", [EXPLORE_PLACE_BACK] = "Back end",
    };

    out_printf(out, "General Exploration by %s: %% of slots, with 95 %% intervals\n",
               level == PROFILE_FUNCTIONS ? "function" : "source line");
    out_printf(out, "%-*s%*s", NAME, level == PROFILE_FUNCTIONS ? "Function" : "Line", SHARE, "% clk");
    for (unsigned f = 0; f < EXPLORE_PLACE_FIGURES; f++)
        out_printf(out, "%*s", CELL, titles[f]);
    out_printf(out, "\n");
}

void explore_places_print(struct out *out, const struct pmc_profile *profile, enum profile_level level)
{
    int clocks = pmc_profile_event(profile, explore_events[EXPLORE_C].select, explore_events[EXPLORE_C].mask);
    uint64_t counts[PMC_PROFILE_EVENTS], most = UINT64_MAX, all;
    struct explore_place place;
    int64_t row = -1;

    if (!explore_places_possible(profile))
        return;
    all = profile->event[clocks].samples;
    print_head(out, level);
    for (unsigned shown = 0; shown < ROWS_MAX && next_row(profile, level, clocks, &most, &row); shown++) {
        if (most * PART_MIN < all)
            break;
        pmc_profile_sum(profile, level, (uint32_t)row, counts);
        (void)explore_place(&place, profile, counts);
        print_name(out, &profile->levels, level, (uint32_t)row);
        print_row(out, &place, all);
    }
    for (unsigned i = 0; i < profile->event_count; i++)
        counts[i] = profile->event[i].samples;
    (void)explore_place(&place, profile, counts);
    out_printf(out, "%-*s", NAME, "all samples");
    print_row(out, &place, all);
    wrap_text(out,
              "* the whole interval is above the tree's threshold. - the interval is too wide to say anything: more "
              "than 10 points to either side, or half of CPI; more samples make it narrower. What is missing to 100 % "
              "is slack. The intervals are of sampling alone.",
              0, 0, LINE);
    wrap_text(out,
              level == PROFILE_FUNCTIONS
                  ? "Counter samples skid by some instructions, which moves few of them to another function."
                  : "Counter samples skid: look at the lines before, too, and at those that jump here.",
              0, 0, LINE);
}
