/* SPDX-License-Identifier: BSD-2-Clause */
/* How firmware has set up the silicon: lines of the report, and facts of run.ini. */
#ifndef APP_REPORT_SILICON_H
#define APP_REPORT_SILICON_H

#include "app/run/run.h"

/* Under "Machine": microcode, clocks, and a sentence for each register that changes what figures mean. Nothing of what
 * was not read. */
void report_silicon(struct out *out, const struct machine *machine);

/* Under "Run": the memory type of what is measured, with a warning where it is not WB throughout, and cores that are
 * set up differently from the boot core. */
void report_memory_types(struct out *out, const struct run *run);

void save_silicon_facts(struct out *out, const struct run *run);

#endif
