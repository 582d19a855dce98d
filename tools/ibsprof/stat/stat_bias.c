/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/stat/stat_bias.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/stat/stat_table.h"

/* Returns the mean of |x - n p| of a binomial x (de Moivre's closed form; P. Diaconis, S. Zabell, Stat. Sci. 6, 1991).
 */
static double mean_deviation(double n, double p)
{
    double k = floor(n * p) + 1; /* the first count above the mean */

    if (p <= 0 || k > n)
        return 0;
    /* 2 k C(n, k) p^k (1-p)^(n-k+1), by logarithms: C(n, k) exceeds a double */
    return 2 * exp(log(k) + gsl_sf_lngamma(n + 1) - gsl_sf_lngamma(k + 1) - gsl_sf_lngamma(n - k + 1) + k * log(p) +
                   (n - k + 1) * log1p(-p));
}

static double sum_of(const double *v, uint32_t cells)
{
    double sum = 0;

    for (uint32_t i = 0; i < cells; i++)
        sum += v[i];
    return sum;
}

static int by_value(const void *a, const void *b)
{
    const double *left = a, *right = b;

    return *left < *right ? -1 : *left > *right;
}

/* Draws as many samples from the shares, many times. */
static void draw(const double *share, uint32_t cells, unsigned long seed, struct stat_bias *ret)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned *drawn = must_alloc(cells, sizeof(*drawn)), as_large = 0;
    double *counts = must_alloc(cells, sizeof(*counts)), *tvd = must_alloc(STAT_BIAS_DRAWS, sizeof(*tvd));

    gsl_rng_set(rng, seed);
    for (unsigned d = 0; d < STAT_BIAS_DRAWS; d++) {
        gsl_ran_multinomial(rng, cells, (unsigned)ret->n, share, drawn);
        for (uint32_t i = 0; i < cells; i++)
            counts[i] = drawn[i];
        tvd[d] = stat_tvd(counts, share, cells);
        as_large += tvd[d] >= ret->tvd * (1 - 1e-9);
    }
    qsort(tvd, STAT_BIAS_DRAWS, sizeof(*tvd), by_value);
    ret->floor_high = tvd[STAT_BIAS_DRAWS * 95 / 100];
    ret->p_tvd = (as_large + 1.0) / (STAT_BIAS_DRAWS + 1.0);
    free(tvd);
    free(counts);
    free(drawn);
    gsl_rng_free(rng);
}

/* Computes chi-square. Cells below the minimum are joined; if that is still too small, the smallest other cell is
 * added. */
static void chi_square(const double *samples, const double *share, uint32_t cells, double all, struct stat_bias *ret)
{
    double pool_samples = 0, pool_expected = 0;
    uint32_t used = 0, smallest = cells;

    for (uint32_t i = 0; i < cells; i++) {
        double expected = share[i] / all * ret->n;

        if (expected >= STAT_BIAS_LEAST) {
            smallest = smallest == cells || share[i] < share[smallest] ? i : smallest;
            continue;
        }
        pool_samples += samples[i];
        pool_expected += expected;
        ret->pooled += expected > 0 || samples[i] > 0;
    }
    if (!ret->pooled || pool_expected >= STAT_BIAS_LEAST)
        smallest = cells;
    for (uint32_t i = 0; i < cells; i++) {
        double expected = share[i] / all * ret->n;

        if (expected < STAT_BIAS_LEAST)
            continue;
        if (i == smallest) {
            pool_samples += samples[i];
            pool_expected += expected;
            ret->pooled++;
            continue;
        }
        ret->chi2 += (samples[i] - expected) * (samples[i] - expected) / expected;
        used++;
    }
    if (pool_expected > 0) {
        ret->chi2 += (pool_samples - pool_expected) * (pool_samples - pool_expected) / pool_expected;
        used++;
    }
    ret->df = used > 1 ? used - 1 : 0;
    ret->p_chi2 = ret->df ? gsl_cdf_chisq_Q(ret->chi2, ret->df) : 1;
}

bool stat_bias(const double *samples, const double *share, uint32_t cells, unsigned long seed, struct stat_bias *ret)
{
    double all = sum_of(share, cells), most = -1;

    *ret = (struct stat_bias){.n = sum_of(samples, cells), .p_tvd = 1, .p_chi2 = 1};
    if (ret->n <= 0 || all <= 0)
        return false;
    ret->tvd = stat_tvd(samples, share, cells);
    for (uint32_t i = 0; i < cells; i++) {
        double difference = fabs(samples[i] / ret->n - share[i] / all);

        if (difference > most) {
            most = difference;
            ret->worst = i;
        }
        ret->never += share[i] > 0 ? 0 : samples[i];
        ret->floor += mean_deviation(ret->n, share[i] / all) / 2;
    }
    ret->floor /= ret->n;
    draw(share, cells, seed, ret);
    chi_square(samples, share, cells, all, ret);
    ret->beyond = fmin(ret->p_tvd, ret->p_chi2) < 0.025 || ret->never > 0;
    ret->even = ret->df && gsl_cdf_chisq_P(ret->chi2, ret->df) < 1e-6;
    return true;
}
