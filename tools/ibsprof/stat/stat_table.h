/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two whole profiles: one test that they are the same, and how far apart they are.
 *
 * Cells are the instructions' shares (struct stat_side with n[run]); each run's cells add up to its n. Instructions
 * with next to no samples should be put together before: chi-squares need about five expected in each cell.
 */
#ifndef TOOLS_IBSPROF_STAT_TABLE_H
#define TOOLS_IBSPROF_STAT_TABLE_H

#include <gsl/gsl_rng.h>

#include "tools/ibsprof/stat/stat_prop.h"

/* G = 2 sum O ln(O/E) of a table of 2 rows (sides) and 'cells' columns. Columns that are empty do not count. */
double stat_g(const double *a, const double *b, uint32_t cells, uint32_t *ret_df);

/* Williams' correction, which G is divided by (D.A. Williams, Biometrika 63, 1976; Sokal and Rohlf, Biometry, 17.4). */
double stat_williams(const double *a, const double *b, uint32_t cells);

/* Distances between the shares of two tables of counts, 0 when one of them is empty. */
double stat_tvd(const double *a, const double *b, uint32_t cells);      /* total variation, 0..1; overlap is 1 - it */
double stat_jsd(const double *a, const double *b, uint32_t cells);      /* Jensen-Shannon divergence in bits, 0..1 */
double stat_cramer_v(const double *a, const double *b, uint32_t cells); /* 0..1, bias taken off (Bergsma 2013) */

struct stat_interval {
    double value, low, high;
    double floor; /* what two samples of one and the same profile are expected to show */
};

struct stat_whole {
    uint32_t cells;        /* that are not empty */
    double g, williams;    /* g is already divided by williams */
    double phi;            /* mean design effect of the differences (Rao and Scott, Ann. Stat. 12, 1984) */
    double f, df1, df2;    /* g / phi / df1 as F; df2 INFINITY: chi-square */
    double p_model;        /* of f */
    double p_permutation;  /* over runs; NAN with one run on each side */
    double p_least;        /* the smallest that a permutation of so few runs can give */
    uint32_t permutations; /* that were looked at; exact says that these are all */
    bool exact;
    double p_value; /* p_permutation when p_least is at most 0.01, else p_model */
    struct stat_interval tvd, jsd, cramer;
    bool resampled_runs; /* the intervals come from whole runs; else from samples with the runs' phi */
};

struct stat_whole_options {
    uint32_t permutations; /* as many at random when there are more than that; 9999 */
    uint32_t resamples;    /* bootstrap; 2000. 0: no intervals */
    double level;          /* 0.95 */
    unsigned long seed;
};

/* estimates: of the cells of each side, by stat_estimate. */
void stat_whole(const struct stat_side *a, const struct stat_estimate *ea, const struct stat_side *b,
                const struct stat_estimate *eb, const struct stat_whole_options *options, struct stat_whole *ret);

/* Intervals of a distance: the bootstrap's world must look like the real one, in which most instructions do not differ
 * at all. So differences that are no larger than their error are put to 0 first, the noise of the resampled runs is
 * added to that, and what noise made of the distance there is taken off from the lower end ("basic" interval). Without
 * it an interval around the distance of two equal profiles would never reach down to 0. The upper end is not lowered,
 * so the intervals are on the wide side. */
enum { STAT_RUNS_FOR_RESAMPLING = 6 };

#endif
