/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs in a tar: IBSRUNS.TAR of a stick, or any tar of runs' folders. "IBSRUNS.TAR" means all of them,
 * "IBSRUNS.TAR:0003" or "IBSRUNS.TAR:0003-matmul-classic-ibs" one. Their files are unpacked into a new folder in
 * TMPDIR, which is removed when the program ends, however it ends.
 */
#ifndef TOOLS_IBSPROF_RUN_ARCHIVE_H
#define TOOLS_IBSPROF_RUN_ARCHIVE_H

#include <stdbool.h>

#include "tools/ibsprof/base/options.h"

/* Returns whether an operand means a tar, or a run in one, instead of an ordinary path. */
bool run_archive_is(const char *operand);

/* Replaces such operands by folders. Returns false after a complaint if one of them is unreadable. */
bool run_archives_open(int count, char **operands);

/* Calls options_read(), then run_archives_open() for the operands; "-" is standard input. */
bool run_operands_read(const struct option_table *table, int *argc, char ***argv, void *settings,
                       enum exit_code *ret_code);

/* Returns whether a damaged archive was read in part. */
bool run_archives_damaged(void);

#endif
