/* SPDX-License-Identifier: BSD-2-Clause */
/* The formulas of ibsprof compare, checked against published values and exact enumeration. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ibsprof/stat/stat_table.h"
#include "tools/ibsprof/stat/stat_verdict.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.9g is not %.9g within %g", value, wanted, within);
}

/* The values are from R.G. Newcombe, Stat. Med. 17:857 (1998), table I, method 3 (Wilson without continuity
 * correction). */
static void test_wilson(void **state)
{
    static const struct {
        double x, n, low, high;
    } rows[] = {{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}};
    double low, high;

    for (size_t i = 0; i < COUNT(rows); i++) {
        stat_wilson(rows[i].x / rows[i].n, rows[i].n, 0.95, INFINITY, &low, &high);
        assert_near(low, rows[i].low, 5.1e-5);
        assert_near(high, rows[i].high, 5.1e-5);
    }
    stat_wilson(0, 0, 0.95, INFINITY, &low, &high);
    assert_near(low, 0, 0);
    assert_near(high, 1, 0);
}

static struct stat_estimate one_run(double x, double n)
{
    return (struct stat_estimate){.x = x, .n = n, .p = n > 0 ? x / n : 0, .phi = 1, .fitted = 1, .df = INFINITY};
}

/* The values are from R.G. Newcombe, Stat. Med. 17:873 (1998), table II, method 10. */
static void test_newcombe(void **state)
{
    static const struct {
        double x1, n1, x2, n2, low, high;
    } rows[] = {{56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090},  {6, 7, 2, 7, 0.0582, 0.8062},
                {5, 56, 0, 29, -0.0381, 0.1926},  {0, 10, 0, 20, -0.1611, 0.2775}, {10, 10, 0, 20, 0.6791, 1.0}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_estimate a = one_run(rows[i].x2, rows[i].n2), b = one_run(rows[i].x1, rows[i].n1);
        struct stat_difference d;

        stat_difference(&a, &b, 0.95, &d);
        assert_near(d.low, rows[i].low, 5.1e-5);
        assert_near(d.high, rows[i].high, 5.1e-5);
    }
}

static void test_difference(void **state)
{
    struct stat_estimate a = one_run(100, 1000), b = one_run(130, 1000), none = one_run(0, 0), zero = one_run(0, 1000);
    struct stat_difference d;

    stat_difference(&a, &b, 0.95, &d);
    /* z = 0.03 / sqrt(0.115 * 0.885 * 2 / 1000) = 2.1027; the normal distribution's two tails beyond: 0.03549 */
    assert_near(d.p_value, 0.03549, 2e-4);
    assert_near(d.log2_ratio, log2(1.3), 1e-12);
    /* Katz: +- 1.96 sqrt(1/100 - 1/1000 + 1/130 - 1/1000) / ln 2 */
    assert_near(d.log2_high - d.log2_ratio, 0.35421, 1e-4);
    b.phi = a.phi = 4;
    stat_difference(&a, &b, 0.95, &d);
    assert_near(d.p_value, 0.2931, 5e-4); /* z / 2 = 1.0513 */
    b.df = a.df = 4;
    stat_difference(&a, &b, 0.95, &d);
    assert_near(d.df, 8, 1e-9);
    assert_near(d.p_value, 0.3238, 5e-4); /* Student's t with 8 degrees of freedom */
    stat_difference(&a, &none, 0.95, &d);
    assert_near(d.p_value, 1, 0);
    assert_near(d.low, -1, 0);
    stat_difference(&zero, &b, 0.95, &d);
    assert_true(isfinite(d.log2_ratio) && d.log2_ratio > 0);
}

static void test_design_effect(void **state)
{
    /* One cell, four runs of 100: 10, 20, 30, 40. p = 0.25; sum of squares 500; 4/3 * 500 / (400 * 0.1875) = 8.889 */
    static const double x[] = {10, 20, 30, 40}, n[] = {100, 100, 100, 100}, same[] = {25, 25, 25, 25};
    struct stat_side side = {.runs = 4, .cells = 1, .x = x, .n = n};
    struct stat_estimate e;

    stat_estimate(&side, &e);
    assert_near(e.p, 0.25, 1e-12);
    assert_near(e.phi, 8.8889, 1e-3);
    assert_near(e.df, 3, 1e-9);
    side.x = same;
    stat_estimate(&side, &e);
    assert_near(e.phi, 1, 0); /* never less than 1 */
    side.runs = 1;
    stat_estimate(&side, &e);
    assert_near(e.phi, 1, 0);
    assert_true(isinf(e.df));
}

/* The example is from Sokal and Rohlf, Biometry (1995), 17.4: bacteria with and without antiserum, dead and alive; G is
 * 6.878 before, and 6.7732 after Williams' correction of 1.01552. */
static void test_g(void **state)
{
    static const double a[] = {13, 44}, b[] = {25, 29};
    uint32_t df;

    assert_near(stat_g(a, b, 2, &df), 6.8783, 1e-4);
    assert_int_equal(df, 1);
    assert_near(stat_williams(a, b, 2), 1.01552, 1e-5);
}

static void test_distances(void **state)
{
    static const double left[] = {7, 0}, right[] = {0, 3}, half[] = {5, 5}, quarter[] = {1, 3}, none[] = {0, 0};

    assert_near(stat_jsd(left, right, 2), 1, 1e-12);
    assert_near(stat_jsd(left, half, 2), 0.311278, 1e-6); /* H(3/4) - H(1/2)/2 */
    assert_near(stat_jsd(half, half, 2), 0, 1e-12);
    assert_near(stat_tvd(left, right, 2), 1, 1e-12);
    assert_near(stat_tvd(half, quarter, 2), 0.25, 1e-12);
    assert_near(stat_cramer_v(left, right, 2), 1, 1e-9);
    assert_near(stat_cramer_v(half, half, 2), 0, 0);
    /* A side without samples has no shares that could differ. */
    for (int i = 0; i < 2; i++) {
        const double *a = i ? none : half, *b = i ? half : none;

        assert_near(stat_tvd(a, b, 2), 0, 0);
        assert_near(stat_jsd(a, b, 2), 0, 0);
        assert_near(stat_cramer_v(a, b, 2), 0, 0);
    }
}

/* The p values were counted by hand over all 20 choices of 3 runs out of 6. */
static void test_permutation(void **state)
{
    static const double apart[] = {30, 50, 20, 28, 55, 17, 33, 45, 22, 40, 44, 16, 38, 40, 22, 45, 41, 14},
                        mixed[] = {30, 50, 20, 40, 44, 16, 33, 45, 22, 28, 55, 17, 38, 40, 22, 45, 41, 14},
                        n[] = {100, 100, 100};
    struct stat_whole_options options = {.permutations = 9999, .level = 0.95};
    const double *const data[] = {apart, mixed};
    static const double wanted[] = {2 / 20.0, 16 / 20.0};

    for (int i = 0; i < 2; i++) {
        struct stat_side a = {.runs = 3, .cells = 3, .x = data[i], .n = n}, b = a;
        struct stat_estimate ea[3], eb[3];
        struct stat_whole whole;

        b.x = data[i] + 9;
        stat_estimate(&a, ea);
        stat_estimate(&b, eb);
        stat_whole(&a, ea, &b, eb, &options, &whole);
        assert_true(whole.exact);
        assert_int_equal(whole.permutations, 20);
        assert_near(whole.p_permutation, wanted[i], 1e-12);
        assert_near(whole.p_least, 0.1, 1e-12);
        assert_near(whole.p_value, whole.p_model, 0); /* 0.1 is too large for a verdict */
    }
}

static void test_noise_floor(void **state)
{
    /* sum sqrt(p (1-p) / (pi n)): 50 equal shares, 10,000 samples a side: 3.95 % */
    double x[50], n = 10000;
    struct stat_side side = {.runs = 1, .cells = 50, .x = x, .n = &n};
    struct stat_estimate e[50];
    struct stat_whole whole;

    for (int i = 0; i < 50; i++)
        x[i] = 200;
    stat_estimate(&side, e);
    stat_whole(&side, e, &side, e, &(struct stat_whole_options){.permutations = 1, .level = 0.95}, &whole);
    assert_near(whole.tvd.floor, 50 * sqrt(0.02 * 0.98 / (M_PI * 10000)), 1e-12);
    assert_near(whole.tvd.value, 0, 0);
    assert_true(isnan(whole.p_permutation));
    /* 49 degrees of freedom, 2 / n, 1 / 8, bits */
    assert_near(whole.jsd.floor, 49 * 2 / n / 8 / M_LN2, 1e-9);
}

static void test_verdicts(void **state)
{
    static const struct stat_margin margin = {0.005, 0.05};
    static const struct {
        double xa, xb, n;
        enum stat_verdict wanted;
    } rows[] = {
        {100, 130, 1000, VERDICT_DIFFERENT},           {100, 102, 1000, VERDICT_INCONCLUSIVE},
        {100000, 100200, 1000000, VERDICT_EQUIVALENT}, {100000, 101800, 1000000, VERDICT_BOTH},
        {300000, 301000, 1000000, VERDICT_EQUIVALENT}, /* the relative margin: 1.5 points */
        {300000, 310000, 1000000, VERDICT_BOTH},       {300000, 317000, 1000000, VERDICT_DIFFERENT},
        {0, 0, 1000000, VERDICT_EQUIVALENT},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_estimate a = one_run(rows[i].xa, rows[i].n), b = one_run(rows[i].xb, rows[i].n);
        struct stat_difference d;
        enum stat_verdict verdict;

        stat_difference(&a, &b, 0.95, &d);
        verdict = stat_judge(d.p_value <= 0.05, stat_equivalent(&a, &b, &d, margin, 0.05));
        if (verdict != rows[i].wanted)
            fail_msg("row %zu: %s", i, stat_verdict_name(verdict));
    }
    /* n = (1.6449 + 1.2816)^2 * 2 p (1-p) / margin^2 a side: 61,663 at 10 % and half a point */
    struct stat_estimate a = one_run(1000, 10000);
    assert_near(stat_samples_factor(&a, &a, margin, 0.05, 0.8) * 10000, 61663, 40);
}

/* Three mispredictions in one run and none in the other say little alone; the spread of the runs' other cells
 * decides. */
static void rare_cells_take_the_spread_of_the_others(void **state)
{
    const double x[] = {3, 0}, n[] = {864, 890};
    /* The values are quantiles of chi-square with one degree of freedom, for runs that differ by chance only. */
    const double others[] = {0.002, 0.02, 0.06, 0.15, 0.27, 0.45, 0.71, 1.07, 1.64, 2.7, 5, NAN};
    struct stat_side side = {.runs = 2, .cells = 1, .x = x, .n = n, .n_per_cell = true};
    struct stat_estimate alone, together;

    stat_estimate(&side, &alone);
    side.others = others;
    side.other_count = 12;
    stat_estimate(&side, &together);
    assert_true(alone.df == 1 && alone.phi > 2.5);
    assert_true(together.df > 5 && together.phi < 1.5);
    assert_true(isnan(alone.raw));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wilson),        cmocka_unit_test(rare_cells_take_the_spread_of_the_others),
        cmocka_unit_test(test_newcombe),      cmocka_unit_test(test_difference),
        cmocka_unit_test(test_design_effect), cmocka_unit_test(test_g),
        cmocka_unit_test(test_distances),     cmocka_unit_test(test_permutation),
        cmocka_unit_test(test_noise_floor),   cmocka_unit_test(test_verdicts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
