/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibsprof archive compare: each machine (firmware, kernel, month) of an archive against all the others, instruction by
 * instruction, as 'ibsprof compare' compares two sides: the unit is the run, and false discovery is controlled over all
 * comparisons together. Runs of one machine are more alike than those of several, so a firmware, a kernel or a month
 * has as many independent runs as machines, where there are several.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_CONTRAST_H
#define TOOLS_IBSPROF_ARCHIVE_CONTRAST_H

#include "tools/ibsprof/archive/query.h"
#include "tools/ibsprof/stat/stat_verdict.h"

enum { CONTRAST_MONTH = 8 };

/* Where it was counted. */
struct contrast_cell {
    int64_t code;
    uint32_t number; /* as it came */
    char *name;      /* "f+8 mov rax, rbx" */
    double count;
};

struct contrast_run {
    int64_t id, unit; /* runs of one unit count as one: they are not independent */
    double total;
    uint32_t group;
    char month[CONTRAST_MONTH]; /* "2026-11"; "": not known */
};

/* Runs of one workload that counted one event. */
struct contrast_subject {
    char *workload, *event;
    struct contrast_run *run; /* in the order of their groups */
    uint32_t run_count;
    char **group; /* values of what is compared by */
    uint32_t group_count;
    struct contrast_cell *cell; /* most first */
    uint32_t cell_count, left_out;
    double *x; /* [run * cells + cell] */
};

/* A group's share of a cell against that of the other runs of its subject. */
struct contrast_item {
    uint32_t subject, group, cell, runs; /* independent ones of the group */
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

/* Reads the runs that the filters leave. functions: cells are functions, not instructions. False after a complaint. To
 * be freed in any case. */
bool contrast_read(struct contrast *contrast, struct archive *archive, unsigned by,
                   const struct archive_filters *filters);
void contrast_judge(struct contrast *contrast);
void contrast_free(struct contrast *contrast);

extern const struct document contrast_document;

#endif
