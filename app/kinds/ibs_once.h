/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One op sample in each pass (once=yes), on any op of the workload with the same chance: the workload begins anew for
 * each, so nothing before the sampled op was disturbed, not by this profiler either.
 */
#ifndef APP_KINDS_IBS_ONCE_H
#define APP_KINDS_IBS_ONCE_H

#include "app/run/run.h"

/* False after a line in 'problems': this processor, or the workload, does not allow it. Else the plan is that of such a
 * run, whose period is what a sample stands for: all ops of a pass. */
bool ibs_once_prepare(struct run *run, const struct options *options, struct out *problems);

/* Counts the ops of a pass, by which the plan's period becomes exact; where they cannot be counted, the workload's own
 * number stays. */
void ibs_once_count(struct run *run);

/* Returns what a pass is to do. */
struct ibs_plan ibs_once_plan(const struct run *run);

#endif
