/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside of the input: what the readers of the formats share. */
#ifndef TOOLS_IBSPROF_INPUT_INSIDE_H
#define TOOLS_IBSPROF_INPUT_INSIDE_H

#include "tools/ibsprof/read/ibs_layout.h"
#include "tools/ibsprof/read/input.h"
#include "tools/ibsprof/read/run_ini.h"

enum { INPUT_ERROR_MAX = 640, INPUT_CUT_MAX = 240, INPUT_RELEASE_STEP = 4 << 20 };

/* A file, mapped. */
struct input_file {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t released; /* pages before it were given back */
    uint64_t held;     /* those from here on must not be */
    uint64_t asked;    /* the disk was told to read up to here */
};

struct input {
    struct input_facts facts;
    struct input_file file;
    bool whole_order; /* its records have no rounds, and any of them may be the first: all are looked through */
    char *path;       /* as given */
    char *file_path;  /* of what is mapped: path, or perf.data in it */
    struct run_ini ini;
    struct input_event *events;
    struct ibs_layout layout; /* of its IBS samples */
    char error[INPUT_ERROR_MAX];
    char cut[INPUT_CUT_MAX]; /* the file was cut short: how much of it is there; "": it is whole, as far as is known */
    bool (*next)(struct input *input, struct perfdata_item *ret_item);
    uint32_t (*next_plain)(struct input *input, struct perfdata_plain *samples, uint32_t count); /* NULL: none ever */
    bool (*next_stretch)(struct input *input, uint64_t *ret_begin, uint64_t *ret_end);           /* the same */
    bool stretches;                                                                              /* are wanted */
    const struct perfdata_reader *perfdata;                                                      /* for next_stretch */
    void (*rewind)(struct input *input);
    void (*close)(struct input *input);
    uint64_t (*position)(const struct input *input);
    void *reader; /* of the format */
};

/* Maps a file with something in it. False with a line in input->error. */
bool input_map(struct input *input, const char *path, struct input_file *ret_file);

/* Each fills in the facts and the functions. False with a line in input->error. */
bool input_open_perfdata(struct input *input);
bool input_open_toolkit(struct input *input);

/* Is it one of the toolkit's files? Which, says *ret_format. */
bool input_is_toolkit(const struct input_file *file, enum input_format *ret_format);

/* "FILE: offset N: text" into input->error; returns false. offset UINT64_MAX: none. */
bool input_fail(struct input *input, uint64_t offset, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Notes in input->cut that something is missing, unless another thing was noted before. */
void input_note_cut(struct input *input, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Nothing before this offset will be looked at soon: gives pages back when there are enough of them. */
void input_release(struct input_file *file, uint64_t offset);

#endif
