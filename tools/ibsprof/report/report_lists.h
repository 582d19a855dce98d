/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of modules or processes: what both are written with. For report_modules.c and report_processes.c only. */
#ifndef TOOLS_IBSPROF_REPORT_LISTS_H
#define TOOLS_IBSPROF_REPORT_LISTS_H

#include "tools/ibsprof/report/report_text.h"

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
};

/* One row more, of no samples. */
struct list_row *list_add(struct list *list, const struct run_profile *profile, const char *name);
void list_free(struct list *list);

/* Sorted by the options' measure, most first; equal ones stay as they are. */
void list_sort(struct list *list, const struct report_options *options);
void list_text(struct out *out, const struct run_profile *profile, const struct list *list,
               const struct report_options *options);
void list_csv(struct out *out, const struct run_profile *profile, const struct list *list);

#endif
