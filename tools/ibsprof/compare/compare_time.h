/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares the run times of both sides (compare_node.h): the first figure that users look for, but not part of the
 * verdict on profiles. A row is known on a side if all of its runs have the figure.
 */
#ifndef TOOLS_IBSPROF_COMPARE_TIME_H
#define TOOLS_IBSPROF_COMPARE_TIME_H

#include "tools/ibsprof/compare/compare_node.h"

enum { COMPARE_TIMES = 3 };

struct compare_times {
    struct compare_node node[COMPARE_TIMES];
};

/* Reads the times of all runs into c->times. */
void compare_time(struct comparison *c);

/* Write the section of each output; text has none if neither side has a time. */
void compare_time_text(FILE *to, const struct comparison *c, bool colour);
void compare_time_csv(FILE *to, const struct comparison *c);
void compare_time_json(struct json *json, const struct comparison *c);

#endif
