/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of rows over all files; the contract is in report_text.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/str.h"
#include "tools/ibsprof/report/lists/report_columns.h"
#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/profile/rows.h"

/*
 *    20369  41.2%   4083  40.1%  multiply_matrices                    ibsboot.elf
 *    |      |       |            |                                    where: file, or [kernel]
 *    |      |       the next column of samples
 *    samples and their share
 */
enum { WHERE_WIDTH = 22, NAME_MIN = 16, ROWS_MAX = 40 };

static const char *where(const struct run_profile *profile, const struct row *row)
{
    const char *object = str_basename(profile_object(profile, row->first));

    if (row->first->mode == MODE_KERNEL && object[0] != '[')
        return "[kernel]";
    return object;
}

static void print_row(struct out *out, const struct run_profile *profile, const struct report_columns *columns,
                      const struct row *row, enum profile_level level, bool first, int name_width)
{
    char name[256];

    out_printf(out, "%c", first ? '>' : ' ');
    report_columns_print(out, columns, row->counts, row->events);
    row_name(profile, row, level, name, sizeof(name));
    out_printf(out, "  ");
    report_cut(out, name, name_width, true);
    out_printf(out, " ");
    report_cut(out, where(profile, row), WHERE_WIDTH, false);
    out_printf(out, "%s\n", row->first->workload ? "" : " *");
}

void report_rows(struct out *out, const struct run_profile *profile, enum profile_level level,
                 const struct report_options *options)
{
    static const char *const titles[] = {"Instruction", "Source line", "Function"};
    struct report_columns columns;
    struct rows *rows = rows_make(profile, level, &options->measure, false);
    uint64_t all = measure_total(&options->measure, profile);
    bool outside = false;
    int name_width;
    uint32_t shown = 0;

    report_columns_choose(&columns, profile);
    name_width = (int)options->width - columns.all_widths - WHERE_WIDTH - 6;
    if (name_width < NAME_MIN)
        name_width = NAME_MIN;
    out_printf(out, "\n%ss, sorted by: %s\n", titles[level], options->measure.name);
    report_rule(out, options->width, '=');
    out_printf(out, " ");
    report_columns_titles(out, &columns);
    out_printf(out, "  %-*s %s\n", name_width, titles[level], "File");
    report_rule(out, options->width, '-');
    for (; shown < rows->count && shown < ROWS_MAX; shown++) {
        const struct row *row = &rows->rows[shown];
        uint64_t value = measure_of(&options->measure, row->counts, row->events);

        if (shown > 0 && (double)value * 100 < options->min_percent * (double)all)
            break;
        print_row(out, profile, &columns, row, level, shown == 0, name_width);
        outside |= !row->first->workload;
    }
    report_rule(out, options->width, '-');
    if (shown < rows->count)
        out_printf(out, "%u more rows have less (--limit=PERCENT, or --csv for all).\n", rows->count - shown);
    if (columns.left_out)
        out_printf(out, "%u more events are not shown (--csv has all).\n", columns.left_out);
    if (outside)
        out_printf(out, "* is not part of the workload.\n");
    rows_free(rows);
}
