/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/terminal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/pager.h"
#include "tools/ibsprof/base/process.h"
#include "tools/ibsprof/base/shown.h"

void complain(const char *format, ...)
{
    va_list args;
    char *text, *line;

    progress_end();
    va_start(args, format);
    text = must_text_of(format, args);
    va_end(args);
    line = shown_text(text);
    fprintf(stderr, "ibsprof: %s\n", shown_plain(line));
    free(line);
    free(text);
}

bool colour_allowed(int fd)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(fd == STDOUT_FILENO ? pager_terminal() : fd) && (!no_color || no_color[0] == '\0') &&
           (!term || strcmp(term, "dumb") != 0);
}

unsigned terminal_columns(unsigned least, unsigned most)
{
    struct winsize size;

    if (pager_terminal() < 0 || ioctl(pager_terminal(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 0;
    return size.ws_col < least ? least : size.ws_col > most ? most : size.ws_col;
}

static struct process_progress *const progressed = &process.progress;

void progress(const char *what, uint64_t done, uint64_t all)
{
    struct timespec now;

    if (!isatty(STDERR_FILENO) || all == 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (done < progressed->last || progressed->begun.tv_sec == 0)
        progressed->begun = now;
    progressed->last = done;
    if ((now.tv_sec - progressed->begun.tv_sec) * 1000000000L + now.tv_nsec - progressed->begun.tv_nsec < 500000000L ||
        progressed->shown_s == now.tv_sec)
        return;
    progressed->shown_s = now.tv_sec;
    fprintf(stderr, "\ribsprof: %s: %" PRIu64 " %%\033[K", what, done * 100 / all);
    progressed->shown = true;
}

void progress_end(void)
{
    if (progressed->shown)
        fputs("\r\033[K", stderr);
    progressed->shown = false;
}
