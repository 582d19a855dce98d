#include "core/stats.h"

#include <stdbool.h>

uint32_t stats_isqrt(uint64_t x)
{
    uint64_t root = 0;

    /* Digit by digit in base 2. */
    for (uint64_t bit = 1ull << 62; bit; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return (uint32_t)root;
}

uint64_t stats_mul_div(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t rest = (uint64_t)(product >> 64), low = (uint64_t)product, quotient = 0;

    if (rest >= c)
        return UINT64_MAX;
    /* Bit by bit: the image has no library that divides 128 bits. */
    for (int bit = 63; bit >= 0; bit--) {
        bool carry = rest >> 63;

        rest = rest << 1 | (low >> bit & 1);
        if (carry || rest >= c) {
            rest -= c;
            quotient |= 1ull << bit;
        }
    }
    return quotient + (rest >= c - rest && quotient < UINT64_MAX);
}

uint64_t stats_sum(struct stats_vector v)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < v.count; i++)
        sum += v.at[(uint64_t)i * v.stride];
    return sum;
}

/* v[i] / sum in units of 2^-32, rounded down; both are shortened first when the sum does not fit 32 bits. */
static uint64_t share(struct stats_vector v, uint32_t i, uint64_t sum)
{
    uint64_t count = v.at[(uint64_t)i * v.stride];

    while (sum >> 32) {
        sum >>= 1;
        count >>= 1;
    }
    if (count > sum)
        count = sum;
    return (count << 32) / sum;
}

uint32_t stats_tvd_ppm(struct stats_vector a, struct stats_vector b)
{
    uint64_t sum_a = stats_sum(a), sum_b = stats_sum(b), distance = 0;

    if (sum_a == 0 || sum_b == 0)
        return sum_a == sum_b ? 0 : 1000000;
    for (uint32_t i = 0; i < a.count; i++) {
        uint64_t x = share(a, i, sum_a), y = share(b, i, sum_b);

        distance += x > y ? x - y : y - x;
    }
    /* 0..2^33 in units of 2^-32; half of that, in millionths, rounded to the nearest. */
    return (uint32_t)((distance * 1000000 + (1ull << 32)) >> 33);
}

/* sum sqrt(p (1-p)) / sqrt(pi n factor) in millionths. pi * 2^16 = 205887. */
static uint32_t floor_ppm(struct stats_vector v, uint64_t n, uint64_t factor)
{
    uint64_t sum = stats_sum(v), deviations = 0, root, ppm;

    if (sum == 0 || n == 0)
        return 1000000;
    if (n >> 40)
        n = 1ull << 40; /* beyond this the floor is 0 ppm for any code map */
    for (uint32_t i = 0; i < v.count; i++) {
        uint64_t p = share(v, i, sum) >> 1; /* units of 2^-31, so that p (1-p) fits */

        deviations += stats_isqrt(p * ((1ull << 31) - p) * 4); /* sqrt(p (1-p)), units of 2^-32 */
    }
    root = stats_isqrt(n * factor * 205887); /* 2^8 sqrt(factor pi n) */
    ppm = ((deviations * 1000000 >> 24) + root / 2) / root;
    return ppm > 1000000 ? 1000000 : (uint32_t)ppm;
}

uint32_t stats_floor_two_ppm(struct stats_vector v, uint64_t n)
{
    return floor_ppm(v, n, 1);
}

uint32_t stats_floor_exact_ppm(struct stats_vector v, uint64_t n)
{
    return floor_ppm(v, n, 2);
}
