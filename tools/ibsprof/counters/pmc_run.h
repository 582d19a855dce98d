/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by counters or by the timer of one of our runs, from its pmc.csv and run.ini. perf.data has the samples too,
 * and report's other forms take them from there; here is what the image printed: the tables of core/profile/pmc_profile
 * over the image's own code map, of runs without an ELF file, and of those that have no such samples in perf.data
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
    char origin[CSV_COMMENT_MAX + 1]; /* the line that pmc.csv has before its header, "# MODEL: ..."; "": none */
    struct csv_map csv;               /* the map's */
    uint64_t *counts;
    void *memory; /* the profile's */
};

enum pmc_run_state { PMC_RUN_NONE, PMC_RUN_READ, PMC_RUN_DAMAGED };

/* path: a run's folder, or a file in it. PMC_RUN_NONE: there is no pmc.csv. PMC_RUN_DAMAGED: a line says what. */
enum pmc_run_state pmc_run_read(struct pmc_run *run, const char *path);
void pmc_run_free(struct pmc_run *run);

/* Periods and times from run.ini. For pmc_run.c only. */
void pmc_run_facts(struct pmc_run *run, const struct input_facts *facts);

#endif
