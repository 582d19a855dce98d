/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes JSON (RFC 8259) as a stream, and keeps only the nesting.
 *
 * Integers are written with all digits. Readers that know only doubles are inexact above 2^53, so json_hex() writes
 * addresses. Text that is not valid UTF-8 (names come from files) is repaired: each invalid byte becomes U+FFFD.
 *
 * The output may stand in a <script> element: '<', '>', '&', U+2028 and U+2029 are always escaped, so that no text can
 * end the element.
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
    bool one_line;                   /* no line breaks between values of the first levels */
    bool wrong;                      /* calls do not form JSON: key in an array, value without key, end without begin */
    bool key;                        /* a key was written, and needs a value */
    bool object[JSON_DEPTH_MAX + 1]; /* by depth: object, otherwise array */
    bool some[JSON_DEPTH_MAX + 1];   /* by depth: has a value */
};

void json_init(struct json *json, FILE *to);

/* Begin a container, which json_end() ends. */
void json_object(struct json *json);
void json_array(struct json *json);
void json_end(struct json *json);

/* Begins a document: an object with schema, version, and program. */
void json_head(struct json *json, const char *schema, unsigned version);

/* Writes a key, in an object before each value. */
void json_key(struct json *json, const char *key);

void json_uint(struct json *json, uint64_t value);
void json_int(struct json *json, int64_t value);
void json_hex(struct json *json, uint64_t value); /* "0x1a2b" */
void json_real(struct json *json, double value);  /* the shortest text that reads back the same; null if not finite */
void json_text(struct json *json, const char *text); /* NULL: null */
void json_null(struct json *json);

/* Write a key and its value. */
void json_key_uint(struct json *json, const char *key, uint64_t value);
void json_key_hex(struct json *json, const char *key, uint64_t value);
void json_key_text(struct json *json, const char *key, const char *text);
void json_key_bool(struct json *json, const char *key, bool value);
void json_key_int(struct json *json, const char *key, int64_t value);
void json_key_real(struct json *json, const char *key, double value);
void json_key_interval(struct json *json, const char *key, double value, double low, double high);
void json_key_known(struct json *json, const char *key, bool known, uint64_t value); /* null if not known */

/* Write a key and begin its value, which json_end() ends. */
void json_key_object(struct json *json, const char *key);
void json_key_array(struct json *json, const char *key);

/* Returns the length of the UTF-8 sequence at 'text' (Unicode 15, table 3-7); 0: not valid. */
unsigned json_utf8_length(const unsigned char *text);

/* Writes quoted text, escaped and repaired, for JSON written without these functions. */
void json_put_text(FILE *to, const char *text);

/* Ends the text with a line break. Returns false if the calls did not make exactly one value, or the stream has an
 * error. */
bool json_finish(struct json *json);

/* Writes exactly one JSON value of 'what'. */
typedef void json_fn(struct json *json, const void *what);

/* Writes such a value as a whole text. Returns false as json_finish() does. */
bool json_document(FILE *to, json_fn *write, const void *what);

#endif
