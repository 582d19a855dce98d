/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/lists/report_columns.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/profile/csv.h"

static bool has_ibs(const struct run_profile *profile)
{
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (sample_is_ibs(profile->facts->events[i].kind))
            return true;
    return false;
}

static void add_column(struct report_columns *columns, const struct run_profile *profile, uint32_t event)
{
    struct measure measure = measure_at(profile, event);
    int width;

    if (measure_total(&measure, profile) == 0)
        return;
    if (columns->count == REPORT_COLUMNS_MAX) {
        columns->left_out++;
        return;
    }
    columns->measure[columns->count] = measure;
    columns->total[columns->count] = measure_total(&measure, profile);
    width = snprintf(NULL, 0, " %" PRIu64, columns->total[columns->count]) + REPORT_SHARE_WIDTH;
    columns->width[columns->count] = width > REPORT_COLUMN_WIDTH ? width : REPORT_COLUMN_WIDTH;
    columns->all_widths += columns->width[columns->count++];
}

void report_columns_choose(struct report_columns *columns, const struct run_profile *profile)
{
    uint32_t events = profile->facts->event_count;

    *columns = (struct report_columns){0};
    add_column(columns, profile, events + DERIVED_F100_OP_ALL);
    /* Without killed fetches, which never looked up an address. */
    add_column(columns, profile, events + DERIVED_F002_FETCH_ATTEMPTED);
    for (uint32_t i = 0; i < events; i++)
        if (!sample_is_ibs(profile->facts->events[i].kind))
            add_column(columns, profile, i);
}

void report_columns_titles(struct out *out, const struct report_columns *columns)
{
    for (unsigned i = 0; i < columns->count; i++) {
        const char *title = columns->measure[i].derived == DERIVED_F100_OP_ALL            ? "IBS ops"
                            : columns->measure[i].derived == DERIVED_F002_FETCH_ATTEMPTED ? "Fetch attempts"
                                                                                          : columns->measure[i].name;

        out_printf(out, "%*.*s", columns->width[i], columns->width[i] - 1, title);
    }
}

void report_columns_print(struct out *out, const struct report_columns *columns, const uint64_t *counts,
                          const uint64_t *events)
{
    for (unsigned i = 0; i < columns->count; i++) {
        uint64_t value = measure_of(&columns->measure[i], counts, events);

        out_printf(out, "%*" PRIu64, columns->width[i] - REPORT_SHARE_WIDTH, value);
        out_ratio(out, value, columns->total[i], 100, 1, 7);
        out_printf(out, "%%");
    }
}

void report_columns_csv_titles(struct out *out, const struct run_profile *profile)
{
    for (int i = 0; has_ibs(profile) && i < DERIVED_COUNT; i++) {
        if (!profile_has(profile, i))
            continue;
        out_printf(out, ",");
        csv_event(out, (enum derived)i);
    }
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        char text[200];

        if (sample_is_ibs(profile->facts->events[i].kind))
            continue;
        snprintf(text, sizeof(text), "%s [samples]", profile->facts->events[i].name);
        out_printf(out, ",");
        csv_field(out, text);
    }
}

void report_columns_csv(struct out *out, const struct run_profile *profile, const uint64_t *counts,
                        const uint64_t *events)
{
    for (int i = 0; has_ibs(profile) && i < DERIVED_COUNT; i++)
        if (profile_has(profile, i))
            out_printf(out, ",%" PRIu64, counts[i]);
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (profile->facts->events[i].not_measured)
            out_printf(out, ",");
        else if (!sample_is_ibs(profile->facts->events[i].kind))
            out_printf(out, ",%" PRIu64, events[i]);
}

void report_measure_title(struct out *out, const struct run_profile *profile, const struct measure *measure)
{
    char text[200];

    if (measure->derived >= 0) {
        csv_event(out, (enum derived)measure->derived);
        return;
    }
    snprintf(text, sizeof(text), "%s [%s]", profile->facts->events[measure->event % profile->facts->event_count].name,
             measure->unit);
    csv_field(out, text);
}

void report_rule(struct out *out, unsigned width, char c)
{
    for (unsigned i = 0; i < width; i++)
        out->write(out, &c, 1);
    out_printf(out, "\n");
}

void report_cut(struct out *out, const char *text, int width, bool fill)
{
    int length = (int)strlen(text);

    if (length > width)
        out_printf(out, "%.*s..", width > 2 ? width - 2 : 0, text);
    else
        out_printf(out, "%-*s", fill ? width : 0, text);
}
