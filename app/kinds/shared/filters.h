/* SPDX-License-Identifier: BSD-2-Clause */
/* Filters of IBS samples from Zen 4 on: what they leave out, and samples that contradict them (core/ibs/filtered.h). */
#ifndef APP_KINDS_FILTERS_H
#define APP_KINDS_FILTERS_H

#include "app/run/run.h"

/* Before the samples of a run that has ended are added to run->ibs.filtered: by the registers as they were. */
void filters_begin(struct run *run);

/* Says that shares are skewed by a filter, and warns of one that leaks. */
void filters_notes(struct out *out, const struct run *run);

/* Writes the lines of run.ini, of filters that were on alone. */
void filters_facts(struct out *out, const struct run *run);

#endif
