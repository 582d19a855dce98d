/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: what is printed about their time and files, which runs are the same, and what fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/app/fixture.h"

#define PLAN  "\\ibsboot\\p.ini"
#define START "menu=no plan=" PLAN
#define TIGHT "config = tbp\nworkload = tight-loop\niterations = 9\n"

static void put(const char *text)
{
    fake_file_put(&fake_fw, PLAN, text, strlen(text));
}

/* Begins again, with this plan alone. */
static void again(const char *text)
{
    fixture_teardown(NULL);
    fixture_setup(NULL);
    put(text);
}

static const char *folder(unsigned number)
{
    static char name[40];

    snprintf(name, sizeof(name), "%04u-tight-loop-tbp", number);
    return name;
}

static void remove_ini(unsigned number)
{
    char path[80];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s\\run.ini", folder(number));
    assert_int_equal(fake_fw.firmware.file_remove(&fake_fw.firmware, path), FIRMWARE_OK);
}

/* Makes each run take this time by the TSC; the firmware has no clock. */
static void take(uint64_t ms)
{
    fake_fw.time.valid = false;
    fake_session.slow = ms * fake_session.machine.tsc_khz;
}

APP_TEST(the_rest_takes_as_long_as_what_is_there)
{
    static const struct {
        uint64_t ms;
        const char *rest;
    } cases[] = {
        {0, "1 s"},       {1000, "4 s"},       {32999, "99 s"},         {33000, "2 min"},        {39999, "2 min"},
        {40000, "3 min"}, {1979999, "99 min"}, {1980000, "1 h 40 min"}, {3719999, "3 h 06 min"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char want[80];

        again(TIGHT "plan_times = 4");
        take(cases[i].ms);
        assert_int_equal(start(START), 0);
        snprintf(want, sizeof(want), "Plan: 1 of 4 runs are done; the rest will take about %s.\n", cases[i].rest);
        assert_shown(want);
        assert_int_equal(fact(folder(4), "plan.ms"), cases[i].ms);
        /* Three runs must be repeated. */
        for (unsigned run = 2; run <= 4; run++)
            remove_ini(run);
        assert_int_equal(start(START), 0);
        snprintf(want, sizeof(want), "Time: about %s, estimated from finished runs.\n", cases[i].rest);
        assert_shown(want);
    }
}

static struct firmware_time later;

static void time_passes(const struct session_plan *plan)
{
    (void)plan;
    fake_fw.time = later;
}

/* The firmware's clock is used, because the TSC stands still while the model steps. */
APP_TEST(a_run_takes_what_the_clock_says)
{
    static const struct {
        struct firmware_time from, to;
        long long ms;
    } cases[] = {
        {{2026, 1, 1, 1, 2, 3, true}, {2026, 1, 1, 4, 6, 8, true}, 11045000},
        {{2026, 1, 1, 23, 59, 30, true}, {2026, 1, 2, 0, 1, 45, true}, 135000},
        {{2026, 1, 1, 5, 0, 0, true}, {2026, 1, 1, 5, 0, 0, true}, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        again(TIGHT);
        fake_fw.time = cases[i].from;
        later = cases[i].to;
        fake_session.on_run = time_passes;
        fake_session.slow = 12345678901; /* the TSC is not used */
        assert_int_equal(start(START), 0);
        assert_int_equal(fact(folder(1), "plan.ms"), cases[i].ms);
    }
    again("workload = tight-loop\niterations = 9");
    take(1000);
    fake_session.machine.tsc_khz = 0; /* there is no clock of any kind */
    fake_fw.tsc_stands = true;
    assert_int_equal(start(START), 0);
    assert_int_equal(fact("0001-tight-loop-ibs", "plan.ms"), 0);
}

APP_TEST(ends_when_its_time_is_over)
{
    static const struct {
        const char *minutes, *told;
        uint64_t ms;
        unsigned runs;
    } cases[] = {
        {"1", "60 s", 20000, 3},
        {"1", "60 s", 19999, 4},
        {"1", "60 s", 59999, 2},
        {"2", "2 min", 60000, 2},
        {"1000000", "16666 h 40 min", 60000, 4},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[200], want[100];

        snprintf(text, sizeof(text), TIGHT "plan_times = 4\nplan_minutes = %s", cases[i].minutes);
        again(text);
        take(cases[i].ms);
        assert_int_equal(start(START), 0);
        snprintf(want, sizeof(want), "No run begins when the runs before took %s (plan_minutes).\n", cases[i].told);
        assert_shown(want);
        assert_int_equal(fake_session.runs, cases[i].runs);
        snprintf(want, sizeof(want), "Plan: ends before run %u, because its time is over (plan_minutes).\n",
                 cases[i].runs + 1);
        assert_shown_times(want, cases[i].runs < 4);
        /* Runs that exist already are counted. */
        assert_int_equal(start(START), 0);
        assert_int_equal(fake_session.runs, cases[i].runs);
    }
    again(TIGHT);
    assert_int_equal(start(START), 0);
    assert_not_shown("No run begins");
    assert_not_shown("It ends when");
}

/* Each point runs twice. */
#define COUNTED "[a]\n" TIGHT "[b]\nconfig = count\nevents = 0C0\nworkload = tight-loop\niterations = 9"

/* Returns how many bytes the files of a run with these settings may take. */
static uint64_t bytes_of(const char *options)
{
    again("");
    assert_int_equal(start(options), 0);
    return fake_fw.room_asked;
}

APP_TEST(the_files_of_all_that_is_left_must_fit)
{
    static const char plan[] = "plan_times = 2\n" COUNTED;
    uint64_t a = bytes_of("menu=no config=tbp " SMALL), b = bytes_of("menu=no config=count events=0C0 " SMALL);
    uint64_t all = 2 * (a + b);
    char want[160];

    assert_int_not_equal(a >> 10, b >> 10);
    for (unsigned less = 0; less <= 1; less++) {
        again(plan);
        fake_fw.capacity = strlen(plan) + all + 1 - less;
        assert_int_equal(start(START), 0);
        snprintf(want, sizeof(want),
                 less ? "WARNING: not all runs can be saved: their files take about %lu KB, and the "
                        "volume has less room.\n"
                      : "Files: about %lu KB, for which the volume has room.\n",
                 all >> 10);
        assert_says(want);
        assert_not_shown(less ? "Files: about" : "WARNING: as it is now, not");
    }
    again(plan);
    assert_int_equal(start(START), 0);
    remove_ini(3);
    assert_int_equal(start(START), 0);
    snprintf(want, sizeof(want), "Files: about %lu KB, for which", a >> 10);
    assert_says(want);
    fake_fw.firmware.room = NULL;
    assert_int_equal(start(START), 0);
    assert_says("Files: about 0 KB; it is not known if the server has room for them.\n");
}

APP_TEST(says_why_the_runs_cannot_be_saved)
{
    again(TIGHT);
    fake_fw.fail.call = FAKE_ROOM;
    fake_fw.fail.at = 1;
    assert_int_equal(start(START), 0);
    assert_says("KB; it is not known if the volume has room for them.\n");
    for (unsigned n = 1; n <= 2; n++) {
        again(TIGHT);
        fake_fw.fail.call = FAKE_MAKE_FOLDER;
        fake_fw.fail.at = n;
        assert_int_equal(start(START), 0);
        assert_says("WARNING: the runs cannot be saved now: the firmware reported an error\n");
        assert_not_shown("Files: ");
    }
}

APP_TEST(shows_forty_of_its_runs)
{
    for (unsigned points = 40; points <= 41; points++) {
        char text[200];

        snprintf(text, sizeof(text), "config = tbp\nworkload = tight-loop\niterations = 1..%u\nplan_minutes = 1",
                 points);
        again(text);
        take(60000);
        assert_int_equal(start(START " save=no"), 0);
        assert_shown_times("    1  tbp tight-loop iterations=1\n", 2);
        assert_shown_times("    2  tbp tight-loop iterations=2\n", 1);
        assert_shown_times("   40  tbp tight-loop iterations=40\n", 1);
        assert_not_shown("   41  ");
        assert_shown_times("       and 1 more\n", points - 40);
        assert_not_shown("Files: ");
    }
}

/* The plan has the largest number of runs, and finds a run of another plan. */
APP_TEST(has_ten_thousand_runs)
{
    static const char text[] = "config = tbp\nworkload = tight-loop\niterations = 1..1000\nplan_minutes = 1\n"
                               "plan_times = 10";

    again(text);
    take(60000);
    assert_int_equal(start(START), 0);
    assert_says("Plan " PLAN ": 10000 runs: 1000 different runs, 10 times each, as listed\n");
    assert_shown("       and 960 more\n");
    assert_int_equal(start(START " timer_us=500"), 0);
    assert_says("Time: at least about 1 s, at one op per cycle; known after the first run.\n");
    assert_int_equal(fake_session.runs, 2);
}

APP_TEST(each_run_has_its_place)
{
    again("plan_times = 2\n[a]\n" TIGHT "[b]\n" TIGHT);
    take(7);
    assert_int_equal(start(START), 0);
    assert_string_equal(saved_fact(folder(3), "plan"), PLAN);
    assert_int_equal(fact(folder(3), "plan.run"), 3);
    assert_int_equal(fact(folder(3), "plan.runs"), 4);
    assert_int_equal(fact(folder(3), "plan.point"), 1);
    assert_int_equal(fact(folder(3), "plan.round"), 2);
    assert_int_equal(fact(folder(3), "plan.block"), 2);
    assert_string_equal(saved_fact(folder(3), "plan.section"), "a");
    assert_int_equal(fact(folder(4), "plan.point"), 2);
    assert_int_equal(fact(folder(4), "plan.ms"), 7);
    assert_says("Plan: run 3 of 4, round 2\n");
    assert_not_shown("There is no memory to look");
}

/* A list gives some runs the same seed: 2 + 1 in the first round, 1 + 2 in the second. */
APP_TEST(each_run_is_found_again)
{
    again(TIGHT "seed = 1 | 2\nplan_times = 2");
    assert_int_equal(start(START), 0);
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 4 of the runs already");
    assert_int_equal(fake_session.runs, 4);
}

/* Settings that say what happens with a run's results, such as saving, do not make it a different run. */
APP_TEST(another_setting_is_another_run)
{
    static const struct {
        const char *options;
        bool same;
    } cases[] = {
        {"", true},        {" hold_s=5", true},      {" end=off", true},   {" pager=no", true}, {" trace=none", true},
        {" seed=5", true}, {" timer_us=500", false}, {" pages=2m", false}, {" n=7", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char options[100];

        again(TIGHT);
        assert_int_equal(start(START), 0);
        snprintf(options, sizeof(options), START "%s", cases[i].options);
        if (start(options))
            fail_msg("%s: %s", cases[i].options, fake_fw.screen);
        if (fake_session.runs != 2u - cases[i].same)
            fail_msg("%s: %u runs", cases[i].options, fake_session.runs);
        if (cases[i].same)
            assert_says("This machine has done 1 of the runs already; the plan continues with the others.\n");
    }
}

APP_TEST(another_machine_or_plan_has_other_runs)
{
    again("[few]\n" TIGHT);
    assert_int_equal(start(START), 0);
    strcpy(fake_session.machine.name, "another");
    assert_int_equal(start(START), 0);
    assert_int_equal(fake_session.runs, 2);
    put("[fewer]\n" TIGHT);
    assert_int_equal(start(START), 0);
    assert_int_equal(fake_session.runs, 3);
    fake_file_put(&fake_fw, "\\ibsboot\\q.ini", "[fewer]\n" TIGHT, strlen("[fewer]\n" TIGHT));
    assert_int_equal(start("menu=no plan=\\ibsboot\\q.ini"), 0);
    assert_int_equal(fake_session.runs, 4);
    assert_int_equal(start(START), 0);
    assert_int_equal(fake_session.runs, 4);
}

RUN_TESTS(fixture_load, NULL)
