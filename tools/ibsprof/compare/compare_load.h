/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the runs to compare. */
#ifndef TOOLS_IBSPROF_COMPARE_LOAD_H
#define TOOLS_IBSPROF_COMPARE_LOAD_H

#include "tools/ibsprof/compare/compare.h"
#include "tools/ibsprof/profile/load.h"

/* Reads the runs of one side, from runs[].path. Moves copies to the end, after *ret_different others. Reads a single
 * run also as two halves: alternate slices of its time. Returns false after a complaint. compare_unload() frees
 * everything. */
bool compare_load(struct compare_run *runs, uint32_t count, const struct load_options *options,
                  uint32_t *ret_different);
void compare_unload(struct compare_run *runs, uint32_t count);

#endif
