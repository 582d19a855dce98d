/* SPDX-License-Identifier: BSD-2-Clause */
/* Intervals and noise floors of the distances in struct stat_whole. */
#ifndef TOOLS_IBSPROF_STAT_BOOTSTRAP_H
#define TOOLS_IBSPROF_STAT_BOOTSTRAP_H

#include "tools/ibsprof/stat/stat_table.h"

/* Sets tvd, jsd and cramer, except for their values, and resampled_runs. */
void stat_bootstrap(const struct stat_side *a, const struct stat_estimate *ea, const struct stat_side *b,
                    const struct stat_estimate *eb, const struct stat_whole_options *options, gsl_rng *rng,
                    struct stat_whole *ret);

/* Draws ret_x[cells] from shares p (normalised here), with n samples that vary like n / phi independent ones; the sum
 * is n. */
void stat_draw(gsl_rng *rng, const double *p, double n, double phi, uint32_t cells, double *ret_x);

#endif
