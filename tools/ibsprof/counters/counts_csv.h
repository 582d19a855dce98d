/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads counts.csv of a run that counted events (config=count, config=explore), as app/kinds/counters/count.c writes
 * it.
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
    char event[64]; /* symbol */
    struct counts_result result;
};

struct counts_csv {
    unsigned count;
    struct counts_csv_row row[COUNTS_CSV_ROWS];
};

/* Reads the counts.csv beside a run's input (run_folder.h). Returns false if there is none, or it is damaged; rows
 * before the damage are kept. */
bool counts_csv_open(struct counts_csv *counts, const char *path);

/* Reads the counts of one core from core-counts.csv of a run on several: rows of counts.csv after the core's number. */
bool counts_csv_open_core(struct counts_csv *counts, const char *path, uint32_t core);

/* Sets the counts for General Exploration's tree of input->method; the caller sets the IBS sums. Returns how many of
 * its events the file has. */
unsigned counts_csv_explore(const struct counts_csv *counts, struct explore_input *input);

#endif
