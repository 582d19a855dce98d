/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a run, in the order in which it is read: the machine, the settings, the tables, the checks. The same text
 * goes to the console and to report.txt; no line is longer than 79 characters. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "app/run/run.h"

void report_machine(struct out *out, const struct firmware *fw, const struct machine *machine);

/* "MODEL: ..." on the virtual PMU, "VIRTUAL: ..." under another hypervisor; nothing on bare silicon. */
void report_origin(struct out *out, const struct machine *machine);

/* The whole report. */
void report_run(struct out *out, const struct run *run);

/* The value of FACT_TIMER_BY. */
const char *report_timer_by(enum timer_by by);

#endif
