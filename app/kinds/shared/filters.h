/* SPDX-License-Identifier: BSD-2-Clause */
/* Filters of IBS samples from Zen 4 on: what they leave out, and samples that contradict them (core/ibs/filtered.h). */
#ifndef APP_KINDS_FILTERS_H
#define APP_KINDS_FILTERS_H

#include "app/run/run.h"

/* Begins run->ibs.filtered with the registers of a completed run, before its samples are added. */
void filters_begin(struct run *run);

/* Prints that a filter skews shares, and warns of one that leaks. */
void filters_notes(struct out *out, const struct run *run);

/* Writes the lines of run.ini, only of filters that were on. */
void filters_facts(struct out *out, const struct run *run);

#endif
