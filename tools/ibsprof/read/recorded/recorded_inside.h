/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of recorded.h: records of several files in a row, and what only a pipe's records say. */
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

/* Returns the size of the record at the start of 'left' bytes; 0: it is incomplete. */
static inline uint32_t recorded_size(const uint8_t *record, uint64_t left)
{
    uint32_t size = left >= RECORD_HEADER ? bytes_read16(record + 6) : 0;

    return size < RECORD_HEADER || size > left ? 0 : size;
}

/* Returns whether the file ends within the record at the start of its last 'left' bytes. */
static inline bool recorded_cut(const uint8_t *record, uint64_t left)
{
    return left > 0 && (left < RECORD_HEADER || bytes_read16(record + 6) > left);
}

/* Writes the records between two offsets of a file, after unpacking compressed ones. Leaves out a record cut off by the
 * file's end (input_note_cut). From the first invalid record on it copies bytes unchanged, for the reader to report.
 * Returns false with a line in input->error. */
bool recorded_put_records(struct spool *spool, struct input *input, const struct input_file *file, uint64_t begin,
                          uint64_t end, bool without_rounds);

/* Replaces the input's map by a plain file made from a pipe's records. */
bool recorded_of_pipe(struct input *input);

#endif
