/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the known name that a mistyped word probably means. */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/out.h"

enum {
    NEAREST_MAX = 31,      /* compared characters of a word or name */
    NEAREST_BEGINNING = 3, /* least characters of a word that matches a name's beginning */
};

struct nearest {
    const char *word;
    size_t length;
    const char *name; /* the nearest so far, of name_length characters; NULL: none is near */
    size_t name_length;
    unsigned limit; /* distance; a name must be nearer */
};

/* Begins with a word. A name is near if it begins with the word, or if its Levenshtein distance is at most a third of
 * the characters plus one, but not all of them. Case does not matter, nor '-' against '_'. */
void nearest_begin(struct nearest *nearest, const char *word, size_t length);

/* Compares one name. Returns true if it is now the nearest; of equally near names the first stays. */
bool nearest_try(struct nearest *nearest, const char *name, size_t length);

/* Compares each word of "a|b|c". */
void nearest_try_each(struct nearest *nearest, const char *names);

/* Prints "; did you mean 'name'?", or nothing when no name was near. */
void nearest_print(const struct nearest *nearest, struct out *out);

#endif
