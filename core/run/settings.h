/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings: a table of keys, an INI parser, a parser for load-option words, and a writer.
 *
 * Text: "key = value" lines; '#' and ';' start a comment at the start of a line or after a blank; values may stand in
 * double quotes; CRLF or LF; ASCII, UTF-8 with or without BOM, or UTF-16LE with BOM (what Windows' notepad may save);
 * characters beyond ASCII only in comments. Keys are compared without regard to case, '-' and '_' are the same. There
 * are no [sections], but in plans (plan.h).
 *
 * A wrong value leaves the setting as it was. A text that is too big or not text is refused whole: nothing of it is
 * used.
 */
#ifndef CORE_SETTINGS_H
#define CORE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/out.h"

enum {
    SETTINGS_TEXT_MAX = 64 * 1024, /* bytes of a settings file */
    SETTINGS_LINE_MAX = 255,       /* characters of a line */
    SETTINGS_ROWS_MAX = 112,
    SETTINGS_KEY_MAX = 31, /* characters of a key */
    SETTINGS_PROBLEMS_SHOWN = 20,
    SETTINGS_WIDTH = 79, /* characters of a line of help, on a screen of 80 columns */
};

enum settings_type {
    SETTINGS_UINT,   /* value: uint64_t *. Decimal or 0x hexadecimal, min..max */
    SETTINGS_BOOL,   /* value: bool *. yes no on off true false 1 0 */
    SETTINGS_CHOICE, /* value: uint32_t *, index into choices */
    SETTINGS_STRING, /* value: char *, room for max + 1 bytes; printable ASCII without '"' */
};

struct settings_row {
    const char *key; /* at most SETTINGS_KEY_MAX characters of a-z 0-9 _ */
    uint8_t type;    /* enum settings_type */
    void *value;
    const char *initial; /* the default, as text; must be legal */
    uint64_t min, max;   /* UINT: range; STRING: max = longest length */
    const char *choices; /* CHOICE: words with '|' between: "4k|2m|1g". UINT: a word for UINT64_MAX, NULL: none */
    const char *help;    /* words, with ' ' or '\n' between; written as comments */
    uint64_t step;       /* UINT: multiples of it are allowed; 0: each number */
    bool or_zero;        /* UINT: 0 is allowed as well */
};

struct settings {
    const struct settings_row *rows;
    unsigned count; /* at most SETTINGS_ROWS_MAX */
    unsigned *line; /* [count]: line that set a row in the text parsed last; 0: none. NULL: not kept */
};

/* Sets every value to its default. Returns the number of rows that are wrong themselves (default not legal, key too
 * long): 0 in a program that is right. */
unsigned settings_defaults(const struct settings *settings);

/* Reads a settings file. Each problem is one line in 'problems': "name:line: what is wrong; what is allowed", at most
 * SETTINGS_PROBLEMS_SHOWN of them, then "name: and K more problems". Returns the number of problems. */
unsigned settings_parse_text(const struct settings *settings, const char *name, const void *text, size_t size,
                             struct out *problems);

/* Reads "key=value key=value ..."; words are separated by blanks, values with blanks stand in double quotes. A first
 * word without '=' that ends in .efi, or is "ibsboot" or "bootx64" after a path, is the program's own name (the UEFI
 * shell puts it there as it was typed) and skipped. "line" is then the word's number. A later word overrides an earlier
 * one without a problem; in a file a second line of a key is one. */
unsigned settings_parse_words(const struct settings *settings, const char *name, const char *text, size_t size,
                              struct out *problems);

/* Writes all settings as text that settings_parse_text reads back to the same values; comments give help and what is
 * allowed. */
void settings_write(const struct settings *settings, struct out *out);

/* Functions of one setting: its row by key (as compared in a file), or NULL; its value from text; its value as text,
 * without quotes; what is allowed, in words ("a number from 1 to 100"). settings_set leaves the value alone and
 * returns false when text is not legal. */
bool settings_same_key(const char *a, size_t a_length, const char *b, size_t b_length);
const struct settings_row *settings_find(const struct settings *settings, const char *key, size_t length);
bool settings_set(const struct settings_row *row, const char *text, size_t length);
void settings_write_value(const struct settings_row *row, struct out *out);
void settings_write_allowed(const struct settings_row *row, struct out *out);

/* Prints a hint on text that is not legal: that numbers have no unit, and the nearest word, "; did you mean '2m'?".
 * Prints nothing without a guess. */
void settings_write_hint(const struct settings_row *row, const char *text, size_t length, struct out *out);

/* Returns the known key that is most like the given one, or NULL when none is near. */
const struct settings_row *settings_nearest(const struct settings *settings, const char *key, size_t length);

#endif
