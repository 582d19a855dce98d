/* SPDX-License-Identifier: BSD-2-Clause */
/* config=bias: the runs that this configuration stands for, by what the machine has. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/app/fixture.h"

#define BIAS "menu=no config=bias " SMALL " "

static void assert_runs(const char *const *folders, unsigned count)
{
    char path[128];

    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-tight-loop-%s\\run.ini", i + 1, folders[i]);
        (void)file_text(path);
    }
    (void)snprintf(path, sizeof(path), "\\ibsboot\\runs\\%04u-", count + 1);
    for (unsigned i = 0; i < fake_fw.files; i++)
        assert_null(strstr(fake_fw.file[i].path, path));
}

static bool saved(const char *folder, const char *line)
{
    char path[128];

    (void)snprintf(path, sizeof(path), "\\ibsboot\\runs\\%s\\run.ini", folder);
    return strstr(file_text(path), line);
}

APP_TEST(all_ways)
{
    static const char *const folders[] = {"exact", "ibs", "ibs", "events", "tbp"};

    fake_session.loops = 9;
    assert_int_equal(start(BIAS "fetch=yes repeats=2"), 0);
    assert_runs(folders, 5);
    assert_true(saved("0002-tight-loop-ibs", "\ncount = ops\n"));
    assert_true(saved("0002-tight-loop-ibs", "\nfetch = no\n"));
    assert_true(saved("0003-tight-loop-ibs", "\ncount = cycles\n"));
    assert_true(saved("0003-tight-loop-ibs", "\nrepeats = 2\n"));
    assert_true(saved("0004-tight-loop-events", "\nevents = \"0C0,076\"\n"));
    assert_false(saved("0005-tight-loop-tbp", "0C0,076"));
    assert_true(saved("0005-tight-loop-tbp", "\ntimer_us = 10\n")); /* as on any model */
    assert_false(saved("0005-tight-loop-tbp", "\ncount = cycles\n"));
}

APP_TEST(period_of_the_user)
{
    fake_session.loops = 9;
    assert_int_equal(start(BIAS "timer_us=200"), 0);
    assert_true(saved("0005-tight-loop-tbp", "\ntimer_us = 200\n"));
}

APP_TEST(on_silicon_the_timer_is_as_usual)
{
    fake_session.loops = 9;
    fake_session.machine.hypervisor = false;
    assert_int_equal(start(BIAS), 0);
    assert_false(saved("0005-tight-loop-tbp", "\ntimer_us = 10\n"));
}

/* Revision B cannot count ops. */
APP_TEST(without_a_count_of_ops)
{
    static const char *const folders[] = {"exact", "ibs", "events", "tbp"};

    fake_session.loops = 9;
    fake_session.machine.model = 2;
    fake_session.machine.revision = 'B';
    fake_session.machine.ibs_caps = 7;
    assert_int_equal(start(BIAS), 0);
    assert_runs(folders, 4);
    assert_true(saved("0002-tight-loop-ibs", "\ncount = cycles\n"));
}

APP_TEST(without_anything)
{
    static const char *const folders[] = {"exact"};

    fake_session.loops = 9;
    fake_session.machine.hypervisor = fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.amd = false;
    fake_family(&fake_session.machine);
    assert_int_equal(start(BIAS), 0);
    assert_runs(folders, 1);
    assert_false(saved("0001-tight-loop-exact", "\ncount = ops\n"));
}

/* Counters without a table of their events sample no events, but make the ticks. */
APP_TEST(without_a_table_of_events)
{
    static const char *const folders[] = {"exact", "tbp"};
    static struct ibs_family row;

    fake_session.loops = 9;
    fake_session.machine.hypervisor = fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    row = *fake_session.machine.row;
    row.events = EVENT_SET_NONE;
    fake_session.machine.row = &row;
    assert_int_equal(start(BIAS), 0);
    assert_runs(folders, 2);
}

/* All runs are checked before the first begins. */
APP_TEST(refused_as_a_whole)
{
    fake_fw.cores = 4;
    assert_int_equal(start(BIAS "cores=0-1"), 1);
    assert_says("config = exact: the workload runs on the boot core alone");
    assert_int_equal(fake_session.runs, 0);
}

/* Configurations after it in a list have the user's settings. */
APP_TEST(in_a_list)
{
    static const char *const folders[] = {"exact", "ibs", "ibs", "events", "tbp", "ibs"};

    fake_session.loops = 9;
    assert_int_equal(start("menu=no config=bias,ibs " SMALL), 0);
    assert_runs(folders, 6);
    assert_false(saved("0006-tight-loop-ibs", "0C0,076"));
    assert_false(saved("0006-tight-loop-ibs", "\ntimer_us = 10\n"));
    assert_false(saved("0006-tight-loop-ibs", "\nfetch = no\n"));
    assert_false(saved("0006-tight-loop-ibs", "\ncount = cycles\n"));
}

RUN_TESTS(fixture_load, NULL)
