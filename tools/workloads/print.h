/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints a workload's runs: a table, CSV, JSON, or run.ini's lines (app/save/save_ini.c), which ibsprof reads together
 * with a perf.data file.
 */
#ifndef TOOLS_WORKLOADS_PRINT_H
#define TOOLS_WORKLOADS_PRINT_H

#include "tools/workloads/arena.h"

struct one_run {
    double seconds;
    uint64_t ticks; /* of the TSC */
    long switches;  /* number of switches to other threads, voluntary or not */
    int cpu;        /* processor at the end */
    bool right;
    struct workload_check check;
};

struct report {
    const struct workload *workload;
    const uint32_t *params;
    const struct arena *arena; /* after arena_look() */
    const struct twin_options *options;
};

void print_head(const struct report *report);

/* Prints a run; number: from 1. */
void print_run(const struct report *report, uint64_t number, const struct one_run *run);

/* Prints the end. ticks: of all runs; sorted here. wrong: number of runs with a wrong result, including warm-up. */
void print_end(const struct report *report, uint64_t *ticks, uint64_t wrong);

#endif
