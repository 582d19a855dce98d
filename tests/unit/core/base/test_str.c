/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/rng.h"
#include "core/base/str.h"

TEST(compares)
{
    assert_true(str_equal("", ""));
    assert_true(str_equal("seed", "seed"));
    assert_false(str_equal("seed", "see"));
    assert_false(str_equal("see", "seed"));
    assert_false(str_equal("seed", "Seed"));
    assert_true(str_is("SeEd=1", 4, "seed"));
    assert_false(str_is("seed", 4, "see"));
    assert_false(str_is("see", 3, "seed"));
    assert_true(str_is("", 0, ""));
    assert_true(str_order("dot.elf", "DOT.elg") < 0 && str_order("B", "a") > 0 && str_order("a", "ab") < 0);
    assert_true(str_order("ab", "A") > 0 && str_order("\xc3", "z") > 0);
    assert_int_equal(str_order("Same", "sAME"), 0);
    assert_int_equal(str_lower('Z'), 'z');
    assert_int_equal(str_lower('['), '[');
}

TEST(reads_numbers)
{
    static const struct {
        const char *text;
        int ok;
        uint64_t value;
    } rows[] = {
        {"0", 1, 0},
        {"007", 1, 7},
        {"65536", 1, 65536},
        {"0x10", 1, 16},
        {"0XfF", 1, 255},
        {"18446744073709551615", 1, UINT64_MAX},
        {"0xFFFFFFFFFFFFFFFF", 1, UINT64_MAX},
        {"18446744073709551616", 0, 0},
        {"0x10000000000000000", 0, 0},
        {"99999999999999999999", 0, 0},
        {"", 0, 0},
        {"0x", 0, 0},
        {"x", 0, 0},
        {"-1", 0, 0},
        {"+1", 0, 0},
        {"1 ", 0, 0},
        {" 1", 0, 0},
        {"1k", 0, 0},
        {"ff", 0, 0},
        {"0xg", 0, 0},
        {"1.5", 0, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t value = 77;

        if (str_to_uint(rows[i].text, strlen(rows[i].text), &value) != rows[i].ok)
            fail_msg("'%s'", rows[i].text);
        assert_int_equal(value, rows[i].ok ? rows[i].value : 77);
    }
}

TEST(takes_the_base_of_a_path)
{
    assert_string_equal(str_basename("workloads/matmul/matmul.c"), "matmul.c");
    assert_string_equal(str_basename("matmul.c"), "matmul.c");
    assert_string_equal(str_basename("a/b/"), "");
}

/* The first outputs of SplitMix64 for seed 1234567, as published with the algorithm (Rosetta Code, "Pseudo-random
 * numbers/Splitmix64", and Vigna's C code). */
TEST(random_numbers_are_splitmix64)
{
    static const uint64_t want[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                    4593380528125082431u, 16408922859458223821u};
    struct rng rng;

    rng_seed(&rng, 1234567);
    for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
        assert_true(rng_next(&rng) == want[i]);
}

TEST(random_numbers_stay_in_range)
{
    unsigned hits[12] = {0};
    struct rng rng;

    rng_seed(&rng, 0);
    for (int i = 0; i < 12000; i++) {
        assert_true(rng_bits(&rng, 12) < 4096);
        hits[rng_below(&rng, 12)]++;
    }
    for (int i = 0; i < 12; i++)
        assert_in_range(hits[i], 850, 1150); /* 1000 +- 5 standard deviations */
    assert_int_equal(rng_below(&rng, 1), 0);
}

RUN_TESTS(NULL, NULL)
