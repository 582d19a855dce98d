/* SPDX-License-Identifier: BSD-2-Clause */
/* Seeds of passes and cores: those of two runs are never equal. */
#include "core/base/rng.h"

#include <stdlib.h>

#include "tests/unit/core/check.h"

enum { RUNS = 40, PASSES = 40, CORES = 8, SEEDS = RUNS * PASSES * CORES };

static uint64_t seeds[SEEDS];

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Runs whose seeds are neighbours, or differ by one of the constants, share no seed. */
TEST(seeds_of_parts_do_not_meet)
{
    static const uint64_t steps[] = {1, 2, 1000, 1ull << 32, 1ull << 33, 0x9E3779B97F4A7C15ull, -1ull};

    for (unsigned s = 0; s < sizeof(steps) / sizeof(*steps); s++) {
        unsigned count = 0;

        for (unsigned run = 0; run < RUNS; run++)
            for (unsigned pass = 0; pass < PASSES; pass++)
                for (unsigned core = 0; core < CORES; core++)
                    seeds[count++] = rng_part_seed(rng_part_seed(steps[s] * run, RNG_PASS, pass), RNG_CORE, core);
        qsort(seeds, SEEDS, sizeof(*seeds), by_value);
        for (unsigned i = 1; i < SEEDS; i++)
            assert_true(seeds[i] != seeds[i - 1]);
    }
}

TEST(part_0_has_the_seed_of_its_run)
{
    assert_true(rng_part_seed(7, RNG_PASS, 0) == 7);
    assert_true(rng_part_seed(7, RNG_CORE, 0) == 7);
    assert_true(rng_part_seed(7, RNG_PASS, 3) == rng_part_seed(7, RNG_PASS, 3));
    assert_true(rng_part_seed(7, RNG_PASS, 3) != rng_part_seed(7, RNG_CORE, 3));
}

RUN_TESTS(NULL, NULL)
