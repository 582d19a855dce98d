/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of modules or processes: what both are written with. */
#ifndef TOOLS_IBSPROF_REPORT_LISTS_H
#define TOOLS_IBSPROF_REPORT_LISTS_H

#include "tools/ibsprof/report/tables/report_text.h"

struct list_row {
    const char *name;
    uint32_t pid;
    bool workload; /* of modules */
    uint64_t counts[DERIVED_COUNT];
    uint64_t *events; /* samples by facts.events, and after them their weights */
};

struct list {
    struct list_row *rows;
    uint32_t count;
    bool processes; /* rows have a pid; else they tell whether they are the workload's */
    bool threads;   /* the pid is a thread's */
};

/* report_modules.c, report_processes.c: sorted by the options' measure. */
struct list report_module_list(const struct run_profile *profile, const struct report_options *options);
struct list report_process_list(const struct run_profile *profile, const struct report_options *options, bool threads);

/* One row more, of no samples. */
struct list_row *list_add(struct list *list, const struct run_profile *profile, const char *name);
void list_free(struct list *list);

/* Sorted by the options' measure, most first; equal ones stay as they are. */
void list_sort(struct list *list, const struct report_options *options);
void list_text(struct out *out, const struct run_profile *profile, const struct list *list,
               const struct report_options *options);
void list_csv(struct out *out, const struct run_profile *profile, const struct list *list);

#endif
