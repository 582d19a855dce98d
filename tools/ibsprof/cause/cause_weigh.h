/* SPDX-License-Identifier: BSD-2-Clause */
/* Weighs causes at a place: cycles by the samples there, and by the place's estimated time. */
#ifndef TOOLS_IBSPROF_CAUSE_WEIGH_H
#define TOOLS_IBSPROF_CAUSE_WEIGH_H

#include "tools/ibsprof/cause/cause.h"

struct place_time {
    double part; /* of the cycles by which its ops wait: as much as its time has room for */
    double rest; /* cycles of its time that those leave */
};

struct cause_weighing {
    const struct run_profile *profile;
    const double *costs;
    double latency[SOURCES]; /* mean of loads that the source answered; 0: no such load */
    double part[SOURCES];    /* of all misses' cycles */
    double fetches;          /* fetches that a sample of one stands for, by the ops that a sample of one does */
    bool all;                /* no sample is known to be the workload's */
    const struct cause_time *time;
    double cycles;             /* that all ops take, by the samples */
    struct place_time *places; /* by the profile's; NULL: the time of places is not known */
};

/* Begins to weigh a run; free(ret.places) ends it. */
struct cause_weighing cause_weighing_begin(const struct run_profile *profile, const struct cause_time *time);

/* The place is the workload's, or no place is known to be. */
bool cause_is_weighed(const struct cause_weighing *of, const struct profile_place *place);
/* The processor has what the cause is counted by. */
bool cause_can_be_asked(const struct cause_weighing *of, const struct cause_row *row);

/* Returns the cycles of a cause by its samples in these counts; rough, and no time. */
double cause_weigh(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts);
/* Counts a cause's samples. Of a source that no event counts: by its part of the loads that missed. */
uint64_t cause_count(const struct cause_weighing *of, const struct cause_row *row, const uint64_t *counts);
/* Sums the terms of a row; below 0 it is 0. */
uint64_t cause_sum(const struct cause_term *terms, const uint64_t *counts);
/* Sums the cycles of ops from tag to completion. */
double cause_to_completion(const uint64_t *counts);

#endif
