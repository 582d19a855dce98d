/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD's top-down tree: its events, figures computed by hand for six and eight slots per cycle, what is missing, what is
 * printed. */
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

#include "core/explore/explore_slots.h"

enum { PERCENT = 10000 };

static char text[32768];

typedef uint64_t totals[SLOTS_EVENTS];

/* Both runs have a million cycles. With six slots memory is the limit; with eight a branch that is hard to predict, and
 * another thread. */
static const totals memory = {
    [SLOTS_C] = MEGA,           [SLOTS_C0] = 1200000,         [SLOTS_U] = 1500000,       [SLOTS_FRONT] = 600000,
    [SLOTS_BACK] = 3780000,     [SLOTS_DISPATCHED] = 1560000, [SLOTS_FRONT_ALL] = 50000, [SLOTS_C2] = 200000,
    [SLOTS_C3] = 3000,          [SLOTS_RESYNC] = 1000,        [SLOTS_WAIT] = 700000,     [SLOTS_WAIT_LOAD] = 560000,
    [SLOTS_MICROCODE] = 120000,
};
static const totals branches = {
    [SLOTS_C] = MEGA,           [SLOTS_C0] = 2 * MEGA,      [SLOTS_U] = 2400000,           [SLOTS_FRONT] = 2800000,
    [SLOTS_BACK] = MEGA,        [SLOTS_OTHER] = 200000,     [SLOTS_DISPATCHED] = 4 * MEGA, [SLOTS_FRONT_ALL] = 200000,
    [SLOTS_C2] = 30000,         [SLOTS_C3] = 9000,          [SLOTS_RESYNC] = 1000,         [SLOTS_WAIT] = 400000,
    [SLOTS_WAIT_LOAD] = 100000, [SLOTS_MICROCODE] = 400000,
};

static struct explore_input counted(unsigned slots, const totals from)
{
    struct explore_input input = {
        .method = slots == 6 ? &explore_slots_6 : &explore_slots_8, .expected_known = true, .expected = from[SLOTS_C0]};

    for (unsigned i = 0; i < SLOTS_EVENTS; i++)
        input.count[i] = (struct explore_count){from[i], COUNTS_COUNTED, 1000000, 1000};
    return input;
}

/* ---------------------------------------------------------------- what is counted */

/* On processors that have slots every event is in the table, and can be counted as the list writes it. */
TEST(the_list_can_be_counted)
{
    static const struct {
        enum event_set set;
        uint8_t slots;
        uint16_t resync;
        uint8_t mask;
    } of[] = {{EVENT_SET_ZEN4, 6, 0x096, 0x00}, {EVENT_SET_ZEN5, 8, 0x09F, 0x01}, {EVENT_SET_ZEN6, 8, 0x09F, 0x01}};

    for (unsigned p = 0; p < sizeof(of) / sizeof(of[0]); p++) {
        const struct explore_method *method = explore_of(of[p].set);
        struct event_list list = {.count = 0};
        struct event_request request = {
            .list = &list, .revision = 'B', .sharing = EVENT_SHARING_RERUN, .cores_per_node = 2};
        struct event_groups groups;
        struct out_memory problems;

        explore_method_list(&list, method, of[p].set, 'E');
        out_memory_init(&problems, text, sizeof(text));
        assert_int_equal(event_request_check(&request, &problems.out), 0);
        assert_int_equal(list.count, SLOTS_EVENTS);
        for (unsigned i = 0; i < list.count; i++) {
            const struct event_spec *spec = &list.spec[i];

            event_fit(&list.spec[i], 'B');
            assert_int_equal(explore_event_of(method, spec->event->select, spec->mask, spec->count_mask), i);
            assert_true(spec->user && spec->kernel && !spec->period && method->event[i].what);
        }
        assert_int_equal(explore_event_of(method, 0x1A0, 0x01, of[p].slots), SLOTS_FRONT_ALL);
        assert_int_equal(explore_event_of(method, of[p].resync, of[p].mask, 0), SLOTS_RESYNC);
        assert_int_equal(explore_event_of(method, 0x1A0, 0x01, 14 - of[p].slots), -1);
        assert_int_equal(explore_event_of(method, 0x1A0, 0x7F, 0), -1);
        event_groups_make(&groups, &list, SLOTS_C);
        assert_int_equal(event_groups_with(&groups, SLOTS_C), groups.count);
        assert_int_equal(groups.count, 5);
    }
    /* Masks are not compared on Family 10h: a revision may lack some bits of an event. */
    assert_int_equal(explore_event_of(&explore_10h, 0x045, 0x03, 0), EXPLORE_45);
    assert_int_equal(explore_event_of(&explore_10h, 0x0C1, 0x00, 3), EXPLORE_R3);
}

/* In a set without the event of resyncs all other events are found. */
TEST(what_a_processor_lacks_is_left_out)
{
    struct event_list list = {.count = 0};

    explore_method_list(&list, &explore_slots_8, EVENT_SET_ZEN4, 'E');
    assert_int_equal(list.count, SLOTS_EVENTS - 1);
    for (unsigned i = 0; i < list.count; i++)
        assert_int_not_equal(list.spec[i].event->select, 0x09F);
}

/* ---------------------------------------------------------------- figures */

TEST(figures)
{
    static const struct {
        uint8_t row;
        int64_t of_six, of_eight;
        bool six_flagged, eight_flagged;
    } rows[] = {
        {SLOTS_CPI, 833333, 500000, false, false},
        {SLOTS_CPI_IDEAL, 208333, 150000, false, false}, /* 1.25 / 6; 1.2 / 8 */
        {SLOTS_IPC, 1200000, 2 * MEGA, false, false},
        {SLOTS_RETIRING, 25 * PERCENT, 30 * PERCENT, false, false}, /* 1.5 of 6; 2.4 of 8 */
        {SLOTS_RETIRING_MICROCODE, 2 * PERCENT, 5 * PERCENT, false, false},
        {SLOTS_RETIRING_FAST, 23 * PERCENT, 25 * PERCENT, false, false},
        {SLOTS_OPS_PER_INSN, 1250000, 1200000, false, false},
        {SLOTS_BAD, 1 * PERCENT, 20 * PERCENT, false, true},      /* 1.56 - 1.5 of 6; 4 - 2.4 of 8 */
        {SLOTS_BAD_MISPREDICTS, 7500, 18 * PERCENT, false, true}, /* 3 of 4; 9 of 10 */
        {SLOTS_BAD_RESTARTS, 2500, 2 * PERCENT, false, false},
        {SLOTS_BAD_RATIO, 15000, 300000, false, false},
        {SLOTS_FRONT_BOUND, 10 * PERCENT, 35 * PERCENT, false, true},
        {SLOTS_FRONT_LATENCY, 5 * PERCENT, 20 * PERCENT, false, true},
        {SLOTS_FRONT_BANDWIDTH, 5 * PERCENT, 15 * PERCENT, false, false},
        {SLOTS_BACK_BOUND, 63 * PERCENT, 125000, true, false},
        {SLOTS_BACK_MEMORY, 504000, 31250, true, false}, /* 0.8; 0.25 */
        {SLOTS_BACK_CORE, 126000, 93750, true, false},
        {SLOTS_OTHER_THREAD, 0, 25000, false, false},
        {SLOTS_REST, 1 * PERCENT, 0, false, false},
    };
    const struct explore_input six = counted(6, memory), eight = counted(8, branches);
    const struct explore_result of_six = explored(&six), of_eight = explored(&eight);

    assert_int_equal(sizeof(rows) / sizeof(rows[0]), SLOTS_ROWS);
    for (unsigned i = 0; i < SLOTS_ROWS; i++) {
        const struct explore_node *a = &of_six.node[rows[i].row], *b = &of_eight.node[rows[i].row];

        if (a->state != EXPLORE_KNOWN || b->state != EXPLORE_KNOWN || a->value != rows[i].of_six ||
            b->value != rows[i].of_eight || a->flagged != rows[i].six_flagged || b->flagged != rows[i].eight_flagged)
            fail_msg("%s: %ld %d, %ld %d", explore_slots_tree[rows[i].row].name, a->value, a->flagged, b->value,
                     b->flagged);
        assert_int_equal(a->cv_ppm, 1000);
        assert_int_equal(a->raw_state, EXPLORE_NOT_OBSERVABLE);
    }
    assert_int_equal(of_six.cycles, MEGA);
    assert_ptr_equal(of_six.method, six.method);
    for (unsigned i = 0; i < SLOTS_CHECKS; i++) {
        assert_int_equal(of_six.check[i].verdict, EXPLORE_PASS);
        assert_int_equal(of_eight.check[i].verdict, EXPLORE_PASS);
    }
    assert_int_equal(of_six.check[SLOTS_CHECK_SUM].left, 5940000);
    assert_int_equal(of_six.check[SLOTS_CHECK_SUM].right, 6 * MEGA);
    assert_int_equal(of_eight.check[SLOTS_CHECK_LATENCY].left, 1600000);
}

/* The back end has few cycles without retirement, nearly all of them because of a load: memory's part of the back end
 * is no more than these cycles. */
TEST(memory_is_at_most_the_cycles_seen)
{
    struct explore_input input = counted(6, memory);
    struct explore_result result;

    input.count[SLOTS_WAIT].total = 41;
    input.count[SLOTS_WAIT_LOAD].total = 39;
    result = explored(&input);
    assert_int_equal(result.node[SLOTS_BACK_MEMORY].value, 39);
    assert_int_equal(result.node[SLOTS_BACK_CORE].value, 63 * PERCENT - 39);
    assert_true(result.node[SLOTS_BACK_CORE].flagged);
}

/* Fewer ops dispatched than retired are noise between passes: the row and its parts are below 0; beyond 5 % they are
 * dropped. */
TEST(less_dispatched_than_retired)
{
    struct explore_input input = counted(6, memory);
    struct explore_result result;

    input.count[SLOTS_DISPATCHED].total = 1440000;
    result = explored(&input);
    assert_int_equal(result.node[SLOTS_BAD].value, -1 * PERCENT);
    assert_int_equal(result.node[SLOTS_BAD_MISPREDICTS].value, -7500);
    assert_int_equal(result.node[SLOTS_BAD_RESTARTS].value, -2500);
    assert_int_equal(result.check[SLOTS_CHECK_OPS].verdict, EXPLORE_FAIL);
    input.count[SLOTS_DISPATCHED].total = MEGA;
    result = explored(&input);
    assert_int_equal(result.node[SLOTS_BAD].state, EXPLORE_DROPPED);
    assert_int_equal(result.node[SLOTS_BAD_RESTARTS].state, EXPLORE_DROPPED);
    assert_int_equal(result.node[SLOTS_BACK_MEMORY].state, EXPLORE_KNOWN);
}

/* Takes half of the waits from memory: in 1000 cycles retirement may have waited for loads; three locked ops of 200
 * cycles each have 600 of them, of which 100 are a miss's: half of the waits for loads is not memory's. */
TEST(locked_ops_are_not_memorys)
{
    struct explore_input input = counted(6, memory);
    struct explore_result without = explored(&input), result;
    struct out_memory out;

    input.ibs.held.sums = (struct held_sums){.load_cycles = 400, .locks = 3, .lock_least = 200, .locked_cycles = 100};
    result = explored(&input);
    assert_int_equal(result.locked_ppm, 500000);
    assert_in_range(result.node[SLOTS_BACK_MEMORY].value, without.node[SLOTS_BACK_MEMORY].value / 2,
                    without.node[SLOTS_BACK_MEMORY].value / 2 + 1);
    assert_int_equal(result.node[SLOTS_BACK_MEMORY].value + result.node[SLOTS_BACK_CORE].value,
                     without.node[SLOTS_BACK_BOUND].value);
    out_memory_init(&out, text, sizeof(text));
    result.method->legend(&out.out, &result);
    assert_non_null(strstr(text, "By the op samples 50.0 % of the waits for loads (0D6:A2) are waits of locked\nops "
                                 "that had their line: they are in 'Core bound'.\n"));
    input.ibs.held.sums.locked_cycles = 600; /* all of the waits are the line's */
    assert_int_equal(explored(&input).node[SLOTS_BACK_MEMORY].value, without.node[SLOTS_BACK_MEMORY].value);
    input.ibs.held.sums = (struct held_sums){.load_cycles = 999, .locks = 1, .lock_least = 99};
    result = explored(&input);
    out_memory_init(&out, text, sizeof(text));
    result.method->legend(&out.out, &result);
    assert_null(strstr(text, "locked ops'")); /* under a tenth */
}

/* ---------------------------------------------------------------- what lacks */

/* A row is known if all its inputs are, and unknown without any one of them; no other row depends on them. */
TEST(missing_inputs_are_states_not_zeros)
{
    for (unsigned e = 0; e < SLOTS_EVENTS; e++) {
        struct explore_input input = counted(8, branches);
        struct explore_result result;

        input.count[e] = (struct explore_count){.state = COUNTS_NOT_MODELLED};
        result = explored(&input);
        for (unsigned i = 0; i < SLOTS_ROWS; i++) {
            bool needs = explore_slots_tree[i].inputs >> e & 1;

            if (result.node[i].state != (needs ? EXPLORE_NOT_MODELLED : EXPLORE_KNOWN))
                fail_msg("%s without event %u: state %u", explore_slots_tree[i].name, e, result.node[i].state);
            assert_true(!needs || (result.node[i].value == 0 && !result.node[i].flagged));
        }
        for (unsigned i = 0; i < SLOTS_CHECKS; i++)
            assert_int_equal(result.check[i].verdict,
                             (explore_slots_checks[i].left | explore_slots_checks[i].right) >> e & 1
                                 ? EXPLORE_NOT_CHECKED
                                 : EXPLORE_PASS);
    }
}

TEST(nothing_to_divide_by)
{
    static const struct {
        uint8_t event, row;
    } zero[] = {{SLOTS_C0, SLOTS_CPI},
                {SLOTS_C2, SLOTS_BAD_RATIO},
                {SLOTS_WAIT, SLOTS_BACK_MEMORY},
                {SLOTS_WAIT, SLOTS_BACK_CORE}};
    struct explore_input input;
    struct explore_result result;

    for (unsigned i = 0; i < sizeof(zero) / sizeof(zero[0]); i++) {
        input = counted(6, memory);
        input.count[zero[i].event].total = 0;
        result = explored(&input);
        assert_int_equal(result.node[zero[i].row].state, EXPLORE_NO_BASE);
        assert_int_equal(result.node[SLOTS_BACK_BOUND].state, EXPLORE_KNOWN);
    }
    input = counted(6, memory);
    input.count[SLOTS_C3].total = input.count[SLOTS_RESYNC].total = 0;
    result = explored(&input);
    assert_int_equal(result.node[SLOTS_BAD_MISPREDICTS].state, EXPLORE_NO_BASE);
    assert_int_equal(result.node[SLOTS_BAD_RESTARTS].state, EXPLORE_NO_BASE);
    input = counted(6, memory);
    input.count[SLOTS_C].total = 0;
    result = explored(&input);
    for (unsigned i = 0; i < SLOTS_ROWS; i++)
        assert_int_equal(result.node[i].state,
                         explore_slots_tree[i].inputs >> SLOTS_C & 1 ? EXPLORE_NO_BASE : EXPLORE_KNOWN);
}

/* ---------------------------------------------------------------- checks */

TEST(checks_fail_one_by_one)
{
    static const struct {
        uint8_t event, check;
        uint64_t fits, fails;
    } rows[] = {
        {SLOTS_BACK, SLOTS_CHECK_SUM, 3540000, 3539999}, /* 0.95 of 6 million, and one less */
        {SLOTS_BACK, SLOTS_CHECK_SUM, 4140000, 4140001},
        {SLOTS_FRONT_ALL, SLOTS_CHECK_LATENCY, 100100, 100101}, /* six times as much */
        {SLOTS_U, SLOTS_CHECK_OPS, 1575600, 1575601},
        {SLOTS_MICROCODE, SLOTS_CHECK_MICROCODE, 1501500, 1501501},
        {SLOTS_C3, SLOTS_CHECK_BRANCHES, 200200, 200201},
        {SLOTS_WAIT, SLOTS_CHECK_WAIT, 1001000, 1001001},
        {SLOTS_WAIT_LOAD, SLOTS_CHECK_WAIT_LOAD, 700700, 700701},
        {SLOTS_INTERRUPTS, SLOTS_CHECK_EXPECTED, 0, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned fails = 0; fails < 2; fails++) {
            struct explore_input input = counted(6, memory);
            struct explore_result result;

            input.count[SLOTS_C].cv_ppm = 0;
            input.count[rows[i].event].total = fails ? rows[i].fails : rows[i].fits;
            result = explored(&input);
            for (unsigned c = 0; c < SLOTS_CHECKS; c++)
                if (result.check[c].verdict != (fails && c == rows[i].check ? EXPLORE_FAIL : EXPLORE_PASS))
                    fail_msg("row %zu: %s", i, explore_slots_checks[c].says);
        }
}

/* ---------------------------------------------------------------- what is printed */

static const char *print(const struct explore_input *input)
{
    struct explore_result result = explored(input);
    struct out_memory out;

    out_memory_init(&out, text, sizeof(text));
    explore_print(&out.out, &result);
    explore_csv_head(&out.out);
    explore_csv_rows(&out.out, "", &result);
    return text;
}

/* The report as text and CSV, with six slots, with eight where the model lacks events, and for two cores. */
TEST(reports)
{
    struct explore_input six = counted(6, memory), eight = counted(8, branches);
    struct explore_result of[2] = {explored(&eight)};
    const struct explore_of trees[] = {{"core 0", &of[0]}, {"core 1", &of[1]}};
    struct out_memory out;

    check_golden("explore/explore_slots_6.txt", print(&six));
    eight.count[SLOTS_WAIT].state = eight.count[SLOTS_FRONT_ALL].state = COUNTS_NOT_MODELLED;
    eight.count[SLOTS_RESYNC].state = COUNTS_NOT_COUNTED;
    eight.count[SLOTS_MICROCODE].total = 3 * MEGA;
    eight.model = true;
    check_golden("explore/explore_slots_8.txt", print(&eight));
    of[1] = explored(&eight);
    out_memory_init(&out, text, sizeof(text));
    explore_print_cores(&out.out, trees, 2);
    check_golden("explore/explore_slots_cores.txt", text);
}

/* Refilling after mispredicted branches and restarts, 11 cycles each, but at most those without an op, counts with
 * them; each has its part. */
TEST(the_first_to_look_at)
{
    static const struct {
        uint64_t mispredicted, restarts, empty;
        unsigned first, below, refill, restarted;
    } of[] = {{9000, 0, 200000, SLOTS_FRONT_BOUND, SLOTS_FRONT_BANDWIDTH, 99000, 0},
              {10000, 0, 200000, SLOTS_BAD, SLOTS_BAD_MISPREDICTS, 110000, 0},
              {10000, 0, 90000, SLOTS_FRONT_BOUND, SLOTS_FRONT_BANDWIDTH, 90000, 0},
              {0, 9000, 200000, SLOTS_FRONT_BOUND, SLOTS_FRONT_BANDWIDTH, 0, 99000},
              {0, 10000, 200000, SLOTS_BAD, SLOTS_BAD_RESTARTS, 0, 110000},
              {4000, 6000, 200000, SLOTS_BAD, SLOTS_BAD_RESTARTS, 44000, 66000},
              {6000, 4000, 90000, SLOTS_FRONT_BOUND, SLOTS_FRONT_BANDWIDTH, 54000, 36000},
              {0, 0, 300000, SLOTS_FRONT_BOUND, SLOTS_FRONT_LATENCY, 0, 0}};

    for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct explore_input input = counted(6, branches);
        struct explore_result result;

        input.count[SLOTS_C3].total = of[i].mispredicted;
        input.count[SLOTS_RESYNC].total = of[i].restarts;
        input.count[SLOTS_FRONT_ALL].total = of[i].empty;
        result = explored(&input);
        assert_int_equal(result.refill, of[i].refill);
        assert_int_equal(result.restarted, of[i].restarted);
        assert_int_equal(explore_largest(&result, EXPLORE_ROOT, 0), of[i].first);
        assert_int_equal(explore_largest(&result, of[i].first, 0), of[i].below);
        assert_int_equal(result.node[SLOTS_BAD].value, 266667); /* the tree itself is unchanged */
    }
}

/* Ops of microcode are judged as a share of all slots, whatever retires: below "Retiring" where that row is flagged,
 * otherwise by themselves. */
TEST(microcode_alone)
{
    static const struct {
        uint64_t retired, microcode;
        bool retiring, flagged;
    } of[] = {{1500000, 300000, false, false}, {1500000, 300006, false, true}, {4500000, 300006, true, true}};

    for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct explore_input input = counted(6, memory);
        struct explore_result result;
        const uint64_t told = 1ull << SLOTS_BACK_BOUND | 1ull << SLOTS_RETIRING;

        input.count[SLOTS_U].total = of[i].retired;
        input.count[SLOTS_MICROCODE].total = of[i].microcode;
        explore_compute(&result, &input);
        assert_int_equal(result.node[SLOTS_RETIRING].flagged, of[i].retiring);
        assert_int_equal(result.node[SLOTS_RETIRING_MICROCODE].flagged, of[i].flagged);
        assert_int_equal(result.node[SLOTS_RETIRING_MICROCODE].greyed, !of[i].flagged);
        assert_int_equal(result.node[SLOTS_RETIRING_FAST].greyed, !of[i].retiring);
        assert_int_equal(explore_largest(&result, EXPLORE_ROOT, told),
                         of[i].flagged && !of[i].retiring ? SLOTS_RETIRING_MICROCODE : -1);
        assert_int_equal(explore_largest(&result, SLOTS_RETIRING, 0), of[i].retiring ? SLOTS_RETIRING_MICROCODE : -1);
    }
}

RUN_TESTS(NULL, NULL)
