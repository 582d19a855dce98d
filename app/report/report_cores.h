/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the report about cores, for runs on several. */
#ifndef APP_REPORT_CORES_H
#define APP_REPORT_CORES_H

#include "app/run/run.h"

/* Prints how many threads share a core and an L3; nothing if they share none. */
void report_shared(struct out *out, const struct topology *topology);

/* Prints a row for each core, and for each node if there are several: samples, start, problems. */
void report_cores(struct out *out, const struct run *run);

/* Prints a line for each core whose data is missing, and one if a core still runs. */
void report_lost_cores(struct out *out, const struct run *run);

/* Writes "core.2.samples = 17" and so on to run.ini. */
void save_core_facts(struct out *out, const struct run *run);

/* Formats "core 3 node 0", or "core 3 node 0/1" if CPUID reports core complexes. */
enum { CORE_NAME = 32 };
const char *core_name(char text[CORE_NAME], const struct run *run, const struct passes_core *core);

/* Holds the samples of a core or of several. */
struct core_sums {
    uint64_t recorded[SAMPLE_KINDS];
    struct profile_sums ibs;
};

/* Adds up the cores of a node, one core, or all workers (node, cpu: -1). Returns the number of cores. */
unsigned core_sums(const struct run *run, int node, int cpu, struct core_sums *sum);

#endif
