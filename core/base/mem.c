/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory functions of the image; see mem.h. Not linked on the host. */
#include "core/base/mem.h"

#include <stdint.h>

/* gcc recognises these loops as what they implement and would replace them by calls to themselves. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* Eight bytes at any address and of any type. */
typedef uint64_t __attribute__((may_alias, aligned(1))) any_word;

void *memcpy(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    for (; size >= 8; size -= 8, t += 8, f += 8)
        *(any_word *)t = *(const any_word *)f;
    while (size--)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    /* After the source, or clear of it: forwards. A word is read before it is written, so overlap does no harm. */
    if ((uintptr_t)t - (uintptr_t)f >= size)
        return memcpy(to, from, size);
    for (; size >= 8; size -= 8)
        *(any_word *)(t + size - 8) = *(const any_word *)(f + size - 8);
    while (size--)
        t[size] = f[size];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    unsigned char *t = to;
    uint64_t word = (unsigned char)byte * 0x0101010101010101ull;

    for (; size >= 8; size -= 8, t += 8)
        *(any_word *)t = word;
    while (size--)
        *t++ = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;

    for (; size; size--, x++, y++)
        if (*x != *y)
            return *x < *y ? -1 : 1;
    return 0;
}

size_t strlen(const char *text)
{
    const char *end = text;

    while (*end)
        end++;
    return (size_t)(end - text);
}
