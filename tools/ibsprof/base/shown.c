/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/shown.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/process.h"

struct shown_place {
    char *folder, *as;
};

static struct process_shown *const all = &process.shown;

void shown_add(const char *folder, const char *as)
{
    *must_add(all->place, all->places) = (struct shown_place){must_copy(folder), must_copy(as)};
}

char *shown_text(const char *text)
{
    char *result = must_copy(text);

    for (uint32_t i = 0; i < all->places; i++) {
        size_t length = strlen(all->place[i].folder);
        char *at;

        while ((at = strstr(result, all->place[i].folder))) {
            const char *rest = at + length;
            char *next = must_text("%.*s%s%s%s", (int)(at - result), result, all->place[i].as, *rest == '/' ? ":" : "",
                                   *rest == '/' ? rest + 1 : rest);

            free(result);
            result = next;
        }
    }
    return result;
}

/* Returns the length of the control character at 'text', whose last byte is its code: one of ASCII, or U+0080 to U+009F
 * in UTF-8; 0: none. */
static size_t control_bytes(const char *text)
{
    unsigned char c = (unsigned char)text[0], next = c ? (unsigned char)text[1] : 0;

    if (c == 0xC2 && next >= 0x80 && next < 0xA0)
        return 2;
    return c < ' ' || c == 0x7F;
}

const char *shown_plain(const char *text)
{
    char *result, *to;
    size_t bytes = 0;

    for (const char *at = text; *at && !bytes; at++)
        bytes = control_bytes(at);
    if (!bytes)
        return text;
    to = result = *must_add(all->text, all->texts) = must_alloc(4 * strlen(text) + 1, 1);
    for (; *text; text += bytes ? bytes : 1) {
        bytes = control_bytes(text);
        if (bytes)
            to += sprintf(to, "\\x%02x", (unsigned char)text[bytes - 1]);
        else
            *to++ = *text;
    }
    return result;
}

const char *shown(const char *path)
{
    if (all->places == 0)
        return path;
    return *must_add(all->text, all->texts) = shown_text(path);
}
