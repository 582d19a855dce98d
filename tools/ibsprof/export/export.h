/* SPDX-License-Identifier: BSD-2-Clause */
/* Formats of 'ibsprof export', a file each; rows of the table in cmd_export.c. */
#ifndef TOOLS_IBSPROF_EXPORT_H
#define TOOLS_IBSPROF_EXPORT_H

#include <stdio.h>

#include "tools/ibsprof/read/input.h"

/* Selects samples: csv has one kind at a time, because their columns differ. */
enum export_samples { EXPORT_ALL, EXPORT_OP, EXPORT_FETCH, EXPORT_EVENTS };

struct export
{
    struct input *input;
    enum export_samples samples;
    FILE *output;
};

/* Return the selection to which samples of a kind belong, and whether they are wanted. */
static inline enum export_samples export_samples_of(uint32_t kind)
{
    return kind == SAMPLE_OP ? EXPORT_OP : kind == SAMPLE_FETCH ? EXPORT_FETCH : EXPORT_EVENTS;
}
static inline bool export_wants(const struct export *export, uint32_t kind)
{
    return export->samples == EXPORT_ALL || export->samples == export_samples_of(kind);
}

/* Write all of the input. Return an enum exit_code, after a complaint if not EXIT_DONE. */
typedef int export_fn(struct export *export);
export_fn export_csv, export_jsonl, export_perfdata;

/* Reads the next wanted sample. Returns 1: read; 0: no more; -1: error, after a complaint. */
int export_next(struct export *export, struct perfdata_item *item);

#endif
