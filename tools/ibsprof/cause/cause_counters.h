/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the cause in runs that sampled counters: the costly event with the most cycles, by the least cost of one.
 * Events that only count work (instructions, branches, accesses) and clocks are no causes.
 */
#ifndef TOOLS_IBSPROF_CAUSE_COUNTERS_H
#define TOOLS_IBSPROF_CAUSE_COUNTERS_H

#include "core/explore/explore.h"
#include "tools/ibsprof/cause/cause.h"

struct cause_counter {
    const struct cause_row *row;
    uint32_t event;   /* index into facts->events */
    uint64_t samples; /* samples of the event; there: at the place with the most */
    uint64_t there;
    double cycles; /* of all events; not time */
    enum cause_trust trust;
    const struct profile_place *where;
};

/* Returns false if no event of the file costs cycles, or samples are too few. */
bool cause_counters_find(struct cause_counter *ret, const struct run_profile *profile);
void cause_counters_words(struct cause_words *ret, const struct run_profile *profile, const struct cause_counter *of);

/* Describes the lowest row above its threshold, below the largest part of each level. Returns false if there is
 * none. */
bool cause_exploration_words(struct cause_words *ret, const struct explore_result *result);

#endif
