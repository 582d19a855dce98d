/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside of recorded.h: records of one file after those of another, and what a pipe's records say beside them. */
#ifndef TOOLS_IBSPROF_RECORDED_INSIDE_H
#define TOOLS_IBSPROF_RECORDED_INSIDE_H

#include <string.h>

#include "core/base/bytes.h"
#include "tools/ibsprof/read/recorded/spool.h"

/* Sizes of a record's header (u32 type, u16 misc, u16 size), and of a pipe's. */
enum { RECORD_HEADER = 8, PIPE_HEADER = 16 };

static inline uint32_t recorded_type(const uint8_t *record)
{
    return bytes_read32(record);
}

/* Returns the size of the record at the beginning of 'left' bytes; 0: there is no whole one. */
static inline uint32_t recorded_size(const uint8_t *record, uint64_t left)
{
    uint32_t size = left >= RECORD_HEADER ? bytes_read16(record + 6) : 0;

    return size < RECORD_HEADER || size > left ? 0 : size;
}

/* Is the record at the beginning of the last 'left' bytes of a file cut off? */
static inline bool recorded_cut(const uint8_t *record, uint64_t left)
{
    return left > 0 && (left < RECORD_HEADER || bytes_read16(record + 6) > left);
}

/* Puts the records between two offsets of a file, those that are compressed unpacked. A record that the file's
 * end cuts off is noted (input_note_cut) and left out. From the first on that is none they are put as they are: the
 * reader says what is wrong. False with a line in input->error. */
bool recorded_put_records(struct spool *spool, struct input *input, const struct input_file *file, uint64_t begin,
                          uint64_t end, bool without_rounds);

/* Maps a plain file made of a pipe's records in the place of the input's. */
bool recorded_of_pipe(struct input *input);

#endif
