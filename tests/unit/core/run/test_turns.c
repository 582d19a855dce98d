/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of groups: their order, their sums, and the errors of estimates. */
#include "core/run/turns.h"

#include <string.h>

#include "core/base/stats.h"
#include "tests/unit/core/check.h"

/* ---------------------------------------------------------------- the order */

TEST(each_round_has_each_group_once)
{
    for (unsigned groups = 1; groups <= 8; groups++) {
        uint8_t order[TURNS_ORDER], again[TURNS_ORDER], other[TURNS_ORDER];
        unsigned at[8][8] = {{0}}, rounds = TURNS_ORDER / groups;

        assert_int_equal(TURNS_ORDER % groups, 0);
        turns_order(order, groups, 5);
        turns_order(again, groups, 5);
        turns_order(other, groups, 6);
        assert_memory_equal(order, again, TURNS_ORDER);
        assert_int_equal(memcmp(order, other, TURNS_ORDER) != 0, groups > 1);
        for (unsigned round = 0; round < rounds; round++) {
            unsigned seen = 0;

            for (unsigned i = 0; i < groups; i++) {
                unsigned group = order[round * groups + i];

                assert_true(group < groups && !(seen >> group & 1));
                assert_true(round || group == i);
                seen |= 1u << group;
                at[group][i]++;
            }
        }
        /* Each group is equally often in each place, within four standard deviations. */
        for (unsigned g = 0; g < groups; g++)
            for (unsigned i = 0; i < groups; i++)
                assert_in_range(at[g][i], rounds / groups - 4 * stats_isqrt(rounds / groups),
                                rounds / groups + 4 * stats_isqrt(rounds / groups));
    }
}

/* ---------------------------------------------------------------- sums */

static struct turns turns_of(const uint64_t *events, unsigned count)
{
    struct turns turns = {0};

    for (unsigned i = 0; i < count; i++)
        turns_add(&turns, events[i]);
    return turns;
}

#define TURNS(...) turns_of((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void same(const struct turns *a, const struct turns *b)
{
    assert_int_equal(a->turns, b->turns);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->last, b->last);
    assert_true(a->squares == b->squares);
}

TEST(turns_are_summed)
{
    struct turns turns = TURNS(7, 10, 4), sum = {0}, more = TURNS(9), none = {0}, whole = TURNS(7, 10, 4, 9, 1, 2),
                 rest = TURNS(1, 2);

    assert_int_equal(turns.turns, 3);
    assert_int_equal(turns.events, 21);
    assert_int_equal(turns.first, 7);
    assert_int_equal(turns.last, 4);
    assert_int_equal((uint64_t)turns.squares, 9 + 36);
    turns_then(&sum, &none);
    turns_then(&sum, &turns);
    same(&sum, &turns);
    turns_then(&sum, &none);
    turns_then(&sum, &more);
    turns_then(&sum, &rest);
    same(&sum, &whole);
    /* Two groups, each closed to a ring by the difference of its ends: 4 to 7, and 9 to 9. */
    sum = (struct turns){0};
    turns_beside(&sum, &turns);
    turns_beside(&sum, &more);
    assert_int_equal(sum.turns, 4);
    assert_int_equal(sum.events, 30);
    assert_int_equal((uint64_t)sum.squares, 9 + 36 + 9);
    /* The differences fill the counters: 2 * (2^48 - 1)^2. */
    turns = TURNS(0, (1ull << 48) - 1, 0);
    assert_true(turns.squares == 2 * (unsigned __int128)((1ull << 48) - 1) * ((1ull << 48) - 1));
}

/* The squares of all cores together are the square of the cores' sum: (6 + 4)^2. */
TEST(cores_are_summed)
{
    struct turns sum = TURNS(7, 13, 13), other = TURNS(5, 1);

    turns_of_core(&sum, &other);
    assert_int_equal(sum.turns, 2);
    assert_int_equal(sum.events, 39);
    assert_int_equal(sum.first, 12);
    assert_int_equal(sum.last, 14);
    assert_int_equal((uint64_t)sum.squares, 100);
    other = TURNS(1, 1, 1, 1);
    turns_of_core(&sum, &other);
    assert_int_equal(sum.turns, 2);
    assert_int_equal((uint64_t)sum.squares, 100);
    /* The widest differences are 2^62, twice. */
    sum = other = TURNS(0, 1ull << 62);
    turns_of_core(&sum, &other);
    assert_true(sum.squares == (unsigned __int128)1 << 126);
    /* The root of 2^126 has its only digit in the first place that is tried. */
    sum = TURNS(0, 1ull << 63);
    other = TURNS(0, 0);
    turns_of_core(&sum, &other);
    assert_true(sum.squares == (unsigned __int128)1 << 126);
}

/* ---------------------------------------------------------------- estimates */

/* Returns so many turns that have 'each' and 'each' + 'apart' events in turn. */
static struct turns alternating(unsigned count, uint64_t each, uint64_t apart)
{
    struct turns turns = {0}, sum = {0};

    for (unsigned i = 0; i < count; i++)
        turns_add(&turns, each + i % 2 * apart);
    turns_beside(&sum, &turns);
    return sum;
}

static struct turns_estimate estimate_of(const struct turns *turns, uint64_t total, uint64_t active, uint64_t possible,
                                         uint64_t unsteady)
{
    const struct turns_time time = {active, possible};
    struct turns_estimate estimate;

    turns_estimate(turns, total, &time, unsteady, &estimate);
    return estimate;
}

TEST(errors_of_estimates)
{
    struct turns steady = alternating(10, 1000000, 0), uneven = alternating(10, 980000, 40000), none = {0},
                 one = alternating(1, 1000000, 0), nine = alternating(9, 1000000, 0), zero = alternating(20, 0, 0);
    struct turns_estimate e;

    /* Chance alone is 1/sqrt(10^7) = 316 millionths, and 223 if half of the time is unseen; times 1.960 + 0.4 + 0.077;
     * and one of the run's twenty turns. */
    e = estimate_of(&steady, 10000000, 500, 1000, 0);
    assert_int_equal(e.turns, 10);
    assert_in_range(e.error_ppm, 50542, 50545);
    assert_int_equal(e.reliability_ppm, 1000000 - e.error_ppm);
    /* Ten differences of 4 % count with half of their squares: 0.04 * sqrt(5) / 10 = 0.894 %; 0.775 % for 3/4 of the
     * time. */
    e = estimate_of(&uneven, 10000000, 250, 1000, 0);
    assert_in_range(e.error_ppm, 43850, 43890);
    /* With an unsteadiness of 5 % the error is sqrt(0.894^2 + 5^2 / 10) = 1.817; 1.573 * 2.437. */
    e = estimate_of(&uneven, 10000000, 250, 1000, 2500000000);
    assert_in_range(e.error_ppm, 63300, 63380);
    /* The event was counted all of the time. */
    e = estimate_of(&uneven, 10000000, 1000, 1000, 10000000000);
    assert_int_equal(e.error_ppm, 0);
    assert_int_equal(e.reliability_ppm, 1000000);
    e = estimate_of(&none, 0, 1000, 1000, 0);
    assert_int_equal(e.reliability_ppm, 1000000);
    assert_false(e.unseen);
    /* Fewer than ten turns give 0.09 each. One turn says nothing, and neither do events of a turn that was cut, without
     * any whole turn. */
    e = estimate_of(&nine, 9000000, 500, 1000, 0);
    assert_int_equal(e.reliability_ppm, 810000);
    assert_in_range(e.error_ppm, 56130, 56160);
    e = estimate_of(&one, 1000000, 500, 1000, 0);
    assert_int_equal(e.error_ppm, 1000000);
    assert_int_equal(e.reliability_ppm, 0);
    e = estimate_of(&none, 1000000, 500, 1000, 0);
    assert_int_equal(e.reliability_ppm, 0);
    /* If no event was seen, events may still have happened. */
    e = estimate_of(&zero, 0, 500, 1000, 0);
    assert_int_equal(e.turns, 20);
    assert_true(e.unseen);
    assert_int_equal(e.error_ppm, 1000000);
    assert_int_equal(e.reliability_ppm, 0);
    e = estimate_of(&zero, 3, 500, 1000, 0); /* three events, in a turn that was cut */
    assert_false(e.unseen);
    assert_int_equal(e.reliability_ppm, 0);
    /* All events fall into one turn of twenty. */
    zero = (struct turns){0};
    for (unsigned i = 0; i < 20; i++)
        turns_add(&zero, i == 7 ? 1000000 : 0);
    steady = (struct turns){0};
    turns_beside(&steady, &zero);
    e = estimate_of(&steady, 1000000, 500, 1000, 0);
    assert_int_equal(e.error_ppm, 1000000);
}

/* If no event was seen, the number of turns decides: ten turns are not enough, thirty are. */
TEST(none_in_many_turns)
{
    assert_int_equal(turns_none_ppm(0), 0);
    assert_int_equal(turns_none_ppm(3), 0);
    assert_int_equal(turns_none_ppm(4), 250000);
    assert_int_equal(turns_none_ppm(29), 896552);
    assert_int_equal(turns_none_ppm(30), 900000);
    assert_int_equal(turns_none_ppm(3000000000000), 1000000);
}

/* The result is the mean of those counters that tell something. */
TEST(how_unsteady_a_run_was)
{
    struct turns counter[3][TURNS_COUNTERS] = {{{0}}};

    assert_int_equal(turns_unsteady(counter, 3), 0);
    /* Differences of a tenth of the mean, ten in ten turns, make a variance of half of 10^10, less 1/mean. */
    counter[0][0] = TURNS(95, 105, 95, 105, 95, 105, 95, 105, 95, 105);
    assert_int_equal(turns_unsteady(counter, 1), 0); /* 10^10 is what 100 events have by chance */
    for (unsigned i = 0; i < 10; i++)
        turns_add(&counter[1][3], i % 2 ? 1050000 : 950000);
    assert_in_range(turns_unsteady(counter + 1, 1), 4998900000, 4999100000);
    assert_in_range(turns_unsteady(counter, 2), 2499400000, 2499600000); /* the mean with a counter that is steady */
    assert_in_range(turns_unsteady(counter, 3), 2499400000,
                    2499600000); /* the last row has no counter that tells something */
    counter[1][0] = counter[1][3];
    assert_in_range(turns_unsteady(counter, 3), 3332600000, 3332800000);
    /* The events are too rare, or there is a single turn. */
    memset(counter, 0, sizeof(counter));
    counter[0][0] = TURNS(0, 59);
    counter[0][1] = TURNS(1000000);
    assert_int_equal(turns_unsteady(counter, 1), 0);
    counter[0][0] = TURNS(0, 60);
    assert_true(turns_unsteady(counter, 1) > 0);
}

RUN_TESTS(NULL, NULL)
