/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/str.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/lists/report_columns.h"

enum { NAME_MIN = 16, PID_WIDTH = 8 };

struct list_row *list_add(struct list *list, const struct run_profile *profile, const char *name)
{
    struct list_row *row = must_add(list->rows, list->count);

    *row = (struct list_row){.name = name, .events = must_alloc(2 * profile->facts->event_count, sizeof(uint64_t))};
    return row;
}

void list_free(struct list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->rows[i].events);
    free(list->rows);
}

static bool has_more(const struct list_row *a, const struct list_row *b, const struct measure *measure)
{
    return measure_of(measure, a->counts, a->events) > measure_of(measure, b->counts, b->events);
}

static int by_measure(const void *left, const void *right, void *measure)
{
    const struct list_row *a = *(const struct list_row *const *)left, *b = *(const struct list_row *const *)right;

    if (has_more(a, b, measure) || has_more(b, a, measure))
        return has_more(a, b, measure) ? -1 : 1;
    return a < b ? -1 : 1; /* both are in one array */
}

void list_sort(struct list *list, const struct report_options *options)
{
    struct list_row **order = must_alloc(list->count, sizeof(*order)), *sorted;
    struct measure measure = options->measure;

    for (uint32_t i = 0; i < list->count; i++)
        order[i] = &list->rows[i];
    qsort_r(order, list->count, sizeof(*order), by_measure, &measure);
    sorted = must_alloc(list->count, sizeof(*sorted));
    for (uint32_t i = 0; i < list->count; i++)
        sorted[i] = *order[i];
    free(order);
    free(list->rows);
    list->rows = sorted;
}

void list_text(struct out *out, const struct run_profile *profile, const struct list *list,
               const struct report_options *options)
{
    const char *title = list->threads ? "Thread" : list->processes ? "Process" : "Module";
    struct report_columns columns;
    bool outside = false;
    int width;

    report_columns_choose(&columns, profile);
    width = (int)options->width - columns.all_widths - 5 - (list->processes ? PID_WIDTH + 1 : 0);
    if (width < NAME_MIN)
        width = NAME_MIN;
    out_printf(out, "\n%s%s, sorted by: %s\n", title, list->processes && !list->threads ? "es" : "s",
               options->measure.name);
    report_rule(out, options->width, '=');
    out_printf(out, " ");
    report_columns_titles(out, &columns);
    if (list->processes)
        out_printf(out, " %*s", PID_WIDTH, "Number");
    out_printf(out, "  %s\n", title);
    report_rule(out, options->width, '-');
    for (uint32_t i = 0; i < list->count; i++) {
        const struct list_row *row = &list->rows[i];

        out_printf(out, "%c", i == 0 ? '>' : ' ');
        report_columns_print(out, &columns, row->counts, row->events);
        if (list->processes)
            out_printf(out, " %*u", PID_WIDTH, row->pid);
        out_printf(out, "  ");
        report_cut(out, list->processes ? row->name : str_basename(row->name), width, false);
        out_printf(out, "%s\n", list->processes || row->workload ? "" : " *");
        outside |= !list->processes && !row->workload;
    }
    report_rule(out, options->width, '-');
    if (columns.left_out)
        out_printf(out, "%u more events are not shown (--csv has all).\n", columns.left_out);
    if (outside)
        out_printf(out, "* is not part of the workload.\n");
}

void list_csv(struct out *out, const struct run_profile *profile, const struct list *list)
{
    out_printf(out, list->threads ? "tid,thread" : list->processes ? "pid,process" : "module,workload");
    report_columns_csv_titles(out, profile);
    out_printf(out, "\n");
    for (uint32_t i = 0; i < list->count; i++) {
        const struct list_row *row = &list->rows[i];

        if (list->processes)
            out_printf(out, "%" PRIu32 ",", row->pid);
        csv_field(out, row->name);
        if (!list->processes)
            out_printf(out, ",%s", profile->outside_unknown ? "" : row->workload ? "1" : "0");
        report_columns_csv(out, profile, row->counts, row->events);
        out_printf(out, "\n");
    }
}
