/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree of Zen to Zen 3: its events, figures computed by hand, what adds up, what is missing, what is printed. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

#include "core/explore/explore_places.h"
#include "core/explore/explore_tokens.h"

enum { PERCENT = 10000, ZENS = 3 };

static char text[32768];

static const struct explore_method *const methods[ZENS] = {&explore_tokens_zen, &explore_tokens_zen2,
                                                           &explore_tokens_zen3};
static const enum event_set sets[ZENS] = {EVENT_SET_ZEN, EVENT_SET_ZEN2, EVENT_SET_ZEN3};

/* In a million cycles, 300000 dispatch 1.5 million ops, the queue is empty in 100000, and in the others ops wait,
 * mostly for the retire queue, because of data from memory. */
static const uint64_t memory[TOKENS_EVENTS] = {
    [TOKENS_C] = MEGA,           [TOKENS_C0] = 1200000,        [TOKENS_U] = 1440000,      [TOKENS_DISPATCHED] = 1500000,
    [TOKENS_GROUPS] = 300000,    [TOKENS_OP_CACHE] = 1200000,  [TOKENS_EMPTY] = 100000,   [TOKENS_0AE] = 100000,
    [TOKENS_0AF] = 480000,       [TOKENS_LOADS] = 80000,       [TOKENS_STORES] = 20000,   [TOKENS_FP_FILE] = 20000,
    [TOKENS_SCHEDULERS] = 60000, [TOKENS_RETIRE] = 420000,     [TOKENS_C2] = 200000,      [TOKENS_C3] = 3000,
    [TOKENS_RESYNC] = 1000,      [TOKENS_CODE_L2] = 600,       [TOKENS_CODE_BEYOND] = 12, [TOKENS_FILLS_L2] = 2400,
    [TOKENS_FILLS_CACHES] = 120, [TOKENS_FILLS_MEMORY] = 4800, [TOKENS_L2_MISSES] = 6000,
};

static struct explore_input counted(unsigned zen)
{
    struct explore_input input = {.method = methods[zen], .expected_known = true, .expected = memory[TOKENS_C0]};

    for (unsigned i = 0; i < TOKENS_EVENTS; i++)
        input.count[i] = (struct explore_count){memory[i], COUNTS_COUNTED, 1000000, 1000};
    input.ibs = (struct explore_ibs){COUNTS_COUNTED,
                                     {.ops = 1440, .sums = {.miss_cycles = {20, 40, 80, 280}, .refill_cycles = 30}}};
    return input;
}

/* Every event is in the processor's table and all bits of its mask are legal, except for 0A9, 02C and 043, which Zen
 * lacks. */
TEST(the_list_can_be_counted)
{
    static const uint8_t masks[ZENS][3] = {{0x7F, 0x3F, 0x40}, {0x7F, 0x5F, 0x20}, {0x3F, 0x1F, 0x20}};

    for (unsigned zen = 0; zen < ZENS; zen++) {
        struct event_list list = {.count = 0};
        struct event_request request = {
            .list = &list, .revision = 'B', .sharing = EVENT_SHARING_RERUN, .cores_per_node = 2};
        struct out_memory problems;
        uint64_t found = 0;

        assert_ptr_equal(explore_of(sets[zen]), methods[zen]);
        explore_method_list(&list, methods[zen], sets[zen], 'E');
        out_memory_init(&problems, text, sizeof(text));
        assert_int_equal(event_request_check(&request, &problems.out), 0);
        for (unsigned i = 0; i < list.count; i++) {
            int event =
                explore_event_of(methods[zen], list.spec[i].event->select, list.spec[i].mask, list.spec[i].count_mask);

            assert_true(event >= 0);
            found |= 1ull << event;
        }
        assert_int_equal(found ^ ((1ull << TOKENS_EVENTS) - 1),
                         zen ? 0
                             : 1ull << TOKENS_EMPTY | 1ull << TOKENS_INTERRUPTS | 1ull << TOKENS_FILLS_L2 |
                                   1ull << TOKENS_FILLS_CACHES | 1ull << TOKENS_FILLS_MEMORY);
        assert_int_equal(explore_event_of(methods[zen], 0x0AF, masks[zen][0], 0), TOKENS_0AF);
        assert_int_equal(explore_event_of(methods[zen], 0x0AF, masks[zen][1], 0), TOKENS_SCHEDULERS);
        assert_int_equal(explore_event_of(methods[zen], 0x0AF, masks[zen][2], 0), TOKENS_RETIRE);
        assert_int_equal(masks[zen][0], masks[zen][1] | masks[zen][2]);
        assert_int_equal(explore_event_of(methods[zen], 0x0AA, 0x03, 1), TOKENS_GROUPS);
    }
}

TEST(figures)
{
    static const struct {
        uint8_t row;
        int64_t value, raw;
        bool flagged;
    } rows[] = {
        {TOKENS_CPI, 833333, 0, false},
        {TOKENS_CPI_IDEAL, 200000, 0, false},
        {TOKENS_IPC, 1200000, 0, false},
        {TOKENS_RETIRING, 24 * PERCENT, 0, false},
        {TOKENS_OPS_PER_INSN, 1200000, 0, false},
        {TOKENS_BAD, 54000, 0,
         false}, /* 60000 of six million, and 11 cycles for each of 3000 branches, 1000 restarts */
        {TOKENS_BAD_MISPREDICTS, 40500, 0, false},
        {TOKENS_BAD_RESTARTS, 13500, 0, false},
        {TOKENS_BAD_RATIO, 15000, 0, false},
        {TOKENS_LATENCY, 56000, 0, false},
        {TOKENS_LATENCY_L2, 500000, 0, false},
        {TOKENS_LATENCY_BEYOND, 10000, 0, false},
        {TOKENS_BANDWIDTH, 5 * PERCENT, 0, false}, /* 1.8 less 1.5 million */
        {TOKENS_BANDWIDTH_OP_CACHE, 80 * PERCENT, 0, false},
        {TOKENS_BACK_BOUND, 58 * PERCENT, 0, true},
        {TOKENS_BACK_MEMORY, 45 * PERCENT, 0,
         true}, /* 450 cycles of 1440 samples, each of which stands for a thousand ops */
        {TOKENS_BACK_CORE, 13 * PERCENT, 0, true},
        {TOKENS_BACK_RETIRE, 40600 * 10, 42 * PERCENT, true}, /* 42 of 60 parts of 58 % */
        {TOKENS_BACK_LOADS, 77333, 8 * PERCENT, false},
        {TOKENS_BACK_STORES, 19333, 2 * PERCENT, false},
        {TOKENS_BACK_SCHEDULERS, 58000, 6 * PERCENT, false},
        {TOKENS_BACK_FP_FILE, 19333, 2 * PERCENT, false},
        {TOKENS_BACK_INT_FILE, 0, 0, false},
        {TOKENS_BACK_FILLS_L2, 2 * MEGA, 0, false},
        {TOKENS_BACK_FILLS_CACHES, 100000, 0, false},
        {TOKENS_BACK_FILLS_MEMORY, 4 * MEGA, 0, false},
        {TOKENS_BACK_L2_MISSES, 5 * MEGA, 0, false},
        {TOKENS_REST, 2 * PERCENT, 0, false},
    };

    for (unsigned zen = 0; zen < ZENS; zen++) {
        const struct explore_input input = counted(zen);
        const struct explore_result result = explored(&input);

        for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            const struct explore_node *node = &result.node[rows[i].row];

            if (node->state != EXPLORE_KNOWN || node->value != rows[i].value || node->raw != rows[i].raw ||
                node->flagged != rows[i].flagged)
                fail_msg("%s: %ld, raw %ld, %d", explore_tokens_tree[rows[i].row].name, node->value, node->raw,
                         node->flagged);
        }
        for (unsigned i = 0; i < TOKENS_CHECKS; i++)
            assert_int_equal(result.check[i].verdict, EXPLORE_PASS);
        assert_in_range(result.overlap_ppm, 1000000, 1000000);
        assert_int_equal(result.node[TOKENS_RETIRING_MICROCODE].state, EXPLORE_NOT_OBSERVABLE);
        assert_int_equal(result.node[TOKENS_REST_OTHER_THREAD].state, EXPLORE_NOT_OBSERVABLE);
    }
}

/* Refilling takes no more than the cycles without an op, and goes from the front end's latency to branches and
 * restarts, the wrong path to each in the same proportion. Where restarts are not counted, it is of branches alone. */
TEST(refilling_is_of_flushes)
{
    struct explore_input input = counted(1);
    struct explore_result result;

    input.count[TOKENS_C3].total = 8091; /* and 1000 restarts */
    result = explored(&input);
    assert_int_equal(result.node[TOKENS_BAD].value, 11 * PERCENT);
    assert_int_equal(result.node[TOKENS_BAD_MISPREDICTS].value, 97900);
    assert_int_equal(result.node[TOKENS_BAD_RESTARTS].value, 12100);
    assert_int_equal(result.node[TOKENS_LATENCY].value, 0);
    assert_int_equal(result.refill, 89000);
    input.count[TOKENS_C3].total = 8090;
    result = explored(&input);
    assert_int_equal(result.node[TOKENS_LATENCY].value, 10);
    input.count[TOKENS_RESYNC] = (struct explore_count){.state = COUNTS_NOT_COUNTED};
    result = explored(&input);
    assert_int_equal(result.node[TOKENS_LATENCY].value, 11010);
    assert_int_equal(result.node[TOKENS_BAD].value, 98990);
    input.count[TOKENS_EMPTY] = (struct explore_count){.state = COUNTS_NOT_COUNTED};
    result = explored(&input);
    assert_int_equal(result.node[TOKENS_BAD].value, 1 * PERCENT);
}

static int64_t sum_of(const struct explore_result *result, unsigned first, unsigned last)
{
    int64_t sum = 0;

    for (unsigned i = first; i <= last; i++)
        if (result->method->row[i].unit == EXPLORE_UNIT_SLOTS &&
            (first != TOKENS_RETIRING || result->method->row[i].level == 1))
            sum += result->node[i].value;
    return sum;
}

/* Level 1 is 100 % and the causes add up to the back end, whatever is counted. If both events count missing tokens in
 * the same cycle, they are cut to the cycles that are left, with or without the cycles that dispatch, and the legend
 * says so. */
TEST(levels_add_up)
{
    static const struct {
        uint64_t waits[2], groups, empty;
        int64_t back, rest;
        bool counted;
    } rows[] = {
        {{100000, 480000}, 300000, 100000, 58 * PERCENT, 2 * PERCENT, true},
        {{400000, 480000}, 300000, 100000, 60 * PERCENT, 0, true},
        {{900000, 900000}, 300000, 100000, 60 * PERCENT, 0, true},
        {{900000, 900000}, 300000, 700000, 0, 0, true},
        {{900000, 900000}, 0, 100000, 65 * PERCENT, 0, false}, /* the ops take 250000 cycles at least */
        {{0, 0}, 300000, 100000, 0, 60 * PERCENT, true},
    };

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = counted(1);
        struct explore_result result;
        int64_t causes;

        input.count[TOKENS_0AE].total = rows[i].waits[0];
        input.count[TOKENS_0AF].total = rows[i].waits[1];
        input.count[TOKENS_GROUPS].total = rows[i].groups;
        input.count[TOKENS_GROUPS].state = rows[i].counted ? COUNTS_COUNTED : COUNTS_NOT_COUNTED;
        input.count[TOKENS_EMPTY].total = rows[i].empty;
        result = explored(&input);
        assert_int_equal(result.node[TOKENS_BACK_BOUND].value, rows[i].back);
        causes = sum_of(&result, TOKENS_BACK_RETIRE, TOKENS_BACK_BRANCHES);
        assert_int_equal(sum_of(&result, TOKENS_BACK_MEMORY, TOKENS_BACK_CORE), rows[i].back);
        assert_in_range(causes + 10, rows[i].back, rows[i].back + 20); /* rounded */
        assert_int_equal(result.node[TOKENS_REST].state, rows[i].counted ? EXPLORE_KNOWN : EXPLORE_NOT_COUNTED);
        if (rows[i].counted) {
            assert_int_equal(result.node[TOKENS_REST].value, rows[i].rest);
            assert_int_equal(sum_of(&result, TOKENS_RETIRING, TOKENS_REST), 100 * PERCENT);
        }
        assert_int_equal(result.overlap_ppm > 1000000, rows[i].back && rows[i].waits[0] > 100000);
    }
}

/* A row is known if all its inputs are. Zen does not count cycles of an empty queue, so the front end's latency is in
 * the rest. */
TEST(missing_inputs_are_states_not_zeros)
{
    for (unsigned e = 0; e < TOKENS_EVENTS; e++) {
        struct explore_input input = counted(2);
        struct explore_result result;

        input.count[e] = (struct explore_count){.state = COUNTS_NOT_MODELLED};
        result = explored(&input);
        for (unsigned i = 0; i < TOKENS_ROWS; i++) {
            const struct explore_node_row *row = &explore_tokens_tree[i];
            const struct explore_node *node = &result.node[i];
            uint8_t expected = row->unobservable                  ? EXPLORE_NOT_OBSERVABLE
                               : !(row->inputs >> e & 1)          ? EXPLORE_KNOWN
                               : node->raw_state == EXPLORE_KNOWN ? EXPLORE_NOT_SPLIT
                                                                  : EXPLORE_NOT_MODELLED;

            if (node->state != expected)
                fail_msg("%s without event %u: state %u", row->name, e, node->state);
            assert_true(expected == EXPLORE_KNOWN || node->value == 0);
            if (row->raw < EXPLORE_EVENTS)
                assert_int_equal(node->raw_state == EXPLORE_KNOWN, e != row->raw && e != TOKENS_C);
        }
        if (e == TOKENS_EMPTY)
            assert_int_equal(result.node[TOKENS_REST].value, 12 * PERCENT);
    }
    for (unsigned sampled = 0; sampled < 2; sampled++) {
        struct explore_input input = counted(2);
        struct explore_result result;

        input.ibs.state = sampled ? COUNTS_COUNTED : COUNTS_NOT_COUNTED;
        result = explored(&input);
        assert_int_equal(result.node[TOKENS_BACK_MEMORY].state, sampled ? EXPLORE_KNOWN : EXPLORE_NOT_COUNTED);
        assert_int_equal(result.node[TOKENS_BACK_CORE].state, sampled ? EXPLORE_KNOWN : EXPLORE_NOT_COUNTED);
    }
}

TEST(nothing_to_divide_by)
{
    static const uint8_t of[] = {TOKENS_C, TOKENS_C0, TOKENS_C2, TOKENS_DISPATCHED};
    static const uint8_t rows[] = {TOKENS_REST, TOKENS_CPI, TOKENS_BAD_RATIO, TOKENS_BANDWIDTH_OP_CACHE};
    struct explore_input input = counted(1);
    struct explore_result result;

    input.ibs.held.ops = 0;
    result = explored(&input);
    assert_int_equal(result.node[TOKENS_BACK_MEMORY].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[TOKENS_BACK_CORE].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[TOKENS_BACK_BOUND].state, EXPLORE_KNOWN);
    input.count[TOKENS_C3].total = input.count[TOKENS_RESYNC].total = 0;
    result = explored(&input);
    assert_int_equal(result.node[TOKENS_BAD_MISPREDICTS].state, EXPLORE_NO_BASE);
    for (unsigned i = 0; i < sizeof(of); i++) {
        input = counted(1);
        input.count[of[i]].total = 0;
        result = explored(&input);
        assert_int_equal(result.node[rows[i]].state, EXPLORE_NO_BASE);
        for (unsigned r = 0; of[i] == TOKENS_C && r < TOKENS_ROWS; r++)
            if (explore_tokens_tree[r].inputs >> TOKENS_C & 1)
                assert_int_equal(result.node[r].state, EXPLORE_NO_BASE);
    }
}

TEST(checks_fail_one_by_one)
{
    static const struct {
        uint8_t event, check;
        uint64_t fits, fails;
    } rows[] = {
        {TOKENS_EMPTY, TOKENS_CHECK_EMPTY, 720000, 720001},      {TOKENS_LOADS, TOKENS_CHECK_0AE_MAX, 103000, 103001},
        {TOKENS_RETIRE, TOKENS_CHECK_0AF_MAX, 490600, 490601},   {TOKENS_SCHEDULERS, TOKENS_CHECK_SINGLE, 27647, 27646},
        {TOKENS_DISPATCHED, TOKENS_CHECK_OPS, 1425743, 1425742}, {TOKENS_C3, TOKENS_CHECK_BRANCHES, 200200, 200201},
        {TOKENS_INTERRUPTS, TOKENS_CHECK_EXPECTED, 0, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned fails = 0; fails < 2; fails++) {
            struct explore_input input = counted(1);
            struct explore_result result;

            input.count[rows[i].event].total = fails ? rows[i].fails : rows[i].fits;
            result = explored(&input);
            for (unsigned c = 0; c < TOKENS_CHECKS; c++)
                if (result.check[c].verdict != (fails && c == rows[i].check ? EXPLORE_FAIL : EXPLORE_PASS))
                    fail_msg("row %zu: %s", i, explore_tokens_checks[c].says);
        }
}

/* The method assumes that a waiting group is not dispatched. If the processor behaves otherwise, a check says so. */
TEST(waiting_groups_that_are_dispatched)
{
    for (unsigned event = TOKENS_0AE; event <= TOKENS_0AF; event++) {
        struct explore_input input = counted(1);
        struct explore_result result;

        input.count[event].total = 720000;
        input.count[TOKENS_INT_FILE].total = MEGA;
        result = explored(&input);
        assert_int_equal(result.check[TOKENS_CHECK_0AE + (event - TOKENS_0AE)].verdict, EXPLORE_PASS);
        input.count[event].total++;
        result = explored(&input);
        assert_int_equal(result.check[TOKENS_CHECK_0AE + (event - TOKENS_0AE)].verdict, EXPLORE_FAIL);
    }
}

/* The report as text and CSV: on Zen 2, with missing tokens of both events in the same cycles; on Zen, where the model
 * lacks events. */
TEST(reports)
{
    static const uint8_t unknown[] = {TOKENS_OP_CACHE, TOKENS_INT_FILE, TOKENS_INT_OTHERS,
                                      TOKENS_BRANCHES, TOKENS_FP_FILE,  TOKENS_FP_RECOVERS};

    for (unsigned zen = 0; zen < 2; zen++) {
        struct explore_input input = counted(zen);
        struct explore_result result;
        struct out_memory out;

        if (zen) {
            input.count[TOKENS_0AE].total = 400000;
            input.count[TOKENS_LOADS].total = 380000;
        } else {
            input.model = true;
            input.ibs.held.sums.miss_cycles[HELD_DRAM] = 1000; /* more than the back end */
            input.count[TOKENS_EMPTY] = input.count[TOKENS_INTERRUPTS] =
                (struct explore_count){.state = COUNTS_NOT_COUNTED};
            for (unsigned i = 0; i < sizeof(unknown); i++)
                input.count[unknown[i]].state = COUNTS_NOT_MODELLED;
        }
        result = explored(&input);
        out_memory_init(&out, text, sizeof(text));
        explore_print(&out.out, &result);
        explore_csv_head(&out.out);
        explore_csv_rows(&out.out, "", &result);
        check_golden(zen ? "explore/explore_tokens_zen2.txt" : "explore/explore_tokens_zen.txt", text);
    }
}

/* The legend says how much both events overlap, in lines of up to 79 characters, each filled as long as the next word
 * fits. */
TEST(legend_of_overlaps)
{
    unsigned full = 0;

    for (uint64_t ppm = 1000001; ppm <= UINT32_MAX; ppm = ppm * 3 + 4000) {
        struct explore_result result = {.method = &explore_tokens_zen2, .overlap_ppm = (uint32_t)ppm};
        char first[100];
        struct out_memory out;
        const char *line;

        out_memory_init(&out, first, sizeof(first));
        out_printf(&out.out, "\n0AE and 0AF overlap: together they are ");
        out_ratio(&out.out, ppm, 1000000, 1, 2, 0);
        out_printf(&out.out, " times the ");
        out_memory_init(&out, text, sizeof(text));
        explore_tokens_zen2.legend(&out.out, &result);
        line = strstr(text, first);
        assert_non_null(line);
        for (line++;; line = strchr(line, '\n') + 1) {
            size_t length = strcspn(line, "\n");

            assert_in_range(length, 1, 79);
            full += length == 79;
            if (line[length - 1] == '.')
                break;
            assert_true(length + 1 + strcspn(line + length + 1, " \n") > 79);
        }
    }
    assert_in_range(full, 1, 20); /* some lines are full */
}

/* Tokens that were not sampled are named by their masks, too. */
TEST(raw_by_function)
{
    struct explore_sampling of = {.method = &explore_tokens_zen2,
                                  .events = ((1ull << TOKENS_EVENTS) - 1) &
                                            ~(1ull << TOKENS_INT_FILE | 1ull << TOKENS_RETIRE)};
    struct out_memory out;

    out_memory_init(&out, text, sizeof(text));
    explore_places_print_deep_foot(&out.out, of);
    assert_non_null(strstr(text, "Raw, because these were not sampled: 0AE:01 0AF:20\n"));
}

/* By function level 1 does not need the empty queue, which Zen does not count, and no event uses a count mask. */
TEST(by_function)
{
    static const uint8_t models[ZENS] = {0x01, 0x71, 0x01};
    static const uint8_t deep[ZENS] = {22, 26, 26};

    for (unsigned zen = 0; zen < ZENS; zen++) {
        struct explore_sampling of = {.method = methods[zen]};
        struct event_list list = {.count = 0};

        explore_places_list(&list, ibs_family_of(zen == 2 ? 0x19 : 0x17, models[zen]), 'E');
        assert_int_equal(list.count, zen ? 8 : 7);
        for (unsigned i = 0; i < 7; i++) {
            assert_false(explore_places_suffice(of));
            of.events |= 1ull << methods[zen]->sampled[i];
        }
        assert_true(explore_places_suffice(of));
        for (unsigned i = 0; i < sizeof(methods[zen]->column); i++)
            assert_int_equal(explore_tokens_tree[methods[zen]->column[i]].inputs & ~(of.events | 1ull << TOKENS_EMPTY),
                             0);
        assert_int_equal(of.events >> TOKENS_EMPTY & 1, 0);
        explore_places_list_deep(&list, ibs_family_of(zen == 2 ? 0x19 : 0x17, models[zen]), 'E');
        assert_int_equal(list.count, deep[zen]);
        of.events = 0;
        for (unsigned i = 0; i < list.count; i++) {
            assert_int_equal(list.spec[i].count_mask, 0);
            assert_int_equal(of.events >> methods[zen]->sampled[i] & 1, 0); /* each event once */
            of.events |= 1ull << methods[zen]->sampled[i];
        }
    }
}

RUN_TESTS(NULL, NULL)
