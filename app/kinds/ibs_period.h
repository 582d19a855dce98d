/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the automatic period of IBS, and the number of passes. */
#ifndef APP_KINDS_IBS_PERIOD_H
#define APP_KINDS_IBS_PERIOD_H

#include "app/run/run.h"

enum {
    IBS_FETCHES_PER_OPS = 2 /* a fetch block holds a few ops: fewer fetch samples than op samples, but not many fewer */
};

/* Returns the period for 'samples' op samples of one run of the workload on all cores, within the processor's limits
 * and at least 'low'. */
uint32_t ibs_period_for(const struct workload *workload, const uint32_t *params, unsigned cores, uint64_t samples,
                        uint32_t low);

/* Returns the period without a reference, for some 50,000 samples whatever they change: at least 512 on a model; at
 * least 65536 on silicon, where an interrupt takes thousands of cycles (FreeBSD sys/dev/hwpmc/hwpmc_ibs.h:
 * "experimentally stable"). */
uint32_t ibs_period_alone(const struct run *run);

/* Returns the period with which the search begins when there is a reference. */
uint32_t ibs_period_first(const struct run *run);

/* Returns about how many op and fetch samples the passes will record; an upper limit while the search may still
 * lengthen the periods. */
uint64_t ibs_period_expects(const struct run *run);

/* Returns the number of sampling passes, with the reference's, 'sampled'. */
unsigned ibs_period_passes(const struct run *run, unsigned sampled);

/* Searches for the shortest periods that change nothing beyond one standard error of what the samples tell
 * (disturbance_calm()): starts from the plan's, and doubles both. Sets the plan's periods, run->ibs.wanted to the
 * number of passes, and run->ibs.repeats to the passes already made. The reference's undisturbed part must have been
 * measured. */
void ibs_period_choose(struct run *run);

/* Judges, once the samples are in the profile, what the reference leaves open. */
void ibs_period_judge(struct run *run);

#endif
