/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/wrap.h"

#include <stdbool.h>

void wrap_text(struct out *out, const char *text, int used, int indent, int width)
{
    bool first = true; /* of its line: no blank before */

    while (*text) {
        int length = 0;

        for (; *text == ' ' || *text == '\n'; text++) {
            if (*text == ' ')
                continue;
            out_printf(out, "\n%*s", indent, "");
            used = indent;
            first = true;
        }
        while (text[length] && text[length] != ' ' && text[length] != '\n')
            length++;
        if (length == 0)
            break;
        if (!first && used + 1 + length > width) {
            out_printf(out, "\n%*s", indent, "");
            used = indent;
            first = true;
        }
        out_printf(out, "%s%.*s", first ? "" : " ", length, text);
        used += length + !first;
        first = false;
        text += length;
    }
    out_printf(out, "\n");
}
