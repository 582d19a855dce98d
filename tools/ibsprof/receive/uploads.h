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
    /* The folder of answers to machines (efi/receipt.c); NULL: nobody waits for any. With it only runs with sums.txt
     * are taken: a late request for begun.ini makes that empty while the other files are on their way. */
    const char *confirm;
    /* Called with the folder of each run that is on the disk; NULL: never. False after a complaint: a machine that
     * waits for an answer gets none, and the run is kept when it is taken the next time. */
    bool (*keep)(void *context, const char *folder);
    void *context;
};

/* Moves the finished runs in folder 'from', or with 'all' every run, to the new folders to/MAC/DATE-TIME/RUN. Prints
 * these folders, the unfinished runs, those that are not as they were sent, and what is left because it is no file of a
 * run. A run's folder gets its name when all of its files are in it, and never takes the place of what is there. A run
 * with sums.txt is taken once, however often it is sent and this program is killed. */
enum exit_code uploads_take(const struct uploads_order *order);

#endif
