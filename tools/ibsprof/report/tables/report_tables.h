/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a report, one for each view and file: text, CSV and JSON have the same ones, with the same rows. */
#ifndef TOOLS_IBSPROF_REPORT_TABLES_H
#define TOOLS_IBSPROF_REPORT_TABLES_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

struct report_table {
    const struct view *view;
    const char *object;                 /* of Linux files: the program or library that it is of; else NULL */
    bool several;                       /* there are several of these */
    const struct profile *ibs;          /* samples of IBS; or */
    const struct pmc_profile *counters; /* of counters or the timer: the other one is NULL */
    enum profile_level level;
    bool zero; /* no view was named, and there is nothing of what this one looks for: only its name is to be told */
    struct view_options how;
};
typedef void report_table_fn(void *context, const struct report_table *table);

/* Hands out the tables of IBS samples: those that show what costs most first, unless views were named. False, after a
 * complaint: options.object is not there. */
bool report_tables_ibs(const struct run_profile *profile, const struct report_options *options, report_table_fn *table,
                       void *context);

/* Hands out the tables of a run's counters and timer. Returns how many there are. */
unsigned report_tables_counters(const struct pmc_run *run, const struct report_options *options, report_table_fn *table,
                                void *context);

/* Each view that was named can be made of what was counted; an empty table would read as zeroes. profile or counters
 * may be NULL. False after a complaint. */
bool report_tables_are_there(const char *path, const struct report_options *options, const struct run_profile *profile,
                             const struct pmc_run *counters);

/* All of them as CSV or JSON. False, after a complaint, when not all that was named is there. */
bool report_tables_write(struct out_file *out, enum form form, const char *path, const struct run_profile *profile,
                         const struct report_options *options);
bool report_tables_write_counters(struct out_file *out, enum form form, const char *path,
                                  const struct pmc_run *counters, const struct report_options *options);

/* One table as CSV: a row for each row of the text, and what it is first: function (a sum before its instructions, or a
 * row), instruction, line, outside, all. Then object (of Linux files), rva, function, file, line, instruction, and the
 * view's columns: heading, formula and unit. Figures are not rounded; a cell is empty where the text has '-'. */
void report_table_csv(struct out *out, const struct report_table *table, bool with_header);

/* Writes a table as JSON, an object. */
void report_table_json(struct json *json, const struct report_table *table);

#endif
