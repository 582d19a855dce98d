/* SPDX-License-Identifier: BSD-2-Clause */
/* Abilities of IBS, for the machine's section; sources of loads, for reports of runs. */
#ifndef APP_REPORT_IBS_H
#define APP_REPORT_IBS_H

#include "core/base/out.h"
#include "core/ibs/ibs_field.h"
#include "drivers/machine/machine.h"

void report_ibs(struct out *out, const struct machine *machine);

/* Prints which source answered most of the sampled loads that missed the data cache, of 'all'. */
void report_most_answers(struct out *out, const uint64_t source[IBS_SOURCES], uint64_t all);

/* Prints the last columns of a CSV's heading: loads by source. */
void report_source_columns(struct out *out);

#endif
