/* SPDX-License-Identifier: BSD-2-Clause */
/* Says between the passes of a run that takes longer than a second how far it is: "pass 3 of 12, about 9 s left". The
 * line is written over itself, and gone at the end. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "app/base/sinks.h"
#include "app/run/run.h"

struct progress {
    struct console *console;
    const struct run *run;
    void (*next)(void *argument, unsigned pass); /* who was told of passes before; NULL: nobody */
    void *argument;
    unsigned first;       /* pass of which was told; 0: none yet */
    uint64_t begun, told; /* that pass, and milliseconds after it */
    unsigned width;       /* of the line that is there */
};

/* Begins to be told of the run's passes, and tells who was told before. *progress must stay until progress_end(). */
void progress_begin(struct progress *progress, struct console *console, struct run *run);
void progress_end(struct progress *progress);

#endif
