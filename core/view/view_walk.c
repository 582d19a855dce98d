/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/view/view_walk.h"

enum { WHOLE_SHARE = 100 }; /* functions with less than this part of the samples are not listed whole */

struct walk {
    const struct view_data *data;
    view_row_fn *row;
    void *context;
};

/* Returns the samples of the view's population. */
static uint64_t population(const struct walk *walk, const uint64_t *values)
{
    return view_data_samples(walk->data, walk->data->view->population, values);
}

static void walk_function(const struct walk *walk, uint32_t func, const uint64_t *sum)
{
    const struct levels *levels = walk->data->levels;
    bool whole = population(walk, sum) >= population(walk, walk->data->total) / WHOLE_SHARE;

    walk->row(walk->context, VIEW_ROW_SUM, func, sum);
    for (uint32_t i = levels_first(levels, PROFILE_FUNCTIONS, func); i != LEVELS_END;
         i = levels_next(levels, PROFILE_FUNCTIONS, i)) {
        uint64_t values[VIEW_VALUES];

        view_data_sum(walk->data, PROFILE_INSTRUCTIONS, i, values);
        if (whole || population(walk, values))
            walk->row(walk->context, VIEW_ROW_OF, i, values);
    }
    walk->row(walk->context, VIEW_ROW_END, func, NULL);
}

void view_walk(const struct view_data *data, enum profile_level level, view_row_fn *row, void *context)
{
    const struct walk walk = {data, row, context};
    bool instructions = level == PROFILE_INSTRUCTIONS;
    enum profile_level outer = instructions ? PROFILE_FUNCTIONS : level;
    uint64_t values[VIEW_VALUES];

    /* Lines without samples are skipped. */
    for (uint32_t i = 0; i < levels_count(data->levels, outer); i++) {
        uint32_t index = data->order ? data->order[i] : i;

        if (view_data_empty(data, outer, index))
            continue;
        view_data_sum(data, outer, index, values);
        if (population(&walk, values) == 0)
            continue;
        if (instructions)
            walk_function(&walk, index, values);
        else
            row(context, VIEW_ROW_OF, index, values);
    }
    if (!instructions)
        row(context, VIEW_ROW_END, 0, NULL);
    if (population(&walk, data->outside))
        row(context, VIEW_ROW_OUTSIDE, 0, data->outside);
    row(context, VIEW_ROW_ALL, 0, data->total);
}
