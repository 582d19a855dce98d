/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The formulas of General Exploration's nodes (see explore_10h.h, explore_slots.h and explore_tokens.h for what they
 * mean). For explore*.c only.
 */
#ifndef CORE_EXPLORE_FORMULAS_H
#define CORE_EXPLORE_FORMULAS_H

#include "core/explore/explore.h"
#include "core/explore/explore_arithmetic.h"

/* Level 1 of Family 10h's slot view, in cycles. */
struct explore_slots {
    uint64_t abort; /* D2, as far as D1 covers it */
    uint64_t refill;
    uint64_t wait; /* for mispredicted branches to complete */
    uint64_t bad;  /* sum of these */
    uint64_t front;
    uint64_t back;
};

/* The back end's parts by IBS, in cycles. */
struct explore_waits {
    uint64_t source[HELD_SOURCES];
    uint64_t dtlb;
    uint64_t memory; /* sum of these */
    uint64_t forward;
    uint64_t stores, core; /* rest of the back end: with a full load/store unit, and without */
};

/* Holds what a formula sees: all totals, and the nodes before its own. */
struct explore_view {
    const struct explore_input *input;
    const struct explore_result *result; /* costs are set */
    struct explore_slots slots;          /* Family 10h only */
    struct explore_waits waits;          /* Family 10h only */
};

/* Family 10h's formulas. explore_begin() sets v->slots, v->waits and the result's overlap. explore_formula() works out
 * a node whose inputs are all counted; causes and unobservable nodes have none. It returns false when it would divide
 * by 0. */
void explore_begin(struct explore_view *v, struct explore_result *result);
bool explore_formula(const struct explore_view *v, unsigned node, int64_t *value);

/* Works out how much of the back end the row's cause of stalls took. Causes overlap, so they are scaled to add up to
 * the back end. */
bool explore_cause(const struct explore_view *v, unsigned row, int64_t *value);

/* Writes a sentence with a share in percent between the two texts, if the share is at least a tenth. */
void explore_tell_share(struct out *out, uint32_t ppm, const char *before, const char *after);

/* Works out 'cycles' in ppm of all cycles; returns false without any. */
bool explore_of_cycles(const struct explore_view *v, uint64_t cycles, int64_t *value);

#endif
