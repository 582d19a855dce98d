/* SPDX-License-Identifier: BSD-2-Clause */
/* Durations in words: how they are rounded up, and the largest duration in each unit. */
#include "core/base/duration.h"
#include "tests/unit/test.h"

TEST(durations)
{
    static const struct {
        uint64_t ms;
        const char *text;
    } rows[] = {
        {0, "0 s"},
        {1, "1 s"},
        {1000, "1 s"},
        {1001, "2 s"},
        {99000, "99 s"},
        {99001, "2 min"},
        {120000, "2 min"},
        {120001, "3 min"},
        {99 * 60000, "99 min"},
        {99 * 60000 + 1, "1 h 40 min"},
        {120 * 60000, "2 h 00 min"},
        {UINT64_C(185) * 60000 - 999, "3 h 05 min"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[DURATION_MAX];

        duration_write(&text, rows[i].ms);
        assert_string_equal(text, rows[i].text);
    }
}

RUN_TESTS(NULL, NULL)
