/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/base/sinks.h"

#include "core/run/area_refusal.h"

enum { FOLD = 4 };

static const char more[] = "-- more: any key, q skips the rest --";

int console_key(struct console *console, uint32_t timeout_ms)
{
    struct firmware *fw = console->fw;
    struct keys *keys = &console->keys;
    int key = KEY_NONE;

    while (key == KEY_NONE) {
        int given = keys->held;

        if (given == KEY_NONE)
            given = fw->read_key(fw, keys_begun(keys) ? KEYS_GAP_MS : timeout_ms);
        if (given == KEY_NONE)
            return keys_expire(keys);
        key = keys_take(keys, given);
    }
    return key;
}

static void console_stop(struct console *console)
{
    struct firmware *fw = console->fw;
    int key;

    console->row = 0;
    if (!fw->keys)
        return;
    fw->print(fw, more, sizeof(more) - 1);
    do
        key = console_key(console, 60000);
    while (key == KEY_NONE);
    console->skip = key == 'q' || key == 'Q' || key == KEY_ESCAPE;
    fw->print(fw, "\n", 1);
}

/* Begins a line of the screen. */
static void next_row(struct console *console)
{
    console->column = 0;
    if (console->paging && ++console->row >= console->fw->rows - 1)
        console_stop(console);
}

/* Continues a long line below, indented, with a whole word if its beginning is in text[0..length - 1]. Returns how much
 * of that has been printed. */
static size_t fold(struct console *console, const char *text, size_t length)
{
    struct firmware *fw = console->fw;
    size_t end = length;

    while (end && text[end - 1] != ' ')
        end--;
    if (!end)
        end = length;
    fw->print(fw, text, end);
    fw->print(fw, "\n", 1);
    next_row(console);
    if (console->skip)
        return end;
    fw->print(fw, "    ", FOLD);
    console->column = FOLD + (unsigned)(length - end);
    return end;
}

static void console_write(struct out *out, const char *text, size_t length)
{
    struct console *console = (struct console *)out;
    struct firmware *fw = console->fw;
    /* Users read pages; other text may be a log, which wraps by itself. */
    bool folds = console->paging || fw->columns < CONSOLE_COLUMNS;
    size_t start = 0;

    for (size_t i = 0; i < length && !console->skip; i++) {
        if (text[i] == '\n') {
            fw->print(fw, text + start, i + 1 - start);
            start = i + 1;
            next_row(console);
            continue;
        }
        /* The last column stays empty: a screen may begin a line when it is written to, and another one at the line's
         * end (EDK II GraphicsConsole.c, GraphicsConsoleConOutOutputString). */
        if (folds && console->column >= fw->columns - 1)
            start += fold(console, text + start, i - start);
        console->column++;
    }
    if (start < length && !console->skip)
        fw->print(fw, text + start, length - start);
}

void console_hold(struct console *console, uint64_t seconds)
{
    if (!seconds)
        return;
    out_printf(&console->out, "This screen stays for %lu s, or until you press a key.\n", seconds);
    while (seconds-- && console_key(console, 1000) == KEY_NONE)
        ;
}

void console_init(struct console *console, struct firmware *fw)
{
    *console = (struct console){.out = {console_write}, .fw = fw};
}

void console_new_page(struct console *console)
{
    console->skip = false;
    console->row = 0;
    console->column = 0;
}

/* Writes the buffer, which is empty after an error. */
static void file_flush(struct file_sink *sink)
{
    if (sink->used && sink->take)
        sink->error = sink->take(sink->argument, sink->buffer, sink->used);
    else if (sink->used)
        sink->error = sink->fw->file_write(sink->file, sink->buffer, sink->used);
    sink->step += sink->used;
    sink->used = 0;
    for (; sink->step >= FILE_SINK_STEP; sink->step -= FILE_SINK_STEP)
        if (sink->progress)
            sink->progress(sink->argument);
}

int file_sink_bytes(struct file_sink *sink, const void *data, size_t size)
{
    const char *bytes = data;

    while (size && sink->error == FIRMWARE_OK) {
        size_t room = sink->room - sink->used, part = size < room ? size : room;

        for (size_t i = 0; i < part; i++)
            sink->buffer[sink->used + i] = bytes[i];
        sink->used += part;
        bytes += part;
        size -= part;
        if (sink->used == sink->room)
            file_flush(sink);
    }
    return sink->error == FIRMWARE_OK ? 0 : -1;
}

static void file_write(struct out *out, const char *text, size_t length)
{
    (void)file_sink_bytes((struct file_sink *)out, text, length); /* kept in sink->error */
}

void file_sink_open(struct file_sink *sink, struct firmware *fw, const char *path, void *buffer, size_t room)
{
    *sink = (struct file_sink){.out = {file_write}, .fw = fw, .buffer = buffer, .room = room};
    sink->error = fw->file_create(fw, path, &sink->file);
}

void file_sink_to(struct file_sink *sink, enum firmware_error (*take)(void *argument, const void *data, size_t size),
                  void *argument, void *buffer, size_t room)
{
    *sink = (struct file_sink){.out = {file_write}, .take = take, .argument = argument, .buffer = buffer, .room = room};
}

enum firmware_error file_sink_close(struct file_sink *sink)
{
    enum firmware_error error;

    file_flush(sink);
    error = sink->error;
    if (sink->file) {
        enum firmware_error close_error = sink->fw->file_close(sink->file, error == FIRMWARE_OK);
        if (error == FIRMWARE_OK)
            error = close_error;
    }
    sink->file = NULL;
    return error;
}

const char *firmware_error_text(enum firmware_error error)
{
    static const char *const texts[] = {
        [FIRMWARE_OK] = "no error",
        [FIRMWARE_NOT_FOUND] = "no such file",
        [FIRMWARE_READ_ONLY] = "the volume is write-protected",
        [FIRMWARE_FULL] = "the volume is full",
        [FIRMWARE_NO_VOLUME] = "no volume (network boot, or the stick was removed)",
        [FIRMWARE_TOO_LARGE] = "the file is too large",
        [FIRMWARE_NO_CORES] = "the firmware runs nothing on other cores (it has no MP Services)",
        [FIRMWARE_CORE_BUSY] = "an earlier run has not returned",
        [FIRMWARE_CORE_REFUSED] =
            "the firmware starts no cores for a program of the boot menu (MP Services: unsupported)",
        [FIRMWARE_NOT_RENAMED] = "the firmware could not finish or rename the file, whose name now ends with .new",
        [FIRMWARE_BAD_FOLDER] =
            "ibsboot's folder or a file on the volume is damaged; chkdsk or fsck.fat repairs the volume",
        [FIRMWARE_CORE_SILENT] = "no answer to INIT and STARTUP",
        [FIRMWARE_NO_TABLE] = "ACPI's table of cores is missing or damaged",
        [FIRMWARE_NO_LOW_MEMORY] = "no usable memory below 640 KB, or no local APIC",
        [FIRMWARE_NO_MEMORY] = "there is not enough memory",
        [FIRMWARE_NO_ANSWER] = "the boot server does not answer (TFTP)",
        [FIRMWARE_REFUSED] =
            "the boot server refuses the file (it must run in.tftpd -c, and be allowed to write its folder runs)",
        [FIRMWARE_NO_UPLOAD] =
            "this firmware cannot write over the network (iPXE cannot); start the image by the machine's own PXE",
        [FIRMWARE_DAMAGED] = "the boot server has files of this run that differ from those that were sent",
        [FIRMWARE_UNCONFIRMED] =
            "the boot server has not confirmed this run; it accepts a run when all of its files have arrived",
        [FIRMWARE_FAILED] = "the firmware reported an error",
    };

    if (error > FIRMWARE_AREA)
        return area_refusal_text((enum area_refusal)(error - FIRMWARE_AREA));
    return (unsigned)error < sizeof(texts) / sizeof(texts[0]) ? texts[error] : "unknown error";
}
