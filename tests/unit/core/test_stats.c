/* Integer statistics against the same formulas in floating point. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/rng.h"
#include "core/stats.h"

#define VECTOR(array) ((struct stats_vector){array, sizeof(array) / sizeof((array)[0]), 1})

static double tvd(const uint64_t *a, const uint64_t *b, int count)
{
    double sum_a = 0, sum_b = 0, distance = 0;

    for (int i = 0; i < count; i++) {
        sum_a += (double)a[i];
        sum_b += (double)b[i];
    }
    for (int i = 0; i < count; i++)
        distance += distance_of((double)a[i] / sum_a, (double)b[i] / sum_b);
    return distance / 2 * 1e6;
}

static double floor_of(const uint64_t *a, int count, double n)
{
    double sum = 0, floor_sum = 0;

    for (int i = 0; i < count; i++)
        sum += (double)a[i];
    for (int i = 0; i < count; i++)
        floor_sum += root_of((double)a[i] / sum * (1 - (double)a[i] / sum) / (3.14159265358979 * n));
    return floor_sum * 1e6 > 1e6 ? 1e6 : floor_sum * 1e6;
}

/* A sum beyond 64 bits makes the shares wrong, not the distance impossible. */
static void sums_that_wrap(void **state)
{
    static const uint64_t wild[] = {1000, UINT64_MAX - 999, 3}, even[] = {1, 1, 1};
    const struct stats_vector a = {wild, 3, 1}, b = {even, 3, 1};

    assert_int_equal(stats_sum(a), 3);
    assert_in_range(stats_tvd_ppm(a, b), 0, 1000000);
    assert_in_range(stats_tvd_ppm(b, a), 0, 1000000);
}

static void roots(void **state)
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

static void products_and_quotients(void **state)
{
    static const uint64_t rows[][4] = {
        {6, 7, 3, 14},
        {1, 1, 2, 1}, /* half up */
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

static void distance_of_known_vectors(void **state)
{
    static uint64_t even[4] = {5, 5, 5, 5}, one[4] = {80, 0, 0, 0}, none[4], half[4] = {7, 7, 0, 0}, huge[4];

    huge[0] = huge[1] = huge[2] = huge[3] = 1ull << 60;
    assert_int_equal(stats_tvd_ppm(VECTOR(even), VECTOR(even)), 0);
    assert_int_equal(stats_tvd_ppm(VECTOR(even), VECTOR(one)), 750000);
    assert_int_equal(stats_tvd_ppm(VECTOR(one), VECTOR(even)), 750000);
    assert_int_equal(stats_tvd_ppm(VECTOR(even), VECTOR(half)), 500000);
    assert_int_equal(stats_tvd_ppm(VECTOR(even), VECTOR(none)), 1000000);
    assert_int_equal(stats_tvd_ppm(VECTOR(none), VECTOR(none)), 0);
    assert_int_equal(stats_tvd_ppm(VECTOR(even), VECTOR(huge)), 0);
    assert_int_equal(stats_tvd_ppm(VECTOR(huge), VECTOR(one)), 750000);
    /* Just below what is rounded up to 2. */
    huge[0] = huge[1] = half[0] = half[1] = 1u << 30;
    huge[2] = huge[3] = half[2] = half[3] = 0;
    half[0] += 3221;
    half[1] -= 3221;
    assert_int_equal(stats_tvd_ppm(VECTOR(huge), VECTOR(half)), 1);
    half[2] = half[3] = 0;
    /* Sums that fit 32 bits and sums that are shortened to them, all of each in one place. */
    for (unsigned bits = 30; bits < 64; bits++) {
        for (unsigned more = 0; more < 2; more++) {
            huge[0] = (1ull << bits) + more * (1ull << (bits - 1));
            huge[1] = huge[2] = huge[3] = 0;
            half[0] = 0;
            half[1] = huge[0];
            assert_int_equal(stats_tvd_ppm(VECTOR(huge), VECTOR(one)), 0);
            assert_int_equal(stats_tvd_ppm(VECTOR(huge), VECTOR(half)), 1000000);
            assert_int_equal(stats_tvd_ppm(VECTOR(huge), VECTOR(even)), 750000);
        }
    }
}

static void distance_as_in_floating_point(void **state)
{
    uint64_t a[60], b[60];
    struct rng rng;

    rng_seed(&rng, 2);
    for (int round = 0; round < 2000; round++) {
        unsigned size_a = 1 + rng_below(&rng, 50), size_b = 1 + rng_below(&rng, 20);

        for (int i = 0; i < 60; i++) {
            a[i] = rng_bits(&rng, size_a);
            b[i] = rng_bits(&rng, size_b);
        }
        a[0]++;
        b[1]++;
        assert_true(distance_of(stats_tvd_ppm(VECTOR(a), VECTOR(b)), tvd(a, b, 60)) < 2);
    }
}

/* Figures that were verified by simulation: K instructions of equal weight, n samples on each side. */
static void floor_of_known_profiles(void **state)
{
    static uint64_t uniform[200];
    static const struct {
        uint32_t instructions;
        uint64_t n;
        double percent;
    } rows[] = {{50, 10000, 3.9}, {200, 10000, 8.0}, {200, 100000, 2.5}};

    for (int i = 0; i < 200; i++)
        uniform[i] = 3;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct stats_vector v = {uniform, rows[i].instructions, 1};

        assert_true(distance_of(stats_floor_two_ppm(v, rows[i].n) / 1e4, rows[i].percent) < 0.06);
    }
}

static void floor_as_in_floating_point(void **state)
{
    uint64_t a[80], none[3] = {0};
    struct rng rng;

    rng_seed(&rng, 3);
    for (int round = 0; round < 2000; round++) {
        uint64_t n = 1 + rng_bits(&rng, 1 + rng_below(&rng, 36));
        unsigned size = 1 + rng_below(&rng, 45);
        double want;

        for (int i = 0; i < 80; i++)
            a[i] = rng_bits(&rng, size);
        a[3]++;
        want = floor_of(a, 80, (double)n);
        assert_true(distance_of(stats_floor_two_ppm(VECTOR(a), n), want) < 2 + want / 1000);
        want = floor_of(a, 80, 2.0 * (double)n);
        assert_true(distance_of(stats_floor_exact_ppm(VECTOR(a), n), want) < 2 + want / 1000);
    }
    assert_int_equal(stats_floor_two_ppm(VECTOR(a), 0), 1000000);
    assert_int_equal(stats_floor_two_ppm(VECTOR(none), 100), 1000000);
    /* n is capped at 2^40 */
    assert_true(distance_of(stats_floor_two_ppm(VECTOR(a), UINT64_MAX), floor_of(a, 80, (double)(1ull << 40))) < 2);
}

/* The floor is what two honest samples really differ by. */
static void floor_is_what_chance_leaves(void **state)
{
    enum { INSTRUCTIONS = 18, SAMPLES = 20000, ROUNDS = 40 };
    uint64_t exact[INSTRUCTIONS], sum_two = 0, sum_exact = 0;
    struct rng rng;

    rng_seed(&rng, 4);
    for (int i = 0; i < INSTRUCTIONS; i++)
        exact[i] = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t a[INSTRUCTIONS] = {0}, b[INSTRUCTIONS] = {0};

        for (int i = 0; i < SAMPLES; i++) {
            a[rng_below(&rng, INSTRUCTIONS)]++;
            b[rng_below(&rng, INSTRUCTIONS)]++;
        }
        sum_two += stats_tvd_ppm(VECTOR(a), VECTOR(b));
        sum_exact += stats_tvd_ppm(VECTOR(a), VECTOR(exact));
    }
    assert_true(distance_of((double)sum_two / ROUNDS / stats_floor_two_ppm(VECTOR(exact), SAMPLES), 1) < 0.1);
    assert_true(distance_of((double)sum_exact / ROUNDS / stats_floor_exact_ppm(VECTOR(exact), SAMPLES), 1) < 0.1);
}

static void strides_are_columns_of_a_profile(void **state)
{
    struct profile profile = small_profile();
    struct stats_vector ops = {profile_row(&profile, 0) + DERIVED_F100_OP_ALL, SMALL_INSNS, DERIVED_COUNT};

    add_paper_run(&profile);
    assert_int_equal(stats_sum(ops), profile.total[DERIVED_F100_OP_ALL]);
    assert_int_equal(stats_tvd_ppm(ops, ops), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_that_wrap),
        cmocka_unit_test(roots),
        cmocka_unit_test(products_and_quotients),
        cmocka_unit_test(distance_of_known_vectors),
        cmocka_unit_test(distance_as_in_floating_point),
        cmocka_unit_test(floor_of_known_profiles),
        cmocka_unit_test(floor_as_in_floating_point),
        cmocka_unit_test(floor_is_what_chance_leaves),
        cmocka_unit_test(strides_are_columns_of_a_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
