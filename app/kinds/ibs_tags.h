/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tag survival: compares ops that IBS tagged, by event 1CFh, with the op samples of the same pass. A tag on a flushed
 * op gives no sample (AMD APM vol. 2 section 13.3), so the difference is the share of tags on wrong paths.
 */
#ifndef APP_KINDS_IBS_TAGS_H
#define APP_KINDS_IBS_TAGS_H

#include "app/run/run.h"

/* Adds the counter of tags to a pass. Returns false if the processor has no such event, or not every op has a
 * sample. */
bool ibs_tags_plan(const struct run *run, struct session_program *program);

/* Adds the counts of the latest pass. */
void ibs_tags_take(struct run *run);

/* Counts tags in a separate pass. */
void ibs_tags_count(struct run *run);

/* Print a line, and facts for run.ini, if tags were counted. */
void ibs_tags_print(struct out *out, const struct run *run);
void ibs_tags_facts(struct out *out, const struct run *run);

#endif
