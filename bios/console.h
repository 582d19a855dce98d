/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen (VGA text, 80 by 25) and the first serial port, which show the same text, and the keys of both. */
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
    uint8_t attribute; /* VGA text attribute: background, foreground */
    /* Copy of the screen: scrolling would read the screen's own memory, which is slow. */
    uint16_t shown[CONSOLE_ROWS * CONSOLE_COLUMNS];
};

/* Begins on the serial port, if there is one, at 115200 baud, before the first call of the BIOS. */
void console_serial(void);

/* Begins on the screen, in text mode by INT 10h. */
void console_screen(void);

/* Restores the serial port when its last byte has left. */
void console_end(void);

/* Clears the screen, and the serial port's terminal. */
void console_clear(void);

/* Moves to a row and a column. Returns false, without moving, if they are outside of the screen. */
bool console_move(unsigned row, unsigned column);

/* Sets the VGA text attribute: bits 6:4 the background, 3:0 the character. A terminal receives ECMA-48's SGR. */
void console_attribute(uint8_t attribute);

/* Prints Latin-1, '\r', '
 * ', and '\b'; scrolls at the end of the screen. */
void console_put(uint16_t c);
void console_text(const char *text);

/* Prints a line that begins with "ibsbios: ", in core/base/out.h's formats. */
void console_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct console_key {
    uint16_t character; /* 0: a key without a character */
    uint16_t scan_code; /* UEFI's code for a key without a character; 0: a character */
};

/* Returns false if no key waits. */
bool console_key(struct console_key *ret_key);

#endif
