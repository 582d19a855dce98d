/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the cost of one event on this machine, in cycles, for those rows of General Exploration that have counts
 * but no times. Built-in workloads that each wait for one thing run on the boot core before the user's, twice each,
 * except for the one in memory; the shorter time counts.
 */
#ifndef APP_COSTS_H
#define APP_COSTS_H

#include "app/run/run.h"
#include "core/explore/explore.h"

struct costs {
    struct session_place place;
    struct session_result result; /* result of the last session */
    /* A loop's workload and result. They are here because a session can read this memory, while firmware puts its stack
     * anywhere. */
    struct costs_loop {
        const struct machine *machine;
        const struct workload *workload;
        uint32_t params[WORKLOAD_VALUES];
        bool cold, correct;
    } loop;
};

/* Takes memory for all loops. Returns false after a line in 'problems'. */
bool costs_prepare(struct costs *costs, struct run *run, struct out *problems);

/* Sets *ret, with 0 for costs that could not be measured. After a session with an error the run has failed, as after a
 * failed pass. */
void costs_measure(struct costs *costs, struct run *run, struct explore_costs *ret);

#endif
