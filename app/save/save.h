/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a run: \ibsboot\runs\NNNN-workload-config\ with report.txt and run.ini; profile.csv of IBS samples,
 * pmc.csv of counter and timer samples, perf.data of all of them, counts.csv of totals; of a noise run noise.csv. Where
 * a hypervisor is present, each CSV begins with a comment line that says so: "# MODEL: ..." (report_origin). */
#ifndef APP_SAVE_H
#define APP_SAVE_H

#include "app/run/run.h"
#include "app/base/sinks.h"

/* Writes all files where the settings want them, to the volume, over the serial port, or both, and says in one or two
 * lines on the console where they are, or why not. A server that finds damage gets them again, twice. 'number': of the
 * run in this boot. False when anything that was wanted is missing. */
bool save_wanted(struct console *console, struct run *run, const struct options *options, unsigned number);

#endif
