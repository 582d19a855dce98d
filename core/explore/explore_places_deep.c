/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of core/explore/explore_places.h as text: levels 2 and 3, a block for each row. */
#include "core/base/wrap.h"
#include "core/explore/explore_places.h"

enum {
    LINE = 79,
    NAME = 34,
    VALUE = 9,
    HALF = 7,
    PART_MIN = 20, /* a row has at least 1 / PART_MIN of the clocks */
};

bool explore_places_deep(struct explore_sampling of)
{
    uint64_t nodes = explore_places_nodes(of);

    for (unsigned i = 0; i < EXPLORE_PLACE_COLUMNS; i++)
        nodes &= ~(1ull << of.method->column[i]);
    return nodes;
}

static void print_node(struct out *out, const struct explore_place_node *node, const struct explore_node_row *row,
                       bool raw)
{
    bool ratio = row->unit == EXPLORE_UNIT_RATIO, negative = node->value < 0;
    unsigned scale = ratio ? 1 : 100, digits = ratio ? 2 : 1, indent = 2 * (row->level - 1u);
    char text[32];
    struct out_memory memory;

    out_printf(out, "%c %*s%-*s", node->flagged ? '*' : ' ', (int)indent, "", (int)(NAME - indent), row->name);
    if (!node->known) {
        out_printf(out, "%*s\n", VALUE, "-");
        return;
    }
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s", negative ? "-" : "");
    out_ratio(&memory.out, negative ? 0 - (uint64_t)node->value : (uint64_t)node->value, 1000000, scale, digits, 0);
    out_printf(out, "%*s +-", VALUE, text);
    out_ratio(out, (uint64_t)node->half, 1000000, scale, digits, HALF);
    out_printf(out, " %s\n", raw ? "% cycles, raw" : row->unit_text);
}

void explore_places_print_deep_head(struct out *out, const char *level)
{
    out_printf(out, "General Exploration by %s: levels 2 and 3, with 95 %% intervals\n", level);
}

void explore_places_print_deep_row(struct out *out, const struct explore_place_row *row, struct explore_sampling of)
{
    uint64_t nodes = explore_places_nodes(of);

    if (row->place.clocks * PART_MIN < row->all_clocks)
        return;
    out_printf(out, "%s: ", row->name);
    out_ratio(out, row->place.clocks, row->all_clocks, 100, 1, 0);
    out_printf(out, " %% of the clocks\n");
    for (unsigned i = 0; i < of.method->rows; i++)
        if ((nodes >> i & 1) && of.method->row[i].level > 1)
            print_node(out, &row->place.node[i], &of.method->row[i], explore_places_raw(of, i));
}

void explore_places_print_deep_foot(struct out *out, struct explore_sampling of)
{
    uint64_t wanted = 0;
    char text[200];
    struct out_memory memory;

    for (unsigned i = 0; i < of.method->rows; i++)
        if (explore_places_raw(of, i) && (explore_places_nodes(of) >> i & 1))
            wanted |= of.method->row[i].inputs & ~of.events;
    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "A row counts only if its parent is above the threshold in the table before.%s",
               explore_has_raw(of.method) ? " raw: cycles with this cause; the causes overlap." : "");
    wrap_text(out, text, 0, 0, LINE);
    if (!wanted)
        return;
    out_memory_init(&memory, text, sizeof(text));
    for (unsigned e = 0; e < of.method->events; e++) {
        const struct explore_event *event = &of.method->event[e];

        if (!(wanted >> e & 1))
            continue;
        out_printf(&memory.out, "%s%03X", memory.needed ? " " : "", event->select);
        if (!of.method->fitted && event->mask)
            out_printf(&memory.out, ":%02X", event->mask);
    }
    out_printf(out, "Raw, because these were not sampled: ");
    wrap_text(out, text, 37, 8, LINE);
}
