/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs of a snippet (snippet_elf.h), identified by the parameters in run.ini: differences between the counts of two
 * bodies, and IBS samples by instruction of the snippet.
 */
#ifndef TOOLS_IBSPROF_SNIPPET_RUNS_H
#define TOOLS_IBSPROF_SNIPPET_RUNS_H

#include <stdio.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/counters/counts_csv.h"

enum { SNIPPET_BODIES = 4 /* bodies have smaller numbers */ };

/* Parameters of a run, and its files. */
struct snippet_run {
    char *path, *workload; /* to be freed */
    char *figures;         /* sentence on the origin of the figures; NULL: silicon */
    uint32_t loop, body, unroll, instructions;
    bool counted, sampled; /* has counts.csv; has perf.data */
};

/* An event in the runs of one body. */
struct snippet_count {
    uint16_t select;
    uint8_t mask, count_mask;
    char event[64];
    double mean; /* sum of the runs' means */
    uint64_t min, max;
    unsigned runs, repeats; /* number of runs that counted it; repeats in all runs */
};

struct snippet_side {
    unsigned runs;
    unsigned count;
    struct snippet_count event[COUNTS_CSV_ROWS];
};

/* Count of one instruction of the snippet. */
struct snippet_figure {
    double mean, least, most;
    bool spread; /* there were several repeats: least and most are the extremes of their differences */
};

/* Returns the cost of the instructions by which two bodies differ. */
struct snippet_figure snippet_figure_of(const struct snippet_count *more, const struct snippet_count *less,
                                        double instructions);

/* Adds a run's counts to its side. Returns false if counts.csv is missing or damaged. */
bool snippet_side_add(struct snippet_side *side, const char *path);

/* Prints the results of runs; each path is a run, or a folder of runs. */
enum exit_code snippet_runs_print(FILE *to, char *const *paths, int count);

/* Prints a run's IBS op samples by instruction of the snippet (snippet_samples.c). Returns false after a complaint. */
bool snippet_samples_print(FILE *to, const struct snippet_run *run);

#endif
