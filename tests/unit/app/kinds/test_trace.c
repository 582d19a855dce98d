/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of ops: which passes there are, where the workload begins and ends, what does not repeat, and what is
 * refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"

#define TRACE  "menu=no config=trace " SMALL " "
#define FOLDER "0001-tight-loop-trace"

enum {
    BEFORE = 30,
    FOUND = 4 + 7 /* strides of 8, and the ops of the last stride */,
    LOOPS = 4,
    ALL = LOOPS * MAP_TURN + 1
};

static void begin(void)
{
    fake_session.op_before = BEFORE;
    fake_session.loops = LOOPS;
}

/* Returns the line of trace.csv with that op; it is overwritten by the next call. */
static const char *row(unsigned op)
{
    static char line[300];
    char begins[20];
    const char *at = file_text("\\ibsboot\\runs\\" FOLDER "\\trace.csv");

    snprintf(begins, sizeof(begins), "\n%u,", op);
    at = strstr(at, begins);
    snprintf(line, sizeof(line), "%.*s", at ? (int)strcspn(at + 1, "\n") : 0, at ? at + 1 : "");
    return line;
}

static unsigned commas(const char *text)
{
    unsigned count = 0;

    for (; *text; text++)
        count += *text == ',';
    return count;
}

APP_TEST(whole_workload)
{
    static const char *const rva[MAP_TURN] = {"0x1000", "0x1003", "0x1006", "0x1009", "0x1010", "0x1013", "0x1017"};

    begin();
    assert_int_equal(start(TRACE), 0);
    /* one pass finds the first op, two follow for each op, and one no longer samples the workload */
    assert_int_equal(fake_session.runs, FOUND + 2 * ALL + 1);
    assert_null(strstr(fake_fw.screen, "more in trace.csv")); /* 64 are printed */
    for (unsigned i = 0; i < 60; i++) {
        const struct ibs_plan *plan = &fake_session.pass[i].ibs;

        assert_true(plan->op && !plan->fetch && plan->count_ops && !plan->random);
        assert_int_equal(plan->op_period, 0xFFFF0);
        assert_int_equal(plan->op_exact, i < 4 ? 8 * (i + 1) : i < FOUND ? 25 + i - 4 : BEFORE + 1 + (i - FOUND) / 2);
        assert_int_equal(fake_session.pass[i].part, VPMU_PART_MEASURED);
    }
    for (unsigned op = 1; op < ALL; op++)
        assert_non_null(strstr(row(op), rva[(op - 1) % MAP_TURN]));
    assert_non_null(strstr(row(ALL), "0x101e"));
    assert_string_equal(row(ALL + 1), "");
    assert_int_equal(fact(FOLDER, "trace.from"), 1);
    assert_int_equal(fact(FOLDER, "trace.ops"), ALL);
    assert_int_equal(fact(FOLDER, "trace.before"), BEFORE);
    assert_int_equal(fact(FOLDER, "trace.repeats"), 2);
    assert_int_equal(fact(FOLDER, "trace.lost"), 0);
    assert_int_equal(fact(FOLDER, "trace.differ"), 0);
    assert_int_equal(fact(FOLDER, "trace.followed"), ALL - 1);
    assert_int_equal(fact(FOLDER, "trace.breaks"), 0);
    assert_shown("NOTE: the workload ends after op 29.\n");
    assert_says("same program order: by the listing 28 of 28 ops can follow the op before");
    assert_lines_fit();
}

APP_TEST(a_part_of_it)
{
    begin();
    assert_int_equal(start(TRACE "trace_from=8 trace_ops=5 repeats=3"), 0);
    assert_int_equal(fake_session.runs, FOUND + 3 * 5);
    assert_int_equal(fake_session.plan.program.ibs.op_exact, BEFORE + 12);
    assert_int_equal(fact(FOLDER, "trace.ops"), 5);
    assert_int_equal(fact(FOLDER, "trace.repeats"), 3);
    assert_non_null(strstr(row(8), "0x1000"));
    assert_non_null(strstr(row(12), ",1,1,3,3,,20,20,20,5,"));
    assert_string_equal(row(7), "");
    assert_string_equal(row(13), "");
    assert_not_shown("the workload ends");
}

APP_TEST(beyond_its_end)
{
    begin();
    assert_int_equal(start(TRACE "trace_from=30"), 1);
    assert_says("WARNING: the workload has no op 30: take a smaller trace_from.");
    assert_int_equal(fact(FOLDER, "trace.ops"), 0);
}

APP_TEST(an_op_is_lost)
{
    begin();
    fake_session.op_lost = 5;
    assert_int_equal(start(TRACE "trace_ops=6"), 0);
    assert_int_equal(fact(FOLDER, "trace.lost"), 1);
    assert_int_equal(fact(FOLDER, "trace.followed"), 3);
    assert_int_equal(commas(row(5)), 24);
    assert_int_equal(commas(row(5)), commas(row(3)));
    assert_int_equal(strncmp(row(5), "5,,,,,,,,2,0,,,", 15), 0);
    assert_says("NOTE: 1 of these ops gave no sample: they were tagged and never retired, for example on the wrong "
                "path of a branch.");
    assert_lines_fit();
}

/* The last op before the end is lost, so it is not known to be the workload's, either. */
APP_TEST(the_last_op_is_lost)
{
    begin();
    fake_session.op_lost = ALL;
    assert_int_equal(start(TRACE), 0);
    assert_int_equal(fact(FOLDER, "trace.ops"), ALL - 1);
    assert_int_equal(fact(FOLDER, "trace.lost"), 0);
    assert_shown("NOTE: the workload ends after op 28.\n");
}

/* The trace ends when no sample comes for so long; ops that were not seen are left out. */
APP_TEST(nothing_comes_any_more)
{
    begin();
    fake_session.op_lost = 5;
    fake_session.op_silent = true;
    assert_int_equal(start(TRACE "trace_ops=2000"), 0);
    assert_int_equal(fake_session.runs, FOUND + 2 * (4 + 1024));
    assert_int_equal(fact(FOLDER, "trace.ops"), 4);
    assert_int_equal(fact(FOLDER, "trace.lost"), 0);
    assert_shown("NOTE: the workload ends after op 4.\n");
}

APP_TEST(what_does_not_repeat)
{
    begin();
    fake_session.op_unsteady = 2;
    fake_session.op_unlike = 3;
    assert_int_equal(start(TRACE "trace_ops=6"), 0);
    assert_int_equal(fact(FOLDER, "trace.differ"), 2);
    assert_non_null(strstr(row(2), ",2,2,latency,2"));
    assert_non_null(strstr(row(2), ",20,23,5,"));
    assert_non_null(strstr(row(3), ",2,2,outcome latency,"));
    assert_non_null(strstr(row(4), ",2,2,,"));
    assert_shown("NOTE: 2 of these ops, marked *, did not repeat (trace.csv says in which field).\n");
}

APP_TEST(no_sample_at_all)
{
    begin();
    fake_session.op_before = UINT32_MAX;
    assert_int_equal(start(TRACE), 1);
    assert_int_equal(fake_session.runs, 8);
    assert_says("WARNING: no sample came after a short first interval: IbsOpCurCnt does not hold what is written.");
    assert_not_shown("ld, st: load, store"); /* no table */
}

APP_TEST(no_op_of_the_workload)
{
    begin();
    fake_session.op_before = 2048;
    assert_int_equal(start(TRACE), 1);
    assert_int_equal(fake_session.runs, 256 + 2048);
    assert_says("WARNING: none of the first 2048 ops after the start of IBS belongs to the workload.");
    fake_session.op_before = 2047;
    fake_session.runs = 0;
    assert_int_equal(start(TRACE "trace_ops=1"), 0);
    assert_int_equal(fake_session.runs, 256 + 8 + 2);
}

/* Strides step over the only op, so the ops are searched one by one. */
APP_TEST(a_workload_of_one_op)
{
    begin();
    fake_session.loops = 0;
    assert_int_equal(start(TRACE), 0);
    assert_int_equal(fake_session.runs, 256 + BEFORE + 1 + 2 + 1);
    assert_int_equal(fact(FOLDER, "trace.ops"), 1);
    assert_int_equal(fact(FOLDER, "trace.before"), BEFORE);
}

APP_TEST(a_pass_that_fails)
{
    begin();
    fake_session.fail_at = FOUND + 7;
    assert_int_equal(start(TRACE), 1);
    assert_int_equal(fake_session.runs, FOUND + 7);
    assert_int_equal(fact(FOLDER, "trace.ops"), 3);
}

/* Each pass clears sixteen records, which it may fill, as long as there is room. */
APP_TEST(room)
{
    begin();
    assert_int_equal(start(TRACE "trace_ops=3 records=19"), 0);
    assert_int_equal(fake_session.plan.place.capacity, 19 - 16);
    assert_int_equal(start(TRACE "trace_ops=3"), 0);
    assert_int_equal(fake_session.plan.place.capacity, 16);
    assert_int_equal(start(TRACE "trace_ops=4 records=18"), 1);
}

/* A run without memory for its ops is refused, and says what the memory was for. */
APP_TEST(no_memory_for_the_ops)
{
    bool told = false;

    for (unsigned at = 1; at < 40 && !told; at++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        begin();
        fake_fw.fail.call = FAKE_ALLOCATE;
        fake_fw.fail.at = at;
        told = start(TRACE) == 1 && strstr(fake_fw.screen, "the ops");
    }
    assert_true(told);
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(long_periods)
{
    begin();
    fake_session.machine.ibs_caps |= IBS_CAP_OPCNTEXT;
    assert_int_equal(start(TRACE "trace_ops=2"), 0);
    assert_int_equal(fake_session.plan.program.ibs.op_period, 0x7FFFFF0);
    assert_int_equal(start(TRACE "iterations=60000 trace_ops=2"), 0);
}

APP_TEST(refused)
{
    static const struct {
        const char *settings, *why;
        uint32_t not_caps;
    } rows[] = {
        {"", "config = trace: needs an IbsOpCurCnt that may be written (CPUID 8000_001Bh EAX bit 3)",
         IBS_CAP_RDWR_OPCNT},
        {"",
         "config = trace: needs op intervals that are counted in ops (CPUID 8000_001Bh EAX bit 4; Family 10h: from "
         "revision C on)",
         IBS_CAP_RDWR_OPCNT | IBS_CAP_OPCNT},
        {"count=cycles", "config = trace: counts ops: do not set 'count'", 0},
        {"l3_miss_only=yes", "config = trace: needs every op: do not set l3_miss_only and load_latency", 0},
        {"load_latency=128", "config = trace: needs every op: do not set l3_miss_only and load_latency", 0},
        {"cores=0-1", "config = trace: works on the boot core alone: leave 'cores' at 0", 0},
        {"trace_from=1046500",
         "config = trace: trace_from and trace_ops reach to 1048612 ops, and one interval is 1048560 at most", 0},
        {"iterations=60000",
         "config = trace: a pass of this workload dispatches some 1084774 ops, and one interval is 1048560 at most: "
         "take a smaller one",
         0},
    };

    begin();
    fake_fw.cores = 2;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char settings[200];

        fake_session.machine.ibs_caps = 0x1F & ~rows[i].not_caps;
        fake_session.runs = 0;
        snprintf(settings, sizeof(settings), TRACE "%s", rows[i].settings);
        assert_int_equal(start(settings), 1);
        assert_says(rows[i].why);
        assert_int_equal(fake_session.runs, 0);
    }
}

/* The bars begin below each other: if an op has more words than fit, the last words are left out. */
APP_TEST(many_words)
{
    const char *line;

    begin();
    fake_session.load_bits = IBS_DC_MISS | IBS_DC_L1TLB_MISS;
    assert_int_equal(start(TRACE), 0);
    line = strstr(fake_fw.screen, "\n    op Address Instruction ");
    assert_non_null(line);
    for (unsigned op = 1; op <= ALL; op++) {
        line = strchr(line + 1, '\n');
        assert_int_equal(strtoul(line, NULL, 10), op);
        assert_int_equal(strcspn(line + 1, "|"), 60);
    }
    assert_shown(" ret                         20    5 taken ld M|");
    assert_shown("    20    5 ld M T1   |");
}

APP_TEST(golden)
{
    begin();
    fake_session.op_before = 2;
    fake_session.loops = 1;
    fake_session.op_lost = 2;
    fake_session.op_unlike = 4;
    check_golden("trace", start(TRACE));
}

RUN_TESTS(fixture_load, fixture_teardown)
