/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/run/facts.h"

#include "core/base/str.h"

const struct fact_row fact_rows[FACT_COUNT] = {
#define FACT(name, key, type, unit, part, meaning) {key, FACT_##type, unit, FACT_##part, meaning},
#include "core/run/facts_rows.h"
#undef FACT
};

enum index { INDEX_NUMBER, INDEX_HEX_3, INDEX_HEX_2, INDEX_TEXT };

/* Finds the index at 'at' in a key; returns the letters of its word, or 0. */
static unsigned index_at(const char *at, enum index *ret_index)
{
    static const struct {
        const char *word;
        enum index index;
    } words[] = {{"SELECT", INDEX_HEX_3},   {"MASK", INDEX_HEX_2}, {"PARAMETER", INDEX_TEXT}, {"REGIME", INDEX_TEXT},
                 {"THRESHOLD", INDEX_TEXT}, {"CAUSE", INDEX_TEXT}, {"COUNTED", INDEX_TEXT},   {"REGISTER", INDEX_TEXT},
                 {"SHARED", INDEX_TEXT},    {"LOOP", INDEX_TEXT}};
    unsigned length = 0;

    while (at[length] >= 'A' && at[length] <= 'Z')
        length++;
    *ret_index = INDEX_NUMBER;
    for (unsigned i = 0; length && i < sizeof(words) / sizeof(words[0]); i++)
        if (str_is(at, length, words[i].word))
            *ret_index = words[i].index;
    return length;
}

static void write_key(struct out *out, enum fact fact, va_list *indices)
{
    for (const char *at = fact_rows[fact].key; *at;) {
        enum index index;
        unsigned length = index_at(at, &index);

        if (*at == '[') {
            int core = va_arg(*indices, int);

            if (core >= 0)
                out_printf(out, "core.%d.", core);
            while (*at++ != ']')
                ;
        } else if (!length) {
            out->write(out, at++, 1);
        } else {
            if (index == INDEX_TEXT)
                out_printf(out, "%s", va_arg(*indices, const char *));
            else
                out_printf(out,
                           index == INDEX_NUMBER  ? "%u"
                           : index == INDEX_HEX_3 ? "%03x"
                                                  : "%02x",
                           va_arg(*indices, unsigned));
            at += length;
        }
    }
}

void fact_vkey(struct out *out, enum fact fact, va_list indices)
{
    va_list copy;

    va_copy(copy, indices);
    write_key(out, fact, &copy);
    va_end(copy);
}

static void begin(struct out *out, enum fact fact, va_list indices)
{
    out_printf(out, "#: ");
    fact_vkey(out, fact, indices);
    out_printf(out, " =");
}

void fact_begin(struct out *out, enum fact fact, ...)
{
    va_list indices;

    va_start(indices, fact);
    begin(out, fact, indices);
    va_end(indices);
}

void fact_number(struct out *out, enum fact fact, uint64_t value, ...)
{
    va_list indices;

    va_start(indices, value);
    begin(out, fact, indices);
    va_end(indices);
    if (fact_rows[fact].type == FACT_SIGNED)
        out_printf(out, " %ld\n", value);
    else
        out_printf(out, fact_rows[fact].type == FACT_HEX ? " 0x%lx\n" : " %lu\n", value);
}

void fact_text(struct out *out, enum fact fact, const char *value, ...)
{
    va_list indices;

    va_start(indices, value);
    begin(out, fact, indices);
    va_end(indices);
    out_printf(out, " %s\n", value);
}

void fact_not_available(struct out *out, enum fact fact, const char *why, ...)
{
    va_list indices;

    va_start(indices, why);
    begin(out, fact, indices);
    va_end(indices);
    out_printf(out, " not available: %s\n", why);
}

static const char *skip_digits(const char *key, bool hexadecimal)
{
    while ((*key >= '0' && *key <= '9') || (hexadecimal && *key >= 'a' && *key <= 'f'))
        key++;
    return key;
}

static bool matches(const char *pattern, const char *key);

/* Matches what follows "[core.CORE.]". */
static bool matches_by_core(const char *pattern, const char *key)
{
    static const char core[] = "core.";
    const char *number = key;

    if (matches(pattern, key))
        return true;
    for (const char *at = core; *at; at++)
        if (*number++ != *at)
            return false;
    key = skip_digits(number, false);
    return key > number && *key == '.' && matches(pattern, key + 1);
}

static bool matches(const char *pattern, const char *key)
{
    while (*pattern) {
        enum index index;
        unsigned length = index_at(pattern, &index);
        const char *from = key;

        if (*pattern == '[')
            return matches_by_core(pattern + sizeof("[core.CORE.]") - 1, key);
        if (!length) {
            if (*pattern++ != *key++)
                return false;
            continue;
        }
        pattern += length;
        if (index == INDEX_TEXT)
            while (*key && *key != *pattern)
                key++;
        else
            key = skip_digits(key, index != INDEX_NUMBER);
        if (key == from)
            return false;
    }
    return *key == '\0';
}

enum fact fact_find(const char *key)
{
    enum fact fact = 0;

    while (fact < FACT_COUNT && !matches(fact_rows[fact].key, key))
        fact++;
    return fact;
}

bool fact_is(const char *key, enum fact_part part)
{
    enum fact fact = fact_find(key);

    return fact < FACT_COUNT && fact_rows[fact].part & part;
}

void fact_print_table(struct out *out)
{
    static const char *const types[] = {[FACT_NUMBER] = "",
                                        [FACT_SIGNED] = "number with a sign",
                                        [FACT_HEX] = "hexadecimal number",
                                        [FACT_TEXT] = "text",
                                        [FACT_OR_WHY] = "number, or `not available: ` and why"};

    out_printf(out, "| key | value | meaning |\n|---|---|---|\n");
    for (unsigned i = 0; i < FACT_COUNT; i++) {
        const char *type = types[fact_rows[i].type], *unit = fact_rows[i].unit;

        out_printf(out, "| `%s` | %s%s%s | %s |\n", fact_rows[i].key, type, *type && *unit ? "; " : "", unit,
                   fact_rows[i].meaning);
    }
}
