/* SPDX-License-Identifier: BSD-2-Clause */
/* A file without a name in TMPDIR, written from front to back and then mapped: what does not come as a file is made
 * into one. */
#ifndef TOOLS_IBSPROF_SPOOL_H
#define TOOLS_IBSPROF_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/ibsprof/read/input_inside.h"

struct spool {
    FILE *file;    /* NULL: none could be made */
    uint64_t size; /* bytes put so far */
};

/* Makes an empty one. What fails here and in spool_put is reported by spool_map. */
struct spool spool_open(void);
void spool_put(struct spool *spool, const void *bytes, size_t size);
/* Writes again what was written. */
void spool_patch(struct spool *spool, uint64_t offset, const void *bytes, size_t size);
/* Puts all that can be read from a descriptor. False with a line in input->error. */
bool spool_fill(struct spool *spool, struct input *input, int descriptor);
/* Maps it in the place of what is mapped there, if something is, and ends the spool. False with a line in input->error.
 */
bool spool_map(struct spool *spool, struct input *input, struct input_file *file);
void spool_close(struct spool *spool);

#endif
