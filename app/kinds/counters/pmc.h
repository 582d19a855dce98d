/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by counter overflow; the profile and the report serve the timer's samples, too.
 *
 * With re-runs each group of events has its own pass; with multiplexing all groups take turns in one pass. Either way
 * a sample names its event of the task's list, and core/profile/pmc_profile.h does the weighting.
 */
#ifndef APP_KINDS_PMC_H
#define APP_KINDS_PMC_H

#include "app/run/run.h"

enum {
    MEASURE_PMC_SAMPLES = 10000, /* most samples of one event, over all repeats */
    /* Minimum of workload ops per sample: each interrupt adds the handler's entry and exit. */
    MEASURE_PMC_OPS_PER_SAMPLE = 5000,
    MEASURE_PMC_FREQUENT_MIN = 1000, /* shortest period of events that the handler itself causes */
    MEASURE_PMC_PERIOD_MIN = 32,     /* shortest period of other events */
};

/* Returns the period for about 'samples' samples of an event that occurs 'total' times while it is counted. */
uint64_t measure_pmc_period(const struct event *event, uint64_t total, uint64_t samples, bool hypervisor);

/* Returns whether the groups take turns in one pass, instead of one pass for each. */
static inline bool pmc_multiplexed(const struct run *run)
{
    return run->task.sharing == EVENT_SHARING_MULTIPLEX && run->task.groups.count > 1;
}

static inline struct pmc_group_result *pmc_group_result(const struct run *run, unsigned repeat, unsigned group)
{
    return &run->pmc.group[repeat * run->task.groups.count + group];
}

/* Takes memory for a profile of this many events. Returns false after a line in 'problems'. */
bool pmc_take_profile(struct run *run, unsigned events, const struct options *options, struct out *problems);

/* Adds the run's records from index 'first' on to the profile. */
void pmc_add_records(struct run *run, uint64_t first);

/* Return the program of one group's pass, or of the single pass of all groups, and the number of passes. */
struct session_program pmc_sampling(const struct run *run, unsigned repeat, unsigned group);
unsigned pmc_sampling_passes(const struct run *run);

/* ---- pmc_reference.c ---- */

/* Returns the number of passes of the reference, if no period is made longer. */
unsigned pmc_reference_passes(const struct run *run);

/* Measures what sampling changes; lengthens measured periods that change too much. */
void pmc_reference(struct run *run);

/* Judges, once the samples are in the profile, what they leave open. */
void pmc_reference_judge(struct run *run);

/* ---- pmc_totals.c ---- */

/* Computes one event's total in one repeat, scaled up if it was counted for a part of the time. Returns false if it was
 * not counted. */
bool measure_pmc_total(const struct run *run, unsigned event, unsigned repeat, uint64_t *ret_total);

/* Computes an event's mean over the repeats, and their scatter (standard deviation / mean, in millionths; 0 with fewer
 * than two values). With multiplexing all repeats count as one long run, because a repeat may end before a group's
 * turn. Returns false if the event was not counted. */
bool measure_pmc_mean(const struct run *run, unsigned event, uint64_t *ret_mean, uint32_t *ret_cv_ppm);

/* Estimates the error of the mean from the turns of the event's groups, over all repeats; 0 for an event counted all
 * the time, in every group or in its own runs. */
void measure_pmc_estimate(const struct run *run, unsigned event, struct turns_estimate *ret);

/* Returns the smallest and largest number of whole turns of a group, over all repeats. */
void measure_pmc_turns(const struct run *run, uint64_t *ret_least, uint64_t *ret_most);

/* ---- pmc_report.c, pmc_samples.c, pmc_save.c: functions of struct kind ---- */

void pmc_begins(struct out *out, const struct run *run);
void pmc_settings(struct out *out, const struct run *run);
void pmc_sample_row(struct out *out, const struct run *run, const char *name, enum sample_kind kind);
void pmc_random_note(struct out *out, const struct run *run);
void pmc_notes(struct out *out, const struct run *run);
/* Prints events with weights and totals, then calls pmc_views(). */
void pmc_tables(struct out *out, const struct run *run);
/* Prints the configuration's views. */
void pmc_views(struct out *out, const struct run *run);
/* Prints samples by instruction and by function, four events in each table, for events that no view need have. */
void pmc_samples_tables(struct out *out, const struct run *run);
void pmc_facts(struct out *out, const struct run *run);
void pmc_csv(struct out *out, const struct run *run);

#endif
