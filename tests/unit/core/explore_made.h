/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes totals for General Exploration: ordinary ones, and totals of runs with one bottleneck. */
#ifndef TESTS_UNIT_CORE_EXPLORE_MADE_H
#define TESTS_UNIT_CORE_EXPLORE_MADE_H

#include "core/explore/explore.h"

enum { MEGA = 1000000 };

struct made {
    enum explore_event_index event;
    uint64_t total;
};

/* Sets an event's count, without loss. */
void set(struct explore_input *input, enum explore_event_index event, uint64_t total);

/* Returns ordinary counts of all events, for ten million cycles. */
struct explore_input ordinary(void);

/* Computes into a result filled with rubbish, so that a member left unset shows. */
struct explore_result explored(const struct explore_input *input);

/* Differences from the ordinary counts (for samples, waits in cycles), and every node that the differences flag. */
enum { BOUND_DRAM = 4, BOUNDS = 16 };
extern const struct bound {
    const char *name;
    struct made made[8];
    struct held_sums held;
    uint64_t late; /* cycles for each mispredicted branch */
    uint8_t flagged[8];
} bounds[BOUNDS];

/* Returns the ordinary counts with these differences. */
struct explore_input bound_input(const struct bound *bound);

#endif
