/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/settings_line.h"

bool settings_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct settings_span settings_trim(struct settings_span span)
{
    while (span.length && settings_is_blank(span.at[0])) {
        span.at++;
        span.length--;
    }
    while (span.length && settings_is_blank(span.at[span.length - 1]))
        span.length--;
    return span;
}

static bool is_comment(struct settings_span span)
{
    return span.length && (span.at[0] == '#' || span.at[0] == ';');
}

/* Takes quotes, and a comment after them, off the value of a line. Returns false when the quotes are wrong. */
static bool take_value(struct settings_line *line)
{
    struct settings_span value = settings_trim(line->value);
    size_t end = 0;

    line->quoted = value.length && value.at[0] == '"';
    if (line->quoted) {
        struct settings_span rest;

        for (end = 1; end < value.length && value.at[end] != '"'; end++)
            ;
        if (end == value.length)
            return false;
        rest = settings_trim((struct settings_span){value.at + end + 1, value.length - end - 1});
        line->value = (struct settings_span){value.at + 1, end - 1};
        return rest.length == 0 || is_comment(rest);
    }
    for (end = 0; end < value.length; end++)
        if ((value.at[end] == '#' || value.at[end] == ';') && (end == 0 || settings_is_blank(value.at[end - 1])))
            break;
    line->value = settings_trim((struct settings_span){value.at, end});
    return true;
}

enum settings_line_kind settings_line_split(struct settings_span *text, struct settings_line *ret_line)
{
    size_t equals = 0;

    *text = settings_trim(*text);
    if (!text->length)
        return SETTINGS_LINE_EMPTY;
    if (is_comment(*text))
        return SETTINGS_LINE_COMMENT;
    if (text->at[0] == '[')
        return SETTINGS_LINE_SECTION;
    while (equals < text->length && text->at[equals] != '=')
        equals++;
    if (equals == text->length)
        return SETTINGS_LINE_NO_EQUALS;
    ret_line->key = settings_trim((struct settings_span){text->at, equals});
    ret_line->value = (struct settings_span){text->at + equals + 1, text->length - equals - 1};
    return take_value(ret_line) ? SETTINGS_LINE_SETTING : SETTINGS_LINE_QUOTES;
}
