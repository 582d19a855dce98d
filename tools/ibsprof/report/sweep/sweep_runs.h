/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameters of a sweep's runs, all that is kept of them. They are opened one at a time: there may be a thousand. */
#ifndef TOOLS_IBSPROF_SWEEP_RUNS_H
#define TOOLS_IBSPROF_SWEEP_RUNS_H

#include "tools/ibsprof/report/sweep/report_sweep.h"

struct sweep_run {
    struct input_setting *settings; /* parameters of the workload, and settings that separate curves */
    uint32_t setting_count;
};

struct sweep_runs {
    const struct run_list *list;
    struct sweep_run *run; /* as in the list */
};

/* Opens a run. Returns NULL after a complaint. */
struct input *sweep_open(const struct run_list *list, uint32_t run);

/* Reads the parameters of all runs, and the sweep's workload and processor. Returns false after a complaint, also if
 * the runs have several workloads. sweep_runs_free() is needed in any case. */
bool sweep_runs_read(struct sweep_runs *runs, struct sweep *sweep, const struct run_list *list);
void sweep_runs_free(struct sweep_runs *runs);

/* Chooses the sweep's parameter; wanted NULL: the one that differs. Returns false after a complaint. */
bool sweep_runs_choose(const struct sweep_runs *runs, struct sweep *sweep, const char *wanted);

/* Returns a run's value of the sweep's parameter. */
double sweep_runs_x(const struct sweep_runs *runs, const struct sweep *sweep, uint32_t run);

/* Returns the number of a run's curve, which is added to the sweep if it is new. */
uint32_t sweep_runs_series(const struct sweep_runs *runs, struct sweep *sweep, uint32_t run);

#endif
