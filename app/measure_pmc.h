/*
 * Sampling by counter overflow or by the APIC timer.
 *
 * With re-runs each group of events is a pass of its own, with multiplexing all groups take turns in one pass. Either
 * way a sample says which event of the task's list it is of, and core/pmc_profile.h does the weighting.
 */
#ifndef APP_MEASURE_PMC_H
#define APP_MEASURE_PMC_H

#include "app/run.h"

enum {
    MEASURE_PMC_SAMPLES = 10000, /* of an event, over all repeats, at most */
    MEASURE_PMC_OPS_PER_SAMPLE =
        5000, /* of the workload, at least: each interrupt adds the way into its handler and out */
    MEASURE_PMC_FREQUENT_MIN = 1000, /* smallest period of events that this way causes, too; */
    MEASURE_PMC_PERIOD_MIN = 32,     /* and of others */
};

/* The period for about 'samples' samples of an event that happens 'total' times while it is counted. */
uint64_t measure_pmc_period(const struct event *event, uint64_t total, uint64_t samples, bool hypervisor);

/* Memory, and whether each pass can run here; false after a line in 'problems'. */
bool measure_pmc_prepare(struct run *run, const struct options *options, struct out *problems);

/* All passes, then the profile. */
void measure_pmc(struct run *run);

/* One event's total in one repeat of the workload, scaled to all of it when it was counted a part of the time; false
 * when it was not counted. */
bool measure_pmc_total(const struct run *run, unsigned event, unsigned repeat, uint64_t *ret_total);

/* Its mean over the repeats, and how far these scatter (standard deviation / mean, in millionths; 0 unless two of them
 * have it). With multiplexing a repeat may be too short for a group's turn, so all repeats are taken as one long run. */
bool measure_pmc_mean(const struct run *run, unsigned event, uint64_t *ret_mean, uint32_t *ret_cv_ppm);

/* How alike the turns of the groups were that the event is in, over all repeats: the worst of them, in millionths.
 * 1000000 for what was counted all the time: in every group, or in runs of its own. */
uint32_t measure_pmc_reliability_ppm(const struct run *run, unsigned event);

#endif
