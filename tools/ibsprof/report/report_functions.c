/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of rows over all files; the contract is in report_text.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/str.h"
#include "tools/ibsprof/report/report_text.h"
#include "tools/ibsprof/profile/rows.h"

/*
 *    20369  41.2%   4083  40.1%  multiply_matrices                    ibsboot.elf
 *    |      |       |            |                                    where: file, or [kernel]
 *    |      |       the next column of samples
 *    samples and their share
 */
enum { COLUMNS_MAX = 4, COLUMN_WIDTH = 16, WHERE_WIDTH = 22, NAME_MIN = 16, ROWS_MAX = 40 };

/* A column: IBS ops, IBS fetches, or an event of the file. */
struct columns {
    struct measure measure[COLUMNS_MAX];
    uint64_t total[COLUMNS_MAX];
    unsigned count, left_out;
};

static void add_column(struct columns *columns, const struct run_profile *profile, uint32_t event)
{
    struct measure measure = measure_at(profile, event);

    if (measure_total(&measure, profile) == 0)
        return;
    if (columns->count == COLUMNS_MAX) {
        columns->left_out++;
        return;
    }
    columns->measure[columns->count] = measure;
    columns->total[columns->count++] = measure_total(&measure, profile);
}

static void choose_columns(struct columns *columns, const struct run_profile *profile)
{
    uint32_t events = profile->facts->event_count;

    *columns = (struct columns){0};
    add_column(columns, profile, events + DERIVED_F100_OP_ALL);
    add_column(columns, profile, events + DERIVED_F002_FETCH_ATTEMPTED); /* killed ones never looked up an address */
    for (uint32_t i = 0; i < events; i++)
        if (!sample_is_ibs(profile->facts->events[i].kind))
            add_column(columns, profile, i);
}

static void rule(struct out *out, unsigned width, char c)
{
    for (unsigned i = 0; i < width; i++)
        out->write(out, &c, 1);
    out_printf(out, "\n");
}

static void cut(struct out *out, const char *text, int width, bool fill)
{
    int length = (int)strlen(text);

    if (length > width)
        out_printf(out, "%.*s..", width > 2 ? width - 2 : 0, text);
    else
        out_printf(out, "%-*s", fill ? width : 0, text);
}

static const char *where(const struct run_profile *profile, const struct row *row)
{
    const char *object = str_basename(profile_object(profile, row->first));

    if (row->first->mode == MODE_KERNEL && object[0] != '[')
        return "[kernel]";
    return object;
}

static void print_row(struct out *out, const struct run_profile *profile, const struct columns *columns,
                      const struct row *row, enum profile_level level, bool first, int name_width)
{
    char name[256];

    out_printf(out, "%c", first ? '>' : ' ');
    for (unsigned i = 0; i < columns->count; i++) {
        uint64_t value = measure_of(&columns->measure[i], row->counts, row->events);

        out_printf(out, "%*" PRIu64, COLUMN_WIDTH - 8, value);
        out_ratio(out, value, columns->total[i], 100, 1, 7);
        out_printf(out, "%%");
    }
    row_name(profile, row, level, name, sizeof(name));
    out_printf(out, "  ");
    cut(out, name, name_width, true);
    out_printf(out, " ");
    cut(out, where(profile, row), WHERE_WIDTH, false);
    out_printf(out, "%s\n", row->first->workload ? "" : " *");
}

void report_rows(struct out *out, const struct run_profile *profile, enum profile_level level,
                 const struct report_options *options)
{
    static const char *const titles[] = {"Instruction", "Source line", "Function"};
    struct columns columns;
    struct rows *rows = rows_make(profile, level, &options->measure, false);
    uint64_t all = measure_total(&options->measure, profile);
    bool outside = false;
    int name_width;
    uint32_t shown = 0;

    choose_columns(&columns, profile);
    name_width = (int)options->width - (int)columns.count * COLUMN_WIDTH - WHERE_WIDTH - 6;
    if (name_width < NAME_MIN)
        name_width = NAME_MIN;
    out_printf(out, "\n%ss, sorted by: %s\n", titles[level], options->measure.name);
    rule(out, options->width, '=');
    out_printf(out, " ");
    for (unsigned i = 0; i < columns.count; i++) {
        const char *title = columns.measure[i].derived == DERIVED_F100_OP_ALL            ? "IBS ops"
                            : columns.measure[i].derived == DERIVED_F002_FETCH_ATTEMPTED ? "Fetch attempts"
                                                                                         : columns.measure[i].name;

        out_printf(out, "%*.*s", COLUMN_WIDTH, COLUMN_WIDTH - 1, title);
    }
    out_printf(out, "  %-*s %s\n", name_width, titles[level], "File");
    rule(out, options->width, '-');
    for (; shown < rows->count && shown < ROWS_MAX; shown++) {
        const struct row *row = &rows->rows[shown];
        uint64_t value = measure_of(&options->measure, row->counts, row->events);

        if (shown > 0 && (double)value * 100 < options->min_percent * (double)all)
            break;
        print_row(out, profile, &columns, row, level, shown == 0, name_width);
        outside |= !row->first->workload;
    }
    rule(out, options->width, '-');
    if (shown < rows->count)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", rows->count - shown);
    if (columns.left_out)
        out_printf(out, "%u more events are not shown (--csv has all).\n", columns.left_out);
    if (outside)
        out_printf(out, "* is not part of the workload.\n");
    rows_free(rows);
}
