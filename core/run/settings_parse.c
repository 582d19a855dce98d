/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads settings from a file's text and from load options. Nothing in here trusts a byte of its input. */
#include "core/base/mem.h"
#include "core/base/str.h"
#include "core/run/settings_line.h"
#include "core/run/settings_problems.h"

/* ---------------------------------------------------------------- one setting */

static void unknown_key(struct settings_problems *problems, const struct settings *settings, unsigned line,
                        const char *key, size_t length)
{
    const struct settings_row *nearest = settings_nearest(settings, key, length);
    struct out *out = settings_problem(problems, line);

    out_printf(out, "unknown key ");
    settings_show(out, key, length);
    if (nearest) {
        out_printf(out, "; did you mean '%s'?\n", nearest->key);
        return;
    }
    if (problems->listed) {
        out_printf(out, "; see above for the keys\n");
        return;
    }
    problems->listed = true;
    out_printf(out, "; the keys are");
    for (unsigned i = 0; i < settings->count; i++)
        out_printf(out, " %s", settings->rows[i].key);
    out_printf(out, "\n");
}

static void apply(struct settings_problems *problems, const struct settings *settings, unsigned number,
                  const struct settings_line *line)
{
    const struct settings_span *key = &line->key, *value = &line->value;
    const struct settings_row *row = settings_find(settings, key->at, key->length);
    unsigned *set_on;

    if (!row) {
        unknown_key(problems, settings, number, key->at, key->length);
        return;
    }
    if (!settings_set(row, value->at, value->length)) {
        struct out *out = settings_problem(problems, number);

        settings_show(out, value->at, value->length);
        out_printf(out, " is not a value of '%s'; allowed is ", row->key);
        settings_write_allowed(row, out);
        settings_write_hint(row, value->at, value->length, out);
        out_printf(out, "\n");
        return;
    }
    set_on = &problems->set_on[row - settings->rows];
    if (*set_on && !problems->later_wins)
        out_printf(settings_problem(problems, number),
                   "'%s' is already set in line %u; it may be set once, and this line is used\n", row->key, *set_on);
    *set_on = number;
}

/* ---------------------------------------------------------------- lines */

static void parse_line(struct settings_problems *problems, const struct settings *settings, unsigned number,
                       struct settings_span text, bool too_long)
{
    struct settings_line line;
    enum settings_line_kind kind = settings_line_split(&text, &line);

    if (kind == SETTINGS_LINE_COMMENT || (kind == SETTINGS_LINE_EMPTY && !too_long))
        return;
    if (too_long) {
        out_printf(settings_problem(problems, number), "the line is too long; allowed are %d characters\n",
                   SETTINGS_LINE_MAX);
    } else if (kind == SETTINGS_LINE_SECTION) {
        struct out *out = settings_problem(problems, number);

        settings_show(out, text.at, text.length);
        out_printf(out, " starts a section, which only plans have; here are only lines of 'key = value'\n");
    } else if (kind == SETTINGS_LINE_NO_EQUALS) {
        const struct settings_row *nearest = settings_nearest(settings, text.at, text.length);
        struct out *out = settings_problem(problems, number);

        out_printf(out, "no '=' in ");
        settings_show(out, text.at, text.length);
        out_printf(out, "; a %s", problems->later_wins ? "setting is 'key=value'" : "line is 'key = value'");
        if (nearest) {
            out_printf(out, "; allowed for '%s' is ", nearest->key);
            settings_write_allowed(nearest, out);
        }
        out_printf(out, "\n");
    } else if (kind == SETTINGS_LINE_QUOTES) {
        out_printf(settings_problem(problems, number),
                   "the quotes are wrong; a value may stand in one pair of double quotes\n");
    } else {
        apply(problems, settings, number, &line);
    }
}

/* ---------------------------------------------------------------- characters */

/* Reads bytes or UTF-16LE units as characters; those beyond ASCII become 80h, which no key or value may hold. */
struct reader {
    const uint8_t *bytes;
    size_t size, at;
    size_t unit; /* 1 or 2 bytes */
};

static bool next_char(struct reader *reader, char *c)
{
    unsigned code;

    if (reader->size - reader->at < reader->unit)
        return false;
    code = reader->bytes[reader->at];
    if (reader->unit == 2)
        code |= (unsigned)reader->bytes[reader->at + 1] << 8;
    reader->at += reader->unit;
    *c = (char)(code < 0x80 ? code : 0x80);
    return true;
}

static bool starts_with(const uint8_t *bytes, size_t size, const char *prefix, size_t length)
{
    return size >= length && memcmp(bytes, prefix, length) == 0;
}

/* Returns whether the file is text at all. Called before anything of it is used. */
static bool is_text(struct settings_problems *problems, struct reader reader)
{
    unsigned line = 1;
    char c;

    while (next_char(&reader, &c)) {
        if (c == '\n')
            line++;
        else if ((c >= 0 && c < ' ' && c != '\t' && c != '\r') || c == 0x7F) {
            out_printf(settings_problem(problems, line),
                       "not text (character %02Xh); none of it is used, settings are plain text\n", (unsigned)c);
            return false;
        }
    }
    if (reader.at != reader.size) {
        out_printf(settings_problem(problems, line), "UTF-16 text ends in half a character; none of it is used\n");
        return false;
    }
    return true;
}

static bool open_text(struct reader *reader, struct settings_problems *problems, const void *text, size_t size)
{
    *reader = (struct reader){.bytes = text, .size = size, .unit = 1};
    if (size > SETTINGS_TEXT_MAX) {
        out_printf(settings_problem(problems, 0), "%zu bytes are too many, none of it is used; allowed are %d\n", size,
                   SETTINGS_TEXT_MAX);
        return false;
    }
    if (starts_with(text, size, "\xFE\xFF", 2)) {
        out_printf(settings_problem(problems, 0), "UTF-16 big-endian, none of it is used; save it as UTF-8\n");
        return false;
    }
    if (starts_with(text, size, "\xEF\xBB\xBF", 3)) {
        reader->at = 3;
    } else if (starts_with(text, size, "\xFF\xFE", 2)) {
        reader->at = 2;
        reader->unit = 2;
    }
    return is_text(problems, *reader);
}

static unsigned end(struct settings_problems *problems, const struct settings *settings)
{
    if (settings->line)
        memcpy(settings->line, problems->set_on, settings->count * sizeof(settings->line[0]));
    return settings_problems_end(problems);
}

unsigned settings_parse_text(const struct settings *settings, const char *name, const void *text, size_t size,
                             struct out *out)
{
    struct settings_problems problems;
    struct reader reader;
    char line[SETTINGS_LINE_MAX], c = 0;
    unsigned number = 0;
    bool more = true;

    settings_problems_init(&problems, name, out);
    if (!open_text(&reader, &problems, text, size))
        return end(&problems, settings);
    while (more) {
        size_t length = 0;
        bool too_long = false;

        while ((more = next_char(&reader, &c)) && c != '\n')
            if (length < sizeof(line))
                line[length++] = c;
            else if (!settings_is_blank(c))
                too_long = true;
        parse_line(&problems, settings, ++number, (struct settings_span){line, length}, too_long);
    }
    return end(&problems, settings);
}

/* ---------------------------------------------------------------- load options */

/* Returns whether the last part of the word's path is this name. */
static bool is_file(struct settings_span word, const char *name)
{
    size_t length = strlen(name), before = word.length - length;

    return word.length >= length && str_is(word.at + before, length, name) &&
           (!before || word.at[before - 1] == '\\' || word.at[before - 1] == ':');
}

static bool is_program(struct settings_span word)
{
    return (word.length > 4 && str_is(word.at + word.length - 4, 4, ".efi")) || is_file(word, "ibsboot") ||
           is_file(word, "bootx64");
}

/* Takes the next word; blanks inside double quotes belong to it. */
static bool next_word(struct settings_span *rest, struct settings_span *word)
{
    bool quoted = false;
    size_t end = 0;

    *rest = settings_trim(*rest);
    while (end < rest->length && (quoted || !(settings_is_blank(rest->at[end]) || rest->at[end] == '\n'))) {
        quoted ^= rest->at[end] == '"';
        end++;
    }
    *word = (struct settings_span){rest->at, end};
    if (end < rest->length)
        end++; /* the blank that ended it */
    *rest = (struct settings_span){rest->at + end, rest->length - end};
    return word->length > 0 || rest->length > 0;
}

unsigned settings_parse_words(const struct settings *settings, const char *name, const char *text, size_t size,
                              struct out *out)
{
    struct settings_problems problems;
    struct reader reader = {.bytes = (const uint8_t *)text, .unit = 1};
    struct settings_span rest = {size ? text : "", 0}, word;

    settings_problems_init(&problems, name, out);
    problems.later_wins = true;
    while (rest.length < size && text[rest.length])
        rest.length++; /* load options may end in a NUL */
    reader.size = rest.length;
    if (rest.length > SETTINGS_TEXT_MAX)
        out_printf(settings_problem(&problems, 0), "%zu characters are too many, none of it is used; allowed are %d\n",
                   size, SETTINGS_TEXT_MAX);
    else if (is_text(&problems, reader))
        for (unsigned number = 1; next_word(&rest, &word); number++)
            if (!(number == 1 && is_program(word)))
                parse_line(&problems, settings, number, word, false);
    return end(&problems, settings);
}
