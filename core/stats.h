/* SPDX-License-Identifier: BSD-2-Clause */
/* Roots and quotients in integers. */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* floor(sqrt(x)). */
uint32_t stats_isqrt(uint64_t x);

/* a * b / c rounded to the nearest, the product being as long as it is. UINT64_MAX when that is too small for the
 * result or c is 0. */
uint64_t stats_mul_div(uint64_t a, uint64_t b, uint64_t c);

#endif
