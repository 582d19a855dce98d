/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recordings that are given more than once: a copy of a folder, or another run of the virtual PMU with the same seed,
 * whose samples are the same to the last bit. Such runs are not independent, so each recording counts once.
 */
#ifndef TOOLS_IBSPROF_COMPARE_COPIES_H
#define TOOLS_IBSPROF_COMPARE_COPIES_H

#include "tools/ibsprof/compare/compare.h"

/* Both have the same samples: as many of each event, at the same times, with the same registers, as far as the sums of
 * a profile tell. Where files and symbols were found does not matter. False where nothing of a file tells runs apart
 * (samples without times and without accesses). */
bool compare_same_samples(const struct run_profile *a, const struct run_profile *b);

/* Adds what the comparison must say of recordings that were given more than once; sets c->shared. */
void compare_tell_copies(struct comparison *c);

#endif
