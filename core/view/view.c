/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view/view.h"

#include "core/base/heat.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/base/wrap.h"
#include "core/view/view_columns.h"
#include "core/view/view_walk.h"

/*
 * A line of a table at instruction level:
 *
 *   >  1a58 fmul dword ptr [rax+rdx*4]        4123   20.1%       0    4123
 *   |  |    |                                 columns, right-aligned
 *   |  |    text: what is left of the width
 *   |  RVA
 *   mark of the hottest row
 */
enum {
    WIDTH_DEFAULT = 79,
    WIDTH_MIN = 40,
    WIDTH_MAX = 200,
    MARK_WIDTH = 1,
    ADDRESS_WIDTH = 6, /* and a blank */
};

struct table {
    struct out *out;
    const struct view *view;
    struct view_data data;
    enum profile_level level;
    const char *outside;
    int width;
    struct view_columns columns;
    uint64_t most;     /* samples of the mark in the hottest row; 0: no row has any */
    uint32_t hot_rows; /* as many but for chance */
};

static void print_rule(const struct table *table, char c)
{
    for (int i = 0; i < table->width; i++)
        out_printf(table->out, "%c", c);
    out_printf(table->out, "\n");
}

/* Prints text in a field of the given width, at least 2; longer text ends in "..". */
static void print_cut(struct out *out, const char *text, int width)
{
    int length = (int)strlen(text);

    if (length <= width)
        out_printf(out, "%-*s", width, text);
    else
        out_printf(out, "%.*s..", width - 2, text);
}

void view_print_instruction(struct out *out, const char *text, int width)
{
    char shorter[WIDTH_MAX];
    size_t used = 0;

    if ((int)strlen(text) <= width) {
        print_cut(out, text, width);
        return;
    }
    while (*text && used < sizeof(shorter) - 1) {
        if (strlen(text) > 5 && str_is(text, 5, " ptr "))
            text += 4;
        shorter[used++] = *text++;
    }
    shorter[used] = 0;
    print_cut(out, shorter, width);
}

static void print_sum(const struct table *table, const char *label, const uint64_t *counts)
{
    out_printf(table->out, "%*s", MARK_WIDTH, "");
    print_cut(table->out, label, table->columns.label_width - MARK_WIDTH);
    view_columns_print(table->out, &table->columns, counts);
}

static const char *function_name(const struct codemap *map, uint32_t func)
{
    return map->strings + map->funcs[func].name;
}

static void print_line_label(const struct table *table, uint32_t row)
{
    const struct codemap *map = table->data.levels->map;
    const struct profile_line *line = &table->data.levels->lines[row];
    const char *function = function_name(map, map->insns[line->first].func);
    char text[WIDTH_MAX];
    struct out_memory label;

    out_memory_init(&label, text, sizeof(text));
    if (line->file < map->file_count && line->line)
        out_printf(&label.out, "%s:%u  %s", str_basename(map->strings + map->files[line->file]), line->line, function);
    else
        out_printf(&label.out, "(line not known)  %s", function);
    out_printf(table->out, " ");
    print_cut(table->out, text, table->columns.label_width - MARK_WIDTH - 1);
}

static bool is_hot(const struct table *table, const uint64_t *values)
{
    return table->most && view_data_hot(&table->data, table->view->mark, table->most, values);
}

static void print_row(const struct table *table, uint32_t row, const uint64_t *counts)
{
    const struct codemap *map = table->data.levels->map;
    int text_width = table->columns.label_width - MARK_WIDTH - ADDRESS_WIDTH - 1;
    uint16_t mark = table->view->mark;

    if (table->level == PROFILE_INSTRUCTIONS)
        heat_row(table->out, view_data_samples(&table->data, mark, counts),
                 view_data_samples(&table->data, mark, table->data.total));
    out_printf(table->out, "%c", is_hot(table, counts) ? '>' : ' ');
    switch (table->level) {
    case PROFILE_LINES:
        print_line_label(table, row);
        break;
    case PROFILE_FUNCTIONS:
        out_printf(table->out, "%*x ", ADDRESS_WIDTH, map->funcs[row].rva);
        print_cut(table->out, function_name(map, row), text_width);
        break;
    default:
        out_printf(table->out, "%*x ", ADDRESS_WIDTH, map->insns[row].rva);
        view_print_instruction(table->out, map->strings + map->insns[row].text, text_width);
        break;
    }
    view_columns_print(table->out, &table->columns, counts);
}

/* ---------------------------------------------------------------- the table */

static void print_head(const struct table *table)
{
    static const char *const row_titles[] = {
        [PROFILE_INSTRUCTIONS] = "Address Instruction",
        [PROFILE_LINES] = "  Source line",
        [PROFILE_FUNCTIONS] = "Address Function",
    };
    static const char *const by[] = {
        [PROFILE_INSTRUCTIONS] = "by instruction",
        [PROFILE_LINES] = "by source line",
        [PROFILE_FUNCTIONS] = "by function",
    };
    const struct view *view = table->view;

    out_printf(table->out, "%s %s: %s\n", view->title, by[table->level], view->what);
    print_rule(table, '=');
    for (int line = table->columns.head_lines - 1; line >= 0; line--) {
        print_cut(table->out, line == 0 ? row_titles[table->level] : "", table->columns.label_width);
        view_columns_print_titles(table->out, &table->columns, line);
    }
    print_rule(table, '-');
}

/* Returns the samples of the view's population. */
static uint64_t population(const struct table *table, const uint64_t *values)
{
    return view_data_samples(&table->data, table->view->population, values);
}

static void print_any_row(void *context, enum view_row_kind kind, uint32_t index, const uint64_t *values)
{
    const struct table *table = context;

    switch (kind) {
    case VIEW_ROW_SUM:
        print_sum(table, function_name(table->data.levels->map, index), values);
        break;
    case VIEW_ROW_OF:
        print_row(table, index, values);
        break;
    case VIEW_ROW_END:
        print_rule(table, '-');
        break;
    case VIEW_ROW_OUTSIDE:
        print_sum(table, table->outside, values);
        break;
    case VIEW_ROW_ALL:
        print_sum(table, "all samples", values);
        break;
    }
}

static void print_foot(const struct table *table, bool footnote)
{
    const struct view *view = table->view;

    if (!footnote)
        return;
    if (table->hot_rows == 1)
        out_printf(table->out, "> has the most of this event: %s.\n", view_data_name(&table->data, view->mark));
    else if (table->hot_rows > 1)
        out_printf(table->out, "> have the most of this event: %s.\nThese %u rows differ by no more than chance.\n",
                   view_data_name(&table->data, view->mark), table->hot_rows);
    if (table->data.pmc)
        out_printf(table->out, "An interrupt's address is the point of retirement, after the cause (skid).\n%s",
                   table->level == PROFILE_FUNCTIONS
                       ? ""
                       : "Samples at the target of a branch may belong to the code that jumps there.\n");
    if (view->footnote)
        wrap_text(table->out, view->footnote, 0, 0, WIDTH_DEFAULT);
}

static void find_hottest(struct table *table)
{
    uint16_t mark = table->view->mark;
    int32_t hottest = view_data_hottest(&table->data, table->level, mark);
    uint64_t values[VIEW_VALUES];

    if (hottest < 0)
        return;
    view_data_sum(&table->data, table->level, (uint32_t)hottest, values);
    table->most = view_data_samples(&table->data, mark, values);
    table->hot_rows = view_data_hot_rows(&table->data, table->level, mark, table->most);
}

static void print_table(struct table *table, const struct view_options *options)
{
    static const struct view_options defaults;

    if (!options)
        options = &defaults;
    table->width = options->width ? options->width : WIDTH_DEFAULT;
    if (table->width < WIDTH_MIN)
        table->width = WIDTH_MIN;
    if (table->width > WIDTH_MAX)
        table->width = WIDTH_MAX;
    table->data.order = options->order;
    table->outside = options->outside ? options->outside : "outside of the workloads";
    if (population(table, table->data.total) == 0) {
        out_printf(table->out, "%s: no samples\n", table->view->title);
        return;
    }
    if (!options->outside && population(table, table->data.outside) == population(table, table->data.total)) {
        out_printf(table->out, "%s: only samples outside of the workloads\n", table->view->title);
        return;
    }
    find_hottest(table);
    table->columns = (struct view_columns){.data = &table->data, .level = table->level};
    view_columns_lay_out(&table->columns, table->width);
    print_head(table);
    view_walk(&table->data, table->level, print_any_row, table);
    print_foot(table, !options->no_footnote);
}

void view_print(struct out *out, const struct view *view, const struct profile *profile, enum profile_level level,
                const struct view_options *options)
{
    struct table table = {.out = out, .view = view, .level = level};

    if (view_data_init(&table.data, view, profile, NULL, out))
        print_table(&table, options);
}

void view_print_pmc(struct out *out, const struct view *view, const struct pmc_profile *profile,
                    enum profile_level level, const struct view_options *options)
{
    struct table table = {.out = out, .view = view, .level = level};

    if (view_data_init(&table.data, view, NULL, profile, out))
        print_table(&table, options);
}
