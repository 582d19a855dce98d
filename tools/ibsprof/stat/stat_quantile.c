/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/stat/stat_quantile.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/stat/stat_bootstrap.h"

/* Returns the bin of a quantile, and how many counts are up to it; UINT32_MAX: no counts. */
static uint32_t bin_of(const double *counts, uint32_t bins, double q, double *ret_within)
{
    double all = 0, below = 0;
    uint32_t last = UINT32_MAX, bin;

    for (uint32_t i = 0; i < bins; i++) {
        all += counts[i];
        last = counts[i] > 0 ? i : last;
    }
    for (bin = 0; bin < last && last != UINT32_MAX; bin++) {
        if (counts[bin] > 0 && below + counts[bin] >= q * all)
            break;
        below += counts[bin];
    }
    *ret_within = q * all - below;
    return last != UINT32_MAX ? bin : last;
}

/* Returns the quantile of one histogram with the bins of h, 0 < q < 1; NAN: it is empty. */
static double quantile_of(const double *counts, const struct stat_histograms *h, double q)
{
    double within;
    uint32_t bin = bin_of(counts, h->bins, q, &within);

    if (bin == UINT32_MAX)
        return NAN;
    return h->low[bin] + (h->high[bin] - h->low[bin]) * within / counts[bin];
}

/* Adds up the runs, and returns the design effect: the larger one of "below the quantile" and "not above it", because
 * one of them may be equal in all runs if many latencies are equal. */
static double pool(const struct stat_histograms *h, double q, double *ret_pooled)
{
    double at, *below = must_alloc(h->runs, sizeof(*below)), *up_to = must_alloc(h->runs, sizeof(*up_to)),
               *n = must_alloc(h->runs, sizeof(*n)), phi = 1;

    for (uint32_t run = 0; run < h->runs; run++)
        for (uint32_t i = 0; i < h->bins; i++)
            ret_pooled[i] += h->counts[(size_t)run * h->bins + i];
    at = quantile_of(ret_pooled, h, q);
    for (uint32_t run = 0; run < h->runs; run++)
        for (uint32_t i = 0; i < h->bins; i++) {
            double count = h->counts[(size_t)run * h->bins + i];

            n[run] += count;
            below[run] += h->high[i] < at ? count : 0;
            up_to[run] += h->low[i] <= at ? count : 0;
        }
    for (int k = 0; k < 2; k++) {
        struct stat_side side = {.runs = h->runs, .cells = 1, .x = k == 0 ? below : up_to, .n = n};
        struct stat_estimate estimate;

        stat_estimate(&side, &estimate);
        phi = fmax(phi, estimate.phi);
    }
    free(below);
    free(up_to);
    free(n);
    return phi;
}

static void draw(const struct stat_histograms *h, const double *pooled, double n, double phi, bool runs, gsl_rng *rng,
                 double *ret)
{
    if (!runs) {
        stat_draw(rng, pooled, n, phi, h->bins, ret);
        return;
    }
    memset(ret, 0, h->bins * sizeof(*ret));
    for (uint32_t k = 0; k < h->runs; k++) {
        size_t run = gsl_rng_uniform_int(rng, h->runs);

        for (uint32_t i = 0; i < h->bins; i++)
            ret[i] += h->counts[run * h->bins + i];
    }
}

/* p of no difference: A. Mood's test (Introduction to the Theory of Statistics, 1950), which asks whether the same part
 * of both sides lies up to the quantile of both together. It holds its level where a quantile jumps between two modes,
 * of which the bootstrap's spread says little. Quantiles in one bin are the same. */
static double mood(const struct stat_histograms *const sides[2], double *const pooled[2], double q, double level)
{
    uint32_t bins = sides[0]->bins, own[2], most, k;
    double *both, within;
    struct stat_estimate estimate[2];
    struct stat_difference difference;

    for (int s = 0; s < 2; s++)
        own[s] = bin_of(pooled[s], bins, q, &within);
    if (own[0] == own[1])
        return 1;
    most = own[0] > own[1] ? own[0] : own[1];
    both = must_alloc(bins, sizeof(*both));
    for (uint32_t i = 0; i < bins; i++)
        both[i] = pooled[0][i] + pooled[1][i];
    k = bin_of(both, bins, q, &within);
    free(both);
    /* "Up to" a bin that both reach with their quantile is "below" it. */
    if (k >= most)
        k = most - 1;
    for (int s = 0; s < 2; s++) {
        const struct stat_histograms *h = sides[s];
        double *x = must_alloc(h->runs, sizeof(*x)), *n = must_alloc(h->runs, sizeof(*n));
        struct stat_side side = {.runs = h->runs, .cells = 1, .x = x, .n = n};

        for (uint32_t run = 0; run < h->runs; run++)
            for (uint32_t i = 0; i < bins; i++) {
                n[run] += h->counts[(size_t)run * bins + i];
                x[run] += i <= k ? h->counts[(size_t)run * bins + i] : 0;
            }
        stat_estimate(&side, &estimate[s]);
        free(x);
        free(n);
    }
    stat_difference(&estimate[0], &estimate[1], level, &difference);
    return difference.p_value;
}

static double sorted_quantile(const double *values, uint32_t count, double q)
{
    return gsl_stats_quantile_from_sorted_data(values, 1, count, q);
}

bool stat_quantile_difference(const struct stat_histograms *a, const struct stat_histograms *b, double q, double level,
                              uint32_t resamples, gsl_rng *rng, struct stat_quantile *ret)
{
    const struct stat_histograms *sides[2] = {a, b};
    double *pooled[2], *values[3], *drawn = must_alloc(a->bins, sizeof(*drawn)), phi[2], n[2] = {0, 0}, tail;
    bool runs = a->runs >= STAT_RUNS_FOR_RESAMPLING && b->runs >= STAT_RUNS_FOR_RESAMPLING, good;

    for (int s = 0; s < 2; s++) {
        pooled[s] = must_alloc(sides[s]->bins, sizeof(double));
        phi[s] = pool(sides[s], q, pooled[s]);
        for (uint32_t i = 0; i < sides[s]->bins; i++)
            n[s] += pooled[s][i];
    }
    for (int k = 0; k < 3; k++)
        values[k] = must_alloc(resamples, sizeof(double));
    good = n[0] > 0 && n[1] > 0 && resamples > 0;
    if (good) {
        ret->a = quantile_of(pooled[0], a, q);
        ret->b = quantile_of(pooled[1], b, q);
        ret->value = ret->b - ret->a;
        for (uint32_t i = 0; i < resamples; i++) {
            for (int s = 0; s < 2; s++)
                do
                    draw(sides[s], pooled[s], n[s], phi[s], runs, rng, drawn);
                while (isnan(values[s][i] = quantile_of(drawn, sides[s], q)));
            values[2][i] = values[1][i] - values[0][i];
        }
        ret->error = gsl_stats_sd(values[2], 1, resamples);
        for (int k = 0; k < 3; k++)
            gsl_sort(values[k], 1, resamples);
        tail = (1 - level) / 2;
        ret->low_a = sorted_quantile(values[0], resamples, tail);
        ret->high_a = sorted_quantile(values[0], resamples, 1 - tail);
        ret->low_b = sorted_quantile(values[1], resamples, tail);
        ret->high_b = sorted_quantile(values[1], resamples, 1 - tail);
        ret->low = sorted_quantile(values[2], resamples, tail);
        ret->high = sorted_quantile(values[2], resamples, 1 - tail);
        ret->low90 = sorted_quantile(values[2], resamples, 2 * tail);
        ret->high90 = sorted_quantile(values[2], resamples, 1 - 2 * tail);
        ret->p_value = mood(sides, pooled, q, level);
        /* An interval that holds 0 shows no difference. */
        if (ret->low <= 0 && ret->high >= 0)
            ret->p_value = fmax(ret->p_value, nextafter(1 - level, 1));
    }
    for (int s = 0; s < 2; s++)
        free(pooled[s]);
    for (int k = 0; k < 3; k++)
        free(values[k]);
    free(drawn);
    return good;
}
