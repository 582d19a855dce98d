/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cause of runs that sampled counters: of the events that cost cycles, the one with most of them, by what one takes
 * at least. Events that only count work (instructions, branches, accesses) and clocks say nothing of causes.
 */
#ifndef TOOLS_IBSPROF_CAUSE_COUNTERS_H
#define TOOLS_IBSPROF_CAUSE_COUNTERS_H

#include "core/explore/explore.h"
#include "tools/ibsprof/cause/cause.h"

struct cause_counter {
    const struct cause_row *row;
    uint32_t event;   /* index into facts->events */
    uint64_t samples; /* of it; there: at the place with most */
    uint64_t there;
    double cycles; /* that all events take; not time */
    enum cause_trust trust;
    const struct profile_place *where;
};

/* False: no event of the file costs cycles, or there are too few samples. */
bool cause_counters_find(struct cause_counter *ret, const struct run_profile *profile);
void cause_counters_words(struct cause_words *ret, const struct run_profile *profile, const struct cause_counter *of);

/* Words of the lowest row that is above its threshold, of the largest part at each level. False: no row is. */
bool cause_exploration_words(struct cause_words *ret, const struct explore_result *result);

#endif
