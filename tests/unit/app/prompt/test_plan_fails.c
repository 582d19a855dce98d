/* SPDX-License-Identifier: BSD-2-Clause */
/* Plans when memory is missing, files cannot be written, or machines lack what a run needs; and what is kept for the
 * next boot where runs cannot be listed. */
#include <stdio.h>
#include <string.h>

#include "app/base/firmware.h"
#include "app/prompt/plan.h"
#include "core/base/crc32c.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"

#define PLAN  "\\ibsboot\\p.ini"
#define START "menu=no plan=" PLAN
#define TIGHT "config = tbp\nworkload = tight-loop\niterations = 9\n"

static void put(const char *text)
{
    fake_file_put(&fake_fw, PLAN, text, strlen(text));
}

static void again(const char *text)
{
    fixture_teardown(NULL);
    fixture_setup(NULL);
    put(text);
}

/* Each allocation fails once: the plan is refused as a whole, or does not look for earlier runs, or one of its runs is
 * left out. */
APP_TEST(memory_that_is_not_there)
{
    unsigned refused = 0, not_looked = 0, first = 0, second = 0, clean = 0;

    for (unsigned n = 1; !clean; n++) {
        int status;

        again(TIGHT "plan_times = 2");
        fake_fw.fail.call = FAKE_ALLOCATE;
        fake_fw.fail.at = n;
        status = start(START);
        clean += !fake_fw.failed;
        assert_int_equal(fake_memory_blocks(), 0);
        if (times_said("plan = " PLAN ": there is not enough memory\n")) {
            refused++;
            assert_int_equal(status, 1);
            assert_int_equal(fake_session.runs, 0);
            assert_non_null(
                strstr(file_text("\\ibsboot\\runs\\0001-refused\\begun.ini"), "there is not enough memory"));
        } else if (times_said("There is not enough memory to look for finished runs.\n")) {
            not_looked++;
            assert_int_equal(status, 0);
            assert_int_equal(fake_session.runs, 2);
        } else if (fake_session.runs == 1) {
            bool was_first = fake_file_find(&fake_fw, "\\ibsboot\\runs\\0002-tight-loop-tbp");

            assert_int_equal(status, 1);
            assert_says("Plan: run 2 of 2, round 2\n");
            assert_says("Plan: 1 of 2 runs are done;");
            first += was_first;
            second += !was_first;
        }
    }
    assert_int_equal(refused, 1);
    assert_int_equal(not_looked, 1);
    assert_true(first && second);
}

/* A run that was refused is repeated in the next boot. */
APP_TEST(goes_on_after_a_run_that_is_refused)
{
    for (unsigned n = 1; fake_session.runs != 1; n++) {
        again(TIGHT "plan_times = 2");
        fake_fw.fail.call = FAKE_ALLOCATE;
        fake_fw.fail.at = n;
        (void)start(START);
    }
    fake_fw.fail.at = 0;
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 1 of the runs already");
    assert_int_equal(fake_session.runs, 2);
    assert_shown("Plan: all 2 runs are done.\n");
}

static const char *kept(unsigned which)
{
    static char path[80];

    snprintf(path, sizeof(path), "%s%08x.%u", FIRMWARE_KEPT, crc32c(0, PLAN, strlen(PLAN)), which);
    return path;
}

static void remove_file(const char *path)
{
    assert_int_equal(fake_fw.firmware.file_remove(&fake_fw.firmware, path), FIRMWARE_OK);
}

static void remove_runs(void)
{
    for (unsigned i = 1; i <= 4; i++) {
        char path[80];

        snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-tight-loop-tbp\\run.ini", i);
        remove_file(path);
    }
}

/* Finished runs are noted in two files in turn, so that one is always complete. */
APP_TEST(keeps_what_is_done_in_two_files)
{
    static char whole[1000];

    again(TIGHT "plan_times = 4");
    fake_fw.firmware.forgets = true;
    fake_fw.time.valid = false;
    fake_session.slow = 5000 * fake_session.machine.tsc_khz;
    assert_int_equal(start(START), 0);
    remove_runs();
    for (unsigned which = 0; which <= 1; which++) {
        unsigned rows = 0;

        for (const char *at = file_text(kept(which)); (at = strstr(at, "#: plan.key = ")); at++)
            rows++;
        assert_int_equal(rows, 4 - which);
        assert_non_null(strstr(file_text(kept(which)), "\n#: plan.ms = 5000\n#: plan.hottest = 0\n"));
    }
    /* The last row lacks its last letter, which was not written yet: this row does not count. */
    snprintf(whole, sizeof(whole), "%s", file_text(kept(0)));
    remove_file(kept(1));
    fake_file_put(&fake_fw, kept(0), whole, strlen(whole) - 1);
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 3 of the runs already");
    assert_says("Time: about 6 s, estimated from");
    assert_int_equal(fake_session.runs, 5);
    assert_int_equal(start(START), 0);
    assert_says("This machine has done 4 of the runs already");
}

APP_TEST(keeps_nothing_where_runs_are_listed)
{
    again(TIGHT);
    assert_int_equal(start(START), 0);
    assert_null(fake_file_find(&fake_fw, kept(0)));
    assert_null(fake_file_find(&fake_fw, kept(1)));
    again(TIGHT);
    fake_fw.firmware.forgets = true;
    assert_int_equal(start(START " save=no"), 0);
    assert_null(fake_file_find(&fake_fw, kept(1)));
}

APP_TEST(says_that_a_run_would_be_done_again)
{
    unsigned said = 0;

    for (unsigned n = 1; n <= 10; n++) {
        int status;

        again(TIGHT);
        fake_fw.firmware.forgets = true;
        fake_fw.fail.call = FAKE_FILE_CREATE;
        fake_fw.fail.at = n;
        status = start(START);
        if (!times_said("Plan: after a reset this run would be done again: the firmware reported an error\n"))
            continue;
        said++;
        assert_int_equal(status, 0);
        assert_shown("Plan: all 1 runs are done.\n");
    }
    assert_int_equal(said, 1);
}

/* Folders of other kinds are not looked at, nor is a run that left nothing. */
APP_TEST(other_folders_are_not_looked_at)
{
    again(TIGHT);
    assert_int_equal(start(START), 0);
    fake_folder_put(&fake_fw, "\\ibsboot\\runs\\notes");
    fake_folder_put(&fake_fw, "\\ibsboot\\runs\\0002-tight-loop-tbp");
    fake_file_put(&fake_fw, "\\ibsboot\\runs\\notes\\run.ini",
                  file_text("\\ibsboot\\runs\\0001-tight-loop-tbp\\run.ini"),
                  strlen(file_text("\\ibsboot\\runs\\0001-tight-loop-tbp\\run.ini")));
    remove_file("\\ibsboot\\runs\\0001-tight-loop-tbp\\run.ini");
    assert_int_equal(start(START), 0);
    assert_shown("Time: known after the first run.\n");
    assert_int_equal(fake_session.runs, 2);
}

/* The settings beside the plan are unchanged, before the plan and after it. */
APP_TEST(a_batch_may_have_plans)
{
    static const char batch[] = "config=tbp\nworkload=tight-loop\niterations=9\nseed=7\nplan=" PLAN "\nrun\n"
                                "plan=\"\"\nrun\n";

    again("config = count\nevents = 0C0\niterations = 8\nworkload = tight-loop\n");
    fake_file_put(&fake_fw, "\\b.txt", batch, strlen(batch));
    assert_int_equal(start("batch=\\b.txt"), 0);
    assert_says("Plan " PLAN ": 1 run, as listed\n");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-tight-loop-count\\run.ini"), "\niterations = 8\n"));
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0002-tight-loop-tbp\\run.ini"), "\niterations = 9\n"));
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0002-tight-loop-tbp\\run.ini"), "\nseed = 7\n"));
    /* A plan that cannot run refuses the whole batch. */
    again("workload = x");
    fake_file_put(&fake_fw, "\\b.txt", batch, strlen(batch));
    assert_int_equal(start("batch=\\b.txt"), 1);
    assert_says(PLAN ":1: workload = x: no such workload");
    assert_int_equal(fake_session.runs, 0);
}

/* A plan is refused for what each single run would be refused for: noise needs neither IBS nor counters. */
APP_TEST(any_processor_does_what_it_can)
{
    static const char noise[] = "config = noise\nnoise_ms = 20\nnoise_quanta = 10\nnoise_work = 100\nplan_times = 2\n";
    static const struct {
        const char *config, *says;
    } others[] = {
        {"ibs", "these settings cannot run here: this processor has no IBS that this program can use\n"},
        {"tbp", "no usable IBS: AuthenticAMD family 6h model 4h stepping 2, CPUID has no leaf 8000_0001h;"},
        {"count", "config = count: this program has no table of the counter events of this processor;\n"},
    };

    for (size_t i = 0; i <= sizeof(others) / sizeof(others[0]); i++) {
        char text[300];

        snprintf(text, sizeof(text), "%s%s%s", noise, i ? "[a]\n[b]\nconfig = " : "", i ? others[i - 1].config : "");
        again(text);
        fake_session.machine.amd = fake_session.machine.ibs = false;
        fake_family(&fake_session.machine);
        fake_session.machine.family = 6;
        fake_session.machine.hypervisor = false;
        assert_int_equal(start(START), i > 0);
        assert_int_equal(fake_session.runs, i ? 0 : 2);
        if (!i)
            continue;
        assert_says(others[i - 1].says);
        snprintf(text, sizeof(text), PLAN ": ended at this run:    2  %s matmul-classic [b]\n", others[i - 1].config);
        assert_says(text);
    }
}

/* ---------------------------------------------------------------- what a plan says at its end */

static const enum plan_result *results;
static unsigned ran, refused;

static bool check_any(void *context, struct out *problems, struct plan_cost *ret_cost)
{
    (void)context;
    (void)problems;
    *ret_cost = (struct plan_cost){0};
    return true;
}

static enum plan_result run_as_told(void *context, struct run_plan *place)
{
    (void)context;
    place->hottest = 1;
    return results[ran++];
}

static void count_refused(void *context, const struct refusal *refusal)
{
    (void)context;
    assert_string_not_equal(refusal->text, "");
    refused++;
}

static bool do_plan(const char *text)
{
    static struct options options;
    static const struct machine machine;
    struct console console;
    const struct plan_actions actions = {.console = &console,
                                         .machine = &machine,
                                         .options = &options,
                                         .check = check_any,
                                         .run = run_as_told,
                                         .refused = count_refused};

    again(text);
    console_init(&console, &fake_fw.firmware);
    assert_true(options_init(&options));
    strcpy(options.plan, PLAN);
    ran = refused = 0;
    return plan_do(&actions);
}

/* A run that is refused is left out, and a run that cannot be saved ends the plan: in both cases the plan has
 * failed. */
APP_TEST(a_run_goes_wrong)
{
    static const struct {
        enum plan_result result[3];
        unsigned runs;
        bool good;
    } rows[] = {
        {{PLAN_RAN, PLAN_RAN, PLAN_RAN}, 3, true},      {{PLAN_REFUSED, PLAN_RAN, PLAN_RAN}, 3, false},
        {{PLAN_RAN, PLAN_RAN, PLAN_REFUSED}, 3, false}, {{PLAN_NOT_SAVED}, 1, false},
        {{PLAN_RAN, PLAN_NOT_SAVED}, 2, false},         {{PLAN_RAN, PLAN_RAN, PLAN_NOT_SAVED}, 3, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char says[60];

        results = rows[i].result;
        assert_int_equal(do_plan(TIGHT "plan_times = 3"), rows[i].good);
        assert_int_equal(ran, rows[i].runs);
        assert_int_equal(refused, 0);
        snprintf(says, sizeof(says), "Plan: ends because run %u could not be saved.", ran);
        assert_int_equal(times_said(says), rows[i].result[ran - 1] == PLAN_NOT_SAVED);
        assert_int_equal(times_said("Plan: all 3 runs are done."), rows[i].good);
    }
}

APP_TEST(none_is_done_of_a_plan_that_is_refused)
{
    assert_false(do_plan("workload = x"));
    assert_int_equal(ran, 0);
    assert_int_equal(refused, 1);
}

RUN_TESTS(fixture_load, NULL)
