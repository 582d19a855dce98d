/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference of runs that sample by counters or by the timer: which counters count beside the samples, where the
 * clocks come from, and which periods follow. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/app/fixture.h"

#define EVENTS "menu=no reference=yes config=events sharing=rerun " SMALL " "
#define FOLDER "0001-tight-loop-events"

enum { CALM = 2, CALM_SAMPLED = 4, SAMPLED = 7 };

static void set_counts(void)
{
    set_reference_counts();
    fake_session.count[8] = (struct fake_count){.select = 0x040, .total = 400000};
}

static void assert_group(unsigned pass, const char *events)
{
    assert_int_equal(fake_session.pass[pass].pmc.groups, 1);
    assert_string_equal(group_text(&fake_session.pass[pass], 0), events);
}

/* If one event is sampled, three others are counted in each pass; the loop's interrupts come from its clocks. */
APP_TEST(beside_free_counters)
{
    static const char *const groups[] = {"0c0 042 043 067", "076 041 046 0c3", "076 041 046 0c3", "0c0 042 043 067",
                                         "076 041 046 0c3", "076 0c0 042 043", "076 067 076 076", "041 076 046 0c3",
                                         "041 0c0 042 043", "041 067 076 076"};
    enum { PASSES = sizeof(groups) / sizeof(groups[0]) };

    set_counts();
    assert_int_equal(start(EVENTS "events=041@1000 seed=7"), 0);
    assert_int_equal(fake_session.runs, PASSES + 1);
    for (unsigned i = 0; i < PASSES; i++) {
        const struct fake_pass *pass = &fake_session.pass[i];
        bool sampled = i >= CALM_SAMPLED, calm = i >= CALM && i < SAMPLED;

        assert_group(i, groups[i]);
        assert_int_equal(pass->empty, calm);
        assert_int_equal(pass->part, i < CALM ? VPMU_PART_REFERENCE : VPMU_PART_OTHER);
        assert_int_equal(pass->pmc.mode, sampled ? PMC_SAMPLING : PMC_COUNTING);
        assert_int_equal(pass->pmc.event[0].period, !sampled ? 0 : calm ? 1024 : 1000);
        for (unsigned e = 1; e < 4; e++)
            assert_int_equal(pass->pmc.event[e].period, 0);
        if (sampled) {
            assert_true(pass->pmc.random);
            assert_int_equal(pass->pmc.seed, 7);
        }
    }
    assert_group(PASSES, "041");
    assert_int_equal(fake_session.pass[PASSES].part, VPMU_PART_MEASURED);
    assert_int_equal(fact(FOLDER, "sampling.cycles.undisturbed"), 1000000);
    assert_int_equal(fact(FOLDER, "sampling.prefetches.sampled"), 700);
    assert_int_equal(fact(FOLDER, "samples.pmc"), 20);
    assert_int_equal(fact(FOLDER, "sampling.dc_misses.samples"), 20);
    assert_int_equal(fact(FOLDER, "sampling.dc_misses.weight"), 1000);
    assert_int_equal(fact(FOLDER, "sampling.walks.weight"), 0);
    assert_int_equal(fact(FOLDER, "sampling.passes"), 1);
    assert_true(fact(FOLDER, "sampling.sampled_us") > 0);
    assert_string_equal(saved_fact(FOLDER, "sampling.time"), "without handler");
    assert_says("PASS sampling changed no more than the samples' uncertainty: cycles 0.0 %, DC misses 0.0 %.");
    assert_lines_fit();
}

APP_TEST(figures)
{
    set_counts();
    fake_session.handler = 30;
    fake_session.disturbed = 10200ull * 1000;
    assert_int_equal(start(EVENTS "events=041@1000"), 0);
    assert_int_equal(fact(FOLDER, "sampling.cycles.sampled"), 1010200);
    assert_int_equal(fact(FOLDER, "sampling.cycles.handler"), 3000);
    assert_int_equal(fact(FOLDER, "sampling.dc_misses.sampled"), 20000);
    assert_int_equal(fact(FOLDER, "sampling.interrupts"), 100);
    assert_says("WARNING: sampling changed the workload by more than the samples' uncertainty: cycles +1.0 %.");
    assert_int_equal(fact(FOLDER, "event.0.period"), 1000); /* the user's period */
}

/* If all four counters are in use, the clocks are the TSC's, and a second pass counts nothing else. */
APP_TEST(no_free_counter)
{
    set_counts();
    fake_session.handler = 30;
    fake_session.disturbed = 12000ull * 1000;
    assert_int_equal(start(EVENTS "events=041@1000,046:07@1000,0C2@5000,0C0@50000"), 0);
    assert_group(0, "0c0 042 043 067");
    assert_group(1, "041 046 0c3 076");
    assert_group(SAMPLED - 1, "076 067 076 076");
    assert_group(SAMPLED, "041 046 0c2 0c0");
    assert_int_equal(fake_session.runs, SAMPLED + 2);
    assert_string_equal(saved_fact(FOLDER, "sampling.clock"), "TSC");
    assert_int_equal(fact(FOLDER, "sampling.cycles.undisturbed"), 1200000);
    assert_int_equal(fact(FOLDER, "sampling.cycles.sampled"), 1212000);
    assert_int_equal(fact(FOLDER, "sampling.cycles.handler"), 3000);
    assert_int_equal(fact(FOLDER, "sampling.walks.sampled"), 5000);
    assert_int_equal(fact(FOLDER, "sampling.instructions.weight"), 50000);
    assert_string_equal(saved_fact(FOLDER, "sampling.beyond.sampled"), "");
    assert_string_equal(saved_fact(FOLDER, "sampling.mispredicted.sampled"), "");
}

/* Each row has the largest change among several groups; a sample of an event in two groups has half the weight. */
APP_TEST(several_groups)
{
    static const char *const settings[] = {"events=041@2000,0C0@50000,0C2@5000,0C4@5000,046:07@500",
                                           "events=041@500,0C0@50000,0C2@5000,0C4@5000,046:07@2000"};

    set_counts();
    fake_session.disturbed = 4000ull * 500;
    for (unsigned i = 0; i < 2; i++) {
        char text[200], folder[80];

        snprintf(text, sizeof(text), EVENTS "%s", settings[i]);
        snprintf(folder, sizeof(folder), "000%u-tight-loop-events", i + 1);
        assert_int_equal(start(text), 0);
        assert_int_equal(fact(folder, "sampling.cycles.sampled"), 1204000);
        assert_int_equal(fact(folder, "sampling.walks.sampled"), 5000); /* the second group's */
    }
    assert_int_equal(start("menu=no reference=yes config=data_access " SMALL), 0);
    assert_int_equal(fact("0003-tight-loop-data_access", "sampling.instructions.weight"),
                     fact("0003-tight-loop-data_access", "event.0.period") / 2);
}

/* Counts that become fewer are treated alike: each session here has a hundred less, so the last group changes a row
 * most. */
APP_TEST(several_groups_with_less)
{
    set_counts();
    fake_session.drift = -100ull;
    assert_int_equal(start("menu=no reference=yes config=data_access " SMALL), 0);
    assert_int_equal(fact("0001-tight-loop-data_access", "sampling.instructions.undisturbed"), 899700);
    assert_int_equal(fact("0001-tight-loop-data_access", "sampling.dc_misses.sampled"), 19000); /* the first group's */
    assert_int_equal(fact("0001-tight-loop-data_access", "sampling.instructions.sampled"), 898900);
}

/* Cycles may change by one in a hundred, however many samples of 076h there are; the row exists because of that
 * counter. */
APP_TEST(sampled_clocks)
{
    set_counts();
    assert_int_equal(start(EVENTS "events=076@50000,0C2@5000"), 0);
    assert_string_equal(saved_fact(FOLDER, "sampling.clock"), "076");
    assert_int_equal(fact(FOLDER, "sampling.cycles.undisturbed"), 1000000);
    assert_int_equal(fact(FOLDER, "sampling.cycles.weight"), 0);
    assert_group(SAMPLED, "076 0c2 041 046");
    assert_group(SAMPLED + 2, "076 0c2 042 043");
}

/* The time is the only figure of groups that take turns. */
APP_TEST(turns)
{
    set_counts();
    fake_session.disturbed = 6000ull * 1000;
    assert_int_equal(start("menu=no reference=yes config=events " SMALL " sharing=multiplex "
                           "events=041@1000,0C0@50000,0C2@5000,0C4@5000,046:07@1000"),
                     0);
    assert_int_equal(fake_session.pass[SAMPLED].pmc.groups, 2);
    assert_int_equal(fake_session.runs, SAMPLED + 2);
    assert_int_equal(fact(FOLDER, "sampling.cycles.undisturbed"), 1200000);
    assert_int_equal(fact(FOLDER, "sampling.cycles.sampled"), 1206000);
    assert_string_equal(saved_fact(FOLDER, "sampling.dc_misses.sampled"), "");
    assert_says("PASS sampling changed no more than the samples' uncertainty: cycles (TSC) +0.5 %.");
}

/* The last counter may be used for the ticks. */
APP_TEST(timer)
{
    static const char *const groups[] = {"076 041 046", "0c3 0c0 042", "043 067 076"};
    static const char folder[] = "0001-tight-loop-tbp";
    enum { LOOP = 5, TIMED = 9 };

    set_counts();
    fake_session.handler = 30;
    fake_session.disturbed = 5000ull * 100;
    fake_session.timer_samples = 50;
    assert_int_equal(start("menu=no reference=yes config=tbp timer_us=100 seed=7 " SMALL), 0);
    for (unsigned i = 0; i < 3; i++) {
        const struct fake_pass *pass = &fake_session.pass[TIMED + i];

        assert_group(TIMED + i, groups[i]);
        assert_int_equal(pass->timer.period, 100);
        assert_int_equal(pass->timer.seed, 7);
        assert_int_equal(pass->pmc.mode, PMC_SAMPLING);
        assert_int_equal(pass->part, VPMU_PART_OTHER);
    }
    assert_group(LOOP, "076 041 046"); /* by counters alone */
    assert_int_equal(fake_session.pass[LOOP].timer.period, 0);
    assert_int_equal(fake_session.runs, TIMED + 4);
    assert_int_equal(fact(folder, "sampling.cycles.sampled"), 1005000);
    assert_int_equal(fact(folder, "sampling.cycles.handler"), 3000);
    assert_int_equal(fact(folder, "sampling.passes"), 1);
    assert_true(fact(folder, "sampling.sampled_us") > 0);
    assert_string_equal(saved_fact(folder, "sampling.time"), "without handler");
    assert_int_equal(fact(folder, "sampling.dc_misses.weight"), 0);
    assert_says("PASS sampling changed no more than the samples' uncertainty: cycles +0.5 %.");
    assert_int_equal(fact(folder, "samples.timer"), 50);
}

/* All periods that the program chose become longer; the loop is counted once. */
APP_TEST(longer_periods)
{
    set_counts();
    assert_int_equal(start(EVENTS "workload=tight-loop iterations=100000 events=040"), 0);
    assert_int_equal(fact(FOLDER, "event.0.period"), 1176); /* 340 samples of 400,000 */
    fake_session.disturbed = 10001ull * 1176 * 2;
    fake_session.runs = 0;
    assert_int_equal(start(EVENTS "workload=tight-loop iterations=100000 events=040,0C4@5000"), 0);
    assert_int_equal(fact("0002-tight-loop-events", "event.1.period"), 5000);
    assert_int_equal(fact("0002-tight-loop-events", "event.0.period"), 2352 * 2);
    assert_string_equal(saved_fact("0002-tight-loop-events", "sampling"), "unchanged");
    fake_session.disturbed = 10001ull * 1176 * 1000;
    assert_int_equal(start(EVENTS "workload=tight-loop iterations=100000 events=040"), 0);
    assert_int_equal(fact("0003-tight-loop-events", "event.0.period"), 1176 << 4);
    assert_string_equal(saved_fact("0003-tight-loop-events", "sampling"), "changed");
}

/* A period is kept if its few hundred samples leave the change uncertain: here 279 DC misses fewer, with 344 samples of
 * 58. */
APP_TEST(left_open_by_samples)
{
    set_counts();
    fake_session.drift = -31ull;
    assert_int_equal(start(EVENTS "workload=tight-loop iterations=100000 events=041"), 0);
    assert_int_equal(fact(FOLDER, "event.0.period"), 58);
    assert_int_equal(fact(FOLDER, "sampling.dc_misses.sampled"), 20000 - 9 * 31);
    assert_string_equal(saved_fact(FOLDER, "sampling"), "unchanged");
}

/* The samples of IBS are included: after the counts, with as many passes as its periods need. */
APP_TEST(explore)
{
    static const char folder[] = "0001-tight-loop-explore";

    set_counts();
    fake_session.op_samples = 50;
    (void)start("menu=no reference=yes config=explore repeats=1 workload=tight-loop iterations=1300000");
    assert_string_equal(saved_fact(folder, "sampling"), "unchanged");
    assert_int_equal(fact(folder, "ibs.op_period"), 10240);
    assert_int_equal(fact(folder, "ibs.repeats"), 3);
    assert_shown("\nIBS passes    3\n");
    assert_int_equal(fake_session.plan.program.ibs.op_first, 10240);
    assert_shown("What sampling changed, in one pass");
}

APP_TEST(refused)
{
    set_counts();
    fake_session.fail_error = SESSION_PMC_ENABLE;
    fake_session.fail_at = SAMPLED + 1;
    assert_int_equal(start(EVENTS "events=041@1000"), 0);
    assert_int_equal(fake_session.runs, SAMPLED + 2);
    assert_says(session_error_text(SESSION_PMC_ENABLE));
    assert_int_equal(fact(FOLDER, "samples.pmc"), 20);
}

RUN_TESTS(fixture_load, NULL)
