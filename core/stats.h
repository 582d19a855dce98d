/*
 * Statistics in integers: shares are parts per million (ppm).
 */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include <stddef.h>
#include <stdint.h>

/* A column of counts: at[0], at[stride], at[2 * stride], ... (a profile's column has stride DERIVED_COUNT). */
struct stats_vector {
    const uint64_t *at;
    uint32_t count;
    uint32_t stride;
};

/* floor(sqrt(x)). */
uint32_t stats_isqrt(uint64_t x);

/* a * b / c rounded to the nearest, the product being as long as it is. UINT64_MAX when that is too small for the
 * result or c is 0. */
uint64_t stats_mul_div(uint64_t a, uint64_t b, uint64_t c);

uint64_t stats_sum(struct stats_vector v);

/* Total variation distance between the shares of two vectors of equal length: 1/2 * sum |a_i/A - b_i/B|, 0..1000000
 * ppm. 1000000 when one of them is all zero, 0 when both are. */
uint32_t stats_tvd_ppm(struct stats_vector a, struct stats_vector b);

/* The distance that chance alone is expected to leave between two samples of n each, drawn from the shares of v:
 * sum sqrt(p (1-p) / (pi n)). Normal approximation of E|difference of two binomial shares|.
 * 1000000 when n is 0 or v all zero; at most 1000000. */
uint32_t stats_floor_two_ppm(struct stats_vector v, uint64_t n);

/* The same between one sample of n and the exact shares: smaller by sqrt(2). */
uint32_t stats_floor_exact_ppm(struct stats_vector v, uint64_t n);

#endif
