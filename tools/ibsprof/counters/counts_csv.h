/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counts.csv of a run that counted events (config=count, config=explore): app/kinds/counters/count.c writes it, this
 * reads it.
 */
#ifndef TOOLS_IBSPROF_COUNTS_CSV_H
#define TOOLS_IBSPROF_COUNTS_CSV_H

#include <stdio.h>

#include "core/explore/explore.h"
#include "core/profile/counts.h"

enum { COUNTS_CSV_ROWS = 256 };

struct counts_csv_row {
    uint16_t select;
    uint8_t mask, count_mask;
    char event[64]; /* its symbol */
    struct counts_result result;
};

struct counts_csv {
    unsigned count;
    struct counts_csv_row row[COUNTS_CSV_ROWS];
};

/* Reads the counts.csv of a run, by what the run was read from (run_folder.h). False when there is none, or it is
 * damaged; what was read until then is kept. */
bool counts_csv_open(struct counts_csv *counts, const char *path);

/* Opens the counts of one core, from core-counts.csv of a run on several (rows of counts.csv, the core's number first).
 */
bool counts_csv_open_core(struct counts_csv *counts, const char *path, uint32_t core);

/* Fills in what General Exploration's tree of input->method is computed from (the IBS sums are the caller's). Returns
 * how many of its events the file has. */
unsigned counts_csv_explore(const struct counts_csv *counts, struct explore_input *input);

#endif
