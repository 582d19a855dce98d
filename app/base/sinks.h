/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the application's text to the console (a screen at a time if paging is on) or to files. */
#ifndef APP_SINKS_H
#define APP_SINKS_H

#include "app/base/firmware.h"
#include "core/base/out.h"

/* Minimum width for which text is laid out. Narrower screens, and pages, wrap longer lines and indent the rest. */
enum { CONSOLE_COLUMNS = 80 };

struct console {
    struct out out;
    struct firmware *fw;
    bool paging;  /* stop after each full screen and wait for a key */
    bool skip;    /* the user pressed 'q': skip text up to console_new_page() */
    unsigned row; /* lines on the screen since the last stop */
    unsigned column;
    struct keys keys; /* incomplete key sequence of a terminal */
};

void console_init(struct console *console, struct firmware *fw);
/* Returns a character or an enum key, after combining a terminal's sequences; KEY_NONE: no key came within
 * timeout_ms. */
int console_key(struct console *console, uint32_t timeout_ms);
/* Keeps the screen readable for so many seconds, or until a key, and says so: firmware clears it, or shows its menu, as
 * soon as this program ends. 0: returns at once. */
void console_hold(struct console *console, uint64_t seconds);
/* Starts a new text: restarts the line count and stops skipping. */
void console_new_page(struct console *console);

/* Collects small writes for a file; keeps the first error and stops writing. */
struct file_sink {
    struct out out;
    struct firmware *fw;
    struct firmware_file *file;
    /* Gets the bytes instead of a file; NULL: unused. */
    enum firmware_error (*take)(void *argument, const void *data, size_t size);
    enum firmware_error error;
    char *buffer; /* saves calls: the firmware's USB drivers are slow for each call, not for each byte */
    size_t room, used;
    void (*progress)(void *argument); /* called after each FILE_SINK_STEP bytes; NULL: unused */
    void *argument;                   /* for take() and progress() */
    size_t step;                      /* bytes since the last call of progress() */
};

enum { FILE_SINK_STEP = 1 << 20 };

/* Creates a file and its sink, which collects up to 'room' bytes in 'buffer'. On failure, sink->error says why, and
 * later writes do nothing. */
void file_sink_open(struct file_sink *sink, struct firmware *fw, const char *path, void *buffer, size_t room);
/* Makes a sink that passes its bytes to take(), up to 'room' at a time, and none after an error. */
void file_sink_to(struct file_sink *sink, enum firmware_error (*take)(void *argument, const void *data, size_t size),
                  void *argument, void *buffer, size_t room);
/* Flushes the file and renames it to its final name. Returns the first error since the file was opened. */
enum firmware_error file_sink_close(struct file_sink *sink);
/* Writes bytes unchanged, for perf.data. Returns 0, or -1 after an error. */
int file_sink_bytes(struct file_sink *sink, const void *data, size_t size);

#endif
