/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/prompt/refusal.h"

#include "app/save/begun.h"
#include "app/prompt/options_check.h"
#include "core/base/mem.h"
#include "drivers/trace/uart.h"

static const char settings_path[] = "\\ibsboot\\ibsboot.ini";

/* Appends text as far as it fits. */
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

unsigned refusal_read_settings(struct refusal *refusal, struct firmware *fw, struct options *options,
                               const char *load_options)
{
    struct out *out = &refusal->out;
    char *text = fw->allocate(fw, SETTINGS_TEXT_MAX, 4096);
    size_t size = 0;
    enum firmware_error error =
        text ? fw->read_file(fw, settings_path, text, SETTINGS_TEXT_MAX, &size) : FIRMWARE_FAILED;
    unsigned problems = 0;

    if (error == FIRMWARE_OK)
        problems += options_read_text(options, "ibsboot.ini", text, size, out);
    else if (error == FIRMWARE_TOO_LARGE)
        out_printf(out, "ibsboot.ini: %zu bytes, more than the limit of %u for a settings file: not used\n", size,
                   SETTINGS_TEXT_MAX);
    else if (error != FIRMWARE_NOT_FOUND)
        out_printf(out, "ibsboot.ini: %s; defaults are used\n", firmware_error_text(error));
    problems += error == FIRMWARE_TOO_LARGE;
    fw->release(fw, text, SETTINGS_TEXT_MAX);
    return problems + options_read_words(options, "load options", load_options, out);
}
