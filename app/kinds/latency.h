/* SPDX-License-Identifier: BSD-2-Clause */
/* Latency of loads by size and node of memory: app/kinds/latency.c measures it, latency_report.c shows it. */
#ifndef APP_KINDS_LATENCY_H
#define APP_KINDS_LATENCY_H

#include "app/run/run.h"
#include "core/family/ibs_family.h"

enum {
    LATENCY_LEAST_KB = 16,       /* the smallest L1D of these processors: Family 15h (AMD SOG 47414) */
    LATENCY_MOST_KB = 512 << 10, /* largest arena of a node */
    LATENCY_SIZES = 16,          /* number of powers of two between both */
};

/* Result for a list of one size, in the memory of one node. */
struct latency_row {
    uint32_t kb;
    uint64_t ticks; /* TSC ticks for latency_run.hops hops; 0: not measured */
    uint64_t loads; /* sampled loads that missed the DC */
    uint64_t cycles;
    uint32_t quartile[3]; /* of their IbsDcMissLat */
    uint64_t source[IBS_SOURCES];
};

/* An arena on one node. */
struct latency_node {
    int node; /* NODE_UNKNOWN: the machine has one node, or does not report them */
    uint64_t physical;
    struct latency_row row[LATENCY_SIZES];
};

struct latency_run {
    uint32_t hops; /* hops measured, after others that fill the caches */
    uint32_t lap;  /* at most so many hops fill the caches */
    bool sampled;  /* IBS samples loads */
    unsigned sizes, nodes;
    struct latency_node *node;
    uint32_t *count; /* number of loads by IbsDcMissLat */
};

static inline const struct latency_run *latency_run_of(const struct run *run)
{
    return run->own;
}

/* Returns the largest list in KB: four times the L3 of one core complex, or the L2 if there is no L3, rounded up to a
 * power of two. */
uint32_t latency_most_kb(const struct machine *machine);

/* Functions of the kind's row (app/run/kind.h). */
void latency_settings(struct out *out, const struct run *run);
void latency_tables(struct out *out, const struct run *run);
void latency_facts(struct out *out, const struct run *run);
void latency_csv(struct out *out, const struct run *run);

#endif
