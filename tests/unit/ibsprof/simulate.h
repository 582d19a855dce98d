/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Profiles with known truth, for tests of the statistics and for bench/compare-sim: every run of a side draws samples
 * of 'cells' instructions from given shares, independently or (phi > 1) from shares that themselves vary from run to
 * run (Dirichlet-multinomial: the variance of each count is phi times the multinomial's).
 */
#ifndef TESTS_UNIT_IBSPROF_SIMULATE_H
#define TESTS_UNIT_IBSPROF_SIMULATE_H

#include <gsl/gsl_rng.h>

#include "tools/ibsprof/stat/stat_table.h"
#include "tools/ibsprof/stat/stat_verdict.h"

struct simulated {
    struct stat_side side;
    struct stat_estimate *estimates;
    double *x, *n;
};

/* Sets shares by Zipf's law, as in real profiles: the i-th is proportional to 1/i. */
void zipf(double *shares, uint32_t cells);

/* Moves a share of 'by' to 'to', from all others in proportion. */
void shift_share(double *shares, uint32_t cells, uint32_t to, double by);

void simulate(gsl_rng *rng, const double *shares, uint32_t cells, uint32_t runs, double samples, double phi,
              struct simulated *ret);
/* Simulates a side whose first instruction's share is multiplied by a lognormal factor in each run: the share varies by
 * sigma, and the others hardly vary. */
void simulate_varying(gsl_rng *rng, const double *shares, uint32_t cells, uint32_t runs, double samples, double phi,
                      double sigma, struct simulated *ret);
void simulated_free(struct simulated *simulated);

/* Simulates rates of the first 'rates' instructions of a simulated side: each of their samples misses with the
 * instruction's probability, which varies from run to run (phi > 1: beta-binomial, the variance of each count is phi
 * times the binomial's). Estimates them like compare, with what the side's shares say about its runs. The last cell is
 * the sum. simulated_free() frees ret->x, n, estimates. */
void simulate_rates(gsl_rng *rng, const struct simulated *shares, const double *p, uint32_t rates, double phi,
                    struct simulated *ret);

struct pair_result {
    uint32_t cells;
    struct stat_difference *differences;
    double *q;
    bool any; /* a q of 0.05 or less */
};

/* Judges shares and rates of one pair, with common q: the rates follow the shares. */
void judge_pair_with_rates(const struct simulated sides[2], const struct simulated rates[2], struct pair_result *ret);

/* Judges shares like compare: differences of all cells and their q. */
void judge_pair(const struct simulated *a, const struct simulated *b, struct pair_result *ret);
void pair_result_free(struct pair_result *result);

/* Returns how often a score test at 'level' finds a change of p by 'by' with n samples per side (normal
 * approximation). */
double predicted_power(double p, double by, double n, double level);

/* Returns three standard errors of a rate of 'expected' in 'trials' trials. */
double three_errors(double expected, uint32_t trials);

#endif
