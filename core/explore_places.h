/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration by function and source line: CPI and level 1 of the tree (core/explore.h), from samples of the
 * counters that these are made of.
 *
 * The formulas are the tree's: explore_compute() with the totals that a row's samples stand for. Sampling makes these
 * totals uncertain, each by the square root of its number of samples (Poisson); of an event without a sample in the
 * row, by one sample. The delta method carries that to a figure f:
 *
 *     variance of f = sum over events of ((f(total + error) - f(total - error)) / 2)^2
 *
 * with differences instead of derivatives, so that the formulas' minima are taken as they are. The totals are taken as
 * independent of each other. Those of one function mostly rise and fall together, which leaves ratios better known than
 * this says.
 *
 * Counter samples skid: at the level of lines a part of them belongs to a line before, which no interval shows.
 */
#ifndef CORE_EXPLORE_PLACES_H
#define CORE_EXPLORE_PLACES_H

#include "core/explore.h"
#include "core/pmc_profile.h"

/* The tree's events that level 1 needs, fitted to a revision; two groups of four, with the mispredict ratio's 0C2. */
void explore_places_list(struct event_list *list, char revision);

enum {
    EXPLORE_PLACE_CPI,
    EXPLORE_PLACE_RETIRING,
    EXPLORE_PLACE_BAD,
    EXPLORE_PLACE_FRONT,
    EXPLORE_PLACE_BACK,
    EXPLORE_PLACE_FIGURES
};

struct explore_place {
    uint64_t clocks; /* samples of 076 */
    struct {
        bool known;    /* else there is nothing to divide by, or it is too uncertain to say anything */
        bool flagged;  /* the whole interval is above the limit of the tree */
        int64_t value; /* millionths, as struct explore_node */
        int64_t half;  /* of the 95 % interval */
    } figure[EXPLORE_PLACE_FIGURES];
};

/* Of a row with these samples (pmc_profile_sum). False: the profile lacks one of the events, and nothing is set. */
bool explore_place(struct explore_place *ret, const struct pmc_profile *profile,
                   const uint64_t counts[PMC_PROFILE_EVENTS]);

/* The profile has all events that it takes. */
bool explore_places_possible(const struct pmc_profile *profile);

/* Rows of a level by clocks, most first; of at most 79 columns. */
void explore_places_print(struct out *out, const struct pmc_profile *profile, enum profile_level level);

#endif
