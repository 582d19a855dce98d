/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/turns.h"

#include "core/rng.h"

void turns_order(uint8_t order[TURNS_ORDER], unsigned groups, uint64_t seed)
{
    struct rng rng;

    rng_seed(&rng, seed);
    for (unsigned begin = 0; begin < TURNS_ORDER; begin += groups) {
        for (unsigned i = 0; i < groups; i++) {
            unsigned at = begin ? rng_below(&rng, i + 1) : i;

            order[begin + i] = order[begin + at];
            order[begin + at] = (uint8_t)i;
        }
    }
}
