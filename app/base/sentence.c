/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/base/sentence.h"

#include "core/base/wrap.h"

enum { INDENT = 4 };

void sentence(struct out *out, const char *format, ...)
{
    char text[SENTENCE_MAX + 1];
    struct out_memory memory;
    va_list args;

    out_memory_init(&memory, text, sizeof(text));
    va_start(args, format);
    out_vprintf(&memory.out, format, args);
    va_end(args);
    wrap_text(out, text, 0, INDENT, SENTENCE_LINE);
}

void heading(struct out *out, const char *text)
{
    out_printf(out, "\n%s\n", text);
    for (; *text; text++)
        out->write(out, "-", 1);
    out_printf(out, "\n");
}
