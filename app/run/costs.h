/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures what one event costs on this machine, in cycles, for the rows of General Exploration that have counts of
 * events and no times: by built-in workloads, of which each waits for one thing, before the user's. The workloads run
 * on the boot core, twice each but for the one in memory, and the shorter time counts.
 */
#ifndef APP_COSTS_H
#define APP_COSTS_H

#include "app/run/run.h"
#include "core/explore/explore.h"

struct costs {
    struct session_place place;
    struct session_result result; /* of the last session */
    /* The workload of a loop, and what became of it: here, as a session reads it, and where the firmware's stack is
     * differs between firmwares. */
    struct costs_loop {
        const struct machine *machine;
        const struct workload *workload;
        uint32_t params[WORKLOAD_VALUES];
        bool cold, correct;
    } loop;
};

/* Takes memory for all of them; false after a line in 'problems'. */
bool costs_prepare(struct costs *costs, struct run *run, struct out *problems);

/* Leaves 0 for what could not be measured. After a session with an error the run has failed, as with one of its passes.
 */
void costs_measure(struct costs *costs, struct run *run, struct explore_costs *ret);

#endif
