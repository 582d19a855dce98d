/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line that is typed, with a history: it is shown in a field of one row, of which it shows a part when it is longer.
 * All that it prints are characters, blanks and backspaces within that row, which every console has.
 */
#ifndef CORE_LINE_H
#define CORE_LINE_H

#include <stdbool.h>

#include "core/base/out.h"
#include "core/screen/keys.h"

enum { LINE_MAX = 120, LINE_KEPT = 16 };

/* The lines that were entered, the oldest first. */
struct line_history {
    unsigned count;
    char line[LINE_KEPT][LINE_MAX + 1];
};

struct line {
    char text[LINE_MAX + 1];
    unsigned length, at; /* 'at': characters before the cursor */
    unsigned width;      /* columns of the field, 1 or more; the cursor may stand after it */
    unsigned first;      /* character that is shown first */
    unsigned drawn;      /* characters on the screen, and how many of them are before its cursor */
    unsigned column;
    struct line_history *history; /* NULL: none */
    unsigned back;                /* lines back in it; 0: the typed line, which is kept here: */
    char typed[LINE_MAX + 1];
};

enum line_result {
    LINE_GOES_ON,
    LINE_ENTERED, /* the line is in the history */
    LINE_NOT_MINE /* the key has no meaning here: Tab, Escape, pages */
};

/* Begins an empty line, at the cursor; nothing is printed. */
void line_begin(struct line *line, unsigned width, struct line_history *history);

/* Takes a key, and prints what it changes. Characters beyond LINE_MAX are left out. */
enum line_result line_take(struct line *line, int key, struct out *out);

/* Replaces the 'before' characters before the cursor by a printable text. Returns false, and changes nothing, if it is
 * too long. */
bool line_replace(struct line *line, unsigned before, const char *text, struct out *out);

/* Prints the line anew, at the beginning of another field of that width. */
void line_show(struct line *line, struct out *out);

#endif
