/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs whose machine says what it has sent, and waits for an answer (efi/receipt.c). */
#ifndef TOOLS_IBSPROF_RECEIVE_SUMMED_H
#define TOOLS_IBSPROF_RECEIVE_SUMMED_H

#include "tools/ibsprof/receive/upload_files.h"

enum summed {
    SUMMED_OPEN,    /* sums.txt is not whole yet: the run stays there */
    SUMMED_TAKEN,   /* now or earlier, confirmed, and removed from the server */
    SUMMED_DAMAGED, /* a file is not as it was sent: the machine is told to send them again */
    SUMMED_FAILED,  /* something cannot be written; after a complaint */
};

/* Takes a run of which sums.txt is there: only the files in it, when all of them are right. */
enum summed summed_take(struct uploads *uploads, const struct uploaded_run *run);

#endif
