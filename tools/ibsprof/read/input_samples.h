/* SPDX-License-Identifier: BSD-2-Clause */
/* Items one after the other, of which samples come the fast way: for what reads all samples in one thread. */
#ifndef TOOLS_IBSPROF_INPUT_SAMPLES_H
#define TOOLS_IBSPROF_INPUT_SAMPLES_H

#include "tools/ibsprof/read/input.h"

enum { INPUT_SAMPLES_AT_ONCE = 128 };

/* All zeros, and an input at its first item: at the beginning. */
struct input_samples {
    struct perfdata_plain plain[INPUT_SAMPLES_AT_ONCE];
    uint32_t count, next;
    bool slow;                           /* set by the caller: each item is in 'item', samples as well */
    const struct perfdata_plain *sample; /* the item, when it is a sample; else NULL, and it is 'item' */
    struct perfdata_item item;
};

/* Goes to the next item. False: there is none, or an error (input_error). */
bool input_samples_next(struct input *input, struct input_samples *samples);

#endif
