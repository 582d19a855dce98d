/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tag survival: ops that IBS tagged, by event 1CFh, against the op samples of the same pass. A tag on an op that is
 * flushed gives no sample (AMD APM vol. 2 section 13.3), so the difference is the share of tags on wrong paths.
 */
#ifndef APP_KINDS_IBS_TAGS_H
#define APP_KINDS_IBS_TAGS_H

#include "app/run/run.h"

/* Adds the counter of tags to a pass of the plan's periods; false: the processor has no such event, or not every op has
 * a sample. */
bool ibs_tags_plan(const struct run *run, struct session_program *program);

/* Takes what that pass, the latest, has counted. */
void ibs_tags_take(struct run *run);

/* Counts tags in a pass of their own. */
void ibs_tags_count(struct run *run);

/* A line, where tags were counted; the facts. */
void ibs_tags_print(struct out *out, const struct run *run);
void ibs_tags_facts(struct out *out, const struct run *run);

#endif
