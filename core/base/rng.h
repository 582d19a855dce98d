/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Seeded pseudo-random numbers: randomised periods, shuffled frames. Same seed, same run.
 *
 * SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants as
 * in S. Vigna's public-domain splitmix64.c. Any seed is good, 0 too; the state is one word and a step is nine
 * instructions, so the NMI handler can afford it.
 */
#ifndef CORE_RNG_H
#define CORE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state;
};

static inline void rng_seed(struct rng *rng, uint64_t seed)
{
    rng->state = seed;
}

/* Always inline: used by the NMI handler, all of which is in one section, to draw intervals. */
static inline __attribute__((always_inline)) uint64_t rng_next(struct rng *rng)
{
    uint64_t z = (rng->state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/* Parts of a run with intervals of their own: passes, and the cores of a pass. */
enum rng_part { RNG_PASS = 1, RNG_CORE };

/* Returns the seed of a part of a run. Part 0 has the run's own seed; the others are mixed. With seed + number, pass 1
 * of seed 5 would equal pass 0 of seed 6, and two runs with the same intervals are not two observations. */
static inline uint64_t rng_part_seed(uint64_t seed, enum rng_part part, uint32_t number)
{
    struct rng rng = {seed};

    if (number == 0)
        return seed;
    rng.state = rng_next(&rng) + ((uint64_t)part << 32) + number;
    return rng_next(&rng);
}

/* Returns the given number of random bits, 1..64. */
static inline uint64_t rng_bits(struct rng *rng, unsigned bits)
{
    return rng_next(rng) >> (64 - bits);
}

/* Returns 0..bound-1, bound >= 1. Multiply and shift (D. Lemire, 2019) without the rejection step: the bias is below
 * bound / 2^32 for bounds that fit 32 bits, far under anything a run can see. */
static inline uint32_t rng_below(struct rng *rng, uint32_t bound)
{
    return (uint32_t)(((rng_next(rng) >> 32) * bound) >> 32);
}

#endif
