/* SPDX-License-Identifier: BSD-2-Clause */
/* The formats of 'ibsprof export', a file each; rows of the table in cmd_export.c. */
#ifndef TOOLS_IBSPROF_EXPORT_H
#define TOOLS_IBSPROF_EXPORT_H

#include <stdio.h>

#include "tools/ibsprof/read/input.h"

enum { PROGRESS_STEP = 4096 }; /* items between two looks at the clock */

/* Selects samples: csv has one kind at a time, for their columns differ. */
enum export_samples { EXPORT_ALL, EXPORT_OP, EXPORT_FETCH, EXPORT_EVENTS };

struct export
{
    const char *path; /* of the input, for progress */
    struct input *input;
    enum export_samples samples;
    FILE *output;
    bool progress;
    uint64_t items; /* read so far */
};

/* The choice that samples of a kind belong to, and whether they were asked for. */
static inline enum export_samples export_samples_of(uint32_t kind)
{
    return kind == SAMPLE_OP ? EXPORT_OP : kind == SAMPLE_FETCH ? EXPORT_FETCH : EXPORT_EVENTS;
}
static inline bool export_wants(const struct export *export, uint32_t kind)
{
    return export->samples == EXPORT_ALL || export->samples == export_samples_of(kind);
}

/* Each writes all of the input. Returns enum exit_code; what went wrong was said. */
typedef int export_fn(struct export *export);
export_fn export_csv, export_jsonl, export_perfdata;

/* The next sample that was asked for. 1: here it is. 0: no more. -1: an error that was said. */
int export_next(struct export *export, struct perfdata_item *item);

#endif
