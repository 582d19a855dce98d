/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Op samples that held retirement up, and what they waited for.
 *
 * Ops retire in program order. One that retires as soon as it has completed, with the least IbsCompToRetCtr that there
 * is, is the one that those after it waited for; one that completed earlier waited for an older one, and its own wait
 * cost nothing. So only the waits of the first kind are added up: of a load that missed the data cache IbsDcMissLat, by
 * the source of its data; L1 DTLB misses; loads with bytes of a store that had not left the queue. Such a load is often
 * done one cycle before the op that takes its data, so that it counts with one cycle more.
 *
 * The least is found from the samples: sums are kept for each of the first few values.
 *
 * A mispredicted branch is late by what lies between its tag and its completion. The least that was seen of each one is
 * its own way to the result; what is longer waited for older ops.
 */
#ifndef CORE_HELD_H
#define CORE_HELD_H

#include <stdint.h>

#include "core/ibs/record.h"

enum held_source { HELD_L2, HELD_L3, HELD_CACHE, HELD_DRAM, HELD_SOURCES };

enum {
    HELD_LEASTS = 8,    /* values of IbsCompToRetCtr that may be the least, from 0 */
    HELD_BRANCHES = 64, /* that are kept apart; those beyond share the last place */
    /* Cycles, at most, of a load that hits: a choice, above the 3 and 5 of integer and floating point on Family 16h
     * (AMD 52128, section 2.5.2); no source at hand has Zen's. What made its address is older and has retired, so as
     * the oldest op it is waited for no longer than that. */
    HELD_HIT = 8,
};

struct held_sums {
    uint64_t ops;
    uint64_t miss_cycles[HELD_SOURCES]; /* IbsDcMissLat of loads that missed; HELD_CACHE: another core's, or remote */
    uint64_t locked_cycles;             /* of all of these, locked loads' */
    uint64_t tlb_hits, walks;           /* accesses that missed the L1 DTLB: the L2 had the page, or not */
    uint64_t refill_cycles;             /* of the L1 DTLB for loads, where IBS has them */
    uint64_t forwarded;                 /* loads */
    uint64_t cancelled_cycles;          /* from tag to completion of loads whose forwarding was cancelled */
    uint64_t load_cycles; /* that loads other than locked ones can have been waited for as the oldest op (HELD_HIT) */
    uint64_t locks;       /* locked loads */
    uint32_t lock_least;  /* cycles from tag to completion of one of them, the least */
};

struct held {
    uint64_t ops; /* samples */
    struct held_sums by_wait[HELD_LEASTS];
    unsigned branches;
    struct held_branch {
        uint64_t rip;
        uint64_t samples; /* that were mispredicted */
        uint32_t least;   /* cycles from tag to completion */
    } branch[HELD_BRANCHES];
};

/* Adds an op sample of Family 10h; other kinds are none of this. */
void held_add(struct held *held, const struct sample_record *record);

struct held_result {
    uint64_t ops;          /* samples of all */
    unsigned least;        /* IbsCompToRetCtr */
    struct held_sums sums; /* of those that held retirement up */
    uint64_t mispredicted; /* samples of mispredicted branches, */
    uint64_t late_cycles;  /* and how much later than at once the right path could be fetched for them, in all */
};

/* Without samples all is 0. */
void held_work_out(struct held_result *result, const struct held *held);

#endif
