/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The columns of a view: widths, titles and figures. For view.c only.
 */
#ifndef CORE_VIEW_COLUMNS_H
#define CORE_VIEW_COLUMNS_H

#include "core/view/view_data.h"

struct view_columns {
    const struct view_data *data;
    enum profile_level level;
    int width[VIEW_COLUMNS];
    int label_width; /* columns left for the row's label */
    int head_lines;  /* of the longest title */
};

/* Sets the widths for a table of line_width columns of text. The caller sets data and level, and all else to 0. */
void view_columns_lay_out(struct view_columns *columns, int line_width);

/* Prints the figures of a row, right-aligned, and the end of the line. */
void view_columns_print(struct out *out, const struct view_columns *columns, const uint64_t values[VIEW_VALUES]);

/* Prints one line of the titles, counted from the lowest (0), and the end of the line. */
void view_columns_print_titles(struct out *out, const struct view_columns *columns, int line);

#endif
