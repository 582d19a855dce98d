/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Output of a workload's runs: a table, CSV, JSON, or run.ini's lines (app/save/save_ini.c), which ibsprof reads
 * together with a perf.data file.
 */
#ifndef TOOLS_WORKLOADS_PRINT_H
#define TOOLS_WORKLOADS_PRINT_H

#include "tools/workloads/arena.h"

struct one_run {
    double seconds;
    uint64_t ticks; /* of the TSC */
    long switches;  /* to other threads, voluntary or not */
    int cpu;        /* on which it ended */
    bool right;
    struct workload_check check;
};

struct report {
    const struct workload *workload;
    const uint32_t *params;
    const struct arena *arena; /* looked at */
    const struct twin_options *options;
};

void print_head(const struct report *report);

/* number: from 1. */
void print_run(const struct report *report, uint64_t number, const struct one_run *run);

/* ticks: of all runs; they are sorted here. wrong: runs with a wrong result, warming up included. */
void print_end(const struct report *report, uint64_t *ticks, uint64_t wrong);

#endif
