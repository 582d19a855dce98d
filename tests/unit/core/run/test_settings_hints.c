/* SPDX-License-Identifier: BSD-2-Clause */
/* Hints for mistyped settings: what is allowed, steps of numbers, the nearest word, units. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/run/settings.h"

static uint64_t value;
static bool flag;
static uint32_t choice;

static const struct settings_row period = {.key = "period",
                                           .type = SETTINGS_UINT,
                                           .value = &value,
                                           .initial = "0",
                                           .min = 144,
                                           .max = 1600,
                                           .step = 16,
                                           .or_zero = true};
static const struct settings_row latency = {
    .key = "latency", .type = SETTINGS_UINT, .value = &value, .initial = "8", .min = 8, .max = 64, .step = 8};
static const struct settings_row number = {
    .key = "number", .type = SETTINGS_UINT, .value = &value, .initial = "7", .min = 5, .max = 9, .or_zero = true};
static const struct settings_row any = {
    .key = "any", .type = SETTINGS_UINT, .value = &value, .initial = "0", .max = 9, .or_zero = true};
static const struct settings_row endless = {
    .key = "endless", .type = SETTINGS_UINT, .value = &value, .initial = "0", .max = UINT64_MAX, .choices = "none"};
static const struct settings_row menu = {.key = "menu", .type = SETTINGS_BOOL, .value = &flag, .initial = "no"};
static const struct settings_row pages = {
    .key = "pages", .type = SETTINGS_CHOICE, .value = &choice, .initial = "4k", .choices = "4k|2m|1g"};

/* Values may be multiples within the range, and zero where zero has a meaning. */
TEST(steps)
{
    static const struct {
        const struct settings_row *row;
        const char *text;
        bool good;
    } cases[] = {
        {&period, "0", true},     {&period, "144", true},   {&period, "128", false}, {&period, "143", false},
        {&period, "145", false},  {&period, "160", true},   {&period, "1600", true}, {&period, "1616", false},
        {&period, "1599", false}, {&period, "0x90", true},  {&latency, "0", false},  {&latency, "8", true},
        {&latency, "12", false},  {&latency, "64", true},   {&latency, "72", false}, {&number, "0", true},
        {&number, "4", false},    {&number, "5", true},     {&number, "9", true},    {&number, "10", false},
        {&endless, "none", true}, {&endless, "non", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        value = 77;
        if (settings_set(cases[i].row, cases[i].text, strlen(cases[i].text)) != cases[i].good)
            fail_msg("%s = %s", cases[i].row->key, cases[i].text);
        if ((value != 77) != cases[i].good)
            fail_msg("%s = %s: value %lu", cases[i].row->key, cases[i].text, (unsigned long)value);
    }
}

TEST(what_is_allowed)
{
    static const struct {
        const struct settings_row *row;
        const char *says;
    } cases[] = {
        {&period, "a multiple of 16 from 144 to 1600, or 0"},
        {&latency, "a multiple of 8 from 8 to 64"},
        {&number, "a number from 5 to 9, or 0"},
        {&any, "a number from 0 to 9"},
        {&endless, "a number from 0, or none"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct out_memory memory;
        char says[80];

        out_memory_init(&memory, says, sizeof(says));
        settings_write_allowed(cases[i].row, &memory.out);
        assert_string_equal(says, cases[i].says);
    }
    value = 0;
    assert_int_equal(settings_defaults(&(struct settings){&latency, 1, NULL}), 0);
}

/* The hint stands after what is allowed. */
TEST(hints)
{
    static const struct {
        const struct settings_row *row;
        const char *text, *says;
    } cases[] = {
        {&pages, "3m", "; did you mean '2m'?"},
        {&pages, "huge", ""},
        {&menu, "nein", ""},
        {&menu, "ye", "; did you mean 'yes'?"},
        {&menu, "fals", "; did you mean 'false'?"},
        {&endless, "non", "; did you mean 'none'?"},
        {&endless, "12", ""},
        {&latency, "64k", "; no unit is written"},
        {&latency, "1ms", "; no unit is written"},
        {&latency, "9Z", "; no unit is written"},
        {&latency, "9a", "; no unit is written"},
        {&latency, "0xzz", ""},
        {&latency, "64", ""},
        {&latency, "k64", ""},
        {&latency, "6-", ""},
        {&latency, "6{", ""},
        {&latency, "/k", ""},
        {&latency, ":k", ""},
        {&latency, "k", ""},
        {&latency, "", ""},
        {&pages, "64k", "; did you mean '4k'?"}, /* the value is no number */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct out_memory memory;
        char says[80];

        out_memory_init(&memory, says, sizeof(says));
        settings_write_hint(cases[i].row, cases[i].text, strlen(cases[i].text), &memory.out);
        if (strcmp(says, cases[i].says) != 0)
            fail_msg("%s = %s: %s", cases[i].row->key, cases[i].text, says);
    }
}

/* The parser remembers in which line the last text has set each row. */
TEST(lines_of_rows)
{
    static const struct settings_row rows[] = {
        {.key = "a", .type = SETTINGS_BOOL, .value = &flag, .initial = "no"},
        {.key = "b", .type = SETTINGS_UINT, .value = &value, .initial = "0", .max = 9},
    };
    unsigned line[3] = {7, 7, 7};
    const struct settings settings = {rows, 2, line};
    struct out_memory memory;
    char said[200];

    out_memory_init(&memory, said, sizeof(said));
    assert_int_equal(settings_parse_text(&settings, "t", "# 1\n\nb=1\na=x\n", 13, &memory.out), 1);
    assert_int_equal(line[0], 0);
    assert_int_equal(line[1], 3);
    assert_int_equal(line[2], 7);
    assert_int_equal(settings_parse_words(&settings, "t", "b=1 b=2 a=on", 12, &memory.out), 0);
    assert_int_equal(line[0], 3);
    assert_int_equal(line[1], 2);
    assert_int_equal(settings_parse_text(&settings, "t", "\x01", 1, &memory.out), 1);
    assert_int_equal(line[0], 0);
    assert_int_equal(line[1], 0);
}

RUN_TESTS(NULL, NULL)
