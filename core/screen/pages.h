/* SPDX-License-Identifier: BSD-2-Clause */
/* A text that is looked through: lines on a part of a screen, moved by keys, and searched for words. */
#ifndef CORE_PAGES_H
#define CORE_PAGES_H

#include "core/screen/screen.h"

enum { PAGES_WORD_MAX = 40 };

struct pages {
    const char *text;    /* lines with '\n' after each */
    const uint8_t *heat; /* of each line, in steps (core/base/heat.h); NULL: none is shown */
    size_t length;
    unsigned lines;
    unsigned rows;                 /* rows of the screen for the text */
    unsigned top;                  /* line in the first row */
    unsigned left;                 /* hidden columns at the left */
    unsigned longest;              /* columns of the longest line */
    char word[PAGES_WORD_MAX + 1]; /* searched word; "": none */
};

/* Begins at the text's beginning. */
void pages_begin(struct pages *pages, const char *text, size_t length, unsigned rows);

/* Moves by a key: arrows, pages, Home, End, blank. Returns whether the key is one of these. */
bool pages_take(struct pages *pages, int key);

/* Goes to the next line after the top one with 'word' (step 1), or the last one before it (-1), without regard to
 * case. Returns false, and moves nothing, if there is none. */
bool pages_find(struct pages *pages, int step);

/* Draws the lines from a row of the screen on. Lines that begin with a verdict have its paint, and so does each found
 * word. Bars of heat are a column on the left. Where that leaves no room for whole lines, the addresses of instructions
 * have the heat's paint, and the blanks before an address have as much of the bar as fits. */
void pages_draw(const struct pages *pages, struct screen *screen, unsigned row);

#endif
