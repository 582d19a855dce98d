/* SPDX-License-Identifier: BSD-2-Clause */
/* Latency of loads by size and node of memory: what app/kinds/latency.c measures, and latency_report.c shows. */
#ifndef APP_KINDS_LATENCY_H
#define APP_KINDS_LATENCY_H

#include "app/run/run.h"
#include "core/family/ibs_family.h"

enum {
    LATENCY_LEAST_KB = 16,       /* the smallest L1D of these processors, of Family 15h (AMD SOG 47414) */
    LATENCY_MOST_KB = 512 << 10, /* that is taken of a node */
    LATENCY_SIZES = 16,          /* powers of two between them */
};

/* A list of one size, in the memory of one node. */
struct latency_row {
    uint32_t kb;
    uint64_t ticks; /* of the TSC, for 'hops' of struct latency_run; 0: not measured */
    uint64_t loads; /* sampled ones that missed the DC, and of them: */
    uint64_t cycles;
    uint32_t quartile[3]; /* of IbsDcMissLat */
    uint64_t source[IBS_SOURCES];
};

/* An arena on a node. */
struct latency_node {
    int node; /* NODE_UNKNOWN: there is one, or nothing says whose memory is whose */
    uint64_t physical;
    struct latency_row row[LATENCY_SIZES];
};

struct latency_run {
    uint32_t hops; /* that are measured, after some that fill the caches: */
    uint32_t lap;  /* at most so many */
    bool sampled;  /* by IBS */
    unsigned sizes, nodes;
    struct latency_node *node;
    uint32_t *count; /* of loads by IbsDcMissLat */
};

static inline const struct latency_run *latency_run_of(const struct run *run)
{
    return run->own;
}

/* The largest list, in KB: four times the L3 of one core complex, or of the L2 where there is none, up to the next
 * power of two. */
uint32_t latency_most_kb(const struct machine *machine);

/* The row's functions (app/run/kind.h). */
void latency_settings(struct out *out, const struct run *run);
void latency_tables(struct out *out, const struct run *run);
void latency_facts(struct out *out, const struct run *run);
void latency_csv(struct out *out, const struct run *run);

#endif
