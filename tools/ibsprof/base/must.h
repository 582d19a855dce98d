/* SPDX-License-Identifier: BSD-2-Clause */
/* Allocates memory, or ends the program with a line, so that no caller has to check. */
#ifndef TOOLS_IBSPROF_MUST_H
#define TOOLS_IBSPROF_MUST_H

#include <stdarg.h>
#include <stddef.h>

/* Returns 'memory' unless it is NULL: for other allocators. */
void *must_have(void *memory);

/* calloc and reallocarray, with at least one element. */
void *must_alloc(size_t count, size_t size);
void *must_grow(void *memory, size_t count, size_t size);

/* Allocates zeroed memory for what the pointer points to. */
#define must_new(pointer_) must_alloc(1, sizeof(*(pointer_)))

/* Make room for one more element of an array of 'count', up to the next power of two. must_add() also counts the
 * element and returns its address. */
void *must_have_room(void *array, size_t count, size_t size);
#define must_add(array_, count_)                                                                                       \
    ((array_) = must_have_room((array_), (count_), sizeof(*(array_))), &(array_)[(count_)++])

/* Returns a copy of the text, to be freed. */
char *must_copy(const char *text);

/* Formats text of any length, to be freed. */
char *must_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *must_text_of(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
