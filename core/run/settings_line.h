/* SPDX-License-Identifier: BSD-2-Clause */
/* A line of a settings file, taken apart: for settings_parse.c and plan.c, which read the same lines. */
#ifndef CORE_SETTINGS_LINE_H
#define CORE_SETTINGS_LINE_H

#include <stdbool.h>
#include <stddef.h>

struct settings_span {
    const char *at;
    size_t length;
};

enum settings_line_kind {
    SETTINGS_LINE_EMPTY,
    SETTINGS_LINE_COMMENT,
    SETTINGS_LINE_SECTION,   /* begins with '[' */
    SETTINGS_LINE_NO_EQUALS, /* something else without '=' */
    SETTINGS_LINE_QUOTES,    /* a value whose quotes are wrong */
    SETTINGS_LINE_SETTING,
};

struct settings_line {
    struct settings_span key, value; /* without blanks around them, quotes, and a comment after them */
    bool quoted;
};

bool settings_is_blank(char c);

/* Returns the text without the blanks around it. */
struct settings_span settings_trim(struct settings_span span);

/* Trims the line's text, and takes it apart; *ret_line is filled for a setting alone. */
enum settings_line_kind settings_line_split(struct settings_span *text, struct settings_line *ret_line);

#endif
