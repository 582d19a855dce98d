/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: parts add up to the whole, whatever the totals. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

#include "core/base/rng.h"

static char text[32768];

static int64_t sum(const struct explore_result *result, const uint8_t *nodes, size_t count)
{
    int64_t value = 0;

    for (size_t i = 0; i < count; i++) {
        assert_true(result->node[nodes[i]].state == EXPLORE_KNOWN || result->node[nodes[i]].state == EXPLORE_DROPPED);
        value += result->node[nodes[i]].value;
    }
    return value;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* Compares with the formulas as they are published in explore.h, in floating point. */
static void check_against_reference(const struct explore_input *input, const struct explore_result *result)
{
    double c = (double)input->count[EXPLORE_C].total, d0 = (double)input->count[EXPLORE_D0].total / c;
    double d1 = (double)input->count[EXPLORE_D1].total / c, d2 = (double)input->count[EXPLORE_D2].total / c;
    double ret = (double)input->count[EXPLORE_U].total / 3 / c;
    double bs = most(least((double)input->count[EXPLORE_C3].total * 12 / c, d0 + d2), d2);
    double front = most(0, d0 - (bs - d2)), back = most(0, d1 - d2);
    double wait = least((double)input->count[EXPLORE_C3].total * 2 / c, most(0, 1 - bs - front - back - ret));
    double want[] = {ret, bs + wait, front, back, 1 - d0 - d1 - ret - wait};
    static const uint8_t nodes[] = {EXPLORE_RETIRING, EXPLORE_BAD, EXPLORE_FRONT, EXPLORE_BACK, EXPLORE_SLACK};

    for (size_t i = 0; i < sizeof(nodes); i++)
        if (distance_of((double)result->node[nodes[i]].value, want[i] * 1e6) >
            3 + 1e6 / c) /* the values are whole cycles */
            fail_msg("%s: %lld, not %f", explore_tree[nodes[i]].name, (long long)result->node[nodes[i]].value,
                     want[i] * 1e6);
}

TEST(level_1_sums_up_by_construction)
{
    static const uint8_t slots[] = {EXPLORE_RETIRING, EXPLORE_BAD, EXPLORE_FRONT, EXPLORE_BACK, EXPLORE_SLACK};
    static const uint8_t cycles[] = {EXPLORE_CYCLES_FRONT, EXPLORE_CYCLES_BACK, EXPLORE_CYCLES_ACTIVE};
    static const uint8_t retired[] = {EXPLORE_N0, EXPLORE_N1, EXPLORE_N2, EXPLORE_N3};
    struct rng rng;

    rng_seed(&rng, 1);
    for (int round = 0; round < 20000; round++) {
        struct explore_input input = ordinary();
        struct explore_result result;
        uint64_t c = rng_bits(&rng, 1 + rng_below(&rng, 48)) + 1;
        /* Half of the inputs are as a core counts them, half make no sense. */
        bool sane = round & 1;

        for (int i = 0; i < EXPLORE_EVENTS; i++)
            set(&input, (enum explore_event_index)i, rng_bits(&rng, 1 + rng_below(&rng, 64)));
        set(&input, EXPLORE_C, c);
        if (sane) {
            set(&input, EXPLORE_D0, rng_next(&rng) % (c + 1));
            set(&input, EXPLORE_D1, rng_next(&rng) % (c - input.count[EXPLORE_D0].total + 1));
            set(&input, EXPLORE_D2, rng_next(&rng) % (input.count[EXPLORE_D1].total + 1));
            set(&input, EXPLORE_C3, rng_next(&rng) % (c / 8 + 1));
            set(&input, EXPLORE_U,
                rng_next(&rng) % (3 * (c - input.count[EXPLORE_D0].total - input.count[EXPLORE_D1].total) + 1));
        }
        result = explored(&input);
        assert_int_equal(sum(&result, slots, sizeof(slots)), 1000000);
        assert_int_equal(sum(&result, cycles, sizeof(cycles)), 1000000);
        assert_int_equal(sum(&result, retired, sizeof(retired)), 1000000);
        if (sane) {
            check_against_reference(&input, &result);
            for (size_t i = 0; i < sizeof(slots); i++)
                assert_int_equal(result.node[slots[i]].state, EXPLORE_KNOWN);
        }
    }
}

/* Parts of a node add up, too; a difference of one millionth is rounding. */
TEST(parts_sum_up_to_the_whole)
{
    static const struct {
        uint8_t whole, count, parts[8];
    } rows[] = {
        {EXPLORE_BAD, 3, {EXPLORE_BAD_REFILL, EXPLORE_BAD_ABORT, EXPLORE_BAD_WAIT}},
        {EXPLORE_FRONT, 3, {EXPLORE_FRONT_IC, EXPLORE_FRONT_ITLB, EXPLORE_FRONT_DECODE}},
        {EXPLORE_BACK, 4, {EXPLORE_MEMORY, EXPLORE_FORWARD, EXPLORE_STORES, EXPLORE_CORE}},
        {EXPLORE_MEMORY,
         5,
         {EXPLORE_MEMORY_L2, EXPLORE_MEMORY_L3, EXPLORE_MEMORY_CACHE, EXPLORE_MEMORY_DRAM, EXPLORE_MEMORY_DTLB}},
        {EXPLORE_BACK,
         8,
         {EXPLORE_SERIAL, EXPLORE_SEGMENT, EXPLORE_ROB, EXPLORE_STATION, EXPLORE_FPU, EXPLORE_LS, EXPLORE_QUIET,
          EXPLORE_FAR}},
    };

    for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++) {
        struct explore_input input = bound_input(&bounds[b]);
        struct explore_result result = explored(&input);

        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
            assert_true(distance_of((double)sum(&result, rows[i].parts, rows[i].count),
                                    (double)result.node[rows[i].whole].value) <= 4);
    }
}

/* The decoder's row has what the instruction cache and the ITLB leave of the front end: never less than nothing, though
 * all three are rounded. */
TEST(what_the_decoder_is_left_with)
{
    unsigned none = 0, rounded = 0;
    struct rng rng;

    rng_seed(&rng, 11);
    for (int round = 0; round < 20000; round++) {
        struct explore_input input = ordinary();
        struct explore_result result;
        int64_t rest;

        set(&input, EXPLORE_C, 10 * MEGA + rng_below(&rng, MEGA));
        set(&input, EXPLORE_D0, 2 * MEGA + rng_below(&rng, MEGA));
        set(&input, EXPLORE_82, rng_below(&rng, 200000));
        set(&input, EXPLORE_84, rng_below(&rng, 2 * MEGA));
        result = explored(&input);
        rest = result.node[EXPLORE_FRONT].value - result.node[EXPLORE_FRONT_IC].value -
               result.node[EXPLORE_FRONT_ITLB].value;
        assert_int_equal(result.node[EXPLORE_FRONT_DECODE].value, rest < 0 ? 0 : rest);
        none += rest <= 0;
        rounded += rest < 0;
    }
    assert_true(none > rounded && rounded > 10);
}

/* A figure whose base is 0 is 0, whatever else was counted. */
TEST(nothing_to_divide_by)
{
    static const enum explore_event_index bases[] = {EXPLORE_C,  EXPLORE_C0,  EXPLORE_U,
                                                     EXPLORE_40, EXPLORE_4E0, EXPLORE_68};
    unsigned without = 0;

    for (unsigned b = 0; b < sizeof(bases) / sizeof(bases[0]); b++) {
        struct explore_input input = ordinary();
        struct explore_result result;

        set(&input, bases[b], 0);
        result = explored(&input);
        for (int i = 0; i < EXPLORE_NODES; i++) {
            if (explore_tree[i].raw >= EXPLORE_EVENTS)
                assert_int_equal(result.node[i].raw_state, EXPLORE_NOT_OBSERVABLE);
            if (result.node[i].state != EXPLORE_NO_BASE)
                continue;
            without++;
            assert_int_equal(result.node[i].value, 0);
        }
    }
    assert_true(without > 10);
}

/* Without cycles no share of cycles or slots is known, whatever else was counted, but shares of samples are. */
TEST(shares_of_no_cycles)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_C, 0);
    result = explored(&input);
    for (int i = 0; i < EXPLORE_NODES; i++) {
        const struct explore_node_row *row = &explore_tree[i];
        bool of_cycles =
            row->unit == EXPLORE_UNIT_CYCLES || row->unit == EXPLORE_UNIT_SLOTS || i == EXPLORE_CPI || i == EXPLORE_IPC;

        if (!row->unobservable)
            assert_int_equal(result.node[i].state, of_cycles ? EXPLORE_NO_BASE : EXPLORE_KNOWN);
        if (row->raw < EXPLORE_EVENTS)
            assert_int_equal(result.node[i].raw_state, EXPLORE_NO_BASE);
    }
}

/* Waits overlap, so their sum may be larger than the back end: they are then scaled down to it, and the report says
 * so. */
TEST(waits_fit_into_the_back_end)
{
    struct explore_input input = ordinary();
    struct held_sums *sums = &input.ibs.held.sums;
    struct explore_result result;
    struct out_memory memory;

    set(&input, EXPLORE_D1, 2960000);
    *sums = (struct held_sums){.miss_cycles = {294, 294, 0, 588}, .tlb_hits = 24, .walks = 27, .forwarded = 126};
    sums->cancelled_cycles = 588; /* 882 of memory's 2058, 882 of forwarding's 1470; in all 3528 of 2940 */
    result = explored(&input);
    assert_int_equal(result.overlap_ppm, 1200000);
    assert_int_equal(result.node[EXPLORE_MEMORY_L2].value, 24500); /* 294 * 2940 / 3528 */
    assert_int_equal(result.node[EXPLORE_MEMORY_L3].value, 24500);
    assert_int_equal(result.node[EXPLORE_MEMORY_DRAM].value, 49000);
    assert_int_equal(result.node[EXPLORE_MEMORY_DTLB].value, 73500);
    assert_int_equal(result.node[EXPLORE_FORWARD].value, 122500);
    assert_int_equal(result.node[EXPLORE_STORES].value, 0);
    assert_int_equal(result.node[EXPLORE_CORE].value, 0);
    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_non_null(strstr(text, "1.2 times the"));

    /* Without cancelled cycles all waits fit. */
    sums->cancelled_cycles = 0;
    result = explored(&input);
    assert_int_equal(result.overlap_ppm, 1000000);
    assert_int_equal(result.node[EXPLORE_MEMORY_L2].value, 29400);
    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_null(strstr(text, "times the"));

    /* The report does not mention it if the back end is not flagged, because its parts then have no weight. */
    set(&input, EXPLORE_D1, 1960000);
    result = explored(&input);
    assert_true(result.overlap_ppm > 1500000);
    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_null(strstr(text, "times the"));
}

/* Locked ops that wait for their lines are mentioned from a tenth of the cycles on. */
TEST(waits_of_locked_ops)
{
    static const struct {
        uint64_t cycles;
        uint32_t ppm;
        bool told;
    } rows[] = {{0, 0, false}, {999, 99900, false}, {1000, 100000, true}, {2000, 200000, true}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = ordinary();
        struct explore_result result;
        struct out_memory memory;

        set(&input, EXPLORE_D1, 4 * MEGA);
        input.ibs.held.sums = (struct held_sums){.miss_cycles = {[HELD_CACHE] = 2000}, .locked_cycles = rows[i].cycles};
        result = explored(&input);
        assert_int_equal(result.locked_ppm, rows[i].ppm);
        out_memory_init(&memory, text, sizeof(text));
        explore_print(&memory.out, &result);
        assert_int_equal(strstr(text, "Locked ops wait for their lines in ") != NULL, rows[i].told);
    }

    /* Waits of locked ops, like all waits, are limited to the back end and to the cycles. */
    {
        struct explore_input input = ordinary();

        set(&input, EXPLORE_D1, 12 * MEGA);
        input.ibs.held.sums = (struct held_sums){.miss_cycles = {[HELD_CACHE] = 20000}, .locked_cycles = 20000};
        assert_int_equal(explored(&input).locked_ppm, 1000000);
    }
    {
        struct explore_input input = ordinary();

        set(&input, EXPLORE_D1, 1980000);
        input.ibs.held.sums = (struct held_sums){.miss_cycles = {[HELD_CACHE] = 4000}, .locked_cycles = 2000};
        assert_int_equal(explored(&input).locked_ppm, 98000);
        input.ibs.state = COUNTS_NOT_COUNTED;
        assert_int_equal(explored(&input).locked_ppm, 0);
    }
}

/* The remainder is charged to stores as far as the unit of loads and stores was full. */
TEST(what_the_waits_leave)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_D8, 10 * MEGA);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_STORES].value, 82500);
    assert_int_equal(result.node[EXPLORE_CORE].value, 0);
}

/* Branches are called late only with samples of branches and with the ops that say how many slots are left. */
TEST(branches_are_late_where_it_is_known)
{
    struct explore_input input = ordinary();

    input.ibs.held.mispredicted = 0;
    assert_int_equal(explored(&input).node[EXPLORE_BAD].value, 12000);
    assert_int_equal(explored(&input).node[EXPLORE_BAD_WAIT].value, 0);
    input = ordinary();
    input.ibs.state = COUNTS_NOT_COUNTED;
    assert_int_equal(explored(&input).node[EXPLORE_BAD].value, 12000);
    assert_int_equal(explored(&input).node[EXPLORE_BAD_WAIT].state, EXPLORE_NOT_COUNTED);
    assert_int_equal(explored(&input).overlap_ppm, 0);
    input = ordinary();
    input.count[EXPLORE_U].state = COUNTS_NOT_COUNTED;
    assert_int_equal(explored(&input).node[EXPLORE_BAD].value, 12000);
}

/* The parts of the back end belong to one figure: they are unknown without samples, and dropped with the figure. */
TEST(memory_is_split_where_it_is_known)
{
    static const uint8_t parts[] = {EXPLORE_MEMORY,       EXPLORE_MEMORY_L2,   EXPLORE_MEMORY_L3,
                                    EXPLORE_MEMORY_CACHE, EXPLORE_MEMORY_DRAM, EXPLORE_MEMORY_DTLB,
                                    EXPLORE_FORWARD,      EXPLORE_STORES,      EXPLORE_CORE};
    struct explore_input input = ordinary();
    struct explore_result result;

    input.ibs.held = (struct held_result){0};
    result = explored(&input);
    for (size_t i = 0; i < sizeof(parts); i++)
        assert_int_equal(result.node[parts[i]].state, EXPLORE_NO_BASE);

    input = ordinary();
    set(&input, EXPLORE_D1, 20 * MEGA);
    result = explored(&input);
    for (size_t i = 0; i < sizeof(parts); i++)
        assert_int_equal(result.node[parts[i]].state, EXPLORE_DROPPED);
}

RUN_TESTS(NULL, NULL)
