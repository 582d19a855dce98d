/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes totals for General Exploration: ordinary ones, and those of runs that one thing binds. */
#ifndef TESTS_UNIT_CORE_EXPLORE_MADE_H
#define TESTS_UNIT_CORE_EXPLORE_MADE_H

#include "core/explore/explore.h"

enum { MEGA = 1000000 };

struct made {
    enum explore_event_index event;
    uint64_t total;
};

/* Counts an event without loss. */
void set(struct explore_input *input, enum explore_event_index event, uint64_t total);

/* Everything counted, of ten million cycles; nothing out of the ordinary. */
struct explore_input ordinary(void);

/* Computes into a result that was filled with rubbish: nothing may be left unset. */
struct explore_result explored(const struct explore_input *input);

/* Differences from the ordinary, of samples the waits in cycles, and every node that is flagged for them. */
enum { BOUND_DRAM = 4, BOUNDS = 16 };
extern const struct bound {
    const char *name;
    struct made made[8];
    struct held_sums held;
    uint64_t late; /* cycles of each mispredicted branch */
    uint8_t flagged[8];
} bounds[BOUNDS];

/* Returns the ordinary with what differs. */
struct explore_input bound_input(const struct bound *bound);

#endif
