/* SPDX-License-Identifier: BSD-2-Clause */
/* How far a run is, as it is said between passes: at most once a second, and over the line before. */
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

TEST_WITH(a_long_run, setup, fixture_teardown)
{
    fake_fw.time.second = 10;
    progress.begun -= 46000;
    passes_expect(&run.passes, 12);
    pass(1, 5); /* nothing is known of a first pass */
    assert_string_equal(fake_fw.screen, "");
    pass(3, 1);
    pass(4, 0);
    pass(11, 2);
    progress_end(&progress);
    assert_string_equal(fake_fw.screen, "\rpass 3 of 12, about 31 s left\r"
                                        "\rpass 11 of 12, about 2 s left\r\r                             \r");
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

RUN_TESTS(fixture_load, NULL)
