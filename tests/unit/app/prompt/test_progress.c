/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a run is, as it is said between passes: at most once a second, and over the line before. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/progress.h"
#include "tests/unit/app/fixture.h"

static struct run run;
static struct console console;
static struct machine machine;
static struct progress progress;
static unsigned told;

static void before(void *argument, unsigned pass)
{
    assert_ptr_equal(argument, &told);
    told = pass;
}

static int setup(void **state)
{
    (void)fixture_setup(state);
    machine = (struct machine){.hypervisor = true, .tsc_khz = 2000000};
    run = (struct run){.fw = &fake_fw.firmware, .machine = &machine};
    run.passes.began = before;
    run.passes.began_argument = &told;
    console_init(&console, &fake_fw.firmware);
    progress_begin(&progress, &console, &run);
    return 0;
}

static void pass(unsigned number, unsigned seconds)
{
    fake_fw.time.second += (uint8_t)seconds;
    run.passes.began(run.passes.began_argument, number);
    assert_int_equal(told, number);
}

/* On a narrow screen, too, where longer lines are folded: each begins at the left. */
TEST_WITH(a_long_run, setup, fixture_teardown)
{
    fake_fw.firmware.columns = 40;
    fake_fw.time.second = 10;
    progress.begun -= 46000;
    passes_expect(&run.passes, 12);
    pass(1, 5); /* nothing is known of a first pass */
    assert_string_equal(fake_fw.screen, "");
    pass(3, 1);
    pass(4, 0);
    pass(11, 2);
    progress_end(&progress);
    out_printf(&console.out, "%039u\n", 0);
    assert_string_equal(fake_fw.screen, "\rpass 3 of 12, about 31 s left\r"
                                        "\rpass 11 of 12, about 2 s left\r\r                             \r"
                                        "000000000000000000000000000000000000000\n");
}

TEST_WITH(a_short_run, setup, fixture_teardown)
{
    for (unsigned i = 1; i < 100; i++)
        pass(i, 0);
    progress_end(&progress);
    assert_string_equal(fake_fw.screen, "");
}

/* More passes than were expected, or no number: no time is told. By the TSC on silicon. */
TEST_WITH(passes_that_were_not_expected, setup, fixture_teardown)
{
    machine.hypervisor = false;
    run.passes.began = NULL;
    progress_begin(&progress, &console, &run);
    fake_fw.firmware.stall(&fake_fw.firmware, 3000000);
    run.passes.began(run.passes.began_argument, 4);
    passes_expect(&run.passes, 2);
    fake_fw.firmware.stall(&fake_fw.firmware, 900000);
    run.passes.began(run.passes.began_argument, 5);
    fake_fw.firmware.stall(&fake_fw.firmware, 200000);
    run.passes.began(run.passes.began_argument, 6);
    assert_string_equal(fake_fw.screen, "\rpass 4\r\rpass 6\r");
}

/* A session takes two seconds by the firmware's clock. */
static void two_seconds(const struct session_plan *plan)
{
    (void)plan;
    fake_fw.time.second += 2;
    fake_fw.time.minute += fake_fw.time.second / 60;
    fake_fw.time.second %= 60;
}

/* Runs of each kind tell as many passes as they have, and at the last one of them what it takes. */
APP_TEST(runs_of_each_kind)
{
    static const struct {
        const char *options;
        unsigned passes;
    } rows[] = {
        {"config=ibs repeats=4", 4},
        {"config=tbp repeats=3", 3},
        {"config=count repeats=2 events=076,0C0", 8},
        {"config=count repeats=2 events=076,0C0,0C2,0C3,040,041", 14},
        {"config=events repeats=3 periods=given events=076,0C0", 4},
        {"config=events repeats=3 periods=given events=076,0C0,0C2,0C3,040,041", 7},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[200], wanted[80];
        const char *last = NULL;

        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_session.on_run = two_seconds;
        fake_fw.keys = "xrun\nquit\n";
        snprintf(options, sizeof(options), "save=no pager=no %s " SMALL, rows[i].options);
        assert_int_equal(start(options), 0);
        for (const char *at = fake_fw.screen; (at = strstr(at, "\rpass ")); at++)
            last = at;
        snprintf(wanted, sizeof(wanted), "\rpass %u of %u, about 3 s left", rows[i].passes, rows[i].passes);
        if (!last || strncmp(last, wanted, strlen(wanted)) != 0)
            fail_msg("%s: %.40s", rows[i].options, last ? last : "");
    }
}

RUN_TESTS(fixture_load, NULL)
