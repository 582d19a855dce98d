/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares the firmware's setup of the processors (core/platform/silicon.h) in runs of any kind, for messages before
 * all measured figures.
 */
#ifndef TOOLS_IBSPROF_RUN_SILICON_H
#define TOOLS_IBSPROF_RUN_SILICON_H

#include "tools/ibsprof/read/input.h"

enum { RUN_SILICON_SIDES = 2 };

struct run_silicon_difference {
    const char *key;                /* key of run.ini: "silicon.HWCR", "core.1.silicon.PAT"; in the facts' memory */
    char *value[RUN_SILICON_SIDES]; /* values in a side's runs, separated by commas */
};

struct run_silicon {
    struct run_silicon_difference *row;
    uint32_t count;
    char *names; /* first names with meanings: "HWCR (caching of page tables, ...), ..."; NULL: none */
};

/* Finds registers that differ between any runs, among those that are compared (core/platform/silicon.h) and that each
 * side has in some run. facts(context, side, n) returns the facts of a side's run n; NULL: none. */
void run_silicon_compare(struct run_silicon *ret, const uint32_t runs[RUN_SILICON_SIDES],
                         const struct input_facts *(*facts)(const void *context, uint32_t side, uint32_t run),
                         const void *context);
void run_silicon_free(struct run_silicon *silicon);

#endif
