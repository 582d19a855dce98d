/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads all items in one thread, and samples the fast way. */
#ifndef TOOLS_IBSPROF_INPUT_SAMPLES_H
#define TOOLS_IBSPROF_INPUT_SAMPLES_H

#include "tools/ibsprof/read/input.h"

enum { INPUT_SAMPLES_AT_ONCE = 128 };

/* Zeroed, with an input at its first item: the beginning. */
struct input_samples {
    struct perfdata_plain plain[INPUT_SAMPLES_AT_ONCE];
    uint32_t count, next;
    bool slow;                           /* set by the caller: each item is in 'item', including samples */
    const struct perfdata_plain *sample; /* the present sample; NULL: 'item' is present */
    struct perfdata_item item;
};

/* Moves to the next item. Returns false at the end, or after an error (input_error). */
bool input_samples_next(struct input *input, struct input_samples *samples);

#endif
