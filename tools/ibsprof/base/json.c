/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/version.h"

void json_init(struct json *json, FILE *to)
{
    memset(json, 0, sizeof(*json));
    json->to = to;
}

/* Writes the comma before a value. The outer two levels have a line per value, for people and for diff. */
static bool before_value(struct json *json)
{
    if (json->depth == 0) {
        json->wrong |= json->some[0];
    } else if (json->object[json->depth]) {
        json->wrong |= !json->key;
        json->key = false;
        return !json->wrong;
    } else if (json->some[json->depth]) {
        fputs(json->depth <= 2 && !json->one_line ? ",\n" : ",", json->to);
    }
    json->some[json->depth] = true;
    return !json->wrong;
}

static void open_container(struct json *json, bool object)
{
    if (!before_value(json))
        return;
    if (json->depth == JSON_DEPTH_MAX) {
        json->wrong = true;
        return;
    }
    json->depth++;
    json->object[json->depth] = object;
    json->some[json->depth] = false;
    fputc(object ? '{' : '[', json->to);
}

void json_object(struct json *json)
{
    open_container(json, true);
}

void json_array(struct json *json)
{
    open_container(json, false);
}

void json_end(struct json *json)
{
    if (json->depth == 0 || json->key) {
        json->wrong = true;
        return;
    }
    fputc(json->object[json->depth] ? '}' : ']', json->to);
    json->depth--;
}

unsigned json_utf8_length(const unsigned char *text)
{
    unsigned char first = text[0];
    unsigned char low = 0x80, high = 0xBF;
    unsigned length;

    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        length = 2;
    else if (first >= 0xE0 && first <= 0xEF)
        length = 3;
    else if (first >= 0xF0 && first <= 0xF4)
        length = 4;
    else
        return 0;
    if (first == 0xE0)
        low = 0xA0; /* no longer forms than needed */
    else if (first == 0xED)
        high = 0x9F; /* no surrogates */
    else if (first == 0xF0)
        low = 0x90;
    else if (first == 0xF4)
        high = 0x8F; /* nothing above U+10FFFF */
    if (text[1] < low || text[1] > high)
        return 0;
    for (unsigned i = 2; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xBF)
            return 0;
    return length;
}

void json_put_text(FILE *to, const char *string)
{
    const unsigned char *text = (const unsigned char *)string;

    fputc('"', to);
    while (*text) {
        unsigned length = json_utf8_length(text);

        if (length == 0) {
            fputs("\xEF\xBF\xBD", to);
            text++;
            continue;
        }
        if (*text == '"' || *text == '\\')
            fprintf(to, "\\%c", *text);
        else if (*text < 0x20 || *text == 0x7F || *text == '<' || *text == '>' || *text == '&')
            fprintf(to, "\\u%04x", *text);
        else if (length == 3 && memcmp(text, "\xE2\x80\xA8", 3) == 0)
            fputs("\\u2028", to);
        else if (length == 3 && memcmp(text, "\xE2\x80\xA9", 3) == 0)
            fputs("\\u2029", to);
        else
            fwrite(text, 1, length, to);
        text += length;
    }
    fputc('"', to);
}

void json_key(struct json *json, const char *key)
{
    if (json->depth == 0 || !json->object[json->depth] || json->key)
        json->wrong = true;
    if (json->wrong)
        return;
    if (json->some[json->depth])
        fputs(json->depth <= 2 && !json->one_line ? ",\n" : ",", json->to);
    json->some[json->depth] = true;
    json_put_text(json->to, key);
    fputc(':', json->to);
    json->key = true;
}

void json_uint(struct json *json, uint64_t value)
{
    if (before_value(json))
        fprintf(json->to, "%" PRIu64, value);
}

void json_int(struct json *json, int64_t value)
{
    if (before_value(json))
        fprintf(json->to, "%" PRId64, value);
}

void json_hex(struct json *json, uint64_t value)
{
    if (before_value(json))
        fprintf(json->to, "\"0x%" PRIx64 "\"", value);
}

void json_real(struct json *json, double value)
{
    char text[40];

    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    if (before_value(json))
        fputs(text, json->to);
}

void json_text(struct json *json, const char *text)
{
    if (!text)
        json_null(json);
    else if (before_value(json))
        json_put_text(json->to, text);
}

void json_null(struct json *json)
{
    if (before_value(json))
        fputs("null", json->to);
}

void json_key_uint(struct json *json, const char *key, uint64_t value)
{
    json_key(json, key);
    json_uint(json, value);
}

void json_key_hex(struct json *json, const char *key, uint64_t value)
{
    json_key(json, key);
    json_hex(json, value);
}

void json_key_text(struct json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_text(json, text);
}

void json_key_bool(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    if (before_value(json))
        fputs(value ? "true" : "false", json->to);
}

void json_key_int(struct json *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_int(json, value);
}

void json_key_real(struct json *json, const char *key, double value)
{
    json_key(json, key);
    json_real(json, value);
}

void json_key_interval(struct json *json, const char *key, double value, double low, double high)
{
    json_key_object(json, key);
    json_key_real(json, "value", value);
    json_key_real(json, "low", low);
    json_key_real(json, "high", high);
    json_end(json);
}

void json_key_known(struct json *json, const char *key, bool known, uint64_t value)
{
    json_key(json, key);
    if (known)
        json_uint(json, value);
    else
        json_null(json);
}

void json_key_object(struct json *json, const char *key)
{
    json_key(json, key);
    json_object(json);
}

void json_key_array(struct json *json, const char *key)
{
    json_key(json, key);
    json_array(json);
}

void json_head(struct json *json, const char *schema, unsigned version)
{
    json_object(json);
    json_key_text(json, "schema", schema);
    json_key_uint(json, "version", version);
    json_key_text(json, "generator", "ibsprof " IBSBOOT_VERSION);
}

bool json_finish(struct json *json)
{
    if (json->depth != 0 || !json->some[0])
        json->wrong = true;
    fputc('\n', json->to);
    return !json->wrong && fflush(json->to) == 0 && !ferror(json->to);
}

bool json_document(FILE *to, json_fn *write, const void *what)
{
    struct json json;

    json_init(&json, to);
    write(&json, what);
    return json_finish(&json);
}
