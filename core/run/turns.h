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
 *
 * A short phase may fall between the turns of a group altogether, and then its own turns know nothing of it. Some
 * other group had a turn in it, so how unsteady all counters were in the mean is added to what each saw itself; and
 * what one turn more could have held. tests/unit/core/run/test_turns.c tries that on programs with phases.
 */
#ifndef CORE_TURNS_H
#define CORE_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TURNS_COUNTERS = 4,
    TURNS_ORDER = 840, /* turns until the order repeats: whole rounds of up to eight groups */

    TURNS_LEAST = 10,            /* fewer turns are LOW, however steady */
    TURNS_RELIABLE_PPM = 900000, /* below it is LOW; VTune: above 0.9 is high confidence */
    TURNS_EVENTS_OF_PHASES = 30, /* events per turn, in the mean: rarer ones are unsteady by chance alone */
};

/* Gives each turn its group: each round has all groups once, the first in their own order. groups: 1..8. */
void turns_order(uint8_t order[TURNS_ORDER], unsigned groups, uint64_t seed);

/* Counts of one counter of one group by its turns. The last turn, which the run's end cuts, is not one of them. */
struct turns {
    uint64_t turns;
    uint64_t events;           /* in these turns */
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

/* Appends turns of the next repeat of the run. */
void turns_then(struct turns *sum, const struct turns *next);

/* Adds all turns of a group that has the event. 'sum' then has no order and serves turns_estimate() alone. */
void turns_beside(struct turns *sum, const struct turns *group);

/* Adds another core's counts in the same turns. Both cores' turns may miss the same phase, so their errors add up and
 * do not level out. The sum has as many turns as the core with the fewest. */
void turns_of_core(struct turns *sum, const struct turns *other);

/* Returns how unsteady a run was, the mean over its counters: the variance of a turn relative to the mean turn, in
 * millionths squared, without what chance alone makes. Counters with too few events are left out. */
uint64_t turns_unsteady(const struct turns (*counter)[TURNS_COUNTERS], unsigned groups);

/* The times, in any unit, of an event's counting and of the run. */
struct turns_time {
    uint64_t active, possible;
};

struct turns_estimate {
    uint64_t turns;
    uint32_t error_ppm;       /* half the 95 % interval of the total; 1000000: as large as the total, or unknown */
    bool unseen;              /* counted in a part of the time, and no event seen */
    uint32_t reliability_ppm; /* 1 - error; below TURNS_LEAST turns at most 0.09 for each */
};

/* Estimates how good a total is that is scaled by possible / active. turns: from turns_beside(); total: the count,
 * with turns that the run's end cut. An event counted all the time has no error; one counted in part of it and never
 * seen has reliability 0, for it may have happened between the turns. */
void turns_estimate(const struct turns *turns, uint64_t total, const struct turns_time *time, uint64_t unsteady,
                    struct turns_estimate *ret);

/* Returns how reliable a share of 0 is when none of so many turns saw an event: 1 minus the part of the time, in
 * millionths, in which it may still have happened. Random turns miss an event of more than 3/turns of the time in 5 of
 * 100. */
uint32_t turns_none_ppm(uint64_t turns);

#endif
