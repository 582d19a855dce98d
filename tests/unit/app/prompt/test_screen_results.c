/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of results with no result, one, as many as there are rows, one more, and the most; good results and
 * others. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/screen.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/typed_keys.h"

static struct face face;
static struct console console;
static struct machine machine = {.vendor = "AuthenticAMD", .name = "Some processor"};
static struct results results;
static char text[] = "A report\n--------\nof two lines, and more that follow\n";

/* Makes up the results, one in three without a text. */
static void fill(unsigned count, unsigned left)
{
    results = (struct results){.fw = &fake_fw.firmware, .wanted = true, .count = count, .left = left};
    for (unsigned i = 0; i < count; i++) {
        struct result *row = &results.row[i];

        *row = (struct result){.text = i % 3 == 2 ? NULL : text,
                               .length = sizeof(text) - 1,
                               .size = sizeof(text),
                               .ms = i == 1   ? 99
                                     : i == 2 ? 100
                                              : 1999 * i,
                               .good = i % 4 != 1,
                               .saved = i % 5 != 3};
        snprintf(row->name, sizeof(row->name), "%04u-%s", i % 1000,
                 i == 4 ? "a-name-that-is-longer-than-its-column-of-the-screen" : "work");
    }
}

static void show(unsigned rows, unsigned columns, const char *keys)
{
    fake_fw.firmware.rows = rows;
    fake_fw.firmware.columns = columns;
    fake_fw.terminal.tells_paint = true;
    console_init(&console, &fake_fw.firmware);
    assert_true(face_open(&face, &console, &machine));
    fake_fw.keys = keys;
    screen_results(&face, &results);
    assert_string_equal(fake_fw.keys, "");
    face_close(&face);
    assert_int_equal(fake_fw.terminal.scrolled, 0);
}

APP_TEST(few)
{
    fill(0, 0);
    show(20, 61, PHOTO UP DOWN "1\n" PHOTO "q");
    fill(1, 0);
    show(20, 61, PHOTO UP PHOTO DOWN PHOTO "\n" PHOTO "qx" PHOTO "\x1b" PAUSE);
    fill(6, 0);
    show(20, 61, PHOTO UP PHOTO HOME PHOTO "3\n" PHOTO "\x1b" PAUSE PHOTO "q");
    fill(6, 1);
    show(25, 100, PHOTO "q");
    check_pictures("screen/results-few.txt");
}

/* A third mark replaces the first; if the first of two marks is removed, the other becomes A. */
APP_TEST(marks)
{
    fill(6, 0);
    show(20, 61, "m" UP "m" HOME "m" PHOTO "m" PHOTO "m5m" PHOTO "cmc" PHOTO "qq");
    check_pictures("screen/results-marks.txt");
}

/* There are results in 17 of 20 rows. */
APP_TEST(many)
{
    fill(17, 0);
    show(20, 61, PHOTO HOME PHOTO "q");
    fill(18, 7);
    show(20, 61, PHOTO HOME PHOTO "18" PHOTO "q");
    fill(RESULTS_MAX, 1);
    show(20, 61, PHOTO PAGE_UP PHOTO PAGE_UP PHOTO DOWN PHOTO PAGE_DOWN PHOTO END "\n" PHOTO "q" PHOTO "q");
    check_pictures("screen/results-many.txt");
}

RUN_TESTS(fixture_load, NULL)
