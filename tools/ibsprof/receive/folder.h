/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folders of received runs: each complete file under its name, and for an incomplete run its good lines in
 * received.lines, from which the next 'ibsprof receive' continues.
 */
#ifndef TOOLS_IBSPROF_RECEIVE_FOLDER_H
#define TOOLS_IBSPROF_RECEIVE_FOLDER_H

#include "tools/ibsprof/receive/collect.h"

/* Reads what earlier calls left below 'to'. */
void received_resume(struct collection *collection, const char *to);

/* Writes the run's present parts into a new folder below 'to', named after the run, or, if another run has that name,
 * after name and number. Returns false after a line if writing failed. *ret_folder is to be freed. */
bool received_write(const struct received_run *run, const char *to, char **ret_folder);

#endif
