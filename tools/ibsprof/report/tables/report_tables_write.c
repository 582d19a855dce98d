/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of views as CSV and JSON; the contract is in report_tables.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/profile/csv.h"
#include "core/view/view_walk.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/report/tables/report_tables.h"
#include "tools/ibsprof/views/views.h"

enum { TITLE_SIZE = 260, UNIT_SIZE = 24 };

/* Describes a row; NULL and 0 mean that it has no such value. */
struct row_label {
    const char *kind;
    bool has_rva;
    uint32_t rva, line;
    const char *function, *file, *instruction;
};

static bool begin(struct view_data *data, const struct report_table *table)
{
    if (!view_data_init(data, table->view, table->ibs, table->counters, NULL))
        return false;
    data->order = table->how.order;
    return true;
}

static void name_code(struct row_label *label, const struct codemap *map, uint32_t insn)
{
    const struct codemap_insn *code = &map->insns[insn];

    label->has_rva = true;
    label->rva = code->rva;
    label->function = map->strings + map->funcs[code->func].name;
    label->file = code->file < map->file_count ? map->strings + map->files[code->file] : NULL;
    label->line = code->line;
}

static struct row_label label_of(const struct levels *levels, enum profile_level level, enum view_row_kind kind,
                                 uint32_t index)
{
    const struct codemap *map = levels->map;
    bool function = kind == VIEW_ROW_SUM || (kind == VIEW_ROW_OF && level == PROFILE_FUNCTIONS);
    struct row_label label = {.kind = kind == VIEW_ROW_OUTSIDE ? "outside" : kind == VIEW_ROW_ALL ? "all" : NULL};

    if (function) {
        label.kind = "function";
        label.has_rva = true;
        label.rva = map->funcs[index].rva;
        label.function = map->strings + map->funcs[index].name;
    } else if (!label.kind && level == PROFILE_LINES) {
        label.kind = "line";
        name_code(&label, map, levels->lines[index].first);
    } else if (!label.kind) {
        label.kind = "instruction";
        name_code(&label, map, index);
        label.instruction = map->strings + map->insns[index].text;
    }
    return label;
}

/* ---------------------------------------------------------------- columns */

/* Writes a formula: "F206", "F219/X200", "(045+046)/0C0", "F100/all F100" */
static void formula(const struct view *view, const struct view_column *column, char text[TITLE_SIZE])
{
    struct out_memory memory;

    out_memory_init(&memory, text, TITLE_SIZE);
    views_write_formula(view, column, &memory.out);
}

/* Returns NULL for none. */
static const char *unit(const struct view *view, const struct view_column *column, char text[UNIT_SIZE])
{
    uint32_t first =
        (column->left & ~VIEW_INDEX) == VIEW_OWN ? view->own[column->left & VIEW_INDEX].terms[0] : column->left;

    if (column->kind == VIEW_COUNT)
        return first < DERIVED_COUNT ? derived_unit_name(&derived_events[first]) : "samples";
    if (column->scale == 1 || column->scale == 100)
        return column->scale == 100 ? "%" : NULL;
    snprintf(text, UNIT_SIZE, "per %u", column->scale);
    return text;
}

/* Writes the heading in one line: "Mispre-
 * dicted" is "Mispredicted". */
static void heading(const struct view_column *column, char text[TITLE_SIZE])
{
    const char *from = column->title;

    for (; *from; from++)
        if (from[0] == '-' && from[1] == '\n')
            from++;
        else
            *text++ = *from == '\n' ? ' ' : *from;
    *text = '\0';
}

/* ---------------------------------------------------------------- figures */

static double figure_of(const struct view_column *column, struct view_figure figure)
{
    return (double)figure.left * column->scale / (double)figure.right;
}

static void csv_figure(struct out *out, const struct view_data *data, unsigned column, const uint64_t *values)
{
    struct view_figure figure = view_data_figure(data, column, values);
    char text[40];

    out_printf(out, ",");
    if (data->view->columns[column].kind == VIEW_COUNT) {
        out_printf(out, "%lu", figure.left);
    } else if (figure.right > 0) {
        snprintf(text, sizeof(text), "%.15g", figure_of(&data->view->columns[column], figure));
        out_printf(out, "%s", text);
    }
}

/* ---------------------------------------------------------------- CSV */

struct csv {
    struct out *out;
    const struct report_table *table;
    struct view_data data;
};

static void csv_header(struct out *out, const struct report_table *table)
{
    out_printf(out, "row,%srva,function,file,line,instruction", table->object ? "object," : "");
    for (unsigned i = 0; i < table->view->column_count; i++) {
        char title[TITLE_SIZE], made_of[TITLE_SIZE], unit_text[UNIT_SIZE], text[3 * TITLE_SIZE];
        const char *of_unit = unit(table->view, &table->view->columns[i], unit_text);

        heading(&table->view->columns[i], title);
        formula(table->view, &table->view->columns[i], made_of);
        snprintf(text, sizeof(text), "%s (%s)%s%s%s", title, made_of, of_unit ? " [" : "", of_unit ? of_unit : "",
                 of_unit ? "]" : "");
        out_printf(out, ",");
        csv_field(out, text);
    }
    out_printf(out, "\n");
}

static void csv_text(struct out *out, const char *text)
{
    out_printf(out, ",");
    csv_field(out, text ? text : "");
}

static void csv_row(void *context, enum view_row_kind kind, uint32_t index, const uint64_t *values)
{
    const struct csv *csv = context;
    struct out *out = csv->out;
    struct row_label label;

    if (kind == VIEW_ROW_END)
        return;
    label = label_of(csv->data.levels, csv->table->level, kind, index);
    out_printf(out, "%s", label.kind);
    if (csv->table->object)
        csv_text(out, csv->table->object);
    if (label.has_rva)
        out_printf(out, ",0x%x", label.rva);
    else
        out_printf(out, ",");
    csv_text(out, label.function);
    csv_text(out, label.file);
    if (label.line)
        out_printf(out, ",%u", label.line);
    else
        out_printf(out, ",");
    csv_text(out, label.instruction);
    for (unsigned i = 0; i < csv->table->view->column_count; i++)
        csv_figure(out, &csv->data, i, values);
    out_printf(out, "\n");
}

void report_table_csv(struct out *out, const struct report_table *table, bool with_header)
{
    struct csv csv = {.out = out, .table = table};

    if (!begin(&csv.data, table))
        return;
    if (with_header)
        csv_header(out, table);
    view_walk(&csv.data, table->level, csv_row, &csv);
}

/* ---------------------------------------------------------------- JSON */

struct json_table {
    struct json *json;
    const struct report_table *table;
    struct view_data data;
};

static void json_row(void *context, enum view_row_kind kind, uint32_t index, const uint64_t *values)
{
    const struct json_table *table = context;
    struct json *json = table->json;
    struct row_label label;

    if (kind == VIEW_ROW_END)
        return;
    label = label_of(table->data.levels, table->table->level, kind, index);
    json_object(json);
    json_key_text(json, "row", label.kind);
    if (label.has_rva)
        json_key_hex(json, "rva", label.rva);
    if (label.function)
        json_key_text(json, "function", label.function);
    if (label.file)
        json_key_text(json, "file", label.file);
    if (label.line)
        json_key_uint(json, "line", label.line);
    if (label.instruction)
        json_key_text(json, "instruction", label.instruction);
    json_key_array(json, "values");
    for (unsigned i = 0; i < table->table->view->column_count; i++) {
        struct view_figure figure = view_data_figure(&table->data, i, values);
        const struct view_column *column = &table->table->view->columns[i];

        if (column->kind == VIEW_COUNT)
            json_uint(json, figure.left);
        else if (figure.right > 0)
            json_real(json, figure_of(column, figure));
        else
            json_null(json);
    }
    json_end(json);
    json_end(json);
}

void report_table_json(struct json *json, const struct report_table *table)
{
    static const char *const levels[] = {"instruction", "line", "function"};
    struct json_table one = {.json = json, .table = table};

    if (!begin(&one.data, table))
        return;
    json_object(json);
    json_key_text(json, "view", table->view->name);
    json_key_text(json, "title", table->view->title);
    json_key_text(json, "what", table->view->what);
    json_key_text(json, "by", levels[table->level]);
    if (table->object)
        json_key_text(json, "object", table->object);
    json_key_array(json, "columns");
    for (unsigned i = 0; i < table->view->column_count; i++) {
        char text[TITLE_SIZE];

        json_object(json);
        heading(&table->view->columns[i], text);
        json_key_text(json, "title", text);
        formula(table->view, &table->view->columns[i], text);
        json_key_text(json, "formula", text);
        json_key_text(json, "unit", unit(table->view, &table->view->columns[i], text));
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "rows");
    view_walk(&one.data, table->level, json_row, &one);
    json_end(json);
    json_end(json);
}
