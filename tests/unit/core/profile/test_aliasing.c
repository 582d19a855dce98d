/* SPDX-License-Identifier: BSD-2-Clause */
/* A loop of nine ops (the loop of the small map), sampled every 'period' ops with and without random bits, exactly as a
 * counter would on a machine without noise. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/first_set.h"

#include "core/base/rng.h"
#include "core/profile/aliasing.h"

static char text[4096];

static const char *print(const struct aliasing *result, const struct profile *profile)
{
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    aliasing_print(&memory.out, result, profile);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 79);
    return text;
}

enum { LOOP_OPS = 9 };

static void sample_loop(struct profile *profile, unsigned samples, unsigned period, unsigned random_bits)
{
    uint64_t op = 0;
    struct rng rng;

    rng_seed(&rng, 42);
    while (samples--) {
        op += period;
        if (random_bits)
            op += rng_bits(&rng, random_bits);
        add_many(profile, op_record(SMALL_LOOP + op % LOOP_OPS, 0, 0, 0, 0), 1);
    }
}

TEST(blocks_start_where_control_flow_does)
{
    static const int starts[SMALL_INSNS] = {[0] = 1, [3] = 1, [5] = 1, [12] = 1, [14] = 1, [15] = 1};

    for (uint32_t i = 0; i < SMALL_INSNS; i++)
        if (aliasing_block_starts(&small_map, i) != starts[i])
            fail_msg("instruction %u", i);
}

TEST(randomised_sampling_is_fair)
{
    static const unsigned bits[] = {4, 7, 12};

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        struct profile profile = small_profile();
        struct aliasing result;

        sample_loop(&profile, 20000, 65536, bits[i]);
        aliasing_check(&result, &profile, true);
        assert_false(result.aliased);
        assert_int_equal(result.samples, 20000);
        assert_int_equal(result.blocks, 2);
        assert_int_equal(result.insns, 9);
        assert_int_equal(result.df, 7);
        assert_int_equal(result.silent, 0);
        /* With 4 bits there are 16 values over 9 ops: not quite even, and the check notices it. */
        assert_true(result.dispersion_ppm < (bits[i] == 4 ? 60000 : 20000));
        assert_non_null(strstr(print(&result, &profile), "about equally often"));
        assert_null(strstr(text, "WARNING"));
    }
}

TEST(fixed_periods_alias)
{
    /* 65536 = 7 modulo 9 has no common factor with 9, and is fair by luck. These periods have one. */
    static const unsigned periods[] = {9 * 7000, 3 * 20001};

    for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
        struct profile profile = small_profile();
        struct aliasing result;

        sample_loop(&profile, 20000, periods[i], 0);
        aliasing_check(&result, &profile, true);
        assert_true(result.aliased);
        assert_true(result.silent > 0);
        assert_true(result.dispersion_ppm > 1000000);
        assert_non_null(strstr(print(&result, &profile), "WARNING: "));
        /* If core clocks select the ops, the same samples have no verdict. */
        aliasing_check(&result, &profile, false);
        assert_false(result.aliased);
        assert_non_null(strstr(print(&result, &profile), "Core clocks"));
        assert_string_equal(strstr(text, "Core clocks"),
                            "Core clocks were counted: ops that wait at dispatch are sampled more often.\n");
    }
}

TEST(the_warning_names_the_place)
{
    struct profile profile = small_profile();
    struct aliasing result;

    sample_loop(&profile, 20000, 9 * 7000, 0);
    aliasing_check(&result, &profile, true);
    print(&result, &profile);
    check_golden("aliasing_warning.txt", text);
    assert_int_equal(result.worst_first, SMALL_LOOP);
    assert_int_equal(result.worst_last, SMALL_COMPARE - 1);
    assert_int_equal(result.worst_top, SMALL_LOOP);
    assert_int_equal(result.worst_silent, 6);
}

/* Chi-square and dispersion agree with floating point, with instructions of more than one op, too. */
TEST(figures_as_in_floating_point)
{
    static struct codemap_insn insns[6];
    static struct codemap map;
    struct rng rng;

    memcpy(insns, &small_map.insns[SMALL_LOOP], sizeof(insns));
    for (int i = 0; i < 6; i++) {
        insns[i].func = 0;
        insns[i].ops = (uint8_t)(1 + i % 2);
    }
    map = small_map;
    map.insns = insns;
    map.insn_count = 6;
    rng_seed(&rng, 5);
    for (int round = 0; round < 500; round++) {
        unsigned size = 6 + rng_below(&rng, 24); /* the sizes include more samples than any run takes */
        double n = 0, chi2 = 0, dispersion;
        struct profile profile;
        struct aliasing result;

        assert_true(profile_init(&profile, &map, SMALL_BASE, first_set(), small_memory, sizeof(small_memory)));
        for (int i = 0; i < 6; i++) {
            profile.rows[i * DERIVED_COUNT + DERIVED_F100_OP_ALL] = (1ull << size) + rng_bits(&rng, size);
            n += (double)profile.rows[i * DERIVED_COUNT + DERIVED_F100_OP_ALL];
        }
        for (int i = 0; i < 6; i++) {
            double expected = n * insns[i].ops / 9;
            double off = (double)profile.rows[i * DERIVED_COUNT + DERIVED_F100_OP_ALL] - expected;

            chi2 += off * off / expected;
        }
        dispersion = chi2 > 5 ? root_of((chi2 - 5) / n) : 0;
        aliasing_check(&result, &profile, true);
        assert_int_equal(result.df, 5);
        assert_true(distance_of((double)result.chi2_milli / 1000, chi2) < 0.1 + chi2 / 500);
        assert_true(distance_of(result.dispersion_ppm / 1e6, dispersion) < 0.002);
        if (size >= 20) /* the root of millionths is not more exact than that */
            assert_true(distance_of(result.dispersion_ppm / 1e6, dispersion) < 0.00001 + dispersion / 5000);
    }
}

/* Chance alone must not raise the alarm, with few samples in many runs. */
TEST(chance_is_no_alias)
{
    struct rng rng;

    rng_seed(&rng, 6);
    for (int round = 0; round < 3000; round++) {
        struct profile profile = small_profile();
        unsigned samples = 40 + rng_below(&rng, 200);
        struct aliasing result;

        for (unsigned i = 0; i < samples; i++)
            add_many(&profile, op_record(SMALL_LOOP + rng_below(&rng, LOOP_OPS), 0, 0, 0, 0), 1);
        aliasing_check(&result, &profile, true);
        assert_false(result.aliased);
    }
}

TEST(what_cannot_be_judged_is_left_out)
{
    struct profile profile = small_profile();
    struct aliasing result;

    /* The ops of REP and VectorPath are not known; the rest of their block is fair. */
    add_many(&profile, op_record(SMALL_CLEAR, 0, 0, 0, 0), 5000);
    add_many(&profile, op_record(SMALL_CLEAR + 1, 0, 0, 0, 0), 300);
    add_many(&profile, op_record(SMALL_CLEAR + 2, 0, 0, 0, 0), 50);
    add_many(&profile, op_record(SMALL_CLEAR + 3, 0, 0, 0, 0), 50);
    /* Neither a block of one instruction is judged, nor one with too few samples. */
    add_many(&profile, op_record(SMALL_RET, 0, 0, 0, 0), 900);
    add_many(&profile, op_record(SMALL_COMPARE, 0, 0, 0, 0), 9);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 1);
    assert_int_equal(result.insns, 2);
    assert_int_equal(result.samples, 100);
    assert_int_equal(result.chi2_milli, 0);
    assert_false(result.aliased);

    profile = small_profile();
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 0);
    assert_string_equal(print(&result, &profile), "Too few op samples within basic blocks to judge the sampling.\n");
}

/* ---------------------------------------------------------------- the bounds of the verdict */

enum { BLOCK_MAX = 8 };

/* Returns a profile of one block with these counts for its instructions, which have these numbers of macro-ops. */
static struct profile one_block(const unsigned *ops, const unsigned *counts, unsigned size)
{
    static struct codemap_insn insns[BLOCK_MAX];
    static struct codemap map;
    struct profile profile;

    assert_true(size <= BLOCK_MAX);
    for (unsigned i = 0; i < size; i++) {
        insns[i] = small_map.insns[SMALL_LOOP];
        insns[i].rva = 0x1000 + 4 * i;
        insns[i].func = 0;
        insns[i].ops = (uint8_t)ops[i];
    }
    map = small_map;
    map.insns = insns;
    map.insn_count = size;
    assert_true(profile_init(&profile, &map, SMALL_BASE, first_set(), small_memory, sizeof(small_memory)));
    for (unsigned i = 0; i < size; i++)
        profile.rows[i * DERIVED_COUNT + DERIVED_F100_OP_ALL] = counts[i];
    return profile;
}

static const unsigned all_one[BLOCK_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};

/* A verdict is certain if chi2 is above df + 2 sqrt(14 df) + 28: 36.5 for df = 1, 52.3 for df = 6. */
TEST(certain_once_in_a_million)
{
    static const struct {
        unsigned size, counts[BLOCK_MAX];
        unsigned chi2; /* sum of (o - e)^2 / e, worked out by hand, in thousandths */
        bool aliased;
    } rows[] = {
        {2, {80, 20}, 36000, false},
        {2, {81, 19}, 38440, true},
        {2, {259, 139}, 36181, false},
        {7, {30, 0, 8, 8, 8, 8, 8}, 52000, false},
        {7, {30, 0, 5, 5, 7, 11, 12}, 56400, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile profile = one_block(all_one, rows[i].counts, rows[i].size);
        struct aliasing result;

        aliasing_check(&result, &profile, true);
        assert_true(distance_of((double)result.chi2_milli, rows[i].chi2) < 100);
        if (result.aliased != rows[i].aliased)
            fail_msg("row %zu: chi2 %llu", i, (unsigned long long)result.chi2_milli);
    }
}

/* A dispersion is large from 25 % on: for two equal shares of 10,000 samples, each 12.5 % off, sqrt((625 - 1) / 10,000)
 * = 24.98 %. */
TEST(large_from_a_quarter)
{
    static const unsigned below[] = {6250, 3750}, above[] = {6253, 3747};
    static const unsigned just[] = {1876, 1124}; /* 4 * 376^2 / 3000 = 188.5; less 1, by 3000: 0.2500009^2 */
    struct aliasing result;
    struct profile profile;

    profile = one_block(all_one, below, 2);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.dispersion_ppm, 249799);
    assert_false(result.aliased);
    profile = one_block(all_one, above, 2);
    aliasing_check(&result, &profile, true);
    assert_true(result.aliased);
    profile = one_block(all_one, just, 2);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.dispersion_ppm, 250000);
    assert_true(result.aliased);
}

/* With many samples a small deviation counts, too: 1,000 of a million in each share, sqrt((2 - 1) / 2,000,000). */
TEST(small_dispersions_are_exact)
{
    static const unsigned counts[] = {1001000, 999000};
    struct profile profile = one_block(all_one, counts, 2);
    struct aliasing result;

    aliasing_check(&result, &profile, true);
    assert_in_range(result.dispersion_ppm, 700, 714);
}

/* By Cochran's rule, at least 5 samples are expected at the instruction with the fewest ops. */
TEST(enough_samples_for_each_instruction)
{
    static const struct {
        unsigned ops[2], counts[2];
        uint32_t blocks;
    } rows[] = {
        {{2, 2}, {5, 5}, 1},  {{2, 2}, {5, 4}, 0},  {{1, 3}, {5, 15}, 1},
        {{1, 3}, {5, 14}, 0}, {{3, 1}, {15, 5}, 1}, {{3, 1}, {14, 5}, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile profile = one_block(rows[i].ops, rows[i].counts, 2);
        struct aliasing result;

        aliasing_check(&result, &profile, true);
        if (result.blocks != rows[i].blocks)
            fail_msg("row %zu", i);
    }
}

/* The instruction that stands out is the one with the most samples for each of its ops; of equals, the first. */
TEST(the_worst_by_samples_an_op)
{
    static const struct {
        unsigned ops[4], counts[4], top;
    } rows[] = {
        {{1, 4, 1, 1}, {300, 800, 10, 10}, 0},
        {{4, 1, 1, 1}, {800, 10, 300, 10}, 2},
        {{1, 1, 2, 1}, {10, 150, 300, 10}, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile profile = one_block(rows[i].ops, rows[i].counts, 4);
        struct aliasing result;

        aliasing_check(&result, &profile, true);
        assert_int_equal(result.worst_top, rows[i].top);
        assert_int_equal(result.worst_top_samples, rows[i].counts[rows[i].top]);
    }
}

/* An instruction whose ops are not known is passed over; its block goes on after it. */
TEST(unknown_ops_in_the_middle)
{
    static const unsigned ops[] = {1, 0, 1, 1}, counts[] = {100, 50, 100, 400};
    struct profile profile = one_block(ops, counts, 4);
    struct aliasing result;

    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 1);
    assert_int_equal(result.insns, 3);
    assert_int_equal(result.samples, 600);
    assert_int_equal(result.worst_first, 0);
    assert_int_equal(result.worst_last, 3);
    assert_int_equal(result.worst_top, 3);
}

/* The second block is worse, though the first one has more samples for each op. */
TEST(the_worst_block_is_not_the_largest)
{
    struct profile profile = small_profile();
    struct aliasing result;

    for (unsigned i = 0; i < 3; i++)
        add_many(&profile, op_record(i, 0, 0, 0, 0), 2000 + 100 * i);
    for (unsigned i = SMALL_LOOP; i < SMALL_LOOP + 7; i++)
        add_many(&profile, op_record(i, 0, 0, 0, 0), i == SMALL_LOOP + 4 ? 150 : 10);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 2);
    assert_int_equal(result.worst_first, SMALL_LOOP);
    assert_int_equal(result.worst_top, SMALL_LOOP + 4);
    assert_int_equal(result.worst_top_samples, 150);

    /* A third block is not as bad as the second and worse than the first. */
    add_many(&profile, op_record(SMALL_COMPARE, 0, 0, 0, 0), 60);
    add_many(&profile, op_record(SMALL_COMPARE + 1, 0, 0, 0, 0), 20);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 3);
    assert_int_equal(result.worst_first, SMALL_LOOP);
}

/* A function without samples is passed over: the next one is judged from its first instruction on. */
TEST(the_function_after_a_silent_one)
{
    struct profile profile = small_profile();
    struct aliasing result;

    add_many(&profile, op_record(SMALL_MULTIPLY, 0, 0, 0, 0), 375);
    add_many(&profile, op_record(SMALL_MULTIPLY + 1, 0, 0, 0, 0), 125);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 1);
    assert_int_equal(result.worst_first, SMALL_MULTIPLY);
    assert_int_equal(result.worst_last, SMALL_MULTIPLY + 1);
    assert_int_equal(result.samples, 500);
    assert_int_equal(result.chi2_milli, 125000); /* twice 125^2 / 250 */
    /* The function after this one is judged, too. */
    add_many(&profile, op_record(SMALL_CLEAR + 2, 0, 0, 0, 0), 10);
    add_many(&profile, op_record(SMALL_CLEAR + 3, 0, 0, 0, 0), 10);
    aliasing_check(&result, &profile, true);
    assert_int_equal(result.blocks, 2);
}

RUN_TESTS(NULL, NULL)
