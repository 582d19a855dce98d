/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that is there: without it the program ends with a line, and no caller has to ask. */
#ifndef TOOLS_IBSPROF_MUST_H
#define TOOLS_IBSPROF_MUST_H

#include <stdarg.h>
#include <stddef.h>

/* The memory itself, unless it is NULL: for other ways to allocate. */
void *must_have(void *memory);

/* calloc and reallocarray; of 0 elements there is one. */
void *must_alloc(size_t count, size_t size);
void *must_grow(void *memory, size_t count, size_t size);

/* Room for what the pointer points at, all of it 0. */
#define must_new(pointer_) must_alloc(1, sizeof(*(pointer_)))

/* Room for one more element at the end of an array of 'count': must_add makes it, counts it, and is its address. The
 * room is that of the next power of two. */
void *must_have_room(void *array, size_t count, size_t size);
#define must_add(array_, count_)                                                                                       \
    ((array_) = must_have_room((array_), (count_), sizeof(*(array_))), &(array_)[(count_)++])

/* A copy of the text; free it. */
char *must_copy(const char *text);

/* printf's format, as long as it becomes; free it. */
char *must_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *must_text_of(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
