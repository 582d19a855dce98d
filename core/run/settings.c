/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of settings: values from text and back. The parsers are in settings_parse.c. */
#include "core/run/settings.h"

#include "core/base/mem.h"
#include "core/base/nearest.h"
#include "core/base/str.h"

/* Calls for each word of "a|b|c"; returns the index of the one that equals text, or -1. */
static int32_t choice_index(const char *choices, const char *text, size_t length)
{
    int32_t index = 0;

    while (*choices) {
        const char *end = choices;
        bool same = true;

        while (*end && *end != '|')
            end++;
        if ((size_t)(end - choices) != length)
            same = false;
        for (size_t i = 0; same && i < length; i++)
            same = str_lower(choices[i]) == str_lower(text[i]);
        if (same)
            return index;
        choices = *end ? end + 1 : end;
        index++;
    }
    return -1;
}

/* The even words are false. */
static const char bool_words[] = "no|yes|off|on|false|true|0|1";

static bool set_bool(bool *value, const char *text, size_t length)
{
    int32_t index = choice_index(bool_words, text, length);

    if (index < 0)
        return false;
    *value = index & 1;
    return true;
}

static bool set_uint(const struct settings_row *row, const char *text, size_t length)
{
    uint64_t value;

    if (row->choices && choice_index(row->choices, text, length) == 0) {
        *(uint64_t *)row->value = UINT64_MAX;
        return true;
    }
    if (!str_to_uint(text, length, &value))
        return false;
    if (!(row->or_zero && !value) && (value < row->min || value > row->max || (row->step && value % row->step)))
        return false;
    *(uint64_t *)row->value = value;
    return true;
}

static bool set_string(const struct settings_row *row, const char *text, size_t length)
{
    char *value = row->value;

    if (length > row->max)
        return false;
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~' || text[i] == '"')
            return false;
    memcpy(value, text, length);
    value[length] = 0;
    return true;
}

static bool set_choice(const struct settings_row *row, const char *text, size_t length)
{
    int32_t index = choice_index(row->choices, text, length);

    if (index < 0)
        return false;
    *(uint32_t *)row->value = (uint32_t)index;
    return true;
}

bool settings_set(const struct settings_row *row, const char *text, size_t length)
{
    switch (row->type) {
    case SETTINGS_UINT:
        return set_uint(row, text, length);
    case SETTINGS_BOOL:
        return set_bool(row->value, text, length);
    case SETTINGS_CHOICE:
        return set_choice(row, text, length);
    case SETTINGS_STRING:
        return set_string(row, text, length);
    default:
        return false;
    }
}

unsigned settings_defaults(const struct settings *settings)
{
    unsigned wrong = settings->count > SETTINGS_ROWS_MAX;

    for (unsigned i = 0; i < settings->count; i++) {
        const struct settings_row *row = &settings->rows[i];

        wrong += strlen(row->key) > SETTINGS_KEY_MAX || !settings_set(row, row->initial, strlen(row->initial));
    }
    return wrong;
}

static char key_char(char c)
{
    return c == '-' ? '_' : str_lower(c);
}

bool settings_same_key(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t at = 0;

    while (at < a_length && at < b_length && key_char(a[at]) == key_char(b[at]))
        at++;
    return at == a_length && at == b_length;
}

const struct settings_row *settings_find(const struct settings *settings, const char *key, size_t length)
{
    for (unsigned i = 0; i < settings->count; i++)
        if (settings_same_key(key, length, settings->rows[i].key, strlen(settings->rows[i].key)))
            return &settings->rows[i];
    return NULL;
}

const struct settings_row *settings_nearest(const struct settings *settings, const char *key, size_t length)
{
    const struct settings_row *row = NULL;
    struct nearest nearest;

    nearest_begin(&nearest, key, length);
    for (unsigned i = 0; i < settings->count; i++)
        if (nearest_try(&nearest, settings->rows[i].key, strlen(settings->rows[i].key)))
            row = &settings->rows[i];
    return row;
}

/* Writes "a|b|c" with something else between the words. */
static void write_choices(struct out *out, const char *choices)
{
    for (; *choices; choices++)
        if (*choices == '|')
            out_printf(out, ", ");
        else
            out_printf(out, "%c", *choices);
}

void settings_write_allowed(const struct settings_row *row, struct out *out)
{
    switch (row->type) {
    case SETTINGS_UINT:
        if (row->step)
            out_printf(out, "a multiple of %lu from %lu", row->step, row->min);
        else
            out_printf(out, "a number from %lu", row->min);
        if (row->max != UINT64_MAX)
            out_printf(out, " to %lu", row->max);
        if (row->or_zero && (row->min || row->step))
            out_printf(out, ", or 0");
        if (row->choices)
            out_printf(out, ", or %s", row->choices);
        break;
    case SETTINGS_BOOL:
        out_printf(out, "yes or no");
        break;
    case SETTINGS_CHOICE:
        out_printf(out, "one of ");
        write_choices(out, row->choices);
        break;
    default:
        out_printf(out, "text of at most %lu characters", row->max);
        break;
    }
}

/* Returns whether the text is digits with letters after them, such as "64k". */
static bool has_unit(const char *text, size_t length)
{
    return length > 1 && text[0] >= '0' && text[0] <= '9' && str_lower(text[length - 1]) >= 'a' &&
           str_lower(text[length - 1]) <= 'z' && str_lower(text[1]) != 'x';
}

void settings_write_hint(const struct settings_row *row, const char *text, size_t length, struct out *out)
{
    struct nearest nearest;

    if (row->type == SETTINGS_UINT && has_unit(text, length))
        out_printf(out, "; no unit is written");
    nearest_begin(&nearest, text, length);
    if (row->choices)
        nearest_try_each(&nearest, row->choices);
    else if (row->type == SETTINGS_BOOL)
        nearest_try_each(&nearest, bool_words);
    nearest_print(&nearest, out);
}

void settings_write_value(const struct settings_row *row, struct out *out)
{
    const char *word = row->choices;

    switch (row->type) {
    case SETTINGS_UINT:
        if (word && *(const uint64_t *)row->value == UINT64_MAX)
            out_printf(out, "%s", word);
        else
            out_printf(out, "%lu", *(const uint64_t *)row->value);
        break;
    case SETTINGS_BOOL:
        out_printf(out, "%s", *(const bool *)row->value ? "yes" : "no");
        break;
    case SETTINGS_CHOICE:
        for (uint32_t left = *(const uint32_t *)row->value; left && *word; word++)
            left -= *word == '|';
        for (; *word && *word != '|'; word++)
            out_printf(out, "%c", *word);
        break;
    default:
        out_printf(out, "%s", (const char *)row->value);
        break;
    }
}

/* Writes the words of a text in lines that begin with "# " and have at most SETTINGS_WIDTH characters. */
static void write_comment(struct out *out, const char *text)
{
    size_t used = 0;

    while (text && *text) {
        size_t length = 0;

        while (text[length] && text[length] != ' ' && text[length] != '\n')
            length++;
        if (used && used + 1 + length <= SETTINGS_WIDTH) {
            out_printf(out, " ");
            used += 1 + length;
        } else {
            out_printf(out, used ? "\n# " : "# ");
            used = 2 + length;
        }
        out_printf(out, "%.*s", (int)length, text);
        text += length + (text[length] != '\0');
    }
    if (used)
        out_printf(out, "\n");
}

void settings_write(const struct settings *settings, struct out *out)
{
    for (unsigned i = 0; i < settings->count; i++) {
        const struct settings_row *row = &settings->rows[i];
        const char *quote = row->type == SETTINGS_STRING ? "\"" : "";

        write_comment(out, row->help);
        out_printf(out, "# Allowed: ");
        settings_write_allowed(row, out);
        out_printf(out, "; default: %s%s%s.\n%s = %s", quote, row->initial, quote, row->key, quote);
        settings_write_value(row, out);
        out_printf(out, "%s\n%s", quote, i + 1 < settings->count ? "\n" : "");
    }
}
