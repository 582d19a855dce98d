/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: made totals, each bound by one thing; missing inputs; checks; the printed report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/explore.h"
#include "core/rng.h"

enum { MEGA = 1000000 };

static char text[32768];

static void set(struct explore_input *input, enum explore_event_index event, uint64_t total)
{
    input->count[event] = (struct explore_count){total, COUNTS_COUNTED, 1000000, 1000};
}

struct made {
    enum explore_event_index event;
    uint64_t total;
};

/* Everything counted, of ten million cycles; nothing out of the ordinary. */
static struct explore_input ordinary(void)
{
    static const struct made made[] = {
        {EXPLORE_C, 10 * MEGA}, {EXPLORE_C0, 12 * MEGA}, {EXPLORE_U, 15 * MEGA}, {EXPLORE_R1, 8 * MEGA},
        {EXPLORE_R2, 5 * MEGA}, {EXPLORE_R3, 2 * MEGA},  {EXPLORE_C2, 2 * MEGA}, {EXPLORE_C3, 10000},
        {EXPLORE_CC, 1 * MEGA}, {EXPLORE_CF, 0},         {EXPLORE_D0, 600000},   {EXPLORE_D1, 1 * MEGA},
        {EXPLORE_D2, 20000},    {EXPLORE_D3, 100000},    {EXPLORE_D4, 0},        {EXPLORE_D5, 600000},
        {EXPLORE_D6, 400000},   {EXPLORE_D7, 200000},    {EXPLORE_D8, 300000},   {EXPLORE_D9, 0},
        {EXPLORE_DA, 0},        {EXPLORE_40, 5 * MEGA},  {EXPLORE_41, 50000},    {EXPLORE_42, 60000},
        {EXPLORE_43, 6000},     {EXPLORE_45, 1000},      {EXPLORE_46, 100},      {EXPLORE_68, 30000},
        {EXPLORE_69, 900000},   {EXPLORE_82, 1000},      {EXPLORE_83, 10},       {EXPLORE_84, 100},
        {EXPLORE_85, 10},       {EXPLORE_4E0, 6000},     {EXPLORE_4E1, 1500},
    };
    /* A sample for each 1000 ops. */
    struct explore_input input = {.ibs = {COUNTS_COUNTED,
                                          {.ops = 15000,
                                           .least = 1,
                                           .sums = {.ops = 5000,
                                                    .miss_cycles = {30, 10, 5, 20},
                                                    .tlb_hits = 10,
                                                    .walks = 1,
                                                    .forwarded = 4,
                                                    .cancelled_cycles = 2},
                                           .mispredicted = 15,
                                           .late_cycles = 30}}};

    for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
        set(&input, made[i].event, made[i].total);
    input.expected_known = true;
    input.expected = 12 * MEGA;
    return input;
}

static struct explore_result explored(const struct explore_input *input)
{
    struct explore_result result;

    memset(&result, 0xA5, sizeof(result)); /* nothing may be left unset */
    explore_compute(&result, input);
    return result;
}

/* What a program is expected to retire: its instructions on each core, without those of an empty call. */
static void what_is_expected(void **state)
{
    struct explore_input input = {0};

    explore_expect(&input, 1000 + COUNTS_EMPTY_INSTRUCTIONS, 3);
    assert_true(input.expected_known);
    assert_int_equal(input.expected, 3000);
}

/* ---------------------------------------------------------------- the tables */

/* What is to be counted is accepted on each revision, can be grouped, and nothing is in it twice. */
static void the_list_can_be_counted(void **state)
{
    for (char revision = 'B'; revision <= 'E'; revision++) {
        struct event_list list;
        struct event_groups groups;
        struct event_request request = {
            .list = &list, .revision = revision, .sharing = EVENT_SHARING_RERUN, .cores_per_node = 1};
        struct out_memory memory;

        explore_list(&list, revision);
        out_memory_init(&memory, text, sizeof(text));
        assert_int_equal(event_request_check(&request, &memory.out), 0);
        assert_int_equal(list.count, EXPLORE_EVENTS);
        for (unsigned i = 0; i < list.count; i++) {
            assert_int_equal(list.spec[i].event->select, explore_events[i].select);
            assert_int_equal(list.spec[i].count_mask, explore_events[i].count_mask);
            assert_true(list.spec[i].user && list.spec[i].kernel && !list.spec[i].period);
            /* Revision B has no 1 GB pages in its L2 DTLB; that bit is left out of 045h. */
            assert_int_equal(list.spec[i].mask, revision == 'B' && i == EXPLORE_45 ? 0x03 : explore_events[i].mask);
            assert_int_equal(event_list_find(&list, &list.spec[i]), i);
            assert_non_null(explore_events[i].what);
        }
        event_groups_make(&groups, &list, EXPLORE_C);
        assert_int_equal(event_groups_with(&groups, EXPLORE_C), groups.count);
    }
}

/* What the report needs: the events of AMD 31116 that explore.h names, with every source of an event but for 068h and
 * 069h, whose mask says how busy one buffer is. */
static void the_list_is_complete(void **state)
{
    static const uint16_t selects[EXPLORE_EVENTS] = {
        [EXPLORE_C] = 0x076,  [EXPLORE_C0] = 0x0C0, [EXPLORE_U] = 0x0C1,  [EXPLORE_R1] = 0x0C1,  [EXPLORE_R2] = 0x0C1,
        [EXPLORE_R3] = 0x0C1, [EXPLORE_C2] = 0x0C2, [EXPLORE_C3] = 0x0C3, [EXPLORE_CC] = 0x0CC,  [EXPLORE_CF] = 0x0CF,
        [EXPLORE_D0] = 0x0D0, [EXPLORE_D1] = 0x0D1, [EXPLORE_D2] = 0x0D2, [EXPLORE_D3] = 0x0D3,  [EXPLORE_D4] = 0x0D4,
        [EXPLORE_D5] = 0x0D5, [EXPLORE_D6] = 0x0D6, [EXPLORE_D7] = 0x0D7, [EXPLORE_D8] = 0x0D8,  [EXPLORE_D9] = 0x0D9,
        [EXPLORE_DA] = 0x0DA, [EXPLORE_40] = 0x040, [EXPLORE_41] = 0x041, [EXPLORE_42] = 0x042,  [EXPLORE_43] = 0x043,
        [EXPLORE_45] = 0x045, [EXPLORE_46] = 0x046, [EXPLORE_68] = 0x068, [EXPLORE_69] = 0x069,  [EXPLORE_82] = 0x082,
        [EXPLORE_83] = 0x083, [EXPLORE_84] = 0x084, [EXPLORE_85] = 0x085, [EXPLORE_4E0] = 0x4E0, [EXPLORE_4E1] = 0x4E1,
    };

    for (int i = 0; i < EXPLORE_EVENTS; i++) {
        const struct explore_event *one = &explore_events[i];

        assert_int_equal(one->select, selects[i]);
        assert_int_equal(one->count_mask, i >= EXPLORE_R1 && i <= EXPLORE_R3 ? i - EXPLORE_R1 + 1 : 0);
        if (i == EXPLORE_68 || i == EXPLORE_69)
            assert_int_equal(one->mask, 0);
        else
            assert_int_equal(one->mask, event_by_select(EVENT_SET_10H, one->select)->mask_legal);
    }
}

static void limits_are_toplevs(void **state)
{
    static const struct {
        uint8_t node;
        uint32_t limit;
    } rows[] = {
        {EXPLORE_RETIRING, 700000},    {EXPLORE_BAD, 150000},
        {EXPLORE_FRONT, 150000},       {EXPLORE_BACK, 200000},
        {EXPLORE_MEMORY, 200000},      {EXPLORE_CORE, 100000},
        {EXPLORE_MEMORY_L2, 50000},    {EXPLORE_MEMORY_L3, 50000},
        {EXPLORE_MEMORY_DRAM, 100000}, {EXPLORE_MEMORY_DTLB, 100000},
        {EXPLORE_FRONT_IC, 50000},     {EXPLORE_FRONT_ITLB, 50000},
        {EXPLORE_MEMORY_CACHE, 50000}, {EXPLORE_FORWARD, 100000},
        {EXPLORE_STORES, 100000},      {EXPLORE_BAD_WAIT, 100000},
        {EXPLORE_BAD_ABORT, 100000},   {EXPLORE_FRONT_DECODE, 200000},
        {EXPLORE_BAD_REFILL, 100000},  {EXPLORE_SLACK, EXPLORE_NO_LIMIT},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(explore_tree[rows[i].node].limit_ppm, rows[i].limit);
}

static void results_of_counting_are_taken_over(void **state)
{
    struct counts_result counted = {
        .state = COUNTS_COUNTED, .mean = 7, .min = 6, .max = 8, .cv_ppm = 5, .reliability_ppm = 4};
    struct explore_input input = {0};

    explore_take(&input, EXPLORE_D0, &counted);
    assert_int_equal(input.count[EXPLORE_D0].total, 7);
    assert_int_equal(input.count[EXPLORE_D0].state, COUNTS_COUNTED);
    assert_int_equal(input.count[EXPLORE_D0].cv_ppm, 5);
    assert_int_equal(input.count[EXPLORE_D0].reliability_ppm, 4);
    assert_int_equal(input.count[EXPLORE_D1].state, COUNTS_NOT_COUNTED);
}

/* ---------------------------------------------------------------- one thing at a time */

/* What differs from the ordinary, of samples the waits in cycles, and every node that is flagged for it. */
enum { BOUND_DRAM = 4 };
static const struct bound {
    const char *name;
    struct made made[8];
    struct held_sums held;
    uint64_t late; /* cycles of each mispredicted branch */
    uint8_t flagged[8];
} bounds[] = {
    {"ordinary", {{0}}, {0}, 0, {0}},
    {"front end: cache misses",
     {{EXPLORE_D0, 6 * MEGA}, {EXPLORE_U, 5 * MEGA}, {EXPLORE_82, 300000}},
     {0},
     0,
     {EXPLORE_FRONT, EXPLORE_FRONT_IC}},
    {"front end: ITLB",
     {{EXPLORE_D0, 3 * MEGA}, {EXPLORE_U, 5 * MEGA}, {EXPLORE_84, 100000}, {EXPLORE_85, 50000}},
     {0},
     0,
     {EXPLORE_FRONT, EXPLORE_FRONT_ITLB}},
    {"front end: decoder",
     {{EXPLORE_D0, 4 * MEGA}, {EXPLORE_U, 5 * MEGA}},
     {0},
     0,
     {EXPLORE_FRONT, EXPLORE_FRONT_DECODE}},
    {"back end: DRAM",
     {{EXPLORE_D0, 10000},
      {EXPLORE_C3, 100},
      {EXPLORE_D1, 9 * MEGA},
      {EXPLORE_U, 2 * MEGA},
      {EXPLORE_D5, 8 * MEGA},
      {EXPLORE_43, 50000},
      {EXPLORE_4E0, 50000},
      {EXPLORE_4E1, 49000}},
     {.miss_cycles = {[HELD_DRAM] = 8500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_DRAM, EXPLORE_ROB}},
    {"back end: L2",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}, {EXPLORE_43, 0}},
     {.miss_cycles = {[HELD_L2] = 5500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_L2, EXPLORE_LS}},
    {"back end: L3",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {.miss_cycles = {[HELD_L3] = 5500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_L3, EXPLORE_LS}},
    {"back end: other cores' caches",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {.miss_cycles = {[HELD_CACHE] = 5500}},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_CACHE, EXPLORE_LS}},
    {"back end: DTLB",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}, {EXPLORE_43, 0}},
     {.tlb_hits = 100, .walks = 170},
     0,
     {EXPLORE_BACK, EXPLORE_MEMORY, EXPLORE_MEMORY_DTLB, EXPLORE_LS}},
    {"back end: forwarding",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {.forwarded = 500, .cancelled_cycles = 2000},
     0,
     {EXPLORE_BACK, EXPLORE_FORWARD, EXPLORE_LS}},
    {"back end: stores",
     {{EXPLORE_D1, 6 * MEGA}, {EXPLORE_U, 2 * MEGA}, {EXPLORE_D8, 6 * MEGA}},
     {0},
     0,
     {EXPLORE_BACK, EXPLORE_STORES, EXPLORE_LS}},
    {"back end: division",
     {{EXPLORE_D1, 7 * MEGA}, {EXPLORE_U, 3 * MEGA}, {EXPLORE_D7, 7 * MEGA}},
     {0},
     0,
     {EXPLORE_BACK, EXPLORE_CORE, EXPLORE_FPU}},
    {"bad speculation: refill",
     {{EXPLORE_D0, 5 * MEGA}, {EXPLORE_C3, 400000}, {EXPLORE_U, 6 * MEGA}},
     {0},
     0,
     {EXPLORE_BAD, EXPLORE_BAD_REFILL}},
    {"bad speculation: abort",
     {{EXPLORE_D1, 4 * MEGA}, {EXPLORE_D2, 3 * MEGA}, {EXPLORE_C3, 100000}, {EXPLORE_U, 6 * MEGA}},
     {0},
     0,
     {EXPLORE_BAD, EXPLORE_BAD_ABORT}},
    {"bad speculation: late branches",
     {{EXPLORE_D0, 960000}, {EXPLORE_C3, 80000}, {EXPLORE_U, 6 * MEGA}},
     {0},
     30,
     {EXPLORE_BAD, EXPLORE_BAD_WAIT}},
    {"retiring",
     {{EXPLORE_D0, 10000}, {EXPLORE_D1, 700000}, {EXPLORE_C3, 100}, {EXPLORE_U, 27 * MEGA}},
     {0},
     0,
     {EXPLORE_RETIRING}},
};

static struct explore_input bound_input(const struct bound *bound)
{
    struct explore_input input = ordinary();
    struct held_result *held = &input.ibs.held;
    uint64_t ops;

    for (int i = 0; i < 8 && bound->made[i].event; i++)
        set(&input, bound->made[i].event, bound->made[i].total);
    ops = input.count[EXPLORE_U].total;
    for (int i = EXPLORE_R1; i <= EXPLORE_R3; i++)
        set(&input, (enum explore_event_index)i, ops / 3);
    set(&input, EXPLORE_C0, ops / 5 * 4);
    input.expected = ops / 5 * 4;
    held->ops = ops / 1000;
    for (int i = 0; i < HELD_SOURCES; i++)
        held->sums.miss_cycles[i] += bound->held.miss_cycles[i];
    held->sums.tlb_hits += bound->held.tlb_hits;
    held->sums.walks += bound->held.walks;
    held->sums.forwarded += bound->held.forwarded;
    held->sums.cancelled_cycles += bound->held.cancelled_cycles;
    held->late_cycles += held->mispredicted * bound->late;
    return input;
}

static void each_is_flagged_at_its_own_node(void **state)
{
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        struct explore_input input = bound_input(&bounds[i]);
        struct explore_result result = explored(&input);

        for (int n = 0; n < EXPLORE_NODES; n++) {
            bool want = n > 0 && memchr(bounds[i].flagged, n, sizeof(bounds[i].flagged));

            if (result.node[n].flagged != want)
                fail_msg("%s: %s is %sflagged: %lld", bounds[i].name, explore_tree[n].name, want ? "not " : "",
                         (long long)result.node[n].value);
        }
        for (int c = 0; c < EXPLORE_CHECKS; c++)
            if (result.check[c].verdict != EXPLORE_PASS)
                fail_msg("%s: %s", bounds[i].name, explore_checks[c].says);
    }
}

/* A part above its limit says nothing while the whole is not. */
static void children_count_only_under_a_flagged_parent(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_D1, 2100000);
    set(&input, EXPLORE_D2, 200000); /* 19 % of slots */
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BACK].value, 190000);
    assert_false(result.node[EXPLORE_BACK].flagged);
    assert_int_equal(result.node[EXPLORE_CORE].value, 144500);
    assert_true(result.node[EXPLORE_CORE].greyed);
    assert_false(result.node[EXPLORE_CORE].flagged);
    assert_false(result.node[EXPLORE_BACK].greyed);

    set(&input, EXPLORE_D2, 90000);
    result = explored(&input);
    assert_true(result.node[EXPLORE_BACK].flagged);
    assert_true(result.node[EXPLORE_CORE].flagged && !result.node[EXPLORE_CORE].greyed);
    /* and so below: memory is not over its limit */
    assert_true(result.node[EXPLORE_MEMORY_L2].greyed && !result.node[EXPLORE_MEMORY].greyed);

    /* The limit itself is not above it. */
    set(&input, EXPLORE_D2, 100000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BACK].value, 200000);
    assert_false(result.node[EXPLORE_BACK].flagged);
}

static void figures(void **state)
{
    static const struct {
        uint8_t node;
        int64_t value;
    } rows[] = {
        {EXPLORE_CPI, 833333},       /* 10 of 12 million, ... */
        {EXPLORE_CPI_IDEAL, 416667}, /* 15 million ops, three a cycle */
        {EXPLORE_IPC, 1200000},      /* ... and the other way round */
        {EXPLORE_CYCLES_FRONT, 60000},
        {EXPLORE_CYCLES_BACK, 100000},
        {EXPLORE_CYCLES_ACTIVE, 840000},
        {EXPLORE_RETIRING, 500000},
        {EXPLORE_OPS_PER_INSN, 1250000},
        {EXPLORE_DOUBLES, 83333},
        {EXPLORE_BAD, 14000}, /* 10000 * 12, and */
        {EXPLORE_BAD_REFILL, 10000},
        {EXPLORE_BAD_ABORT, 2000},
        {EXPLORE_BAD_WAIT, 2000}, /* 10000 * 2 */
        {EXPLORE_BAD_RATIO, 5000},
        {EXPLORE_FRONT, 50000}, /* D0 less the refill */
        {EXPLORE_FRONT_IC, 1640},
        {EXPLORE_FRONT_ITLB, 60},
        {EXPLORE_FRONT_DECODE, 48300},
        {EXPLORE_BACK, 98000},
        {EXPLORE_MEMORY, 12500},
        {EXPLORE_MEMORY_L2, 3000},
        {EXPLORE_MEMORY_L3, 1000},
        {EXPLORE_MEMORY_CACHE, 500},
        {EXPLORE_MEMORY_DRAM, 2000},
        {EXPLORE_MEMORY_DTLB, 6000}, /* 10 * 3, 1 * 30 */
        {EXPLORE_FORWARD, 3000},     /* 4 * 7, 2 */
        {EXPLORE_STORES, 30000},     /* 0D8 */
        {EXPLORE_CORE, 52500},
        {EXPLORE_TLB_HITS, 200},
        {EXPLORE_TLB_WALKS, 20},
        {EXPLORE_NB_SHARE, 100000},
        {EXPLORE_L3_HITS, 750000},
        {EXPLORE_MISS_LATENCY, 30000000},
        {EXPLORE_MU_CHECK, 600000}, /* 900 of 1500 */
        {EXPLORE_SERIAL, 6125},     /* 98000 / 16 */
        {EXPLORE_SEGMENT, 0},
        {EXPLORE_ROB, 36750},
        {EXPLORE_STATION, 24500},
        {EXPLORE_FPU, 12250},
        {EXPLORE_LS, 18375},
        {EXPLORE_SLACK, 338000},
        {EXPLORE_N0, 200000},
        {EXPLORE_N1, 300000},
        {EXPLORE_N2, 300000},
        {EXPLORE_N3, 200000},
    };
    struct explore_input input = ordinary();
    struct explore_result result = explored(&input);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct explore_node *node = &result.node[rows[i].node];

        if (node->state != EXPLORE_KNOWN || node->value != rows[i].value)
            fail_msg("%s: %lld, expected %lld", explore_tree[rows[i].node].name, (long long)node->value,
                     (long long)rows[i].value);
    }
    assert_int_equal(result.node[EXPLORE_ROB].raw, 60000);
    assert_int_equal(result.node[EXPLORE_ROB].raw_state, EXPLORE_KNOWN);
    assert_int_equal(result.node[EXPLORE_MICROCODE].state, EXPLORE_NOT_OBSERVABLE);
    assert_int_equal(result.cycles, 10 * MEGA);
    assert_int_equal(result.overlap_ppm, 158163); /* 155 of 980 */
}

/* A machine's own costs are used, and the penalty is not more than the cycles there are. */
static void costs_are_settings(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    input.costs = (struct explore_costs){{20, 10, 200, 5, 50, 9}};
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD].value, 22000);
    assert_int_equal(result.node[EXPLORE_FRONT_IC].value, 1200);
    assert_int_equal(result.node[EXPLORE_FRONT_ITLB].value, 100);
    assert_int_equal(result.node[EXPLORE_MEMORY_DTLB].value, 10000);
    assert_int_equal(result.node[EXPLORE_FORWARD].value, 3800);

    set(&input, EXPLORE_C3, 100000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD].value, 82000); /* D0 + D2, and 2 for each branch */
    assert_int_equal(result.node[EXPLORE_FRONT].value, 0);
    assert_int_equal(result.node[EXPLORE_FRONT_IC].value, 0);
}

/* Inputs that do not fit together leave no part that is larger than its whole. */
static void parts_are_bounded(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_D2, 3 * MEGA); /* of 1 million stalls */
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD_ABORT].value, 100000);
    assert_int_equal(result.node[EXPLORE_BAD_REFILL].value, 0); /* it is more than the penalty */
    assert_int_equal(result.node[EXPLORE_BAD].value, 102000);
    assert_int_equal(result.node[EXPLORE_BACK].value, 0);
    assert_int_equal(result.node[EXPLORE_MEMORY].value, 0);
    assert_int_equal(result.overlap_ppm, 0); /* there is nothing for them to be of */

    /* Branches are late for no more than the slots that nothing else has: 10 less 0.62 and 0.98 and 5. */
    input = ordinary();
    input.ibs.held.late_cycles = 1 * MEGA;
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD_WAIT].value, 342000 - 2000);
    assert_int_equal(result.node[EXPLORE_SLACK].value, 0);

    /* The last two causes, too. */
    input = ordinary();
    set(&input, EXPLORE_D9, 800000);
    set(&input, EXPLORE_DA, 800000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_FAR].value, 24500); /* 98000 / 4 */
    assert_int_equal(result.node[EXPLORE_QUIET].value, 24500);
}

/* ---------------------------------------------------------------- sums, whatever the totals */

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

/* The formulas as they are published in explore.h, in floating point. */
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
        if (distance_of((double)result->node[nodes[i]].value, want[i] * 1e6) > 3 + 1e6 / c) /* whole cycles */
            fail_msg("%s: %lld, not %f", explore_tree[nodes[i]].name, (long long)result->node[nodes[i]].value,
                     want[i] * 1e6);
}

static void level_1_sums_up_by_construction(void **state)
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
        /* Half of them as a core counts, half without any sense. */
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

/* Parts of a node, too; one millionth is rounding. */
static void parts_sum_up_to_the_whole(void **state)
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

/* The decoder has what the instruction cache and the ITLB leave of the front end: never less than nothing, though all
 * three are rounded. */
static void what_the_decoder_is_left_with(void **state)
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

/* A figure without a base is 0, whatever else was counted. */
static void nothing_to_divide_by(void **state)
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

/* Without cycles no share of cycles or slots is known, whatever else was counted; shares of samples are. */
static void shares_of_no_cycles(void **state)
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

/* Waits that are more than the back end has, as they overlap, are scaled down to it, and the report says so. */
static void waits_fit_into_the_back_end(void **state)
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

    /* As much as there is fits. */
    sums->cancelled_cycles = 0;
    result = explored(&input);
    assert_int_equal(result.overlap_ppm, 1000000);
    assert_int_equal(result.node[EXPLORE_MEMORY_L2].value, 29400);
    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_null(strstr(text, "times the"));

    /* Of a back end that is not flagged, whose parts have no weight, nothing is said. */
    set(&input, EXPLORE_D1, 1960000);
    result = explored(&input);
    assert_true(result.overlap_ppm > 1500000);
    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_null(strstr(text, "times the"));
}

/* What is left is of stores as far as the unit of loads and stores was full. */
static void what_the_waits_leave(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_D8, 10 * MEGA);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_STORES].value, 82500);
    assert_int_equal(result.node[EXPLORE_CORE].value, 0);
}

/* Without the branches' samples, or without the ops that say how many slots are left, nothing is called late. */
static void branches_are_late_where_it_is_known(void **state)
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

/* The parts of the back end are parts of a figure: none without samples, dropped with it. */
static void memory_is_split_where_it_is_known(void **state)
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

/* ---------------------------------------------------------------- what is missing */

static void missing_inputs_are_states_not_zeros(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    for (int i = EXPLORE_D6; i <= EXPLORE_D9; i++)
        input.count[i].state = COUNTS_NOT_MODELLED;
    input.count[EXPLORE_68].state = COUNTS_NOT_COUNTED;
    set(&input, EXPLORE_D1, 5 * MEGA);
    set(&input, EXPLORE_D5, 5 * MEGA);
    set(&input, EXPLORE_U, 3 * MEGA);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_STATION].state, EXPLORE_NOT_MODELLED);
    assert_int_equal(result.node[EXPLORE_STATION].raw_state, EXPLORE_NOT_MODELLED);
    assert_int_equal(result.node[EXPLORE_STATION].value, 0);
    assert_int_equal(result.node[EXPLORE_MU_CHECK].state, EXPLORE_NOT_MODELLED);
    assert_int_equal(result.node[EXPLORE_MISS_LATENCY].state, EXPLORE_NOT_COUNTED);
    assert_int_equal(result.node[EXPLORE_BACK].state, EXPLORE_KNOWN);
    /* The share of this cause is not known, but that it was there: flagged by the raw figure. */
    assert_int_equal(result.node[EXPLORE_ROB].state, EXPLORE_NOT_SPLIT);
    assert_int_equal(result.node[EXPLORE_ROB].raw, 500000);
    assert_true(result.node[EXPLORE_ROB].flagged);
    assert_int_equal(result.node[EXPLORE_ROB].reliability_ppm, 1000000);
    assert_false(result.node[EXPLORE_SERIAL].flagged);

    for (int i = EXPLORE_D6; i <= EXPLORE_D9; i++)
        input.count[i].state = COUNTS_NOT_COUNTED;
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_ROB].state, EXPLORE_NOT_SPLIT);
    assert_int_equal(result.node[EXPLORE_STATION].state, EXPLORE_NOT_COUNTED);

    /* Without IBS the back end is not split. */
    input.ibs.state = COUNTS_NOT_COUNTED;
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_MEMORY].state, EXPLORE_NOT_COUNTED);
    assert_int_equal(result.node[EXPLORE_CORE].state, EXPLORE_NOT_COUNTED);
    assert_true(result.node[EXPLORE_BACK].flagged);

    /* Nothing at all. */
    memset(&input, 0, sizeof(input));
    result = explored(&input);
    for (int i = 0; i < EXPLORE_NODES; i++) {
        assert_int_equal(result.node[i].state,
                         explore_tree[i].unobservable ? EXPLORE_NOT_OBSERVABLE : EXPLORE_NOT_COUNTED);
        assert_false(result.node[i].flagged || result.node[i].unreliable);
    }
    for (int i = 0; i < EXPLORE_CHECKS; i++)
        assert_int_equal(result.check[i].verdict, EXPLORE_NOT_CHECKED);
}

/* Of inputs missing for different reasons, the reason that cannot be remedied is given, whichever comes first. */
static void not_modelled_before_not_counted(void **state)
{
    for (int n = 0; n < EXPLORE_NODES; n++) {
        for (int modelled = 0; modelled < EXPLORE_EVENTS; modelled++) {
            struct explore_input input = ordinary();
            struct explore_result result;

            if (!(explore_tree[n].inputs >> modelled & 1))
                continue;
            for (int i = 0; i < EXPLORE_EVENTS; i++)
                input.count[i].state = i == modelled ? COUNTS_NOT_MODELLED : COUNTS_NOT_COUNTED;
            result = explored(&input);
            assert_int_equal(result.node[n].state, EXPLORE_NOT_MODELLED);
        }
    }
}

/* Each input alone: no row that needs it has a value without it, all others have. */
static void rows_need_exactly_their_inputs(void **state)
{
    for (int missing = 0; missing <= EXPLORE_IBS; missing++) {
        struct explore_input input = ordinary();
        struct explore_result result;

        if (missing < EXPLORE_EVENTS)
            input.count[missing] = (struct explore_count){.total = 0x123456789, .state = COUNTS_NOT_MODELLED};
        else
            input.ibs.state = COUNTS_NOT_MODELLED;
        result = explored(&input);
        for (int n = 0; n < EXPLORE_NODES; n++) {
            enum explore_state want = EXPLORE_KNOWN;

            if (explore_tree[n].unobservable)
                want = EXPLORE_NOT_OBSERVABLE;
            else if (explore_tree[n].inputs >> missing & 1)
                want = explore_tree[n].raw == EXPLORE_EVENTS || missing == EXPLORE_C || missing == explore_tree[n].raw
                           ? EXPLORE_NOT_MODELLED
                           : EXPLORE_NOT_SPLIT;
            if (result.node[n].state != want)
                fail_msg("%s without input %d: state %d", explore_tree[n].name, missing, result.node[n].state);
            /* A raw share is one of cycles. */
            want = missing == EXPLORE_C || missing == explore_tree[n].raw ? EXPLORE_NOT_MODELLED : EXPLORE_KNOWN;
            if (explore_tree[n].raw < EXPLORE_EVENTS && result.node[n].raw_state != want)
                fail_msg("%s without input %d: raw state %d", explore_tree[n].name, missing, result.node[n].raw_state);
        }
    }
}

/* What a row's value changes with it needs: twice as much of an event, and half of it, wherever the core is bound. */
static void rows_need_what_they_change_with(void **state)
{
    unsigned changes = 0;

    for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++)
        for (int event = 0; event < EXPLORE_EVENTS; event++)
            for (int more = 0; more < 2; more++) {
                struct explore_input input = bound_input(&bounds[b]);
                struct explore_result before = explored(&input), after;
                uint64_t total = input.count[event].total;

                set(&input, (enum explore_event_index)event, more ? 2 * total + 1000 : total / 2);
                after = explored(&input);
                for (int n = 0; n < EXPLORE_NODES; n++) {
                    const struct explore_node *old = &before.node[n], *new = &after.node[n];

                    if (old->state != EXPLORE_KNOWN || new->state != EXPLORE_KNOWN || old->value == new->value)
                        continue;
                    changes++;
                    if (n == EXPLORE_BAD && event == EXPLORE_U)
                        continue; /* of which late branches leave slots: known without it, too, and then less */
                    if (!(explore_tree[n].inputs >> event & 1))
                        fail_msg("%s: changes with input %d, which it does not need", explore_tree[n].name, event);
                }
            }
    assert_true(changes > 1000);
}

/* The same against the formulas of level 1, not against the table. */
static void level_1_needs_these(void **state)
{
    static const struct {
        uint8_t node, count, events[6];
    } rows[] = {
        {EXPLORE_RETIRING, 2, {EXPLORE_C, EXPLORE_U}},
        {EXPLORE_BAD, 5, {EXPLORE_C, EXPLORE_C3, EXPLORE_D0, EXPLORE_D1, EXPLORE_D2}},
        {EXPLORE_FRONT, 5, {EXPLORE_C, EXPLORE_C3, EXPLORE_D0, EXPLORE_D1, EXPLORE_D2}},
        {EXPLORE_BACK, 3, {EXPLORE_C, EXPLORE_D1, EXPLORE_D2}},
        {EXPLORE_SLACK, 6, {EXPLORE_C, EXPLORE_C3, EXPLORE_D0, EXPLORE_D1, EXPLORE_D2, EXPLORE_U}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int missing = 0; missing < EXPLORE_EVENTS; missing++) {
            struct explore_input input = ordinary();
            struct explore_result result;
            bool needed = memchr(rows[i].events, missing, rows[i].count) != NULL;

            input.count[missing].state = COUNTS_NOT_COUNTED;
            result = explored(&input);
            assert_int_equal(result.node[rows[i].node].state, needed ? EXPLORE_NOT_COUNTED : EXPLORE_KNOWN);
        }
}

static void nothing_is_divided_by_zero(void **state)
{
    static const struct {
        uint8_t event, node;
    } rows[] = {
        {EXPLORE_C0, EXPLORE_OPS_PER_INSN}, {EXPLORE_C0, EXPLORE_DOUBLES},   {EXPLORE_C2, EXPLORE_BAD_RATIO},
        {EXPLORE_42, EXPLORE_NB_SHARE},     {EXPLORE_4E0, EXPLORE_L3_HITS},  {EXPLORE_68, EXPLORE_MISS_LATENCY},
        {EXPLORE_40, EXPLORE_TLB_HITS},     {EXPLORE_40, EXPLORE_TLB_WALKS},
    };
    struct explore_input input = ordinary();
    struct explore_result result;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        input = ordinary();
        set(&input, rows[i].event, 0);
        result = explored(&input);
        assert_int_equal(result.node[rows[i].node].state, EXPLORE_NO_BASE);
        assert_int_equal(result.node[EXPLORE_BACK].state, EXPLORE_KNOWN);
    }

    /* All counted, all zero. */
    for (int i = 0; i < EXPLORE_EVENTS; i++)
        set(&input, (enum explore_event_index)i, 0);
    input.ibs = (struct explore_ibs){.state = COUNTS_COUNTED};
    result = explored(&input);
    for (int i = 0; i < EXPLORE_NODES; i++)
        assert_int_equal(result.node[i].state, explore_tree[i].unobservable ? EXPLORE_NOT_OBSERVABLE : EXPLORE_NO_BASE);

    /* Cycles, but no stall, no refill, no op sampled. */
    set(&input, EXPLORE_C, MEGA);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_MEMORY].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[EXPLORE_MEMORY_DRAM].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[EXPLORE_MEMORY_DTLB].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[EXPLORE_CORE].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[EXPLORE_ROB].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[EXPLORE_MU_CHECK].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[EXPLORE_SLACK].value, 1000000);
}

/* toplev's rule, and noise around zero is left. */
static void impossible_shares_are_dropped(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_D1, 9400000);
    set(&input, EXPLORE_U, 1260000); /* slack: 4.2 % below zero */
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_SLACK].value, -42000);
    assert_int_equal(result.node[EXPLORE_SLACK].state, EXPLORE_KNOWN);

    set(&input, EXPLORE_U, 1800000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_SLACK].value, -60000);
    assert_int_equal(result.node[EXPLORE_SLACK].state, EXPLORE_DROPPED);

    /* A part of what is dropped is nothing either, and nothing of it is flagged. */
    set(&input, EXPLORE_D1, 11 * MEGA);
    set(&input, EXPLORE_D2, 0);
    set(&input, EXPLORE_D5, 10600000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BACK].state, EXPLORE_DROPPED);
    assert_int_equal(result.node[EXPLORE_CORE].state, EXPLORE_DROPPED);
    assert_int_equal(result.node[EXPLORE_ROB].state, EXPLORE_DROPPED);
    assert_int_equal(result.node[EXPLORE_ROB].raw_state, EXPLORE_DROPPED);
    assert_false(result.node[EXPLORE_BACK].flagged || result.node[EXPLORE_CORE].flagged);
    assert_true(result.node[EXPLORE_CORE].greyed);

    /* A ratio may be any number. */
    set(&input, EXPLORE_C0, 1000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_OPS_PER_INSN].state, EXPLORE_KNOWN);
}

static void reliability_is_that_of_the_worst_input(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    input.count[EXPLORE_D2].reliability_ppm = 899999;
    input.count[EXPLORE_C].reliability_ppm = 950000;
    input.count[EXPLORE_D1].cv_ppm = 70000;
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BACK].reliability_ppm, 899999);
    assert_int_equal(result.node[EXPLORE_BACK].cv_ppm, 70000);
    assert_true(result.node[EXPLORE_BACK].unreliable);
    assert_int_equal(result.node[EXPLORE_RETIRING].reliability_ppm, 950000);
    assert_int_equal(result.node[EXPLORE_RETIRING].cv_ppm, 1000);
    assert_false(result.node[EXPLORE_RETIRING].unreliable);
    assert_int_equal(result.node[EXPLORE_NB_SHARE].reliability_ppm, 1000000);

    input.count[EXPLORE_D2].reliability_ppm = 900000;
    result = explored(&input);
    assert_false(result.node[EXPLORE_BACK].unreliable);
}

/* Each input alone: the rows that need it are as unsure and as spread as it is, all others are not. Where only the raw
 * share of a cause is known, that is made of the cause and the cycles. */
static void rows_are_as_sure_as_their_own_inputs(void **state)
{
    for (int raw_only = 0; raw_only < 2; raw_only++)
        for (int unsure = 0; unsure < EXPLORE_EVENTS; unsure++) {
            struct explore_input input = ordinary();
            struct explore_result result;

            input.count[unsure].reliability_ppm = 500000;
            input.count[unsure].cv_ppm = 7777;
            if (raw_only)
                input.count[EXPLORE_D4].state = COUNTS_NOT_MODELLED; /* without it causes have no share of each other */
            result = explored(&input);
            for (int n = 0; n < EXPLORE_NODES; n++) {
                const struct explore_node *node = &result.node[n];
                uint64_t inputs = explore_tree[n].inputs;
                if (explore_tree[n].raw < EXPLORE_EVENTS && node->state != EXPLORE_KNOWN)
                    inputs = 1ull << EXPLORE_C | 1ull << explore_tree[n].raw;
                if (node->state != EXPLORE_KNOWN && node->raw_state != EXPLORE_KNOWN)
                    continue;
                if (node->reliability_ppm != (inputs >> unsure & 1 ? 500000 : 1000000) ||
                    node->cv_ppm != (inputs >> unsure & 1 ? 7777 : 1000))
                    fail_msg("%s, input %d: %u, %u", explore_tree[n].name, unsure, node->reliability_ppm, node->cv_ppm);
            }
        }
}

/* ---------------------------------------------------------------- checks */

static void checks_fail_one_by_one(void **state)
{
    static const struct {
        uint8_t event;
        uint64_t fits, fails; /* the last total that passes, the first that fails */
        uint8_t check;
    } rows[] = {
        {EXPLORE_R3, 2150000, 2150001, EXPLORE_CHECK_HISTOGRAM},
        {EXPLORE_R3, 1850000, 1849999, EXPLORE_CHECK_HISTOGRAM},
        {EXPLORE_D0, 9200000, 9200001, EXPLORE_CHECK_STACK},
        {EXPLORE_D9, 1001000, 1001001, EXPLORE_CHECK_STALL_MAX},
        {EXPLORE_D2, 1001000, 1001001, EXPLORE_CHECK_STALL_MAX},
        {EXPLORE_D1, 1621620, 1621621, EXPLORE_CHECK_STALL_SUM},
        {EXPLORE_C3, 2002000, 2002001, EXPLORE_CHECK_BRANCHES},
        {EXPLORE_41, 5005000, 5005001, EXPLORE_CHECK_DC},
        {EXPLORE_43, 60060, 60061, EXPLORE_CHECK_REFILLS},
        {EXPLORE_CF, 0, 1, EXPLORE_CHECK_EXPECTED},
    };
    struct explore_input input = ordinary();
    struct explore_result result = explored(&input);

    for (int i = 0; i < EXPLORE_CHECKS; i++)
        assert_int_equal(result.check[i].verdict, EXPLORE_PASS);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        input = ordinary();
        set(&input, rows[i].event, rows[i].fits);
        result = explored(&input);
        for (int c = 0; c < EXPLORE_CHECKS; c++)
            assert_int_equal(result.check[c].verdict, EXPLORE_PASS);
        set(&input, rows[i].event, rows[i].fails);
        result = explored(&input);
        for (int c = 0; c < EXPLORE_CHECKS; c++)
            if (result.check[c].verdict != (c == rows[i].check ? EXPLORE_FAIL : EXPLORE_PASS))
                fail_msg("row %zu, check %s", i, explore_checks[c].says);
        /* What is not counted cannot fail. */
        input.count[rows[i].event].state = COUNTS_NOT_MODELLED;
        result = explored(&input);
        assert_int_equal(result.check[rows[i].check].verdict, EXPLORE_NOT_CHECKED);
    }
}

/* C0 is in two of them. */
static void instructions_are_as_expected(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    input.exceptions = 3;
    set(&input, EXPLORE_CF, 4);
    set(&input, EXPLORE_C0, 12 * MEGA + 7);
    result = explored(&input);
    assert_int_equal(result.check[EXPLORE_CHECK_EXPECTED].verdict, EXPLORE_PASS);
    assert_int_equal(result.check[EXPLORE_CHECK_EXPECTED].right, 12 * MEGA + 7);
    for (int step = -1; step <= 1; step += 2) {
        set(&input, EXPLORE_C0, (uint64_t)(12 * MEGA + 7 + step));
        result = explored(&input);
        assert_int_equal(result.check[EXPLORE_CHECK_EXPECTED].verdict, EXPLORE_FAIL);
        assert_int_equal(result.check[EXPLORE_CHECK_OPS].verdict, EXPLORE_PASS);
    }
    input.expected_known = false;
    set(&input, EXPLORE_C0, 15015001);
    result = explored(&input);
    assert_int_equal(result.check[EXPLORE_CHECK_EXPECTED].verdict, EXPLORE_NOT_CHECKED);
    assert_int_equal(result.check[EXPLORE_CHECK_OPS].verdict, EXPLORE_FAIL);
}

/* ---------------------------------------------------------------- the report */

static const char *print(const struct explore_input *input)
{
    struct explore_result result = explored(input);
    struct out_memory memory;

    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_true(memory.needed < sizeof(text));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strchr(line, '\n') - line > 79)
            fail_msg("longer than 79: %.*s", (int)(strchr(line, '\n') - line), line);
    assert_null(strstr(text, " \n"));
    return text;
}

/* Beside one of which less is known, and one whose instructions are more than its ops. */
static const char *print_cores(const struct explore_input *input)
{
    struct explore_input less = *input, wrong = *input;
    struct explore_result of[3];
    const struct explore_of trees[] = {{"core 0", &of[0]}, {"core 11", &of[1]}, {"core 127", &of[2]}};
    struct out_memory memory;

    less.count[EXPLORE_D1].state = COUNTS_NOT_COUNTED;
    wrong.count[EXPLORE_C0].total = 2 * wrong.count[EXPLORE_U].total;
    of[0] = explored(input);
    of[1] = explored(&less);
    of[2] = explored(&wrong);
    out_memory_init(&memory, text, sizeof(text));
    explore_print_cores(&memory.out, trees, 3);
    return text;
}

/* A mark stands before the sign, which small figures do not have. */
static void cells_of_cores(void **state)
{
    struct explore_input input = bound_input(&bounds[BOUND_DRAM]);
    struct explore_result of = explored(&input);
    const struct explore_of trees[] = {{"core 0", &of}};
    static const struct {
        int64_t value;
        bool flagged, greyed;
        const char *wanted;
    } rows[] = {{-123456, false, false, " -12.3\n"},  {-123456, true, false, " *-12.3\n"},
                {-123456, false, true, " (-12.3)\n"}, {123456, true, false, " *12.3\n"},
                {-500, false, false, " -0.1\n"},      {-499, false, false, " 0.0\n"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct out_memory memory;

        of.node[EXPLORE_BACK].value = rows[i].value;
        of.node[EXPLORE_BACK].flagged = rows[i].flagged;
        of.node[EXPLORE_BACK].greyed = rows[i].greyed;
        out_memory_init(&memory, text, sizeof(text));
        explore_print_cores(&memory.out, trees, 1);
        if (!strstr(text, rows[i].wanted))
            fail_msg("%s is not in:\n%s", rows[i].wanted, text);
        assert_non_null(strstr(text, "\nNo check of these cores failed.\n"));
    }
}

static void the_report_of_a_memory_bound_run(void **state)
{
    struct explore_input input = bound_input(&bounds[BOUND_DRAM]);

    input.count[EXPLORE_43].reliability_ppm = 850000;
    check_golden("explore_memory.txt", print(&input));
    check_golden("explore_cores.txt", print_cores(&input));
}

/* Long lists of what is missing go on below their beginning, when the next word does not fit any more. */
static void the_report_without_anything(void **state)
{
    struct explore_input input = {0};
    const char *line = strstr(print(&input), "\nNot counted: 076 ");

    assert_non_null(line);
    size_t length = strcspn(line + 1, "\n");
    line = strchr(line + 1, '\n');
    assert_int_equal(strspn(line + 1, " "), 14);
    assert_true(length + 1 + strcspn(line + 15, " \n") > 79);
}

/* A figure that is wider than its column says so instead. */
static void the_report_of_a_figure_too_large(void **state)
{
    struct explore_input input = ordinary();

    assert_null(strstr(print(&input), "too large"));
    set(&input, EXPLORE_68, 1);
    set(&input, EXPLORE_69, 10000000000000ull);
    assert_non_null(strstr(print(&input), " too large "));
    /* Nine characters fit. */
    set(&input, EXPLORE_C, 100);
    set(&input, EXPLORE_C0, 99999999);
    assert_non_null(strstr(print(&input), "IPC, instructions per cycle       999999.99 insn/clk"));
    set(&input, EXPLORE_C0, 100000000);
    assert_non_null(strstr(print(&input), "IPC, instructions per cycle       too large insn/clk"));
}

/* As below a virtual PMU that does not know all causes of stalls; one check fails, none is flagged for it. */
static void the_report_with_what_is_not_modelled(void **state)
{
    struct explore_input input = ordinary();

    for (int i = EXPLORE_D6; i <= EXPLORE_D9; i++)
        input.count[i] = (struct explore_count){.state = COUNTS_NOT_MODELLED};
    input.count[EXPLORE_D4] = input.count[EXPLORE_D6];
    input.ibs.state = COUNTS_NOT_COUNTED;
    input.count[EXPLORE_R3] = (struct explore_count){0};
    set(&input, EXPLORE_41, 6 * MEGA);
    set(&input, EXPLORE_68, 0);
    set(&input, EXPLORE_D1, 9500000);
    set(&input, EXPLORE_D5, 9400000);
    input.expected_known = false;
    check_golden("explore_not_modelled.txt", print(&input));
}

/* Notes are for flagged nodes only. */
static void notes_go_with_flags(void **state)
{
    for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
        struct explore_input input = bound_input(&bounds[i]);
        unsigned notes = 0, flags = 0;

        print(&input);
        for (const char *p = text; (p = strstr(p, "\n  Means ")); p++)
            notes++;
        while (flags < sizeof(bounds[i].flagged) && bounds[i].flagged[flags])
            flags++;
        assert_int_equal(notes, flags);
        assert_int_equal(strstr(text, "No row is above its threshold.") != NULL, flags == 0);
    }
}

/* The largest part of the largest row comes first, parts before what they are parts of, and causes of stalls last. */
static void the_first_note_is_of_the_largest(void **state)
{
    static const char *const order[] = {"DTLB misses, est.: ",
                                        "DRAM, est.: ",
                                        "Memory bound: ",
                                        "Store forwarding, est.: ",
                                        "Stall: reorder buffer full (0D5): ",
                                        "Back-end bound: ",
                                        "Fetch and decode, the rest: ",
                                        "Front-end bound: "};
    struct explore_input input = ordinary();
    const char *at = text;

    set(&input, EXPLORE_D0, 3 * MEGA);
    set(&input, EXPLORE_D1, 6 * MEGA);
    set(&input, EXPLORE_D5, 6 * MEGA);
    set(&input, EXPLORE_D6, 0);
    set(&input, EXPLORE_D7, 0);
    set(&input, EXPLORE_D8, 0);
    input.ibs.held.sums = (struct held_sums){.miss_cycles = {[HELD_DRAM] = 1500}, .walks = 60, .forwarded = 350};
    print(&input);
    assert_non_null(strstr(text, "\nWhere to look (the largest first, each before what it is a part of)\n"));
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        char line[100];

        snprintf(line, sizeof(line), "\n%s", order[i]);
        at = strstr(at, line);
        if (!at)
            fail_msg("%s is not where it should be in:\n%s", order[i], strstr(text, "Where to look"));
    }
}

/* The figures of a check follow it where they fit into 79 columns, otherwise they are on their own line. */
static void checks_fit_their_lines(void **state)
{
    unsigned wrapped = 0;

    for (uint64_t ops = 1; ops < UINT64_MAX / 10; ops *= 10) {
        struct explore_input input = ordinary();

        set(&input, EXPLORE_C0, ops);
        set(&input, EXPLORE_U, ops);
        print(&input);
        for (int i = 0; i < EXPLORE_CHECKS; i++) {
            const char *line = strstr(text, explore_checks[i].says), *figures = strstr(line, " against ");
            bool own = memchr(line, '\n', (size_t)(figures - line)) != NULL;
            size_t says = strlen(explore_checks[i].says);

            while (figures[-1] >= '0' && figures[-1] <= '9')
                figures--;
            assert_memory_equal(line + says, own ? ":\n            " : ": ", own ? 14 : 2);
            assert_int_equal(figures - line, says + (own ? 14 : 2));
            assert_int_equal(own, 12 + says + 2 + strcspn(figures, "\n") > 79);
            wrapped += own;
        }
    }
    assert_in_range(wrapped, 1, 50);
}

/* No total, however large, makes a line too long or an undefined result. */
static void any_totals_print(void **state)
{
    struct rng rng;

    rng_seed(&rng, 2);
    for (int round = 0; round < 2000; round++) {
        struct explore_input input = {0};

        for (int i = 0; i < EXPLORE_EVENTS; i++) {
            input.count[i].total = round ? rng_bits(&rng, 1 + rng_below(&rng, 64)) : UINT64_MAX;
            input.count[i].state = rng_below(&rng, 12) ? COUNTS_COUNTED : (uint8_t)rng_below(&rng, 3);
            input.count[i].reliability_ppm = rng_below(&rng, 1000001);
            input.count[i].cv_ppm = rng_below(&rng, 3000000);
        }
        input.ibs = (struct explore_ibs){COUNTS_COUNTED,
                                         {.ops = rng_bits(&rng, 1 + rng_below(&rng, 64)),
                                          .sums = {.miss_cycles = {rng_bits(&rng, 64), rng_bits(&rng, 63)},
                                                   .walks = rng_bits(&rng, 64),
                                                   .forwarded = rng_bits(&rng, 1 + rng_below(&rng, 64)),
                                                   .cancelled_cycles = rng_bits(&rng, 64)},
                                          .mispredicted = rng_bits(&rng, 1 + rng_below(&rng, 64)),
                                          .late_cycles = rng_bits(&rng, 64)}};
        input.costs = (struct explore_costs){{rng_bits(&rng, 32), rng_bits(&rng, 32), rng_bits(&rng, 32),
                                              rng_bits(&rng, 32), rng_bits(&rng, 32), rng_bits(&rng, 32)}};
        input.expected_known = true;
        input.expected = rng_bits(&rng, 64);
        print(&input);
    }
}

/* Of a level that is not there nothing is charged, and its rows say so instead of 0. */
static void test_no_l3(void **state)
{
    struct explore_input input = ordinary();
    struct explore_result result;
    struct out_memory memory;

    (void)state;
    input.count[EXPLORE_4E0] = input.count[EXPLORE_4E1] = (struct explore_count){.state = COUNTS_NO_L3};
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_MEMORY_L3].state, EXPLORE_NO_L3);
    assert_int_equal(result.node[EXPLORE_L3_HITS].state, EXPLORE_NO_L3);
    assert_int_equal(result.node[EXPLORE_MEMORY_DRAM].state, EXPLORE_KNOWN);
    assert_int_equal(result.node[EXPLORE_MEMORY_DRAM].reliability_ppm, 1000000);
    out_memory_init(&memory, text, sizeof(text));
    explore_print(&memory.out, &result);
    assert_null(strstr(text, "Not counted"));
    assert_non_null(strstr(text, "no L3"));
    for (int i = 0; i < EXPLORE_CHECKS; i++)
        assert_int_not_equal(result.check[i].verdict, EXPLORE_FAIL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_l3),
        cmocka_unit_test(what_is_expected),
        cmocka_unit_test(the_list_can_be_counted),
        cmocka_unit_test(the_list_is_complete),
        cmocka_unit_test(limits_are_toplevs),
        cmocka_unit_test(results_of_counting_are_taken_over),
        cmocka_unit_test(each_is_flagged_at_its_own_node),
        cmocka_unit_test(children_count_only_under_a_flagged_parent),
        cmocka_unit_test(figures),
        cmocka_unit_test(costs_are_settings),
        cmocka_unit_test(parts_are_bounded),
        cmocka_unit_test(level_1_sums_up_by_construction),
        cmocka_unit_test(parts_sum_up_to_the_whole),
        cmocka_unit_test(what_the_decoder_is_left_with),
        cmocka_unit_test(nothing_to_divide_by),
        cmocka_unit_test(shares_of_no_cycles),
        cmocka_unit_test(waits_fit_into_the_back_end),
        cmocka_unit_test(what_the_waits_leave),
        cmocka_unit_test(branches_are_late_where_it_is_known),
        cmocka_unit_test(memory_is_split_where_it_is_known),
        cmocka_unit_test(missing_inputs_are_states_not_zeros),
        cmocka_unit_test(not_modelled_before_not_counted),
        cmocka_unit_test(rows_need_exactly_their_inputs),
        cmocka_unit_test(rows_need_what_they_change_with),
        cmocka_unit_test(level_1_needs_these),
        cmocka_unit_test(nothing_is_divided_by_zero),
        cmocka_unit_test(impossible_shares_are_dropped),
        cmocka_unit_test(reliability_is_that_of_the_worst_input),
        cmocka_unit_test(rows_are_as_sure_as_their_own_inputs),
        cmocka_unit_test(checks_fail_one_by_one),
        cmocka_unit_test(instructions_are_as_expected),
        cmocka_unit_test(cells_of_cores),
        cmocka_unit_test(the_report_of_a_memory_bound_run),
        cmocka_unit_test(the_report_without_anything),
        cmocka_unit_test(the_report_of_a_figure_too_large),
        cmocka_unit_test(the_report_with_what_is_not_modelled),
        cmocka_unit_test(notes_go_with_flags),
        cmocka_unit_test(the_first_note_is_of_the_largest),
        cmocka_unit_test(checks_fit_their_lines),
        cmocka_unit_test(any_totals_print),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
