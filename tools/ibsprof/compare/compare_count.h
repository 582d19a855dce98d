/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of compare_align: what is counted of a run. */
#ifndef TOOLS_IBSPROF_COMPARE_COUNT_H
#define TOOLS_IBSPROF_COMPARE_COUNT_H

#include "tools/ibsprof/compare/compare.h"

/* Fills event and kind. False with a line in error when not every run has samples of it. */
bool compare_choose_event(struct comparison *c, char *error, size_t error_size);

/* Samples of the event at a place. */
double compare_samples(const struct comparison *c, const struct run_profile *profile,
                       const struct profile_place *place);

/* Fills outside, outside_share, lost and throttled. */
void compare_count_outside(struct comparison *c);

/* Returns the work done, while the event was sampled, by the cores whose samples a profile has. Each core of an ibsboot
 * run does all of the workload's work in each repeat; a process under Linux says the sum, and may have moved from core
 * to core. */
double compare_work_of(const struct comparison *c, const struct run_profile *profile);

/* Fills work_unit, work and exposure; work_unit is NULL when a run does not tell its work, or in another unit. */
void compare_measure_work(struct comparison *c);

/* The file's name without its folders. */
const char *compare_base_name(const char *path);

#endif
