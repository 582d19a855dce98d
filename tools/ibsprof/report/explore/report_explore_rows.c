/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of General Exploration, from pmc.csv or from samples of perf; the contract is in report_explore.h. */
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/profile/event_names.h"
#include "tools/ibsprof/profile/rows.h"
#include "tools/ibsprof/report/explore/report_explore.h"
#include "tools/ibsprof/report/lists/report_lists.h"

enum {
    NAME = 200,
    ROWS_MAX = 20,
    PART_MIN = 200, /* a row has at least 1 / PART_MIN of the clocks */
};

static void add_row(struct explored_rows *rows, const struct explore_place_row *row, const char *object)
{
    struct explored_row *added = must_add(rows->rows, rows->count);

    *added = (struct explored_row){.row = *row, .name = must_copy(row->name), .object = object};
    added->row.name = added->name;
}

void explored_rows_free(struct explored_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        free(rows->rows[i].name);
    free(rows->rows);
    *rows = (struct explored_rows){0};
}

/* ---------------------------------------------------------------- of our runs */

static void take_row(void *context, const struct explore_place_row *row)
{
    add_row(context, row, NULL);
}

bool explored_rows_counters(struct explored_rows *ret, const struct pmc_profile *profile, enum explored_by by)
{
    *ret = (struct explored_rows){.by = by, .of = explore_places_sampled(profile)};
    if (!explore_places_possible(profile) || by > EXPLORED_LINES)
        return false;
    explore_places_walk(profile, by == EXPLORED_LINES ? PROFILE_LINES : PROFILE_FUNCTIONS, take_row, ret);
    return true;
}

/* ---------------------------------------------------------------- of Linux' files */

/* Index of the file's event for each of the tree's; -1: none. */
struct events {
    int of[EXPLORE_EVENTS];
};

static bool is_event(const struct input_facts *facts, uint32_t index, const struct explore_event *wanted)
{
    struct event_spec spec;

    return event_names_spec(facts, index, &spec) && spec.event->select == wanted->select && spec.mask == wanted->mask &&
           !spec.count_mask && !wanted->count_mask && !spec.edge && !spec.invert;
}

static struct explore_sampling find_events(const struct input_facts *facts, struct events *events)
{
    struct explore_sampling of = {.method = explore_of(input_event_set(facts))};

    for (unsigned e = 0; of.method && e < of.method->events; e++) {
        events->of[e] = -1;
        for (uint32_t i = 0; i < facts->event_count && events->of[e] < 0; i++)
            if (is_event(facts, i, &of.method->event[e]))
                events->of[e] = (int)i;
        of.events |= (uint64_t)(events->of[e] >= 0) << e;
    }
    return of;
}

/* Computes a row; counts: samples, indexed as facts.events, followed by the sums of their periods. */
static void compute(struct explore_place_row *row, const struct run_profile *profile, struct explore_sampling of,
                    const struct events *events, const uint64_t *counts)
{
    struct explore_place_samples samples = {.of = of};

    for (unsigned e = 0; e < of.method->events; e++) {
        uint32_t i = (uint32_t)events->of[e];
        uint64_t all;

        if (events->of[e] < 0)
            continue;
        all = profile->event_samples[i];
        samples.event[e] = (struct explore_sampled){
            .samples = counts[i],
            .total = counts[profile->facts->event_count + i],
            .one = all ? profile->event_weights[i] / all : profile->facts->events[i].period,
        };
    }
    explore_place_compute(&row->place, &samples);
    row->all_clocks = profile->event_samples[events->of[EXPLORE_C]];
}

struct linux_rows {
    struct explored_rows *rows;
    const struct run_profile *profile;
    const struct events *events;
};

/* Adds a row. Returns false if it has too few of the clocks. */
static bool add_linux(const struct linux_rows *to, struct explore_place_row *row, const char *object,
                      const uint64_t *counts)
{
    compute(row, to->profile, to->rows->of, to->events, counts);
    if (to->rows->count == ROWS_MAX || row->place.clocks * PART_MIN < row->all_clocks || row->place.clocks == 0)
        return false;
    add_row(to->rows, row, object);
    return true;
}

static void add_places(const struct linux_rows *to, enum explored_by by, const struct measure *clocks)
{
    enum profile_level level = by == EXPLORED_LINES ? PROFILE_LINES : PROFILE_FUNCTIONS;
    struct rows *rows = rows_make(to->profile, level, clocks, false);

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct row *from = &rows->rows[i];
        char name[NAME];
        struct explore_place_row row = {.kind = by == EXPLORED_LINES ? "line" : "function", .name = name};

        row_name(to->profile, from, level, name, sizeof(name));
        row.function = profile_function(to->profile, from->first);
        if (!add_linux(to, &row, profile_object(to->profile, from->first), from->events))
            break; /* rows are sorted in descending order */
    }
    rows_free(rows);
}

static void add_list(const struct linux_rows *to, struct list *list, const char *kind)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct list_row *from = &list->rows[i];
        char name[NAME];
        struct explore_place_row row = {.kind = kind, .name = name};

        if (list->processes)
            snprintf(name, sizeof(name), "%s %u", from->name, from->pid);
        else
            snprintf(name, sizeof(name), "%s", from->name);
        if (!add_linux(to, &row, NULL, from->events))
            break;
    }
    list_free(list);
}

bool explored_rows_linux(struct explored_rows *ret, const struct run_profile *profile, enum explored_by by,
                         const struct report_options *options)
{
    struct report_options sorted = *options;
    struct events events;
    struct explore_place_row all = {.kind = "all", .name = "all samples"};
    const struct linux_rows to = {ret, profile, &events};
    struct list list;

    *ret = (struct explored_rows){.by = by, .of = find_events(profile->facts, &events)};
    if (!explore_places_suffice(ret->of))
        return false;
    sorted.measure = measure_at(profile, (uint32_t)events.of[EXPLORE_C]);
    if (by == EXPLORED_MODULES) {
        list = report_module_list(profile, &sorted);
        add_list(&to, &list, "module");
    } else if (by == EXPLORED_PROCESSES || by == EXPLORED_THREADS) {
        list = report_process_list(profile, &sorted, by == EXPLORED_THREADS);
        add_list(&to, &list, by == EXPLORED_THREADS ? "thread" : "process");
    } else {
        add_places(&to, by, &sorted.measure);
    }
    compute(&all, profile, ret->of, &events, profile->event_samples);
    add_row(ret, &all, NULL);
    return true;
}
