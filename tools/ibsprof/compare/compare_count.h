/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of compare_align: counts of a run. */
#ifndef TOOLS_IBSPROF_COMPARE_COUNT_H
#define TOOLS_IBSPROF_COMPARE_COUNT_H

#include "tools/ibsprof/compare/compare.h"

/* Sets event and kind. Returns false with a line in 'error' if some run has no samples of it. */
bool compare_choose_event(struct comparison *c, char *error, size_t error_size);

/* Returns the event's samples at a place. */
double compare_samples(const struct comparison *c, const struct run_profile *profile,
                       const struct profile_place *place);

/* Sets outside, outside_share, lost and throttled. */
void compare_count_outside(struct comparison *c);

/* Returns the work done, while the event was sampled, by the cores in the profile. Each core of an ibsboot run does all
 * of the workload's work in each repeat; a process under Linux reports the sum, and may have moved between cores. */
double compare_work_of(const struct comparison *c, const struct run_profile *profile);

/* Sets work_unit, work and exposure; work_unit is NULL if some run does not report its work, or in another unit. */
void compare_measure_work(struct comparison *c);

/* Returns the file's name without folders. */
const char *compare_base_name(const char *path);

#endif
