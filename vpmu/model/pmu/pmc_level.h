/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A count mask: a condition on the number of events in a cycle, and the cycles in which it holds, or how often it came
 * true (AMD BKDG 31116, PERF_CTL: CntMask, Inv, Edge).
 */
#ifndef VPMU_PMC_LEVEL_H
#define VPMU_PMC_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/inline.h"

/* The condition: at least 'threshold' events, or less when inverted. */
struct pmc_level {
    uint64_t seen;  /* sum of the totals up to now */
    uint64_t cycle; /* of the latest event */
    uint64_t number;
    uint64_t held;  /* cycle in which there last were 'threshold' events */
    uint64_t first; /* cycle in which counting began */
    uint64_t cycles, rises, falls;
    uint32_t threshold;
    bool edge, inverse, ever;
};

/* Begins to count now; 'seen' events have happened before. */
INLINED void pmc_level_start(struct pmc_level *level, uint64_t now, uint64_t seen)
{
    level->seen = seen;
    level->cycle = level->held = level->first = now;
    level->number = level->cycles = level->rises = level->falls = 0;
    level->ever = false;
}

/* Notes that the condition came true in the given cycle, which is not before that of earlier ones. */
INLINED void pmc_level_hold(struct pmc_level *level, uint64_t cycle)
{
    level->cycles++;
    if (!level->ever || level->held + 1 != cycle) {
        level->rises++;
        level->falls += level->ever; /* a fall is noticed at the next rise */
    }
    level->held = cycle;
    level->ever = true;
}

/* Adds events of one cycle, which is not before that of earlier events. */
INLINED void pmc_level_add(struct pmc_level *level, uint64_t cycle, uint64_t events)
{
    uint64_t before;

    if (cycle != level->cycle) {
        level->cycle = cycle;
        level->number = 0;
    }
    before = level->number;
    level->number += events;
    if (before < level->threshold && level->number >= level->threshold)
        pmc_level_hold(level, cycle);
}

/* Returns the cycles or rises since the start. */
INLINED uint64_t pmc_level_value(const struct pmc_level *level, uint64_t now)
{
    if (level->edge)
        return level->inverse ? level->falls : level->rises;
    return level->inverse ? now - level->first - level->cycles : level->cycles;
}

#endif
