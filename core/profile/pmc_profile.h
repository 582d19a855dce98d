/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The profile of counter and timer samples: per instruction of the code map, one count per event of the run's list.
 *
 * Weights. One sample represents 'period' events. An event that was counted only a part of the time (multiplexing)
 * happened more often than its samples tell: its active fraction is active / possible, and
 *
 *     weight of a sample = period / active fraction
 *
 * An event in k of n groups has the active fraction k/n. CodeAnalyst multiplies every sample by the number of groups
 * (mux_norm), which counts an event that is in k groups k times over (CodeAnalyst opd_sfile.c; the comment in
 * sessionnav.cpp has the right formula). Here the fraction is applied once, in pmc_profile_estimate, and samples are
 * stored as they are: statistical errors follow from them.
 *
 * Re-runs accumulate: an event has its own number of runs. With one group per run its active fraction is 1 in its run.
 * Estimates are per run of the workload, so that events of different numbers of runs may be divided by each other.
 *
 * IBS records are ignored here, as counter records are in core/profile/profile.h: their samples are never put together.
 */
#ifndef CORE_PMC_PROFILE_H
#define CORE_PMC_PROFILE_H

#include "core/events/event_groups.h"
#include "core/ibs/record.h"
#include "core/profile/levels.h"

enum {
    PMC_PROFILE_EVENTS = EVENT_LIST_MAX + 1, /* the timer may be one more */
};

struct pmc_profile_event {
    struct event_spec spec; /* spec.event is NULL for the timer */
    uint64_t period;        /* events per sample; the timer: microseconds */
    uint64_t active;        /* how long it was counted in all its runs, ... */
    uint64_t possible;      /* ... and how long it could have been: in slices, or any unit of time */
    uint32_t runs;          /* runs of the workload in which it was counted at all */
    uint64_t samples;       /* in the map and outside */
    uint64_t outside;
};

struct pmc_profile {
    struct levels levels;
    uint64_t image_base; /* run-time address of RVA 0 */
    enum event_set set;  /* the list's */
    unsigned event_count;
    struct pmc_profile_event event[PMC_PROFILE_EVENTS];
    uint64_t *rows;           /* insn_count * event_count samples */
    uint64_t unknown_records; /* of an unknown kind or event index */
};

/* Returns the bytes of memory; a multiple of 8. events: of the list, and one more with the timer. */
size_t pmc_profile_memory_size(const struct codemap *map, unsigned events);

/* Begins an empty profile of the list's events, then (timer_us not 0) the timer. The list may be NULL. A period of 0
 * in the list means event_default_period. Returns false when size is too small or memory not 8-byte aligned. */
bool pmc_profile_init(struct pmc_profile *profile, const struct codemap *map, uint64_t image_base,
                      const struct event_list *list, uint32_t timer_us, void *memory, size_t size);

/* Notes a run of the workload in which the event was active for 'active' of 'possible', in a unit that is the same for
 * all runs. active 0: it was not in this run, nothing is noted. */
void pmc_profile_ran(struct pmc_profile *profile, unsigned event, uint64_t active, uint64_t possible);

void pmc_profile_add(struct pmc_profile *profile, const struct sample_record *record);

/* Returns false if the event is in the list, but its turn never came (a run too short for all groups). Such an event
 * has no figures, not even zeros. */
bool pmc_profile_counted(const struct pmc_profile_event *event);

/* Return the index of the event with this select and mask and no modifiers but u and k, if it was counted; of the
 * timer; or -1. */
int pmc_profile_event(const struct pmc_profile *profile, uint32_t select, uint8_t mask);
int pmc_profile_timer(const struct pmc_profile *profile);

/* Returns whether the instruction has no sample. */
bool pmc_profile_empty(const struct pmc_profile *profile, uint32_t insn);

/* Adds up event_count samples of one row of a level; counts is overwritten. */
void pmc_profile_sum(const struct pmc_profile *profile, enum profile_level level, uint32_t index,
                     uint64_t counts[PMC_PROFILE_EVENTS]);

/* Returns the sum of one event. */
uint64_t pmc_profile_sum_of(const struct pmc_profile *profile, enum profile_level level, uint32_t index,
                            unsigned event);

/* Returns the active fraction in millionths, 0 when it never ran. */
uint32_t pmc_profile_active_ppm(const struct pmc_profile_event *event);

/* Returns the events (timer: microseconds) per run of the workload that the samples stand for, rounded to the nearest.
 */
uint64_t pmc_profile_estimate(const struct pmc_profile_event *event, uint64_t samples);

/* Returns the relative standard error of an estimate from this many samples: 1/sqrt(samples) in millionths; 1000000
 * for none. It is that of the sampling; what multiplexing misses comes on top. */
uint32_t pmc_profile_error_ppm(uint64_t samples);

/* Returns half the 95 % confidence interval of an estimate: 1.96 standard errors, 1000000 at most. */
uint32_t pmc_profile_interval_ppm(uint64_t samples);

/* Prints one line per event: period, active fraction, runs, weight, samples, estimate and half of its 95 % interval.
 */
void pmc_profile_print_events(struct out *out, const struct pmc_profile *profile);

#endif
