/* SPDX-License-Identifier: BSD-2-Clause */
/* Programs that one thing binds, and what the model's counters count in them. The model's names and core's are not to
 * be had together: nothing of either is here. */
#ifndef TESTS_UNIT_VPMU_PLANTED_H
#define TESTS_UNIT_VPMU_PLANTED_H

#include <stdbool.h>
#include <stdint.h>

/* Names what fills a program: ops behind a division of one kind; loads that miss; nothing; ops of three a cycle;
 * branches at random. */
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

/* Counts the events, some at a time, each in the same steps. */
void planted_count(enum planted of, const char *processor, struct planted_count *counts, unsigned count);

#endif
