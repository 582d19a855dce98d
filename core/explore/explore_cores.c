/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees of several cores beside one another. */
#include "core/base/mem.h"
#include "core/base/wrap.h"
#include "core/explore/explore.h"

enum {
    LINE = 79,
    NAME = 34,
    CELL = 10,
};

static bool is_shown(const struct explore_of *trees, unsigned count, unsigned index)
{
    for (unsigned i = 0; i < count; i++)
        if (trees[i].result->node[index].state == EXPLORE_KNOWN)
            return true;
    return false;
}

/* Prints "*23.4", "(1.0)" or "-". */
static void print_cell(struct out *out, const struct explore_node_row *row, const struct explore_node *node)
{
    bool percent = row->unit != EXPLORE_UNIT_RATIO;
    uint64_t size = node->value < 0 ? 0 - (uint64_t)node->value : (uint64_t)node->value;
    char text[32];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    if (node->state == EXPLORE_KNOWN) {
        out_printf(&memory.out, "%s%s",
                   node->flagged  ? "*"
                   : node->greyed ? "("
                                  : "",
                   node->value < 0 && size >= (percent ? 500 : 5000) ? "-" : "");
        out_ratio(&memory.out, size, 1000000, percent ? 100 : 1, percent ? 1 : 2, 0);
        out_printf(&memory.out, "%s", node->greyed ? ")" : "");
    } else {
        out_printf(&memory.out, "-");
    }
    out_printf(out, "%*s", CELL, text);
}

static void print_section(struct out *out, const struct explore_method *method, unsigned row)
{
    for (unsigned i = 0; i < method->sections; i++)
        if (method->section[i].of_cores && method->section[i].first == row)
            out_printf(out, "%s\n", method->section[i].of_cores);
}

static void print_table(struct out *out, const struct explore_of *trees, unsigned count)
{
    const struct explore_method *method = trees[0].result->method; /* the same for all */

    out_printf(out, "\n%-*s", NAME, "General Exploration by core");
    for (unsigned i = 0; i < count; i++)
        out_printf(out, "%*s", CELL, trees[i].name);
    out_printf(out, "\n");
    for (unsigned n = 0; n < method->rows; n++) {
        const struct explore_node_row *row = &method->row[n];
        int indent = 2 * (row->level - 1);

        if (!is_shown(trees, count, n))
            continue;
        print_section(out, method, n);
        out_printf(out, "%*s%-*.*s", indent, "", NAME - indent, NAME - indent, row->name);
        for (unsigned i = 0; i < count; i++)
            print_cell(out, row, &trees[i].result->node[n]);
        out_printf(out, "\n");
    }
}

void explore_print_cores(struct out *out, const struct explore_of *trees, unsigned count)
{
    unsigned failed = 0;

    print_table(out, trees, count);
    for (unsigned i = 0; i < count; i++)
        for (unsigned c = 0; c < trees[i].result->method->checks; c++)
            if (trees[i].result->check[c].verdict == EXPLORE_FAIL) {
                out_printf(out, "FAIL        %s: %s\n", trees[i].name, trees[i].result->method->check[c].says);
                failed++;
            }
    if (!failed)
        out_printf(out, "No check of these cores failed.\n");
    wrap_text(out, "In the units of the tree above. * above its threshold. ( ) its parent is below: no weight.", 0, 0,
              LINE);
}
