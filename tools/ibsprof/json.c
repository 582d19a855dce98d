#include "tools/ibsprof/json.h"

#include <stdbool.h>
#include <stdint.h>

/* Length of the UTF-8 character at 'at', 0 when it is none (RFC 3629: no overlong forms, no surrogates). */
static unsigned character(const uint8_t *at)
{
    static const struct {
        uint8_t first, last, low, high; /* of the second byte */
        unsigned size;
    } forms[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };

    if (*at < 0x80)
        return 1;
    for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        if (at[1] < forms[i].low || at[1] > forms[i].high)
            return 0;
        for (unsigned k = 2; k < forms[i].size; k++)
            if ((at[k] & 0xC0) != 0x80)
                return 0;
        return forms[i].size;
    }
    return 0;
}

void json_text(FILE *file, const char *text)
{
    putc('"', file);
    for (const uint8_t *at = (const uint8_t *)text; *at;) {
        unsigned size = character(at);

        if (*at == '"' || *at == '\\')
            fprintf(file, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7F)
            fprintf(file, "\\u%04x", *at);
        else if (size == 0)
            fputs("\xEF\xBF\xBD", file);
        else
            fwrite(at, 1, size, file);
        at += size ? size : 1;
    }
    putc('"', file);
}
