/* SPDX-License-Identifier: BSD-2-Clause */
/* The firmware's setup of the silicon: lines of the report, and facts of run.ini. */
#ifndef APP_REPORT_SILICON_H
#define APP_REPORT_SILICON_H

#include "app/run/run.h"

/* Prints below "Machine" microcode, clocks, and a sentence for each register that changes the meaning of figures.
 * Leaves out what was not read. */
void report_silicon(struct out *out, const struct machine *machine);

/* Prints below "Run" the memory type of the measured memory, with a warning if it is not WB throughout, and cores whose
 * setup differs from the boot core's. */
void report_memory_types(struct out *out, const struct run *run);

void save_silicon_facts(struct out *out, const struct run *run);

#endif
