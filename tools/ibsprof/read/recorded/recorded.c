/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of perf as plain ones: header, attributes, records, and then the table of features with their contents. */
#include "tools/ibsprof/read/recorded/recorded.h"

#include "tools/ibsprof/read/recorded/recorded_inside.h"

#include "core/perfdata/perfdata_format.h"

enum { SIZE_AT = 8, PIPE_HEADER = 16 };

static bool is_perfdata(const struct input_file *file, uint64_t header_size)
{
    return file->size >= header_size && recorded_u64(file->bytes) == PERFDATA_MAGIC &&
           recorded_u64(file->bytes + SIZE_AT) == header_size;
}

bool recorded_make_plain(struct input *input)
{
    return !is_perfdata(&input->file, PIPE_HEADER) || recorded_of_pipe(input);
}
