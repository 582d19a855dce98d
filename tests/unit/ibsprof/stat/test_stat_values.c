/* SPDX-License-Identifier: BSD-2-Clause */
/* * The statistics of ibsprof compare, figure by figure. Expected values come from other programs (scipy 1.10:
 * distributions and their quantiles, chi2_contingency; Smyth's fit with brentq for the inverse of trigamma), or are
 * worked out by hand; test_stat_rates.c tests how often verdicts are wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tools/ibsprof/stat/stat_bootstrap.h"
#include "tools/ibsprof/stat/stat_quantile.h"
#include "tools/ibsprof/stat/stat_table.h"
#include "tools/ibsprof/stat/stat_verdict.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.10g is not %.10g within %g", value, wanted, within);
}

/* ---------------------------------------------------------------- phi, moderated */

struct wanted_cell {
    double p, phi, df, raw; /* raw NAN: this cell says nothing */
};

static void check_cells(const struct stat_side *side, const struct wanted_cell *wanted)
{
    struct stat_estimate got[8];

    assert_true(side->cells <= COUNT(got));
    stat_estimate(side, got);
    for (uint32_t i = 0; i < side->cells; i++) {
        assert_near(got[i].p, wanted[i].p, 1e-8);
        assert_near(got[i].phi, wanted[i].phi, 2e-6);
        assert_near(got[i].df, wanted[i].df, 2e-6);
        assert_int_equal(isnan(got[i].raw), isnan(wanted[i].raw));
        if (!isnan(wanted[i].raw))
            assert_near(got[i].raw, wanted[i].raw, 1e-6);
    }
}

static void phi_is_moderated(void **state)
{
    /* Cells differ in phi: d0 = 1.367, phi0 = 2.106, and all are raised by 1.410, since moderation had shrunk the mean
     * of the cells that count; the first cell's own phi is still larger: its chance is 0.2196, for which the prior has
     * 0.6005 degrees of freedom. The last two have too few samples to count: no sample, and 8 in 3 runs. */
    static const double x[] = {10, 30, 60, 0, 2, 40, 45, 112, 0, 3, 15, 105, 177, 0, 3}, n[] = {102, 200, 300};
    static const struct wanted_cell wanted[] = {{0.1079734219, 13.4644254, 2.600515224, 16.61553595},
                                                {0.2990033223, 5.71992046, 3.367476335, 5.389558502},
                                                {0.5797342193, 1.427068779, 3.367476335, 0.2639980883},
                                                {0, 2.96973543, 2, NAN},
                                                {0.01328903654, 1.445660947, 3.367476335, NAN}};
    /* Cells differ in phi no more than by chance: there is one phi, their mean, with the degrees of freedom of all
     * cells. If a cell's own phi is larger the mean counts with 14 min(1, 2 exp(-own / mean)) of these. */
    static const double y[] = {100, 40, 30, 12,  200, 18, 3,  597, 130, 44, 22, 15,
                               240, 10, 2,  537, 90,  36, 39, 9,   160, 33, 4,  629},
                        m[] = {1000, 1000, 1000};
    static const struct wanted_cell alike[] = {{0.1066666667, 4.861245164, 14, 4.547574627},
                                               {0.04, 4.861245164, 14, 0.4166666667},
                                               {0.03033333333, 4.861245164, 14, 2.459211466},
                                               {0.012, 4.861245164, 14, 0.7591093117},
                                               {0.2, 6.703381614, 5.579125083, 10},
                                               {0.02033333333, 5.30931957, 8.850475715, 6.844081013},
                                               {0.003, 4.861245164, 14, NAN},
                                               {0.5876666667, 6.156325234, 6.3947056, 9.002073063}};
    /* If runs agree better than by chance phi is still not less than 1. */
    static const double same[] = {100, 200, 300, 400, 102, 198, 303, 397}, thousands[] = {1000, 1000};
    static const struct wanted_cell ones[] = {{0.101, 1, 4, 0.0220266743},
                                              {0.199, 1, 4, 0.01254713016},
                                              {0.3015, 1, 4, 0.02136774966},
                                              {0.3985, 1, 4, 0.01877364306}};

    /* With two runs a phi larger than the mean is combined with the mean, which counts with 14 erfc(sqrt(own / mean /
     * 2)) degrees of freedom, and the sum is at most three. */
    static const double z[] = {100, 150, 200, 50, 300, 200, 110, 160, 190, 90, 262, 188},
                        others[] = {0.5, 1, 2, 3, 0.3, 1.5, 0.8, 4};
    static const struct wanted_cell two[] = {
        {0.105, 2.925858118, 14, 0.532056398},  {0.155, 2.925858118, 14, 0.3817522428},
        {0.195, 2.925858118, 14, 0.3185220577}, {0.07, 8.905064472, 1.565914908, 12.28878648},
        {0.281, 3.061723833, 3, 3.57356748},    {0.194, 2.925858118, 14, 0.4604640454}};

    check_cells(&(struct stat_side){.runs = 3, .cells = 5, .x = x, .n = n}, wanted);
    check_cells(&(struct stat_side){.runs = 3, .cells = 8, .x = y, .n = m}, alike);
    check_cells(&(struct stat_side){.runs = 2, .cells = 4, .x = same, .n = thousands}, ones);
    check_cells(
        &(struct stat_side){
            .runs = 2, .cells = 6, .x = z, .n = thousands, .others = others, .other_count = COUNT(others)},
        two);
}

static void phi_with_others(void **state)
{
    /* A rate of 12 of 2454 has too few misses to count; its phi is that of the runs' other cells. */
    static const double x[] = {3, 0, 9}, n[] = {864, 890, 700}, others[] = {0.5, NAN, 1.2, 2.2, 0.8, 4.1};
    static const struct wanted_cell wanted[] = {{0.00488997555, 1.76, 10, NAN}};
    /* A rate of 15 of 35 counts, and is fitted together with the others, d0 = 1.547. */
    static const double y[] = {1, 14, 0}, m[] = {5, 15, 15}, differing[] = {9, 0.05, 2, 4, 0.3, 1.5};
    static const struct wanted_cell fitted[] = {{0.4285714286, 17.49285714, 3.546594059, 17.49285714}};
    /* No cell counts and there are no others: the phi is the cell's own, 3/2 (4.2^2 + 0.8^2 + 3.4^2) / (35 * 0.24) =
     * 5.3286, however uncertain. */
    static const double z[] = {5, 1, 1}, few[] = {5, 15, 15};
    struct stat_side side = {
        .runs = 3, .cells = 1, .x = x, .n = n, .n_per_cell = true, .others = others, .other_count = 6};
    struct stat_estimate own;

    check_cells(&side, wanted);
    check_cells(
        &(struct stat_side){
            .runs = 3, .cells = 1, .x = y, .n = m, .n_per_cell = true, .others = differing, .other_count = 6},
        fitted);
    stat_estimate(&(struct stat_side){.runs = 3, .cells = 1, .x = z, .n = few}, &own);
    assert_near(own.p, 0.2, 1e-12);
    assert_near(own.phi, 1.5 * (16 + 4 + 4) / (35 * 0.16), 1e-9);
    assert_near(own.df, 2, 0);
    assert_true(isnan(own.raw));
}

static void fifteen_samples_in_three_runs_count(void **state)
{
    /* Each run has five samples in the cell, and five in the rest. */
    static const struct {
        double x[3];
        bool counts;
    } rows[] = {{{4, 5, 6}, true}, {{4, 5, 5}, false}, {{16, 15, 14}, true}, {{16, 15, 15}, false}};
    static const double n[] = {20, 20, 20};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_estimate e;

        stat_estimate(&(struct stat_side){.runs = 3, .cells = 1, .x = rows[i].x, .n = n}, &e);
        assert_int_equal(!isnan(e.raw), rows[i].counts);
    }
}

/* The overall phi is chi-square between the runs over its degrees of freedom, worked out by hand. Two runs of 100,
 * expected 20 and 80, deviate by 6: 2 * (36 / 20 + 36 / 80) / 1. The empty cell does not count. */
static void overall_phi(void **state)
{
    static const double x[] = {14, 0, 86, 26, 0, 74}, n[] = {100, 100};
    struct stat_side side = {.runs = 2, .cells = 3, .x = x, .n = n};
    struct stat_estimate e[3];

    stat_estimate(&side, e);
    assert_near(stat_overall_phi(&side, e), 4.5, 1e-12);
    side.runs = 1;
    stat_estimate(&side, e);
    assert_near(stat_overall_phi(&side, e), 1, 0);
    static const double close[] = {20, 80, 20.1, 79.9};
    side = (struct stat_side){.runs = 2, .cells = 2, .x = close, .n = n};
    stat_estimate(&side, e);
    assert_near(stat_overall_phi(&side, e), 1, 0);
}

/* ---------------------------------------------------------------- differences */

static struct stat_estimate estimate(double x, double n, double phi, double df)
{
    return (struct stat_estimate){.x = x, .n = n, .p = n > 0 ? x / n : 0, .phi = phi, .fitted = phi, .df = df};
}

static void differences(void **state)
{
    static const struct {
        struct {
            double x, n, phi, df;
        } a, b;
        double level;
        struct stat_difference wanted;
    } rows[] = {
        /* With sides of unequal size the score test gives 4e-40, and the likelihood ratio 2.5e-8. */
        {{2, 100000, 1, INFINITY},
         {5, 2000, 1, INFINITY},
         0.95,
         {0.00248, 0.001047330761, 0.005819184865, 0.001196814702, 0.005106771625, 6.965784285, 4.600880997,
          9.330687572, 2.535788149e-08, INFINITY}},
        /* With none on one side the score test gives 0.0080, and the likelihood ratio 0.0018. */
        {{0, 1000, 1, INFINITY},
         {7, 1000, 1, INFINITY},
         0.95,
         {0.007, 0.001742523956, 0.01437831547, 0.002814080333, 0.01286068765, 3.906890596, -0.2211924016, 8.034973593,
          0.008039805481, INFINITY}},
        {{100, 1000, 2.5, 7},
         {400, 3000, 1.5, 12},
         0.95,
         {0.03333333333, -0.008448204508, 0.06717009589, 2.547900389e-05, 0.06136247263, 0.4150374993, -0.1018566635,
          0.9319316621, 0.09875609661, 9.850162866}},
        {{100, 1000, 2.5, 7},
         {400, 3000, 1.5, 12},
         0.99,
         {0.03333333333, -0.0288146821, 0.07961298291, -0.01983927798, 0.07436406109, 0.4150374993, -0.3211773752,
          1.151252374, 0.09875609661, 9.850162866}},
        {{20, 200, 1, INFINITY},
         {2000, 100000, 1, INFINITY},
         0.95,
         {-0.08, -0.1294131144, -0.0456590088, -0.1204129575, -0.05026186143, -2.321928095, -2.925015972, -1.718840218,
          6.801741848e-09, INFINITY}},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_estimate a = estimate(rows[i].a.x, rows[i].a.n, rows[i].a.phi, rows[i].a.df),
                             b = estimate(rows[i].b.x, rows[i].b.n, rows[i].b.phi, rows[i].b.df);
        const struct stat_difference *wanted = &rows[i].wanted;
        struct stat_difference got;

        stat_difference(&a, &b, rows[i].level, &got);
        assert_near(got.value, wanted->value, 1e-10);
        assert_near(got.low, wanted->low, 1e-9);
        assert_near(got.high, wanted->high, 1e-9);
        assert_near(got.low90, wanted->low90, 1e-9);
        assert_near(got.high90, wanted->high90, 1e-9);
        assert_near(got.log2_ratio, wanted->log2_ratio, 1e-8);
        assert_near(got.log2_low, wanted->log2_low, 1e-8);
        assert_near(got.log2_high, wanted->log2_high, 1e-8);
        assert_near(got.p_value, wanted->p_value, 1e-8 * wanted->p_value);
        assert_true(isinf(wanted->df) ? isinf(got.df) : fabs(got.df - wanted->df) < 1e-8);
    }
}

/* If a side has no samples nothing is known; two sides without a hit do not differ. */
static void empty_sides(void **state)
{
    const struct stat_estimate none = estimate(0, 0, 1, INFINITY), zero = estimate(0, 100, 1, INFINITY),
                               all = estimate(100, 100, 1, INFINITY);
    struct stat_difference d;

    for (int swapped = 0; swapped < 2; swapped++) {
        stat_difference(swapped ? &zero : &none, swapped ? &none : &zero, 0.95, &d);
        assert_true(d.p_value == 1 && d.low == -1 && d.high == 1 && d.low90 == -1 && d.high90 == 1);
        assert_true(d.log2_ratio == 0 && isinf(d.log2_low) && d.log2_low < 0 && isinf(d.log2_high) && d.log2_high > 0);
        assert_true(isinf(d.df));
    }
    stat_difference(&zero, &zero, 0.95, &d);
    /* Wilson's upper end for 0 of 100: z^2 / (n + z^2) */
    assert_near(d.high, 3.841458821 / 103.841458821, 1e-9);
    assert_true(d.value == 0 && d.p_value == 1 && d.log2_ratio == 0 && isinf(d.log2_low));
    stat_difference(&all, &all, 0.95, &d);
    assert_true(d.value == 0 && d.p_value == 1 && d.log2_ratio == 0);
    assert_near(d.low, -3.841458821 / 103.841458821, 1e-9);
}

static void students_quantile(void **state)
{
    assert_near(stat_quantile_t(0.025, INFINITY), 1.959963985, 1e-8);
    assert_near(stat_quantile_t(0.025, 2), 4.302652730, 1e-8);
    assert_near(stat_quantile_t(0.05, 9.850162866), 1.815262803, 1e-8);
    assert_near(stat_quantile_t(0.05, 2e6), 1.644853627, 1e-8);
}

/* ---------------------------------------------------------------- whole profiles */

struct table {
    uint32_t runs;
    const double *x, *n;
};

static void judge(const struct table *left, const struct table *right, uint32_t cells,
                  const struct stat_whole_options *options, struct stat_whole *ret)
{
    struct stat_side a = {.runs = left->runs, .cells = cells, .x = left->x, .n = left->n},
                     b = {.runs = right->runs, .cells = cells, .x = right->x, .n = right->n};
    struct stat_estimate ea[8], eb[8];

    stat_estimate(&a, ea);
    stat_estimate(&b, eb);
    stat_whole(&a, ea, &b, eb, options, ret);
}

static void whole_profiles(void **state)
{
    static const double a3[] = {100, 200, 700, 0, 150, 330, 1020, 0, 60, 270, 670, 0}, n3[] = {1000, 1500, 1000},
                        b2[] = {190, 420, 1390, 0, 260, 370, 1370, 0}, n2[] = {2000, 2000}, a1[] = {100, 200, 700},
                        n1[] = {1000}, b1[] = {260, 500, 1240}, m1[] = {2000},
                        b3[] = {60, 240, 700, 130, 210, 660, 90, 190, 720}, m3[] = {1000, 1000, 1000};
    static const struct {
        struct table a, b;
        uint32_t cells;
        struct stat_whole wanted;
    } rows[] = {
        {{3, a3, n3},
         {2, b2, n2},
         4,
         {.g = 19.2379064,
          .williams = 1.000504375,
          .phi = 7.350535219,
          .f = 1.308605824,
          .df1 = 2,
          .df2 = 5.35518719,
          .p_model = 0.3445667557,
          .tvd = {.value = 0.03107142857, .floor = 0.02448714776},
          .jsd = {.value = 0.001860881895, .floor = 0.0009853280278},
          .cramer = {.value = 0.04787324648, .floor = 0.0330632961}}},
        {{1, a1, n1},
         {1, b1, m1},
         3,
         {.g = 18.97884043,
          .williams = 1.001279973,
          .phi = 1,
          .f = 9.489420213,
          .df1 = 2,
          .df2 = INFINITY,
          .p_model = 7.564795025e-05,
          .tvd = {.value = 0.08, .floor = 0.01894163897},
          .jsd = {.value = 0.005173041387, .floor = 0.0005410106403},
          .cramer = {.value = 0.07471214128, .floor = 0}}},
        {{1, a1, n1},
         {3, b3, m3},
         3,
         {.g = 1.035142527,
          .williams = 1.001419805,
          .phi = 3.436172723,
          .f = 0.1506243443,
          .df1 = 2,
          .df2 = 7.206929165,
          .p_model = 0.8628094868,
          .tvd = {.value = 0.01333333333, .floor = 0.02750332294},
          .jsd = {.value = 0.0002495901507, .floor = 0.001271897849},
          .cramer = {.value = 0, .floor = 0.0286756618}}},
    };
    static const struct stat_whole_options options = {.permutations = 9999, .level = 0.95, .seed = 1};

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct stat_whole *wanted = &rows[i].wanted;
        struct stat_whole got;

        judge(&rows[i].a, &rows[i].b, rows[i].cells, &options, &got);
        assert_int_equal(got.cells, 3);
        assert_near(got.g, wanted->g, 1e-7);
        assert_near(got.williams, wanted->williams, 1e-8);
        assert_near(got.phi, wanted->phi, 1e-8);
        assert_near(got.f, wanted->f, 1e-8);
        assert_near(got.df1, wanted->df1, 1e-8);
        assert_true(isinf(wanted->df2) ? isinf(got.df2) : fabs(got.df2 - wanted->df2) < 1e-6);
        assert_near(got.p_model, wanted->p_model, 1e-8);
        assert_near(got.tvd.value, wanted->tvd.value, 1e-9);
        assert_near(got.tvd.floor, wanted->tvd.floor, 1e-9);
        assert_near(got.jsd.value, wanted->jsd.value, 1e-10);
        assert_near(got.jsd.floor, wanted->jsd.floor, 1e-10);
        assert_near(got.cramer.value, wanted->cramer.value, 1e-9);
        assert_near(got.cramer.floor, wanted->cramer.floor, 1e-7);
        /* Without resampling there is no interval. */
        assert_true(got.tvd.low == got.tvd.value && got.tvd.high == got.tvd.value);
        assert_true(got.jsd.low == got.jsd.value && got.jsd.high == got.jsd.value);
    }
}

/* Distances of shares with nearly nothing in common end at 1, and so do their intervals. */
static void nothing_in_common(void **state)
{
    static const double left[] = {97, 2, 1, 96, 1, 3}, right[] = {1, 1, 98, 0, 4, 96}, n[] = {100, 100};
    const struct stat_whole_options options = {.permutations = 9, .resamples = 200, .level = 0.95, .seed = 1};
    struct stat_whole whole;

    judge(&(struct table){2, left, n}, &(struct table){2, right, n}, 3, &options, &whole);
    assert_near(whole.tvd.value, 0.96, 1e-9); /* half of 192, 2 and 190 of 200 */
    assert_true(whole.tvd.low > 0.8 && whole.tvd.low < whole.tvd.value);
    assert_true(whole.tvd.high > whole.tvd.value && whole.tvd.high <= 1);
    assert_true(whole.jsd.high <= 1 && whole.cramer.high <= 1);
    judge(&(struct table){1, left, n}, &(struct table){1, (const double[]){0, 0, 100}, n}, 3, &options, &whole);
    assert_true(whole.tvd.high <= 1 && whole.jsd.high <= 1 && whole.cramer.high <= 1);
}

static void nothing_to_test(void **state)
{
    static const double x[] = {5, 0}, n[] = {5}, zero[] = {0, 0}, none[] = {0};
    struct table one = {1, x, n}, empty = {1, zero, none};
    const struct stat_whole_options options = {.permutations = 9, .resamples = 20, .level = 0.95};
    struct stat_whole whole;

    judge(&one, &one, 2, &options, &whole); /* with one cell there is only one way to share */
    assert_int_equal(whole.cells, 1);
    assert_true(whole.p_value == 1 && whole.tvd.value == 0 && whole.jsd.value == 0 && whole.cramer.value == 0);
    for (int i = 0; i < 2; i++) {
        judge(i ? &empty : &one, i ? &one : &empty, 2, &options, &whole);
        assert_int_equal(whole.cells, 0);
        assert_true(whole.p_value == 1 && isnan(whole.p_permutation) && whole.g == 0 && whole.williams == 1);
        assert_true(whole.phi == 1 && whole.p_model == 1 && isinf(whole.df2));
        assert_true(whole.tvd.value == 0 && whole.jsd.value == 0 && whole.cramer.value == 0);
    }
}

/* Runs of two cells differ more and more: all choices are tried, or some at random. */
static void permutations(void **state)
{
    enum { RUNS = 8 };
    double x[4 * RUNS], n[2 * RUNS];
    static const struct {
        uint32_t runs_a, runs_b, limit;
        bool exact;
        uint32_t looked_at;
        double p, least;
    } rows[] = {
        /* The sides are as far apart as possible: this choice reaches the distance, and with equal numbers its mirror
         * image. */
        {1, 2, 9999, true, 3, 1 / 3.0, 1 / 3.0},
        {2, 2, 9999, true, 6, 2 / 6.0, 2 / 6.0},
        {5, 5, 9999, true, 252, 2 / 252.0, 2 / 252.0},
        {5, 5, 252, true, 252, 2 / 252.0, 2 / 252.0},
        /* If choices are random, one of them is the observed one: 1 in 100 and never 0. */
        {8, 8, 99, false, 99, 1 / 100.0, 2 / 99.0},
        {5, 5, 251, false, 251, NAN, 2 / 251.0},
        {7, 8, 99, false, 99, 1 / 100.0, 1 / 99.0},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_whole_options options = {.permutations = rows[i].limit, .level = 0.95, .seed = 1};
        struct stat_whole whole;

        for (uint32_t run = 0; run < rows[i].runs_a + rows[i].runs_b; run++) {
            n[run] = 1000;
            x[2 * run] = 400 + 3 * run + (run >= rows[i].runs_a ? 50 : 0);
            x[2 * run + 1] = 1000 - x[2 * run];
        }
        judge(&(struct table){rows[i].runs_a, x, n},
              &(struct table){rows[i].runs_b, x + 2 * rows[i].runs_a, n + rows[i].runs_a}, 2, &options, &whole);
        assert_int_equal(whole.exact, rows[i].exact);
        assert_int_equal(whole.permutations, rows[i].looked_at);
        if (!isnan(rows[i].p))
            assert_near(whole.p_permutation, rows[i].p, 1e-12);
        else
            assert_true(whole.p_permutation >= 1 / 252.0 && whole.p_permutation < 8 / 252.0);
        assert_near(whole.p_least, rows[i].least, 1e-12);
        /* The permutations' p is reported if it can reach 1 %. */
        assert_near(whole.p_value, rows[i].least <= 0.01 ? whole.p_permutation : whole.p_model, 0);
    }
}

/* About as large a share of random choices reaches the distance as of all choices. */
static void random_choices_are_fair(void **state)
{
    static const double x[] = {40, 60, 55, 45, 47, 53, 52, 48, 61, 39, 44, 56, 58, 42, 49, 51, 66, 34, 43, 57},
                        n[] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    struct stat_whole_options options = {.permutations = 9999, .level = 0.95, .seed = 1};
    struct table a = {5, x, n}, b = {5, x + 10, n + 5};
    struct stat_whole all, some;

    judge(&a, &b, 2, &options, &all);
    assert_int_equal(all.permutations, 252);
    /* The first cell has 255 on side a and 515 in all; 226 of the 252 choices of five of these ten numbers have sums
     * that are at least as far from 257.5 (Python's itertools.combinations). */
    assert_near(all.p_permutation, 226 / 252.0, 1e-12);
    options.permutations = 250;
    judge(&a, &b, 2, &options, &some);
    assert_false(some.exact);
    assert_near(some.p_permutation, all.p_permutation, 4 * sqrt(0.9 * 0.1 / 250));
}

/* ---------------------------------------------------------------- intervals of distances */

/* Two cells with p = 1/2 are in runs[] of size n[0]: the distance of two such sides is |d|, whose noise is normal. */
enum { RESAMPLES = 20000 };

static void distance(const struct table *a, const struct table *b, struct stat_whole *ret)
{
    const struct stat_whole_options options = {.permutations = 1, .resamples = RESAMPLES, .level = 0.95, .seed = 1};

    judge(a, b, 2, &options, ret);
}

static void small_differences_are_put_to_0(void **state)
{
    enum { N = 1000000 };
    const double n = N, sigma = sqrt(0.5 / N), within = 0.06 * sigma;
    /* Two cells: differences count as real from 2.2414 standard errors on, which noise reaches in 2.5 % of the cases
     * for each cell. */
    for (int real = 0; real < 2; real++) {
        double z = real ? 2.4 : 2.1, d = z * sigma, a[] = {N / 2, N / 2}, b[] = {N * (0.5 + d), N * (0.5 - d)};
        /* scipy: folded normal distribution, c = 2.4 and c = 0: mean, 2.5 % and 97.5 %; noncentral chi-square with one
         * degree of freedom (of 2.4^2, or 0) for the divergence */
        double mean = real ? 2.40544 : 0.79788, low = real ? 0.47363 : 0.03134, high = real ? 4.35996 : 2.24140,
               square_mean = real ? 6.76 : 1, square_low = real ? 0.22432 : 0.00098, bits = sigma * sigma / (2 * M_LN2);
        struct stat_whole whole;

        distance(&(struct table){1, a, &n}, &(struct table){1, b, &n}, &whole);
        assert_near(whole.tvd.value, d, 1e-9);
        assert_near(whole.tvd.low, fmax(0, d - (high - (real ? z : 0)) * sigma), within);
        assert_near(whole.tvd.high, d + (mean - low) * sigma, within);
        assert_near(whole.jsd.low, 0, 0);
        assert_near(whole.jsd.high, whole.jsd.value + (square_mean - square_low) * bits, 0.15 * bits);
        /* V is |d| here, reduced by what one degree of freedom has by chance: sqrt(z^2 - 1). */
        assert_near(whole.cramer.value, sqrt(z * z - 1) * sigma, 1e-7);
        assert_near(whole.cramer.low, fmax(0, d - (high - (real ? z : 0)) * sigma), within);
        assert_near(whole.cramer.high, d + (mean - low) * sigma, within);
        assert_false(whole.resampled_runs);
    }
}

/* With four runs a side phi was estimated with three degrees of freedom, so noise follows Student's t, not the normal
 * distribution. Side b's noise is negligible. */
static void phi_is_redrawn(void **state)
{
    static const double x[] = {51000, 49000, 49000, 51000, 51000, 49000, 49000, 51000},
                        n[] = {100000, 100000, 100000, 100000};
    /* phi = 4/3 * 4 * 1000^2 / (400000 / 4) = 53.3; variance of p_a: phi / 4 / 400000 */
    double s = sqrt(160 / 3.0 / 4 / 400000), m = 4e9, within = 0.12 * s;
    struct stat_whole whole;

    for (int real = 0; real < 2; real++) {
        double d = real ? 8 * s : 0, b[] = {m * (0.5 + d), m * (0.5 - d)};

        distance(&(struct table){4, x, n}, &(struct table){1, b, &m}, &whole);
        assert_near(whole.tvd.value, d, 1e-9);
        assert_false(whole.resampled_runs);
        if (real) { /* t, 3 degrees of freedom: 97.5 % at 3.18245 */
            assert_near(whole.tvd.low, d - 3.18245 * s, within);
            assert_near(whole.tvd.high, d + 3.18245 * s, within);
        } else { /* its absolute value: mean 1.10266, 2.5 % at 0.03402 */
            assert_near(whole.tvd.low, 0, 0);
            assert_near(whole.tvd.high, (1.10266 - 0.03402) * s, within);
        }
    }
}

/* With six runs a side whole runs are drawn. Three were e above the mean of side a and three below; sums of six draws
 * are binomial. Six runs have 5/6 of the variance of new ones. */
static void runs_are_drawn(void **state)
{
    const double e = 0.01, wider = sqrt(6 / 5.0);
    double n[] = {1e6, 1e6, 1e6, 1e6, 1e6, 1e6}, m[] = {1e8, 1e8, 1e8, 1e8, 1e8, 1e8}, x[12], b[12];
    struct stat_whole whole;

    for (int real = 0; real < 2; real++) {
        double d = real ? 0.2 : 0;

        for (int run = 0; run < 6; run++) {
            x[2 * run] = n[run] * (0.5 + (run & 1 ? e : -e));
            x[2 * run + 1] = n[run] - x[2 * run];
            b[2 * run] = m[run] * (0.5 + d);
            b[2 * run + 1] = m[run] - b[2 * run];
        }
        distance(&(struct table){6, x, n}, &(struct table){6, b, m}, &whole);
        assert_true(whole.resampled_runs);
        assert_near(whole.tvd.value, d, 1e-9);
        if (real) { /* all six on one side: 1/64; five: 6/64, so both ends are at 4/6 e */
            assert_near(whole.tvd.low, d - 4 / 6.0 * e * wider, 0.02 * e);
            assert_near(whole.tvd.high, d + 4 / 6.0 * e * wider, 0.02 * e);
        } else { /* |sum| / 6: 0 in 20 of 64, 1/3 in 30, 2/3 in 12, 1 in 2 */
            assert_near(whole.tvd.low, 0, 0);
            assert_near(whole.tvd.high, (30 / 3.0 + 24 / 3.0 + 2) / 64 * e * wider, 0.02 * e);
        }
        distance(&(struct table){5, x, n}, &(struct table){6, b, m}, &whole);
        assert_false(whole.resampled_runs);
        distance(&(struct table){6, x, n}, &(struct table){5, b, m}, &whole);
        assert_false(whole.resampled_runs);
    }
}

static void distances_end_at_1(void **state)
{
    static const double n = 40, left[] = {40, 0}, right[] = {0, 40};
    struct stat_whole whole;

    distance(&(struct table){1, left, &n}, &(struct table){1, right, &n}, &whole);
    assert_true(whole.tvd.value == 1 && whole.tvd.high == 1 && whole.tvd.low == 1);
    assert_near(whole.jsd.high, 1, 1e-12);
}

/* Draws n / phi samples, each of which stands for phi. */
static void draws(void **state)
{
    static const double p[] = {1, 2, 1};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double x[3], middle = 0;

    for (int i = 0; i < 1000; i++) {
        stat_draw(rng, p, 1000, 4, 3, x);
        assert_near(x[0] + x[1] + x[2], 1000, 1e-9);
        for (int k = 0; k < 3; k++)
            assert_near(remainder(x[k], 4), 0, 1e-9);
        middle += (x[1] - 500) * (x[1] - 500) / 1000;
    }
    assert_near(middle, 4 * 1000 * 0.25, 5 * 1000 * sqrt(2 / 1000.0)); /* the variance of this number */
    stat_draw(rng, p, 1000, 5000, 3, x);
    assert_true((x[0] == 1000) + (x[1] == 1000) + (x[2] == 1000) == 1);
    gsl_rng_free(rng);
}

/* ---------------------------------------------------------------- quantiles */

enum { BINS = 100, DRAWS = 4000 };

static void make_bins(double *low, double *high)
{
    for (int i = 0; i < BINS; i++) {
        low[i] = 10 * i;
        high[i] = 10 * i + 10;
    }
}

/* 10,000 latencies spread evenly over 0 to 1000: the median's standard error is 1000 / 2 / sqrt(10,000) = 5, that of
 * the 90th percentile 1000 sqrt(0.9 * 0.1 / 10,000) = 3. */
static void quantile_intervals(void **state)
{
    double low[BINS], high[BINS], counts[BINS];
    struct stat_histograms h = {.runs = 1, .bins = BINS, .counts = counts, .low = low, .high = high};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct stat_quantile q;

    make_bins(low, high);
    for (int i = 0; i < BINS; i++)
        counts[i] = 100;
    for (int upper = 0; upper < 2; upper++) {
        double at = upper ? 900 : 500, se = upper ? 3 : 5, within = 0.12 * se, both = se * sqrt(2);

        assert_true(stat_quantile_difference(&h, &h, upper ? 0.9 : 0.5, 0.95, DRAWS, rng, &q));
        assert_near(q.a, at, 1e-9);
        assert_near(q.b, at, 1e-9);
        assert_near(q.low_a, at - 1.95996 * se, within);
        assert_near(q.high_a, at + 1.95996 * se, within);
        assert_near(q.low_b, at - 1.95996 * se, within);
        assert_near(q.high_b, at + 1.95996 * se, within);
        assert_near(q.error, both, within);
        assert_near(q.low, -1.95996 * both, 1.4 * within);
        assert_near(q.high, 1.95996 * both, 1.4 * within);
        assert_near(q.low90, -1.64485 * both, 1.4 * within);
        assert_near(q.high90, 1.64485 * both, 1.4 * within);
        assert_true(q.p_value == 1);
    }
    assert_false(stat_quantile_difference(&h, &h, 0.5, 0.95, 0, rng, &q));
    gsl_rng_free(rng);
}

/* In three runs 60, 50 and 40 % are below the median of all: phi = 3/2 * 2 * 100^2 / (3000 / 4) = 40. */
static void quantiles_of_runs(void **state)
{
    double low[BINS], high[BINS], counts[3 * BINS], flat[BINS];
    struct stat_histograms a = {.runs = 3, .bins = BINS, .counts = counts, .low = low, .high = high},
                           b = {.runs = 1, .bins = BINS, .counts = flat, .low = low, .high = high};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    double se = 500 * sqrt(40 / 3000.0);
    struct stat_quantile q;

    make_bins(low, high);
    for (int i = 0; i < BINS; i++) {
        flat[i] = 1e6;
        counts[i] = i < BINS / 2 ? 12 : 8;
        counts[BINS + i] = 10;
        counts[2 * BINS + i] = i < BINS / 2 ? 8 : 12;
    }
    assert_true(stat_quantile_difference(&a, &b, 0.5, 0.95, DRAWS, rng, &q));
    assert_near(q.a, 500, 1e-9);
    /* 75 independent samples: the median of so few is not quite normal */
    assert_near(q.error, se, 0.08 * se);
    assert_near(q.low_a, 500 - 1.96 * se, 0.15 * se);
    assert_near(q.high_a, 500 + 1.96 * se, 0.15 * se);
    gsl_rng_free(rng);
}

/* Each of six runs has one latency, 0, 10, ... 50: the third smallest of six draws is 0 in 6.2 % of the cases (three
 * draws or more of it), 50 in 0.9 %, 40 or 50 in 10.0 %. */
static void quantiles_of_drawn_runs(void **state)
{
    static const double ends[] = {0, 10, 20, 30, 40, 50};
    double counts[36] = {0};
    struct stat_histograms h = {.runs = 6, .bins = 6, .counts = counts, .low = ends, .high = ends}, five = h;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct stat_quantile q;

    for (int i = 0; i < 6; i++)
        counts[7 * i] = 1000;
    assert_true(stat_quantile_difference(&h, &h, 0.5, 0.95, DRAWS, rng, &q));
    assert_true(q.a == 20 && q.b == 20);
    assert_true(q.low_a == 0 && q.high_a == 40 && q.low_b == 0 && q.high_b == 40);
    /* With five runs on a side samples are drawn: phi is 6 * 500 times that of samples, so there are two, and the first
     * of two is 0 in 11/36 and 50 in 1/36 of the cases. */
    five.runs = 5;
    assert_true(stat_quantile_difference(&five, &h, 0.5, 0.95, DRAWS, rng, &q));
    assert_true(q.high_b == 50);
    assert_true(stat_quantile_difference(&h, &five, 0.5, 0.95, DRAWS, rng, &q));
    assert_true(q.high_a == 50);
    gsl_rng_free(rng);
}

/* By Mood's test 30 of 100 and 60 of 100 are below the pooled median; and 98 and 124 of 200, which has p = 0.009, but
 * the interval of the difference contains 0. */
static void quantiles_p(void **state)
{
    static const double ends[] = {10, 20, 30}, a[] = {30, 70, 0}, b[] = {60, 40, 0}, c[] = {98, 102, 0},
                        d[] = {124, 76, 0}, e[] = {0, 30, 70}, f[] = {0, 60, 40};
    struct stat_histograms left = {.runs = 1, .bins = 3, .counts = a, .low = ends, .high = ends}, right = left;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct stat_quantile q;

    for (int swapped = 0; swapped < 2; swapped++) {
        left.counts = swapped ? b : a;
        right.counts = swapped ? a : b;
        assert_true(stat_quantile_difference(&left, &right, 0.5, 0.95, 4000, rng, &q));
        assert_near(q.value, swapped ? 10 : -10, 0);
        assert_near(q.p_value, 2.00786561243e-05, 1e-12);
        left.counts = swapped ? d : c;
        right.counts = swapped ? c : d;
        assert_true(stat_quantile_difference(&left, &right, 0.5, 0.95, 4000, rng, &q));
        assert_true(q.low <= 0 && q.high >= 0 && fmax(q.high, -q.low) == 10);
        assert_true(q.p_value > 0.05 && q.p_value < 0.0500001);
        /* the upper two of three bins */
        left.counts = swapped ? f : e;
        right.counts = swapped ? e : f;
        assert_true(stat_quantile_difference(&left, &right, 0.5, 0.95, 4000, rng, &q));
        assert_near(q.p_value, 2.0078656e-05, 1e-11);
    }
    gsl_rng_free(rng);
}

/* ---------------------------------------------------------------- verdicts */

/* The contrasts p_b - 0.95 p_a and p_b - 1.05 p_a of 20 % against 19.8 and 20.2 %, with phi 2 and 1.5, b twice as
 * large, and Student's t with 5 degrees of freedom, are significant from 25,880 and 30,060 samples of a on. */
static void relative_margin(void **state)
{
    static const struct stat_margin margin = {0.005, 0.05};
    static const double rows[][2] = {{0.198, 25880}, {0.202, 30060}};

    for (size_t i = 0; i < COUNT(rows); i++)
        for (int less = 0; less < 2; less++) {
            double n = rows[i][1] - 10 * less;
            struct stat_estimate a = estimate(0.2 * n, n, 2, 5), b = estimate(rows[i][0] * 2 * n, 2 * n, 1.5, 5);
            struct stat_difference d = {.df = 5, .low90 = -1, .high90 = 1};

            assert_int_equal(stat_equivalent(&a, &b, &d, margin, 0.05), !less);
        }
}

/* Up to a share of 10 % half a point is more than 5 %: then the 90 % interval of the difference counts. */
static void absolute_margin(void **state)
{
    static const struct stat_margin margin = {0.005, 0.05};
    static const struct {
        double p, low, high;
        bool wanted;
    } rows[] = {{0.0999, -0.0049, 0.0049, true},
                {0.0999, -0.005, 0.0049, false},
                {0.0999, -0.0049, 0.005, false},
                {0, -0.0049, 0.0049, true},
                {0.1001, -0.0049, 0.0049, false}};
    struct stat_estimate none = estimate(0, 0, 1, INFINITY), all = estimate(50, 50, 1, INFINITY);

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_estimate e = estimate(rows[i].p * 1000, 1000, 1, INFINITY);
        struct stat_difference d = {.df = INFINITY, .low90 = rows[i].low, .high90 = rows[i].high};

        e.p = rows[i].p;
        assert_int_equal(stat_equivalent(&e, &e, &d, margin, 0.05), rows[i].wanted);
        assert_false(stat_equivalent(&none, &e, &d, margin, 0.05));
        assert_false(stat_equivalent(&e, &none, &d, margin, 0.05));
    }
    /* Both rates are 100 %: there is no spread to divide by, and the lower end of the interval decides. */
    assert_true(stat_equivalent(&all, &all, &(struct stat_difference){.low90 = -0.049}, margin, 0.05));
    assert_false(stat_equivalent(&all, &all, &(struct stat_difference){.low90 = -0.051}, margin, 0.05));
}

/* The margin is a tenth of the rate of both sides together, from 0.05 % of all samples up to the widest margin. */
static void margins_of_rates(void **state)
{
    static const struct {
        double x_a, n_a, x_b, n_b, part, margin;
    } rows[] = {{20, 1000, 60, 3000, 1, 0.002},    {0, 1000, 80, 3000, 1, 0.002},     {80, 1000, 0, 3000, 1, 0.002},
                {6, 1000, 15, 3000, 1, 0.00053},   {5, 1000, 14, 3000, 1, 0.0005},    {0, 1000, 0, 3000, 1, 0.0005},
                {0, 0, 0, 0, 1, 0.0005},           {49, 1000, 150, 3000, 1, 0.00498}, {51, 1000, 150, 3000, 1, 0.005},
                {900, 1000, 900, 3000, 1, 0.005},  {0, 1000, 0, 3000, 0.25, 0.002},   {20, 1000, 60, 3000, 0.2, 0.0025},
                {20, 1000, 60, 3000, 0.26, 0.002}, {0, 1000, 0, 3000, 0.05, 0.005}};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct stat_estimate a = estimate(rows[i].x_a, rows[i].n_a, 2, INFINITY),
                             b = estimate(rows[i].x_b, rows[i].n_b, 1.5, INFINITY);
        struct stat_margin got = stat_rate_margin((struct stat_margin){0.005, 0.07}, &a, &b, rows[i].part);

        if (fabs(got.absolute - rows[i].margin) > 6e-6 || got.relative != 0.07)
            fail_msg("row %zu: %g, %g", i, got.absolute, got.relative);
    }
    struct stat_estimate a = estimate(90, 1000, 2, INFINITY);
    assert_near(stat_margin_at((struct stat_margin){0.005, 0.05}, &a), 0.005, 0);
    a = estimate(110, 1000, 2, INFINITY);
    assert_near(stat_margin_at((struct stat_margin){0.005, 0.05}, &a), 0.0055, 1e-15);
}

static void samples_wanted(void **state)
{
    static const struct stat_margin margin = {0.005, 0.05};
    struct stat_estimate none = estimate(0, 0, 1, INFINITY), a = estimate(100, 1000, 2, INFINITY),
                         b = estimate(330, 3000, 1.5, INFINITY), c = estimate(300, 1000, 2, INFINITY),
                         d = estimate(990, 3000, 1.5, INFINITY);

    /* half a point; 5 % of 30 % */
    assert_near(stat_samples_factor(&a, &b, margin, 0.05, 0.8), 82.50067984, 1e-6);
    assert_near(stat_samples_factor(&c, &d, margin, 0.05, 0.8), 20.84097891, 1e-6);
    /* (1.2816 + 1.6449)^2: an equal sum for other reasons */
    assert_near(stat_samples_factor(&c, &d, margin, 0.1, 0.9), 20.84097891, 1e-6);
    assert_true(isinf(stat_samples_factor(&none, &b, margin, 0.05, 0.8)));
    assert_true(isinf(stat_samples_factor(&a, &none, margin, 0.05, 0.8)));
}

/* The example is from Benjamini and Hochberg 1995, section 3.2: the first four of 15 p-values are rejected at 0.05. q
 * is the smallest p * 15 / rank from there on: 0.0278 * 15 / 6 would be 0.0695, but the next one is 0.0298 * 15 / 7 =
 * 0.0639. */
static void false_discovery_rates(void **state)
{
    static const double p[] = {0.0344, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298,
                               0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0},
                        wanted[] = {0.0645,    0.0015,       0.003,        0.0095,    0.035625,
                                    0.0603,    0.0638571429, 0.0638571429, 0.0765,    0.486,
                                    0.5811818, 0.7148750,    0.7532308,    0.8132143, 1.0};
    double q[COUNT(p)];

    stat_fdr(p, q, COUNT(p));
    for (size_t i = 0; i < COUNT(p); i++)
        assert_near(q[i], wanted[i], 5e-8);
    stat_fdr((const double[]){0.6, 0.9}, q, 2); /* 2 * 0.6 is no probability */
    assert_near(q[0], 0.9, 0);
    stat_fdr(p, q, 0);
}

static void names(void **state)
{
    assert_int_equal(stat_judge(true, true), VERDICT_BOTH);
    assert_int_equal(stat_judge(true, false), VERDICT_DIFFERENT);
    assert_int_equal(stat_judge(false, true), VERDICT_EQUIVALENT);
    assert_int_equal(stat_judge(false, false), VERDICT_INCONCLUSIVE);
    assert_string_equal(stat_verdict_name(VERDICT_BOTH), "both");
    assert_string_equal(stat_verdict_name(VERDICT_DIFFERENT), "different");
    assert_string_equal(stat_verdict_name(VERDICT_EQUIVALENT), "equivalent");
    assert_string_equal(stat_verdict_name(VERDICT_INCONCLUSIVE), "inconclusive");
    assert_string_equal(stat_verdict_name(VERDICTS), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phi_is_moderated),
        cmocka_unit_test(phi_with_others),
        cmocka_unit_test(fifteen_samples_in_three_runs_count),
        cmocka_unit_test(overall_phi),
        cmocka_unit_test(differences),
        cmocka_unit_test(empty_sides),
        cmocka_unit_test(students_quantile),
        cmocka_unit_test(whole_profiles),
        cmocka_unit_test(nothing_in_common),
        cmocka_unit_test(nothing_to_test),
        cmocka_unit_test(permutations),
        cmocka_unit_test(random_choices_are_fair),
        cmocka_unit_test(small_differences_are_put_to_0),
        cmocka_unit_test(phi_is_redrawn),
        cmocka_unit_test(runs_are_drawn),
        cmocka_unit_test(distances_end_at_1),
        cmocka_unit_test(draws),
        cmocka_unit_test(quantile_intervals),
        cmocka_unit_test(quantiles_of_runs),
        cmocka_unit_test(quantiles_of_drawn_runs),
        cmocka_unit_test(quantiles_p),
        cmocka_unit_test(relative_margin),
        cmocka_unit_test(absolute_margin),
        cmocka_unit_test(margins_of_rates),
        cmocka_unit_test(samples_wanted),
        cmocka_unit_test(false_discovery_rates),
        cmocka_unit_test(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
