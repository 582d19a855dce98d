/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines as they are typed, on a terminal of one row that fails when anything leaves the field. */
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/screen/line.h"
#include "tests/unit/test.h"

enum { WIDE = 200 };

static struct terminal {
    struct out out;
    unsigned width, column;
    char row[WIDE + 1];
} terminal;

static void print(struct out *out, const char *text, size_t length)
{
    (void)out;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\b') {
            assert_int_not_equal(terminal.column, 0);
            terminal.column--;
            continue;
        }
        assert_true(text[i] >= ' ' && text[i] <= '~');
        assert_true(terminal.column < terminal.width);
        terminal.row[terminal.column++] = text[i];
    }
}

static struct line line;
static struct line_history history;

static void begin(unsigned width)
{
    terminal = (struct terminal){.out = {print}, .width = width};
    memset(terminal.row, ' ', WIDE);
    line_begin(&line, width, &history);
}

static int setup(void **state)
{
    history.count = 0;
    begin(40);
    return 0;
}

static void take(int key)
{
    assert_int_equal(line_take(&line, key, &terminal.out), LINE_GOES_ON);
}

static void type(const char *text)
{
    for (; *text; text++)
        take(*text);
}

static void enter(const char *text)
{
    begin(40);
    type(text);
    assert_int_equal(line_take(&line, KEY_ENTER, &terminal.out), LINE_ENTERED);
}

/* Checks that the screen shows the part of the line that fits into the field, with the cursor at its place. */
static void check(void)
{
    char wanted[WIDE + 1];

    assert_int_equal(strlen(line.text), line.length);
    assert_true(line.length <= LINE_MAX && line.at <= line.length && line.first <= line.at);
    assert_true(line.at - line.first <= line.width);
    snprintf(wanted, sizeof(wanted), "%-*.*s", WIDE, (int)line.width, line.text + line.first);
    assert_string_equal(terminal.row, wanted);
    assert_int_equal(terminal.column, line.at - line.first);
}

TEST_WITH(typed, setup, NULL)
{
    type("pages=3m");
    check();
    take(KEY_LEFT);
    take(KEY_BACKSPACE);
    take('2');
    assert_string_equal(line.text, "pages=2m");
    check();
    take(KEY_HOME);
    take(KEY_DELETE);
    take(KEY_LEFT);
    take(KEY_BACKSPACE);
    assert_string_equal(line.text, "ages=2m");
    check();
    take(KEY_END);
    take(KEY_RIGHT);
    take(KEY_DELETE);
    take('x');
    assert_string_equal(line.text, "ages=2mx");
    check();
    while (line.length)
        take(KEY_BACKSPACE);
    check();
    assert_int_equal(line_take(&line, KEY_TAB, &terminal.out), LINE_NOT_MINE);
    assert_int_equal(line_take(&line, KEY_ESCAPE, &terminal.out), LINE_NOT_MINE);
    assert_int_equal(line_take(&line, 0x80, &terminal.out), LINE_NOT_MINE);
    assert_int_equal(line_take(&line, KEY_PAGE_UP, &terminal.out), LINE_NOT_MINE);
    check();
}

/* The end of a line is printed, so that a log of the serial port shows what was typed. */
TEST_WITH(echo, setup, NULL)
{
    char text[80];
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    (void)line_take(&line, 'z', &memory.out);
    (void)line_take(&line, KEY_BACKSPACE, &memory.out);
    (void)line_take(&line, KEY_BACKSPACE, &memory.out);
    (void)line_take(&line, 'q', &memory.out);
    assert_string_equal(text, "z\b \bq");
}

/* The field shows a part of a long line; the line's text is complete. */
TEST_WITH(longer_than_the_field, setup, NULL)
{
    char text[LINE_MAX + 20];

    memset(text, 'a', sizeof(text));
    text[0] = 'b';
    text[LINE_MAX - 1] = 'c';
    text[sizeof(text) - 1] = '\0';
    begin(10);
    type(text);
    assert_int_equal(line.length, LINE_MAX);
    check();
    assert_string_equal(line.text + LINE_MAX - 2, "ac");
    take(KEY_HOME);
    check();
    assert_int_equal(terminal.row[0], 'b');
    for (unsigned i = 0; i < 30; i++)
        take(KEY_RIGHT);
    check();
    take(KEY_END);
    check();
    for (unsigned i = 0; i < LINE_MAX; i++) {
        take(KEY_BACKSPACE);
        check();
    }
    assert_string_equal(line.text, "");
}

TEST_WITH(lines_before, setup, NULL)
{
    enter("one");
    enter("two");
    enter("two");
    enter("   ");
    enter("");
    assert_int_equal(history.count, 2);
    begin(40);
    type("thr");
    take(KEY_UP);
    assert_string_equal(line.text, "two");
    check();
    take(KEY_UP);
    take(KEY_UP);
    assert_string_equal(line.text, "one");
    take('s');
    take(KEY_DOWN);
    assert_string_equal(line.text, "two");
    take(KEY_DOWN);
    take(KEY_DOWN);
    assert_string_equal(line.text, "thr");
    check();
    for (unsigned i = 0; i < LINE_KEPT; i++) {
        char text[8];

        snprintf(text, sizeof(text), "n%u", i);
        enter(text);
    }
    assert_int_equal(history.count, LINE_KEPT);
    assert_string_equal(history.line[0], "n0");
    line_begin(&line, 0, NULL);
    assert_int_equal(line.width, 1);
    line_begin(&line, 40, NULL);
    assert_int_equal(line_take(&line, KEY_UP, &terminal.out), LINE_GOES_ON);
    assert_string_equal(line.text, "");
}

TEST_WITH(replaced, setup, NULL)
{
    char text[LINE_MAX + 2];

    type("co x");
    take(KEY_LEFT);
    take(KEY_LEFT);
    assert_true(line_replace(&line, 2, "config=", &terminal.out));
    assert_string_equal(line.text, "config= x");
    check();
    assert_false(line_replace(&line, 8, "c", &terminal.out));
    memset(text, 'y', sizeof(text));
    text[LINE_MAX - 1] = '\0';
    assert_false(line_replace(&line, 7, text, &terminal.out));
    text[LINE_MAX - 2] = '\0';
    assert_true(line_replace(&line, 7, text, &terminal.out));
    assert_int_equal(line.length, LINE_MAX);
    check();
    /* The line is drawn below text that was printed meanwhile. */
    memset(terminal.row, ' ', WIDE);
    terminal.column = 0;
    line_show(&line, &terminal.out);
    check();
}

/* With any keys in any order, in fields of any width, the screen shows the line. */
TEST_WITH(any_keys, setup, NULL)
{
    static const int keys[] = {KEY_BACKSPACE, KEY_DELETE, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END,
                               KEY_UP,        KEY_DOWN,   'a',      'b',       ' ',      KEY_ENTER};
    struct rng rng;

    rng_seed(&rng, 3);
    for (unsigned n = 0; n < 300; n++) {
        begin(1 + rng_below(&rng, 60));
        for (unsigned i = 0; i < 200; i++) {
            int key = rng_below(&rng, 3) ? keys[rng_below(&rng, sizeof(keys) / sizeof(keys[0]))] : 'c';

            if (line_take(&line, key, &terminal.out) == LINE_ENTERED)
                break;
            check();
        }
    }
}

RUN_TESTS(NULL, NULL)
