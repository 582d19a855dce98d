/* SPDX-License-Identifier: BSD-2-Clause */
/* Weighs causes at a place: cycles by the place's samples, limited by its estimated time. */
#ifndef TOOLS_IBSPROF_CAUSE_WEIGH_H
#define TOOLS_IBSPROF_CAUSE_WEIGH_H

#include "tools/ibsprof/cause/cause.h"

struct place_time {
    double part; /* share of its ops' waiting cycles that fits into its time */
    double rest; /* cycles of its time that remain */
};

struct cause_weighing {
    const struct run_profile *profile;
    const double *costs;
    double latency[SOURCES]; /* mean latency of loads answered by the source; 0: none */
    double part[SOURCES];    /* share of all misses' cycles */
    double fetches;          /* fetches per fetch sample divided by ops per op sample */
    bool all;                /* no sample is known to be the workload's */
    const struct cause_time *time;
    double cycles;             /* of all ops, by the samples */
    struct place_time *places; /* indexed as the profile's; NULL: no time by place */
};

/* Begins to weigh a run; the caller frees ret.places. */
struct cause_weighing cause_weighing_begin(const struct run_profile *profile, const struct cause_time *time);

/* Returns whether the place belongs to the workload, or no place is known to. */
bool cause_is_weighed(const struct cause_weighing *of, const struct profile_place *place);
/* Returns whether the processor has the events that count the cause. */
bool cause_can_be_asked(const struct cause_weighing *of, const struct cause_row *row);

/* Returns the cycles of a cause by its samples in these counts; an approximation for ranking, not time. */
double cause_weigh(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts);
/* Counts a cause's samples. A source without an event gets its share of the loads that missed. */
uint64_t cause_count(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts);
/* Sums the terms of a row; at least 0. */
uint64_t cause_sum(const struct cause_term *terms, const uint64_t *counts);
/* Returns the sum of ops' cycles from tag to completion. */
double cause_to_completion(const uint64_t *counts);

#endif
