/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/report_tables.h"

#include <string.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/profile/view_profile.h"

enum { FAIR_PERCENT = 1 }; /* files with less of the samples get no tables of their own */

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

/* ---------------------------------------------------------------- IBS */

static bool is_shown(const struct run_profile *profile, const struct report_options *options, const struct view *view)
{
    enum sample_kind kind = view_kind(view);

    if ((kind != SAMPLE_OP && kind != SAMPLE_FETCH) || profile->samples[kind] == 0)
        return false;
    return options->view_count == 0 ? view->paper : is_asked_for(options, view);
}

/* The tables of one object. */
static void object_tables(const struct run_profile *profile, uint32_t object, const struct report_options *options,
                          report_table_fn *write, void *context)
{
    struct view_profile core;
    struct report_table table = {
        .object = profile->facts->is_linux ? profile->objects[object]->name : NULL,
        .several = profile->object_count > 1,
        .ibs = &core.profile,
        .level = level_of(options),
        .how = {.width = (uint8_t)options->width, .outside = profile->facts->is_linux ? "not listed" : NULL},
    };

    table.how.only_sampled = table.level != PROFILE_INSTRUCTIONS;
    view_profile_make(&core, profile, object, options->min_percent / 100);
    for (unsigned i = 0; (table.view = view_at(i)); i++)
        if (is_shown(profile, options, table.view) && core.taken[view_kind(table.view)] > 0)
            write(context, &table);
    view_profile_free(&core);
}

/* "libc.so.6" and "/usr/lib/.../libc.so.6" name the same file. */
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

static bool there(const struct pmc_profile *profile, uint16_t operand)
{
    const struct view_event *event;

    if (operand < VIEW_PMC || operand >= VIEW_PMC_END)
        return operand == VIEW_TIMER && pmc_profile_timer(profile) >= 0;
    event = &view_events[operand - VIEW_PMC];
    return pmc_profile_event(profile, event->select, event->mask) >= 0;
}

bool report_pmc_has(const struct pmc_run *run, const struct view *view)
{
    for (unsigned i = 0; i < view->column_count; i++) {
        const struct view_column *column = &view->columns[i];

        if (!there(&run->profile, column->left) || (column->kind == VIEW_SUM && !there(&run->profile, column->plus)) ||
            (column->kind >= VIEW_RATIO && !there(&run->profile, column->right)))
            return false;
    }
    return true;
}

unsigned report_tables_counters(const struct pmc_run *run, const struct report_options *options, report_table_fn *table,
                                void *context)
{
    struct report_table one = {
        .counters = &run->profile, .level = level_of(options), .how = {.width = (uint8_t)options->width}};
    unsigned shown = 0;

    one.how.only_sampled = one.level != PROFILE_INSTRUCTIONS;
    for (unsigned v = 0; v < view_count_pmc; v++) {
        one.view = &view_table_pmc[v];
        if (!report_pmc_has(run, one.view) || (options->view_count > 0 && !is_asked_for(options, one.view)))
            continue;
        table(context, &one);
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
        bool has = kind == SAMPLE_OP || kind == SAMPLE_FETCH ? profile && profile->samples[kind] > 0
                                                             : counters && report_pmc_has(counters, view);

        if (!has)
            complain("%s: no table '%s': its events were not counted", path, view->name);
        good &= has;
    }
    return good;
}
