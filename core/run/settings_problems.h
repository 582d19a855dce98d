/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines that tell a user what is wrong with the settings. For settings_parse.c; others use settings_show only.
 */
#ifndef CORE_SETTINGS_PROBLEMS_H
#define CORE_SETTINGS_PROBLEMS_H

#include "core/run/settings.h"

struct settings_problems {
    struct out nowhere; /* takes what is beyond SETTINGS_PROBLEMS_SHOWN */
    struct out *out;
    const char *name;
    unsigned count;
    bool listed;                        /* the known keys were listed */
    bool later_wins;                    /* setting a row twice is no problem */
    unsigned set_on[SETTINGS_ROWS_MAX]; /* line that set the row, 0 = none yet */
};

void settings_problems_init(struct settings_problems *problems, const char *name, struct out *out);

/* Begins the line of a problem: "name:line: ", or "name: " for line 0. The caller writes the rest to the returned
 * output. */
struct out *settings_problem(struct settings_problems *problems, unsigned line);

/* Prints a piece of the user's text in quotes, cut, without anything a console might act on. */
void settings_show(struct out *out, const char *text, size_t length);

/* Says how many problems were not shown, and returns the number of all. */
unsigned settings_problems_end(struct settings_problems *problems);

#endif
