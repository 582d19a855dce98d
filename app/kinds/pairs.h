/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairs of cores: app/kinds/pairs.c measures them, pairs_report.c prints and saves them. */
#ifndef APP_KINDS_PAIRS_H
#define APP_KINDS_PAIRS_H

#include "app/run/run.h"
#include "core/family/ibs_family.h"
#include "workloads/two_cores.h"

/* Says what two cores share: the first of these that applies. */
enum pairs_share { PAIRS_CORE, PAIRS_COMPLEX, PAIRS_NODE, PAIRS_MACHINE, PAIRS_SHARES };

/* Holds the result of two cores; in way[0] the second core reads. */
struct pairs_cell {
    bool answered;
    uint32_t block[3]; /* lower quartile, median and upper quartile of ticks for TWO_CORES_HOPS hops */
    struct {
        uint32_t ticks;               /* median of ticks for reading all lines */
        uint32_t source[IBS_SOURCES]; /* sampled loads of the reading core that missed the DC */
    } way[2];
};

struct pairs_run {
    struct workload workload; /* with a check that keeps the ticks */
    uint32_t blocks, patience;
    unsigned count; /* number of workers */
    unsigned unanswered;
    bool sampled; /* IBS samples loads */
    struct pairs_cell *cell;
};

static inline const struct pairs_run *pairs_run_of(const struct run *run)
{
    return run->own;
}

/* Returns the cell of workers a < b. */
static inline struct pairs_cell *pairs_cell(const struct pairs_run *pairs, unsigned a, unsigned b)
{
    return &pairs->cell[(size_t)b * (b - 1) / 2 + a];
}

static inline const struct passes_core *pairs_worker(const struct run *run, unsigned n)
{
    return &run->passes.core[run->passes.cores - run->passes.workers + n];
}

/* Functions of the kind's row (app/run/kind.h). */
void pairs_settings(struct out *out, const struct run *run);
void pairs_tables(struct out *out, const struct run *run);
void pairs_facts(struct out *out, const struct run *run);
void pairs_csv(struct out *out, const struct run *run);

#endif
