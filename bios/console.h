/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen (VGA text, 80 by 25) and the first serial port, which show the same, and keys of both. */
#ifndef BIOS_CONSOLE_H
#define BIOS_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/trace/uart.h"

enum { CONSOLE_ROWS = 25, CONSOLE_COLUMNS = 80 };

struct console {
    bool serial, screen;
    struct uart uart;
    unsigned row, column;
    uint8_t attribute; /* of characters, of VGA text: background, foreground */
    /* Reading the screen's own memory to scroll it is slow. */
    uint16_t shown[CONSOLE_ROWS * CONSOLE_COLUMNS];
};

/* Begins on the serial port, at 115200 baud, if there is one: before the first call of the BIOS. */
void console_serial(void);

/* Begins on the screen, in text mode by INT 10h. */
void console_screen(void);

/* Gives the serial port back as it was found, when its last byte has left. */
void console_end(void);

/* Clears the screen, and a terminal's on the serial port. */
void console_clear(void);

/* Moves to a row and a column; what is not on the screen is not moved to, and false. */
bool console_move(unsigned row, unsigned column);

/* Sets how characters look: bits 6:4 the background, 3:0 the character, as of VGA text. A terminal is told by ECMA-48's
 * SGR. */
void console_attribute(uint8_t attribute);

/* Latin-1; '\r', '\n', '\b' and as many lines as there are. */
void console_put(uint16_t c);
void console_text(const char *text);

/* core/base/out.h's formats. The line begins with "ibsbios: ". */
void console_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct console_key {
    uint16_t character; /* 0: none of its own */
    uint16_t scan_code; /* UEFI's, of a key without a character; 0: of none */
};

/* False: no key waits. */
bool console_key(struct console_key *ret_key);

#endif
