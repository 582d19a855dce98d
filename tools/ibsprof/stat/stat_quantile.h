/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Quantiles of latencies counted in bins, and their difference between two sides, by bootstrap.
 *
 * With at least STAT_RUNS_FOR_RESAMPLING runs on each side, whole runs are drawn; with fewer, samples, of which n /
 * phi count as independent (phi: the design effect of being below or above the quantile, see stat_prop.h; 1 for one
 * run).
 */
#ifndef TOOLS_IBSPROF_STAT_QUANTILE_H
#define TOOLS_IBSPROF_STAT_QUANTILE_H

#include <gsl/gsl_rng.h>

#include "tools/ibsprof/stat/stat_verdict.h"

struct stat_histograms {
    uint32_t runs, bins;
    const double *counts;     /* [run * bins + bin] */
    const double *low, *high; /* [bins], ascending: lowest and highest value of a bin */
};

struct stat_quantile {
    double a, b;          /* quantiles of both sides, interpolated within a bin */
    double low_a, high_a; /* intervals at 'level' */
    double low_b, high_b;
    double value, low, high; /* b - a */
    double low90, high90;    /* at level 1 - 2 (1 - level) */
    double error;            /* standard error of value */
    double p_value;          /* two-sided, of no difference: Mood's test; above 1 - level where the interval holds 0 */
};

/* Returns false, with *ret unchanged, if a side has no counts. */
bool stat_quantile_difference(const struct stat_histograms *a, const struct stat_histograms *b, double q, double level,
                              uint32_t resamples, gsl_rng *rng, struct stat_quantile *ret);

#endif
