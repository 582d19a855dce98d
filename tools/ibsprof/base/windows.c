/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/windows.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"

enum { UNUSED_MOST = 8 };

struct window {
    uint8_t *bytes;
    uint64_t begin, end; /* offsets in the file; equal: empty */
    unsigned held;
    uint64_t let; /* when it was let go of; 0: this copy never was */
};

struct windows {
    int file;
    uint32_t size;
    unsigned count;
    unsigned unused; /* copies never held, and requests for bytes without a copy, less those with one */
    uint64_t now;    /* counts windows let go of */
    struct window each[];
};

struct windows *windows_new(int file, unsigned count, uint32_t size)
{
    struct windows *windows = must_alloc(1, sizeof(*windows) + count * sizeof(windows->each[0]));

    windows->file = file;
    windows->size = size;
    windows->count = file < 0 ? 0 : count;
    for (unsigned i = 0; i < windows->count; i++)
        windows->each[i].bytes = must_alloc(size, 1);
    return windows;
}

void windows_free(struct windows *windows)
{
    for (unsigned i = 0; windows && i < windows->count; i++)
        free(windows->each[i].bytes);
    free(windows);
}

/* Returns whether to overwrite a window rather than another: the one let go of last, which is in the caches; one that
 * is empty; then the one with the earliest bytes. */
static bool is_better(const struct window *window, const struct window *other)
{
    return window->let != other->let ? window->let > other->let : window->end < other->end;
}

static struct window *find_free(struct windows *windows)
{
    struct window *found = NULL;

    for (unsigned i = 0; i < windows->count; i++) {
        struct window *window = &windows->each[i];

        if (window->held == 0 && (!found || is_better(window, found)))
            found = window;
    }
    return found;
}

/* Copies bytes into an empty window. Returns whether all of them are there. */
static bool fill(int file, struct window *window, uint64_t end)
{
    uint64_t at = window->begin;
    ssize_t got = 1;

    while (at < end && (got = pread(file, window->bytes + (at - window->begin), end - at, (off_t)at)) > 0)
        at += (uint64_t)got;
    if (got <= 0)
        return false;
    window->end = end;
    return true;
}

const uint8_t *windows_read(struct windows *windows, uint64_t at, uint64_t end)
{
    struct window *window = windows->unused < UNUSED_MOST ? find_free(windows) : NULL;

    if (!window)
        return NULL;
    windows->unused += window->begin < window->end && window->let == 0;
    *window = (struct window){.bytes = window->bytes, .begin = at, .end = at};
    return fill(windows->file, window, end - at < windows->size ? end : at + windows->size) ? window->bytes : NULL;
}

const uint8_t *windows_hold(struct windows *windows, uint64_t begin, uint64_t end)
{
    for (unsigned i = 0; i < windows->count; i++) {
        struct window *window = &windows->each[i];

        if (window->begin <= begin && end <= window->end) {
            window->held++;
            windows->unused -= windows->unused > 0;
            return window->bytes + (begin - window->begin);
        }
    }
    windows->unused++;
    return NULL;
}

void windows_let(struct windows *windows, const uint8_t *bytes)
{
    for (unsigned i = 0; bytes && i < windows->count; i++) {
        struct window *window = &windows->each[i];

        if (window->bytes <= bytes && bytes < window->bytes + windows->size && --window->held == 0)
            window->let = ++windows->now;
    }
}
