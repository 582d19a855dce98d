/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of core/explore/explore_places.h as text: level 1. */
#include "core/base/mem.h"
#include "core/base/wrap.h"
#include "core/explore/explore_places.h"

enum {
    LINE = 79,
    NAME = 17,
    SHARE = 7,
    CELL = 11,
};

/* Prints "*23.4+-1.1", or "-". */
static void print_cell(struct out *out, const struct explore_place *place, unsigned index)
{
    const struct explore_place_node *node = &place->node[index];
    bool ratio = place->method->row[index].unit == EXPLORE_UNIT_RATIO;
    unsigned scale = ratio ? 1 : 100, digits = ratio && node->value < 10000000 ? 2 : 1; /* "*9.99+-4.99" fits */
    char text[40];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    if (node->known) {
        out_printf(&memory.out, "%s", node->flagged ? "*" : "");
        out_ratio(&memory.out, node->value > 0 ? (uint64_t)node->value : 0, 1000000, scale, digits, 0);
        out_printf(&memory.out, "+-");
        out_ratio(&memory.out, (uint64_t)node->half, 1000000, scale, digits, 0);
    } else {
        out_printf(&memory.out, "-");
    }
    out_printf(out, "%*s", CELL, text);
}

void explore_places_print_row(struct out *out, const struct explore_place_row *row)
{
    if (strlen(row->name) > NAME)
        out_printf(out, "%.*s\n%*s", LINE, row->name, NAME, "");
    else
        out_printf(out, "%-*s", NAME, row->name);
    out_ratio(out, row->place.clocks, row->all_clocks, 100, 1, SHARE);
    for (unsigned i = 0; i < EXPLORE_PLACE_COLUMNS; i++)
        print_cell(out, &row->place, row->place.method->column[i]);
    out_printf(out, "\n");
}

void explore_places_print_head(struct out *out, const char *heading, const char *level)
{
    static const char *const titles[EXPLORE_PLACE_COLUMNS] = {"CPI", "Retiring", "Bad spec.", "Front end", "Back end"};

    out_printf(out, "General Exploration by %s: %% of slots, with 95 %% intervals\n", level);
    out_printf(out, "%-*s%*s", NAME, heading, SHARE, "% clk");
    for (unsigned i = 0; i < EXPLORE_PLACE_COLUMNS; i++)
        out_printf(out, "%*s", CELL, titles[i]);
    out_printf(out, "\n");
}

void explore_places_print_foot(struct out *out, struct explore_sampling of, const char *about_rows)
{
    char text[400];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out,
               "* the whole interval is above the tree's threshold. - the interval is too wide to say anything: more "
               "than 10 points to either side, or half of CPI; more samples make it narrower. The rest up to 100 %% is "
               "%s. The intervals contain only the error of sampling.",
               of.method->left);
    wrap_text(out, text, 0, 0, LINE);
    if (about_rows)
        wrap_text(out, about_rows, 0, 0, LINE);
}

/* ---------------------------------------------------------------- of a profile */

struct table {
    struct out *out;
    struct explore_sampling of;
};

static void level1_row(void *context, const struct explore_place_row *row)
{
    const struct table *table = context;

    explore_places_print_row(table->out, row);
}

static void deep_row(void *context, const struct explore_place_row *row)
{
    const struct table *table = context;

    explore_places_print_deep_row(table->out, row, table->of);
}

void explore_places_print(struct out *out, const struct pmc_profile *profile, enum profile_level level)
{
    bool functions = level == PROFILE_FUNCTIONS;
    const char *name = functions ? "function" : "source line";
    struct table table = {out, explore_places_sampled(profile)};

    if (!explore_places_possible(profile))
        return;
    explore_places_print_head(out, functions ? "Function" : "Line", name);
    explore_places_walk(profile, level, level1_row, &table);
    explore_places_print_foot(
        out, table.of,
        functions ? "Counter samples skid by some instructions, which moves few of them to another function."
                  : "Counter samples skid: look also at the lines before, and at lines that jump here.");
    if (!explore_places_deep(table.of))
        return;
    out_printf(out, "\n");
    explore_places_print_deep_head(out, name);
    explore_places_walk(profile, level, deep_row, &table);
    explore_places_print_deep_foot(out, table.of);
}
