/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/tables/report_tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/view/view_data.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/profile/view_profile.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/views/views.h"
#include "tools/ibsprof/profile/no_source.h"

enum { FAIR_PERCENT = 1 }; /* files with a smaller percentage of the samples get no tables */

static bool is_asked_for(const struct report_options *options, const struct view *view)
{
    for (unsigned i = 0; i < options->view_count; i++)
        if (options->views[i] == view)
            return true;
    return false;
}

static enum profile_level level_of(const struct report_options *options)
{
    return options->level < 0 ? PROFILE_INSTRUCTIONS : (enum profile_level)options->level;
}

/* ---------------------------------------------------------------- order of rows */

/* A row and its figure in the view's sort column; without one (nothing to divide) it is last. */
struct ranked {
    double figure;
    uint32_t index;
};

static int by_figure(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->figure != b->figure)
        return a->figure > b->figure ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Sorts functions, or lines, by that column, the largest first. */
static uint32_t *order_of(const struct report_table *table)
{
    enum profile_level level = table->level == PROFILE_LINES ? PROFILE_LINES : PROFILE_FUNCTIONS;
    unsigned column = table->view->sort - 1u;
    struct view_data data;
    struct ranked *rows;
    uint32_t *order, count;

    if (!view_data_init(&data, table->view, table->ibs, table->counters, NULL))
        return NULL;
    count = levels_count(data.levels, level);
    rows = must_alloc(count, sizeof(*rows));
    order = must_alloc(count, sizeof(*order));
    for (uint32_t i = 0; i < count; i++) {
        uint64_t values[VIEW_VALUES];
        struct view_figure figure;

        view_data_sum(&data, level, i, values);
        figure = view_data_figure(&data, column, values);
        rows[i] = (struct ranked){figure.right ? (double)figure.left / (double)figure.right : -1, i};
    }
    qsort(rows, count, sizeof(*rows), by_figure);
    for (uint32_t i = 0; i < count; i++)
        order[i] = rows[i].index;
    free(rows);
    return order;
}

static void write_sorted(const struct report_table *table, report_table_fn *write, void *context)
{
    struct report_table sorted = *table;
    uint32_t *order = table->view->sort ? order_of(table) : NULL;

    sorted.how.order = order;
    write(context, &sorted);
    free(order);
}

/* ---------------------------------------------------------------- IBS */

static bool is_shown(const struct run_profile *profile, const struct profile *core,
                     const struct report_options *options, const struct view *view)
{
    enum sample_kind kind = view_kind(view);

    if ((kind != SAMPLE_OP && kind != SAMPLE_FETCH) || profile->samples[kind] == 0)
        return false;
    return options->view_count == 0 ? view_by_default(view, core) : is_asked_for(options, view);
}

/* Returns whether nothing is marked in the view's rows, and columns have nothing but totals. */
static bool is_zero(const struct report_table *table)
{
    const struct view *view = table->view;
    struct view_data data;

    if (!view_data_init(&data, view, table->ibs, NULL, NULL) || view_data_samples(&data, view->mark, data.total) > 0)
        return false;
    for (unsigned column = 0; column < view->column_count; column++)
        if (view->columns[column].left != view->population && view_data_figure(&data, column, data.total).left > 0)
            return false;
    return true;
}

static bool is_among(const struct view *view, const struct view *const *views, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (views[i] == view)
            return true;
    return false;
}

/* Makes the tables of one object. */
static void object_tables(const struct run_profile *profile, uint32_t object, const struct report_options *options,
                          report_table_fn *write, void *context)
{
    const struct view *first[CAUSE_VIEWS_MAX];
    unsigned count = options->view_count == 0 ? report_cause_views(profile, first) : 0;
    struct view_profile core;
    const struct view *view;
    struct report_table table = {
        .object = profile->facts->is_linux ? profile->objects[object]->name : NULL,
        .several = profile->object_count > 1,
        .ibs = &core.profile,
        .level = level_of(options),
        .how = {.width = (uint8_t)options->width, .outside = profile->facts->is_linux ? "not listed" : NULL},
    };

    view_profile_make(&core, profile, object, options->min_percent / 100);
    for (unsigned i = 0; (view = i < count ? first[i] : views_at(options->own_views, i - count)); i++) {
        struct view part;

        table.view = &part;
        if (i >= count && (is_among(view, first, count) || !is_shown(profile, &core.profile, options, view)))
            continue;
        if (core.taken[view_kind(view)] == 0 || !no_source_view(profile, view, &part))
            continue;
        table.zero = options->view_count == 0 && is_zero(&table);
        write_sorted(&table, write, context);
    }
    view_profile_free(&core);
}

/* Returns whether the name is the object's: "libc.so.6" also names "/usr/lib/.../libc.so.6". */
static bool is_named(const struct object *object, const char *name)
{
    size_t length = strlen(object->name), tail = strlen(name);

    return strcmp(object->name, name) == 0 ||
           (length > tail && object->name[length - tail - 1] == '/' && strcmp(object->name + length - tail, name) == 0);
}

static uint64_t object_samples(const struct run_profile *profile, uint32_t object)
{
    uint64_t samples = 0;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (place->object == object && place->workload)
            samples += place->counts[DERIVED_F100_OP_ALL] + place->counts[DERIVED_F002_FETCH_ATTEMPTED];
    }
    return samples;
}

bool report_tables_ibs(const struct run_profile *profile, const struct report_options *options, report_table_fn *table,
                       void *context)
{
    uint64_t all = profile->samples[SAMPLE_OP] + profile->samples[SAMPLE_FETCH];
    uint32_t most = main_object(profile), shown = 0;

    for (uint32_t i = 0; i < profile->object_count; i++) {
        uint64_t samples = object_samples(profile, i);
        bool wanted = options->object ? is_named(profile->objects[i], options->object)
                                      : samples > 0 && (i == most || samples * 100 >= all * FAIR_PERCENT);

        if (!wanted || (!profile->objects[i]->path && !profile->objects[i]->listed))
            continue;
        object_tables(profile, i, options, table, context);
        shown++;
    }
    if (shown == 0 && options->object) {
        complain("no samples in a file named '%s', or the file was not found", options->object);
        return false;
    }
    return true;
}

/* ---------------------------------------------------------------- counters and timer */

/* Returns whether the run counted all events of the view that its processor has; ret_view has their columns. */
static bool counted_all(const struct pmc_run *run, const struct view *view, struct view *ret_view)
{
    enum sample_kind kind = view_kind(view);

    return (kind == SAMPLE_PMC || kind == SAMPLE_TIMER) && view_with_events(view, run->profile.set, ret_view) &&
           view_measured(ret_view, &run->profile);
}

unsigned report_tables_counters(const struct pmc_run *run, const struct report_options *options, report_table_fn *table,
                                void *context)
{
    struct report_table one = {
        .counters = &run->profile, .level = level_of(options), .how = {.width = (uint8_t)options->width}};
    const struct view *view;
    unsigned shown = 0;

    for (unsigned v = 0; (view = views_at(options->own_views, v)); v++) {
        bool wanted = options->view_count > 0 ? is_asked_for(options, view) : view_find(view->name) != NULL;
        struct view part;

        if (!wanted || !counted_all(run, view, &part))
            continue;
        one.view = &part;
        write_sorted(&one, table, context);
        shown++;
    }
    return shown;
}

bool report_tables_are_there(const char *path, const struct report_options *options, const struct run_profile *profile,
                             const struct pmc_run *counters)
{
    bool good = true;

    for (unsigned i = 0; i < options->view_count && !options->all_views; i++) {
        const struct view *view = options->views[i];
        enum sample_kind kind = view_kind(view);
        struct view part;
        bool has = kind == SAMPLE_OP || kind == SAMPLE_FETCH ? profile && profile->samples[kind] > 0
                                                             : counters && counted_all(counters, view, &part);

        if (!has)
            complain("%s: no table '%s': its events were not counted", path, view->name);
        good &= has;
    }
    return good;
}
