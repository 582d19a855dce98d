/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the report about cores, when a run uses several. */
#ifndef APP_REPORT_CORES_H
#define APP_REPORT_CORES_H

#include "app/run/run.h"

/* A line of the machine: how many threads share a core and an L3; none, where none do. */
void report_shared(struct out *out, const struct topology *topology);

/* A row per core, and per node where there are several: what it sampled, when it began, and its problems. */
void report_cores(struct out *out, const struct run *run);

/* A line for each core whose data is missing, and one when a core still runs. */
void report_lost_cores(struct out *out, const struct run *run);

/* "core.2.samples = 17" and so on, for run.ini. */
void save_core_facts(struct out *out, const struct run *run);

/* "core 3 node 0", or, where CPUID tells core complexes, "core 3 node 0/1". */
enum { CORE_NAME = 32 };
const char *core_name(char text[CORE_NAME], const struct run *run, const struct passes_core *core);

/* Holds what a core sampled. */
struct core_sums {
    uint64_t recorded[SAMPLE_KINDS];
    struct profile_sums ibs;
};

/* Adds up the cores of a node, one core, or all workers (node, cpu: -1). Returns the number of cores. */
unsigned core_sums(const struct run *run, int node, int cpu, struct core_sums *sum);

#endif
