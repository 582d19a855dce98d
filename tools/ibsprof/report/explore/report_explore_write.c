/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of report_explore.h as text, CSV and JSON. */
#include "tools/ibsprof/report/explore/report_explore.h"

#include "core/base/wrap.h"

enum { LINE = 79 };

static const struct {
    const char *heading, *level, *about;
} kinds[] = {
    [EXPLORED_FUNCTIONS] = {"Function", "function",
                            "Counter samples skid by some instructions, which moves few of them to another function."},
    [EXPLORED_LINES] = {"Line", "source line",
                        "Counter samples skid: look also at the lines before, and at lines that jump here."},
    [EXPLORED_MODULES] = {"Module", "module", NULL},
    [EXPLORED_PROCESSES] = {"Process", "process", NULL},
    [EXPLORED_THREADS] = {"Thread", "thread", NULL},
};

void explored_rows_text(struct out *out, const struct explored_rows *rows, bool is_linux)
{
    explore_places_print_head(out, kinds[rows->by].heading, kinds[rows->by].level);
    for (uint32_t i = 0; i < rows->count; i++)
        explore_places_print_row(out, &rows->rows[i].row);
    explore_places_print_foot(out, rows->of, kinds[rows->by].about);
    if (explore_places_deep(rows->of)) {
        out_printf(out, "\n");
        explore_places_print_deep_head(out, kinds[rows->by].level);
        for (uint32_t i = 0; i < rows->count; i++)
            explore_places_print_deep_row(out, &rows->rows[i].row, rows->of);
        explore_places_print_deep_foot(out, rows->of);
    }
    if (is_linux)
        wrap_text(out,
                  "If perf counted more than four events, they took turns, and their samples are not scaled: figures "
                  "are right only if all had equal parts of the run.",
                  0, 0, LINE);
}

void explored_rows_csv(struct out *out, const struct explored_rows *rows)
{
    explore_places_csv_head(out, rows->of);
    for (uint32_t i = 0; i < rows->count; i++)
        explore_places_csv_row(out, &rows->rows[i].row, rows->of);
}

/* ---------------------------------------------------------------- JSON */

static void write_column(struct json *json, struct explore_sampling of, unsigned node)
{
    const struct explore_node_row *row = &of.method->row[node];
    bool raw = explore_places_raw(of, node);

    json_object(json);
    json_key_text(json, "name", row->name);
    json_key_text(json, "unit", raw ? "% cycles" : row->unit_text);
    json_key_bool(json, "ratio", row->unit == EXPLORE_UNIT_RATIO);
    json_key_uint(json, "level", row->level);
    json_key_bool(json, "raw", raw);
    json_key_uint(json, "limit_ppm", row->limit_ppm);
    json_end(json);
}

static void write_figures(struct json *json, const struct explore_place *place, uint64_t nodes)
{
    json_key_array(json, "figures");
    for (unsigned i = 0; i < place->method->rows; i++) {
        const struct explore_place_node *node = &place->node[i];

        if (!(nodes >> i & 1))
            continue;
        if (!node->known) {
            json_null(json);
            continue;
        }
        json_object(json);
        json_key_int(json, "value_ppm", node->value);
        json_key_int(json, "half_ppm", node->half);
        json_key_bool(json, "flagged", node->flagged);
        json_end(json);
    }
    json_end(json);
}

static void write_row(struct json *json, const struct explored_row *from, uint64_t nodes)
{
    const struct explore_place_row *row = &from->row;

    json_object(json);
    json_key_text(json, "row", row->kind);
    json_key_text(json, "name", row->name);
    if (from->object)
        json_key_text(json, "object", from->object);
    if (row->has_rva)
        json_key_hex(json, "rva", row->rva);
    if (row->function)
        json_key_text(json, "function", row->function);
    if (row->file)
        json_key_text(json, "file", row->file);
    if (row->line)
        json_key_uint(json, "line", row->line);
    json_key_uint(json, "clocks", row->place.clocks);
    json_key_real(json, "part", row->all_clocks ? (double)row->place.clocks / (double)row->all_clocks : 0);
    write_figures(json, &row->place, nodes);
    json_end(json);
}

void explored_rows_json(struct json *json, const struct explored_rows *rows)
{
    uint64_t nodes = explore_places_nodes(rows->of);

    json_object(json);
    json_key_text(json, "by", kinds[rows->by].level);
    json_key_array(json, "columns");
    for (unsigned i = 0; i < rows->of.method->rows; i++)
        if (nodes >> i & 1)
            write_column(json, rows->of, i);
    json_end(json);
    json_key_array(json, "rows");
    for (uint32_t i = 0; i < rows->count; i++)
        write_row(json, &rows->rows[i], nodes);
    json_end(json);
    json_end(json);
}
