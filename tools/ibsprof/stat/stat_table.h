/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares two whole profiles: one test for equality, and distances.
 *
 * Cells are the instructions' shares (struct stat_side with n[run]); each run's cells add up to its n. The caller
 * combines rare instructions, because chi-squares need about five expected in each cell.
 */
#ifndef TOOLS_IBSPROF_STAT_TABLE_H
#define TOOLS_IBSPROF_STAT_TABLE_H

#include <gsl/gsl_rng.h>

#include "tools/ibsprof/stat/stat_prop.h"

/* Returns G = 2 sum O ln(O/E) of a table of 2 rows (sides) and 'cells' columns, without empty columns. */
double stat_g(const double *a, const double *b, uint32_t cells, uint32_t *ret_df);

/* Returns Williams' correction, the divisor of G (D.A. Williams, Biometrika 63, 1976; Sokal and Rohlf, Biometry,
 * 17.4). */
double stat_williams(const double *a, const double *b, uint32_t cells);

/* Return distances between the shares of two tables of counts; 0 if one is empty. */
double stat_tvd(const double *a, const double *b, uint32_t cells); /* total variation, 0..1; overlap is 1 less this */
double stat_jsd(const double *a, const double *b, uint32_t cells); /* Jensen-Shannon divergence in bits, 0..1 */
double stat_cramer_v(const double *a, const double *b, uint32_t cells); /* 0..1, corrected for bias (Bergsma 2013) */

struct stat_interval {
    double value, low, high;
    double floor; /* expectation for two samples of a single profile */
};

struct stat_whole {
    uint32_t cells;        /* number of cells that are not empty */
    double g, williams;    /* g is already divided by williams */
    double phi;            /* mean design effect of the differences (Rao and Scott, Ann. Stat. 12, 1984) */
    double f, df1, df2;    /* g / phi / df1 as F; df2 INFINITY: chi-square */
    double p_model;        /* of f */
    double p_permutation;  /* over runs; NAN with one run on each side */
    double p_least;        /* smallest possible p from permutations of so few runs */
    uint32_t permutations; /* number of examined permutations; exact: these are all */
    bool exact;
    double p_value; /* p_permutation if p_least is at most 0.01, otherwise p_model */
    struct stat_interval tvd, jsd, cramer;
    bool resampled_runs; /* intervals come from whole runs; otherwise from samples with the runs' phi */
};

struct stat_whole_options {
    uint32_t permutations; /* random ones, if there are more than so many; 9999 */
    uint32_t resamples;    /* bootstrap; 2000. 0: no intervals */
    double level;          /* 0.95 */
    unsigned long seed;
};

/* Compares two sides. ea, eb: estimates of their cells, by stat_estimate(). */
void stat_whole(const struct stat_side *a, const struct stat_estimate *ea, const struct stat_side *b,
                const struct stat_estimate *eb, const struct stat_whole_options *options, struct stat_whole *ret);

/* For intervals of a distance, resampled data must resemble the original, where most instructions do not differ. So
 * differences no larger than their error are first set to 0, the noise of the resampled runs is added, and the distance
 * that noise made is subtracted from the lower end ("basic" interval); otherwise an interval around the distance of two
 * equal profiles would never reach 0. The upper end is not lowered, so intervals are rather wide. */
enum { STAT_RUNS_FOR_RESAMPLING = 6 };

#endif
