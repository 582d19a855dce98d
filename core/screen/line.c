/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/screen/line.h"

#include "core/base/mem.h"
#include "core/base/str.h"

static void go_back(struct out *out, unsigned columns)
{
    while (columns--)
        out->write(out, "\b", 1);
}

/* Returns the characters that the field shows. */
static unsigned shown(const struct line *line)
{
    unsigned rest = line->length - line->first;

    return rest < line->width ? rest : line->width;
}

/* Scrolls so that the field shows the cursor, with something before it. */
static void scroll(struct line *line)
{
    unsigned half = line->width / 2;

    if (line->at <= line->first)
        line->first = line->at > half ? line->at - half : 0;
    if (line->at - line->first > line->width)
        line->first = line->at - line->width;
}

static void redraw(struct line *line, struct out *out)
{
    unsigned count, blanks;

    scroll(line);
    count = shown(line);
    blanks = line->drawn > count ? line->drawn - count : 0;
    go_back(out, line->column);
    if (count)
        out->write(out, line->text + line->first, count);
    for (unsigned i = 0; i < blanks; i++)
        out->write(out, " ", 1);
    line->drawn = count;
    line->column = line->at - line->first;
    go_back(out, count + blanks - line->column);
}

/* Moves only the cursor, unless the field must scroll. */
static void move(struct line *line, unsigned at, struct out *out)
{
    line->at = at;
    if (at < line->first || at - line->first > line->width) {
        redraw(line, out);
        return;
    }
    if (at - line->first < line->column)
        go_back(out, line->column - (at - line->first));
    else if (at - line->first > line->column)
        out->write(out, line->text + line->first + line->column, at - line->first - line->column);
    line->column = at - line->first;
}

void line_begin(struct line *line, unsigned width, struct line_history *history)
{
    *line = (struct line){.width = width ? width : 1, .history = history};
}

void line_show(struct line *line, struct out *out)
{
    line->drawn = line->column = 0;
    redraw(line, out);
}

/* Puts characters into the text; returns false without room. */
static bool put(struct line *line, const char *text, unsigned length)
{
    if (line->length + length > LINE_MAX)
        return false;
    memmove(line->text + line->at + length, line->text + line->at, line->length - line->at + 1);
    memcpy(line->text + line->at, text, length);
    line->length += length;
    line->at += length;
    return true;
}

static void remove(struct line *line, unsigned before)
{
    memmove(line->text + line->at - before, line->text + line->at, line->length - line->at + 1);
    line->length -= before;
    line->at -= before;
}

static void type(struct line *line, char c, struct out *out)
{
    bool at_end = line->at == line->length;

    if (!put(line, &c, 1))
        return;
    if (at_end && line->at - line->first <= line->width) {
        out->write(out, &c, 1);
        line->column = ++line->drawn;
    } else {
        redraw(line, out);
    }
}

static void erase(struct line *line, struct out *out)
{
    bool at_end = line->at == line->length;

    if (!line->at)
        return;
    remove(line, 1);
    if (at_end && line->at > line->first) {
        out->write(out, "\b \b", 3);
        line->column = --line->drawn;
    } else if (at_end && line->at == line->first && !line->first) {
        out->write(out, "\b \b", 3);
        line->column = line->drawn = 0;
    } else {
        redraw(line, out);
    }
}

/* Shows another line, with the cursor at its end. */
static void show_other(struct line *line, const char *text, struct out *out)
{
    line->length = (unsigned)strlen(text);
    memcpy(line->text, text, line->length + 1);
    line->at = line->length;
    line->first = 0;
    redraw(line, out);
}

static void go_in_history(struct line *line, unsigned back, struct out *out)
{
    const struct line_history *history = line->history;

    if (!history || back > history->count || back == line->back)
        return;
    if (!line->back)
        memcpy(line->typed, line->text, sizeof(line->typed));
    line->back = back;
    show_other(line, back ? history->line[history->count - back] : line->typed, out);
}

/* Keeps a line, unless it is empty or equals the last one. */
static void keep(struct line_history *history, const char *text)
{
    const char *at = text;

    while (*at == ' ')
        at++;
    if (!*at || (history->count && str_equal(history->line[history->count - 1], text)))
        return;
    if (history->count == LINE_KEPT) {
        memmove(history->line[0], history->line[1], (LINE_KEPT - 1) * sizeof(history->line[0]));
        history->count--;
    }
    memcpy(history->line[history->count++], text, strlen(text) + 1);
}

bool line_replace(struct line *line, unsigned before, const char *text, struct out *out)
{
    unsigned length = (unsigned)strlen(text);

    if (before > line->at || line->length - before + length > LINE_MAX)
        return false;
    remove(line, before);
    (void)put(line, text, length);
    redraw(line, out);
    return true;
}

enum line_result line_take(struct line *line, int key, struct out *out)
{
    switch (key) {
    case KEY_ENTER:
        if (line->history)
            keep(line->history, line->text);
        return LINE_ENTERED;
    case KEY_BACKSPACE:
        erase(line, out);
        break;
    case KEY_DELETE:
        if (line->at == line->length)
            break;
        line->at++;
        remove(line, 1);
        redraw(line, out);
        break;
    case KEY_LEFT:
        if (line->at)
            move(line, line->at - 1, out);
        break;
    case KEY_RIGHT:
        if (line->at < line->length)
            move(line, line->at + 1, out);
        break;
    case KEY_HOME:
        move(line, 0, out);
        break;
    case KEY_END:
        move(line, line->length, out);
        break;
    case KEY_UP:
        go_in_history(line, line->back + 1, out);
        break;
    case KEY_DOWN:
        if (line->back)
            go_in_history(line, line->back - 1, out);
        break;
    default:
        if (key < ' ' || key > '~')
            return LINE_NOT_MINE;
        type(line, (char)key, out);
    }
    return LINE_GOES_ON;
}
