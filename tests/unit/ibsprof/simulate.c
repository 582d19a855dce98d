/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/unit/ibsprof/simulate.h"
#include "tools/ibsprof/base/must.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void zipf(double *shares, uint32_t cells)
{
    double sum = 0;

    for (uint32_t i = 0; i < cells; i++)
        sum += shares[i] = 1.0 / (i + 1);
    for (uint32_t i = 0; i < cells; i++)
        shares[i] /= sum;
}

void shift_share(double *shares, uint32_t cells, uint32_t to, double by)
{
    double rest = 1 - shares[to];

    for (uint32_t i = 0; i < cells; i++)
        shares[i] = i == to ? shares[i] + by : shares[i] * (rest - by) / rest;
}

void simulate(gsl_rng *rng, const double *shares, uint32_t cells, uint32_t runs, double samples, double phi,
              struct simulated *ret)
{
    simulate_varying(rng, shares, cells, runs, samples, phi, 0, ret);
}

void simulate_varying(gsl_rng *rng, const double *shares, uint32_t cells, uint32_t runs, double samples, double phi,
                      double sigma, struct simulated *ret)
{
    double *alpha = must_alloc(cells, sizeof(*alpha)), *p = must_alloc(cells, sizeof(*p));
    unsigned int *drawn = must_alloc(cells, sizeof(*drawn));

    ret->x = must_alloc((size_t)runs * cells, sizeof(*ret->x));
    ret->n = must_alloc(runs, sizeof(*ret->n));
    ret->estimates = must_alloc(cells, sizeof(*ret->estimates));
    /* The variance is n p (1-p) (1 + (n-1) / (1 + sum alpha)). */
    for (uint32_t i = 0; i < cells; i++)
        alpha[i] = phi > 1 ? shares[i] * ((samples - 1) / (phi - 1) - 1) : 0;
    for (uint32_t run = 0; run < runs; run++) {
        memcpy(p, shares, cells * sizeof(*p));
        if (phi > 1)
            gsl_ran_dirichlet(rng, cells, alpha, p);
        if (sigma > 0)
            p[0] *= gsl_ran_lognormal(rng, 0, sigma);
        gsl_ran_multinomial(rng, cells, (unsigned)samples, p, drawn);
        for (uint32_t i = 0; i < cells; i++)
            ret->x[(size_t)run * cells + i] = drawn[i];
        ret->n[run] = samples;
    }
    ret->side = (struct stat_side){.runs = runs, .cells = cells, .x = ret->x, .n = ret->n};
    stat_estimate(&ret->side, ret->estimates);
    free(alpha);
    free(p);
    free(drawn);
}

void simulate_rates(gsl_rng *rng, const struct simulated *shares, const double *p, uint32_t rates, double phi,
                    struct simulated *ret)
{
    uint32_t runs = shares->side.runs, cells = rates + 1, all = shares->side.cells;
    double *others = must_alloc(all, sizeof(*others));

    ret->x = must_alloc((size_t)runs * cells, sizeof(*ret->x));
    ret->n = must_alloc((size_t)runs * cells, sizeof(*ret->n));
    ret->estimates = must_alloc(cells, sizeof(*ret->estimates));
    for (uint32_t run = 0; run < runs; run++) {
        double *x = ret->x + (size_t)run * cells, *n = ret->n + (size_t)run * cells;

        for (uint32_t i = 0; i < rates; i++) {
            /* The variance is n p (1-p) (1 + (n-1) / (1 + a + b)), a + b = (n-1) / (phi-1) - 1. */
            double drawn = p[i], sum;

            n[i] = shares->x[(size_t)run * all + i];
            sum = phi > 1 ? (n[i] - 1) / (phi - 1) - 1 : 0;
            if (sum > 0)
                drawn = gsl_ran_beta(rng, p[i] * sum, (1 - p[i]) * sum);
            x[i] = gsl_ran_binomial(rng, drawn, (unsigned)n[i]);
            n[rates] += n[i];
            x[rates] += x[i];
        }
    }
    for (uint32_t i = 0; i < all; i++)
        others[i] = shares->estimates[i].raw;
    ret->side = (struct stat_side){.runs = runs,
                                   .cells = cells,
                                   .x = ret->x,
                                   .n = ret->n,
                                   .n_per_cell = true,
                                   .others = others,
                                   .other_count = all};
    stat_estimate(&ret->side, ret->estimates);
    ret->side.others = NULL;
    ret->side.other_count = 0;
    free(others);
}

void simulated_free(struct simulated *simulated)
{
    free(simulated->x);
    free(simulated->n);
    free(simulated->estimates);
}

static void judge_all(const struct simulated *a, const struct simulated *b, uint32_t parts, struct pair_result *ret)
{
    uint32_t cells = 0;
    double *p;

    for (uint32_t part = 0; part < parts; part++)
        cells += a[part].side.cells;
    p = must_alloc(cells, sizeof(*p));
    *ret = (struct pair_result){.cells = cells};
    ret->differences = must_alloc(cells, sizeof(*ret->differences));
    ret->q = must_alloc(cells, sizeof(*ret->q));
    cells = 0;
    for (uint32_t part = 0; part < parts; part++) {
        for (uint32_t i = 0; i < a[part].side.cells; i++, cells++) {
            stat_difference(&a[part].estimates[i], &b[part].estimates[i], 0.95, &ret->differences[cells]);
            p[cells] = ret->differences[cells].p_value;
        }
    }
    stat_fdr(p, ret->q, cells);
    for (uint32_t i = 0; i < cells; i++)
        ret->any = ret->any || ret->q[i] <= 0.05;
    free(p);
}

void judge_pair(const struct simulated *a, const struct simulated *b, struct pair_result *ret)
{
    judge_all(a, b, 1, ret);
}

void judge_pair_with_rates(const struct simulated sides[2], const struct simulated rates[2], struct pair_result *ret)
{
    struct simulated a[2] = {sides[0], rates[0]}, b[2] = {sides[1], rates[1]};

    judge_all(a, b, 2, ret);
}

void pair_result_free(struct pair_result *result)
{
    free(result->differences);
    free(result->q);
}

double three_errors(double expected, uint32_t trials)
{
    return 3 * sqrt(expected * (1 - expected) / trials);
}

double predicted_power(double p, double by, double n, double level)
{
    double mean = p + by / 2, null = sqrt(2 * mean * (1 - mean) / n),
           real = sqrt((p * (1 - p) + (p + by) * (1 - p - by)) / n);

    return gsl_cdf_ugaussian_P((by - gsl_cdf_ugaussian_Qinv(level / 2) * null) / real);
}
