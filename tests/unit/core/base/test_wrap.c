/* SPDX-License-Identifier: BSD-2-Clause */
/* Running text, broken into lines. */
#include "tests/unit/core/check.h"

#include "core/base/wrap.h"

TEST(lines_break_at_blanks)
{
    static const struct {
        const char *text;
        int used, indent, width;
        const char *want;
    } rows[] = {
        {"one two three", 0, 0, 79, "one two three\n"},
        {"one two three", 0, 0, 13, "one two three\n"},
        {"one two three", 0, 0, 12, "one two\nthree\n"},
        {"one two three", 6, 4, 12, "one\n    two\n    three\n"},
        {"one two", 6, 0, 13, "one two\n"},
        {"overlong a b", 0, 2, 5, "overlong\n  a b\n"},
        {"  one   two ", 0, 0, 79, "one two\n"},
        {"one\ntwo three", 0, 2, 79, "one\n  two three\n"},
        {"one\n two\n", 0, 0, 79, "one\ntwo\n\n"},
        {"", 0, 4, 79, "\n"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[200];
        struct out_memory memory;

        out_memory_init(&memory, text, sizeof(text));
        wrap_text(&memory.out, rows[i].text, rows[i].used, rows[i].indent, rows[i].width);
        assert_string_equal(text, rows[i].want);
    }
}

RUN_TESTS(NULL, NULL)
