/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen (VGA text, 80 by 25) and the first serial port, which show the same, and keys of both. */
#ifndef BIOS_CONSOLE_H
#define BIOS_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONSOLE_ROWS = 25, CONSOLE_COLUMNS = 80 };

/* Before the first call of the BIOS: the serial port alone, 115200 baud, if there is one. */
void console_serial(void);

/* Text mode, by INT 10h. */
void console_screen(void);

/* 'serial' off: for a real port, on which a report takes seconds. */
void console_use(bool serial);

void console_clear(void);

/* Latin-1; '\r', '\n', '\b' and as many lines as there are. */
void console_put(uint16_t c);
void console_text(const char *text);

/* core/out.h's formats. The line begins with "ibsbios: ". */
void console_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct console_key {
    uint16_t character; /* 0: none of its own */
    bool escape;
};

/* False: no key waits. */
bool console_key(struct console_key *ret_key);

#endif
