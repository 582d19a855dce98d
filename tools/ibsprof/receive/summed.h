/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs whose machine lists what it has sent, and waits for an answer (efi/receipt.c). */
#ifndef TOOLS_IBSPROF_RECEIVE_SUMMED_H
#define TOOLS_IBSPROF_RECEIVE_SUMMED_H

#include "tools/ibsprof/receive/upload_files.h"

enum summed {
    SUMMED_OPEN,    /* sums.txt is incomplete: the run stays on the server */
    SUMMED_TAKEN,   /* taken now or earlier, confirmed, and removed from the server */
    SUMMED_DAMAGED, /* a file differs from what was sent: the machine is told to send all again */
    SUMMED_FAILED,  /* writing failed, after a complaint */
};

/* Takes a run with sums.txt: only the files listed there, if all are right. */
enum summed summed_take(struct uploads *uploads, const struct uploaded_run *run);

#endif
