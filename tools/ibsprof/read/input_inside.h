/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the input, shared by the readers of its formats. */
#ifndef TOOLS_IBSPROF_INPUT_INSIDE_H
#define TOOLS_IBSPROF_INPUT_INSIDE_H

#include "tools/ibsprof/base/windows.h"
#include "tools/ibsprof/read/ibs_layout.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/read/run_ini.h"

enum { INPUT_ERROR_MAX = 640, INPUT_CUT_MAX = 240, INPUT_RELEASE_STEP = 4 << 20 };

/* A mapped file. */
struct input_file {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t released; /* offset before which pages were released */
    uint64_t held;     /* offset from which pages must stay */
    uint64_t asked;    /* offset up to which reading ahead was requested */
    int descriptor;    /* of the open file; below 0: none */
};

struct input {
    struct input_facts facts;
    struct input_file file;
    bool whole_order; /* the records have no rounds, and any may be the first: read all of them before sorting */
    char *path;       /* as given */
    char *file_path;  /* path of the mapped file: 'path', or perf.data in it */
    struct run_ini ini;
    struct input_event *events;
    struct ibs_layout layout; /* of its IBS samples */
    char error[INPUT_ERROR_MAX];
    char cut[INPUT_CUT_MAX]; /* how much of a file that was cut off is left; "": complete, as far as is known */
    bool (*next)(struct input *input, struct perfdata_item *ret_item);
    uint32_t (*next_plain)(struct input *input, struct perfdata_plain *samples, uint32_t count); /* NULL: never any */
    bool (*next_stretch)(struct input *input, uint64_t *ret_begin, uint64_t *ret_end);           /* NULL: never any */
    struct windows *windows;                /* copies of stretches; NULL: caller does not want stretches */
    const struct perfdata_reader *perfdata; /* for next_stretch */
    void (*rewind)(struct input *input);
    void (*close)(struct input *input);
    uint64_t (*position)(const struct input *input); /* bytes read of facts.file_size */
    uint64_t shown;                                  /* position when progress was shown; UINT64_MAX: never shown */
    void *reader;                                    /* state of the format's reader */
};

/* Maps a file that is not empty. Returns false with a line in input->error. */
bool input_map(struct input *input, const char *path, struct input_file *ret_file);
void input_unmap(struct input_file *file);
/* Closes the file, which stays mapped: there will be no copies of it. */
void input_close_descriptor(struct input_file *file);

/* Set the facts and the functions. Return false with a line in input->error. */
bool input_open_perfdata(struct input *input);
bool input_open_toolkit(struct input *input);

/* Returns whether this is a file of the toolkit, and its format. */
bool input_is_toolkit(const struct input_file *file, enum input_format *ret_format);

/* Writes "FILE: offset N: text" to input->error and returns false. offset UINT64_MAX: none. */
bool input_fail(struct input *input, uint64_t offset, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Notes in input->cut that something is missing, unless it has a note. */
void input_note_cut(struct input *input, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Shows on a terminal how far the file was read. */
void input_show_progress(struct input *input);

/* Releases pages before this offset, which are not needed soon, once there are enough. */
void input_release(struct input_file *file, uint64_t offset);

#endif
