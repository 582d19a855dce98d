/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact counts of the performance events, to compare a driver's totals with: of all modelled events while any counter
 * was enabled, and of each counter for each time that it was used. Instructions of the code map (the workload) are kept
 * apart from all others (the code that starts, stops and interrupts it).
 */
#ifndef VPMU_PMC_TRUTH_H
#define VPMU_PMC_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "vpmu/model/pmu/pmc_events.h"

struct vpmu;
struct pmc_counter;

enum { PMC_RUNS = 1024 };

/* A run of a counter lasts from the write of an event into its control to the write of 0 there. Switching to another
 * event and back, as multiplexing does, continues the run of that event. */
struct pmc_run {
    uint64_t ctl; /* without En */
    uint32_t counter;
    bool open;
    uint64_t windows;           /* how often it was enabled */
    uint64_t counted, workload; /* by the counter; those in the code map */
};

struct pmc_truth {
    bool on;     /* a counter is enabled */
    bool inside; /* the instruction that runs is one of the map */
    uint64_t mark[PMC_ROWS_MAX], all[PMC_ROWS_MAX], workload[PMC_ROWS_MAX];
    struct pmc_run runs[PMC_RUNS];
    uint32_t run_count;
    uint64_t runs_lost;
};

/* Attributes what has been counted up to now to what ran up to now. To be called before anything about the counters
 * changes. */
void pmc_truth_settle(struct vpmu *vpmu);
/* Says whether the next instruction is in the map. */
void pmc_truth_move(struct vpmu *vpmu, bool inside);
INLINED void pmc_truth_place(struct vpmu *vpmu, const struct pmc_truth *truth, bool inside)
{
    if (RARELY(inside != truth->inside))
        pmc_truth_move(vpmu, inside);
}
/* Notes that a counter begins to count. */
void pmc_truth_start(struct vpmu *vpmu, struct pmc_counter *counter);
/* Notes that a control was written. */
void pmc_truth_written(struct vpmu *vpmu, uint32_t counter);

/* Begins anew after the counts have become another part's, or 0: earlier events do not count. No counter is enabled. */
void pmc_truth_mark(struct vpmu *vpmu);

void pmc_truth_write(struct vpmu *vpmu, struct out *out);

#endif
