/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Takes one op sample in each pass (once=yes), at any op of the workload with the same probability. The workload
 * restarts for each pass, so nothing, not even this profiler, disturbed what ran before the sampled op.
 */
#ifndef APP_KINDS_IBS_ONCE_H
#define APP_KINDS_IBS_ONCE_H

#include "app/run/run.h"

/* Makes the plan of such a run; its period is all ops of a pass, for which one sample stands. Returns false after a
 * line in 'problems' if this processor or workload does not allow it. */
bool ibs_once_prepare(struct run *run, const struct options *options, struct out *problems);

/* Counts the ops of a pass, and makes the plan's period exact; keeps the workload's own number if they cannot be
 * counted. */
void ibs_once_count(struct run *run);

/* Returns the IBS plan of the next pass. */
struct ibs_plan ibs_once_plan(const struct run *run);

#endif
