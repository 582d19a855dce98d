/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/screen/pages.h"

#include "core/base/heat.h"
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/screen/keys.h"

enum {
    SIDEWAYS = 8,
    ADDRESS = 1, /* column of an address in a table of instructions, after a mark (core/view/view.c) */
    ADDRESS_COLUMNS = 6,
    WARM = 2, /* steps: more than a sixteenth */
    HOT = 5,  /* more than a quarter */
};

/* Returns the length of the line that begins at 'at', without its end. */
static size_t line_length(const struct pages *pages, size_t at)
{
    size_t end = at;

    while (end < pages->length && pages->text[end] != '\n')
        end++;
    return end - at;
}

static size_t line_begin(const struct pages *pages, unsigned line)
{
    size_t at = 0;

    for (; line && at < pages->length; line--)
        at += line_length(pages, at) + 1;
    return at < pages->length ? at : pages->length;
}

/* Returns the last line that may be in the first row. */
static unsigned last_top(const struct pages *pages)
{
    return pages->lines > pages->rows ? pages->lines - pages->rows : 0;
}

void pages_begin(struct pages *pages, const char *text, size_t length, unsigned rows)
{
    *pages = (struct pages){.text = text, .length = length, .rows = rows};
    for (size_t at = 0; at < length; pages->lines++) {
        size_t of_line = line_length(pages, at);

        if (of_line > pages->longest)
            pages->longest = (unsigned)of_line;
        at += of_line + 1;
    }
}

static void go_to(struct pages *pages, unsigned line)
{
    pages->top = line < last_top(pages) ? line : last_top(pages);
}

/* Goes down. A found line may be nearer to the end than a page: there is nothing below then. */
static void go_down(struct pages *pages, unsigned lines)
{
    if (pages->top < last_top(pages))
        go_to(pages, pages->top + lines);
}

static void go_up(struct pages *pages, unsigned lines)
{
    pages->top -= lines < pages->top ? lines : pages->top;
}

bool pages_take(struct pages *pages, int key)
{
    switch (key) {
    case KEY_UP:
        go_up(pages, 1);
        return true;
    case KEY_DOWN:
    case KEY_ENTER:
        go_down(pages, 1);
        return true;
    case KEY_PAGE_UP:
    case 'b':
        go_up(pages, pages->rows - 1);
        return true;
    case KEY_PAGE_DOWN:
    case ' ':
        go_down(pages, pages->rows - 1);
        return true;
    case KEY_HOME:
    case 'g':
        go_to(pages, 0);
        return true;
    case KEY_END:
    case 'G':
        go_to(pages, pages->lines);
        return true;
    case KEY_LEFT:
        pages->left -= pages->left < SIDEWAYS ? pages->left : SIDEWAYS;
        return true;
    case KEY_RIGHT:
        if (pages->left + SIDEWAYS < pages->longest)
            pages->left += SIDEWAYS;
        return true;
    default:
        return false;
    }
}

/* Returns the next place of the word in the line, from 'from' on; 'length': none. */
static size_t find_in(const struct pages *pages, size_t at, size_t length, size_t from)
{
    size_t word = strlen(pages->word);

    for (; word && from + word <= length; from++)
        if (str_is(pages->text + at + from, word, pages->word))
            return from;
    return length;
}

bool pages_find(struct pages *pages, int step)
{
    unsigned line = pages->top;

    while (step > 0 ? ++line < pages->lines : line-- > 0) {
        size_t at = line_begin(pages, line), length = line_length(pages, at);

        if (find_in(pages, at, length, 0) == length)
            continue;
        /* Near the end a line cannot be the first one: it is on the screen, and the search goes on from there. */
        pages->top = line;
        return true;
    }
    return false;
}

static enum paint paint_of(const char *line, size_t length)
{
    static const struct {
        const char *begin;
        enum paint paint;
    } rows[] = {
        {"PASS", PAINT_GOOD},     {"FAIL", PAINT_BAD},         {"STOPPED:", PAINT_BAD},  {"WARNING:", PAINT_WARNING},
        {"MODEL", PAINT_WARNING}, {"VIRTUAL:", PAINT_WARNING}, {"LOST:", PAINT_WARNING}, {"The run failed", PAINT_BAD},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        size_t of_row = strlen(rows[i].begin);

        if (length >= of_row && !memcmp(line, rows[i].begin, of_row))
            return rows[i].paint;
    }
    return PAINT_PLAIN;
}

/* Returns the columns of heat beside the text. */
static unsigned beside(const struct pages *pages, const struct screen *screen)
{
    bool room = pages->left || pages->longest + HEAT_WIDTH + 1 <= screen->columns;

    return pages->heat && room ? HEAT_WIDTH + 1 : 0;
}

static void draw_heat(struct screen *screen, unsigned row, bool is_beside, unsigned steps)
{
    enum paint paint = steps >= HOT ? PAINT_HOT : steps >= WARM ? PAINT_WARM : PAINT_PLAIN;
    char bar[HEAT_WIDTH + 1];
    unsigned free = 0;

    heat_bar(&bar, steps);
    if (steps && is_beside)
        (void)screen_text(screen, row, 0, paint, "%s", bar);
    if (!steps || is_beside)
        return;
    while (free < HEAT_WIDTH && screen->now[row][ADDRESS + free].c == ' ')
        free++;
    (void)screen_text(screen, row, ADDRESS, paint, "%.*s", (int)free, bar);
    screen_paint(screen, row, ADDRESS, ADDRESS_COLUMNS, paint);
}

static void draw_line(const struct pages *pages, struct screen *screen, unsigned row, unsigned line, size_t at)
{
    size_t length = line_length(pages, at), word = strlen(pages->word);
    enum paint paint = paint_of(pages->text + at, length);
    unsigned column = beside(pages, screen);

    if (length > pages->left)
        (void)screen_text(screen, row, column, paint, "%.*s", (int)(length - pages->left),
                          pages->text + at + pages->left);
    if (pages->heat)
        draw_heat(screen, row, column, pages->heat[line]);
    for (size_t from = 0; word && (from = find_in(pages, at, length, from)) < length; from += word)
        if (from >= pages->left)
            screen_paint(screen, row, column + (unsigned)(from - pages->left), (unsigned)word, PAINT_CHOSEN);
}

void pages_draw(const struct pages *pages, struct screen *screen, unsigned row)
{
    size_t at = line_begin(pages, pages->top);

    for (unsigned i = 0; i < pages->rows && pages->top + i < pages->lines; i++) {
        draw_line(pages, screen, row + i, pages->top + i, at);
        at += line_length(pages, at) + 1;
    }
}
