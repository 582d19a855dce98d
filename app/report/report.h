/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a run in reading order: machine, settings, tables, checks. Console and report.txt get the same text, of at
 * most 79 columns. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "app/run/run.h"

void report_machine(struct out *out, const struct firmware *fw, const struct machine *machine);

/* Prints "MODEL: ..." on the virtual PMU, "VIRTUAL: ..." under another hypervisor, nothing on bare silicon. */
void report_origin(struct out *out, const struct machine *machine);

/* Prints the whole report. */
void report_run(struct out *out, const struct run *run);

/* Returns the value of FACT_TIMER_BY. */
const char *report_timer_by(enum timer_by by);

#endif
