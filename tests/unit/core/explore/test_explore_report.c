/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: its checks and the printed report. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/core/check.h"
#include "tests/unit/core/explore_made.h"

#include "core/base/rng.h"
#include "core/explore/explore_slots.h"
#include "core/explore/explore_tokens.h"

static char text[32768];

/* ---------------------------------------------------------------- checks */

TEST(checks_fail_one_by_one)
{
    static const struct {
        uint8_t event;
        uint64_t fits, fails; /* the last total that passes, and the first that fails */
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
        input.count[EXPLORE_C].cv_ppm = 0;
        set(&input, rows[i].event, rows[i].fits);
        result = explored(&input);
        for (int c = 0; c < EXPLORE_CHECKS; c++)
            assert_int_equal(result.check[c].verdict, EXPLORE_PASS);
        set(&input, rows[i].event, rows[i].fails);
        result = explored(&input);
        for (int c = 0; c < EXPLORE_CHECKS; c++)
            if (result.check[c].verdict != (c == rows[i].check ? EXPLORE_FAIL : EXPLORE_PASS))
                fail_msg("row %zu, check %s", i, explore_checks[c].says);
        /* A check of events that were not counted cannot fail. */
        input.count[rows[i].event].state = COUNTS_NOT_MODELLED;
        result = explored(&input);
        assert_int_equal(result.check[rows[i].check].verdict, EXPLORE_NOT_CHECKED);
    }
}

/* If nothing was counted, no sum is larger than another, however small a check's tolerance is. */
TEST(checks_of_nothing_pass)
{
    for (enum event_set event_set = EVENT_SET_NONE; event_set < EVENT_SETS; event_set++) {
        struct explore_input input = {.method = explore_of(event_set), .expected_known = true};
        struct explore_result result;

        if (!input.method)
            continue;
        for (unsigned i = 0; i < EXPLORE_EVENTS; i++)
            input.count[i] = (struct explore_count){0, COUNTS_COUNTED, 1000000, 0};
        input.ibs.state = COUNTS_COUNTED;
        result = explored(&input);
        for (unsigned c = 0; c < input.method->checks; c++)
            if (result.check[c].verdict != EXPLORE_PASS)
                fail_msg("%s: %s", input.method->title, input.method->check[c].says);
    }
}

/* Cycles of one pass are compared with those of other passes: on cores that share lines one pass lasts 4 % longer than
 * another. */
TEST(sums_of_cycles_follow_the_spread_of_passes)
{
    static const struct {
        uint8_t event, check;
        uint64_t fits; /* with a spread of 4 %, the last total that passes */
    } rows[] = {
        {EXPLORE_R3, EXPLORE_CHECK_HISTOGRAM, 3800000},
        {EXPLORE_D0, EXPLORE_CHECK_STACK, 10200000},
        {EXPLORE_D9, EXPLORE_CHECK_STALL_MAX, 1120000},
        {EXPLORE_D1, EXPLORE_CHECK_STALL_SUM, 1814400},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_input input = ordinary();
        struct explore_result result;

        input.count[EXPLORE_C].cv_ppm = 40000;
        set(&input, rows[i].event, rows[i].fits);
        result = explored(&input);
        assert_int_equal(result.check[rows[i].check].verdict, EXPLORE_PASS);
        assert_int_equal(result.check[rows[i].check].spread_ppm, 40000);
        assert_int_equal(result.check[EXPLORE_CHECK_DC].spread_ppm, 0);
        set(&input, rows[i].event, rows[i].fits + 1);
        result = explored(&input);
        assert_int_equal(result.check[rows[i].check].verdict, EXPLORE_FAIL);
        assert_int_equal(result.check[rows[i].check].spread_ppm, 0);
    }
}

TEST(checks_whose_sides_are_cycles)
{
    static const struct {
        const struct explore_method *method;
        uint32_t of_cycles;
    } rows[] = {
        {&explore_10h, 1 << EXPLORE_CHECK_HISTOGRAM | 1 << EXPLORE_CHECK_STACK | 1 << EXPLORE_CHECK_STALL_MAX |
                           1 << EXPLORE_CHECK_STALL_SUM},
        {&explore_slots_6,
         1 << SLOTS_CHECK_SUM | 1 << SLOTS_CHECK_LATENCY | 1 << SLOTS_CHECK_WAIT | 1 << SLOTS_CHECK_WAIT_LOAD},
        {&explore_tokens_zen2, 1 << TOKENS_CHECK_EMPTY | 1 << TOKENS_CHECK_0AE | 1 << TOKENS_CHECK_0AF |
                                   1 << TOKENS_CHECK_0AE_MAX | 1 << TOKENS_CHECK_0AF_MAX | 1 << TOKENS_CHECK_SINGLE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned c = 0; c < rows[i].method->checks; c++)
            if (rows[i].method->check[c].of_cycles != (rows[i].of_cycles >> c & 1))
                fail_msg("%s", rows[i].method->check[c].says);
}

/* Misses do not grow with the time of a pass. */
TEST(sums_of_others_do_not_follow_it)
{
    struct explore_input input = ordinary();
    struct explore_result result;

    input.count[EXPLORE_C].cv_ppm = 40000;
    set(&input, EXPLORE_41, 5005001);
    result = explored(&input);
    assert_int_equal(result.check[EXPLORE_CHECK_DC].verdict, EXPLORE_FAIL);
}

/* Event C0 is checked in two ways. */
TEST(instructions_are_as_expected)
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

/* Prints cores: one with these inputs, one of which less is known, and one that retired more instructions than ops. */
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

/* A mark stands before the sign; small figures have neither. */
TEST(cells_of_cores)
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

TEST(the_report_of_a_memory_bound_run)
{
    struct explore_input input = bound_input(&bounds[BOUND_DRAM]);

    input.count[EXPLORE_43].reliability_ppm = 850000;
    check_golden("explore/explore_memory.txt", print(&input));
    check_golden("explore/explore_cores.txt", print_cores(&input));
}

TEST(the_report_says_when_only_the_spread_of_passes_lets_a_check_pass)
{
    struct explore_input input = ordinary();

    input.count[EXPLORE_C].cv_ppm = 40000;
    set(&input, EXPLORE_D0, 10200000);
    assert_non_null(strstr(print(&input), "PASS        D0 + D1 <= 1.02 C: 11200000 against 10000000\n"
                                          "            passes differ in their cycles by 4.0 %\n"
                                          "PASS        max(D2..DA) <= D1: "));
    set(&input, EXPLORE_D0, 10200001);
    assert_null(strstr(print(&input), "passes differ"));
}

/* A long list of what is missing continues below its beginning when the next word does not fit any more. */
TEST(the_report_without_anything)
{
    struct explore_input input = {.method = &explore_10h};
    const char *line = strstr(print(&input), "\nNot counted: 076 ");

    assert_non_null(line);
    size_t length = strcspn(line + 1, "\n");
    line = strchr(line + 1, '\n');
    assert_int_equal(strspn(line + 1, " "), 14);
    assert_true(length + 1 + strcspn(line + 15, " \n") > 79);
}

/* A figure that is wider than its column is replaced by a word that says so. */
TEST(the_report_of_a_figure_too_large)
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

/* The report on a virtual PMU that does not know all causes of stalls: one check fails, and no node is flagged for a
 * missing cause. */
TEST(the_report_with_what_is_not_modelled)
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
    check_golden("explore/explore_not_modelled.txt", print(&input));
}

/* Waits of locked ops are mentioned from a tenth of the cycles on, in percent. */
TEST(the_legend_of_locked_ops)
{
    static const struct {
        uint32_t ppm;
        const char *told;
    } rows[] = {{0, NULL}, {99999, NULL}, {100000, "10.0"}, {123456, "12.3"}, {123500, "12.4"}, {1000000, "100.0"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct explore_result result = {.method = &explore_10h, .locked_ppm = rows[i].ppm};
        char wanted[80];
        struct out_memory memory;

        out_memory_init(&memory, text, sizeof(text));
        explore_10h.legend(&memory.out, &result);
        assert_int_equal(strstr(text, "Locked ops") != NULL, rows[i].told != NULL);
        snprintf(wanted, sizeof(wanted), "\nLocked ops wait for their lines in %s %% of the cycles, and ",
                 rows[i].told);
        assert_true(!rows[i].told || strstr(text, wanted));
    }
}

/* Notes are for flagged nodes only. */
TEST(notes_go_with_flags)
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

/* The largest part of the largest row comes first, parts come before their whole, and causes of stalls last. */
TEST(the_first_note_is_of_the_largest)
{
    static const char *const order[] = {"DTLB misses, est.: ",
                                        "DRAM, est.: ",
                                        "Memory bound: ",
                                        "Store forwarding, est.: ",
                                        "Stall: reorder buffer full (0D5): ", /* and causes in their order */
                                        "Stall: load/store full (0D8): ",
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
    set(&input, EXPLORE_D8, 6 * MEGA);
    input.ibs.held.sums = (struct held_sums){.miss_cycles = {[HELD_DRAM] = 1500}, .walks = 60, .forwarded = 350};
    print(&input);
    assert_non_null(strstr(text, "\nWhere to look (the largest first, each part before its parent)\n"));
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
        char line[100];

        snprintf(line, sizeof(line), "\n%s", order[i]);
        at = strstr(at, line);
        if (!at)
            fail_msg("%s is not where it should be in:\n%s", order[i], strstr(text, "Where to look"));
    }
}

/* The figures of a check follow it where they fit into 79 columns, otherwise they are on their own line. */
TEST(checks_fit_their_lines)
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

/* Totals of any size make no line too long and cause no undefined behaviour. */
TEST(any_totals_print)
{
    struct rng rng;

    rng_seed(&rng, 2);
    for (int round = 0; round < 2000; round++) {
        struct explore_input input = {.method = &explore_10h};

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

RUN_TESTS(NULL, NULL)
