/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How fast memory gives and takes lines: one in each slot of some cycles. Requests come in any order of time, because
 * the pipeline computes one op after the other: each takes the first slot that is free from its own cycle on. Slots
 * begin anew with the first request after a long pause, so that nothing depends on what the time is counted from.
 */
#ifndef VPMU_PACE_H
#define VPMU_PACE_H

#include <stdint.h>

enum {
    PACE_SLOTS = 256
}; /* a power of two; more than lines can wait: 8 cores' miss buffers, and a write-back for each */

struct pace {
    uint32_t cycles;            /* of a slot */
    uint64_t origin;            /* cycle in which slot 'base' begins */
    uint64_t base;              /* 0: none was taken yet */
    uint64_t top;               /* the latest one taken */
    uint64_t taken[PACE_SLOTS]; /* slot n is taken when it is at n % PACE_SLOTS */
};

void pace_init(struct pace *pace, uint32_t cycles);
/* Takes a slot for a line requested in the given cycle. Returns the cycle in which it is served. */
uint64_t pace_take(struct pace *pace, uint64_t cycle);

#endif
