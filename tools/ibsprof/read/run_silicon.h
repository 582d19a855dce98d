/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How runs differ in what firmware has set up (core/platform/silicon.h), whatever kind they are: told before anything
 * that was measured.
 */
#ifndef TOOLS_IBSPROF_RUN_SILICON_H
#define TOOLS_IBSPROF_RUN_SILICON_H

#include "tools/ibsprof/read/input.h"

enum { RUN_SILICON_SIDES = 2 };

struct run_silicon_difference {
    const char *key;                /* of run.ini: "silicon.HWCR", "core.1.silicon.PAT"; the facts' */
    char *value[RUN_SILICON_SIDES]; /* of a side's runs, different ones with commas */
};

struct run_silicon {
    struct run_silicon_difference *row;
    uint32_t count;
    char *names; /* of the first ones, with what they are: "HWCR (caching of page tables, ...), ..."; NULL: none */
};

/* Registers about which the runs, of whatever side, do not agree: those that are compared (core/platform/silicon.h),
 * and that each side has in some run. The facts of run n of a side come from facts(context, side, n), NULL: it has
 * none. */
void run_silicon_compare(struct run_silicon *ret, const uint32_t runs[RUN_SILICON_SIDES],
                         const struct input_facts *(*facts)(const void *context, uint32_t side, uint32_t run),
                         const void *context);
void run_silicon_free(struct run_silicon *silicon);

#endif
