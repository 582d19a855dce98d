/* SPDX-License-Identifier: BSD-2-Clause */
/* Frame of all screens: a first line that says which program and machine this is, a last one with the keys, and lines
 * that are typed. */
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

/* Begins to draw. False after a line: the console is too small, or cannot place characters, or there is no memory. */
bool face_open(struct face *face, struct console *console, const struct machine *machine);
/* Clears the screen for what is printed. */
void face_leave(struct face *face);
/* Draws anew what was drawn before face_leave(). */
void face_return(struct face *face);
void face_close(struct face *face);

/* Draws the first line, which names 'what' there is below, and the last one. */
void face_frame(struct face *face, const char *what, const char *keys);

/* Shows what is drawn, with the cursor at the beginning of a row. */
void face_show(struct face *face, unsigned row);

/* Waits for a key; KEY_NONE: none in that time. */
int face_key(struct face *face, uint32_t timeout_ms);

/* Has a line typed in a row, after 'asks'. complete() is called for Tab. False: Escape. */
bool face_ask(struct face *face, unsigned row, const char *asks, struct line *line,
              void (*complete)(void *argument, struct line *line, struct out *out), void *argument);

/* Shows a text, which is moved and searched, until Escape or q; with the heat of each line, or NULL. */
void face_read(struct face *face, const char *what, const char *text, size_t length, const uint8_t *heat);

/* Moves the choice in a list of 'count' rows by a key; digits, typed one after the other, are the row's number, from 1
 * on; any other key ends the number. Returns whether the key is one of these. */
struct face_list {
    unsigned count, chosen, top, rows;
    unsigned number; /* typed so far */
};
bool face_list_take(struct face_list *list, int key);

/* Has the chosen row among those that are shown. */
void face_list_scroll(struct face_list *list);

#endif
