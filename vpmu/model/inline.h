/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Marks for functions on the path of every step. The compiler would not inline some of them, because they are large or
 * have several callers; inlined, they shed what the caller does not need.
 */
#ifndef VPMU_INLINE_H
#define VPMU_INLINE_H

#include <stdint.h>

#define INLINED static inline __attribute__((always_inline))

/* For a condition that is nearly always true: the code of the other case is moved off the path. */
#define USUALLY(condition) __builtin_expect(!!(condition), 1)
#define RARELY(condition)  __builtin_expect(!!(condition), 0)

INLINED uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
