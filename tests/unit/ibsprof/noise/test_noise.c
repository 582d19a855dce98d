/* SPDX-License-Identifier: BSD-2-Clause */
/* Noise runs: the statistics of their comparison, checked against tables, by hand, and by counting errors when the
 * truth is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tools/ibsprof/symbols/elf_file.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/noise/noise_compare.h"

/* Makes a side of 'runs' runs, each of this many seconds; run r has counts[r] detours, each of length ns(r, i). */
static void make_side(struct noise_side *side, uint32_t runs, double seconds, const unsigned *counts,
                      double (*ns)(void *context), void *context)
{
    *side = (struct noise_side){.files = {.file = must_alloc(runs, sizeof(struct noise_file)), .count = runs}};
    for (uint32_t r = 0; r < runs; r++) {
        struct noise_file *file = &side->files.file[r];
        struct noise_regime_file *regime = &file->regime[0];
        struct noise_class *class = &regime->by[NOISE_MICROSECOND];
        double sum = 0;

        *file = (struct noise_file){.path = strdup("made"), .tsc_khz = 1000000, .regimes = 1};
        regime->name = "alone";
        regime->title = "everything off";
        regime->duration_ns = (uint64_t)(seconds * 1e9);
        regime->detours = must_alloc(counts[r] + 1ul, sizeof(*regime->detours));
        regime->detour_count = counts[r];
        for (unsigned i = 0; i < counts[r]; i++) {
            double length = ns(context);

            regime->detours[i] = (struct noise_detour){.at = i, .ns = (uint64_t)length};
            sum += length;
            regime->largest_ns = length > (double)regime->largest_ns ? (uint64_t)length : regime->largest_ns;
        }
        *class = (struct noise_class){.threshold_ns = 1000, .count = counts[r], .lost_ppb = (uint64_t)(sum / seconds)};
    }
}

static void free_side(struct noise_side *side)
{
    for (uint32_t i = 0; i < side->files.count; i++)
        noise_file_free(&side->files.file[i]);
    free(side->files.file);
}

static struct noise_compare_options options(void)
{
    return (struct noise_compare_options){.level = 0.95,
                                          .margin_rate = 1,
                                          .margin_fraction = 1e-6,
                                          .margin_ns = 1000,
                                          .margin_relative = 0.05,
                                          .regime = {"alone", "alone"}};
}

static double same_length(void *context)
{
    return *(const double *)context;
}

static void by_hand(void **state)
{
    static const unsigned none[] = {0, 0, 0}, ten[] = {10}, five[] = {0, 5, 0},
                          wide[] = {2000, 100, 1900, 50, 1500, 600, 1200, 650};
    struct noise_comparison c = {.options = options()};
    const struct noise_item *rate = &c.item[NOISE_ITEM_RATE];
    double length = 2000;
    char error[200];

    /* The limits are Garwood's for a count of 10 (Biometrika 28, 1936): 4.795 and 18.39. */
    make_side(&c.side[0], 1, 1, ten, same_length, &length);
    make_side(&c.side[1], 1, 1, ten, same_length, &length);
    assert_true(noise_compare(&c, error, sizeof(error)));
    assert_true(fabs(rate->side[0].low - 4.7954) < 1e-3 && fabs(rate->side[0].high - 18.3904) < 1e-3);
    assert_true(rate->p_value == 1);
    assert_true(c.verdict != VERDICT_DIFFERENT);
    /* Lost are 10 detours of 2 us in 1 s; the variance of a compound Poisson sum is 10 * (2 us)^2. */
    assert_true(fabs(c.item[NOISE_ITEM_LOST].side[0].value - 2e-5) < 1e-9);
    assert_true(fabs(c.item[NOISE_ITEM_LOST].side[0].high - (2e-5 + 1.959964 * sqrt(10) * 2e-6)) < 1e-10);
    assert_false(c.item[NOISE_ITEM_SPREAD].judged);
    free_side(&c.side[0]);
    free_side(&c.side[1]);

    /* There is no detour in 3 x 10 s: Garwood's limit for a count of 0 is 3.689. 0 against 5 in equal times has 2
     * (1/2)^5, and so have the largest five. */
    c = (struct noise_comparison){.options = options()};
    make_side(&c.side[0], 3, 10, none, same_length, &length);
    make_side(&c.side[1], 3, 10, five, same_length, &length);
    assert_true(noise_compare(&c, error, sizeof(error)));
    assert_true(fabs(c.side[0].fewer - 3.6889 / 30) < 1e-5 && c.side[0].fewer == rate->side[0].high);
    assert_true(c.side[1].fewer == 0);
    assert_true(fabs(c.item[NOISE_ITEM_LARGEST].p_value - 0.0625) < 1e-9);
    /* The five came in one of three runs: phi = (2 * (5/3)^2 + (10/3)^2) / (5/3) / 2 = 5. */
    assert_true(fabs(c.side[1].phi - 5) < 1e-9);
    assert_true(rate->p_value > 0.3);
    assert_int_equal(c.verdict, VERDICT_INCONCLUSIVE);
    /* Detours that did not occur are assumed to be as long as the other side's. */
    assert_true(c.item[NOISE_ITEM_LOST].side[0].value == 0);
    assert_true(fabs(c.item[NOISE_ITEM_LOST].side[0].high - rate->side[0].high * 2e-6) < 1e-12);
    free_side(&c.side[0]);
    free_side(&c.side[1]);

    /* No detour in 1 s says little if the other side's runs vary as widely as these (phi 585): the test has p = 1, and
     * the interval of the difference contains 0, though the intervals of both sides do not overlap. */
    c = (struct noise_comparison){.options = options()};
    make_side(&c.side[0], 1, 1, none, same_length, &length);
    make_side(&c.side[1], 8, 100, wide, same_length, &length);
    assert_true(noise_compare(&c, error, sizeof(error)));
    assert_true(rate->side[0].high < 3.7 && rate->side[1].low > 4);
    assert_true(rate->p_value > 0.99);
    assert_true(rate->difference.low < 0 && rate->difference.high > 17);
    free_side(&c.side[0]);
    free_side(&c.side[1]);

    c = (struct noise_comparison){.options = options()};
    c.options.regime[0] = "firmware";
    make_side(&c.side[0], 3, 10, none, same_length, &length);
    make_side(&c.side[1], 3, 10, none, same_length, &length);
    assert_false(noise_compare(&c, error, sizeof(error)));
    assert_string_equal(error, "made: it has no regime 'firmware'");
    c.options.regime[0] = "alone";
    assert_true(noise_compare(&c, error, sizeof(error)));
    assert_int_equal(c.verdict, VERDICT_EQUIVALENT); /* both less than 0.13 a second: within 1 */
    free_side(&c.side[0]);
    free_side(&c.side[1]);
}

struct world {
    gsl_rng *rng;
    double mean; /* length, ns: exponential above 1 us */
};

static double drawn_length(void *context)
{
    const struct world *world = context;

    return 1000 + gsl_ran_exponential(world->rng, world->mean);
}

/* Compares pairs of sides with 'runs' runs; detours are Poisson, with a different rate in each run if 'between' is not
 * 0. Returns which part of the pairs is called different. */
static double called_different(struct world *world, unsigned pairs, uint32_t runs, double rate_a, double rate_b,
                               double between, double *ret_covered)
{
    unsigned different = 0, covered = 0;

    for (unsigned pair = 0; pair < pairs; pair++) {
        struct noise_comparison c = {.options = options()};
        char error[200];

        for (unsigned side = 0; side < 2; side++) {
            unsigned counts[8];

            for (uint32_t r = 0; r < runs; r++) {
                double rate = side ? rate_b : rate_a;

                if (between > 0)
                    rate = gsl_ran_gamma(world->rng, 1 / between, rate * between);
                counts[r] = gsl_ran_poisson(world->rng, rate);
            }
            make_side(&c.side[side], runs, 1, counts, drawn_length, world);
        }
        assert_true(noise_compare(&c, error, sizeof(error)));
        different += c.verdict == VERDICT_DIFFERENT;
        covered += c.item[NOISE_ITEM_RATE].difference.low <= rate_b - rate_a &&
                   c.item[NOISE_ITEM_RATE].difference.high >= rate_b - rate_a;
        free_side(&c.side[0]);
        free_side(&c.side[1]);
    }
    *ret_covered = (double)covered / pairs;
    return (double)different / pairs;
}

/* Equal sides are called different in at most 5 % of the pairs, within four standard errors of 1000 pairs; intervals
 * hold the truth in 95 %. */
static void error_rates(void **state)
{
    struct world world = {.rng = gsl_rng_alloc(gsl_rng_mt19937), .mean = 5000};
    double limit = 0.05 + 4 * sqrt(0.05 * 0.95 / 1000), covered, found;
    static const struct {
        uint32_t runs;
        double rate, between;
    } rows[] = {{1, 30, 0}, {3, 30, 0}, {8, 100, 0}, {4, 100, 0.03}, {8, 100, 0.03}, {1, 1, 0}};

    gsl_rng_set(world.rng, 7);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        found = called_different(&world, 1000, rows[i].runs, rows[i].rate, rows[i].rate, rows[i].between, &covered);
        print_message("%u runs of rate %g, variance between runs %g: %.1f %% different, %.1f %% covered\n",
                      rows[i].runs, rows[i].rate, rows[i].between, 100 * found, 100 * covered);
        assert_true(found <= limit);
        assert_true(covered >= 1 - limit);
    }
    found = called_different(&world, 1000, 3, 100, 200, 0, &covered);
    print_message("3 runs, rates 100 and 200: %.1f %% different, %.1f %% covered\n", 100 * found, 100 * covered);
    assert_true(found > 0.95);
    assert_true(covered >= 1 - limit);
    gsl_rng_free(world.rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(error_rates)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
