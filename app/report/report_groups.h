/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Groups cores that are alike, in reports of more than REPORT_LISTED cores. run.ini and the CSV files have each core.
 */
#ifndef APP_REPORT_GROUPS_H
#define APP_REPORT_GROUPS_H

#include "app/run/run.h"

enum { REPORT_LISTED = 48 }; /* the largest machine of Family 10h: 8 nodes of 6 cores */

static inline bool report_grouped(const struct run *run)
{
    return run->passes.cores > REPORT_LISTED;
}

/* Returns whether one line may describe both cores. */
typedef bool report_alike(const struct passes_core *first, const struct passes_core *other);

/* Fills *ret_set with the run's cores that are like core i, and returns their number; 0: an earlier core has reported
 * this group. */
unsigned report_group(const struct run *run, unsigned i, report_alike *alike, struct cores_set *ret_set);

/* Prints "1-3,5" from column 'used' on, in several lines if needed. */
void report_core_list(struct out *out, const struct cores_set *set, int used);

/* Writes the list on one line, however long. */
void report_core_line(struct out *out, const struct cores_set *set);

/* Prints the subject of a sentence: "core 5", "cores 1-3,5", or, if that is too long, "67 cores"; report_long_list()
 * then prints the list on a line after the sentence. */
void report_core_names(struct out *out, const struct cores_set *set, unsigned count);
void report_long_list(struct out *out, const struct cores_set *set);

#endif
