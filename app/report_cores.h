/* The parts of the report about cores, where a run is on several. */
#ifndef APP_REPORT_CORES_H
#define APP_REPORT_CORES_H

#include "app/run.h"

/* A row per core, and per node where there are several: what it sampled, when it began, what is wrong with it. */
void report_cores(struct out *out, const struct run *run);

/* A line for each core whose data is missing, and one when a core still runs. */
void report_lost_cores(struct out *out, const struct run *run);

/* "core.2.samples = 17" and so on, for run.ini. */
void save_core_facts(struct out *out, const struct run *run);

/* Op and fetch samples of a core, and what else of them is shown. */
struct core_sums {
    uint64_t op, fetch, counter; /* samples */
    uint64_t memory, dc_miss, other_cache; /* op samples: loads and stores; that missed; served by another core's cache */
};
void core_sums(const struct run *run, uint32_t cpu, struct core_sums *sums);

#endif
