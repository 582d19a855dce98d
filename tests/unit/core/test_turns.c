/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns of groups: their order. */
#include "core/turns.h"

#include <string.h>

#include "core/stats.h"
#include "tests/unit/core/check.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_round_has_each_group_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
