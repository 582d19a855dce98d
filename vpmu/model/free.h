/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Causes of time that can be made free, to know what each of them costs: caches, TLBs, predictor and prefetcher go on
 * as before, and count as before, only the time is not taken. docs/model.md, "Causes that can be made free".
 */
#ifndef VPMU_FREE_H
#define VPMU_FREE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"

enum free_cause {
    FREE_L1 = 1 << 0,
    FREE_L2 = 1 << 1,
    FREE_L3 = 1 << 2,
    FREE_DRAM = 1 << 3,
    FREE_SHARING = 1 << 4,
    FREE_DTLB = 1 << 5,
    FREE_ITLB = 1 << 6,
    FREE_IC = 1 << 7,
    FREE_PREDICTION = 1 << 8,
    FREE_FORWARDING = 1 << 9,
    FREE_BANKS = 1 << 10,
    FREE_DEPENDENCES = 1 << 11,
    FREE_WINDOW = 1 << 12,
    FREE_SCHEDULERS = 1 << 13,
    FREE_LOCKS = 1 << 14,
    FREE_STORES = 1 << 15,
    FREE_TAKEN = 1 << 16,
    FREE_EXECUTION = 1 << 17,
};

struct free_row {
    const char *word;
    uint32_t causes;  /* set of enum free_cause */
    const char *what; /* what takes no time */
};

enum { FREE_WORDS = 19 };
extern const struct free_row free_table[FREE_WORDS];

/* Reads words with ',' between; *ret_causes is the set of their causes. Returns false if one of them is unknown. */
bool free_parse(const char *text, uint32_t *ret_causes);
/* Writes the words of a set of causes, one for each, with ',' between. */
void free_print(uint32_t causes, struct out *out);

#endif
