/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows of a view's table, in order, for every form of table.
 */
#ifndef CORE_VIEW_WALK_H
#define CORE_VIEW_WALK_H

#include "core/view/view_data.h"

enum view_row_kind {
    VIEW_ROW_SUM,     /* a function, before its instructions; index: the function */
    VIEW_ROW_OF,      /* an instruction, line or function; index: at the level of the table */
    VIEW_ROW_END,     /* no row: the end of a function's instructions, or of all lines or functions */
    VIEW_ROW_OUTSIDE, /* samples outside of the map, when there are any */
    VIEW_ROW_ALL,     /* all samples: the last row */
};

/* values: of view_data_sum(); NULL for VIEW_ROW_END. */
typedef void view_row_fn(void *context, enum view_row_kind kind, uint32_t index, const uint64_t *values);

/* Calls 'row' for each row. A function with at least 1 % of the samples has all its instructions; others have
 * those with samples. Lines and functions: those with samples. */
void view_walk(const struct view_data *data, enum profile_level level, view_row_fn *row, void *context);

#endif
