/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Proportions that were counted in several runs: estimate, spread between runs, difference of two sides.
 *
 * A cell is "x of n" in every run of a side: the samples of an instruction of all samples (a share), or the loads of an
 * instruction that missed of all its loads (a rate). The unit of replication is the run: samples within a run need not
 * be independent, and what changes from run to run (placement of memory, other processes) moves all of a run's samples
 * together. How much that widens the sampling error is the design effect phi of a cell, the variance between runs over
 * that of independent samples:
 *
 *   p = sum x_r / sum n_r,   v = R/(R-1) * sum (x_r - p n_r)^2 / n^2,   phi = v / (p (1-p) / n)
 *
 * J.N.K. Rao, A.J. Scott, "A simple method for the analysis of clustered binary data", Biometrics 48 (1992); n / phi is
 * the effective number of samples, and binomial methods hold with it. With few runs phi is itself known badly, so it is
 * moderated over the cells of a side as variances of genes are: G.K. Smyth, "Linear models and empirical Bayes methods
 * for assessing differential expression in microarray experiments", Stat. Appl. Genet. Mol. Biol. 3 (2004),
 * section 6.2. It is never taken below 1. With one run phi is 1, which is a hope and not an estimate: the caller says
 * so.
 *
 * Numbers are doubles: counts are exact up to 2^53.
 */
#ifndef TOOLS_IBSPROF_STAT_PROP_H
#define TOOLS_IBSPROF_STAT_PROP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One side: runs and cells. */
struct stat_side {
    uint32_t runs, cells;
    const double *x; /* [run * cells + cell] */
    const double *n; /* shares: [run]; rates (n_per_cell): [run * cells + cell] */
    bool n_per_cell;
    /* raw phi of other cells of the same runs, for moderation, except for NAN. A rate has few cells, and all columns
     * share the causes that make runs differ. */
    const double *others;
    uint32_t other_count;
};

struct stat_estimate {
    double x, n, p; /* sums over the runs, and x / n; p is 0 if n is 0 */
    double phi;     /* fitted, or closer to raw if that is larger than the fit expects: for tests and intervals */
    double fitted;  /* expected phi by the fit over all cells, at least 1 */
    double df;      /* degrees of freedom of phi; INFINITY: phi is treated as known */
    double raw;     /* the cell's own phi; NAN for one run, or few samples */
};

/* Estimates all cells of a side. */
void stat_estimate(const struct stat_side *side, struct stat_estimate *ret_cells);

/* Returns the mean phi of shares over all cells, from the chi-square between the runs of a side over its degrees of
 * freedom, (runs - 1) (cells - 1); at least 1, and 1 for one run. */
double stat_overall_phi(const struct stat_side *side, const struct stat_estimate *cells);

/* Returns the quantile of Student's t with df degrees of freedom (INFINITY: normal distribution) that leaves 'tail'
 * above it. */
double stat_quantile_t(double tail, double df);

/* Computes Wilson's score interval for p with n / phi samples; level is 0.95 for 95 %. (E.B. Wilson, JASA 22, 1927.)
 * Finite df: with Student's quantile. */
void stat_wilson(double p, double n_effective, double level, double df, double *ret_low, double *ret_high);

struct stat_difference {
    double value, low, high; /* p_b - p_a; Newcombe's hybrid score interval (Stat. Med. 17, 1998, no. 10) */
    double low90, high90;    /* at level 1 - 2 alpha, for two one-sided tests */
    double log2_ratio, log2_low, log2_high; /* of p_b / p_a; half a sample is added if a side has none */
    double p_value;                         /* two-sided, of no difference */
    double df;                              /* Welch and Satterthwaite */
};

/* Computes the difference of two sides. p_value: the larger of the score test's and the likelihood ratio test's (its
 * signed root), both with effective counts. The score test rejects too often far out if the sides differ much in size,
 * the likelihood ratio if a count is near 0. level: of the intervals, 0.95. n 0 on a side gives p_value 1 and the
 * interval -1..1. */
void stat_difference(const struct stat_estimate *a, const struct stat_estimate *b, double level,
                     struct stat_difference *ret);

#endif
