/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-test before the first run of a boot, and as a configuration: what follows if it fails. */
#include <stdlib.h>
#include <string.h>

#include "app/selftest/selftest.h"
#include "tests/unit/app/fixture.h"

/* The fake session's samples are far from the loop: the self-test fails, for IBS and counters. */
APP_TEST(a_failure_refuses_the_run)
{
    assert_int_equal(start_as_is("menu=no"), 1);
    assert_shown("Self-test: FAIL op.places: ");
    assert_says("The self-test failed for parts that this run uses: IBS op, IBS fetch");
    assert_says("'selftest=force' runs nevertheless");
    assert_not_shown("Running matmul-classic");
    assert_lines_fit();
    fixture_teardown(NULL);
    fixture_setup(NULL);
    assert_int_equal(start_as_is("menu=no config=ibs,count"), 1); /* the next run of the list is not begun */
    assert_shown_times("'selftest=force' runs nevertheless", 1);
}

APP_TEST(forced_or_not_made)
{
    assert_int_equal(start_as_is("menu=no n=8 selftest=force reference=no"), 0);
    assert_says("selftest=force: the run starts nevertheless.");
    assert_shown("WARNING: self-test of this boot: failed: ");
    assert_non_null(strstr(saved_fact("0001-matmul-classic-ibs", "selftest"), "op.places"));
    assert_lines_fit();
    fixture_teardown(NULL);
    fixture_setup(NULL);
    assert_int_equal(start_as_is("menu=no n=8 selftest=no reference=no"), 0);
    assert_not_shown("elf-test");
    assert_string_equal(saved_fact("0001-matmul-classic-ibs", "selftest"), "");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    assert_int_equal(start_as_is("menu=no config=noise noise_ms=1 noise_quanta=1 noise_work=1000"), 0);
    assert_not_shown("elf-test"); /* this run uses nothing that the self-test tests */
}

/* The self-test runs once, before the first configuration that uses what it tests. */
APP_TEST(once_in_a_boot)
{
    assert_int_equal(start_as_is("menu=no n=8 selftest=force reference=no config=ibs,count events="), 0);
    assert_shown_times("Self-test: FAIL op.places: ", 1);
    assert_says("this run uses: IBS op, IBS fetch.");
    assert_says("this run uses: counters.");
    assert_int_equal(fake_session.forgotten, 1);
}

/* The self-test is repeated if IBS has been switched on or off since, or should have been. */
APP_TEST(again_with_ibs)
{
    for (unsigned refused = 0; refused < 2; refused++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
        fake_session.machine.ibs_caps = 0;
        fake_session.switch_error = refused ? SESSION_IBS_SWITCH_SMT : SESSION_OK;
        fake_fw.keys = "xrun\nrun\nzen_ibs_on=yes\nrun\nrun\nquit\n";
        assert_int_equal(start_as_is("pager=no n=8 selftest=force reference=no save=no config=count events="), 0);
        assert_int_equal(times_said("IBS stays off."), refused);
        assert_int_equal(fake_session.forgotten, 2);
    }
}

APP_TEST(by_configuration)
{
    assert_int_equal(start_as_is("menu=no config=selftest"), 1);
    assert_shown("PASS passes: ");
    assert_shown("FAIL op.places: ");
    assert_not_shown("The self-test failed for what");
    assert_non_null(strstr(saved_fact("0001-selftest", "selftest.0"), "PASS passes: 7 of 7 passes"));
    assert_int_equal(fake_session.runs, SELFTEST_TRIALS);
    assert_lines_fit();
}

static unsigned with_usb;

static void count_usb(const struct session_plan *plan)
{
    with_usb += !plan->place.usb_off;
}

/* USB legacy emulation is switched off during the self-test as during the run. */
APP_TEST(usb_legacy)
{
    with_usb = 0;
    fake_session.on_run = count_usb;
    assert_int_equal(start_as_is("menu=no n=8 selftest=force reference=no usb_legacy=off"), 0);
    assert_int_equal(with_usb, 0);
    assert_true(fake_session.runs > SELFTEST_TRIALS);
}

/* Each trial is a separate session; the report has the sum of their interrupts. */
APP_TEST(interrupts_are_added_up)
{
    static const char *const names[] = {"nmi.all", "nmi.empty", "nmi.late", "nmi.foreign", "nmi.storm"};

    fake_session.result.counts = (struct nmi_counts){.nmi = 100, .empty = 2, .late = 3, .foreign = 4, .storm = 5};
    assert_int_equal(start_as_is("menu=no config=selftest"), 1);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        assert_int_equal(strtoul(saved_fact("0001-selftest", names[i]), NULL, 10), SELFTEST_TRIALS * (i ? i + 1 : 100));
}

APP_TEST(storms_are_told)
{
    for (unsigned storms = 1; storms <= 2; storms++) {
        fake_session.result.counts = (struct nmi_counts){.nmi = 100, .storm = storms};
        (void)start_as_is("menu=no save=no n=8 selftest=no reference=no");
        assert_says(storms == 1 ? "(erratum 420) was ended 1 time by masking the APIC's entries"
                                : "(erratum 420) was ended 2 times by masking the APIC's entries");
    }
}

/* The checks report a trial's error; in the report no pass has failed. */
APP_TEST(an_error_is_of_the_checks)
{
    fake_session.fail_at = SELFTEST_TRIALS;
    fake_session.fail_error = SESSION_PMC_ENABLE;
    assert_int_equal(start_as_is("menu=no config=selftest"), 1);
    assert_int_equal(fake_session.runs, SELFTEST_TRIALS);
    assert_not_shown("The run failed: ");
    assert_string_equal(saved_fact("0001-selftest", "error"), "0");
}

static unsigned trial, spoiled;

/* Makes one trial leave something unrestored; the later trials have more to restore, and restore it. */
static void spoil_one(const struct session_plan *plan)
{
    struct restore_log *log = &fake_session.core[0].restore;

    (void)plan;
    trial++;
    *log = (struct restore_log){.count = trial, .failed = trial == spoiled};
    for (unsigned i = 0; i < trial; i++)
        log->row[i] = (struct restore_row){
            .what = trial == spoiled ? "spoiled" : "sound", .undone = true, .ok = trial != spoiled};
}

APP_TEST(the_trial_with_most_to_say_is_shown)
{
    for (spoiled = 1; spoiled <= 2; spoiled++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        trial = 0;
        fake_session.on_run = spoil_one;
        assert_int_equal(start_as_is("menu=no config=selftest"), 1);
        assert_shown("FAIL MSR 0000_0000 spoiled was 0, is 0 (core 0)\n");
    }
}

RUN_TESTS(fixture_load, NULL)
