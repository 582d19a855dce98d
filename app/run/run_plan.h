/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures what a plan keeps of each run: its time, and the samples at its hottest instruction. */
#ifndef APP_RUN_PLAN_H
#define APP_RUN_PLAN_H

#include "app/run/run.h"

/* Returns milliseconds since midnight by the firmware's clock, or by the TSC where it has none. */
uint64_t run_plan_now(struct firmware *fw, const struct machine *machine);

/* Fills the last fields of *plan for a run that was prepared at 'begun'. */
void run_plan_measured(const struct run *run, struct run_plan *plan, uint64_t begun);

#endif
