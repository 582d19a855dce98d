/* SPDX-License-Identifier: BSD-2-Clause */
/* Views named on a command line, built-in or from files. */
#ifndef TOOLS_IBSPROF_REPORT_ASKED_H
#define TOOLS_IBSPROF_REPORT_ASKED_H

#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/views/views.h"

enum { REPORT_FILES = 16 };

struct report_asked {
    const char *files[REPORT_FILES], *names[REPORT_VIEWS];
    unsigned file_count, name_count;
};

/* Take an argument of --views or --view. Return NULL, or the error. */
const char *report_ask_file(struct report_asked *asked, const char *path);
const char *report_ask_view(struct report_asked *asked, const char *name);

/* Loads the files into the set, if views were named, or 'usual' is set, also those in this run's usual places (NULL: no
 * run), and finds the views. Returns false after a complaint if a named file has a problem, or a view does not
 * exist. */
bool report_asked_find(const struct report_asked *asked, const char *run, bool usual, struct views *views,
                       struct report_options *options);

/* Adds views of every event in a run, all_data_op_1 and so on, for "all_data". Returns false after a complaint. */
bool report_all_data(struct views *views, const char *run);

/* Returns whether one of the names is "all_data". */
bool report_asked_all_data(const struct report_asked *asked);

/* Returns whether one of the names is "list"; report_list_views() prints all views on standard output, a line each. */
bool report_asked_list(const struct report_asked *asked);
void report_list_views(const struct views *views);

/* Returns a word for completion, from 0 on; NULL after the last. */
const char *report_view_word(unsigned n);

#endif
