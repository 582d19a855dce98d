/* SPDX-License-Identifier: BSD-2-Clause */
/* Quantiles of latencies: their values, and that two sides with the same latencies are called different no more often
 * than the level allows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "tools/ibsprof/stat/stat_quantile.h"

static void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%g, wanted %g", value, wanted);
}

static void test_quantile(void **state)
{
    static const double low[] = {0, 1, 10, 20}, high[] = {0, 10, 20, 40}, counts[] = {0, 50, 50, 0};
    double shifted[] = {0, 10, 50, 40};
    struct stat_histograms a = {.runs = 1, .bins = 4, .counts = counts, .low = low, .high = high}, b = a;
    struct stat_quantile q;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    assert_true(stat_quantile_difference(&a, &b, 0.9, 0.95, 1000, rng, &q));
    assert_near(q.a, 18, 1e-12);
    assert_true(stat_quantile_difference(&a, &b, 0.5, 0.95, 1000, rng, &q));
    assert_near(q.a, 10, 1e-12);
    assert_near(q.value, 0, 0);
    assert_true(q.p_value > 0.99 && q.low < 0 && q.high > 0);
    b.counts = shifted;
    assert_true(stat_quantile_difference(&a, &b, 0.5, 0.95, 1000, rng, &q));
    assert_near(q.b, 18, 1e-12);
    assert_true(q.p_value < 1e-3 && q.low > 0 && q.low_a < 10 && q.high_a > 10);
    memset(shifted, 0, sizeof(shifted));
    assert_false(stat_quantile_difference(&a, &b, 0.5, 0.95, 1000, rng, &q));
    gsl_rng_free(rng);
}

/* If memory always takes 162 cycles, the quantile has this value whatever the number of loads, and no other value. */
static void equal_latencies_are_no_difference(void **state)
{
    static const double values[] = {12, 162}, few[] = {10, 40}, many[] = {5, 295};
    struct stat_histograms a = {.runs = 1, .bins = 2, .counts = few, .low = values, .high = values}, b = a;
    struct stat_quantile q;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    b.counts = many;
    assert_true(stat_quantile_difference(&a, &b, 0.9, 0.95, 1000, rng, &q));
    assert_true(q.a == 162 && q.b == 162 && q.low == 0 && q.high == 0 && q.p_value == 1);
    gsl_rng_free(rng);
}

/* One run found memory cold and two did not: the side's quantile is that uncertain, although all values are at one of
 * two places. */
static void runs_that_differ_widen_a_quantile(void **state)
{
    static const double values[] = {12, 162}, same[] = {26, 34, 26, 34, 26, 34}, other[] = {0, 60, 60, 0, 18, 42},
                        cold[] = {10, 170};
    struct stat_histograms alike = {.runs = 3, .bins = 2, .counts = same, .low = values, .high = values},
                           unlike = alike, b = {.runs = 1, .bins = 2, .counts = cold, .low = values, .high = values};
    struct stat_quantile narrow, wide;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    unlike.counts = other; /* the same sums */
    for (int above = 0; above < 2; above++) {
        assert_true(stat_quantile_difference(&alike, &b, above ? 0.6 : 0.3, 0.95, 1000, rng, &narrow));
        assert_true(stat_quantile_difference(&unlike, &b, above ? 0.6 : 0.3, 0.95, 1000, rng, &wide));
        assert_true(narrow.a == values[above] && wide.a == values[above]);
        assert_true(narrow.error < wide.error);
    }
    gsl_rng_free(rng);
}

/* Latencies are drawn from two modes, as for a cache and memory, or from one mode with a spread. */
enum { BINS = 400, RUNS = 3 };
struct design {
    double near;   /* share of loads at 12 cycles; the others take 162, or about that */
    double spread; /* standard deviation of the other loads' latency */
    unsigned loads;
    double phi; /* spread between runs of how many loads are near */
};

static void draw_runs(gsl_rng *rng, const struct design *design, double *counts)
{
    double between = (design->phi - 1) / (design->loads - 1), k = between > 0 ? 1 / between - 1 : 0;

    memset(counts, 0, RUNS * BINS * sizeof(*counts));
    for (int run = 0; run < RUNS; run++) {
        double near = k > 0 ? gsl_ran_beta(rng, design->near * k, (1 - design->near) * k) : design->near;

        for (unsigned i = 0; i < design->loads; i++) {
            double cycles = gsl_rng_uniform(rng) < near ? 12 : 162 + round(gsl_ran_gaussian(rng, 1) * design->spread);

            counts[run * BINS + (cycles < 0 ? 0 : cycles >= BINS ? BINS - 1 : (int)cycles)]++;
        }
    }
}

/* Leaves out latencies that neither side has, as compare_judge.c does, because they take nearly all of the time. */
static uint32_t without_empty(double *a, double *b, double *ret_low)
{
    uint32_t bins = 0;

    for (int i = 0; i < BINS; i++) {
        double count = 0;

        for (int run = 0; run < RUNS; run++)
            count += a[run * BINS + i] + b[run * BINS + i];
        if (count > 0)
            ret_low[bins++] = i;
    }
    for (int run = 0; run < RUNS; run++)
        for (uint32_t i = 0; i < bins; i++) {
            a[run * bins + i] = a[run * BINS + (int)ret_low[i]];
            b[run * bins + i] = b[run * BINS + (int)ret_low[i]];
        }
    return bins;
}

enum { PAIRS = 300 };

/* Returns how many of PAIRS pairs have a median or 90th percentile that is called different at 5 %. */
static int called_different(gsl_rng *rng, const struct design *left, const struct design *right, double q)
{
    double low[BINS], *a = calloc(RUNS * BINS, sizeof(*a)), *b = calloc(RUNS * BINS, sizeof(*b));
    struct stat_histograms h = {.runs = RUNS, .counts = a, .low = low, .high = low}, g = h;
    int different = 0;

    g.counts = b;
    for (int pair = 0; pair < PAIRS; pair++) {
        struct stat_quantile found;

        draw_runs(rng, left, a);
        draw_runs(rng, right, b);
        h.bins = g.bins = without_empty(a, b, low);
        assert_true(stat_quantile_difference(&h, &g, q, 0.95, 200, rng, &found));
        different += found.p_value <= 0.05;
    }
    free(a);
    free(b);
    return different;
}

/* If sides are equal 5 % may be called different, and by chance up to 3.5 standard errors more. */
static void quantiles_hold_their_level(void **state)
{
    static const struct design designs[] = {
        {0.2, 20, 200, 1}, {0.5, 0, 200, 1}, {0.48, 0, 60, 1}, {0.8, 20, 200, 1}, {0, 30, 60, 1}, {0.5, 20, 200, 5},
    };
    const double most = PAIRS * 0.05 + 3.5 * sqrt(PAIRS * 0.05 * 0.95);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t d = 0; d < sizeof(designs) / sizeof(designs[0]); d++)
        for (int at = 0; at < 2; at++) {
            int wrong = called_different(rng, &designs[d], &designs[d], at ? 0.9 : 0.5);

            if (wrong > most)
                fail_msg("design %zu, %s: %d of %d called different", d, at ? "p90" : "median", wrong, PAIRS);
        }
    gsl_rng_free(rng);
}

/* Clear differences are found: memory that is further away, and more loads that go there. */
static void differences_are_found(void **state)
{
    static const struct {
        struct design a, b;
        double q;
    } rows[] = {
        {{0, 20, 200, 1}, {0, 60, 200, 1}, 0.9},
        {{0.7, 0, 200, 1}, {0.3, 0, 200, 1}, 0.5},
        {{0.95, 5, 200, 1}, {0.8, 5, 200, 1}, 0.9},
    };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int found = called_different(rng, &rows[i].a, &rows[i].b, rows[i].q);

        if (found < PAIRS * 0.8)
            fail_msg("row %zu: %d of %d found", i, found, PAIRS);
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile),
        cmocka_unit_test(equal_latencies_are_no_difference),
        cmocka_unit_test(runs_that_differ_widen_a_quantile),
        cmocka_unit_test(quantiles_hold_their_level),
        cmocka_unit_test(differences_are_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
