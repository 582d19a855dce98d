/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of words in settings, with one separator between two of them. */
#ifndef VPMU_WORDS_H
#define VPMU_WORDS_H

#include <stddef.h>

/* Returns the length of the word if text begins with it and it ends there; else 0. */
static inline size_t word_match(const char *text, const char *word, char separator)
{
    size_t n = 0;

    while (word[n] && text[n] == word[n])
        n++;
    return !word[n] && (!text[n] || text[n] == separator) ? n : 0;
}

#endif
