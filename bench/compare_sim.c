/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures how often the statistics of 'ibsprof compare' are wrong on many simulated pairs with known truth, with
 * intervals.
 *
 *   compare_sim [PAIRS [shares|rates|hot]]      (10000, all)
 *
 * Each line: the quantity, its observed rate with a 95 % interval (Wilson), and the rate that it should have.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/ibsprof/simulate.h"

enum { CELLS = 50 };
static const struct stat_margin margin = {0.005, 0.05};

static void print_rate(const char *what, double hits, double trials, const char *wanted)
{
    double low, high;

    stat_wilson(hits / trials, trials, 0.95, INFINITY, &low, &high);
    printf("  %-58s %7.3f %%  (%.3f to %.3f)   wanted: %s\n", what, 100 * hits / trials, 100 * low, 100 * high, wanted);
    fflush(stdout);
}

/* Says how the runs of both sides are made. */
struct design {
    const char *name;
    uint32_t runs;
    double samples, phi; /* of each run */
};

static const struct design designs[] = {
    {"1 run of 20000", 1, 20000, 1},         {"2 runs of 10000", 2, 10000, 1},
    {"3 runs of 7000", 3, 7000, 1},          {"5 runs of 4000", 5, 4000, 1},
    {"10 runs of 2000", 10, 2000, 1},        {"30 runs of 700", 30, 700, 1},
    {"2 runs of 10000, phi 4", 2, 10000, 4}, {"3 runs of 7000, phi 4", 3, 7000, 4},
    {"5 runs of 4000, phi 4", 5, 4000, 4},   {"10 runs of 2000, phi 4", 10, 2000, 4},
    {"30 runs of 700, phi 4", 30, 700, 4},   {"10 runs of 2000, phi 20", 10, 2000, 20},
};

static void same_profiles(gsl_rng *rng, const struct design *d, uint32_t pairs)
{
    double shares[CELLS], any = 0, covered = 0, whole[3] = {0}, tvd = 0, jsd = 0;
    static const double levels[3] = {0.05, 0.2, 0.5};

    zipf(shares, CELLS);
    for (uint32_t k = 0; k < pairs; k++) {
        struct simulated a, b;
        struct pair_result result;
        struct stat_whole w;
        struct stat_whole_options options = {
            .permutations = 999, .resamples = k < 500 ? 400 : 0, .level = 0.95, .seed = k};

        simulate(rng, shares, CELLS, d->runs, d->samples, d->phi, &a);
        simulate(rng, shares, CELLS, d->runs, d->samples, d->phi, &b);
        judge_pair(&a, &b, &result);
        any += result.any;
        for (int i = 0; i < CELLS; i++)
            covered += result.differences[i].low <= 0 && result.differences[i].high >= 0;
        stat_whole(&a.side, a.estimates, &b.side, b.estimates, &options, &w);
        for (int l = 0; l < 3; l++)
            whole[l] += w.p_value <= levels[l];
        if (options.resamples > 0) {
            tvd += w.tvd.low <= 0;
            jsd += w.jsd.low <= 0;
        }
        pair_result_free(&result);
        simulated_free(&a);
        simulated_free(&b);
    }
    printf("A/A, %s a side, %u pairs\n", d->name, pairs);
    print_rate("a false instruction in the pair (q <= 0.05)", any, pairs, "at most 5");
    print_rate("intervals of share differences that hold the truth", covered, (double)pairs * CELLS, "95");
    print_rate("whole-profile p <= 0.05", whole[0], pairs, "5");
    print_rate("whole-profile p <= 0.2", whole[1], pairs, "20");
    print_rate("whole-profile p <= 0.5", whole[2], pairs, "50");
    print_rate("TVD intervals that reach 0", tvd, pairs < 500 ? pairs : 500, "at least 95");
    print_rate("JSD intervals that reach 0", jsd, pairs < 500 ? pairs : 500, "at least 95");
}

/* One instruction varies more from run to run than the fit over all of them expects: shares and the whole, one family.
 */
static void hot_cell(gsl_rng *rng, uint32_t runs, double samples, double phi, double sigma, uint32_t pairs)
{
    double shares[CELLS], p[CELLS + 1], q[CELLS + 1], any = 0;

    zipf(shares, CELLS);
    for (uint32_t k = 0; k < pairs; k++) {
        struct simulated a, b;
        struct pair_result result;
        struct stat_whole w;
        struct stat_whole_options options = {.permutations = 199, .level = 0.95, .seed = k};

        simulate_varying(rng, shares, CELLS, runs, samples, phi, sigma, &a);
        simulate_varying(rng, shares, CELLS, runs, samples, phi, sigma, &b);
        judge_pair(&a, &b, &result);
        stat_whole(&a.side, a.estimates, &b.side, b.estimates, &options, &w);
        for (int i = 0; i < CELLS; i++)
            p[i] = result.differences[i].p_value;
        p[CELLS] = w.p_value;
        stat_fdr(p, q, CELLS + 1);
        any += q[CELLS] <= 0.05 || result.any;
        pair_result_free(&result);
        simulated_free(&a);
        simulated_free(&b);
    }
    printf("A/A, %u runs of %.0f, phi %.0f, the hottest share varies by %.0f %%, %u pairs\n", runs, samples, phi,
           100 * sigma, pairs);
    print_rate("called different", any, pairs, "at most 5");
}

static void shifted(gsl_rng *rng, const struct design *d, double share, double by, uint32_t pairs)
{
    double a_shares[CELLS], b_shares[CELLS], found = 0, covered = 0, equal = 0, tvd = 0, jsd = 0;
    uint32_t boots = pairs < 500 ? pairs : 500;
    char predicted[60];

    snprintf(predicted, sizeof(predicted), "%.1f with phi known",
             100 * predicted_power(share, fabs(by), d->runs * d->samples / d->phi, 0.05 / CELLS));
    zipf(a_shares, CELLS);
    shift_share(a_shares, CELLS, 0, share - a_shares[0]);
    memcpy(b_shares, a_shares, sizeof(b_shares));
    shift_share(b_shares, CELLS, 0, by);
    for (uint32_t k = 0; k < pairs; k++) {
        struct simulated a, b;
        struct pair_result r;

        simulate(rng, a_shares, CELLS, d->runs, d->samples, d->phi, &a);
        simulate(rng, b_shares, CELLS, d->runs, d->samples, d->phi, &b);
        judge_pair(&a, &b, &r);
        found += r.differences[0].p_value <= 0.05 / CELLS;
        for (int i = 0; i < CELLS; i++) {
            double truth = b_shares[i] - a_shares[i];

            covered += r.differences[i].low <= truth && r.differences[i].high >= truth;
        }
        equal += stat_equivalent(&a.estimates[0], &b.estimates[0], &r.differences[0], margin, 0.05);
        if (k < boots) {
            struct stat_whole w;
            struct stat_whole_options options = {.permutations = 1, .resamples = 400, .level = 0.95, .seed = k};
            double t = stat_tvd(a_shares, b_shares, CELLS), j = stat_jsd(a_shares, b_shares, CELLS);

            stat_whole(&a.side, a.estimates, &b.side, b.estimates, &options, &w);
            tvd += w.tvd.low <= t && w.tvd.high >= t;
            jsd += w.jsd.low <= j && w.jsd.high >= j;
        }
        pair_result_free(&r);
        simulated_free(&a);
        simulated_free(&b);
    }
    printf("A/B, %s a side, share %.2f %% %+.3f points, %u pairs\n", d->name, 100 * share, 100 * by, pairs);
    print_rate("found with p <= 0.05 / 50", found, pairs, predicted);
    print_rate("called equivalent within max(0.5 points, 5 %)", equal, pairs, "at most 5 at the margin");
    print_rate("intervals of share differences that hold the truth", covered, (double)pairs * CELLS, "95");
    print_rate("TVD intervals that hold the truth", tvd, boots, "95");
    print_rate("JSD intervals that hold the truth", jsd, boots, "95");
}

/* Adds rates of the same runs; the first is 'rate' and differs by 'by'. Margins are those of rates. */
static void with_rates(gsl_rng *rng, const struct design *d, double rate_phi, double rate, double by, uint32_t pairs)
{
    enum { RATES = 10 };
    char predicted[60];
    double shares[CELLS], truth[2][RATES], any = 0, any_rate = 0, covered = 0, small = 0, found = 0, equal = 0;

    zipf(shares, CELLS);
    for (int i = 0; i < RATES; i++)
        truth[0][i] = truth[1][i] = i == 0 ? rate : i % 3 == 0 ? 0.3 : i % 3 == 1 ? 0.05 : 0.005;
    truth[1][0] += by;
    snprintf(predicted, sizeof(predicted), "%.1f with phi known",
             100 * predicted_power(truth[0][0], fabs(by), d->runs * d->samples * shares[0] / rate_phi, 0.05 / CELLS));
    for (uint32_t k = 0; k < pairs; k++) {
        struct simulated sides[2], rates[2];
        struct pair_result r;
        bool any_of_rates = false;

        for (int side = 0; side < 2; side++) {
            simulate(rng, shares, CELLS, d->runs, d->samples, d->phi, &sides[side]);
            simulate_rates(rng, &sides[side], truth[side], RATES, rate_phi, &rates[side]);
        }
        judge_pair_with_rates(sides, rates, &r);
        for (int i = 0; i < RATES; i++) {
            const struct stat_difference *difference = &r.differences[CELLS + i];
            double by_truth = truth[1][i] - truth[0][i];

            covered += difference->low <= by_truth && difference->high >= by_truth;
            small += difference->p_value <= 0.05 && by_truth == 0;
        }
        for (int i = CELLS; i < CELLS + RATES + 1; i++)
            any_of_rates |= r.q[i] <= 0.05;
        any += r.any;
        any_rate += any_of_rates;
        found += r.differences[CELLS].p_value <= 0.05 / CELLS;
        equal += stat_equivalent(&rates[0].estimates[0], &rates[1].estimates[0], &r.differences[CELLS],
                                 stat_rate_margin(margin, &rates[0].estimates[0], &rates[1].estimates[0], 1), 0.05);
        pair_result_free(&r);
        for (int side = 0; side < 2; side++) {
            simulated_free(&sides[side]);
            simulated_free(&rates[side]);
        }
    }
    printf("%s with rates, %s a side, rates' phi %.0f, %+.3f points of %g %%, %u pairs\n", by == 0 ? "A/A" : "A/B",
           d->name, rate_phi, 100 * by, 100 * rate, pairs);
    if (by == 0) {
        print_rate("a false instruction in the pair (q <= 0.05)", any, pairs, "at most 5");
        print_rate("a false rate in the pair", any_rate, pairs, "at most 5");
    } else {
        print_rate("found with p <= 0.05 / 50", found, pairs, predicted);
        print_rate("called equivalent within the margin", equal, pairs, "at most 5 at the margin");
    }
    print_rate("rates without a difference at p <= 0.05", small, (double)pairs * (RATES - (by != 0)), "5");
    print_rate("intervals of rate differences that hold the truth", covered, (double)pairs * RATES, "95");
}

static void shares_alone(gsl_rng *rng, uint32_t pairs)
{
    for (unsigned i = 0; i < sizeof(designs) / sizeof(designs[0]); i++)
        same_profiles(rng, &designs[i], pairs);
    shifted(rng, &(struct design){"1 run of 10000", 1, 10000, 1}, 0.1, 0.0175, pairs);
    shifted(rng, &(struct design){"10 runs of 1000", 10, 1000, 1}, 0.1, 0.0175, pairs);
    shifted(rng, &(struct design){"1 run of 100000", 1, 100000, 1}, 0.1, 0.0055, pairs);
    shifted(rng, &(struct design){"1 run of 1000000", 1, 1000000, 1}, 0.1, 0.0018, pairs);
    puts("Equivalence with the truth at the margin:");
    shifted(rng, &(struct design){"1 run of 50000", 1, 50000, 1}, 0.03, 0.005, pairs);
    shifted(rng, &(struct design){"1 run of 50000", 1, 50000, 1}, 0.2, 0.01, pairs);
    shifted(rng, &(struct design){"1 run of 50000", 1, 50000, 1}, 0.2, -0.01, pairs);
    shifted(rng, &(struct design){"5 runs of 20000, phi 2", 5, 20000, 2}, 0.2, 0.01, pairs);
    shifted(rng, &(struct design){"2 runs of 50000, phi 4", 2, 50000, 4}, 0.2, 0.01, pairs);
    shifted(rng, &(struct design){"5 runs of 20000, phi 2", 5, 20000, 2}, 0.03, 0.005, pairs);
}

static void hot_cells(gsl_rng *rng, uint32_t pairs)
{
    static const struct {
        uint32_t runs;
        double phi, sigma;
    } hot[] = {{2, 1, 0.1}, {2, 1, 0.2}, {2, 4, 0.2}, {3, 1, 0.2}, {3, 4, 0.2}, {5, 1, 0.2}, {5, 4, 0.2}, {10, 4, 0.2}};

    gsl_rng_set(rng, 0); /* the same values with and without the other designs */
    for (unsigned i = 0; i < sizeof(hot) / sizeof(hot[0]); i++)
        hot_cell(rng, hot[i].runs, 10000, hot[i].phi, hot[i].sigma, pairs);
}

/* Simulates the comparison in README: six runs of some 10,000 samples per side, and a change of 5 %. */
static void six_runs(gsl_rng *rng, uint32_t pairs)
{
    static const struct design alike[] = {{"6 runs of 10000", 6, 10000, 1}, {"6 runs of 10000, phi 2", 6, 10000, 2}};

    gsl_rng_set(rng, 0);
    for (unsigned i = 0; i < sizeof(alike) / sizeof(alike[0]); i++) {
        same_profiles(rng, &alike[i], pairs);
        for (unsigned part = 5; part <= 20; part *= 2)
            shifted(rng, &alike[i], part / 100.0, part / 100.0 / 20, pairs);
        with_rates(rng, &alike[i], alike[i].phi, 0.2, 0, pairs);
        with_rates(rng, &alike[i], alike[i].phi, 0.2, 0.01, pairs);
        with_rates(rng, &alike[i], alike[i].phi, 0.5, 0.025, pairs);
    }
}

static void rates_beside_shares(gsl_rng *rng, uint32_t pairs)
{
    puts("Rates:");
    for (unsigned i = 0; i < sizeof(designs) / sizeof(designs[0]); i++)
        with_rates(rng, &designs[i], designs[i].phi, 0.1, 0, pairs);
    with_rates(rng, &(struct design){"5 runs of 4000, shares' phi 1", 5, 4000, 1}, 4, 0.1, 0, pairs);
    with_rates(rng, &(struct design){"10 runs of 2000, shares' phi 1", 10, 2000, 1}, 4, 0.1, 0, pairs);
    with_rates(rng, &(struct design){"5 runs of 4000, shares' phi 4", 5, 4000, 4}, 1, 0.1, 0, pairs);
    with_rates(rng, &(struct design){"5 runs of 4000", 5, 4000, 1}, 1, 0.1, 0.02, pairs);
    with_rates(rng, &(struct design){"5 runs of 4000, phi 4", 5, 4000, 4}, 4, 0.1, 0.04, pairs);
    with_rates(rng, &(struct design){"1 run of 200000", 1, 200000, 1}, 1, 0.1, 0.005, pairs);
    with_rates(rng, &(struct design){"5 runs of 80000, phi 2", 5, 80000, 2}, 2, 0.1, 0.005, pairs);
    with_rates(rng, &(struct design){"2 runs of 200000, phi 4", 2, 200000, 4}, 4, 0.1, 0.005, pairs);
    /* A tenth of the rate of both sides together: 0.1 (1 + by / 2) = by. */
    with_rates(rng, &(struct design){"1 run of 2000000", 1, 2000000, 1}, 1, 0.01, 0.001 / 0.95, pairs);
    with_rates(rng, &(struct design){"5 runs of 800000, phi 2", 5, 800000, 2}, 2, 0.01, 0.001 / 0.95, pairs);
    with_rates(rng, &(struct design){"5 runs of 800000, phi 2", 5, 800000, 2}, 2, 0.01, -0.001 / 1.05, pairs);
}

int main(int argc, char **argv)
{
    uint32_t pairs = argc > 1 ? (uint32_t)atoi(argv[1]) : 10000;
    const char *part = argc > 2 ? argv[2] : "all";
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    if (pairs == 0)
        return 2;
    if (strcmp(part, "six") == 0 || strcmp(part, "all") == 0)
        six_runs(rng, pairs);
    gsl_rng_set(rng, 0);
    if (strcmp(part, "shares") == 0 || strcmp(part, "all") == 0)
        shares_alone(rng, pairs);
    if (strcmp(part, "rates") == 0 || strcmp(part, "all") == 0)
        rates_beside_shares(rng, pairs);
    if (strcmp(part, "hot") == 0 || strcmp(part, "all") == 0)
        hot_cells(rng, pairs);
    gsl_rng_free(rng);
    return 0;
}
