/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration as a table of its own ("report --view=exploration"): the tree of a run of config=explore, or CPI
 * and the tree's rows by function, line, module, process or thread, from samples of its events
 * (core/explore/explore_places.h): of our runs from pmc.csv, of Linux' files from perf.data.
 */
#ifndef TOOLS_IBSPROF_REPORT_EXPLORE_H
#define TOOLS_IBSPROF_REPORT_EXPLORE_H

#include "core/explore/explore_places.h"
#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/report/tables/report_text.h"

/* Says what a row is. */
enum explored_by { EXPLORED_FUNCTIONS, EXPLORED_LINES, EXPLORED_MODULES, EXPLORED_PROCESSES, EXPLORED_THREADS };

/* Rows of the text, sorted by clocks, the most first, and their total. */
struct explored_rows {
    enum explored_by by;
    struct explore_sampling of;
    struct explored_row {
        struct explore_place_row row;
        char *name;         /* memory of row.name, if no other owner has it */
        const char *object; /* Linux' files; otherwise NULL */
    } * rows;
    uint32_t count;
};

/* Explores one of our runs by functions or lines. Returns false if it lacks events of level 1. */
bool explored_rows_counters(struct explored_rows *ret, const struct pmc_profile *profile, enum explored_by by);

/* Explores a Linux file. Returns false if it lacks events of level 1, or is from another family. */
bool explored_rows_linux(struct explored_rows *ret, const struct run_profile *profile, enum explored_by by,
                         const struct report_options *options);
void explored_rows_free(struct explored_rows *rows);

/* Write the table as text, CSV, or a JSON object. */
void explored_rows_text(struct out *out, const struct explored_rows *rows, bool is_linux);
void explored_rows_csv(struct out *out, const struct explored_rows *rows);
void explored_rows_json(struct json *json, const struct explored_rows *rows);

/* Writes the command's output with --by from the options: text, CSV or JSON. */
enum exit_code report_exploration(const char *path, enum form form, const struct report_options *options,
                                  const struct load_options *load, const char *output);

#endif
