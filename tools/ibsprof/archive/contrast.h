/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibsprof archive compare: each machine (firmware, kernel, month) of an archive against all others, instruction by
 * instruction, as 'ibsprof compare' compares two sides: the unit is the run, and false discovery is controlled over
 * all comparisons together. Runs of one machine are more alike than those of several, so a firmware, kernel or month
 * with several machines has as many independent runs as machines.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_CONTRAST_H
#define TOOLS_IBSPROF_ARCHIVE_CONTRAST_H

#include "tools/ibsprof/archive/query.h"
#include "tools/ibsprof/stat/stat_verdict.h"

enum { CONTRAST_MONTH = 8 };

/* Place of a count. */
struct contrast_cell {
    int64_t code;
    uint32_t number; /* original index */
    char *name;      /* "f+8 mov rax, rbx" */
    double count;
};

struct contrast_run {
    int64_t id, unit; /* runs of one unit are not independent, and count as one */
    double total;
    uint32_t group;
    char month[CONTRAST_MONTH]; /* "2026-11"; "": not known */
};

/* Runs of one workload that counted one event. */
struct contrast_subject {
    char *workload, *event;
    struct contrast_run *run; /* sorted by group */
    uint32_t run_count;
    char **group; /* values of the property that forms groups */
    uint32_t group_count;
    struct contrast_cell *cell; /* largest count first */
    uint32_t cell_count, left_out;
    double *x; /* [run * cells + cell] */
};

/* A group's share of a cell, against the subject's other runs. */
struct contrast_item {
    uint32_t subject, group, cell, runs; /* number of the group's independent runs */
    struct stat_estimate others, own;
    struct stat_difference difference;
    double q;
    enum stat_verdict verdict;
};

struct contrast {
    const char *by;
    struct contrast_subject *subject;
    uint32_t subject_count;
    struct contrast_item *item;
    uint32_t item_count;
};

enum { CONTRAST_CELLS_MAX = 200 };
extern const char *const contrast_by[]; /* "machine", ...; NULL after the last */

/* Reads the runs that the filters select. Returns false after a complaint. contrast_free() must follow in any case. */
bool contrast_read(struct contrast *contrast, struct archive *archive, unsigned by,
                   const struct archive_filters *filters);
void contrast_judge(struct contrast *contrast);
void contrast_free(struct contrast *contrast);

extern const struct document contrast_document;

#endif
