/* SPDX-License-Identifier: BSD-2-Clause */
/* The known name that someone who mistyped a word has probably meant. */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/out.h"

enum {
    NEAREST_MAX = 31,      /* characters of a word, and of a name, that are compared */
    NEAREST_BEGINNING = 3, /* characters of a word that is the beginning of a name, at least */
};

struct nearest {
    const char *word;
    size_t length;
    const char *name; /* the nearest so far, of name_length characters; NULL: none is near */
    size_t name_length;
    unsigned limit; /* a name must be nearer */
};

/* Begins with a word. Names are near that differ in at most one character of three, and one more, by Levenshtein's
 * distance, but not in all of them; or that begin with the word. Case counts as little as '-' for '_'. */
void nearest_begin(struct nearest *nearest, const char *word, size_t length);

/* Compares one name. Of names that are equally near the first stays. True when this one is the nearest now. */
bool nearest_try(struct nearest *nearest, const char *name, size_t length);

/* Compares each of "a|b|c". */
void nearest_try_each(struct nearest *nearest, const char *names);

/* Prints "; did you mean 'name'?", or nothing when no name was near. */
void nearest_print(const struct nearest *nearest, struct out *out);

#endif
