/* SPDX-License-Identifier: BSD-2-Clause */
/* * Samples compared with exact shares: known values, how often chance is called bias, and defects of a sampler that
 * must be found. Expected values are worked out beside them; chi-square of the die is the example of
 * scipy.stats.chisquare. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "tools/ibsprof/stat/stat_bias.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void assert_near(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.10g is not %.10g within %g", value, wanted, within);
}

/* ---------------------------------------------------------------- known values */

/* Returns the mean of |x - n p| for a binomial x, which is that of two cells whose counts add up to n. */
static double mean_deviation(double n, double p)
{
    const double samples[] = {n, 0}, share[] = {p, 1 - p};
    struct stat_bias got;

    assert_int_equal(stat_bias(samples, share, 2, 1, &got), n > 0);
    return got.floor * n;
}

static void mean_deviations(void **state)
{
    (void)state;
    /* sums over all counts, by Python's math.comb: sum C(n,x) p^x (1-p)^(n-x) |x - n p| */
    assert_near(mean_deviation(10, 0.3), 1.1206773144, 1e-9);
    assert_near(mean_deviation(4, 0.5), 0.75, 1e-12); /* four throws of a coin */
    assert_near(mean_deviation(1, 0.25), 0.375, 1e-12);
    assert_near(mean_deviation(100, 0.013), 0.9161150317536756, 1e-9);
    /* for many samples the mean is that of the normal distribution, sqrt(2 n p (1-p) / pi) */
    assert_near(mean_deviation(1e6, 0.5), sqrt(2 * 1e6 / 4 / M_PI), 1e-3);
    assert_near(mean_deviation(10, 1), 0, 0);
    assert_near(mean_deviation(10, 0), 0, 0);
    assert_near(mean_deviation(0, 0.5), 0, 0);
}

static void a_die(void **state)
{
    static const double samples[] = {16, 18, 16, 14, 12, 12}, share[] = {16, 16, 16, 16, 16, 8};
    struct stat_bias got;

    (void)state;
    assert_true(stat_bias(samples, share, 6, 1, &got));
    assert_near(got.n, 88, 0);
    assert_near(got.tvd, 6 / 88.0, 1e-12); /* 0, 2, 0, 2, 4, 4: half of 12 */
    assert_near(got.chi2, 3.5, 1e-12);
    assert_int_equal(got.df, 5);
    assert_near(got.p_chi2, 0.62338762774958223, 1e-9);
    assert_int_equal(got.pooled, 0);
    assert_int_equal(got.worst, 4);
    assert_false(got.beyond);
    assert_true(got.floor < got.floor_high);
    assert_true(got.p_tvd > 0.5);
}

static void small_cells_are_pooled(void **state)
{
    /* expected 60, 30, 4, 4, 2: the last three are combined into one of 10 */
    static const double share[] = {60, 30, 4, 4, 2}, samples[] = {60, 25, 5, 5, 5};
    /* expected 80, 17, 3: the rest joins the 17 */
    static const double few[] = {80, 17, 3}, other[] = {80, 5, 15};
    /* never executed, but sampled; and one cell that has all samples */
    static const double exact[] = {50, 50, 0}, wrong[] = {50, 40, 10}, hardly[] = {50, 49, 1}, lone[] = {9},
                        all[] = {4};
    struct stat_bias got;

    (void)state;
    assert_true(stat_bias(samples, share, 5, 1, &got));
    assert_near(got.chi2, 25 / 30.0 + 25 / 10.0, 1e-12);
    assert_int_equal(got.df, 2);
    assert_int_equal(got.pooled, 3);
    assert_true(stat_bias(other, few, 3, 1, &got));
    assert_near(got.chi2, 0, 1e-12);
    assert_int_equal(got.df, 1);
    assert_int_equal(got.pooled, 2);
    assert_true(got.beyond); /* because of the distance: 3 % have 15 % of the samples */
    assert_true(stat_bias(wrong, exact, 3, 1, &got));
    assert_near(got.never, 10, 0);
    assert_true(got.beyond);
    assert_near(got.tvd, 0.1, 1e-12);
    assert_true(stat_bias(hardly, exact, 3, 1, &got)); /* one in a hundred is little, but not chance */
    assert_true(got.beyond);
    assert_true(got.p_tvd > 0.5);
    assert_true(stat_bias(all, lone, 1, 1, &got));
    assert_int_equal(got.df, 0);
    assert_near(got.tvd, 0, 0);
    assert_false(got.beyond);
}

static void nothing_to_compare(void **state)
{
    static const double none[] = {0, 0}, some[] = {1, 2};
    struct stat_bias got;

    (void)state;
    assert_false(stat_bias(none, some, 2, 1, &got));
    assert_false(stat_bias(some, none, 2, 1, &got));
    assert_false(got.beyond);
}

/* ---------------------------------------------------------------- a sampler with and without defects */

/* * The program has two phases with equally many iterations. An iteration of the first is 20 iterations of an inner
 * loop of 12 instructions and 17 ops, and five instructions around that loop; an iteration of the second is 115
 * iterations of three instructions. Each iteration has 345 ops. */
enum { INNER = 12, AROUND = 5, LATER = 3, INSTRUCTIONS = INNER + AROUND + LATER, TURN = 345, TURNS = 40000 };
static const uint8_t ops_of[INSTRUCTIONS] = {1, 2, 1, 1, 3, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint8_t length_of[INSTRUCTIONS] = {3, 4, 3, 2, 4, 3, 3, 4, 3, 4, 3, 2, 3, 3, 4, 3, 2, 3, 4, 2};

enum defect {
    NONE,
    RIP_ADDED,
    LOW_BITS_ZERO,
    LOW_BITS_LUCKY,
    ONE_DROPPED,
    ANY_DROPPED,
    NEXT_OP,
    NEXT_INSTRUCTION,
    TOO_SHORT
};

static unsigned instruction_of(uint64_t op)
{
    unsigned in_turn = op % TURN, i = 0;

    if (op / TURN >= TURNS / 2)
        return INNER + AROUND + in_turn % LATER;
    if (in_turn >= 340)
        return INNER + in_turn - 340;
    for (in_turn %= 17; in_turn >= ops_of[i]; i++)
        in_turn -= ops_of[i];
    return i;
}

/* Returns the instruction that begins 'by' bytes after another; INSTRUCTIONS: there is none. */
static unsigned moved(unsigned instruction, unsigned by)
{
    while (instruction < INSTRUCTIONS && by >= length_of[instruction])
        by -= length_of[instruction++];
    return by ? INSTRUCTIONS : instruction;
}

static void shares(double share[INSTRUCTIONS])
{
    memset(share, 0, INSTRUCTIONS * sizeof(*share));
    for (unsigned op = 0; op < TURN; op++) {
        share[instruction_of(op)]++;
        share[instruction_of((uint64_t)TURN * TURNS / 2 + op)]++;
    }
}

/* Takes samples as the handler and IBS do: an interval is the period less half of the range plus a random part; 14 ops
 * of the handler come between; there is room for 'most' samples. */
static void take(enum defect defect, unsigned long seed, double samples[INSTRUCTIONS])
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned period = defect == TOO_SHORT       ? 144
                      : defect == LOW_BITS_ZERO ? 704
                                                : 592,
             taken = 0, most = 32768, of_first = 0;
    bool fixed = defect == LOW_BITS_ZERO || defect == LOW_BITS_LUCKY;

    gsl_rng_set(rng, seed);
    memset(samples, 0, INSTRUCTIONS * sizeof(*samples));
    for (uint64_t op = 0; taken < most; taken++) {
        unsigned range = period / 2, interval = period - range / 2 + (unsigned)gsl_rng_uniform_int(rng, range), at;

        op += (fixed ? period : interval) - 14;
        if (op >= (uint64_t)TURN * TURNS)
            break;
        at = instruction_of(defect == NEXT_OP ? op + 1 : op);
        of_first += at == 4;
        if ((defect == ANY_DROPPED && taken % 100 == 0) || (defect == ONE_DROPPED && at == 4 && of_first % 4 == 0))
            continue;
        at = defect == RIP_ADDED ? moved(at, 3) : at;
        at = defect == NEXT_INSTRUCTION ? moved(at, length_of[at]) : at;
        if (at < INSTRUCTIONS)
            samples[at]++;
    }
    gsl_rng_free(rng);
}

/* Returns how many of these seeds are called bias, and how many are too even for chance. */
static unsigned found(enum defect defect, unsigned seeds, unsigned *ret_even)
{
    double share[INSTRUCTIONS], samples[INSTRUCTIONS];
    struct stat_bias got;
    unsigned beyond = 0, even = 0;

    shares(share);
    for (unsigned seed = 1; seed <= seeds; seed++) {
        take(defect, seed, samples);
        assert_true(stat_bias(samples, share, INSTRUCTIONS, seed, &got));
        beyond += got.beyond;
        even += got.even;
    }
    if (ret_even)
        *ret_even = even;
    return beyond;
}

/* Chance is called bias in about 5 of 100 draws; more than 11 of 100 happen once in a thousand cases. */
static void chance_is_chance(void **state)
{
    double share[INSTRUCTIONS], samples[INSTRUCTIONS];
    unsigned drawn[INSTRUCTIONS], beyond = 0, above = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct stat_bias got;

    (void)state;
    shares(share);
    for (unsigned seed = 1; seed <= 100; seed++) {
        gsl_ran_multinomial(rng, INSTRUCTIONS, 2000, share, drawn);
        for (unsigned i = 0; i < INSTRUCTIONS; i++)
            samples[i] = drawn[i];
        assert_true(stat_bias(samples, share, INSTRUCTIONS, seed, &got));
        beyond += got.beyond;
        above += got.tvd > got.floor_high;
    }
    gsl_rng_free(rng);
    print_message("of 100 draws %u were called bias, %u were above the 95 %% end\n", beyond, above);
    assert_in_range(beyond, 0, 11);
    assert_in_range(above, 1, 11);
}

/* A good sampler is tried with 23,000 samples, one seed after the other. */
static void a_good_sampler_has_none(void **state)
{
    unsigned even;

    (void)state;
    assert_in_range(found(NONE, 20, &even), 0, 4);
    assert_int_equal(even, 0);
    assert_in_range(found(ANY_DROPPED, 20, NULL), 0, 4); /* not correlated with anything */
    assert_in_range(found(NEXT_OP, 20, NULL), 0, 4);     /* each op is next as often as it is executed */
}

static void defects_are_found(void **state)
{
    unsigned even;

    (void)state;
    assert_int_equal(found(RIP_ADDED, 10, NULL), 10);
    /* 704 - 14 = 2 x 345, iterations of the outer loops: one instruction has all samples of each */
    assert_int_equal(found(LOW_BITS_ZERO, 10, NULL), 10);
    /* 592 - 14 and 345 have no common factor: by luck each op has its turn, which is no bias, but no chance either */
    assert_int_equal(found(LOW_BITS_LUCKY, 10, &even), 0);
    assert_int_equal(even, 10);
    assert_int_equal(found(NEXT_INSTRUCTION, 10, NULL), 10);
    assert_int_equal(found(TOO_SHORT, 10, NULL), 10); /* the buffer is full before the second phase */
    assert_int_equal(found(ONE_DROPPED, 10, NULL), 10);
}

/* The loss of each 100th sample of one instruction is as little as chance in 10,000 samples, and is found in ten
 * million. */
static void small_defects_need_samples(void **state)
{
    double share[INSTRUCTIONS], samples[INSTRUCTIONS], all = 0;
    struct stat_bias got;

    (void)state;
    shares(share);
    for (unsigned i = 0; i < INSTRUCTIONS; i++)
        all += share[i];
    for (double n = 1e4; n <= 1e7; n *= 1000) {
        for (unsigned i = 0; i < INSTRUCTIONS; i++)
            samples[i] = floor(n * share[i] / all * (i == 4 ? 0.99 : 1) + 0.5);
        assert_true(stat_bias(samples, share, INSTRUCTIONS, 1, &got));
        assert_int_equal(got.beyond, n > 1e6);
        assert_int_equal(got.worst, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_deviations),        cmocka_unit_test(a_die),
        cmocka_unit_test(small_cells_are_pooled), cmocka_unit_test(nothing_to_compare),
        cmocka_unit_test(chance_is_chance),       cmocka_unit_test(a_good_sampler_has_none),
        cmocka_unit_test(defects_are_found),      cmocka_unit_test(small_defects_need_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
