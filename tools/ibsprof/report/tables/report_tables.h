/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of a report, one for each view and file; text, CSV and JSON have the same tables and rows. */
#ifndef TOOLS_IBSPROF_REPORT_TABLES_H
#define TOOLS_IBSPROF_REPORT_TABLES_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

struct report_table {
    const struct view *view;
    const char *object;                 /* Linux files: its program or library; otherwise NULL */
    bool several;                       /* there are tables of several objects */
    const struct profile *ibs;          /* IBS samples, or NULL: 'counters' */
    const struct pmc_profile *counters; /* counter or timer samples, or NULL: 'ibs' */
    enum profile_level level;
    bool zero; /* no view was named, and this one has nothing to show: print only its name */
    struct view_options how;
};
typedef void report_table_fn(void *context, const struct report_table *table);

/* Calls table() for each table of IBS samples, first for those that show what costs most, unless views were named.
 * Returns false, after a complaint, if options.object does not exist. */
bool report_tables_ibs(const struct run_profile *profile, const struct report_options *options, report_table_fn *table,
                       void *context);

/* Calls table() for each table of a run's counters and timer. Returns their number. */
unsigned report_tables_counters(const struct pmc_run *run, const struct report_options *options, report_table_fn *table,
                                void *context);

/* Checks that every named view has the counts that it needs, because an empty table would read as zeroes. profile or
 * counters may be NULL. Returns false after a complaint. */
bool report_tables_are_there(const char *path, const struct report_options *options, const struct run_profile *profile,
                             const struct pmc_run *counters);

/* Write all tables as CSV or JSON. Return false, after a complaint, if a named one is missing. */
bool report_tables_write(struct out_file *out, enum form form, const char *path, const struct run_profile *profile,
                         const struct report_options *options);
bool report_tables_write_counters(struct out_file *out, enum form form, const char *path,
                                  const struct pmc_run *counters, const struct report_options *options);

/* Writes one table as CSV, with the rows of the text. The first cell names the row: function (a sum before its
 * instructions, or a row), instruction, line, outside, all. Then object (Linux files), rva, function, file, line,
 * instruction, and the view's columns: heading, formula and unit. Figures are not rounded; a cell is empty where the
 * text has '-'. */
void report_table_csv(struct out *out, const struct report_table *table, bool with_header);

/* Writes a table as a JSON object. */
void report_table_json(struct json *json, const struct report_table *table);

#endif
