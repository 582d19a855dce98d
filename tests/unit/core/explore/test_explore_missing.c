/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: missing inputs are states, and rows say which. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

static char text[32768];

TEST(missing_inputs_are_states_not_zeros)
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
    /* The cause's share is unknown, but the cause occurred: the raw figure flags the row. */
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

    /* Nothing was counted at all. */
    input = (struct explore_input){.method = &explore_10h};
    result = explored(&input);
    for (int i = 0; i < EXPLORE_NODES; i++) {
        assert_int_equal(result.node[i].state,
                         explore_tree[i].unobservable ? EXPLORE_NOT_OBSERVABLE : EXPLORE_NOT_COUNTED);
        assert_false(result.node[i].flagged || result.node[i].unreliable);
    }
    for (int i = 0; i < EXPLORE_CHECKS; i++)
        assert_int_equal(result.check[i].verdict, EXPLORE_NOT_CHECKED);
}

/* If inputs are missing for different reasons, a row gives the reason that cannot be remedied, whichever comes
 * first. */
TEST(not_modelled_before_not_counted)
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

/* Without one input, no row that needs this input has a value, and all other rows have one. */
TEST(rows_need_exactly_their_inputs)
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
            /* The raw share needs the cycles and its own event alone. */
            want = missing == EXPLORE_C || missing == explore_tree[n].raw ? EXPLORE_NOT_MODELLED : EXPLORE_KNOWN;
            if (explore_tree[n].raw < EXPLORE_EVENTS && result.node[n].raw_state != want)
                fail_msg("%s without input %d: raw state %d", explore_tree[n].name, missing, result.node[n].raw_state);
        }
    }
}

/* Doubles and halves each event, wherever the core is bound, and checks that a row changes only with its inputs. */
TEST(rows_need_what_they_change_with)
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
                        continue; /* late branches are a part of the row: without the ops the row is known, but smaller
                                   */
                    if (!(explore_tree[n].inputs >> event & 1))
                        fail_msg("%s: changes with input %d, which it does not need", explore_tree[n].name, event);
                }
            }
    assert_true(changes > 1000);
}

/* Compares the inputs with the formulas of level 1, not with the table. */
TEST(level_1_needs_these)
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

TEST(nothing_is_divided_by_zero)
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

    /* All events were counted, and all are zero. */
    for (int i = 0; i < EXPLORE_EVENTS; i++)
        set(&input, (enum explore_event_index)i, 0);
    input.ibs = (struct explore_ibs){.state = COUNTS_COUNTED};
    result = explored(&input);
    for (int i = 0; i < EXPLORE_NODES; i++)
        assert_int_equal(result.node[i].state, explore_tree[i].unobservable ? EXPLORE_NOT_OBSERVABLE : EXPLORE_NO_BASE);

    /* There are cycles, but no stall, no refill and no op sample. */
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

/* Shares beyond what is possible are dropped, as toplev does; noise around zero is kept. */
TEST(impossible_shares_are_dropped)
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

    /* A part of a dropped row is dropped as well, and not flagged. */
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

TEST(reliability_is_that_of_the_worst_input)
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

/* Makes one input unsure at a time: the rows that need this input have its reliability and spread, all others do not.
 * Where only the raw share of a cause is known, it depends on the cause's event and the cycles. */
TEST(rows_are_as_sure_as_their_own_inputs)
{
    for (int raw_only = 0; raw_only < 2; raw_only++)
        for (int unsure = 0; unsure < EXPLORE_EVENTS; unsure++) {
            struct explore_input input = ordinary();
            struct explore_result result;

            input.count[unsure].reliability_ppm = 500000;
            input.count[unsure].cv_ppm = 7777;
            if (raw_only)
                input.count[EXPLORE_D4].state =
                    COUNTS_NOT_MODELLED; /* without D4 no cause has a share of the causes' sum */
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

/* Nothing is charged to a level that does not exist; its rows say so instead of showing 0. */
TEST(test_no_l3)
{
    struct explore_input input = ordinary();
    struct explore_result result;
    struct out_memory memory;

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

RUN_TESTS(NULL, NULL)
