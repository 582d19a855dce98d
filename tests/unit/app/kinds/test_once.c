/* SPDX-License-Identifier: BSD-2-Clause */
/* One sample per pass: which passes there are, for which processors and workloads. */
#include <stdio.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "tests/unit/app/fixture.h"

#define ONCE   "menu=no once=yes reference=yes " SMALL " "
#define FOLDER "0001-tight-loop-ibs"

static void set_ops(uint64_t ops)
{
    fake_session.count[0] = (struct fake_count){.select = 0x0C1, .total = ops};
    fake_session.op_samples = 1;
}

APP_TEST(a_pass_for_each_sample)
{
    set_ops(16000);
    assert_int_equal(start(ONCE "seed=9 repeats=120"), 0);
    assert_int_equal(fake_session.runs, 121);
    assert_int_equal(fake_session.pass[0].pmc.mode, PMC_COUNTING);
    assert_int_equal(fake_session.pass[0].part, VPMU_PART_REFERENCE);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "0c1");
    assert_int_equal(fake_session.asked_mask, 0);
    for (unsigned i = 1; i < 100; i++) {
        const struct ibs_plan *plan = &fake_session.pass[i].ibs;

        assert_true(plan->op && !plan->fetch && plan->count_ops && plan->random);
        assert_int_equal(plan->op_first, 16000 + 1000 + 1016); /* a sixteenth and 1024 more, in multiples of sixteen */
        assert_int_equal(plan->op_period, 0xF0000);
        assert_int_equal(plan->seed, rng_part_seed(9, RNG_PASS, i - 1));
        assert_int_equal(fake_session.pass[i].pmc.mode, PMC_OFF);
        assert_int_equal(fake_session.pass[i].part, VPMU_PART_MEASURED);
    }
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 18016);
    assert_int_equal(fact(FOLDER, "ibs.repeats"), 120);
    assert_int_equal(fact(FOLDER, "samples.op"), 120);
    assert_string_equal(saved_fact(FOLDER, "sampling"), "");
    assert_shown("IBS op        1 sample in each pass, on any of its ops (fewer than 18016)\n");
    assert_shown("IBS fetch     off\n");
    assert_lines_fit();
}

APP_TEST(as_many_as_wanted)
{
    set_ops(16000);
    fake_session.fail_at = 4;
    assert_int_equal(start(ONCE), 1);
    assert_shown("WARNING: 2 of 1000 repeats were completed.");
    fake_session.fail_at = fake_session.runs = 0;
    assert_int_equal(start(ONCE "repeats=81"), 0);
    assert_int_equal(fake_session.runs, 82);
    assert_int_equal(fact("0002-tight-loop-ibs", "samples.op"), 81);
    fake_session.runs = 0;
    assert_int_equal(start("menu=no repeats=81 " SMALL), 1);
    assert_says("repeats = 81: more than 80 are possible with once=yes alone");
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start("menu=no repeats=80 " SMALL), 0);
    assert_int_equal(fake_session.runs, 80);
}

/* Without a counter of ops the workload's row tells their number; more ops than an interval are never asked for. */
APP_TEST(number_of_ops)
{
    fake_session.op_samples = 1;
    fake_session.not_modelled[0] = 0x0C1;
    assert_int_equal(start(ONCE "repeats=2"), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), (9 * 17 + 9 * 17 / 16 + 1024) / 16 * 16);
    fake_session.not_modelled[0] = 0;
    set_ops(1000000);
    assert_int_equal(start(ONCE "repeats=2"), 0);
    assert_int_equal(fact("0002-tight-loop-ibs", "ibs.op_period"), 0xF0000);
    fake_session.runs = 0;
    fake_session.machine.pmc.count = 0;
    assert_int_equal(start(ONCE "repeats=2"), 0);
    assert_int_equal(fake_session.runs, 2);
}

/* The ops of all cores are counted together; in each pass a core samples its own. */
APP_TEST(several_cores)
{
    set_ops(16000);
    fake_fw.cores = 2;
    assert_int_equal(start(ONCE "cores=all repeats=3"), 0);
    assert_int_equal(fact(FOLDER, "ibs.op_period"), 18016);
    assert_int_equal(fact(FOLDER, "samples.op"), 6);
}

APP_TEST(refused)
{
    static const struct {
        const char *settings, *why;
    } rows[] = {
        {"config=explore", "once = yes: works only with config=ibs"},
        {"config=ibs_fetch_ic", "once = yes: works only with config=ibs"},
        {"count=cycles", "once = yes: needs op intervals that are counted in ops"},
        {"op=no", "once = yes: samples random ops with its own period: do not set op, random and op_period"},
        {"random=no", "do not set op, random and op_period"},
        {"op_period=4096", "do not set op, random and op_period"},
        {"iterations=60000",
         "once = yes: a pass of this workload dispatches some 1084768 ops, and one interval is 983040 "
         "at most: take a smaller one"},
    };

    set_ops(16000);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char settings[200];

        fake_session.runs = 0;
        snprintf(settings, sizeof(settings), ONCE "%s", rows[i].settings);
        assert_int_equal(start(settings), 1);
        assert_says(rows[i].why);
        assert_int_equal(fake_session.runs, 0);
    }
    fake_session.machine.ibs_caps &= ~IBS_CAP_RDWR_OPCNT;
    assert_int_equal(start(ONCE), 1);
    assert_says("once = yes: needs an IbsOpCurCnt that may be written (CPUID 8000_001Bh EAX bit 3)");
    fake_session.machine.ibs_caps &= ~IBS_CAP_OPCNT;
    assert_int_equal(start(ONCE), 1);
    assert_says("once = yes: needs op intervals that are counted in ops");
}

RUN_TESTS(fixture_load, NULL)
