/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress of a run, printed between passes: at most once a second, and over the line before. */
#include <stdio.h>
#include <string.h>

#include "app/prompt/progress.h"
#include "app/run/kind.h"
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

/* On a narrow screen longer lines are folded, and each begins at the left. */
TEST_WITH(a_long_run, setup, fixture_teardown)
{
    fake_fw.firmware.columns = 40;
    fake_fw.time.second = 10;
    passes_expect(&run.passes, 12);
    pass(1, 5); /* the first pass tells no time of the others, nor does what came before */
    assert_string_equal(fake_fw.screen, "");
    progress.begun -= 1000;
    pass(3, 1);
    pass(4, 0);
    pass(11, 2);
    progress_end(&progress);
    out_printf(&console.out, "%039u\n", 0);
    assert_string_equal(fake_fw.screen, "\rpass 3 of 12, about 11 s left\r"
                                        "\rpass 11 of 12, about 1 s left\r\r                             \r"
                                        "000000000000000000000000000000000000000\n");
}

TEST_WITH(a_short_run, setup, fixture_teardown)
{
    for (unsigned i = 1; i < 100; i++)
        pass(i, 0);
    progress_end(&progress);
    assert_string_equal(fake_fw.screen, "");
}

/* With more passes than expected, or without a number, no time is shown. On silicon time is measured by the TSC. */
TEST_WITH(passes_that_were_not_expected, setup, fixture_teardown)
{
    machine.hypervisor = false;
    run.passes.began = NULL;
    progress_begin(&progress, &console, &run);
    run.passes.began(run.passes.began_argument, 3);
    fake_fw.firmware.stall(&fake_fw.firmware, 3000000);
    run.passes.began(run.passes.began_argument, 4);
    passes_expect(&run.passes, 2);
    fake_fw.firmware.stall(&fake_fw.firmware, 900000);
    run.passes.began(run.passes.began_argument, 5);
    fake_fw.firmware.stall(&fake_fw.firmware, 200000);
    run.passes.began(run.passes.began_argument, 6);
    assert_string_equal(fake_fw.screen, "\rpass 4\r\rpass 6\r");
}

/* Steps other than passes show no time, because each takes another time. */
TEST_WITH(steps, setup, fixture_teardown)
{
    run.passes.steps = "question";
    passes_expect(&run.passes, 12);
    pass(1, 5);
    pass(2, 2);
    assert_string_equal(fake_fw.screen, "\rquestion 2 of 12\r");
}

/* Makes a session take two seconds by the firmware's clock. */
static void two_seconds(const struct session_plan *plan)
{
    (void)plan;
    fake_fw.time.second += 2;
    fake_fw.time.minute += fake_fw.time.second / 60;
    fake_fw.time.second %= 60;
    fake_fw.time.hour += fake_fw.time.minute / 60;
    fake_fw.time.minute %= 60;
}

#define SIX "events=076,0C0,0C2,0C3,040,041"

/* A run announces its passes from the second to the last; only runs that learn their number on the way change it. */
APP_TEST(runs_of_each_kind)
{
    static const struct {
        const char *options, *first, *last;
    } rows[] = {
        {"config=ibs repeats=4", "pass 2 of 4, about 7 s left", "pass 4 of 4, about 3 s left"},
        {"config=tbp repeats=3", "pass 2 of 3, about 5 s left", "pass 3 of 3, about 3 s left"},
        {"config=count repeats=2 events=076,0C0", "pass 2 of 8, ", "pass 8 of 8, about 3 s left"},
        {"config=count repeats=2 " SIX, "pass 2 of 14, ", "pass 14 of 14, about 3 s left"},
        {"config=count events=076 repeats=1", "pass 2 of 3, ", "pass 3 of 3, "},
        {"config=events repeats=3 periods=given events=076,0C0", "pass 2 of 4, ", "pass 4 of 4, about 3 s left"},
        {"config=events repeats=3 periods=given " SIX, "pass 2 of 7, ", "pass 7 of 7, about 3 s left"},
        {"config=events repeats=3 periods=measured " SIX, "pass 2 of 8, ", "pass 8 of 8, "},
        {"config=events repeats=3 periods=given reference=yes " SIX, "pass 2 of 17, ", "pass 17 of 17, "},
        {"config=events repeats=3 periods=given reference=yes sharing=multiplex " SIX, "pass 2 of 11, ",
         "pass 11 of 11, "},
        {"config=events repeats=3 periods=measured reference=yes " SIX, "pass 2 of 19, ", "pass 19 of 19, "},
        {"config=tbp reference=yes repeats=3", "pass 2 of 15, ", "pass 15 of 15, "},
        {"config=ibs reference=yes op_period=2048 fetch_period=512 repeats=4", "pass 2 of 13, ", "pass 13 of 13, "},
        {"config=ibs reference=yes repeats=4", "pass 2 of 12, ", "pass 12 of 12, "},
        {"config=ibs reference=yes", "pass 2 of 70, ", "pass 28 of 70, "}, /* this leaves no room for samples */
        {"config=ibs once=yes repeats=4", "pass 2 of 5, ", "pass 5 of 5, "},
        {"config=skid repeats=2", "pass 2 of 4, ", "pass 4 of 4, "},
        {"config=explore repeats=2", "pass 2 of 75, about 3 min left", "pass 75 of 75, about 3 s left"},
        {"config=roofline", "pass 2 of 6, ", "pass 6 of 6, "},
        {"config=pairs", "pass 2 of 6, ", "pass 6 of 6, "},
        {"config=latency", "pass 2 of 50, about 99 s left", "pass 50 of 50, about 3 s left"},
        {"config=trace trace_ops=4", "pass 2 of 8, ", "pass 260 of 265, "},             /* found in pass 257 */
        {"config=noise", "pass 2 of 3, about 5 s left", "pass 2 of 3, about 5 s left"}, /* one session alone */
        {"config=selftest", "pass 2 of 7, ", "pass 7 of 7, about 3 s left"},
        {"config=hardware", "question 2 of 166", "question 126 of 166"}, /* the passes after it run nothing */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char options[200], lines[2][60] = {"", ""};
        unsigned count = 0;

        fixture_teardown(NULL);
        fixture_setup(NULL);
        set_reference_counts();
        fake_fw.cores = strstr(rows[i].options, "pairs") ? 3 : 1;
        fake_session.on_run = two_seconds;
        fake_fw.keys = "xrun\nquit\n";
        snprintf(options, sizeof(options), "save=no pager=no %s " SMALL, rows[i].options);
        (void)start(options);
        for (const char *at = fake_fw.screen; (at = strchr(at, '\r')); at++)
            if (at[1] == 'p' || at[1] == 'q')
                snprintf(lines[count++ > 0], sizeof(lines[0]), "%.*s", (int)strcspn(at + 1, "\r"), at + 1);
        if (count < 2)
            memcpy(lines[1], lines[0], sizeof(lines[0]));
        if (strncmp(lines[0], rows[i].first, strlen(rows[i].first)) ||
            strncmp(lines[1], rows[i].last, strlen(rows[i].last)))
            fail_msg("%s: %s ... %s", rows[i].options, lines[0], lines[1]);
    }
}

/* A kind of run that measures says how many passes it makes; one kind prints its own progress. */
APP_TEST(kinds_that_say_nothing)
{
    for (const struct kind *kind = kind_next(NULL); kind; kind = kind_next(kind))
        if (kind->measure && !kind->passes && !kind->parts[0])
            assert_string_equal(kind->name, "exact");
    assert_non_null(kind_ibs.passes);
    assert_non_null(kind_timer.passes);
}

RUN_TESTS(fixture_load, NULL)
