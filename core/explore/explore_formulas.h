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
    uint64_t bad;  /* all three */
    uint64_t front;
    uint64_t back;
};

/* The back end's parts by IBS, in cycles. */
struct explore_waits {
    uint64_t source[HELD_SOURCES];
    uint64_t dtlb;
    uint64_t memory; /* all of these */
    uint64_t forward;
    uint64_t stores, core; /* what these leave of the back end: with a full load/store unit, and without */
};

/* Holds what a formula sees: all totals, and the nodes before its own. */
struct explore_view {
    const struct explore_input *input;
    const struct explore_result *result; /* costs are set */
    struct explore_slots slots;          /* of Family 10h, */
    struct explore_waits waits;          /* too */
};

/* Family 10h's: v->slots, v->waits and the result's overlap; and a node's value, when all inputs of its row are
 * counted; none of causes and of what no event tells. False when there is nothing to divide by. */
void explore_begin(struct explore_view *v, struct explore_result *result);
bool explore_formula(const struct explore_view *v, unsigned node, int64_t *value);

/* Works out what the back end lost by the row's cause of stalls. Causes overlap, so they are made to sum up to the back
 * end. */
bool explore_cause(const struct explore_view *v, unsigned row, int64_t *value);

/* Writes a sentence with the result's share of waits of locked ops, in percent, between the two texts, where they are
 * more than a tenth; nothing where they are not. */
void explore_tell_locked(struct out *out, const struct explore_result *result, const char *before, const char *after);

/* ppm of cycles. */
bool explore_of_cycles(const struct explore_view *v, uint64_t cycles, int64_t *value);

#endif
