/*
 * Samples by counters or by the timer of one of our runs. They are in its pmc.csv and run.ini (app/kinds/pmc_save.c), not in
 * perf.data: the image writes only IBS samples there. No ELF file is needed, for pmc.csv has the instructions' text.
 */
#ifndef TOOLS_IBSPROF_PMC_RUN_H
#define TOOLS_IBSPROF_PMC_RUN_H

#include <stdbool.h>

#include "core/pmc_profile.h"
#include "tools/ibsprof/base/csv_map.h"
#include "tools/ibsprof/read/input.h"

enum { ORIGIN_MAX = 159 };

struct pmc_run {
    struct pmc_profile profile;
    struct codemap map;
    bool is_model;
    char origin[ORIGIN_MAX + 1]; /* the line that pmc.csv has before its header, "# MODEL: ..."; "": none */
    struct csv_map csv;          /* the map's */
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
