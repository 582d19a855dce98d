/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/shown.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"

struct place {
    char *folder, *as;
};

static struct place *places;
static uint32_t place_count;
static char **texts;
static uint32_t text_count;

void shown_add(const char *folder, const char *as)
{
    *must_add(places, place_count) = (struct place){must_copy(folder), must_copy(as)};
}

char *shown_text(const char *text)
{
    char *result = must_copy(text);

    for (uint32_t i = 0; i < place_count; i++) {
        size_t length = strlen(places[i].folder);
        char *at;

        while ((at = strstr(result, places[i].folder))) {
            const char *rest = at + length;
            char *next = must_text("%.*s%s%s%s", (int)(at - result), result, places[i].as, *rest == '/' ? ":" : "",
                                   *rest == '/' ? rest + 1 : rest);

            free(result);
            result = next;
        }
    }
    return result;
}

const char *shown(const char *path)
{
    if (place_count == 0)
        return path;
    return *must_add(texts, text_count) = shown_text(path);
}
