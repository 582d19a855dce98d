/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes JSON (RFC 8259) as a stream: nothing is kept but the nesting.
 *
 * Integers are written exactly, with all their digits. A reader that knows only doubles loses some above 2^53, so
 * addresses are written by json_hex. Text that is not valid UTF-8 (names come from files) is repaired: each byte that
 * does not belong there becomes U+FFFD.
 *
 * The output may stand in a <script> element as it is: '<', '>', '&', U+2028 and U+2029 are always written as escapes,
 * so that no text can end the element.
 */
#ifndef TOOLS_IBSPROF_JSON_H
#define TOOLS_IBSPROF_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH_MAX = 32 };

struct json {
    FILE *to;
    unsigned depth;
    bool one_line; /* no line breaks between the first levels' values */
    bool wrong;    /* calls that make no JSON: key in an array, value without key, end without begin */
    bool key;      /* a key was written, its value is due */
    bool object[JSON_DEPTH_MAX + 1]; /* by depth: an object, else an array */
    bool some[JSON_DEPTH_MAX + 1];   /* something was written there */
};

void json_init(struct json *json, FILE *to);

/* Containers, closed by json_end. */
void json_object(struct json *json);
void json_array(struct json *json);
void json_end(struct json *json);

/* The object of a whole document, with what it is, of which version, and who wrote it. */
void json_head(struct json *json, const char *schema, unsigned version);

/* Inside of objects: before each value. */
void json_key(struct json *json, const char *key);

void json_uint(struct json *json, uint64_t value);
void json_int(struct json *json, int64_t value);
void json_hex(struct json *json, uint64_t value);    /* "0x1a2b" */
void json_real(struct json *json, double value);     /* the shortest text that reads back the same; not finite: null */
void json_text(struct json *json, const char *text); /* NULL: null */
void json_null(struct json *json);

/* A key and its value in one. */
void json_key_uint(struct json *json, const char *key, uint64_t value);
void json_key_hex(struct json *json, const char *key, uint64_t value);
void json_key_text(struct json *json, const char *key, const char *text);
void json_key_bool(struct json *json, const char *key, bool value);
void json_key_int(struct json *json, const char *key, int64_t value);
void json_key_real(struct json *json, const char *key, double value);
void json_key_interval(struct json *json, const char *key, double value, double low, double high);
void json_key_known(struct json *json, const char *key, bool known, uint64_t value); /* null when it is not known */

/* A key and the begin of its value, which json_end closes. */
void json_key_object(struct json *json, const char *key);
void json_key_array(struct json *json, const char *key);

/* Returns the length of the UTF-8 sequence at text (Unicode 15, table 3-7), or 0 when there is none. */
unsigned json_utf8_length(const unsigned char *text);

/* Text in quotes alone, escaped and repaired, for JSON written without the functions above. */
void json_put_text(FILE *to, const char *text);

/* Ends the text with a line break. False when the calls did not make exactly one JSON value, or the stream has an
 * error. */
bool json_finish(struct json *json);

/* Writes exactly one JSON value of 'what'. */
typedef void json_fn(struct json *json, const void *what);

/* Writes such a value as a whole text. False as above. */
bool json_document(FILE *to, json_fn *write, const void *what);

#endif
