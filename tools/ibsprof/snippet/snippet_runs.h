/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs of a snippet (snippet_elf.h), known by the parameters in their run.ini: the counts of two bodies, one subtracted
 * from the other, and IBS samples by instruction of the snippet.
 */
#ifndef TOOLS_IBSPROF_SNIPPET_RUNS_H
#define TOOLS_IBSPROF_SNIPPET_RUNS_H

#include <stdio.h>

#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/counters/counts_csv.h"

enum { SNIPPET_BODIES = 4 /* numbers of bodies are below */ };

/* Parameters of a run, and what its folder has. */
struct snippet_run {
    char *path, *workload; /* free them */
    char *figures;         /* the sentence that says where the figures come from; NULL: silicon */
    uint32_t loop, body, unroll, instructions;
    bool counted, sampled; /* it has counts.csv; perf.data */
};

/* An event of the runs of one body. */
struct snippet_count {
    uint16_t select;
    uint8_t mask, count_mask;
    char event[64];
    double mean; /* sum over the runs of their means */
    uint64_t min, max;
    unsigned runs, repeats; /* in which it was counted; in all runs */
};

struct snippet_side {
    unsigned runs;
    unsigned count;
    struct snippet_count event[COUNTS_CSV_ROWS];
};

/* A count for one instruction of the snippet. */
struct snippet_figure {
    double mean, least, most;
    bool spread; /* there were several repeats: least and most are the farthest that two of them may be apart */
};

/* Works out what the instructions take by which two bodies differ. */
struct snippet_figure snippet_figure_of(const struct snippet_count *more, const struct snippet_count *less,
                                        double instructions);

/* Adds the counts of a run to its side. False: it has no counts.csv, or a damaged one. */
bool snippet_side_add(struct snippet_side *side, const char *path);

/* Prints what these paths' runs say: runs, or folders of them. */
enum exit_code snippet_runs_print(FILE *to, char *const *paths, int count);

/* Prints a run's IBS op samples by instruction of the snippet (snippet_samples.c). False after a complaint. */
bool snippet_samples_print(FILE *to, const struct snippet_run *run);

#endif
