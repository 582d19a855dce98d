/* SPDX-License-Identifier: BSD-2-Clause */
/* The views that a command line names, of those that are compiled and those of files. */
#ifndef TOOLS_IBSPROF_REPORT_ASKED_H
#define TOOLS_IBSPROF_REPORT_ASKED_H

#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/views/views.h"

enum { REPORT_FILES = 16 };

struct report_asked {
    const char *files[REPORT_FILES], *names[REPORT_VIEWS];
    unsigned file_count, name_count;
};

/* For --views and --view: NULL, or what is wrong. */
const char *report_ask_file(struct report_asked *asked, const char *path);
const char *report_ask_view(struct report_asked *asked, const char *name);

/* Loads the files into the set, if views were named or 'usual' those in the usual places of this run (NULL: none), and
 * finds the views. False after a complaint: a file that was named has a problem, or there is no such view. */
bool report_asked_find(const struct report_asked *asked, const char *run, bool usual, struct views *views,
                       struct report_options *options);

/* Adds to the set views of every event that a run has, all_data_op_1 and so on, for "all_data". False after a
 * complaint. */
bool report_all_data(struct views *views, const char *run);

/* One of the names is "all_data". */
bool report_asked_all_data(const struct report_asked *asked);

/* One of the names is "list"; all views, a line each, on standard output. */
bool report_asked_list(const struct report_asked *asked);
void report_list_views(const struct views *views);

/* Returns what completion offers, from 0 on; NULL after the last. */
const char *report_view_word(unsigned n);

#endif
