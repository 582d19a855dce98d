/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs that machines have written to a boot server's folder by TFTP, as files "MAC,DATE-TIME-NUMBER,RUN,NAME"
 * (efi/upload.c). Whoever reaches the server chooses these names: of each, only what a run can be called is taken.
 */
#ifndef TOOLS_IBSPROF_RECEIVE_UPLOADS_H
#define TOOLS_IBSPROF_RECEIVE_UPLOADS_H

#include <stdbool.h>

#include "tools/ibsprof/base/terminal.h"

struct uploads_order {
    const char *from, *to; /* folders; 'to' is made */
    bool all;              /* unfinished runs, too */
};

/* Moves the finished runs in folder 'from', or with 'all' every run, to the new folders to/MAC/DATE-TIME/RUN. Prints
 * these folders, the unfinished runs, and what is left because it is no file of a run. A run's folder gets its name
 * when all of its files are in it, and never takes the place of what is there. */
enum exit_code uploads_take(const struct uploads_order *order);

#endif
