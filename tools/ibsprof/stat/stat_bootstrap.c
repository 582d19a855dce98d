/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/stat/stat_bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

/* Returns the number of standard errors below which resampling treats a difference as 0: equal profiles keep all of
 * theirs below it in 95 of 100 cases (Bonferroni). */
static double threshold(uint32_t cells)
{
    return gsl_cdf_ugaussian_Qinv(0.025 / fmax(cells, 1));
}

void stat_draw(gsl_rng *rng, const double *p, double n, double phi, uint32_t cells, double *ret_x)
{
    unsigned int *drawn = must_alloc(cells, sizeof(*drawn)), effective = (unsigned)fmin(fmax(1, round(n / phi)), 4e9);

    gsl_ran_multinomial(rng, cells, effective, p, drawn);
    for (uint32_t i = 0; i < cells; i++)
        ret_x[i] = drawn[i] * (n / effective);
    free(drawn);
}

/* Draws a possible phi around its estimate, with (runs - 1) (cells - 1) degrees of freedom. */
static double redrawn_phi(const struct stat_side *side, double phi, uint32_t cells, gsl_rng *rng)
{
    double df = (side->runs - 1.0) * (cells - 1.0);

    return df > 0 ? fmax(1, phi * df / gsl_ran_chisq(rng, df)) : phi;
}

/* Adds the differences that a new sample of the side would have, as shares. */
static void add_noise(const struct stat_side *side, const struct stat_estimate *e, double phi, bool runs, gsl_rng *rng,
                      double *scratch, double *shares)
{
    double n = 0, widen = 1;

    memset(scratch, 0, side->cells * sizeof(*scratch));
    if (runs) {
        /* Runs drawn with replacement vary by (R-1)/R of what new runs would. */
        widen = sqrt(side->runs / (side->runs - 1.0));
        for (uint32_t k = 0; k < side->runs; k++) {
            size_t run = gsl_rng_uniform_int(rng, side->runs);

            n += side->n[run];
            for (uint32_t i = 0; i < side->cells; i++)
                scratch[i] += side->x[run * side->cells + i];
        }
    } else {
        double *p = must_alloc(side->cells, sizeof(*p));

        for (uint32_t i = 0; i < side->cells; i++)
            p[i] = e[i].p;
        n = e[0].n;
        stat_draw(rng, p, n, phi, side->cells, scratch);
        free(p);
    }
    for (uint32_t i = 0; i < side->cells; i++)
        shares[i] = fmax(0, shares[i] + widen * (scratch[i] / n - e[i].p));
}

struct sample {
    double *values; /* distances, one for each resample */
    double truth;   /* distance of the original that resampling assumes */
};

static void finish(struct stat_interval *interval, struct sample *sample, uint32_t count, double level)
{
    double low, high;

    interval->low = interval->high = interval->value;
    if (count == 0)
        return;
    gsl_sort(sample->values, 1, count);
    low = gsl_stats_quantile_from_sorted_data(sample->values, 1, count, (1 - level) / 2);
    high = gsl_stats_quantile_from_sorted_data(sample->values, 1, count, (1 + level) / 2);
    interval->low = fmin(1, fmax(0, interval->value - (high - sample->truth)));
    /* Noise can only increase a distance, but by an unknown amount if differences are as small as the noise: the upper
     * end keeps all of it, and is rather too high. */
    interval->high = fmin(1, interval->value + gsl_stats_mean(sample->values, 1, count) - low);
}

/* Computes Cramer's V of shares without a correction for bias: by the same formula for the assumed original and its
 * samples. */
static double plain_v(const double *p, const double *q, uint32_t cells, double na, double nb)
{
    double sum = 0, n = na + nb;

    for (uint32_t i = 0; i < cells; i++) {
        double mean = (p[i] * na + q[i] * nb) / n;

        if (mean > 0)
            sum += (p[i] - q[i]) * (p[i] - q[i]) / mean;
    }
    return sqrt(sum * na * nb) / n;
}

void stat_bootstrap(const struct stat_side *a, const struct stat_estimate *ea, const struct stat_side *b,
                    const struct stat_estimate *eb, const struct stat_whole_options *options, gsl_rng *rng,
                    struct stat_whole *ret)
{
    uint32_t cells = a->cells, count = options->resamples;
    double na = ea[0].n, nb = eb[0].n, phi_a = stat_overall_phi(a, ea), phi_b = stat_overall_phi(b, eb), chi = 0,
           jsd = 0;
    double *world_a = must_alloc(cells, sizeof(double)), *world_b = must_alloc(cells, sizeof(double)),
           *p = must_alloc(cells, sizeof(double)), *q = must_alloc(cells, sizeof(double)),
           *scratch = must_alloc(cells, sizeof(double));
    struct sample tvd = {must_alloc(count, sizeof(double)), 0}, divergence = {must_alloc(count, sizeof(double)), 0},
                  v = {must_alloc(count, sizeof(double)), 0};
    struct stat_interval plain;

    ret->resampled_runs = a->runs >= STAT_RUNS_FOR_RESAMPLING && b->runs >= STAT_RUNS_FOR_RESAMPLING;
    for (uint32_t i = 0; i < cells; i++) {
        double mean = (ea[i].x + eb[i].x) / (na + nb), variance = mean * (1 - mean) * (ea[i].phi / na + eb[i].phi / nb),
               expected = mean * (1 - mean) * (ea[i].fitted / na + eb[i].fitted / nb), d = eb[i].p - ea[i].p;
        bool real = d * d > variance * threshold(cells) * threshold(cells);

        world_a[i] = real ? ea[i].p : mean;
        world_b[i] = real ? eb[i].p : mean;
        ret->tvd.floor += sqrt(expected / (2 * M_PI));
        /* JSD is about d^2 / (8 mean ln 2) bits, chi-square over n the like. */
        if (mean > 0)
            jsd += expected / mean;
    }
    chi = jsd * na * nb / ((na + nb) * (na + nb));
    ret->jsd.floor = jsd / (8 * M_LN2);
    ret->cramer.floor = sqrt(fmax(0, chi - (ret->cells - 1) / (na + nb - 1)));
    tvd.truth = stat_tvd(world_a, world_b, cells);
    divergence.truth = stat_jsd(world_a, world_b, cells);
    v.truth = plain_v(world_a, world_b, cells, na, nb);
    for (uint32_t k = 0; k < count; k++) {
        memcpy(p, world_a, cells * sizeof(*p));
        memcpy(q, world_b, cells * sizeof(*q));
        add_noise(a, ea, redrawn_phi(a, phi_a, ret->cells, rng), ret->resampled_runs, rng, scratch, p);
        add_noise(b, eb, redrawn_phi(b, phi_b, ret->cells, rng), ret->resampled_runs, rng, scratch, q);
        tvd.values[k] = stat_tvd(p, q, cells);
        divergence.values[k] = stat_jsd(p, q, cells);
        v.values[k] = plain_v(p, q, cells, na, nb);
    }
    finish(&ret->tvd, &tvd, count, options->level);
    finish(&ret->jsd, &divergence, count, options->level);
    for (uint32_t i = 0; i < cells; i++) {
        p[i] = ea[i].p;
        q[i] = eb[i].p;
    }
    plain = (struct stat_interval){.value = plain_v(p, q, cells, na, nb)};
    finish(&plain, &v, count, options->level);
    ret->cramer.low = fmin(plain.low, ret->cramer.value);
    ret->cramer.high = fmax(plain.high, ret->cramer.value);
    free(world_a);
    free(world_b);
    free(p);
    free(q);
    free(scratch);
    free(tvd.values);
    free(divergence.values);
    free(v.values);
}
