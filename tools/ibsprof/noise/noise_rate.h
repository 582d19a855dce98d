/* SPDX-License-Identifier: BSD-2-Clause */
/* Rates of detours: intervals, and the test of a difference. */
#ifndef TOOLS_IBSPROF_NOISE_RATE_H
#define TOOLS_IBSPROF_NOISE_RATE_H

#include "tools/ibsprof/noise/noise_side.h"

/* Returns one side's rate per second, with an interval from its own phi. */
struct noise_value noise_rate_of(const struct noise_sums *n, double level);

/* Returns b - a with the interval that agrees with noise_rate_p(): both use the phi of both sides together. */
struct noise_value noise_rate_difference(const struct noise_sums *a, const struct noise_sums *b, double level);
double noise_rate_p(const struct noise_sums *a, const struct noise_sums *b);

/* Returns b - a with ends computed from those of a and b (R.G. Newcombe's square-and-add; G. Zou, A. Donner, Stat. Med.
 * 27, 2008). */
struct noise_value noise_difference(struct noise_value a, struct noise_value b);

/* Returns the two-sided p of Student's t; df INFINITY: normal distribution. */
double noise_p_of_t(double t, double df);

#endif
