/* SPDX-License-Identifier: BSD-2-Clause */
/* Views of a processor: without columns whose registers or counter events it lacks. */
#include "core/view/view.h"

/* Where operands come from: registers of IBS, or counters. */
struct sources {
    const struct derived_set *registers; /* NULL: counters */
    enum event_set events;
};

static bool has_operand(const struct sources *sources, const struct view *view, uint16_t operand)
{
    const struct derived_set *set = sources->registers;

    if (!set && (operand & ~VIEW_INDEX) == VIEW_PMC)
        return event_meaning_of(sources->events, (enum event_meaning)(operand & VIEW_INDEX))->select;
    if (set && (operand & ~VIEW_INDEX) == VIEW_OWN) {
        const struct view_own *own = &view->own[operand & VIEW_INDEX];

        for (unsigned i = 0; i < own->count; i++)
            if (own->terms[i] < DERIVED_COUNT && !set->has[own->terms[i]])
                return false;
        return true;
    }
    return !set || operand >= DERIVED_COUNT || set->has[operand];
}

static bool with(const struct view *view, const struct sources *set, struct view *ret_view)
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

bool view_with_sources(const struct view *view, const struct derived_set *set, struct view *ret_view)
{
    return with(view, &(struct sources){.registers = set}, ret_view);
}

bool view_with_events(const struct view *view, enum event_set set, struct view *ret_view)
{
    *ret_view = *view;
    if (set == EVENT_SET_NONE)
        return true;
    if (!has_operand(&(struct sources){.events = set}, view, view->mark) ||
        !with(view, &(struct sources){.events = set}, ret_view))
        return false;
    if (set != EVENT_SET_10H && view->elsewhere)
        ret_view->footnote = view->elsewhere;
    return true;
}
