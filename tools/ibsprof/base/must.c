/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *must_have(void *memory)
{
    if (memory)
        return memory;
    fputs("ibsprof: out of memory\n", stderr);
    exit(1);
}

void *must_alloc(size_t count, size_t size)
{
    return must_have(calloc(count ? count : 1, size));
}

char *must_copy(const char *text)
{
    return must_have(strdup(text));
}

void *must_grow(void *memory, size_t count, size_t size)
{
    return must_have(reallocarray(memory, count ? count : 1, size));
}

void *must_have_room(void *array, size_t count, size_t size)
{
    return count & (count - 1) ? array : must_grow(array, 2 * count, size);
}

char *must_text_of(const char *format, va_list args)
{
    char *text;

    return must_have(vasprintf(&text, format, args) < 0 ? NULL : text);
}

char *must_text(const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = must_text_of(format, args);
    va_end(args);
    return text;
}
