/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans: what is printed before the first run, which runs there are, and where a plan continues that was
 * interrupted. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/plan.h"
#include "tests/unit/app/fixture.h"

#define PLAN  "\\ibsboot\\p.ini"
#define START "menu=no plan=" PLAN

static const char two[] = "config = tbp\nworkload = tight-loop\nplan_times = 2\nplan_order = abba\n"
                          "[few]\niterations = 9\n[more]\niterations = 20\npages = 2m\n";

static void put(const char *text)
{
    fake_file_put(&fake_fw, PLAN, text, strlen(text));
}

static const char *ini(unsigned number)
{
    char path[80];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-tight-loop-tbp\\run.ini", number);
    return file_text(path);
}

static void remove_ini(unsigned number, const char *name)
{
    char path[80];

    snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-tight-loop-tbp\\%s", number, name);
    assert_int_equal(fake_fw.firmware.file_remove(&fake_fw.firmware, path), FIRMWARE_OK);
}

static void assert_run(unsigned number, const char *section, unsigned round, unsigned block, unsigned seed)
{
    char want[4][60];

    snprintf(want[0], sizeof(want[0]), "\n#: plan.section = %s\n", section);
    snprintf(want[1], sizeof(want[1]), "\n#: plan.round = %u\n", round);
    snprintf(want[2], sizeof(want[2]), "\n#: plan.block = %u\n", block);
    snprintf(want[3], sizeof(want[3]), "\nseed = %u\n", seed);
    for (unsigned i = 0; i < 4; i++)
        if (!strstr(ini(number), want[i]))
            fail_msg("run %u: no %s", number, want[i]);
}

APP_TEST(says_what_it_does_and_does_it)
{
    put(two);
    assert_int_equal(start(START " end=off seed=99"), 0);
    assert_says("Plan " PLAN ": 4 runs: 2 different runs, 2 times each, forwards and backwards in turn");
    assert_shown("    1  tbp tight-loop [few]\n    2  tbp tight-loop [more]\n");
    assert_says("Time: known after the first run.");
    assert_shown(", for which the volume has room.\n");
    assert_shown("At the end: power off\n");
    assert_says("Plan: 3 of 4 runs are done; the rest will take about");
    assert_shown("Plan: all 4 runs are done.\n");
    assert_run(1, "few", 1, 1, 1);
    assert_run(2, "more", 1, 1, 2);
    assert_run(3, "more", 2, 1, 4);
    assert_run(4, "few", 2, 1, 3);
    assert_non_null(strstr(ini(2), "\npages = 2m\n"));
    assert_non_null(strstr(ini(4), "\npages = 4k\n"));
    assert_non_null(strstr(ini(4), "\nplan = \"\"\n"));
    assert_lines_fit();
}

APP_TEST(goes_on_where_it_stopped)
{
    unsigned sessions;

    put(two);
    assert_int_equal(start(START), 0);
    sessions = fake_session.runs;
    remove_ini(3, "run.ini");
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 3 of the runs already; the plan continues with the others.");
    assert_says("Time: about");
    assert_run(5, "more", 2, 1, 4);
    assert_int_equal(fake_session.runs - sessions, sessions / 4);
    sessions = fake_session.runs;
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 4 of the runs already");
    assert_int_equal(fake_session.runs, sessions);
    /* With another setting, or on another machine, the runs are different. */
    assert_int_equal(start(START " timer_us=500"), 0);
    assert_int_not_equal(fake_session.runs, sessions);
}

APP_TEST(leaves_out_what_never_ends)
{
    char path[80];
    const char *begun;
    static char text[100000];

    put(two);
    assert_int_equal(start(START), 0);
    begun = strstr(ini(2), "#: plan.key");
    snprintf(text, sizeof(text), "%s", begun);
    remove_ini(2, "run.ini");
    for (unsigned i = 0; i < PLAN_BEGUN_MAX; i++) {
        snprintf(path, sizeof(path), "\\ibsboot\\runs\\000%u-tight-loop-tbp", i ? i + 4 : 2);
        assert_int_equal(fake_fw.firmware.make_folder(&fake_fw.firmware, path), FIRMWARE_OK);
        snprintf(path, sizeof(path), "\\ibsboot\\runs\\000%u-tight-loop-tbp\\begun.ini", i ? i + 4 : 2);
        fake_file_put(&fake_fw, path, text, strlen(text));
    }
    assert_int_equal(start(START), 1);
    assert_says("Plan: run 2 began 5 times and never ended: it is left out.");
}

APP_TEST(is_refused_whole)
{
    static const struct {
        const char *text, *says;
    } mistakes[] = {
        {"workload = tight-loop\niterations = 9 | 2..1", PLAN ":2: column 18: '2..1' is neither a value nor a range"},
        {"workload = tight-loop\niterations = 9 | x", PLAN ":2: 'x' is not a value of 'iterations'"},
        {"[a]\nworkload = tight-lop", PLAN ":2: workload = tight-lop: no such workload"},
        {"config = tbp,count", PLAN ": config = tbp,count: several configurations are written as a list"},
        {"plan = x", PLAN ": a plan must not contain 'plan', 'batch' and 'show'"},
        {"show = events", PLAN ": a plan must not contain 'plan', 'batch'"},
        {"plan_times = 3\nplan_order = abba", PLAN ": plan_order = abba needs an even number for plan_times, not 3"},
        {"plan_times = 1000\nn = 8..19", PLAN ": 12000 runs, more than 10000"},
        {"cores = 5", "ended at this run:    1  ibs matmul-classic"},
    };

    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        put(mistakes[i].text);
        assert_int_equal(start(START), 1);
        assert_says(mistakes[i].says);
        assert_int_equal(fake_session.runs, 0);
        assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-refused\\begun.ini"), "#: phase = refused: "));
    }
    fixture_teardown(NULL);
    fixture_setup(NULL);
    assert_int_equal(start(START), 1);
    assert_says("plan = " PLAN ": ");
}

APP_TEST(ends_with_enough_samples)
{
    fake_session.op_samples = 28;
    put("workload = tight-loop\niterations = 9\nfetch = no\nop_period = 144\nrepeats = 1\nplan_times = 9\nplan_enough "
        "= 5\n");
    assert_int_equal(start(START), 0);
    assert_says("The plan ends when each run has 5 op samples at its hottest instruction (plan_enough).");
    assert_says("with enough samples (plan_enough).");
    assert_not_shown("Plan: run 9 of 9");
    /* Each of two points runs in both rounds. */
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_session.op_samples = 28;
    put("workload = tight-loop\nfetch = no\nop_period = 144\nrepeats = 1\nplan_times = 9\nplan_enough = 5\n"
        "[few]\niterations = 9\n[more]\niterations = 20\n");
    assert_int_equal(start(START), 0);
    assert_says("with enough samples (plan_enough).");
    assert_not_shown("Plan: run 18 of 18");
}

/* The samples of all rounds are added up, and the point that has least decides. */
APP_TEST(what_is_enough)
{
    static struct plan_rows rows = {.points = 2, .times = 3};

    for (unsigned round = 0; round < rows.times; round++) {
        rows.row[round * 2].hottest = 1u << round;
        rows.row[round * 2 + 1].hottest = 3;
    }
    assert_true(plan_rows_enough(&rows, 7));
    assert_false(plan_rows_enough(&rows, 8));
    rows.row[1].hottest = 0;
    assert_true(plan_rows_enough(&rows, 6));
    assert_false(plan_rows_enough(&rows, 7));
}

/* 17 ops each time, 2900 times in two rounds and in three repeats, take 295.8 s by a clock of 1 kHz. */
APP_TEST(tells_the_time_before_the_first_run)
{
    put("config = tbp\nworkload = tight-loop\nplan_times = 2\nrepeats = 3\n[few]\niterations = 900\n[more]\niterations "
        "= "
        "2000\n");
    fake_session.machine.tsc_khz = 1;
    assert_int_equal(start(START), 0);
    assert_says("Time: at least about 5 min, at one op per cycle; known after the first run.");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_session.machine.tsc_khz = 1;
    put("config = noise\nnoise_ms = 1\nnoise_quanta = 20\n");
    assert_int_equal(start(START), 0);
    assert_says("Time: known after the first run.");
}

/* The total of all runs is on the screen, too. */
APP_TEST(is_told_on_the_screen)
{
    put("config = tbp\nworkload = tight-loop\nplan_times = 2\nrepeats = 3\n[few]\niterations = 900\n[more]\n"
        "iterations = 2000\n");
    fake_session.machine.tsc_khz = 1;
    fake_fw.keys = "\n\2\1q";
    assert_int_equal(start("plan=" PLAN), 0);
    assert_non_null(
        strstr(fake_fw.terminal.picture[0],
               "\nTime: at least about 5 min, at one op per cycle. Samples: about 295800. Files:\nabout 44439 KB.\n"));
    assert_int_equal(fake_session.runs, 0);
}

static bool check_one(void *context, struct out *problems, struct plan_cost *ret_cost)
{
    assert_ptr_equal(context, problems);
    *ret_cost = (struct plan_cost){.bytes = 10, .ops = 200, .samples = 3};
    return true;
}

/* A check adds up the runs only, and leaves the settings as they were. */
APP_TEST(is_checked)
{
    static struct options options;
    static const struct machine machine;
    struct plan_cost cost = {7, 7, 7};
    struct console console;
    struct plan_actions actions = {
        .context = &console.out, .console = &console, .machine = &machine, .options = &options, .check = check_one};

    put(two);
    console_init(&console, &fake_fw.firmware);
    assert_true(options_init(&options));
    strcpy(options.plan, PLAN);
    assert_true(plan_check(&actions, &console.out, &cost));
    assert_int_equal(cost.bytes, 40);
    assert_int_equal(cost.ops, 800);
    assert_int_equal(cost.samples, 12);
    assert_string_equal(options.workload, "matmul-classic");
    assert_string_equal(options.plan, PLAN);
    assert_string_equal(fake_fw.screen, "");
}

APP_TEST(ends_when_nothing_can_be_saved)
{
    fake_fw.capacity = 20000;
    put(two);
    assert_int_equal(start(START), 1);
    assert_says("WARNING: not all runs can be saved");
    assert_says("Plan: ends because run 1 could not be saved.");
    assert_not_shown("Plan: run 2 of 4");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_fw.no_volume = true;
    assert_int_equal(start(START), 1);
}

APP_TEST(says_that_nothing_is_kept)
{
    put(two);
    assert_int_equal(start(START " save=no"), 0);
    assert_says("WARNING: save=no: after a reset the plan starts from the beginning.");
    assert_shown("Plan: all 4 runs are done.\n");
}

/* On a boot server no run of an earlier boot can be listed. */
APP_TEST(keeps_what_is_done_where_runs_are_forgotten)
{
    put(two);
    fake_fw.firmware.forgets = true;
    assert_int_equal(start(START), 0);
    for (unsigned i = 1; i <= 4; i++)
        remove_ini(i, "run.ini");
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 4 of the runs already");
}

/* If begun.ini is not emptied, the server does not know that the run is finished. */
APP_TEST(empties_begun_ini_that_did_not_arrive)
{
    for (unsigned forgets = 0; forgets < 2; forgets++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_fw.firmware.forgets = forgets;
        fake_fw.fail.call = FAKE_FILE_CREATE;
        fake_fw.fail.at = 1;
        assert_int_equal(start("menu=no config=tbp workload=tight-loop iterations=9"), 0);
        assert_says("begun.ini: ");
        assert_int_equal(fake_fw.calls[FAKE_FILE_REMOVE], forgets);
    }
}

RUN_TESTS(fixture_load, NULL)
