/* SPDX-License-Identifier: BSD-2-Clause */
/* An unnamed file in TMPDIR that is written from front to back and then mapped: turns a stream into a file. */
#ifndef TOOLS_IBSPROF_SPOOL_H
#define TOOLS_IBSPROF_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/ibsprof/read/input_inside.h"

struct spool {
    FILE *file;    /* NULL: it could not be made */
    uint64_t size; /* bytes written */
};

/* Makes an empty file. spool_map() reports errors of this function and of spool_put(). */
struct spool spool_open(void);
void spool_put(struct spool *spool, const void *bytes, size_t size);
/* Overwrites earlier bytes. */
void spool_patch(struct spool *spool, uint64_t offset, const void *bytes, size_t size);
/* Appends everything from a descriptor. Returns false with a line in input->error. */
bool spool_fill(struct spool *spool, struct input *input, int descriptor);
/* Maps the file, in place of any earlier map, and ends the spool. Returns false with a line in input->error. */
bool spool_map(struct spool *spool, struct input *input, struct input_file *file);
void spool_close(struct spool *spool);

#endif
