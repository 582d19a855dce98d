/* SPDX-License-Identifier: BSD-2-Clause */
/* Roots and quotients, compared with floating point. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/rng.h"
#include "core/base/stats.h"

TEST(roots)
{
    static const uint64_t rows[] = {0, 1, 2, 3, 4, 8, 9, 15, 16, 1000000, (1ull << 62) - 1, 1ull << 62, UINT64_MAX};
    struct rng rng;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned __int128 root = stats_isqrt(rows[i]);

        assert_true(root * root <= rows[i] && (root + 1) * (root + 1) > rows[i]);
    }
    rng_seed(&rng, 1);
    for (int i = 0; i < 100000; i++) {
        uint64_t x = rng_next(&rng) >> rng_below(&rng, 64);
        unsigned __int128 root = stats_isqrt(x);

        assert_true(root * root <= x && (root + 1) * (root + 1) > x);
    }
}

TEST(products_and_quotients)
{
    static const uint64_t rows[][4] = {
        {6, 7, 3, 14},
        {1, 1, 2, 1}, /* halves are rounded up */
        {1, 1, 3, 0},
        {2, 1, 3, 1},
        {0, 5, 7, 0},
        {1, 1, 0, UINT64_MAX},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
        {UINT64_MAX, 2, 1, UINT64_MAX},
        {1ull << 63, 2, 1ull << 63, 2},
        {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX - 1},
        {253921, 145295143558111, 2, UINT64_MAX}, /* 2^64 - 1/2: not rounded up to 0 */
    };
    struct rng rng;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_true(stats_mul_div(rows[i][0], rows[i][1], rows[i][2]) == rows[i][3]);
    rng_seed(&rng, 2);
    for (int i = 0; i < 100000; i++) {
        uint64_t a = rng_next(&rng) >> rng_below(&rng, 64), b = rng_next(&rng) >> rng_below(&rng, 64);
        uint64_t c = (rng_next(&rng) >> rng_below(&rng, 64)) | 1;
        unsigned __int128 exact = ((unsigned __int128)a * b + c / 2) / c;

        assert_true(stats_mul_div(a, b, c) == (exact > UINT64_MAX ? UINT64_MAX : (uint64_t)exact));
    }
}

/* 1.96 * sqrt(1000 + 914) is 85.7; for 4 and 0 the result is 3.92. */
TEST(chance)
{
    static const struct {
        uint64_t a, b;
        bool alike;
    } rows[] = {{0, 0, true},
                {3, 0, true},
                {4, 0, false},
                {1000, 915, true},
                {1000, 914, false},
                {4150, 3975, true},
                {4150, 3973, false},
                {1ull << 47, (1ull << 47) + (1 << 24) - 1, true},
                {1ull << 47, (1ull << 47) + (1 << 24), false},
                {1ull << 48, (1ull << 48) + 5, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (stats_alike(rows[i].a, rows[i].b) != rows[i].alike || stats_alike(rows[i].b, rows[i].a) != rows[i].alike)
            fail_msg("row %zu", i);
}

/* The limit is df + 2 floor(sqrt(14 df)) + 30, in thousandths; the dispersion is the root of (chi2 - df) / samples, in
 * millionths. */
TEST(chi_squares)
{
    assert_false(stats_chi2_certain(37000, 1));
    assert_true(stats_chi2_certain(37001, 1));
    assert_false(stats_chi2_certain(204000, 100));
    assert_true(stats_chi2_certain(204001, 100));
    assert_int_equal(stats_dispersion_ppm(100000, 100, 7), 0);
    assert_int_equal(stats_dispersion_ppm(99000, 100, 7), 0);
    assert_int_equal(stats_dispersion_ppm(500000, 100, 10000), 200000);
    assert_int_equal(stats_dispersion_ppm((1ull << 34) + 99999, 100, 1ull << 34), 31622); /* sqrt(1 / 1000) */
    assert_int_equal(stats_dispersion_ppm((1ull << 34) + 100000, 100, 1ull << 34), 31622);
    assert_int_equal(stats_dispersion_ppm((1ull << 40) + 100000, 100, 3ull << 30), 584237); /* 1024 / 3000 */
}

RUN_TESTS(NULL, NULL)
