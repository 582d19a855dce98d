/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small helpers on ASCII text.
 */
#ifndef CORE_STR_H
#define CORE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

char str_lower(char c);
bool str_equal(const char *a, const char *b);
/* Compares without regard to case; < 0: a comes first, 0: they are equal. */
int str_order(const char *a, const char *b);

/* Returns whether text[length] (not terminated) equals word, without regard to case. */
bool str_is(const char *text, size_t length, const char *word);

/* Reads all of text[length] as a decimal or 0x hexadecimal number. Returns false if it is none, or exceeds 64 bits. */
bool str_to_uint(const char *text, size_t length, uint64_t *value);

/* Returns the last component of a path with '/' between. */
const char *str_basename(const char *path);

#endif
