/* SPDX-License-Identifier: BSD-2-Clause */
/* Random numbers, the same in each run, for data that a workload prepares and for results that it predicts. */
#ifndef WORKLOADS_RANDOM_H
#define WORKLOADS_RANDOM_H

#include "workloads/workload.h"

#define XORSHIFT_SEED 88172645463325252ull /* Marsaglia's */

/* Returns the number after x (G. Marsaglia, "Xorshift RNGs", 2003; 13, 7, 17), to predict kernels that compute it. */
static inline uint64_t xorshift(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

enum { SHUFFLE_SEED = 1986 };

/* Returns a number from 0 to limit - 1 for shuffling: Knuth's MMIX generator. */
static inline uint32_t random_below(uint64_t *x, uint32_t limit)
{
    *x = *x * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)((*x >> 33) % limit);
}

#endif
