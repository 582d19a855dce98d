/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/str.h"

char str_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int str_order(const char *a, const char *b)
{
    while (*a && str_lower(*a) == str_lower(*b)) {
        a++;
        b++;
    }
    return (unsigned char)str_lower(*a) - (unsigned char)str_lower(*b);
}

bool str_equal(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool str_is(const char *text, size_t length, const char *word)
{
    size_t i;

    for (i = 0; i < length; i++)
        if (!word[i] || str_lower(text[i]) != str_lower(word[i]))
            return false;
    return word[i] == 0;
}

static int digit_value(char c)
{
    c = str_lower(c);
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return 16;
}

bool str_to_uint(const char *text, size_t length, uint64_t *value)
{
    unsigned base = 10;
    uint64_t result = 0;

    if (length > 2 && text[0] == '0' && str_lower(text[1]) == 'x') {
        base = 16;
        text += 2;
        length -= 2;
    }
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_value(text[i]);

        if (digit >= base || result > (UINT64_MAX - digit) / base)
            return false;
        result = result * base + digit;
    }
    *value = result;
    return true;
}

const char *str_basename(const char *path)
{
    const char *base = path;

    for (; *path; path++)
        if (*path == '/')
            base = path + 1;
    return base;
}
