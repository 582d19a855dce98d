/* SPDX-License-Identifier: BSD-2-Clause */
/* Intervals without a sample, compared with results by hand. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/ibs/lost_tags.h"

TEST(worked_out)
{
    static const struct {
        uint64_t cycles, in_flight, samples, period;
        struct lost_tags expected;
        bool known;
    } rows[] = {
        {1000000, 0, 60, 10000, {100, 40, 0}, true},
        {1000000, 200000, 60, 10000, {80, 20, 200000}, true},
        {1000000, 200000, 80, 10000, {80, 0, 200000}, true},
        {1000000, 200000, 81, 10000, {80, 0, 200000}, true},
        {1000000, 999999, 1, 1, {1, 0, 999999}, true},
        {500000, 100000, 30, 10000, {40, 10, 200000}, true}, /* a share of the cycles, whatever their number */
        {1000000, 1000000, 1, 1, {0, 0, 0}, false},
        {1000000, 0, 0, 10000, {0, 0, 0}, false},
        {0, 0, 1, 10000, {0, 0, 0}, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct lost_tags lost;

        memset(&lost, 0x5a, sizeof(lost));
        assert_int_equal(
            lost_tags_work_out(&lost, rows[i].cycles, rows[i].in_flight, rows[i].samples, (uint32_t)rows[i].period),
            rows[i].known);
        assert_int_equal(lost.intervals, rows[i].expected.intervals);
        assert_int_equal(lost.lost, rows[i].expected.lost);
        assert_int_equal(lost.in_flight_ppm, rows[i].expected.in_flight_ppm);
    }
}

TEST(printed)
{
    const struct lost_tags lost = {4653, 2083, 161136};
    struct out_memory out;
    char text[1024];

    out_memory_init(&out, text, sizeof(text));
    lost_tags_print(&out.out, &lost);
    assert_string_equal(text, "NOTE: a tagged op was in flight in 16.1 % of the cycles, which are not counted.\n"
                              "      Of some 4653 intervals in the rest, up to 2083 (44.8 %) gave no sample:\n"
                              "      there was no op to tag, for example when fetches or mispredicted branches\n"
                              "      delay the code. Then this code has too few samples.\n");
}

RUN_TESTS(NULL, NULL)
