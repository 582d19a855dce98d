/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared output of lists of modules or processes. */
#ifndef TOOLS_IBSPROF_REPORT_LISTS_H
#define TOOLS_IBSPROF_REPORT_LISTS_H

#include "tools/ibsprof/report/tables/report_text.h"

struct list_row {
    const char *name;
    uint32_t pid;
    bool workload; /* for modules */
    uint64_t counts[DERIVED_COUNT];
    uint64_t *events; /* samples, indexed as facts.events, followed by their weights */
};

struct list {
    struct list_row *rows;
    uint32_t count;
    bool processes; /* rows have a pid; otherwise 'workload' */
    bool threads;   /* the pid is that of a thread */
};

/* report_modules.c, report_processes.c: make lists sorted by the options' measure. */
struct list report_module_list(const struct run_profile *profile, const struct report_options *options);
struct list report_process_list(const struct run_profile *profile, const struct report_options *options, bool threads);

/* Adds a row without samples. */
struct list_row *list_add(struct list *list, const struct run_profile *profile, const char *name);
void list_free(struct list *list);

/* Sorts by the options' measure, the most first; stable. */
void list_sort(struct list *list, const struct report_options *options);
void list_text(struct out *out, const struct run_profile *profile, const struct list *list,
               const struct report_options *options);
void list_csv(struct out *out, const struct run_profile *profile, const struct list *list);

#endif
