/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside of recorded.h: records of one file after those of another, and what a pipe's records say beside them. */
#ifndef TOOLS_IBSPROF_RECORDED_INSIDE_H
#define TOOLS_IBSPROF_RECORDED_INSIDE_H

#include <string.h>

#include "tools/ibsprof/read/recorded/spool.h"

/* Numbers of the record header: u32 type, u16 misc, u16 size. */
enum { RECORD_HEADER = 8 };

static inline uint64_t recorded_u64(const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

static inline uint32_t recorded_type(const uint8_t *record)
{
    uint32_t type;

    memcpy(&type, record, sizeof(type));
    return type;
}

/* Returns the size of the record at the beginning of 'left' bytes; 0: there is no whole one. */
static inline uint32_t recorded_size(const uint8_t *record, uint64_t left)
{
    uint16_t size = 0;

    if (left >= RECORD_HEADER)
        memcpy(&size, record + 6, sizeof(size));
    return size < RECORD_HEADER || size > left ? 0 : size;
}

/* Puts the records between two offsets of a file, those that are compressed unpacked. From the first that is no whole
 * record on they are put as they are: the reader says what is wrong. False with a line in input->error. */
bool recorded_put_records(struct spool *spool, struct input *input, const struct input_file *file, uint64_t begin,
                          uint64_t end, bool without_rounds);

/* Maps a plain file made of a pipe's records in the place of the input's. */
bool recorded_of_pipe(struct input *input);

#endif
