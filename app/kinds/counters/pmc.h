/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling by counter overflow; the profile and the report serve the timer's samples, too.
 *
 * With re-runs each group of events has its own pass, with multiplexing all groups take turns in one pass. Either
 * way a sample says which event of the task's list it is of, and core/profile/pmc_profile.h does the weighting.
 */
#ifndef APP_KINDS_PMC_H
#define APP_KINDS_PMC_H

#include "app/run/run.h"

enum {
    MEASURE_PMC_SAMPLES = 10000, /* of an event, over all repeats, at most */
    /* Ops of the workload, at least: each interrupt adds the way into its handler and out. */
    MEASURE_PMC_OPS_PER_SAMPLE = 5000,
    MEASURE_PMC_FREQUENT_MIN = 1000, /* smallest period of events that the handler itself causes; */
    MEASURE_PMC_PERIOD_MIN = 32,     /* and of others */
};

/* The period for about 'samples' samples of an event that happens 'total' times while it is counted. */
uint64_t measure_pmc_period(const struct event *event, uint64_t total, uint64_t samples, bool hypervisor);

/* The groups take turns in one pass; otherwise each has its own pass. */
static inline bool pmc_multiplexed(const struct run *run)
{
    return run->task.sharing == EVENT_SHARING_MULTIPLEX && run->task.groups.count > 1;
}

static inline struct pmc_group_result *pmc_group_result(const struct run *run, unsigned repeat, unsigned group)
{
    return &run->pmc.group[repeat * run->task.groups.count + group];
}

/* Memory for a profile of this many events; false after a line in 'problems'. */
bool pmc_take_profile(struct run *run, unsigned events, const struct options *options, struct out *problems);

/* Adds the run's records to the profile, from this one on. */
void pmc_add_records(struct run *run, uint64_t first);

/* The pass of one group, or the one of all; and how many there are. */
struct session_program pmc_sampling(const struct run *run, unsigned repeat, unsigned group);
unsigned pmc_sampling_passes(const struct run *run);

/* ---- pmc_reference.c ---- */

/* Returns how many passes that takes, if no period is made longer. */
unsigned pmc_reference_passes(const struct run *run);

/* Measures what sampling changes, and makes periods longer that were measured and change too much. */
void pmc_reference(struct run *run);

/* When the samples are in the profile: what they leave open. */
void pmc_reference_judge(struct run *run);

/* ---- pmc_totals.c ---- */

/* One event's total in one repeat of the workload, scaled to all of it when it was counted a part of the time; false
 * when it was not counted. */
bool measure_pmc_total(const struct run *run, unsigned event, unsigned repeat, uint64_t *ret_total);

/* Returns an event's mean over the repeats, and how far these scatter (standard deviation / mean, in millionths; 0
 * unless two of them have it). With multiplexing a repeat may be too short for a group's turn, so all repeats are taken
 * as one long run. */
bool measure_pmc_mean(const struct run *run, unsigned event, uint64_t *ret_mean, uint32_t *ret_cv_ppm);

/* How good the mean is, by the turns of the groups that the event is in, over all repeats. No error where it was
 * counted all the time: in every group, or in its own runs. */
void measure_pmc_estimate(const struct run *run, unsigned event, struct turns_estimate *ret);

/* The whole turns of the groups that had fewest and most of them, over all repeats. */
void measure_pmc_turns(const struct run *run, uint64_t *ret_least, uint64_t *ret_most);

/* ---- pmc_report.c, pmc_samples.c, pmc_save.c: as struct kind has them ---- */

void pmc_begins(struct out *out, const struct run *run);
void pmc_settings(struct out *out, const struct run *run);
void pmc_sample_row(struct out *out, const struct run *run, const char *name, enum sample_kind kind);
void pmc_random_note(struct out *out, const struct run *run);
void pmc_notes(struct out *out, const struct run *run);
/* The events and their weights, totals, then pmc_views(). */
void pmc_tables(struct out *out, const struct run *run);
/* The configuration's views. */
void pmc_views(struct out *out, const struct run *run);
/* Samples of whatever events were chosen, by instruction and by function, for which there need be no view: tables of up
 * to four events each. */
void pmc_samples_tables(struct out *out, const struct run *run);
void pmc_facts(struct out *out, const struct run *run);
void pmc_csv(struct out *out, const struct run *run);

#endif
