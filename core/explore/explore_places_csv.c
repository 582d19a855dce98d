/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of core/explore/explore_places.h as CSV. */
#include "core/explore/explore_places.h"
#include "core/profile/csv.h"

/* Writes "Back-end bound [% slots]", "Back-end bound: half of the 95 % interval [% slots]", "Back-end bound: above its
 * threshold". */
static void title(struct out *out, struct explore_sampling of, unsigned node, const char *what, bool has_unit)
{
    const struct explore_node_row *row = &of.method->row[node];
    bool raw = explore_places_raw(of, node);
    char text[120];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    out_printf(&memory.out, "%s%s%s", row->name, raw ? ", raw" : "", what);
    if (has_unit)
        out_printf(&memory.out, " [%s]", raw ? "% cycles" : row->unit_text);
    out_printf(out, ",");
    csv_field(out, text);
}

void explore_places_csv_head(struct out *out, struct explore_sampling of)
{
    uint64_t nodes = explore_places_nodes(of);

    out_printf(out, "row,name,rva,function,file,line,076 CPU_CLK_UNHALTED [samples],part [%% clk]");
    for (unsigned i = 0; i < of.method->rows; i++) {
        if (!(nodes >> i & 1))
            continue;
        title(out, of, i, "", true);
        title(out, of, i, ": half of the 95 % interval", true);
        title(out, of, i, ": above its threshold", false);
    }
    out_printf(out, "\n");
}

/* Writes percent, or a plain number, with all digits that millionths have. */
static void figure(struct out *out, const struct explore_node_row *row, int64_t value)
{
    bool ratio = row->unit == EXPLORE_UNIT_RATIO;
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    out_printf(out, ",%s", value < 0 ? "-" : "");
    out_ratio(out, size, 1000000, ratio ? 1 : 100, ratio ? 6 : 4, 0);
}

static void text_field(struct out *out, const char *text)
{
    out_printf(out, ",");
    csv_field(out, text ? text : "");
}

void explore_places_csv_row(struct out *out, const struct explore_place_row *row, struct explore_sampling of)
{
    uint64_t nodes = explore_places_nodes(of);

    csv_field(out, row->kind);
    text_field(out, row->name);
    if (row->has_rva)
        out_printf(out, ",0x%x", row->rva);
    else
        out_printf(out, ",");
    text_field(out, row->function);
    text_field(out, row->file);
    if (row->line)
        out_printf(out, ",%u", row->line);
    else
        out_printf(out, ",");
    out_printf(out, ",%lu,", row->place.clocks);
    if (row->all_clocks)
        out_ratio(out, row->place.clocks, row->all_clocks, 100, 4, 0);
    for (unsigned i = 0; i < of.method->rows; i++) {
        const struct explore_place_node *node = &row->place.node[i];

        if (!(nodes >> i & 1))
            continue;
        if (!node->known) {
            out_printf(out, ",,,");
            continue;
        }
        figure(out, &of.method->row[i], node->value);
        figure(out, &of.method->row[i], node->half);
        out_printf(out, ",%s", node->flagged ? "*" : "");
    }
    out_printf(out, "\n");
}
