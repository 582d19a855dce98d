/* SPDX-License-Identifier: BSD-2-Clause */
/* The automatic period of IBS, and how often the workload is sampled. */
#ifndef APP_KINDS_IBS_PERIOD_H
#define APP_KINDS_IBS_PERIOD_H

#include "app/run/run.h"

enum {
    IBS_FETCHES_PER_OPS = 2 /* a fetch block holds a few ops: fewer fetch samples than op samples, but not many fewer */
};

/* The period that gives 'samples' op samples of one run of the workload on all cores, within what the processor takes
 * and not below 'low'. */
uint32_t ibs_period_for(const struct workload *workload, const uint32_t *params, unsigned cores, uint64_t samples,
                        uint32_t low);

/* Without a reference: some 50,000 samples, whatever they change: not below 512 on a model; on silicon, where an
 * interrupt takes thousands of cycles, not below 65536 (FreeBSD sys/dev/hwpmc/hwpmc_ibs.h: "experimentally stable"). */
uint32_t ibs_period_alone(const struct run *run);

/* With one: where the search begins. */
uint32_t ibs_period_first(const struct run *run);

/* Returns about how many samples the passes at the plan's periods will record, of ops and of fetches; of a searched
 * period, which may yet be longer, the most. */
uint64_t ibs_period_expects(const struct run *run);

/* Returns how many passes sample, with those of the reference, 'sampled'. */
unsigned ibs_period_passes(const struct run *run, unsigned sampled);

/* Searches from the plan's periods on for the shortest that change nothing beyond one standard error of what the
 * samples tell (disturbance_calm()), doubling both; keeps them in the plan, the number of passes in run->ibs.wanted,
 * and the passes that tried them, run->ibs.repeats. The reference's undisturbed part has been measured. */
void ibs_period_choose(struct run *run);

/* When the samples are in the profile: what they leave open of the reference. */
void ibs_period_judge(struct run *run);

#endif
