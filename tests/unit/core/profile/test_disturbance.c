/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes caused by sampling: events by processor, judgement, table, verdict, facts. */
#include "core/profile/disturbance.h"

#include <string.h>

#include "tests/unit/core/check.h"

static char text[4096];
static struct out_memory memory;

static struct out *fresh(void)
{
    out_memory_init(&memory, text, sizeof(text));
    return &memory.out;
}

/* ---------------------------------------------------------------- events */

static const char *list_text(enum event_set set)
{
    struct event_list list = {.count = 0};
    uint8_t row[DISTURBANCE_ROWS];
    unsigned count = disturbance_list(&list, row, set);

    fresh();
    text[0] = 0;
    assert_int_equal(count, list.count);
    for (unsigned i = 0; i < count; i++) {
        assert_true(list.spec[i].user && list.spec[i].kernel);
        out_printf(&memory.out, "%u=%03X:%02X ", row[i], list.spec[i].event->select, list.spec[i].mask);
        assert_true(list.spec[i].mask_given);
    }
    return text;
}

TEST(events_of_each_set)
{
    static const char k10[] = "0=076:00 1=041:00 2=046:07 3=0C3:00 4=0C0:00 5=042:1E 6=043:1F 7=067:02 ";
    static const char k15[] = "0=076:00 1=041:01 2=046:07 3=0C3:00 4=0C0:00 6=043:00 7=067:02 ";

    assert_string_equal(list_text(EVENT_SET_NONE), "");
    assert_string_equal(list_text(EVENT_SET_10H), k10);
    assert_string_equal(list_text(EVENT_SET_12H), k10);
    assert_string_equal(list_text(EVENT_SET_14H), "0=076:00 1=041:00 2=046:0C 3=0C3:00 4=0C0:00 5=042:1E 6=043:1F ");
    assert_string_equal(list_text(EVENT_SET_16H),
                        "0=076:00 1=041:00 2=046:0C 3=0C3:00 4=0C0:00 5=042:1E 6=043:1F 7=067:02 ");
    for (enum event_set set = EVENT_SET_15H; set <= EVENT_SET_15H_60; set++)
        assert_string_equal(list_text(set), k15);
    assert_string_equal(list_text(EVENT_SET_ZEN), "0=076:00 1=041:03 2=045:F0 3=0C3:00 4=0C0:00 ");
    assert_string_equal(list_text(EVENT_SET_ZEN2),
                        "0=076:00 1=041:03 2=045:F0 3=0C3:00 4=0C0:00 5=043:01 6=043:5A 7=05A:5B ");
    assert_string_equal(list_text(EVENT_SET_ZEN3),
                        "0=076:00 1=041:3F 2=045:F0 3=0C3:00 4=0C0:00 5=043:01 6=043:5E 7=05A:5F ");
    assert_string_equal(list_text(EVENT_SET_ZEN4),
                        "0=076:00 1=041:3F 2=045:F0 3=0C3:00 4=0C0:00 5=043:01 6=043:DE 7=05A:DF ");
    for (enum event_set set = EVENT_SET_ZEN5; set <= EVENT_SET_ZEN6; set++)
        assert_string_equal(list_text(set), "0=076:00 1=041:07 2=045:F0 3=0C3:00 4=0C0:00 5=043:01 6=043:DE 7=05A:DF ");
}

/* A sampled event may be one of the rows. */
TEST(rows_of_events)
{
    assert_int_equal(disturbance_row_of(EVENT_SET_10H, 0x076, 0), DISTURBANCE_CYCLES);
    assert_int_equal(disturbance_row_of(EVENT_SET_10H, 0x046, 0x07), DISTURBANCE_WALKS);
    assert_int_equal(disturbance_row_of(EVENT_SET_10H, 0x046, 0x01), DISTURBANCE_ROWS);
    assert_int_equal(disturbance_row_of(EVENT_SET_10H, 0x067, 0x02), DISTURBANCE_PREFETCHES);
    assert_int_equal(disturbance_row_of(EVENT_SET_10H, 0x0C2, 0), DISTURBANCE_ROWS);
    assert_int_equal(disturbance_row_of(EVENT_SET_ZEN4, 0x043, 0x01), DISTURBANCE_L2);
    assert_int_equal(disturbance_row_of(EVENT_SET_ZEN4, 0x043, 0xDE), DISTURBANCE_BEYOND);
}

/* No mask has a bit without a meaning, and all events fit into the counters. */
TEST(events_are_legal)
{
    for (enum event_set set = EVENT_SET_10H; set < EVENT_SETS; set++) {
        struct event_list list = {.count = 0};
        struct event_groups groups;
        uint8_t row[DISTURBANCE_ROWS];

        assert_true(disturbance_list(&list, row, set) >= 5);
        for (unsigned i = 0; i < list.count; i++) {
            assert_int_equal(list.spec[i].mask & ~list.spec[i].event->mask_legal, 0);
            assert_true(list.spec[i].event->sets >> set & 1);
        }
        assert_true(event_groups_make(&groups, &list, -1));
        assert_int_equal(groups.count, 2);
    }
}

TEST(names)
{
    static const char *const facts[] = {"cycles",       "dc_misses", "walks",  "mispredicted",
                                        "instructions", "l2",        "beyond", "prefetches"};

    for (enum disturbance_row row = 0; row < DISTURBANCE_ROWS; row++)
        assert_string_equal(disturbance_fact(row), facts[row]);
    assert_string_equal(disturbance_name(DISTURBANCE_WALKS), "page walks of data");
    assert_int_equal(disturbance_sampled(DISTURBANCE_CYCLES), DERIVED_COUNT);
    assert_int_equal(disturbance_sampled(DISTURBANCE_DC_MISSES), DERIVED_F206_DC_MISS);
    assert_int_equal(disturbance_sampled(DISTURBANCE_WALKS), DERIVED_F205_DTLB_L1M_L2M);
    assert_int_equal(disturbance_sampled(DISTURBANCE_MISPREDICTED), DERIVED_F104_BRANCH_MISPREDICTED);
    for (enum disturbance_row row = DISTURBANCE_INSTRUCTIONS; row < DISTURBANCE_ROWS; row++)
        assert_int_equal(disturbance_sampled(row), DERIVED_COUNT);
}

/* ---------------------------------------------------------------- judgement */

static struct disturbance calm(void)
{
    return (struct disturbance){
        .counted = {true, true, true, true, true, true, true},
        .undisturbed = {1000000, 20000, 5000, 0, 900000, 18000, 2000},
        .sampled = {1010000, 19000, 5000, 0, 900100, 17000, 2000},
        .interrupts = 250,
        .undisturbed_us = 400,
        .sampled_us = 500,
        .weight = {0, 4096, 4096, 4096},
        .samples = {0, 24, 3, 0, 0},
        .passes = 2,
    };
}

TEST(cycles_may_change_by_one_in_a_hundred)
{
    struct disturbance of = calm();
    struct disturbance_change change = disturbance_change(&of, DISTURBANCE_CYCLES);

    assert_true(change.judged && change.more && !change.large && !change.hidden);
    assert_int_equal(change.by, 10000);
    assert_int_equal(change.allowed, 10000);
    assert_false(disturbance_large(&of));
    of.sampled[DISTURBANCE_CYCLES]++;
    assert_true(disturbance_change(&of, DISTURBANCE_CYCLES).large);
    assert_true(disturbance_large(&of));
    of.sampled[DISTURBANCE_CYCLES] = 990000;
    change = disturbance_change(&of, DISTURBANCE_CYCLES);
    assert_true(!change.more && !change.large);
    assert_int_equal(change.by, 10000);
    of.sampled[DISTURBANCE_CYCLES]--;
    assert_true(disturbance_change(&of, DISTURBANCE_CYCLES).large);
    of.counted[DISTURBANCE_CYCLES] = false;
    assert_false(disturbance_large(&of));
}

/* The limit for 25 samples is 1.96 * 5 * 4096 / 2 passes. */
TEST(others_by_what_samples_leave_open)
{
    struct disturbance of = calm();
    struct disturbance_change change = disturbance_change(&of, DISTURBANCE_DC_MISSES);

    assert_int_equal(change.allowed, 20070);
    assert_true(change.judged && !change.more && !change.large);
    of.undisturbed[DISTURBANCE_DC_MISSES] = 39070;
    assert_false(disturbance_large(&of));
    of.undisturbed[DISTURBANCE_DC_MISSES]++;
    assert_true(disturbance_change(&of, DISTURBANCE_DC_MISSES).large);
    assert_int_equal(disturbance_change(&of, DISTURBANCE_WALKS).allowed, 8028);        /* 1.96 * 2 * 4096 / 2 */
    assert_int_equal(disturbance_change(&of, DISTURBANCE_MISPREDICTED).allowed, 4014); /* without samples: as for one */
    assert_false(disturbance_change(&of, DISTURBANCE_INSTRUCTIONS).judged);
    assert_int_equal(disturbance_change(&of, DISTURBANCE_L2).allowed, 0);
    of.passes = 0;
    assert_false(disturbance_change(&of, DISTURBANCE_DC_MISSES).judged);
    of.passes = 1;
    of.weight[DISTURBANCE_DC_MISSES] = 0;
    assert_false(disturbance_change(&of, DISTURBANCE_DC_MISSES).judged);
    assert_true(disturbance_change(&of, DISTURBANCE_CYCLES).judged);
}

/* The handler's part is known only to a 16th. */
TEST(the_handlers_part)
{
    struct disturbance of = calm();

    of.handler[DISTURBANCE_CYCLES] = 16 * 700;
    assert_int_equal(disturbance_change(&of, DISTURBANCE_CYCLES).allowed, 10700);
    assert_false(disturbance_change(&of, DISTURBANCE_CYCLES).hidden);
    of.handler[DISTURBANCE_CYCLES] = 16 * 10000;
    assert_false(disturbance_change(&of, DISTURBANCE_CYCLES).hidden); /* not more than one in a hundred */
    of.handler[DISTURBANCE_CYCLES] = 16 * 10001;
    assert_true(disturbance_change(&of, DISTURBANCE_CYCLES).hidden);
    of.sampled[DISTURBANCE_CYCLES] = 1010001;
    assert_true(disturbance_change(&of, DISTURBANCE_CYCLES).hidden);
    of.sampled[DISTURBANCE_CYCLES] = 1010002;
    assert_false(disturbance_change(&of, DISTURBANCE_CYCLES).hidden);
}

/* A run is calm only beyond doubt: the handler's part is known to a 16th, and one standard error counts, not 1.96. */
TEST(calm_enough_for_a_period)
{
    struct disturbance of = calm();

    assert_true(disturbance_calm(&of));
    of.handler[DISTURBANCE_CYCLES] = 16;
    assert_false(disturbance_calm(&of));
    of.sampled[DISTURBANCE_CYCLES] = 1009999;
    assert_true(disturbance_calm(&of));
    of.sampled[DISTURBANCE_CYCLES] = 990000;
    assert_false(disturbance_calm(&of));
    of.sampled[DISTURBANCE_CYCLES] = 990001;
    assert_true(disturbance_calm(&of));
    of.sampled[DISTURBANCE_DC_MISSES] = 20000 + 10240; /* 20070 / 1.96 */
    assert_true(disturbance_calm(&of));
    of.sampled[DISTURBANCE_DC_MISSES]++;
    assert_false(disturbance_calm(&of));
    of.counted[DISTURBANCE_CYCLES] = false; /* the events after this one still count */
    assert_false(disturbance_calm(&of));
    of.counted[DISTURBANCE_DC_MISSES] = false;
    assert_true(disturbance_calm(&of));
    of.sampled[DISTURBANCE_INSTRUCTIONS] = 0; /* no sample shows this event */
    assert_true(disturbance_calm(&of));
}

/* ---------------------------------------------------------------- words */

static const char *verdict(const struct disturbance *of)
{
    disturbance_verdict(fresh(), of);
    return text;
}

TEST(verdicts)
{
    struct disturbance of = calm();

    assert_string_equal(verdict(&of),
                        "PASS sampling changed no more than the samples' uncertainty: cycles +1.0 %, DC misses "
                        "-5.0 %, page walks of data 0.0 %, mispredicted branches 0");
    of.sampled[DISTURBANCE_MISPREDICTED] = 5000;
    assert_string_equal(verdict(&of), "WARNING: sampling changed the workload by more than the samples' uncertainty: "
                                      "mispredicted branches +5000");
    of.sampled[DISTURBANCE_CYCLES] = 1234567;
    assert_string_equal(verdict(&of), "WARNING: sampling changed the workload by more than the samples' uncertainty: "
                                      "cycles +23.5 %, mispredicted branches +5000");
    of = calm();
    of.handler[DISTURBANCE_DC_MISSES] = 32000; /* 2000 of 20000, and 1000 fewer: no verdict */
    assert_string_equal(verdict(&of),
                        "PASS sampling changed no more than the samples' uncertainty: cycles +1.0 %, page "
                        "walks of data 0.0 %, mispredicted branches 0");
    of.why = "no counter";
    assert_string_equal(verdict(&of), "NOTE: the effect of sampling is not known: no counter");
}

TEST(table)
{
    struct disturbance of = calm();

    of.handler[DISTURBANCE_CYCLES] = 25000;
    of.handler[DISTURBANCE_L2] = 32000;
    of.sampled[DISTURBANCE_MISPREDICTED] = 5000;
    disturbance_print(fresh(), &of);
    assert_string_equal(text, "What sampling changed, in one pass: * more than its samples leave open (95 %)\n"
                              "===============================================================================\n"
                              " Event                    undisturbed      sampled    handler    change open, %\n"
                              "-------------------------------------------------------------------------------\n"
                              " cycles                       1000000      1010000      25000    +1.0 %     1.2\n"
                              " DC misses                      20000        19000          0    -5.0 %   100.4\n"
                              " page walks of data              5000         5000          0     0.0 %   160.6\n"
                              "*mispredicted branches              0         5000          0     +5000   >1000\n"
                              " instructions                  900000       900100          0     0.0 %       -\n"
                              " lines from the L2              18000        17000      32000         ?       -\n"
                              " lines from beyond the L2        2000         2000          0     0.0 %       -\n"
                              "-------------------------------------------------------------------------------\n"
                              " Elapsed: 400 us, sampled 500 us, of which the handler took 19.2 %\n");
    /* The figures end at ten times the count: 1.96 * 5 * 4096 events are open. */
    of.passes = 1;
    of.undisturbed[DISTURBANCE_DC_MISSES] = 4015;
    disturbance_print(fresh(), &of);
    assert_non_null(strstr(text, "+373.2 %   999.8\n"));
    of.undisturbed[DISTURBANCE_DC_MISSES] = 4014;
    disturbance_print(fresh(), &of);
    assert_non_null(strstr(text, "+373.3 %   >1000\n"));
    of.sampled_us = 300; /* shorter than the undisturbed time: the clock's noise */
    disturbance_print(fresh(), &of);
    assert_non_null(strstr(text, "sampled 300 us, of which the handler took 0.0 %\n"));
    of.sampled_us = 500;
    of.time = DISTURBANCE_TIME_MODELLED;
    disturbance_print(fresh(), &of);
    assert_non_null(strstr(text, " Elapsed: 400 us, sampled 500 us, handler 19.2 % in the model's cycles\n"));
    of.time = DISTURBANCE_TIME_WITHOUT_HANDLER;
    disturbance_print(fresh(), &of);
    assert_non_null(strstr(text, " Elapsed: 400 us, sampled 500 us without the handler, which is not modelled\n"));
    disturbance_write(fresh(), &of);
    assert_non_null(strstr(text, "#: sampling.time = without handler\n"));
    of.sampled_us = 0;
    disturbance_print(fresh(), &of);
    assert_null(strstr(text, "Elapsed"));
    of = calm();
    of.undisturbed_us = 0;
    disturbance_print(fresh(), &of);
    assert_null(strstr(text, "Elapsed"));
    of = calm();
    of.undisturbed[DISTURBANCE_CYCLES] = 0;
    disturbance_print(fresh(), &of);
    assert_null(strstr(text, "Elapsed"));
    of.undisturbed[DISTURBANCE_CYCLES] = 1000000;
    of.ticks = true;
    disturbance_print(fresh(), &of);
    assert_non_null(
        strstr(text, "\n cycles (TSC)                 1000000      1010000          0    +1.0 %     1.0\n"));
    assert_non_null(strstr(verdict(&of), ": cycles (TSC) +1.0 %, DC misses"));
    disturbance_write(fresh(), &of);
    assert_non_null(strstr(text, "#: sampling.clock = TSC\n"));
    of.why = "no counter";
    disturbance_print(fresh(), &of);
    assert_string_equal(text, "What sampling changed: not known: no counter\n");
}

/* A change that is rounded to nothing has no sign; 450 of 900000 instructions are the first that are not. */
TEST(signs)
{
    static const struct {
        uint64_t sampled;
        const char *row;
    } rows[] = {{899550, " 0    -0.1 %       -\n lines from the L2"},
                {899551, " 0     0.0 %       -\n lines from the L2"},
                {900449, " 0     0.0 %       -\n lines from the L2"},
                {900450, " 0    +0.1 %       -\n lines from the L2"}};
    struct disturbance of = calm();

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        of.sampled[DISTURBANCE_INSTRUCTIONS] = rows[i].sampled;
        disturbance_print(fresh(), &of);
        assert_non_null(strstr(text, rows[i].row));
    }
}

TEST(facts)
{
    struct disturbance of = calm();

    of.handler[DISTURBANCE_CYCLES] = 77;
    for (unsigned row = DISTURBANCE_WALKS; row < DISTURBANCE_ROWS; row++)
        of.counted[row] = false;
    disturbance_write(fresh(), &of);
    assert_string_equal(text, "#: sampling = unchanged\n"
                              "#: sampling.undisturbed_us = 400\n"
                              "#: sampling.sampled_us = 500\n"
                              "#: sampling.time = elapsed\n"
                              "#: sampling.interrupts = 250\n"
                              "#: sampling.clock = 076\n"
                              "#: sampling.passes = 2\n"
                              "#: sampling.cycles.undisturbed = 1000000\n"
                              "#: sampling.cycles.sampled = 1010000\n"
                              "#: sampling.cycles.handler = 77\n"
                              "#: sampling.cycles.samples = 0\n"
                              "#: sampling.cycles.weight = 0\n"
                              "#: sampling.dc_misses.undisturbed = 20000\n"
                              "#: sampling.dc_misses.sampled = 19000\n"
                              "#: sampling.dc_misses.handler = 0\n"
                              "#: sampling.dc_misses.samples = 24\n"
                              "#: sampling.dc_misses.weight = 4096\n");
    of.sampled[DISTURBANCE_CYCLES] = 2000000;
    disturbance_write(fresh(), &of);
    assert_non_null(strstr(text, "#: sampling = changed\n"));
    of.why = "no counter";
    disturbance_write(fresh(), &of);
    assert_string_equal(text, "#: sampling = not known: no counter\n");
}

RUN_TESTS(NULL, NULL)
