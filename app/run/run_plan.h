/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures what a plan keeps of each run: its time, and the samples at its hottest instruction; estimates the cost of a
 * run. */
#ifndef APP_RUN_PLAN_H
#define APP_RUN_PLAN_H

#include "app/run/run.h"

/* Returns milliseconds since midnight by the firmware's clock, or, without one, milliseconds of the TSC modulo a
 * day. */
uint64_t run_plan_now(struct firmware *fw, const struct machine *machine);

/* Returns the ops of the workload in all repeats; 0 where the kind has work of its own. */
uint64_t run_plan_ops(const struct run *run);

/* Returns milliseconds since 'begun', less than a day. */
uint64_t run_plan_since(struct firmware *fw, const struct machine *machine, uint64_t begun);

/* Sets 'ms' and 'hottest' of a run that was prepared at 'begun'. */
void run_plan_measured(const struct run *run, struct run_plan *plan, uint64_t begun);

#endif
