/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the runs that are compared. */
#ifndef TOOLS_IBSPROF_COMPARE_LOAD_H
#define TOOLS_IBSPROF_COMPARE_LOAD_H

#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/profile/load.h"

/* The runs of one side; paths are in runs[].path. Copies go after the others, which *ret_different counts. A single
 * run is also read as two halves: alternate slices of its time. False after a complaint. What was read is
 * freed by compare_unload. */
bool compare_load(struct compare_run *runs, uint32_t count, const struct load_options *options,
                  uint32_t *ret_different);
void compare_unload(struct compare_run *runs, uint32_t count);

#endif
