/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs with one bottleneck, and the model's counts of events in them. Names of the model and of core are in
 * conflict, so this file uses neither. */
#ifndef TESTS_UNIT_VPMU_PLANTED_H
#define TESTS_UNIT_VPMU_PLANTED_H

#include <stdbool.h>
#include <stdint.h>

/* Names the bottleneck: ops behind a division of one kind; loads that miss; nothing; three ops a cycle; random
 * branches. */
enum planted {
    PLANTED_RETIRE,
    PLANTED_SCHEDULERS,
    PLANTED_FLOATING,
    PLANTED_STORES,
    PLANTED_MISSES,
    PLANTED_JUMPS,
    PLANTED_FULL_LINES,
    PLANTED_BRANCHES,
    PLANTED,
};

struct planted_count {
    uint16_t select;
    uint8_t mask, count_mask;
    bool modelled;
    uint64_t total;
};

/* Counts the events in groups, each in the same steps. */
void planted_count(enum planted of, const char *processor, struct planted_count *counts, unsigned count);

#endif
