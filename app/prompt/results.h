/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps the reports of this boot's runs in memory for reading and comparing: there may be no writable volume. */
#ifndef APP_RESULTS_H
#define APP_RESULTS_H

#include "app/run/run.h"

enum { RESULTS_MAX = 32, RESULTS_BYTES_MAX = 2 << 20, RESULTS_NAME_MAX = 63 };

struct result {
    char name[RESULTS_NAME_MAX + 1]; /* folder's name, or workload and configuration */
    char *text;                      /* report; NULL: memory was short */
    size_t length;                   /* bytes of the text */
    size_t size;                     /* bytes of text, heat and figures */
    uint8_t *heat;                   /* heat of each text line; NULL: no line has any */
    struct figures *figures;         /* for comparisons; NULL: memory was short */
    uint64_t ms;
    bool good, saved;
};

struct results {
    struct firmware *fw;
    bool wanted;   /* the user may ask for results */
    bool instead;  /* reports are shown later instead of printed after each run */
    unsigned left; /* number of oldest results dropped */
    unsigned count;
    size_t bytes;
    struct result row[RESULTS_MAX]; /* oldest first */
};

/* Keeps the text that report() prints, under the run's folder name, or workload and configuration if it has none; calls
 * report() twice. Drops the oldest results if space is short. Returns the new row, whose text is missing after a line
 * in 'problems'; NULL: results are not wanted. */
struct result *results_add(struct results *results, const struct run *run,
                           void (*report)(struct out *out, const struct run *run), struct out *problems);

void results_release(struct results *results);

#endif
