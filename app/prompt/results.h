/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the reports of this boot's runs in memory, to be read again and compared: a volume may not be there, or not be
 * written. */
#ifndef APP_RESULTS_H
#define APP_RESULTS_H

#include "app/run/run.h"

enum { RESULTS_MAX = 32, RESULTS_BYTES_MAX = 2 << 20, RESULTS_NAME_MAX = 63 };

struct result {
    char name[RESULTS_NAME_MAX + 1]; /* of its folder, or of workload and configuration */
    char *text;                      /* NULL: there was no memory */
    size_t length;                   /* of the text */
    size_t size;                     /* bytes, with what is kept beside the text */
    uint8_t *heat;                   /* of each line of the text; NULL: none has any */
    struct figures *figures;         /* to be compared; NULL: there was no memory */
    uint64_t ms;
    bool good, saved;
};

struct results {
    struct firmware *fw;
    bool wanted;   /* someone may ask for them */
    bool instead;  /* they are shown instead of being printed at the end of a run */
    unsigned left; /* older ones that gave way */
    unsigned count;
    size_t bytes;
    struct result row[RESULTS_MAX]; /* the oldest first */
};

/* Keeps what report() prints of the run, under the name of its folder, or if it has none of what was run. report() is
 * called twice. The oldest give way. Returns the new row, without a text after a line in 'problems'; NULL: they are
 * not wanted. */
struct result *results_add(struct results *results, const struct run *run,
                           void (*report)(struct out *out, const struct run *run), struct out *problems);

void results_release(struct results *results);

#endif
