/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs in a tar: IBSRUNS.TAR of a stick, or any tar of runs' folders. "IBSRUNS.TAR" stands for all of them,
 * "IBSRUNS.TAR:0003" and "IBSRUNS.TAR:0003-matmul-classic-ibs" for one. Their files are taken out into a folder of its
 * own in TMPDIR, which is gone when the program ends, however it ends.
 */
#ifndef TOOLS_IBSPROF_RUN_ARCHIVE_H
#define TOOLS_IBSPROF_RUN_ARCHIVE_H

#include <stdbool.h>

#include "tools/ibsprof/base/options.h"

/* An operand that means a tar, or a run in one; anything else is an ordinary path. */
bool run_archive_is(const char *operand);

/* Puts folders in the place of such operands. False after a complaint: one of them cannot be read at all. */
bool run_archives_open(int count, char **operands);

/* options_read(), and then this with the operands; "-" is standard input. */
bool run_operands_read(const struct option_table *table, int *argc, char ***argv, void *settings,
                       enum exit_code *ret_code);

/* One of them was damaged, and was read in part. */
bool run_archives_damaged(void);

#endif
