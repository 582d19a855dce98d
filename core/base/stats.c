/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/base/stats.h"

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

bool stats_alike(uint64_t a, uint64_t b)
{
    uint64_t difference = a > b ? a - b : b - a;

    /* In units of a hundredth, so that 1.96 is a whole number. */
    if (difference >> 24 || (a + b) >> 48)
        return !(difference >> 24);
    return difference * 100 * (difference * 100) <= 196ull * 196 * (a + b);
}

enum { TAIL = 14 /* exp(-14) is about 10^-6 */ };

/* P(chi2 >= df + 2 sqrt(df x) + 2 x) <= exp(-x). */
bool stats_chi2_certain(uint64_t chi2_milli, uint64_t df)
{
    uint64_t limit = df + 2 * (uint64_t)stats_isqrt(df * TAIL) + 2 * TAIL + 2; /* + 2: the root is rounded down */

    return chi2_milli > limit * 1000;
}

/* Two ways to order the product, so that it neither overflows nor loses precision. */
uint32_t stats_dispersion_ppm(uint64_t chi2_milli, uint64_t df, uint64_t samples)
{
    uint64_t over_milli = chi2_milli > df * 1000 ? chi2_milli - df * 1000 : 0;

    if (!over_milli)
        return 0;
    if (over_milli < 1ull << 34)
        return stats_isqrt(over_milli * 1000000000 / samples);
    return stats_isqrt(over_milli * 1000 / samples * 1000000);
}
