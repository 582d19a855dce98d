/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration as a table of its own ("report --view=exploration"): the tree of a run of config=explore, or CPI
 * and the tree's rows by function, line, module, process or thread of samples of its events
 * (core/explore/explore_places.h): of our runs from pmc.csv, of Linux' files from perf.data.
 */
#ifndef TOOLS_IBSPROF_REPORT_EXPLORE_H
#define TOOLS_IBSPROF_REPORT_EXPLORE_H

#include "core/explore/explore_places.h"
#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/report/tables/report_text.h"

/* Names what the rows are. */
enum explored_by { EXPLORED_FUNCTIONS, EXPLORED_LINES, EXPLORED_MODULES, EXPLORED_PROCESSES, EXPLORED_THREADS };

/* Rows and the row of all, most clocks first: those that the text has. */
struct explored_rows {
    enum explored_by by;
    struct explore_sampling of;
    struct explored_row {
        struct explore_place_row row;
        char *name;         /* row.name is this, where it has no other owner */
        const char *object; /* of Linux' files; else NULL */
    } * rows;
    uint32_t count;
};

/* Explores one of our runs by functions or lines. False: the run lacks events of level 1. */
bool explored_rows_counters(struct explored_rows *ret, const struct pmc_profile *profile, enum explored_by by);

/* Explores a Linux file. False: the file lacks events of level 1, or its processor is of another family. */
bool explored_rows_linux(struct explored_rows *ret, const struct run_profile *profile, enum explored_by by,
                         const struct report_options *options);
void explored_rows_free(struct explored_rows *rows);

/* The table as text, CSV and JSON: an object. */
void explored_rows_text(struct out *out, const struct explored_rows *rows, bool is_linux);
void explored_rows_csv(struct out *out, const struct explored_rows *rows);
void explored_rows_json(struct json *json, const struct explored_rows *rows);

/* The command's output, --by from the options: text, CSV or JSON. */
enum exit_code report_exploration(const char *path, enum form form, const struct report_options *options,
                                  const struct load_options *load, const char *output);

#endif
