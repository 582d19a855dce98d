/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/noise/noise_rate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "tools/ibsprof/stat/stat_prop.h"

struct noise_value noise_difference(struct noise_value a, struct noise_value b)
{
    double value = b.value - a.value;

    return (struct noise_value){value, value - hypot(b.value - b.low, a.high - a.value),
                                value + hypot(b.high - b.value, a.value - a.low)};
}

double noise_p_of_t(double t, double df)
{
    t = fabs(t);
    return fmin(1, 2 * (isinf(df) ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, df)));
}

struct noise_value noise_rate_of(const struct noise_sums *n, double level)
{
    double count = n->all / n->phi, tail = (1 - level) / 2, time = n->total / n->phi, rate = n->all / n->total;
    double wider = isinf(n->df) ? 1 : stat_quantile_t(tail, n->df) / stat_quantile_t(tail, INFINITY);
    double low = count > 0 ? gsl_cdf_chisq_Pinv(tail, 2 * count) / 2 / time : 0;
    double high = gsl_cdf_chisq_Qinv(tail, 2 * count + 2) / 2 / time;

    return (struct noise_value){rate, fmax(0, rate - (rate - low) * wider), rate + (high - rate) * wider};
}

/* Returns P(X >= k) of a binomial distribution, also for fractions k and n. */
static double binomial_above(double k, double n, double p)
{
    return k <= 0 ? 1 : k > n ? 0 : gsl_cdf_beta_P(p, k, n - k + 1);
}

/* Returns phi of both sides together, as in a quasi-likelihood model, because one side's rests on few runs. The test
 * and the interval of the difference both use it, so that they agree. */
static double common_phi(const struct noise_sums *a, const struct noise_sums *b, double *ret_df)
{
    double chi_df = a->chi_df + b->chi_df, phi = chi_df > 0 ? fmax(1, (a->chi + b->chi) / chi_df) : 1;

    *ret_df = phi > 1 ? chi_df : (double)INFINITY;
    return phi;
}

struct noise_value noise_rate_difference(const struct noise_sums *a, const struct noise_sums *b, double level)
{
    struct noise_sums common[NOISE_SIDES] = {*a, *b};

    common[0].phi = common[1].phi = common_phi(a, b, &common[0].df);
    common[1].df = common[0].df;
    return noise_difference(noise_rate_of(&common[0], level), noise_rate_of(&common[1], level));
}

double noise_rate_p(const struct noise_sums *a, const struct noise_sums *b)
{
    double df, phi = common_phi(a, b, &df);
    double x = b->all / phi, n = (a->all + b->all) / phi, part = b->total / (a->total + b->total), above, below, p;

    if (n <= 0)
        return 1;
    above = binomial_above(x, n, part);
    below = binomial_above(n - x, n, 1 - part);
    p = fmin(1, 2 * fmin(above, below));
    if (isinf(df) || p >= 1)
        return p;
    /* phi is an estimate from few runs: Student replaces the normal distribution. */
    return noise_p_of_t(p > 0 ? gsl_cdf_ugaussian_Qinv(p / 2) : 38, df);
}
