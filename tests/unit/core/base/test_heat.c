/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of heat, their bars, and the heat of a text's lines. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/heat.h"

TEST(steps_and_bars)
{
    static const struct {
        uint64_t value, total;
        unsigned steps;
        const char *bar;
    } rows[] = {
        {0, 0, 0, "    "},
        {0, 100, 0, "    "},
        {7, 0, 0, "    "},
        {1, UINT64_MAX, 1, "=   "},
        {1, 16, 1, "=   "},
        {17, 256, 2, "#   "},
        {3, 16, 3, "#=  "},
        {7, 16, 7, "###="},
        {113, 256, 8, "####"},
        {50, 100, 8, "####"},
        {49, 99, 8, "####"},
        {1, 3, 6, "### "},
        {1, 1, 8, "####"},
        {200, 100, 8, "####"},
        {UINT64_MAX / 16, UINT64_MAX, 1, "=   "},
        {UINT64_MAX / 4 + 9, UINT64_MAX, 5, "##= "},
        {UINT64_MAX, UINT64_MAX, 8, "####"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char bar[HEAT_WIDTH + 1];

        assert_int_equal(heat_steps(rows[i].value, rows[i].total), rows[i].steps);
        memset(bar, 'x', sizeof(bar));
        heat_bar(&bar, rows[i].steps);
        assert_string_equal(bar, rows[i].bar);
    }
}

static void write_table(struct out *out)
{
    out_printf(out, "A title\nof two lines\n");
    heat_row(out, 1, 2);
    out_printf(out, " a hot %s", "row");
    out_printf(out, "\n");
    heat_row(out, 1, 100);
    out_printf(out, " another\nand what is below");
}

/* A text is the same with heat and without; lines for which the list has no room have no heat. */
TEST(heat_of_lines)
{
    uint8_t heat[5] = {0}, less[4] = {0};
    struct out_memory plain;
    struct heat_text to;
    char text[200], other[200];

    out_memory_init(&plain, other, sizeof(other));
    write_table(&plain.out);
    heat_text_init(&to, NULL, 0, NULL, 0);
    write_table(&to.memory.out);
    assert_int_equal(to.memory.needed, plain.needed);
    assert_int_equal(to.line, 4);
    heat_text_init(&to, text, sizeof(text), heat, 5);
    write_table(&to.memory.out);
    assert_string_equal(text, other);
    assert_memory_equal(heat, ((uint8_t[]){0, 0, 8, 1, 0}), 5);
    heat_text_init(&to, text, sizeof(text), less, 3);
    write_table(&to.memory.out);
    assert_memory_equal(less, ((uint8_t[]){0, 0, 8, 0}), 4);
}

RUN_TESTS(NULL, NULL)
