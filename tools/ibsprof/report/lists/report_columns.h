/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns of lists over a whole file: IBS ops, attempted fetches, and the file's other events. */
#ifndef TOOLS_IBSPROF_REPORT_COLUMNS_H
#define TOOLS_IBSPROF_REPORT_COLUMNS_H

#include "core/base/out.h"
#include "tools/ibsprof/profile/measure.h"

enum { REPORT_COLUMNS_MAX = 4, REPORT_COLUMN_WIDTH = 16, REPORT_SHARE_WIDTH = 8 };

struct report_columns {
    struct measure measure[REPORT_COLUMNS_MAX];
    uint64_t total[REPORT_COLUMNS_MAX];
    int width[REPORT_COLUMNS_MAX]; /* REPORT_COLUMN_WIDTH, or more for long figures */
    unsigned count, left_out;
    int all_widths; /* sum of the columns' widths */
};

/* Selects the columns with samples, as many as fit. */
void report_columns_choose(struct report_columns *columns, const struct run_profile *profile);

/* Print titles; and a row's figures with their shares. */
void report_columns_titles(struct out *out, const struct report_columns *columns);
void report_columns_print(struct out *out, const struct report_columns *columns, const uint64_t *counts,
                          const uint64_t *events);

/* Write the columns as CSV: all derived events, if IBS was sampled, then the samples of all other events. Each cell
 * begins with a comma.
 */
void report_columns_csv_titles(struct out *out, const struct run_profile *profile);
void report_columns_csv(struct out *out, const struct run_profile *profile, const uint64_t *counts,
                        const uint64_t *events);

/* Writes the title of a measure's column: "F206 IBS DC miss [samples]", "cycles [events]"; without a comma. */
void report_measure_title(struct out *out, const struct run_profile *profile, const struct measure *measure);

/* Prints a table's rule of this width. */
void report_rule(struct out *out, unsigned width, char c);

/* Prints text cut to 'width' columns, padded with blanks. */
void report_cut(struct out *out, const char *text, int width, bool fill);

#endif
