/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/stat/stat_prop.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

/* Cells with fewer samples a run say nothing about the spread between runs: their squares are no chi-squares. */
enum { MODERATION_MIN_PER_RUN = 5 };

static double n_of(const struct stat_side *side, uint32_t run, uint32_t cell)
{
    return side->n_per_cell ? side->n[(size_t)run * side->cells + cell] : side->n[run];
}

/* Returns the x with trigamma(x) = y, by Newton's iteration on 1 / trigamma, which is convex and nearly linear (Smyth
 * 2004, appendix). */
static double trigamma_inverse(double y)
{
    double x = 0.5 + 1 / y;

    if (y > 1e7)
        return 1 / sqrt(y);
    for (int i = 0; i < 50; i++) {
        double tri = gsl_sf_psi_1(x), step = tri * (1 - tri / y) / gsl_sf_psi_n(2, x);

        x += step;
        if (-step / x < 1e-8)
            break;
    }
    return x;
}

struct prior {
    double phi, df; /* df INFINITY: cells show no difference in phi */
    double pooled_df;
};

/* Fits a prior to the cells' raw phi (each with d degrees of freedom): Smyth 2004, section 6.2. */
static struct prior fit_prior(double *raw, uint32_t count, double d)
{
    struct prior prior = {.phi = 1, .df = INFINITY, .pooled_df = count * d};
    double mean = 0, sum = 0, spread = 0, shift = gsl_sf_psi(d / 2) - log(d / 2);

    if (count == 0)
        return prior;
    for (uint32_t i = 0; i < count; i++)
        sum += raw[i] / count;
    /* A phi of exactly 0 has no logarithm. */
    for (uint32_t i = 0; i < count; i++)
        raw[i] = log(fmax(raw[i], sum * 1e-5 + 1e-12)) - shift;
    for (uint32_t i = 0; i < count; i++)
        mean += raw[i] / count;
    for (uint32_t i = 0; i < count; i++)
        spread += (raw[i] - mean) * (raw[i] - mean);
    spread = count > 1 ? spread / (count - 1) - gsl_sf_psi_1(d / 2) : 0;
    if (spread > 0) {
        prior.df = 2 * trigamma_inverse(spread);
        prior.phi = exp(mean + gsl_sf_psi(prior.df / 2) - log(prior.df / 2));
    } else {
        prior.phi = sum;
    }
    return prior;
}

/* The fit takes all cells to vary alike, and in recordings one instruction may vary ten times as much as the many
 * others. So the prior counts less for a cell that varies more than the fit has it, the less likely the prior makes so
 * large a phi: B. Phipson, S. Lee, I. Majewski, W. Alexander, G. Smyth, "Robust hyperparameter estimation protects
 * against hypervariable genes", Ann. Appl. Stat. 10 (2016), section 3.4. Its weight there is the tail's probability
 * over what a cell of that rank has; here over 1/2, the middle's, for of few runs a cell that varies seldom looks like
 * an outlier. Two runs show it least: there the weight is the probability itself, and the degrees of freedom are three
 * at most. */
static void trust_own(struct stat_estimate *e, const struct prior *prior, double d)
{
    double f = e->raw / prior->phi,
           tail = isinf(prior->df) ? gsl_cdf_chisq_Q(f * d, d) : gsl_cdf_fdist_Q(f, d, prior->df),
           df = fmin(prior->df, prior->pooled_df) * fmin(1, fmin(d, 2) * tail);

    e->phi = (df * prior->phi + d * e->raw) / (df + d);
    e->df = fmin(e->df, d < 2 ? fmin(df + d, 3) : df + d);
}

static bool counts_for_prior(const struct stat_estimate *e, uint32_t runs)
{
    return fmin(e->x, e->n - e->x) >= MODERATION_MIN_PER_RUN * runs;
}

void stat_estimate(const struct stat_side *side, struct stat_estimate *ret_cells)
{
    double d = side->runs - 1.0, *raw = must_alloc(side->cells, sizeof(*raw)),
           *used = must_alloc(side->cells + side->other_count, sizeof(*used));
    double raw_sum = 0, moderated_sum = 0;
    uint32_t used_count = 0, own_count;
    struct prior prior;

    for (uint32_t cell = 0; cell < side->cells; cell++) {
        struct stat_estimate *e = &ret_cells[cell];
        double squares = 0;

        *e = (struct stat_estimate){.phi = 1, .fitted = 1, .df = INFINITY, .raw = NAN};
        for (uint32_t run = 0; run < side->runs; run++) {
            e->x += side->x[(size_t)run * side->cells + cell];
            e->n += n_of(side, run, cell);
        }
        e->p = e->n > 0 ? e->x / e->n : 0;
        raw[cell] = NAN;
        if (side->runs < 2 || e->p <= 0 || e->p >= 1)
            continue;
        for (uint32_t run = 0; run < side->runs; run++) {
            double rest = side->x[(size_t)run * side->cells + cell] - e->p * n_of(side, run, cell);

            squares += rest * rest;
        }
        raw[cell] = side->runs / d * squares / (e->n * e->p * (1 - e->p));
        if (counts_for_prior(e, side->runs))
            used[used_count++] = e->raw = raw[cell];
    }
    if (side->runs >= 2) {
        own_count = used_count;
        for (uint32_t i = 0; i < own_count; i++)
            raw_sum += used[i];
        for (uint32_t i = 0; i < side->other_count; i++)
            if (!isnan(side->others[i]))
                used[used_count++] = side->others[i];
        prior = fit_prior(used, used_count, d);
        for (uint32_t cell = 0; cell < side->cells; cell++) {
            struct stat_estimate *e = &ret_cells[cell];
            double own_df = isnan(raw[cell]) ? 0 : d, own = isnan(raw[cell]) ? 0 : raw[cell];

            if (used_count == 0) {
                e->phi = own;
                e->df = d;
                continue;
            }
            e->phi = isinf(prior.df) ? prior.phi : (prior.df * prior.phi + own_df * own) / (prior.df + own_df);
            e->df = fmax(fmin(prior.df + own_df, prior.pooled_df), d);
            if (counts_for_prior(e, side->runs))
                moderated_sum += e->phi;
        }
        /* Logarithms with few degrees of freedom make the prior slightly low, but moderation must not reduce the
         * mean. */
        double up = moderated_sum > 0 ? fmax(1, raw_sum / moderated_sum) : 1;
        prior.phi *= up;
        for (uint32_t cell = 0; cell < side->cells; cell++) {
            struct stat_estimate *e = &ret_cells[cell];

            e->phi *= up;
            e->fitted = fmax(1, e->phi);
            if (e->raw > e->fitted)
                trust_own(e, &prior, d);
            e->phi = fmax(1, e->phi);
        }
    }
    free(raw);
    free(used);
}

double stat_overall_phi(const struct stat_side *side, const struct stat_estimate *cells)
{
    double chi = 0;
    uint32_t used = 0;

    for (uint32_t cell = 0; cell < side->cells; cell++) {
        if (cells[cell].x <= 0)
            continue;
        used++;
        for (uint32_t run = 0; run < side->runs; run++) {
            double expected = cells[cell].p * n_of(side, run, cell),
                   rest = side->x[(size_t)run * side->cells + cell] - expected;

            chi += expected > 0 ? rest * rest / expected : 0;
        }
    }
    return side->runs < 2 || used < 2 ? 1 : fmax(1, chi / (side->runs - 1.0) / (used - 1));
}

double stat_quantile_t(double tail, double df)
{
    return isinf(df) || df > 1e6 ? gsl_cdf_ugaussian_Qinv(tail) : gsl_cdf_tdist_Qinv(tail, df);
}

static double two_sided(double z, double df)
{
    double above = isinf(df) || df > 1e6 ? gsl_cdf_ugaussian_Q(fabs(z)) : gsl_cdf_tdist_Q(fabs(z), df);

    return fmin(1, 2 * above);
}

void stat_wilson(double p, double n_effective, double level, double df, double *ret_low, double *ret_high)
{
    double z = stat_quantile_t((1 - level) / 2, df), n = n_effective, z2 = z * z, centre, half;

    if (!(n > 0)) {
        *ret_low = 0;
        *ret_high = 1;
        return;
    }
    centre = (p + z2 / (2 * n)) / (1 + z2 / n);
    half = z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    *ret_low = p <= 0 ? 0 : fmax(0, centre - half);
    *ret_high = p >= 1 ? 1 : fmin(1, centre + half);
}

static double x_log(double observed, double expected)
{
    return observed > 0 ? observed * log(observed / expected) : 0;
}

static void newcombe(const struct stat_estimate *a, const struct stat_estimate *b, double level, double df,
                     double *ret_low, double *ret_high)
{
    double low_a, high_a, low_b, high_b, value = b->p - a->p;

    stat_wilson(a->p, a->n / a->phi, level, df, &low_a, &high_a);
    stat_wilson(b->p, b->n / b->phi, level, df, &low_b, &high_b);
    *ret_low = value - hypot(b->p - low_b, high_a - a->p);
    *ret_high = value + hypot(high_b - b->p, a->p - low_a);
}

void stat_difference(const struct stat_estimate *a, const struct stat_estimate *b, double level,
                     struct stat_difference *ret)
{
    double na = a->n / a->phi, nb = b->n / b->phi, xa = a->x / a->phi, xb = b->x / b->phi, p, va, vb, score, ratio,
           half, add = a->x > 0 && b->x > 0 ? 0 : 0.5;

    *ret = (struct stat_difference){
        .value = b->p - a->p, .low = -1, .high = 1, .low90 = -1, .high90 = 1, .p_value = 1, .df = INFINITY};
    ret->log2_low = -INFINITY;
    ret->log2_high = INFINITY;
    if (!(na > 0) || !(nb > 0))
        return;
    va = 1 / na;
    vb = 1 / nb;
    ret->df = (va + vb) * (va + vb) / (va * va / a->df + vb * vb / b->df);
    newcombe(a, b, level, ret->df, &ret->low, &ret->high);
    newcombe(a, b, 1 - 2 * (1 - level), ret->df, &ret->low90, &ret->high90);

    p = (xa + xb) / (na + nb);
    if (p > 0 && p < 1) {
        score = ret->value / sqrt(p * (1 - p) * (va + vb));
        ratio = sqrt(fmax(0, 2 * (x_log(xa, na * p) + x_log(na - xa, na * (1 - p)) + x_log(xb, nb * p) +
                                  x_log(nb - xb, nb * (1 - p)))));
        ret->p_value = two_sided(fmin(fabs(score), ratio), ret->df);
    }
    if (a->x <= 0 && b->x <= 0)
        return;
    /* Katz and others, Biometrics 34 (1978), with Pettigrew's half for empty cells (Biometrika 73, 1986). */
    ret->log2_ratio = log2((xb + add) / (nb + add) / ((xa + add) / (na + add)));
    half = stat_quantile_t((1 - level) / 2, ret->df) *
           sqrt(fmax(0, 1 / (xa + add) - 1 / (na + add) + 1 / (xb + add) - 1 / (nb + add))) / M_LN2;
    ret->log2_low = ret->log2_ratio - half;
    ret->log2_high = ret->log2_ratio + half;
}
