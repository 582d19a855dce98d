/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen of the fake firmware: what is printed and placed, as it stands there. */
#ifndef TESTS_UNIT_APP_FAKE_TERMINAL_H
#define TESTS_UNIT_APP_FAKE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/screen/paint.h"

enum { FAKE_ROWS = 64, FAKE_COLUMNS = 200, FAKE_PICTURES = 40 };

struct fake_terminal {
    uint32_t rows, columns, row, column; /* rows 0: nothing is shown */
    enum paint paint;
    unsigned scrolled;
    bool refuses; /* to place characters */
    char c[FAKE_ROWS][FAKE_COLUMNS];
    uint8_t painted[FAKE_ROWS][FAKE_COLUMNS];
    bool tells_paint;  /* below each picture: where the cursor is, and what is painted */
    unsigned pictures; /* that were taken */
    char *picture[FAKE_PICTURES];
};

void fake_terminal_clear(struct fake_terminal *terminal, uint32_t rows, uint32_t columns);
void fake_terminal_print(struct fake_terminal *terminal, const char *text, size_t length);
bool fake_terminal_place(struct fake_terminal *terminal, uint32_t row, uint32_t column);
/* Keeps the screen as text: each row without the blanks at its end. */
void fake_terminal_picture(struct fake_terminal *terminal);
void fake_terminal_done(struct fake_terminal *terminal);

#endif
