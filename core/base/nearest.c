/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/nearest.h"

#include "core/base/str.h"

/* Returns the character as it is compared. */
static char plain(char c)
{
    return c == '-' ? '_' : str_lower(c);
}

/* Levenshtein's distance: insertions, deletions and replacements. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned row[NEAREST_MAX + 1];

    for (size_t j = 0; j <= b_length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best = diagonal + (plain(a[i - 1]) != plain(b[j - 1]));

            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

void nearest_begin(struct nearest *nearest, const char *word, size_t length)
{
    *nearest = (struct nearest){.word = word, .length = length, .limit = (unsigned)(length / 3 + 2)};
}

bool nearest_try(struct nearest *nearest, const char *name, size_t length)
{
    size_t word = nearest->length;
    unsigned far;

    if (!word || word > NEAREST_MAX || length > NEAREST_MAX)
        return false;
    far = distance(nearest->word, word, name, length);
    /* Any number of letters missing at the end is one mistake. */
    if (word >= NEAREST_BEGINNING && length > word && !distance(nearest->word, word, name, word))
        far = 1;
    if (far >= nearest->limit || far >= (word > length ? word : length))
        return false;
    nearest->limit = far;
    nearest->name = name;
    nearest->name_length = length;
    return true;
}

void nearest_try_each(struct nearest *nearest, const char *names)
{
    while (*names) {
        size_t length = 0;

        while (names[length] && names[length] != '|')
            length++;
        (void)nearest_try(nearest, names, length);
        names += length + (names[length] == '|');
    }
}

void nearest_print(const struct nearest *nearest, struct out *out)
{
    if (nearest->name)
        out_printf(out, "; did you mean '%.*s'?", (int)nearest->name_length, nearest->name);
}
