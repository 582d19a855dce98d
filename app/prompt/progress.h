/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints between passes how far a run of more than a second is: "pass 3 of 12, about 9 s left". The line is overwritten
 * each time, and erased at the end. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "app/base/sinks.h"
#include "app/run/run.h"

struct progress {
    struct console *console;
    const struct run *run;
    void (*next)(void *argument, unsigned pass); /* earlier listener, called as well; NULL: none */
    void *argument;
    unsigned first;       /* first observed pass; 0: none yet */
    uint64_t begun, told; /* start of that pass; milliseconds from it to the last line */
    unsigned width;       /* width of the printed line */
};

/* Listens to the run's passes, and calls the earlier listener too. *progress must stay valid until progress_end(). */
void progress_begin(struct progress *progress, struct console *console, struct run *run);
void progress_end(struct progress *progress);

#endif
