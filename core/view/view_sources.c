/* SPDX-License-Identifier: BSD-2-Clause */
/* Views of a processor: without the columns that its registers have no source for. */
#include "core/view/view.h"

static bool has_operand(const struct derived_set *set, const struct view *view, uint16_t operand)
{
    if ((operand & ~VIEW_INDEX) == VIEW_OWN) {
        const struct view_own *own = &view->own[operand & VIEW_INDEX];

        for (unsigned i = 0; i < own->count; i++)
            if (own->terms[i] < DERIVED_COUNT && !set->has[own->terms[i]])
                return false;
        return true;
    }
    return operand >= DERIVED_COUNT || set->has[operand];
}

bool view_with_sources(const struct view *view, const struct derived_set *set, struct view *ret_view)
{
    *ret_view = *view;
    ret_view->column_count = 0;
    if (!has_operand(set, view, view->population))
        return false;
    if (!has_operand(set, view, view->mark))
        ret_view->mark = view->population;
    ret_view->sort = 0;
    for (unsigned c = 0; c < view->column_count; c++) {
        const struct view_column *column = &view->columns[c];

        if (!has_operand(set, view, column->left) ||
            (column->kind == VIEW_SUM && !has_operand(set, view, column->plus)) ||
            (column->kind >= VIEW_RATIO && !has_operand(set, view, column->right)))
            continue;
        ret_view->columns[ret_view->column_count++] = *column;
        if (view->sort == c + 1)
            ret_view->sort = ret_view->column_count;
    }
    return ret_view->column_count > 0;
}
