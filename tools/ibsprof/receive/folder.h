/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Folders of runs that are received: each file that is complete under its name, and of an incomplete run the lines that
 * were in order, in received.lines, from which the next 'ibsprof receive' goes on.
 */
#ifndef TOOLS_IBSPROF_RECEIVE_FOLDER_H
#define TOOLS_IBSPROF_RECEIVE_FOLDER_H

#include "tools/ibsprof/receive/collect.h"

/* Takes up what earlier calls left below 'to'. */
void received_resume(struct collection *collection, const char *to);

/* Writes what there is of the run into a folder below 'to', which it makes: of the run's name, and where that is
 * another run's, of its name and number. False after a line: something could not be written. *ret_folder is to be
 * freed. */
bool received_write(const struct received_run *run, const char *to, char **ret_folder);

#endif
