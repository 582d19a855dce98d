/* SPDX-License-Identifier: BSD-2-Clause */
/* Heat of a table's rows: the share of the total that a row has, in steps that a bar shows. A table reports the heat
 * of each row; an output that does not keep it prints the same text. */
#ifndef CORE_HEAT_H
#define CORE_HEAT_H

#include "core/base/out.h"

enum { HEAT_STEPS = 8, HEAT_WIDTH = 4 /* columns of a bar: two steps each */ };

/* Returns the steps, rounded up: all of them from half of the total on; none when either is 0. */
unsigned heat_steps(uint64_t value, uint64_t total);

/* Fills a bar: '#' for two steps, '=' for one, and blanks. */
void heat_bar(char (*bar)[HEAT_WIDTH + 1], unsigned steps);

/* A text with the heat of its lines: 0 for lines that are no rows of a table. */
struct heat_text {
    struct out_memory memory; /* the text; its 'out' counts lines before */
    void (*write_text)(struct out *out, const char *text, size_t length);
    uint8_t *heat; /* [lines]; zero at first */
    size_t lines;
    size_t line; /* lines that have ended; may exceed 'lines' */
};

/* Begins a text. Without memory it only counts the sizes needed, as out_memory_init() does. */
void heat_text_init(struct heat_text *to, char *text, size_t size, uint8_t *heat, size_t lines);

/* Reports the heat of the row that is printed next; called at the beginning of a line. */
void heat_row(struct out *out, uint64_t value, uint64_t total);

#endif
