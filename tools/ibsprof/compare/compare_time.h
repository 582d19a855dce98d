/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long the runs of both sides took (compare_node.h): the first figure that a person looks for, and no part of the
 * verdict on profiles. Rows whose figure some run of a side does not have are not known on that side.
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

/* The section of each output; text has none when neither side has a time. */
void compare_time_text(FILE *to, const struct comparison *c, bool colour);
void compare_time_csv(FILE *to, const struct comparison *c);
void compare_time_json(struct json *json, const struct comparison *c);

#endif
