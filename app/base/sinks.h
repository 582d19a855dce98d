/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the application's text goes: the console (a screen at a time when paging is on), or files. */
#ifndef APP_SINKS_H
#define APP_SINKS_H

#include "app/base/firmware.h"
#include "core/base/out.h"

/* Text is made for screens from this width on. On narrower screens, and on pages, longer lines wrap and are indented.
 */
enum { CONSOLE_COLUMNS = 80 };

struct console {
    struct out out;
    struct firmware *fw;
    bool paging;  /* stop after each screen and wait for a key */
    bool skip;    /* the rest up to console_new_page() was declined with 'q' */
    unsigned row; /* lines since the last stop, as they are on the screen */
    unsigned column;
    struct keys keys; /* a sequence of a terminal that has begun */
};

void console_init(struct console *console, struct firmware *fw);
/* Returns a character or an enum key, a terminal's sequences put together; KEY_NONE: nothing in timeout_ms. */
int console_key(struct console *console, uint32_t timeout_ms);
/* Says that what is on the screen stays for so many seconds, or until a key: firmware clears it, or shows its menu, as
 * soon as this program ends. 0: not at all. */
void console_hold(struct console *console, uint64_t seconds);
/* Starts a new text: the line count restarts and text is no longer skipped. */
void console_new_page(struct console *console);

/* Collects small writes for a file; an error stops writing and is kept. */
struct file_sink {
    struct out out;
    struct firmware *fw;
    struct firmware_file *file;
    enum firmware_error (*take)(void *argument, const void *data, size_t size); /* instead of a file; NULL: not */
    enum firmware_error error;
    char *buffer; /* the firmware's drivers of USB sticks are slow for each call, not for each byte */
    size_t room, used;
    void (*progress)(void *argument); /* called after each FILE_SINK_STEP bytes; NULL: not */
    void *argument;                   /* of both */
    size_t step;                      /* bytes since the last call */
};

enum { FILE_SINK_STEP = 1 << 20 };

/* Creates path and its sink, which collects up to 'room' bytes in 'buffer'; on failure sink->error says why and writing
 * does nothing. */
void file_sink_open(struct file_sink *sink, struct firmware *fw, const char *path, void *buffer, size_t room);
/* Makes a sink whose bytes go elsewhere: take() gets up to 'room' of them at a time, and none after an error. */
void file_sink_to(struct file_sink *sink, enum firmware_error (*take)(void *argument, const void *data, size_t size),
                  void *argument, void *buffer, size_t room);
/* Flushes, renames to the final name; the error of the whole life of the file. */
enum firmware_error file_sink_close(struct file_sink *sink);
/* Bytes as they are, for perf.data. Returns 0, or -1 after an error. */
int file_sink_bytes(struct file_sink *sink, const void *data, size_t size);

#endif
