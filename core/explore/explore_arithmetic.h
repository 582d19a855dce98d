/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic of General Exploration that cannot wrap around. For explore*.c only. */
#ifndef CORE_EXPLORE_ARITHMETIC_H
#define CORE_EXPLORE_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/stats.h"

enum { PPM = 1000000 };

static const int64_t VALUE_MAX = 1000000000000000; /* keeps sums of a few within 64 bits */

static inline uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t times(uint64_t a, uint64_t b)
{
    return stats_mul_div(a, b, 1);
}

/* Returns value * a / b, all of them 0 or more, b not 0. */
static inline int64_t scaled(int64_t value, uint64_t a, uint64_t b)
{
    return (int64_t)least(stats_mul_div((uint64_t)value, a, b), (uint64_t)VALUE_MAX);
}

/* Works out the part a / b of a whole that noise between passes may have made negative; returns false if b is 0. */
static inline bool part_of(int64_t whole, uint64_t a, uint64_t b, int64_t *value)
{
    if (b == 0)
        return false;
    *value = whole < 0 ? -scaled(-whole, a, b) : scaled(whole, a, b);
    return true;
}

/* Works out a / b in ppm; returns false if b is 0. */
static inline bool ratio(uint64_t a, uint64_t b, int64_t *value)
{
    if (b == 0)
        return false;
    *value = scaled(PPM, a, b);
    return true;
}

#endif
