/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/hardware/hardware.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"

TEST(numbers_and_ids_are_unique)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];

        for (const char *c = row->id; *c; c++)
            assert_true(islower(*c) || isdigit(*c) || *c == '_');
        assert_true(row->number && row->by <= HARDWARE_BY_PERSON);
        for (unsigned j = 0; j < i; j++) {
            assert_int_not_equal(row->number, hardware_rows[j].number);
            assert_string_not_equal(row->id, hardware_rows[j].id);
        }
    }
}

/* Each text is one line without markup: it becomes a cell, a CSV field, or a line on the console. */
TEST(no_text_is_missing)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];
        const char *const texts[] = {row->question, row->expected, row->check, row->changes};

        for (unsigned t = 0; t < 4; t++)
            if (!texts[t] || !*texts[t] || strchr(texts[t], '\n') || strstr(texts[t], "**"))
                fail_msg("%s: text %u", row->id, t);
    }
}

/* The rows of a part follow one another, and each part has a name. */
TEST(parts_are_together)
{
    for (unsigned i = 1; i < HARDWARE_ROWS; i++)
        assert_true(hardware_rows[i].part == hardware_rows[i - 1].part ||
                    hardware_rows[i].part == hardware_rows[i - 1].part + 1);
    assert_int_equal(hardware_rows[HARDWARE_ROWS - 1].part, HARDWARE_PARTS - 1);
    assert_string_equal(hardware_part_name(HARDWARE_IBS), "IBS");
    assert_string_equal(hardware_part_name(HARDWARE_PARTS), "?");
}

TEST(verdicts_have_names)
{
    for (unsigned v = 0; v < HARDWARE_VERDICTS; v++) {
        assert_string_not_equal(hardware_verdict_name(v), "?");
        assert_null(strchr(hardware_verdict_name(v), ','));
        for (unsigned w = 0; w < v; w++)
            assert_string_not_equal(hardware_verdict_name(v), hardware_verdict_name(w));
    }
    assert_string_equal(hardware_verdict_name(HARDWARE_VERDICTS), "?");
}

static char text[1 << 17];

TEST(file_has_all_rows)
{
    static struct hardware_answer answers[HARDWARE_ROWS];
    struct out_memory out;
    const char *at = text;
    char want[400];

    answers[0] = (struct hardware_answer){.verdict = HARDWARE_OTHERWISE, .found = "1, not 2"};
    answers[1] = (struct hardware_answer){.verdict = HARDWARE_EXPECTED, .found = "plain"};
    out_memory_init(&out, text, sizeof(text));
    hardware_csv(&out.out, answers);
    assert_true(out.needed < sizeof(text));
    assert_memory_equal(at, "number,id,verdict,found,question,expected,check,changes\n", 56);
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        at = strchr(at, '\n') + 1;
        snprintf(want, sizeof(want), "%u,%s,%s,%s,", hardware_rows[i].number, hardware_rows[i].id,
                 i == 0   ? "otherwise"
                 : i == 1 ? "as expected"
                          : "not reached",
                 i == 0   ? "\"1, not 2\""
                 : i == 1 ? "plain"
                          : "");
        assert_memory_equal(at, want, strlen(want));
    }
    assert_string_equal(strchr(at, '\n'), "\n");
}

TEST(names_of_parts)
{
    for (unsigned i = 0; i < HARDWARE_PARTS; i++) {
        assert_non_null(hardware_part_name(i));
        for (unsigned other = 0; other < i; other++)
            assert_string_not_equal(hardware_part_name(i), hardware_part_name(other));
    }
    for (unsigned i = 0; i < HARDWARE_VERDICTS; i++) {
        assert_non_null(hardware_verdict_name(i));
        for (unsigned other = 0; other < i; other++)
            assert_string_not_equal(hardware_verdict_name(i), hardware_verdict_name(other));
    }
    assert_string_equal(hardware_part_name(HARDWARE_PARTS), "?");
}

RUN_TESTS(NULL, NULL)
