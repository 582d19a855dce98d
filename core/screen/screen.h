/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A screen that is drawn: rows of characters, each with its paint. Only changes since the last showing are printed, as
 * a serial line is slow. The last column of a console stays empty: some begin a new row, or scroll, when it is written
 * to (app/base/sinks.c).
 */
#ifndef CORE_SCREEN_H
#define CORE_SCREEN_H

#include <stdbool.h>

#include "core/base/out.h"
#include "core/screen/paint.h"

enum { SCREEN_ROWS = 64, SCREEN_COLUMNS = 160, SCREEN_ROWS_LEAST = 20, SCREEN_COLUMNS_LEAST = 60 };

/* A character: one byte of ASCII, and its paint. */
struct screen_cell {
    char c;
    uint8_t paint; /* enum paint */
};

struct screen {
    unsigned rows, columns; /* of the drawn part */
    struct screen_cell now[SCREEN_ROWS][SCREEN_COLUMNS], shown[SCREEN_ROWS][SCREEN_COLUMNS];
};

/* The console that shows it. */
struct screen_device {
    void *context;
    void (*place)(void *context, unsigned row, unsigned column);
    void (*paint)(void *context, enum paint paint);
    void (*print)(void *context, const char *text, size_t length);
};

/* Begins a screen on a console of that size, whose contents are unknown. Returns false if it is too small. */
bool screen_begin(struct screen *screen, unsigned rows, unsigned columns);

/* Forget what is shown, on the screen or in a row, as something else was printed. */
void screen_forget(struct screen *screen);
void screen_forget_row(struct screen *screen, unsigned row);

/* Empties all that is drawn. */
void screen_clear(struct screen *screen);

/* Draws text from a place on, up to the end of the row; control characters become '?'. Returns the column after it. */
unsigned screen_text(struct screen *screen, unsigned row, unsigned column, enum paint paint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Paints a row from a column on as it is. */
void screen_paint(struct screen *screen, unsigned row, unsigned column, unsigned length, enum paint paint);

/* Draws text written to 'out' in rows first..end - 1; the rest is left out. */
struct screen_block {
    struct out out;
    struct screen *screen;
    unsigned row, end, column;
    enum paint paint;
};
void screen_block_begin(struct screen_block *block, struct screen *screen, unsigned first, unsigned end,
                        enum paint paint);

/* Prints what has changed; the device's paint is PAINT_PLAIN then. */
void screen_show(struct screen *screen, const struct screen_device *device);

#endif
