/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view/view_columns.h"

#include "core/base/mem.h"

enum {
    FIGURE_MIN = 5,   /* narrowest column, without the blank before it */
    LABEL_ROOMY = 46, /* with labels wider than this, columns are two blanks apart */
    LABEL_MIN = 12,   /* the label is cut no shorter than this; very wide figures then make the line longer */
};

/* Prints one figure with a blank before it. */
static void print_figure(struct out *out, const struct view_columns *columns, unsigned column, const uint64_t *values)
{
    const struct view_column *c = &columns->data->view->columns[column];
    struct view_figure figure = view_data_figure(columns->data, column, values);
    int width = columns->width[column] + 1;

    if (c->kind == VIEW_COUNT) {
        out_printf(out, "%*lu", width, figure.left);
        return;
    }
    if (figure.right == 0 || c->scale != 100) {
        out_ratio(out, figure.left, figure.right, c->scale, c->decimals, width);
        return;
    }
    out_ratio(out, figure.left, figure.right, c->scale, c->decimals, width - 1);
    out_printf(out, "%%");
}

/* Counts the lines of a column's title, 1..3. */
static int title_lines(const char *title)
{
    int lines = 1;

    for (; *title; title++)
        lines += *title == '\n';
    return lines;
}

/* Finds one line of a column's title, counted from its last: 0 is the lowest. Returns its length, 0 when there is
 * none. */
static int title_line(const char *title, int from_below, const char **start)
{
    int skip = title_lines(title) - 1 - from_below, length = 0;

    for (; skip > 0; title++)
        skip -= *title == '\n';
    while (skip == 0 && title[length] && title[length] != '\n')
        length++;
    *start = title;
    return length;
}

/* Makes the columns as wide as their widest figures. Sums are the widest counts, but any row may have the widest
 * average. */
static void fit_figures(struct view_columns *columns)
{
    uint32_t count = levels_count(columns->data->levels, columns->level);
    int widest[VIEW_COLUMNS] = {0};
    uint64_t values[VIEW_VALUES];

    /* Widths of 0 meanwhile: figures as narrow as they are. No figure of a row without samples is wider than that of
     * all samples. */
    for (uint32_t row = 0; row <= count; row++) {
        if (row < count && view_data_empty(columns->data, columns->level, row))
            continue;
        if (row < count)
            view_data_sum(columns->data, columns->level, row, values);
        else
            memcpy(values, columns->data->total, sizeof(values));
        for (unsigned i = 0; i < columns->data->view->column_count; i++) {
            char text[32];
            struct out_memory figure;

            out_memory_init(&figure, text, sizeof(text));
            print_figure(&figure.out, columns, i, values);
            if ((int)figure.needed > widest[i])
                widest[i] = (int)figure.needed;
        }
    }
    memcpy(columns->width, widest, sizeof(widest));
}

void view_columns_lay_out(struct view_columns *columns, int line_width)
{
    int figures = 0;

    fit_figures(columns);
    for (unsigned i = 0; i < columns->data->view->column_count; i++) {
        int width = columns->width[i] > FIGURE_MIN ? columns->width[i] : FIGURE_MIN;

        for (int line = 0; line < title_lines(columns->data->view->columns[i].title); line++) {
            const char *start;
            int length = title_line(columns->data->view->columns[i].title, line, &start);

            if (length > width)
                width = length;
        }
        if (title_lines(columns->data->view->columns[i].title) > columns->head_lines)
            columns->head_lines = title_lines(columns->data->view->columns[i].title);
        columns->width[i] = width;
        figures += width + 1;
    }
    columns->label_width = line_width - figures;
    if (columns->label_width > LABEL_ROOMY + columns->data->view->column_count) {
        for (unsigned i = 0; i < columns->data->view->column_count; i++)
            columns->width[i]++;
        columns->label_width -= columns->data->view->column_count;
    }
    if (columns->label_width < LABEL_MIN)
        columns->label_width = LABEL_MIN;
}

void view_columns_print(struct out *out, const struct view_columns *columns, const uint64_t values[VIEW_VALUES])
{
    for (unsigned i = 0; i < columns->data->view->column_count; i++)
        print_figure(out, columns, i, values);
    out_printf(out, "\n");
}

void view_columns_print_titles(struct out *out, const struct view_columns *columns, int line)
{
    int gap = 0; /* blanks to come: none at the end of a line */

    for (unsigned i = 0; i < columns->data->view->column_count; i++) {
        const char *start;
        int length = title_line(columns->data->view->columns[i].title, line, &start);

        gap += columns->width[i] + 1 - length;
        if (length == 0)
            continue;
        out_printf(out, "%*s%.*s", gap, "", length, start);
        gap = 0;
    }
    out_printf(out, "\n");
}
