/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: its list of events, and what is flagged if each time one thing limits the program. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

static char text[32768];

/* A program is expected to retire its instructions on each core, not counting those of an empty call. */
TEST(what_is_expected)
{
    struct explore_input input = {0};

    explore_expect(&input, 1000 + COUNTS_EMPTY_INSTRUCTIONS, 3);
    assert_true(input.expected_known);
    assert_int_equal(input.expected, 3000);
}

/* ---------------------------------------------------------------- the tables */

/* The list can be counted on each revision and can be grouped, and no event is there twice. */
TEST(the_list_can_be_counted)
{
    for (char revision = 'B'; revision <= 'E'; revision++) {
        struct event_list list = {.count = 0};
        struct event_groups groups;
        struct event_request request = {
            .list = &list, .revision = revision, .sharing = EVENT_SHARING_RERUN, .cores_per_node = 1};
        struct out_memory memory;

        explore_method_list(&list, &explore_10h, EVENT_SET_10H, revision);
        out_memory_init(&memory, text, sizeof(text));
        assert_int_equal(event_request_check(&request, &memory.out), 0);
        assert_int_equal(list.count, EXPLORE_EVENTS);
        for (unsigned i = 0; i < list.count; i++) {
            assert_int_equal(list.spec[i].event->select, explore_events[i].select);
            assert_int_equal(list.spec[i].count_mask, explore_events[i].count_mask);
            assert_true(list.spec[i].user && list.spec[i].kernel && !list.spec[i].period);
            /* Revision B has no 1 GB pages in its L2 DTLB, so their bit is left out of 045h. */
            assert_int_equal(list.spec[i].mask, revision == 'B' && i == EXPLORE_45 ? 0x03 : explore_events[i].mask);
            assert_int_equal(event_list_find(&list, &list.spec[i]), i);
            assert_non_null(explore_events[i].what);
        }
        event_groups_make(&groups, &list, EXPLORE_C);
        assert_int_equal(event_groups_with(&groups, EXPLORE_C), groups.count);
    }
}

/* The report needs the events of AMD 31116 that explore.h names, with every source of each event, except for 068h and
 * 069h, whose mask says how busy one buffer is. */
TEST(the_list_is_complete)
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

TEST(limits_are_toplevs)
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

TEST(results_of_counting_are_taken_over)
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

TEST(each_is_flagged_at_its_own_node)
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

/* A part above its limit is not flagged if the whole is not above its own. */
TEST(children_count_only_under_a_flagged_parent)
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
    /* The parts of memory are greyed as well: memory itself is not over its limit. */
    assert_true(result.node[EXPLORE_MEMORY_L2].greyed && !result.node[EXPLORE_MEMORY].greyed);

    /* A value that equals the limit is not above the limit. */
    set(&input, EXPLORE_D2, 100000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BACK].value, 200000);
    assert_false(result.node[EXPLORE_BACK].flagged);
}

TEST(figures)
{
    static const struct {
        uint8_t node;
        int64_t value;
    } rows[] = {
        {EXPLORE_CPI, 833333},       /* 10 of 12 million, ... */
        {EXPLORE_CPI_IDEAL, 416667}, /* 15 million ops, three a cycle */
        {EXPLORE_IPC, 1200000},      /* ... and its inverse */
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
        {EXPLORE_FRONT, 50000}, /* event D0 less the refill */
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

/* A machine's own costs are used, and the penalty is never more than the cycles that were counted. */
TEST(costs_are_settings)
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
    assert_true(result.measured);
    for (unsigned i = 0; i < EXPLORE_COSTS; i++) {
        struct explore_input less = input;

        less.costs.of[i] = 0;
        result = explored(&less);
        assert_int_equal(result.measured,
                         i == EXPLORE_COST_MISPREDICT); /* the cost of a misprediction is never a measured one */
        assert_int_equal(result.costs.of[i], explore_cost_rows[i].usual);
    }

    set(&input, EXPLORE_C3, 100000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD].value, 82000); /* D0 + D2, and 2 for each branch */
    assert_int_equal(result.node[EXPLORE_FRONT].value, 0);
    assert_int_equal(result.node[EXPLORE_FRONT_IC].value, 0);
}

/* Inputs that do not fit together leave no part that is larger than its whole. */
TEST(parts_are_bounded)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    set(&input, EXPLORE_D2, 3 * MEGA); /* of only 1 million stalls */
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD_ABORT].value, 100000);
    assert_int_equal(result.node[EXPLORE_BAD_REFILL].value, 0); /* the abort takes more than the penalty */
    assert_int_equal(result.node[EXPLORE_BAD].value, 102000);
    assert_int_equal(result.node[EXPLORE_BACK].value, 0);
    assert_int_equal(result.node[EXPLORE_MEMORY].value, 0);
    assert_int_equal(result.overlap_ppm, 0); /* the back end is empty, so no waits overlap */

    /* Late branches have at most the slots that no other row has: 10 less 0.62 and 0.98 and 5. */
    input = ordinary();
    input.ibs.held.late_cycles = 1 * MEGA;
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_BAD_WAIT].value, 342000 - 2000);
    assert_int_equal(result.node[EXPLORE_SLACK].value, 0);

    /* The last two causes are computed as well. */
    input = ordinary();
    set(&input, EXPLORE_D9, 800000);
    set(&input, EXPLORE_DA, 800000);
    result = explored(&input);
    assert_int_equal(result.node[EXPLORE_FAR].value, 24500); /* 98000 / 4 */
    assert_int_equal(result.node[EXPLORE_QUIET].value, 24500);
}

/* Each state has its own name; a row that no event can tell has the state "not observable", whatever its value. */
TEST(states_have_names)
{
    static const char *const names[] = {
        [EXPLORE_KNOWN] = "known",
        [EXPLORE_NOT_COUNTED] = "not counted",
        [EXPLORE_NOT_MODELLED] = "not modelled",
        [EXPLORE_NOT_OBSERVABLE] = "not observable",
        [EXPLORE_NO_BASE] = "nothing to divide",
        [EXPLORE_DROPPED] = "dropped",
        [EXPLORE_NOT_SPLIT] = "not split",
        [EXPLORE_NO_L3] = "no L3",
    };

    for (unsigned i = 0; i <= EXPLORE_NO_L3; i++) {
        const struct explore_node node = {.state = (uint8_t)i};

        assert_string_equal(explore_state_name(&(struct explore_node_row){.unobservable = false}, &node), names[i]);
        assert_string_equal(explore_state_name(&(struct explore_node_row){.unobservable = true}, &node),
                            "not observable");
    }
}

RUN_TESTS(NULL, NULL)
