/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Groups of events that take turns on the counters: in which order, and how well a group's turns stand for the run.
 *
 * A group sees a sample of the run's time. In each round all groups have one turn, in an order drawn at random, so that
 * work which repeats with the rounds favours none. That makes the turns a stratified sample with one random unit a
 * stratum. The differences between one turn and the next tell its variance, and no less than that is right (successive
 * differences: K. Wolter, Introduction to Variance Estimation, 2nd ed. 2007, 8.2; J. von Neumann, Annals of
 * Mathematical Statistics 12, 1941). The last turn is compared with the first, so that a phase at an end of the run
 * counts as much as one in the middle.
 */
#ifndef CORE_TURNS_H
#define CORE_TURNS_H

#include <stdint.h>

enum { TURNS_ORDER = 840 /* turns until the order repeats: whole rounds of up to eight groups */ };

/* Which group has which turn: each round has all groups once, the first in their own order. groups: 1..8. */
void turns_order(uint8_t order[TURNS_ORDER], unsigned groups, uint64_t seed);

/* What one counter of one group counted in its turns. The last turn, which the run's end cuts, is not one of them. */
struct turns {
    uint64_t turns;
    uint64_t events;           /* in them */
    uint64_t first, last;      /* events in the first and in the last one */
    unsigned __int128 squares; /* sum of the squares of the differences between a turn and the next */
};

/* Adds a turn. Always inline: used by the NMI handler, all of which is in one section. */
static inline __attribute__((always_inline)) void turns_add(struct turns *turns, uint64_t events)
{
    uint64_t apart = events > turns->last ? events - turns->last : turns->last - events;

    if (turns->turns++)
        turns->squares += (unsigned __int128)apart * apart;
    else
        turns->first = events;
    turns->last = events;
    turns->events += events;
}

/* Adds turns that came later: of the next repeat of the run. */
void turns_then(struct turns *sum, const struct turns *next);

/* Adds what another core counted in the same turns. What one core's turns miss, the other's may, too: their errors add
 * up and do not level out. There are as many turns as the core with the fewest had. */
void turns_of_core(struct turns *sum, const struct turns *other);

#endif
