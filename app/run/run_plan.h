/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures what a plan keeps of each run: its time, and the samples at its hottest instruction; and says what one will
 * take. */
#ifndef APP_RUN_PLAN_H
#define APP_RUN_PLAN_H

#include "app/run/run.h"

/* Returns milliseconds since midnight by the firmware's clock, or by the TSC where it has none. */
uint64_t run_plan_now(struct firmware *fw, const struct machine *machine);

/* Returns the ops of the workload in all repeats; 0 where the kind has work of its own. */
uint64_t run_plan_ops(const struct run *run);

/* Returns milliseconds since that time, of a day at most. */
uint64_t run_plan_since(struct firmware *fw, const struct machine *machine, uint64_t begun);

/* Fills the last fields of *plan for a run that was prepared at 'begun'. */
void run_plan_measured(const struct run *run, struct run_plan *plan, uint64_t begun);

#endif
