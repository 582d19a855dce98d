/* SPDX-License-Identifier: BSD-2-Clause */
/* Dates for seconds since 1970, compared with the C library's. */
#define _DEFAULT_SOURCE
#include <time.h>

#include "core/base/civil.h"
#include "tests/unit/test.h"

TEST(each_day)
{
    for (int year = 1970; year <= 2199; year++)
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= 28; day += 27) {
                struct tm tm = {.tm_year = year - 1900,
                                .tm_mon = month - 1,
                                .tm_mday = day,
                                .tm_hour = 23,
                                .tm_min = 58,
                                .tm_sec = 7};
                const struct civil time = {(uint16_t)year, (uint8_t)month, (uint8_t)day, 23, 58, 7};

                assert_int_equal(civil_seconds(&time), timegm(&tm));
            }
    assert_int_equal(civil_seconds(&(struct civil){1970, 1, 1, 0, 0, 0}), 0);
    assert_int_equal(civil_seconds(&(struct civil){2024, 2, 29, 23, 59, 59}), 1709251199);
}

TEST(no_date)
{
    static const struct civil wrong[] = {
        {1969, 12, 31, 23, 59, 59}, {2026, 0, 1, 0, 0, 0},  {2026, 13, 1, 0, 0, 0}, {2026, 1, 0, 0, 0, 0},
        {2026, 1, 32, 0, 0, 0},     {2026, 1, 1, 24, 0, 0}, {2026, 1, 1, 0, 60, 0}, {2026, 1, 1, 0, 0, 60},
    };

    for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_int_equal(civil_seconds(&wrong[i]), 0);
    assert_int_equal(civil_seconds(&(struct civil){2026, 12, 31, 23, 59, 59}), 1798761599);
}

RUN_TESTS(NULL, NULL)
