/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/refusal.h"

#include "app/begun.h"
#include "core/mem.h"
#include "drivers/uart.h"

/* Adds a text, as far as there is room. */
static void keep(struct out *out, const char *text, size_t length)
{
    struct refusal *refusal = (struct refusal *)out;
    size_t room = REFUSAL_TEXT - refusal->length;

    if (refusal->console)
        refusal->console->write(refusal->console, text, length);
    if (length > room)
        length = room;
    memcpy(refusal->text + refusal->length, text, length);
    refusal->length += length;
    refusal->text[refusal->length] = '\0';
}

_Static_assert(offsetof(struct refusal, out) == 0, "keep()");

void refusal_begin(struct refusal *refusal, struct out *console)
{
    refusal->out = (struct out){.write = keep};
    refusal->console = console;
    refusal->length = 0;
    refusal->text[0] = '\0';
}

void refusal_save(const struct refusal *refusal, struct run *run, const struct options *options)
{
    if (options->save)
        begun_refused(run, options, refusal->text, refusal->console);
    if (options->output == OPTIONS_OUTPUT_SERIAL && uart_found())
        (void)uart_send_now((enum uart_rate)options->serial_rate, refusal->text, refusal->length);
}
