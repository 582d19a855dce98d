/* SPDX-License-Identifier: BSD-2-Clause */
/* A screen's output: only changes are printed, each paint at its place, and nothing beyond its rows and columns. */
#include <stdio.h>
#include <string.h>

#include "core/base/heat.h"
#include "core/screen/keys.h"
#include "core/screen/pages.h"
#include "core/screen/screen.h"
#include "tests/unit/test.h"

static struct screen screen;
static char printed[1 << 16];
static unsigned at_row, at_column;
static char at_paint;

static void place(void *context, unsigned row, unsigned column)
{
    at_row = row;
    at_column = column;
    (void)context;
}

static void paint(void *context, enum paint how)
{
    (void)context;
    at_paint = "ptcfgbwWH"[how];
}

/* Notes what is printed as "row,column,paint:text|". */
static void print(void *context, const char *text, size_t length)
{
    (void)context;
    assert_true(at_row < screen.rows && at_column + length <= screen.columns);
    snprintf(printed + strlen(printed), sizeof(printed) - strlen(printed), "%u,%u,%c:%.*s|", at_row, at_column,
             at_paint, (int)length, text);
    at_column += (unsigned)length;
}

static const char *show(void)
{
    static const struct screen_device device = {NULL, place, paint, print};

    printed[0] = '\0';
    screen_show(&screen, &device);
    assert_int_equal(at_paint, 'p');
    return printed;
}

static int setup(void **state)
{
    assert_true(screen_begin(&screen, 25, 80));
    (void)show();
    return 0;
}

TEST(sizes)
{
    assert_false(screen_begin(&screen, SCREEN_ROWS_LEAST - 1, 80));
    assert_false(screen_begin(&screen, 25, SCREEN_COLUMNS_LEAST));
    assert_true(screen_begin(&screen, SCREEN_ROWS_LEAST, SCREEN_COLUMNS_LEAST + 1));
    assert_int_equal(screen.columns, SCREEN_COLUMNS_LEAST);
    assert_true(screen_begin(&screen, 1000, 1000));
    assert_int_equal(screen.rows, SCREEN_ROWS);
    assert_int_equal(screen.columns, SCREEN_COLUMNS);
    assert_int_equal(strlen(show()), SCREEN_ROWS * SCREEN_COLUMNS + strlen("00,0,p:|") * SCREEN_ROWS - 10);
}

TEST_WITH(what_has_changed, setup, NULL)
{
    assert_string_equal(show(), "");
    assert_int_equal(screen_text(&screen, 3, 5, PAINT_PLAIN, "%s %u", "seed", 12), 12);
    assert_string_equal(show(), "3,5,p:seed 12|");
}

TEST_WITH(runs_of_paint, setup, NULL)
{
    (void)screen_text(&screen, 0, 0, PAINT_TITLE, "ab");
    (void)screen_text(&screen, 0, 2, PAINT_WARNING, "MODEL");
    assert_string_equal(show(), "0,0,t:ab|0,2,w:MODEL|");
    screen_paint(&screen, 0, 1, 2, PAINT_CHOSEN);
    assert_string_equal(show(), "0,1,c:bM|");
    screen_forget_row(&screen, 0);
    screen_forget_row(&screen, 99);
    assert_memory_equal(show(), "0,0,t:a|0,1,c:bM|0,3,w:ODEL|0,7,p: ", 34);
    screen_clear(&screen);
    assert_string_equal(show(), "0,0,p:       |");
}

/* Text beyond the screen is left out, and control characters are no commands for the console. */
TEST_WITH(the_ends, setup, NULL)
{
    (void)screen_text(&screen, 24, 76, PAINT_PLAIN, "abcdef");
    (void)screen_text(&screen, 25, 0, PAINT_PLAIN, "below");
    (void)screen_text(&screen, 0, 200, PAINT_PLAIN, "beside");
    screen_paint(&screen, 99, 0, 9, PAINT_BAD);
    screen_paint(&screen, 24, 78, 9, PAINT_BAD);
    (void)screen_text(&screen, 1, 0, PAINT_PLAIN, "\x1b[2J\t\x80");
    assert_string_equal(show(), "1,0,p:?[2J??|24,76,p:ab|24,78,b:c|");
}

TEST_WITH(blocks, setup, NULL)
{
    struct screen_block block;

    screen_block_begin(&block, &screen, 2, 4, PAINT_FAINT);
    out_printf(&block.out, "one\ntwo\nthree\n");
    assert_string_equal(show(), "2,0,f:one|3,0,f:two|");
}

/* ---------------------------------------------------------------- pages */

static struct pages pages;
static char text[4000];

static int setup_pages(void **state)
{
    (void)setup(state);
    text[0] = '\0';
    for (unsigned i = 0; i < 60; i++)
        sprintf(text + strlen(text), "line %u%s\n", i, i == 30 ? " with a Needle" : i == 57 ? " needle needle" : "");
    pages_begin(&pages, text, strlen(text), 10);
    return 0;
}

static void press(int key, unsigned top)
{
    assert_true(pages_take(&pages, key));
    assert_int_equal(pages.top, top);
}

TEST_WITH(moved, setup_pages, NULL)
{
    assert_int_equal(pages.lines, 60);
    press(KEY_UP, 0);
    press(KEY_DOWN, 1);
    press(KEY_ENTER, 2);
    press(' ', 11);
    press(KEY_PAGE_DOWN, 20);
    press(KEY_PAGE_UP, 11);
    press(KEY_END, 50);
    press(KEY_DOWN, 50);
    press(KEY_PAGE_DOWN, 50);
    press('g', 0);
    press('G', 50);
    press('b', 41);
    press(KEY_HOME, 0);
    press(KEY_PAGE_UP, 0);
    assert_false(pages_take(&pages, 'x'));
    assert_false(pages_take(&pages, KEY_NONE));
    pages_begin(&pages, "a\nb", 3, 10);
    assert_int_equal(pages.lines, 2);
    press(KEY_END, 0);
    pages_begin(&pages, "", 0, 10);
    press(KEY_DOWN, 0);
    pages_draw(&pages, &screen, 1);
    assert_string_equal(show(), "");
}

TEST_WITH(searched, setup_pages, NULL)
{
    assert_false(pages_find(&pages, 1));
    strcpy(pages.word, "needle");
    assert_true(pages_find(&pages, 1));
    assert_int_equal(pages.top, 30);
    assert_true(pages_find(&pages, 1));
    assert_int_equal(pages.top, 57);
    assert_false(pages_find(&pages, 1));
    assert_int_equal(pages.top, 57);
    pages_draw(&pages, &screen, 1);
    assert_string_equal(show(), "1,0,p:line 57 |1,8,c:needle|1,14,p: |1,15,c:needle|2,0,p:line 58|3,0,p:line 59|");
    press(KEY_DOWN, 57);
    press(KEY_UP, 56);
    assert_true(pages_find(&pages, -1));
    assert_int_equal(pages.top, 30);
    assert_false(pages_find(&pages, -1));
    strcpy(pages.word, "line 59");
    assert_true(pages_find(&pages, 1));
    assert_int_equal(pages.top, 59);
}

/* Each word that makes the line of a report a verdict, alone, with more text, and without its last character. */
TEST_WITH(verdicts, setup_pages, NULL)
{
    static const struct {
        const char *begin;
        char paint;
    } rows[] = {{"PASS", 'g'},  {"FAIL", 'b'},     {"STOPPED:", 'b'}, {"WARNING:", 'w'},
                {"MODEL", 'w'}, {"VIRTUAL:", 'w'}, {"LOST:", 'w'},    {"The run failed", 'b'}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *begin = rows[i].begin;
        int less = (int)strlen(begin) - 1;
        char wanted[200];

        snprintf(text, sizeof(text), "%s\n%s more\n%.*s\n %s\n%.*s", begin, begin, less, begin, begin, less, begin);
        pages_begin(&pages, text, strlen(text), 10);
        screen_clear(&screen);
        (void)show();
        pages_draw(&pages, &screen, 0);
        snprintf(wanted, sizeof(wanted), "0,0,%c:%s|1,0,%c:%s more|2,0,p:%.*s|3,1,p:%s|4,0,p:%.*s|", rows[i].paint,
                 begin, rows[i].paint, begin, less, begin, begin, less, begin);
        assert_string_equal(show(), wanted);
    }
}

/* Pages have few rows, and texts do not end their last line. */
TEST_WITH(small_pages, setup_pages, NULL)
{
    static const struct {
        const char *text;
        unsigned rows, lines, end;
        const char *drawn; /* what is drawn at the end of the text */
    } rows[] = {
        {"", 1, 0, 0, ""},
        {"\n", 1, 1, 0, ""},
        {"a", 1, 1, 0, "1,0,p:a|"},
        {"a\n", 1, 1, 0, "1,0,p:a|"},
        {"a\nb", 1, 2, 1, "1,0,p:b|"},
        {"a\n\nb\n", 2, 3, 1, "2,0,p:b|"},
        {"a\nb\nc\n", 3, 3, 0, "1,0,p:a|2,0,p:b|3,0,p:c|"},
        {"a\nb\nc\nd", 3, 4, 1, "1,0,p:b|2,0,p:c|3,0,p:d|"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        screen_clear(&screen);
        (void)show();
        pages_begin(&pages, rows[i].text, strlen(rows[i].text), rows[i].rows);
        assert_int_equal(pages.lines, rows[i].lines);
        press(KEY_END, rows[i].end);
        press(KEY_DOWN, rows[i].end);
        pages_draw(&pages, &screen, 1);
        assert_string_equal(show(), rows[i].drawn);
        press(KEY_UP, rows[i].end - (rows[i].end != 0));
        press(KEY_HOME, 0);
    }
}

/* Pages move to the right as long as a part of the longest line is left. */
TEST_WITH(to_the_right, setup_pages, NULL)
{
    static const unsigned lengths[][2] = {{0, 0}, {1, 0}, {8, 0}, {9, 8}, {16, 8}, {17, 16}};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        pages_begin(&pages, "abcdefghijklmnopqrstuvwxyz", lengths[i][0], 10);
        for (unsigned k = 0; k < 4; k++)
            press(KEY_RIGHT, 0);
        assert_int_equal(pages.left, lengths[i][1]);
        for (unsigned left = pages.left; left; left -= 8) {
            assert_int_equal(pages.left, left);
            press(KEY_LEFT, 0);
        }
        press(KEY_LEFT, 0);
        assert_int_equal(pages.left, 0);
    }
}

TEST_WITH(sideways, setup_pages, NULL)
{
    char line[130];

    memset(line, '.', sizeof(line));
    memcpy(line + 100, "end", 3);
    pages_begin(&pages, line, sizeof(line), 10);
    strcpy(pages.word, "end");
    press(KEY_LEFT, 0);
    for (unsigned i = 0; i < 40; i++)
        press(KEY_RIGHT, 0);
    assert_int_equal(pages.left, 128);
    while (pages.left > 96)
        press(KEY_LEFT, 0);
    pages_draw(&pages, &screen, 0);
    assert_memory_equal(show(), "0,0,p:....|0,4,c:end|0,7,p:...", 29);
    press(KEY_LEFT, 0);
    press(KEY_RIGHT, 0);
    pages.left = 101; /* the word is only partly on the screen */
    screen_clear(&screen);
    (void)show();
    pages_draw(&pages, &screen, 0);
    assert_string_equal(show(), "0,0,p:nd...........................|");
}

/* Bars of heat stand beside the text if the longest line leaves room; otherwise as much of a bar as fits stands before
 * the address, which has the bar's paint. */
TEST_WITH(heat, setup_pages, NULL)
{
    const unsigned room = screen.columns - HEAT_WIDTH - 1;
    static const char *const drawn[] = {
        "0,5,p:a|1,0,p:=       104c b|2,0,W:#   |2,4,p: >  104c c|3,0,W:##  |3,4,p:  10b04c d|4,0,H:##= |4,4,p:   "
        "1004c e|",
        "0,0,p:a|1,1,p:= 104c b|2,0,p:>|2,1,W:# 104c|2,7,p: c|3,1,W:10b04c|3,7,p: d|4,1,H:#1004c|4,7,p: e|",
    };

    for (unsigned beyond = 0; beyond <= 1; beyond++) {
        snprintf(text, sizeof(text), "a\n   104c b\n>  104c c\n 10b04c d\n  1004c e\n%*s\n", (int)(room + beyond), "");
        pages_begin(&pages, text, strlen(text), 10);
        pages.heat = (const uint8_t[]){0, 1, 2, 4, 5, 0};
        screen_clear(&screen);
        (void)show();
        pages_draw(&pages, &screen, 0);
        assert_string_equal(show(), drawn[beyond]);
    }
}

RUN_TESTS(NULL, NULL)
