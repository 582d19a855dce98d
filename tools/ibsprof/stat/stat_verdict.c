/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/stat/stat_verdict.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/base/must.h"

const char *const stat_verdict_names[] = {"different", "equivalent", "both", "inconclusive", "one-run", NULL};

const char *stat_verdict_name(enum stat_verdict verdict)
{
    return verdict < VERDICTS ? stat_verdict_names[verdict] : "?";
}

static double variance(const struct stat_estimate *e)
{
    return e->p * (1 - e->p) * e->phi / e->n;
}

/* Returns the distance of the contrast p_b - factor * p_a from 0, in its standard errors. */
static double contrast(const struct stat_estimate *a, const struct stat_estimate *b, double factor)
{
    return (b->p - factor * a->p) / sqrt(variance(b) + factor * factor * variance(a));
}

struct stat_margin stat_rate_margin(struct stat_margin widest, const struct stat_estimate *a,
                                    const struct stat_estimate *b, double part)
{
    const double of_rate = 0.1, of_all = 0.0005;
    double pooled = a->n + b->n > 0 ? (a->x + b->x) / (a->n + b->n) : 0;

    widest.absolute = fmin(widest.absolute, fmax(of_rate * pooled, of_all / part));
    return widest;
}

double stat_margin_at(struct stat_margin margin, const struct stat_estimate *a)
{
    return fmax(margin.absolute, margin.relative * a->p);
}

bool stat_equivalent(const struct stat_estimate *a, const struct stat_estimate *b,
                     const struct stat_difference *difference, struct stat_margin margin, double alpha)
{
    if (!(a->n > 0) || !(b->n > 0))
        return false;
    if (margin.absolute >= margin.relative * a->p)
        return difference->low90 > -margin.absolute && difference->high90 < margin.absolute;
    if (a->p >= 1 && b->p >= 1)
        return difference->low90 > -margin.relative;
    double t = stat_quantile_t(alpha, difference->df);
    return contrast(a, b, 1 - margin.relative) > t && contrast(a, b, 1 + margin.relative) < -t;
}

double stat_samples_factor(const struct stat_estimate *a, const struct stat_estimate *b, struct stat_margin margin,
                           double alpha, double power)
{
    double p, half, se;

    if (!(a->n > 0) || !(b->n > 0))
        return INFINITY;
    p = (a->x / a->phi + b->x / b->phi) / (a->n / a->phi + b->n / b->phi);
    half = stat_margin_at(margin, a);
    se = sqrt(p * (1 - p) * (a->phi / a->n + b->phi / b->n));
    return pow((gsl_cdf_ugaussian_Qinv(alpha) + gsl_cdf_ugaussian_Qinv((1 - power) / 2)) * se / half, 2);
}

enum stat_verdict stat_judge(bool significant, bool equivalent)
{
    if (significant)
        return equivalent ? VERDICT_BOTH : VERDICT_DIFFERENT;
    return equivalent ? VERDICT_EQUIVALENT : VERDICT_INCONCLUSIVE;
}

void stat_fdr(const double *p, double *ret_q, uint32_t count)
{
    size_t *order = must_alloc(count, sizeof(*order));
    double least = 1;

    gsl_sort_index(order, p, 1, count);
    for (uint32_t rank = count; rank > 0; rank--) {
        least = fmin(least, p[order[rank - 1]] * count / rank);
        ret_q[order[rank - 1]] = least;
    }
    free(order);
}
