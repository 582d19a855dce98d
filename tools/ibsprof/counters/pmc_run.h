/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by counters or by the timer of an ibsboot run, from its pmc.csv and run.ini. Other forms of 'report' read
 * the samples from perf.data. This file repeats what the image printed: the tables of core/profile/pmc_profile over
 * the image's own code map, for runs without an ELF file, and for those without such samples in perf.data
 * (docs/decisions.md says why both ways are kept).
 */
#ifndef TOOLS_IBSPROF_PMC_RUN_H
#define TOOLS_IBSPROF_PMC_RUN_H

#include <stdbool.h>

#include "core/profile/pmc_profile.h"
#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/read/input.h"

struct pmc_run {
    struct pmc_profile profile;
    struct codemap map;
    bool is_model;
    uint64_t elapsed_us;              /* of the measured part; 0: not known */
    char origin[CSV_COMMENT_MAX + 1]; /* first line of pmc.csv if it is a comment, "# MODEL: ..."; otherwise "" */
    struct csv_map csv;               /* of 'map' */
    uint64_t *counts;
    void *memory; /* of 'profile' */
};

enum pmc_run_state { PMC_RUN_NONE, PMC_RUN_READ, PMC_RUN_DAMAGED };

/* Reads a run's folder, or a file in it. PMC_RUN_NONE: there is no pmc.csv. PMC_RUN_DAMAGED: a line says where. */
enum pmc_run_state pmc_run_read(struct pmc_run *run, const char *path);
void pmc_run_free(struct pmc_run *run);

/* Reads periods and times from run.ini. Only for pmc_run.c. */
void pmc_run_facts(struct pmc_run *run, const struct input_facts *facts);

#endif
