/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Op samples that held retirement up, and what they waited for.
 *
 * Ops retire in program order. An op that retires as soon as it has completed, with the least possible
 * IbsCompToRetCtr, is the one that younger ops waited for. One that completed earlier waited for an older op, and its
 * own wait cost nothing. So only waits of the first kind are added up: IbsDcMissLat of loads that missed the data
 * cache, by the source of their data; L1 DTLB misses; loads with bytes of a store still in the queue. Such a load is
 * often done one cycle before the op that takes its data, so it counts with one cycle more.
 *
 * The least is found from the samples: sums are kept for each of the first few values.
 *
 * A mispredicted branch is late by the cycles from its tag to its completion. The least seen of each branch is its own
 * way to the result; the rest is waiting for older ops.
 */
#ifndef CORE_HELD_H
#define CORE_HELD_H

#include <stdint.h>

#include "core/ibs/record.h"

enum held_source { HELD_L2, HELD_L3, HELD_CACHE, HELD_DRAM, HELD_SOURCES };

enum {
    HELD_LEASTS = 8,    /* values of IbsCompToRetCtr that may be the least, from 0 */
    HELD_BRANCHES = 64, /* branches kept apart; others share the last place */
    /* Most cycles of a load that hits: a choice, above the 3 and 5 of integer and floating point on Family 16h (AMD
     * 52128, section 2.5.2); no source at hand has Zen's. What made its address is older and has retired, so as the
     * oldest op it holds others up no longer than that. */
    HELD_HIT = 8,
};

struct held_sums {
    uint64_t ops;
    uint64_t miss_cycles[HELD_SOURCES]; /* IbsDcMissLat of loads that missed; HELD_CACHE: another core's, or remote */
    uint64_t locked_cycles;             /* locked loads' part of these */
    uint64_t tlb_hits, walks;           /* accesses that missed the L1 DTLB: the L2 had the page, or not */
    uint64_t refill_cycles;             /* of the L1 DTLB for loads, where IBS has them */
    uint64_t loads;                     /* all of them, with locked ones, */
    uint64_t missed;                    /* and those with cycles of a miss or a refill above */
    uint64_t forwarded;                 /* loads */
    uint64_t cancelled_cycles;          /* from tag to completion of loads whose forwarding was cancelled */
    uint64_t load_cycles; /* most cycles that loads but locked ones can have held others up as oldest op (HELD_HIT) */
    uint64_t locks;       /* locked loads */
    uint32_t lock_least;  /* least cycles from tag to completion of a locked load */
};

struct held {
    uint64_t ops;        /* samples */
    uint64_t in_flight;  /* cycles from tag to retirement of all samples, */
    uint32_t shortest;   /* and of the shortest */
    uint64_t loads;      /* samples, */
    uint64_t misaligned; /* and those of them that access the data cache twice (IbsDcMisAcc) */
    struct held_sums by_wait[HELD_LEASTS];
    unsigned branches;
    struct held_branch {
        uint64_t rip;
        uint64_t samples; /* mispredicted ones */
        uint32_t least;   /* cycles from tag to completion */
    } branch[HELD_BRANCHES];
};

/* Adds an op sample of Family 10h; ignores other kinds. */
void held_add(struct held *held, const struct sample_record *record);

struct held_result {
    uint64_t ops;          /* samples */
    uint64_t in_flight;    /* cycles from tag to retirement of all of them, */
    uint32_t shortest;     /* and of the shortest */
    uint64_t loads;        /* samples, */
    uint64_t misaligned;   /* and those of them that access the data cache twice */
    unsigned least;        /* IbsCompToRetCtr */
    struct held_sums sums; /* of ops that held retirement up */
    uint64_t mispredicted; /* samples of mispredicted branches, */
    uint64_t late_cycles;  /* and total cycles by which their right paths were fetched late */
};

/* Works out the result; all is 0 without samples. */
void held_work_out(struct held_result *result, const struct held *held);

#endif
