/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds recordings that are given more than once: copies of a folder, or runs of the virtual PMU with one seed, whose
 * samples are equal bit for bit. They are not independent, so each recording counts once.
 */
#ifndef TOOLS_IBSPROF_COMPARE_COPIES_H
#define TOOLS_IBSPROF_COMPARE_COPIES_H

#include "tools/ibsprof/compare/compare.h"

/* Returns whether both have the same samples: equal counts of events, times and registers, as far as a profile's sums
 * show. Paths of files and symbols do not matter. Returns false if a file has nothing that identifies runs (samples
 * without times and accesses). */
bool compare_same_samples(const struct run_profile *a, const struct run_profile *b);

/* Adds notes on recordings that are given more than once; sets c->shared. */
void compare_tell_copies(struct comparison *c);

#endif
