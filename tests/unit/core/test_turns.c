/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of groups: their order and their sums. */
#include "core/turns.h"

#include <string.h>

#include "core/stats.h"
#include "tests/unit/core/check.h"

/* ---------------------------------------------------------------- the order */

static void each_round_has_each_group_once(void **state)
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
        /* Each group is in each place as often: within four standard deviations. */
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

static void turns_are_summed(void **state)
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
    /* Differences that fill the counters: 2 * (2^48 - 1)^2. */
    turns = TURNS(0, (1ull << 48) - 1, 0);
    assert_true(turns.squares == 2 * (unsigned __int128)((1ull << 48) - 1) * ((1ull << 48) - 1));
}

/* The square of the sum of what the cores have: (6 + 4)^2. */
static void cores_are_summed(void **state)
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
    /* As wide as they come. */
    sum = other = TURNS(0, 1ull << 62);
    turns_of_core(&sum, &other);
    assert_true(sum.squares == (unsigned __int128)1 << 126);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_round_has_each_group_once),
        cmocka_unit_test(turns_are_summed),
        cmocka_unit_test(cores_are_summed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
