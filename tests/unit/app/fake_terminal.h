/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen of the fake firmware: text as it was printed or placed. */
#ifndef TESTS_UNIT_APP_FAKE_TERMINAL_H
#define TESTS_UNIT_APP_FAKE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/screen/paint.h"

enum { FAKE_ROWS = 64, FAKE_COLUMNS = 200, FAKE_PICTURES = 40 };

struct fake_terminal {
    uint32_t rows, columns, row, column; /* 0 rows: nothing is shown */
    enum paint paint;
    unsigned scrolled;
    bool refuses; /* cannot place characters */
    char c[FAKE_ROWS][FAKE_COLUMNS];
    uint8_t painted[FAKE_ROWS][FAKE_COLUMNS];
    bool tells_paint;  /* adds to each picture the cursor's position, and painted text */
    unsigned pictures; /* number of pictures */
    char *picture[FAKE_PICTURES];
};

void fake_terminal_clear(struct fake_terminal *terminal, uint32_t rows, uint32_t columns);
void fake_terminal_print(struct fake_terminal *terminal, const char *text, size_t length);
bool fake_terminal_place(struct fake_terminal *terminal, uint32_t row, uint32_t column);
/* Saves the screen as text, without trailing blanks. */
void fake_terminal_picture(struct fake_terminal *terminal);
void fake_terminal_done(struct fake_terminal *terminal);

#endif
