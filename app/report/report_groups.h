/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cores that are alike, told together where a run has more of them than a report lists one by one. run.ini and the CSV
 * files have each.
 */
#ifndef APP_REPORT_GROUPS_H
#define APP_REPORT_GROUPS_H

#include "app/run/run.h"

enum { REPORT_LISTED = 48 }; /* as many as a machine of Family 10h has: 8 nodes of 6 cores */

static inline bool report_grouped(const struct run *run)
{
    return run->passes.cores > REPORT_LISTED;
}

/* The second is told with the first. */
typedef bool report_alike(const struct passes_core *first, const struct passes_core *other);

/* In *ret_set those from core i of the run on that are as it is; returns their number. 0: an earlier one is, too, so
 * they have been told. */
unsigned report_group(const struct run *run, unsigned i, report_alike *alike, struct cores_set *ret_set);

/* "1-3,5", from column 'used' on; further lines follow where it is too long. */
void report_core_list(struct out *out, const struct cores_set *set, int used);

/* Writes the list on one line, however long. */
void report_core_line(struct out *out, const struct cores_set *set);

/* The subject of a sentence: "core 5", "cores 1-3,5", or, where that would be long, "67 cores", with their list from
 * report_long_list() after the sentence: a line of its own, or nothing. */
void report_core_names(struct out *out, const struct cores_set *set, unsigned count);
void report_long_list(struct out *out, const struct cores_set *set);

#endif
