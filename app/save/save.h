/* SPDX-License-Identifier: BSD-2-Clause */
/* Saves the files of a run: \ibsboot\runs\NNNN-workload-config\ with report.txt and run.ini; profile.csv of IBS
 * samples, pmc.csv of counter and timer samples, perf.data of all samples, counts.csv of totals, noise.csv of a noise
 * run. Under a hypervisor each CSV begins with a comment line that says so: "# MODEL: ..." (report_origin). */
#ifndef APP_SAVE_H
#define APP_SAVE_H

#include "app/run/run.h"
#include "app/base/sinks.h"

/* Writes all files where the settings want them, to the volume, over the serial port, or both, and prints where they
 * are, or why not, in one or two lines. Sends them again, twice at most, if the server finds damage. 'number': of the
 * run in this boot. Returns false if a wanted file is missing. */
bool save_wanted(struct console *console, struct run *run, const struct options *options, unsigned number);

#endif
