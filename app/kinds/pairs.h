/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of cores: what app/kinds/pairs.c measures, and pairs_report.c prints and saves. */
#ifndef APP_KINDS_PAIRS_H
#define APP_KINDS_PAIRS_H

#include "app/run/run.h"
#include "core/family/ibs_family.h"
#include "workloads/two_cores.h"

/* Says what two cores have in common: the first of these that holds. */
enum pairs_share { PAIRS_CORE, PAIRS_COMPLEX, PAIRS_NODE, PAIRS_MACHINE, PAIRS_SHARES };

/* Holds what is known of two cores; way 0: the second reads. */
struct pairs_cell {
    bool answered;
    uint32_t block[3]; /* ticks of TWO_CORES_HOPS hops: lower quartile, median, upper one */
    struct {
        uint32_t ticks;               /* of reading all lines: the median */
        uint32_t source[IBS_SOURCES]; /* sampled loads that missed the DC, of the core that reads */
    } way[2];
};

struct pairs_run {
    struct workload workload; /* with a check that keeps the ticks */
    uint32_t blocks, patience;
    unsigned count; /* workers */
    unsigned unanswered;
    bool sampled; /* by IBS */
    struct pairs_cell *cell;
};

static inline const struct pairs_run *pairs_run_of(const struct run *run)
{
    return run->own;
}

/* The pair of workers a < b. */
static inline struct pairs_cell *pairs_cell(const struct pairs_run *pairs, unsigned a, unsigned b)
{
    return &pairs->cell[(size_t)b * (b - 1) / 2 + a];
}

static inline const struct passes_core *pairs_worker(const struct run *run, unsigned n)
{
    return &run->passes.core[run->passes.cores - run->passes.workers + n];
}

/* The row's functions (app/run/kind.h). */
void pairs_settings(struct out *out, const struct run *run);
void pairs_tables(struct out *out, const struct run *run);
void pairs_facts(struct out *out, const struct run *run);
void pairs_csv(struct out *out, const struct run *run);

#endif
