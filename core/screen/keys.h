/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keys, as a firmware names them or as a terminal sends them. A terminal sends several characters for an arrow
 * (ECMA-48, and xterm's control sequences): ESC [ A, ESC O A, ESC [ 3 ~. They come one by one, and with anything in
 * between: each character is data, and no sequence is longer than KEYS_SEQUENCE_MAX.
 */
#ifndef CORE_KEYS_H
#define CORE_KEYS_H

#include <stdbool.h>

/* Names keys that are no printable character of ASCII; such a character is a key itself. */
enum key {
    KEY_NONE = 0, /* nothing was typed */
    KEY_BACKSPACE = '\b',
    KEY_TAB = '\t',
    KEY_ENTER = '\n',
    KEY_ESCAPE = 0x1b,
    KEY_OTHER = 0x100, /* without a use here */
    KEY_UP,
    KEY_DOWN,
    KEY_RIGHT,
    KEY_LEFT,
    KEY_HOME,
    KEY_END,
    KEY_DELETE,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
};

enum {
    KEYS_SEQUENCE_MAX = 24,
    KEYS_GAP_MS = 100, /* longest gap in a sequence, on a slow line polled by a firmware's tick; then ESC is a key */
};

/* A sequence that has begun; all zero: none has. */
struct keys {
    unsigned char state, length;
    unsigned number, numbers; /* the sequence's first number, and how many are complete */
    int held;                 /* key to be returned next, or KEY_NONE */
};

/* Returns whether a sequence has begun, or a key is held. */
static inline bool keys_begun(const struct keys *keys)
{
    return keys->state || keys->held;
}

/* Takes a character or a key of enum key. Returns a key, or KEY_NONE while a sequence goes on. A key in 'held' must be
 * taken before the next character. */
int keys_take(struct keys *keys, int given);

/* Ends a sequence after which nothing came in KEYS_GAP_MS. Returns KEY_ESCAPE for ESC alone; else KEY_NONE. */
int keys_expire(struct keys *keys);

#endif
