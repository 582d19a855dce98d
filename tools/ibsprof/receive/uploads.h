/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs that machines have written to a boot server's folder by TFTP, as files "MAC,DATE-TIME-NUMBER,RUN,NAME"
 * (efi/upload.c). Anyone who reaches the server can choose these names: each part is accepted only if a run can have
 * it.
 */
#ifndef TOOLS_IBSPROF_RECEIVE_UPLOADS_H
#define TOOLS_IBSPROF_RECEIVE_UPLOADS_H

#include <stdbool.h>

#include "tools/ibsprof/base/terminal.h"

struct uploads_order {
    const char *from, *to; /* folders; 'to' is made */
    bool all;              /* unfinished runs, too */
    /* Folder of answers to machines (efi/receipt.c); NULL: none wait. With it only runs with sums.txt are taken: a late
     * request for begun.ini empties that while other files are on their way. */
    const char *confirm;
    /* Called with the folder of each run on the disk; NULL: never. If it returns false, after a complaint, a waiting
     * machine gets no answer, and the run is kept when it is taken the next time. */
    bool (*keep)(void *context, const char *folder);
    void *context;
};

/* Moves the finished runs in folder 'from', or with 'all' every run, to new folders to/MAC/DATE-TIME/RUN. Prints these
 * folders, unfinished runs, damaged ones, and files that belong to no run. A run's folder gets its name when all files
 * are in it, and never replaces anything. A run with sums.txt is taken once, however often it is sent and this program
 * is killed. */
enum exit_code uploads_take(const struct uploads_order *order);

#endif
