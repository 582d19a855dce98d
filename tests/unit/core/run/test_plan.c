/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: sections, lists of values, the order of rounds, and the line that each mistake gets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/run/plan.h"

static struct plan plan;
static char lines[4096], written[4096];
static struct out_memory problems, to;

static unsigned of(const char *text, size_t size)
{
    out_memory_init(&problems, lines, sizeof(lines));
    return plan_read(&plan, "p.ini", text, size, &problems.out);
}

static unsigned read(const char *text)
{
    return of(text, strlen(text));
}

static const char *point(unsigned n)
{
    out_memory_init(&to, written, sizeof(written));
    plan_write_point(&plan, n, &to.out);
    return written;
}

static const char *name(unsigned n)
{
    out_memory_init(&to, written, sizeof(written));
    plan_write_name(&plan, n, &to.out);
    return written;
}

TEST(a_settings_file_is_one_run)
{
    assert_int_equal(read("\xEF\xBB\xBF# about\r\nconfig = ibs\r\n\nworkload=\"a | b\" ; what\n"), 0);
    assert_int_equal(plan.points, 1);
    assert_string_equal(point(0), "\nconfig = \"ibs\"\n\nworkload = \"a | b\"\n");
    assert_string_equal(name(0), "");
    assert_int_equal(read(""), 0);
    assert_int_equal(plan.points, 1);
    assert_string_equal(point(0), "\n");
    assert_string_equal(lines, "");
}

TEST(lists_are_combined)
{
    static const char *const names[] = {" pages=4k kb=4", " pages=4k kb=8", " pages=4k kb=16",
                                        " pages=2m kb=4", " pages=2m kb=8", " pages=2m kb=16"};

    assert_int_equal(read("pages = 4k|2m\nseed=3\nkb = 4..16 x2 # KB"), 0);
    assert_int_equal(plan.points, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_string_equal(name(i), names[i]);
    assert_string_equal(point(4), "pages = \"2m\"\nseed = \"3\"\nkb = \"8\"\n");
}

TEST(ranges_end_where_they_say)
{
    static const struct {
        const char *value;
        unsigned count;
        const char *last;
    } cases[] = {
        {"4..16384 x2", 13, "16384"},
        {"4..16383 X 2", 12, "8192"},
        {"1..3", 3, "3"},
        {"10..50 +10", 5, "50"},
        {"10..59+10", 0, ""},
        {"10..59 +10", 5, "50"},
        {"0x10..0x12", 3, "18"},
        {"7..7", 1, "7"},
        {"1 | 3..5 | 100..1000 x10 | none", 7, "none"},
        {"18446744073709551614..18446744073709551615", 2, "18446744073709551615"},
        {"1..18446744073709551615 x4294967296", 2, "4294967296"},
        {"a..b", 1, "a..b"},
        {"a |#b", 2, "#b"},
        {"", 1, ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[100] = "x = ", want[100] = "x = \"";

        strcat(text, cases[i].value);
        if (!cases[i].count) {
            assert_int_equal(read(text), 1);
            continue;
        }
        assert_int_equal(read(text), 0);
        assert_int_equal(plan.points, cases[i].count);
        strcat(strcat(want, cases[i].last), "\"\n");
        assert_string_equal(point(plan.points - 1), want);
    }
}

TEST(each_value_of_a_list_has_its_turn)
{
    static const char *const want[] = {"1", "3", "4", "5", "100", "1000", "none", "10", "30", "x"};

    assert_int_equal(read("x = 1 | 3..5 | 100..1000 x10|none |10..49 +20 | x"), 0);
    assert_int_equal(plan.points, 10);
    for (unsigned i = 0; i < 10; i++) {
        char line[20];

        snprintf(line, sizeof(line), "x = \"%s\"\n", want[i]);
        assert_string_equal(point(i), line);
    }
}

TEST(sections_come_before_what_is_for_all)
{
    assert_int_equal(read("kb = 1 | 2\nn = 5\n[small]\n[ large one ] # of both\nKB = 64\npages = 2m | 1g\n"), 0);
    assert_int_equal(plan.points, 4);
    assert_string_equal(name(1), " [small] kb=2");
    assert_string_equal(name(2), " [large one] pages=2m");
    assert_string_equal(name(3), " [large one] pages=1g");
    assert_string_equal(point(1), "kb = \"2\"\nn = \"5\"\n");
    assert_string_equal(point(3), "\nn = \"5\"\n\n\nKB = \"64\"\npages = \"1g\"\n");
    assert_int_equal(plan_section_of(&plan, 3)->length, 9);
    assert_int_equal(plan_section_of(&plan, 1)->length, 5);
}

TEST(each_mistake_has_its_line_and_column)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"kb = 1..4 x1",
         "p.ini:1: column 6: '1..4 x1' is neither a value nor a range; ranges are 1..3, 10..50 +10 and 4..16384 x2\n"},
        {"\n  kb = 4 | 1..4 *2", "p.ini:2: column 12: '1..4 *2' is neither"},
        {"kb = 5..4", "p.ini:1: column 6: '5..4' is neither"},
        {"kb = 0..4 x2", "p.ini:1: column 6: '0..4 x2' is neither"},
        {"kb = 1..", "p.ini:1: column 6: '1..' is neither"},
        {"kb = 1..4 +0", "p.ini:1: column 6: '1..4 +0' is neither"},
        {"kb = 1 || 2", "p.ini:1: column 9: '' is neither"},
        {"kb = 1 | \"2\"", "p.ini:1: column 10: '\"2\"' is neither"},
        {"kb = 1 |", "p.ini:1: column 9: '' is neither"},
        {"kb = 1..1001", "p.ini:1: column 6: more than 1000 values\n"},
        {"a=1..500\nb=1..3", "p.ini: its lists make more than 1000 different runs\n"},
        {"[a]\nx=1..500\n[b]\nx=1..501", "p.ini: its lists make more than 1000 different runs\n"},
        {"a = 1\n A=2", "p.ini:2: column 2: line 1 already has this setting\n"},
        {"[a]\n[a]", "p.ini:2: column 2: there is already a section [a]\n"},
        {"[]", "p.ini:1: column 2: a section's name has"},
        {"[a\"b]", "p.ini:1: column 2: a section's name has"},
        {"[12345678901234567890123456789012]", "p.ini:1: column 2: a section's name has"},
        {" [a", "p.ini:1: column 2: a section begins"},
        {"[a]b", "p.ini:1: column 1: a section begins"},
        {"run", "p.ini:1: column 1: no '='"},
        {"a = \"b", "p.ini:1: column 1: the quotes"},
        {"[a]\nplan_times = 3", "p.ini:2: column 1: settings of the plan itself"},
        {"plan-times = 3 | 4", "p.ini:1: column 1: settings of the plan itself"},
        {"a = \x01", "p.ini:1: column 5: only printable"},
        {"\xFF\xFE"
         "a",
         "p.ini: UTF-16; save it as UTF-8\n"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(read(cases[i].text), 1);
        assert_memory_equal(lines, cases[i].want, strlen(cases[i].want));
    }
    assert_int_equal(of("a=b\0c", 5), 1);
    assert_string_equal(lines, "p.ini:1: column 4: only printable ASCII characters may stand here\n");
}

/* Each mistake is reported with its line; the plan is read as if that line were missing. */
TEST(all_mistakes_are_told)
{
    assert_int_equal(read("[]\n[]\n[a]\n[a]\n[a]\nx = \x01\nx = 1\nx = 1 |\nx = 2\nplan_a = 1\nb\nc = 1001..1\n[\n"),
                     11);
    assert_string_equal(
        lines,
        "p.ini:1: column 2: a section's name has 1 to 31 printable characters, and no quotes\n"
        "p.ini:2: column 2: a section's name has 1 to 31 printable characters, and no quotes\n"
        "p.ini:4: column 2: there is already a section [a]\n"
        "p.ini:5: column 2: there is already a section [a]\n"
        "p.ini:6: column 5: only printable ASCII characters may stand here\n"
        "p.ini:8: column 8: '' is neither a value nor a range; ranges are 1..3, 10..50 +10 and 4..16384 x2\n"
        "p.ini:9: column 1: line 7 already has this setting\n"
        "p.ini:10: column 1: settings of the plan itself stand before the first section, and are not lists\n"
        "p.ini:11: column 1: no '='; a line is 'key = value', or a section's [name]\n"
        "p.ini:12: column 5: '1001..1' is neither a value nor a range; ranges are 1..3, 10..50 +10 and 4..16384 x2\n"
        "p.ini:13: column 1: a section begins with its name in brackets, [name], and nothing else\n");
}

TEST(nothing_is_too_much)
{
    char *text = calloc(1, SETTINGS_TEXT_MAX + 1), want[100];

    memset(text, ' ', SETTINGS_TEXT_MAX + 1);
    assert_int_equal(of(text, SETTINGS_TEXT_MAX), 0);
    memcpy(text, "[\n[\n", 4); /* not read: the text is too long */
    assert_int_equal(of(text, SETTINGS_TEXT_MAX + 1), 1);
    snprintf(want, sizeof(want), "p.ini: %d bytes are too many; allowed are %d\n", SETTINGS_TEXT_MAX + 1,
             SETTINGS_TEXT_MAX);
    assert_string_equal(lines, want);
    memset(text, ' ', 4);
    memcpy(text, "a=", 2);
    text[SETTINGS_LINE_MAX] = 'x';
    assert_int_equal(of(text, SETTINGS_LINE_MAX), 0);
    assert_int_equal(of(text, SETTINGS_LINE_MAX + 1), 1);
    assert_string_equal(lines, "p.ini:1: column 256: the line is too long; allowed are 255 characters\n");
    text[0] = '#';
    assert_int_equal(of(text, SETTINGS_LINE_MAX + 1), 0);
    for (unsigned i = 0; i <= PLAN_SECTIONS_MAX; i++)
        memcpy(text + 4 * i, (char[]){'[', (char)('0' + i), ']', '\n'}, 4);
    assert_int_equal(of(text, 4 * PLAN_SECTIONS_MAX), 0);
    assert_int_equal(plan.points, PLAN_SECTIONS_MAX);
    assert_int_equal(of(text, 4 * (PLAN_SECTIONS_MAX + 1)), 1);
    assert_string_equal(lines, "p.ini:33: column 1: more than 32 sections\n");
    for (unsigned i = 0; i <= PLAN_LINES_MAX; i++)
        memcpy(text + 6 * i,
               (char[]){(char)('a' + i / 400), (char)('a' + i / 20 % 20), (char)('a' + i % 20), '=', '1', '\n'}, 6);
    assert_int_equal(of(text, 6 * PLAN_LINES_MAX), 0);
    assert_int_equal(of(text, 6 * (PLAN_LINES_MAX + 1)), 1);
    assert_string_equal(lines, "p.ini:401: column 1: more than 400 settings\n");
    free(text);
}

TEST(rounds_have_all_points_once)
{
    static uint16_t order[PLAN_POINTS_MAX];
    static const char *const want[] = {[PLAN_LISTED] = "abcabcabcabc", [PLAN_ABBA] = "abccbaabccba"};
    struct plan_design design = {.points = 3, .times = 4, .seed = 7};
    bool moved = false;

    for (design.order = PLAN_LISTED; design.order <= PLAN_RANDOM; design.order++) {
        unsigned seeds = 0;

        for (unsigned round = 0; round < 4; round++) {
            unsigned seen = 0;

            for (unsigned i = 0; i < 3; i++) {
                unsigned n = round * 3 + i;
                struct plan_run run = plan_nth(&design, n, order);

                seen |= 1u << run.point;
                seeds |= 1u << run.seed;
                assert_int_equal(run.round, round);
                assert_int_equal(run.block, design.order == PLAN_ABBA ? round / 2 : round);
                if (design.order != PLAN_RANDOM)
                    assert_int_equal(want[design.order][n], 'a' + run.point);
                else
                    moved |= run.point != i;
            }
            assert_int_equal(seen, 7);
        }
        assert_int_equal(seeds, 0xFFF);
    }
    assert_true(moved);
}

/* Repeats the order in each boot, with another order in each round: a plan that is continued depends on that. */
TEST(chance_is_repeated)
{
    static const struct {
        uint64_t seed;
        const char *want;
    } rows[] = {{1, "cbdeaffacedbbdafce"}, {2, "efcdbaeacfbdeabdfc"}};
    static uint16_t order[PLAN_POINTS_MAX];

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct plan_design design = {.points = 6, .times = 3, .order = PLAN_RANDOM, .seed = rows[i].seed};
        char got[19] = "";

        for (unsigned n = 0; n < 18; n++)
            got[n] = (char)('a' + plan_nth(&design, n, order).point);
        assert_string_equal(got, rows[i].want);
    }
}

RUN_TESTS(NULL, NULL)
