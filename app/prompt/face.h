/* SPDX-License-Identifier: BSD-2-Clause */
/* Frame of all screens: a first line with program and machine, a last line with the keys, and typed lines. */
#ifndef APP_FACE_H
#define APP_FACE_H

#include "app/base/sinks.h"
#include "core/screen/line.h"
#include "core/screen/pages.h"
#include "core/screen/screen.h"
#include "drivers/machine/machine.h"

struct face {
    struct console *console;
    const struct machine *machine;
    struct screen *screen;
};

/* Begins to draw. Returns false after a line if the console is too small or cannot place characters, or memory is
 * short. */
bool face_open(struct face *face, struct console *console, const struct machine *machine);
/* Clears the screen for printed text. */
void face_leave(struct face *face);
/* Redraws what face_leave() cleared. */
void face_return(struct face *face);
void face_close(struct face *face);

/* Draws the first line, which names the contents, 'what', and the last line. */
void face_frame(struct face *face, const char *what, const char *keys);

/* Shows what was drawn, with the cursor at the beginning of a row. */
void face_show(struct face *face, unsigned row);

/* Waits for a key; returns KEY_NONE after timeout_ms. */
int face_key(struct face *face, uint32_t timeout_ms);

/* Lets the user type a line in a row, after the prompt 'asks'; Tab calls complete(). Returns false for Escape. */
bool face_ask(struct face *face, unsigned row, const char *asks, struct line *line,
              void (*complete)(void *argument, struct line *line, struct out *out), void *argument);

/* Shows a text, which the user scrolls and searches, until Escape or q. heat: one byte for each line, or NULL. */
void face_read(struct face *face, const char *what, const char *text, size_t length, const uint8_t *heat);

/* Moves the choice in a list of 'count' rows by a key. Digits typed in a row form a row number, from 1 on; any other
 * key ends it. Returns whether the list uses the key. */
struct face_list {
    unsigned count, chosen, top, rows;
    unsigned number; /* row number typed so far */
};
bool face_list_take(struct face_list *list, int key);

/* Scrolls until the chosen row is shown. */
void face_list_scroll(struct face_list *list);

#endif
