/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests and distances of whole profiles; stat_bootstrap.c has their intervals. */
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/stat/stat_bootstrap.h"
#include "tools/ibsprof/stat/stat_table.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

static double sum_of(const double *v, uint32_t cells)
{
    double sum = 0;

    for (uint32_t i = 0; i < cells; i++)
        sum += v[i];
    return sum;
}

static double x_log(double x, double y)
{
    return x > 0 ? x * log(x / y) : 0;
}

double stat_g(const double *a, const double *b, uint32_t cells, uint32_t *ret_df)
{
    double na = sum_of(a, cells), nb = sum_of(b, cells), g = 0;
    uint32_t used = 0;

    for (uint32_t i = 0; i < cells; i++) {
        double both = a[i] + b[i];

        if (both <= 0)
            continue;
        used++;
        g += x_log(a[i], both * na / (na + nb)) + x_log(b[i], both * nb / (na + nb));
    }
    if (ret_df != NULL)
        *ret_df = used > 0 ? used - 1 : 0;
    return na > 0 && nb > 0 ? fmax(0, 2 * g) : 0;
}

double stat_williams(const double *a, const double *b, uint32_t cells)
{
    double na = sum_of(a, cells), nb = sum_of(b, cells), n = na + nb, rows, columns = 0;
    uint32_t used = 0;

    if (!(na > 0) || !(nb > 0))
        return 1;
    rows = n / na + n / nb - 1;
    for (uint32_t i = 0; i < cells; i++)
        if (a[i] + b[i] > 0) {
            columns += n / (a[i] + b[i]);
            used++;
        }
    return used < 2 ? 1 : 1 + rows * (columns - 1) / (6 * n * (used - 1));
}

double stat_tvd(const double *a, const double *b, uint32_t cells)
{
    double na = sum_of(a, cells), nb = sum_of(b, cells), sum = 0;

    if (!(na > 0) || !(nb > 0))
        return 0;
    for (uint32_t i = 0; i < cells; i++)
        sum += fabs(a[i] / na - b[i] / nb);
    return sum / 2;
}

double stat_jsd(const double *a, const double *b, uint32_t cells)
{
    double na = sum_of(a, cells), nb = sum_of(b, cells), sum = 0;

    if (!(na > 0) || !(nb > 0))
        return 0;
    for (uint32_t i = 0; i < cells; i++) {
        double p = a[i] / na, q = b[i] / nb;

        sum += x_log(p, (p + q) / 2) + x_log(q, (p + q) / 2);
    }
    return fmax(0, sum / 2 / M_LN2);
}

double stat_cramer_v(const double *a, const double *b, uint32_t cells)
{
    double na = sum_of(a, cells), nb = sum_of(b, cells), n = na + nb, phi2 = 0, columns, rows;
    uint32_t used = 0;

    if (!(na > 0) || !(nb > 0))
        return 0;
    for (uint32_t i = 0; i < cells; i++) {
        double p = (a[i] + b[i]) / n, d = a[i] / na - b[i] / nb;

        if (p <= 0)
            continue;
        used++;
        phi2 += d * d / p; /* chi-square is na nb / n times this */
    }
    if (used < 2)
        return 0;
    /* W. Bergsma, J. Korean Stat. Soc. 42 (2013) */
    phi2 = fmax(0, phi2 * na * nb / (n * n) - (used - 1) / (n - 1));
    columns = used - (used - 1.0) * (used - 1.0) / (n - 1);
    rows = 2 - 1 / (n - 1);
    return sqrt(phi2 / (fmin(columns, rows) - 1));
}

/* Returns G for runs of both sides in one list, of which 'chosen' marks those of side a. */
static double g_of_choice(const struct stat_side *a, const struct stat_side *b, const bool *chosen, double *sums)
{
    uint32_t cells = a->cells;

    for (uint32_t i = 0; i < 2 * cells; i++)
        sums[i] = 0;
    for (uint32_t run = 0; run < a->runs + b->runs; run++) {
        const double *x = run < a->runs ? a->x + (size_t)run * cells : b->x + (size_t)(run - a->runs) * cells;
        double *to = chosen[run] ? sums : sums + cells;

        for (uint32_t i = 0; i < cells; i++)
            to[i] += x[i];
    }
    return stat_g(sums, sums + cells, cells, NULL);
}

/* Makes the next choice of equally many in lexicographic order. Returns false after the last. */
static bool next_choice(bool *chosen, uint32_t count)
{
    uint32_t ones = 0, i = count;

    /* from the right: ones, then zeros, then the one that can move right */
    while (i > 0 && chosen[i - 1]) {
        chosen[--i] = false;
        ones++;
    }
    while (i > 0 && !chosen[i - 1])
        i--;
    if (i == 0)
        return false;
    chosen[i - 1] = false;
    for (uint32_t k = 0; k <= ones; k++)
        chosen[i + k] = true;
    return true;
}

static void permute(const struct stat_side *a, const struct stat_side *b, uint32_t limit, gsl_rng *rng,
                    struct stat_whole *ret)
{
    uint32_t runs = a->runs + b->runs, as_large = 0;
    bool *chosen = must_alloc(runs, sizeof(*chosen));
    double *sums = must_alloc(2 * (size_t)a->cells, sizeof(*sums)), all = 1, observed;

    for (uint32_t i = 0; i < a->runs; i++) {
        chosen[i] = true;
        all = all * (runs - i) / (i + 1);
    }
    /* Equal sizes: exchanging the sides gives the same G, so each value occurs twice. */
    ret->p_least = (a->runs == b->runs ? 2 : 1) / fmin(all, limit);
    ret->p_permutation = NAN;
    observed = g_of_choice(a, b, chosen, sums) * (1 - 1e-9);
    ret->exact = all <= limit;
    ret->permutations = 0;
    if (runs > 2 && ret->exact) {
        do {
            ret->permutations++;
            as_large += g_of_choice(a, b, chosen, sums) >= observed;
        } while (next_choice(chosen, runs));
        ret->p_permutation = as_large / (double)ret->permutations;
    } else if (runs > 2) {
        for (; ret->permutations < limit; ret->permutations++) {
            gsl_ran_shuffle(rng, chosen, runs, sizeof(*chosen));
            as_large += g_of_choice(a, b, chosen, sums) >= observed;
        }
        ret->p_permutation = (as_large + 1.0) / (limit + 1.0);
    }
    free(chosen);
    free(sums);
}

/* With independent samples G of equal profiles is a chi-square. Runs that vary make it a weighted sum of them, with
 * weights (1 - p_i) phi_i: their mean is phi, their spread gives the degrees of freedom that are left (the second order
 * correction of Rao and Scott 1984, after Satterthwaite). The phi are estimates with degrees of freedom of their own,
 * so that G / phi is an F. With phi from the whole chi-square between runs, which passes over what stat_estimate()
 * knows of each cell, more than 5 % of pairs of two equal runs a side were called different (docs/compare.md). */
static void model_test(const struct stat_side *a, const struct stat_estimate *ea, const struct stat_side *b,
                       const struct stat_estimate *eb, struct stat_whole *ret)
{
    double na = ea[0].n, nb = eb[0].n, sum = 0, squares = 0, va = stat_overall_phi(a, ea) / na,
           vb = stat_overall_phi(b, eb) / nb;

    if (ret->cells < 2) {
        ret->p_model = 1;
        return;
    }
    for (uint32_t i = 0; i < a->cells; i++) {
        /* no cell's phi is below its own here; fmax() passes over NAN */
        double p = (ea[i].x + eb[i].x) / (na + nb),
               weight = (1 - p) * (fmax(ea[i].phi, ea[i].raw) / na + fmax(eb[i].phi, eb[i].raw) / nb);

        if (p <= 0)
            continue;
        sum += weight;
        squares += weight * weight;
    }
    ret->phi = sum / (ret->cells - 1) / (1 / na + 1 / nb);
    ret->df1 = fmin(ret->cells - 1, sum * sum / squares);
    ret->df2 = INFINITY;
    if (a->runs > 1 || b->runs > 1)
        ret->df2 = ret->df1 * (va + vb) * (va + vb) /
                   ((a->runs > 1 ? va * va / (a->runs - 1) : 0) + (b->runs > 1 ? vb * vb / (b->runs - 1) : 0));
    ret->f = ret->g / ret->phi / (ret->cells - 1);
    ret->p_model = isinf(ret->df2) || ret->df2 > 1e6 ? gsl_cdf_chisq_Q(ret->f * ret->df1, ret->df1)
                                                     : gsl_cdf_fdist_Q(ret->f, ret->df1, ret->df2);
}

void stat_whole(const struct stat_side *a, const struct stat_estimate *ea, const struct stat_side *b,
                const struct stat_estimate *eb, const struct stat_whole_options *options, struct stat_whole *ret)
{
    uint32_t cells = a->cells, df;
    double *xa = must_alloc(cells, sizeof(*xa)), *xb = must_alloc(cells, sizeof(*xb));
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    gsl_rng_set(rng, options->seed);
    *ret = (struct stat_whole){.df2 = INFINITY, .phi = 1, .p_model = 1, .p_value = 1, .p_permutation = NAN};
    for (uint32_t i = 0; i < cells; i++) {
        xa[i] = ea[i].x;
        xb[i] = eb[i].x;
    }
    ret->g = stat_g(xa, xb, cells, &df);
    ret->williams = stat_williams(xa, xb, cells);
    ret->g /= ret->williams;
    if (cells > 0 && ea[0].n > 0 && eb[0].n > 0) {
        ret->cells = df + 1;
        model_test(a, ea, b, eb, ret);
        permute(a, b, options->permutations, rng, ret);
        ret->p_value = !isnan(ret->p_permutation) && ret->p_least <= 0.01 ? ret->p_permutation : ret->p_model;
        ret->tvd.value = stat_tvd(xa, xb, cells);
        ret->jsd.value = stat_jsd(xa, xb, cells);
        ret->cramer.value = stat_cramer_v(xa, xb, cells);
        stat_bootstrap(a, ea, b, eb, options, rng, ret);
    }
    gsl_rng_free(rng);
    free(xa);
    free(xb);
}
