/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting mode: means, spread, overhead, and totals that are missing. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/profile/counts.h"

static uint64_t memory[4096];
static char text[4096];

static struct event_list list;
static struct event_groups groups;

/* Returns empty counts: 076 is in every pass, and the other events in threes. */
static struct counts counts_of(const char *events, unsigned repeats)
{
    struct counts counts;

    assert_int_equal(event_list_parse(EVENT_SET_10H, events, strlen(events), &list, NULL), 0);
    (void)event_groups_make(&groups, &list, 0);
    memset(memory, 0xAB, sizeof(memory));
    assert_true(counts_init(&counts, &list, &groups, 0, repeats, memory, counts_memory_size(&list, &groups, repeats)));
    return counts;
}

static struct counts_result result_of(const struct counts *counts, unsigned event)
{
    struct counts_result result;

    counts_result(counts, event, &result);
    return result;
}

#define PASS(a, b, c, d) ((const uint64_t[PMC_COUNTERS]){a, b, c, d})

TEST(totals_less_overhead)
{
    struct counts counts = counts_of("076 0C0 041 042 043", 3);
    static const uint64_t clocks[3] = {1000100, 1000300, 1000200};
    struct counts_result r;

    for (unsigned repeat = 0; repeat < 3; repeat++) {
        counts_add(&counts, repeat, 0, PASS(clocks[repeat], 500040, 70 + (repeat == 0), 33));
        counts_add(&counts, repeat, 1, PASS(clocks[repeat], 20 + repeat, 0, 0));
        counts_add_empty(&counts, repeat, 0,
                         PASS(100, 40, repeat != 0, 33));              /* the mean of the overhead is two thirds: 1 */
        counts_add_empty(&counts, repeat, 1, PASS(100, repeat, 0, 0)); /* 0, 1 and 2 have the mean 1 */
    }
    r = result_of(&counts, 1);
    assert_int_equal(r.state, COUNTS_COUNTED);
    assert_int_equal(r.repeats, 3);
    assert_int_equal(r.mean, 500000);
    assert_int_equal(r.overhead, 40);
    assert_int_equal(r.min, 500000);
    assert_int_equal(r.max, 500000);
    assert_int_equal(r.cv_ppm, 0);
    assert_false(r.overhead_unknown || r.below_overhead);

    r = result_of(&counts, 2);
    assert_int_equal(r.overhead, 1);
    assert_int_equal(r.max, 70);
    assert_int_equal(r.mean, 69); /* 70, 69, 69 */

    r = result_of(&counts, 0); /* the sentinel: three repeats of two passes */
    assert_int_equal(r.repeats, 6);
    assert_int_equal(r.mean, 1000100);
    assert_int_equal(r.min, 1000000);
    assert_int_equal(r.max, 1000200);
    assert_in_range(r.cv_ppm, 89, 90); /* sqrt(4 * 100^2 / 5) / 1000100 */

    r = result_of(&counts, 3); /* all of the count was overhead: the event was counted, and its total is zero */
    assert_int_equal(r.state, COUNTS_COUNTED);
    assert_int_equal(r.mean + r.min + r.max, 0);
}

TEST(spread)
{
    static const struct {
        uint64_t value[4];
        uint32_t cv, off;
    } rows[] = {
        {{100, 100, 100, 100}, 0, 0},
        {{90, 110, 90, 110}, 115470, 0}, /* 10 * sqrt(4/3) % */
        {{0, 0, 0, 0}, 0, 0},
        {{1000000, 1000001, 999999, 1000000}, 0, 0}, /* less than a millionth */
        {{0, 0, 0, 4000}, 2000000, 0},
        /* 7812.5 millionths twice, 6378.9 */
        {{1ull << 47, 1ull << 47, (1ull << 47) + (1ull << 40), (1ull << 47) - (1ull << 40)}, 6378, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct counts counts = counts_of("076 0C0", 4);

        for (unsigned repeat = 0; repeat < 4; repeat++)
            counts_add(&counts, repeat, 0, PASS(5000, rows[i].value[repeat], 0, 0));
        assert_in_range(result_of(&counts, 1).cv_ppm, rows[i].cv, rows[i].cv + rows[i].off);
        assert_true(result_of(&counts, 1).overhead_unknown);
    }
}

/* The largest values possible: one value is the sum of all. */
TEST(wild_values)
{
    static uint64_t much[COUNTS_REPEATS_MAX * EVENT_GROUPS_MAX * (3 * PMC_COUNTERS + 1)];
    struct event_all all = {.set = EVENT_SET_10H, .revision = 'C', .unit = EVENT_UNITS};
    struct counts counts;
    unsigned left_out;

    (void)event_list_all(&list, &all, &left_out); /* as many as a list holds */
    (void)event_groups_make(&groups, &list, 0);
    assert_int_equal(groups.count, EVENT_GROUPS_MAX);
    assert_true(counts_init(&counts, &list, &groups, 0, COUNTS_REPEATS_MAX, much, sizeof(much)));
    for (unsigned repeat = 0; repeat < COUNTS_REPEATS_MAX; repeat++)
        for (unsigned pass = 0; pass < EVENT_GROUPS_MAX; pass++)
            counts_add(&counts, repeat, pass, PASS(repeat + pass ? 0 : 1ull << 47, 0, 0, 0));
    /* The coefficient of variation of 4240 values of which all but one are 0 is sqrt(4240). */
    assert_in_range(result_of(&counts, 0).cv_ppm, 65110000, 65120000);
}

/* Not counted, not modelled and zero are three different states. */
TEST(what_is_not_there_is_not_zero)
{
    struct counts counts = counts_of("076 0C0 041 042 043", 2);

    assert_int_equal(result_of(&counts, 1).state, COUNTS_NOT_COUNTED);
    counts_add(&counts, 0, 0, PASS(100, 0, 3, 5));
    counts_without(&counts, 2, COUNTS_NOT_MODELLED);
    assert_int_equal(result_of(&counts, 1).state, COUNTS_COUNTED);
    assert_int_equal(result_of(&counts, 1).mean, 0);
    assert_int_equal(result_of(&counts, 1).repeats, 1);
    assert_int_equal(result_of(&counts, 2).state, COUNTS_NOT_MODELLED);
    assert_int_equal(result_of(&counts, 2).mean + result_of(&counts, 2).repeats, 0);
    assert_int_equal(result_of(&counts, 4).state, COUNTS_NOT_COUNTED);
}

TEST(less_than_the_overhead)
{
    struct counts counts = counts_of("076 0C0", 2);

    counts_add(&counts, 0, 0, PASS(1000, 9, 0, 0));
    counts_add(&counts, 1, 0, PASS(1000, 13, 0, 0));
    counts_add_empty(&counts, 0, 0, PASS(0, 10, 0, 0));
    assert_true(result_of(&counts, 1).below_overhead);
    assert_int_equal(result_of(&counts, 1).min, 0);
    assert_int_equal(result_of(&counts, 1).max, 3);
    assert_false(result_of(&counts, 0).below_overhead);
}

/* A repeat without an empty region does not affect those after it. */
TEST(overhead_of_some_repeats)
{
    struct counts counts = counts_of("076 0C0", 3);

    for (unsigned repeat = 0; repeat < 3; repeat++)
        counts_add(&counts, repeat, 0, PASS(1000, 50, 0, 0));
    counts_add_empty(&counts, 1, 0, PASS(0, 10, 0, 0));
    counts_add_empty(&counts, 2, 0, PASS(0, 20, 0, 0));
    assert_false(result_of(&counts, 1).overhead_unknown);
    assert_int_equal(result_of(&counts, 1).overhead, 15);
    assert_int_equal(result_of(&counts, 1).mean, 35);
}

/* The empty region is measured once more and compared with the overhead: 40 once, and 20 and 22, whose mean is 21. */
TEST(what_is_left_over)
{
    struct counts counts = counts_of("076 0C0 041 042 043", 2);
    unsigned event = 77;
    uint64_t residue = 77;

    for (unsigned repeat = 0; repeat < 2; repeat++) {
        counts_add(&counts, repeat, 0, PASS(1000, 500, 3, 7));
        counts_add(&counts, repeat, 1, PASS(1000, 500, 0, 0));
        counts_add_empty(&counts, repeat, 0, PASS(100, 40, 1, 0));
        counts_add_empty(&counts, repeat, 1, PASS(100, 20 + 2 * repeat, 0, 0));
    }
    assert_false(counts_worst_residue(&counts, &event, &residue));
    counts_add_again(&counts, 0, 0, PASS(100, 40, 1, 0));
    assert_true(counts_worst_residue(&counts, &event, &residue)); /* events of this pass alone */
    assert_int_equal(residue, 0);
    assert_int_equal(event, 1); /* the first of the events that are alike */
    assert_true(result_of(&counts, 1).residue_known);
    assert_false(result_of(&counts, 0).residue_known || result_of(&counts, 4).residue_known);
    counts_add_again(&counts, 1, 0, PASS(100, 37, 3, 0)); /* a smaller count is wrong, too */
    counts_add_again(&counts, 0, 1, PASS(101, 21, 0, 0));
    assert_int_equal(result_of(&counts, 0).residue, 1);
    assert_int_equal(result_of(&counts, 1).residue, 3);
    assert_int_equal(result_of(&counts, 2).residue, 2);
    assert_int_equal(result_of(&counts, 4).residue, 0);
    assert_true(counts_worst_residue(&counts, &event, &residue));
    assert_int_equal(event, 1);
    assert_int_equal(residue, 3);
}

TEST(states_in_words)
{
    assert_string_equal(counts_state_name(COUNTS_NOT_COUNTED), "not counted");
    assert_string_equal(counts_state_name(COUNTS_NOT_MODELLED), "not modelled");
    assert_string_equal(counts_state_name(COUNTS_COUNTED), "counted");
    assert_string_equal(counts_state_name(COUNTS_NO_L3), "no L3");
}

/* A residue that only a later repeat has is reported, but is not known. */
TEST(what_is_left_over_once)
{
    struct counts counts = counts_of("076 0C0", 2);

    for (unsigned repeat = 0; repeat < 2; repeat++) {
        counts_add(&counts, repeat, 0, PASS(1000, 500, 0, 0));
        counts_add_empty(&counts, repeat, 0, PASS(100, 40, 0, 0));
    }
    counts_add_again(&counts, 1, 0, PASS(100, 43, 0, 0));
    assert_int_equal(result_of(&counts, 1).residue, 3);
    assert_false(result_of(&counts, 1).residue_known);
}

/* Distances are measured from the event's own pass, or from the mean of its own passes; no pass is called reliable
 * because it lies in the middle. */
TEST(how_alike_passes_were)
{
    static const struct {
        unsigned count;
        unsigned own; /* 1 << pass */
        uint64_t sentinels[5];
        uint32_t ppm;
    } rows[] = {
        {1, 1, {1000}, 1000000},
        {1, 1, {0}, 0},
        {3, 1, {1000, 1000, 1000}, 1000000},
        {3, 7, {1000, 1000, 1000}, 1000000},
        {3, 4, {1000, 1000, 910}, 818144}, /* sqrt((90^2 + 90^2) / 2) of 970, times 1.96 */
        {3, 1, {1000, 1000, 910}, 871409}, /* one of two is 90 away */
        {3, 3, {1000, 1000, 910}, 871409},
        {3, 7, {1000, 1000, 910}, 895007}, /* all passes are its own: 30, 30 and 60 from the mean */
        {3, 4, {1000, 1000, 2000}, 0},
        {3, 2, {3000, 0, 3000}, 0},
        {2, 1, {1000, 1002}, 996084},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool own[5];
        uint32_t ppm;

        for (unsigned pass = 0; pass < 5; pass++)
            own[pass] = rows[i].own >> pass & 1;
        ppm = counts_reliability_ppm(rows[i].sentinels, own, rows[i].count);
        if (ppm != rows[i].ppm)
            fail_msg("row %zu: %u, not %u", i, ppm, rows[i].ppm);
    }
}

/* The reliability uses the means of the repeats: passes of 1000, 950 and 1000 clocks. */
TEST(reliability_of_events)
{
    struct counts counts = counts_of("076 0C0 041 042 043 045 046 047 080 081", 2);

    for (unsigned repeat = 0; repeat < 2; repeat++)
        for (unsigned pass = 0; pass < 3; pass++)
            if (repeat == 0 || pass != 2)
                counts_add(&counts, repeat, pass, PASS(repeat && pass == 1 ? 900 : 1000, 7, 7, 7));
    assert_in_range(result_of(&counts, 1).reliability_ppm, 929500, 929700);
    assert_in_range(result_of(&counts, 4).reliability_ppm, 900300, 900500);
    assert_in_range(result_of(&counts, 9).reliability_ppm, 929500, 929700);
    assert_in_range(result_of(&counts, 0).reliability_ppm, 942300, 943000);
}

TEST(arguments_are_checked)
{
    struct counts counts;
    size_t size;

    counts = counts_of("076 0C0 041 042 043", 2);
    size = counts_memory_size(&list, &groups, 2);
    /* There are two passes, twice: three kinds of six counts of 8 bytes with a flag each, and a flag for each of five
     * events. */
    assert_int_equal(size, (4 * (3 * 6 * 8 + 1) + 5 + 7) / 8 * 8);
    assert_false(counts_init(&counts, &list, &groups, 0, 2, memory, size - 1));
    assert_false(counts_init(&counts, &list, &groups, 0, 2, (char *)memory + 4, size));
    assert_false(counts_init(&counts, &list, &groups, 0, 0, memory, size));
    assert_false(counts_init(&counts, &list, &groups, 0, COUNTS_REPEATS_MAX + 1, memory, sizeof(memory)));
    assert_false(counts_init(&counts, &list, &groups, 1, 2, memory, size)); /* no sentinel: in one pass only */
    assert_true(counts_init(&counts, &list, &groups, 0, 2, memory, size));
    /* The last byte of the memory is used, and no byte after it (which ASan would not see in a larger array). */
    memory[size / 8] = 0x1234;
    counts_add_empty(&counts, 1, 1, PASS(~0ull, ~0ull, ~0ull, ~0ull));
    counts_add_again(&counts, 1, 1, PASS(~0ull, ~0ull, ~0ull, ~0ull));
    counts_without(&counts, 4, COUNTS_NOT_MODELLED);
    assert_int_equal(memory[size / 8], 0x1234);
}

TEST(the_table)
{
    struct counts counts = counts_of("076 0C0 041 042 043 046:01:k 0C1:c=3:i", 2);
    struct out_memory out;

    for (unsigned repeat = 0; repeat < 2; repeat++) {
        counts_add(&counts, repeat, 0, PASS(2100000100 + repeat * 50000, 1800000040, 900000, 0));
        counts_add(&counts, repeat, 1, PASS(1500000100, 20 + repeat, 5, 123456789012));
        counts_add_empty(&counts, repeat, 0, PASS(100, 40, 0, 0));
    }
    counts_add_empty(&counts, 0, 1, PASS(100, 21, 0, 10));
    counts_add_again(&counts, 0, 0, PASS(92, 40, 0, 0));
    counts_add_again(&counts, 0, 1, PASS(100, 21, 0, 10));
    counts_without(&counts, 5, COUNTS_NOT_MODELLED);
    out_memory_init(&out, text, sizeof(text));
    counts_print(&out.out, &counts);
    check_golden("counts.txt", text);

    counts = counts_of("076 0C0 041 042 043", 1);
    counts_add(&counts, 0, 0, PASS(1000, 500, 3, 0));
    counts_add_empty(&counts, 0, 0, PASS(10, 5, 1, 0));
    counts_add_again(&counts, 0, 0, PASS(10, 5, 1, 0));
    out_memory_init(&out, text, sizeof(text));
    counts_print(&out.out, &counts);
    check_golden("counts_once.txt", text);
    assert_non_null(strstr(text, "Residue"));
    counts = counts_of("076 0C0 041 042 043", 1); /* without a second empty region no residue is printed */
    counts_add(&counts, 0, 0, PASS(1000, 500, 3, 0));
    counts_add_empty(&counts, 0, 0, PASS(10, 5, 1, 0));
    out_memory_init(&out, text, sizeof(text));
    counts_print(&out.out, &counts);
    assert_null(strstr(text, "Residue"));
}

RUN_TESTS(NULL, NULL)
