/* SPDX-License-Identifier: BSD-2-Clause */
/* Exact counts: parts, messages during the run, keys, counters beside the steps, files. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/app/fixture.h"

#define EXACT  "menu=no config=exact " SMALL " "
#define FOLDER "0001-tight-loop-exact"

enum { INSTRUCTIONS = 0x0C0, BRANCHES = 0x0C2, FIRST = 20000 };

/* Sets counters for seven instructions and a branch in each iteration, and the ret, which also branches; the counter
 * has 'off' more. The overhead of starting and stopping is subtracted, and an empty function's ret added: an
 * instruction, and on the virtual PMU no branch. */
static void set_counters(unsigned loops, unsigned off)
{
    fake_session.loops = loops;
    fake_session.count[0] = (struct fake_count){.select = INSTRUCTIONS, .total = 7 * loops + off, .overhead = 4};
    fake_session.count[1] = (struct fake_count){.select = BRANCHES, .total = loops + 1, .overhead = 5};
}

APP_TEST(one_part)
{
    set_counters(100, 0);
    assert_int_equal(start(EXACT "reference=yes"), 0);
    assert_int_equal(fake_session.runs,
                     3); /* a pass over nothing and one over the workload are counted; then the steps */
    assert_shown("Exact counts  701 instructions executed one by one, in 1 part\n");
    assert_shown("same 0C0 retired instructions: counter 701, step by step 701\n");
    assert_shown("same 0C2 retired branches: counter 101, step by step 101\n");
    assert_not_shown("Esc stops");
    assert_lines_fit();
    assert_int_equal(fact(FOLDER, "exact.instructions"), 701);
    assert_int_equal(fake_session.bitmaps, 9); /* memory operands of image_codemap */
    assert_int_equal(fact(FOLDER, "exact.whole"), 1);
    assert_int_equal(fact(FOLDER, "exact.parts"), 1);
    assert_int_equal(fact(FOLDER, "exact.counted.0c0"), 701);
    assert_int_equal(fact(FOLDER, "exact.stepped.0c2"), 101);
}

APP_TEST(a_counter_that_differs)
{
    set_counters(100, 2);
    assert_int_equal(start(EXACT), 0);
    assert_shown("OTHER 0C0 retired instructions: counter 703, step by step 701\n");
    assert_shown("same 0C2");
}

APP_TEST(without_counters)
{
    fake_session.loops = 5;
    fake_session.machine.hypervisor = false;
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.amd = false;
    fake_family(&fake_session.machine);
    assert_int_equal(start(EXACT), 0);
    assert_int_equal(fake_session.runs, 1);
    assert_not_shown("step by step");
    assert_string_equal(saved_fact(FOLDER, "exact.counted.0c0"), "");
    assert_int_equal(fact(FOLDER, "exact.stepped.0c0"), 36);
}

APP_TEST(counters_that_are_refused)
{
    set_counters(5, 0);
    fake_session.fail_at = 1;
    fake_session.fail_error = SESSION_PMC_ENABLE;
    assert_int_equal(start(EXACT), 0);
    assert_int_equal(fake_session.runs, 2);
    assert_says("NOTE: no counter checks the steps: a performance counter's control register does not keep what "
                "is written to it.");
    assert_not_shown("step by step");
    assert_int_equal(fact(FOLDER, "exact.whole"), 1);
}

/* At 2 GHz 4 billion ticks are two seconds. */
APP_TEST(parts_of_two_seconds)
{
    set_counters(100000, 0); /* 700001 instructions */
    fake_session.step_ticks = 20000;
    assert_int_equal(start(EXACT), 0);
    /* the first part has 20000, in 0.2 s; the next ones 200001, in two seconds */
    assert_shown("Exact counts: 700001 instructions, one by one: about 7 s. Esc stops.\n");
    assert_shown("  220002 instructions, 31%, 5 s left\n");
    assert_shown("  620004 instructions, 89%, 1 s left\n");
    assert_int_equal(fact(FOLDER, "exact.parts"), 5);
    assert_int_equal(fact(FOLDER, "exact.instructions"), 700001);
    assert_int_equal(fake_session.runs, 2 + 5);
    assert_shown("same 0C0 retired instructions: counter 700001, step by step 700001\n");
    assert_shown("right in 2 of 2 passes\n");
    assert_lines_fit();
}

/* Parts that do not complete a tenth print nothing, for up to half a minute. */
APP_TEST(progress_by_tenths)
{
    set_counters(1000000, 0); /* 7000001 instructions; 100001 in each part */
    fake_session.step_ticks = 40000;
    assert_int_equal(start(EXACT), 0);
    assert_int_equal(fact(FOLDER, "exact.parts"), 71);
    assert_shown_times("s left\n", 9 + 3);
    assert_shown("  720008 instructions, 10%, 126 s left\n");
    assert_not_shown("  620007 instructions");
    assert_shown("  1420015 instructions, 20%, 112 s left\n"); /* part 15 as well */
    assert_shown("  2920030 instructions, 42%, 82 s left\n");  /* part 30 */
    assert_lines_fit();
}

/* Only the first part prepares, only the last one checks, and no part has a time limit. */
APP_TEST(what_each_part_calls)
{
    set_counters(3000, 0); /* 21001 instructions: two parts */
    assert_int_equal(start(EXACT "limit_ms=5"), 0);
    assert_non_null(strstr(fake_session.trace, "session 3 on core 0 alone: prepare body finish\n"));
    assert_non_null(strstr(fake_session.trace, "  steps, 20000 at most\nsession 4 on core 0 alone: body finish\n"));
    assert_non_null(strstr(fake_session.trace, " at most, from where it was\n"));
    assert_null(strstr(strstr(fake_session.trace, "session 3"), "limit"));
}

APP_TEST(without_a_clock_parts_stay_short)
{
    set_counters(10000, 0);
    fake_session.machine.tsc_khz = fake_session.tsc_khz = 0;
    fake_fw.tsc_stands = true;
    assert_int_equal(start(EXACT), 0);
    assert_int_equal(fact(FOLDER, "exact.parts"), 4);
    assert_shown("Exact counts: 70001 instructions, one by one. Esc stops.\n");
    assert_shown("  40001 instructions, 57%\n");
}

APP_TEST(escape_ends)
{
    set_counters(10000, 0);
    fake_fw.keys = "\x1b\x1b";
    assert_int_equal(start(EXACT "hold_s=0"), 1);
    assert_shown("Stopped for now: Enter goes on; Esc ends, and what was counted is kept.\n");
    assert_says("NOTE: the counts are of the first 20001 instructions: Esc ended the run.");
    assert_int_equal(fact(FOLDER, "exact.whole"), 0);
    assert_int_equal(fact(FOLDER, "exact.instructions"), FIRST + 1);
    assert_not_shown("step by step");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\" FOLDER "\\exact.csv"), "jle 0x1000,1,2857,,2857,"));
}

APP_TEST(escape_and_enter_go_on)
{
    set_counters(10000, 0);
    fake_fw.keys = "\x1bx\n";
    assert_int_equal(start(EXACT), 0);
    assert_shown("Stopped for now");
    assert_int_equal(fact(FOLDER, "exact.whole"), 1);
    assert_int_equal(fact(FOLDER, "exact.instructions"), 70001);
}

APP_TEST(other_keys_do_not_stop)
{
    set_counters(10000, 0);
    fake_fw.keys = "x\x1b[A"; /* an arrow, as a terminal sends it */
    assert_int_equal(start(EXACT), 0);
    assert_not_shown("Stopped for now");
}

APP_TEST(no_trap_comes)
{
    set_counters(10, 0);
    fake_session.deaf = true;
    assert_int_equal(start(EXACT), 1);
    assert_says("NOTE: no trap came after an instruction (RFLAGS.TF): what is below this program keeps it.");
}

APP_TEST(a_part_that_fails)
{
    set_counters(10000, 0);
    fake_session.fail_at = 4;
    assert_int_equal(start(EXACT), 1);
    assert_int_equal(fake_session.runs, 4);
    assert_int_equal(fact(FOLDER, "exact.whole"), 0);
    assert_int_equal(fact(FOLDER, "exact.instructions"), FIRST + 1);
}

APP_TEST(several_cores_are_refused)
{
    fake_fw.cores = 4;
    assert_int_equal(start(EXACT "cores=0-1"), 1);
    assert_says("config = exact: the workload runs on the boot core alone: leave 'cores' at 0");
    assert_int_equal(fake_session.runs, 0);
    assert_int_equal(start(EXACT "cores=1"), 1);
    assert_int_equal(fake_session.runs, 0);
}

/* The number of instructions comes from the workload's row if there is no counter, and from its work if the row does
 * not say it. */
APP_TEST(how_many_are_expected)
{
    fake_session.loops = 10000;
    fake_session.not_modelled[0] = INSTRUCTIONS;
    fake_session.not_modelled[1] = BRANCHES;
    assert_int_equal(start("menu=no config=exact workload=add-chain iterations=1000"), 0);
    assert_shown("Exact counts: 62004 instructions, one by one: about 1 s.");
    fake_session.runs = 0;
    assert_int_equal(start("menu=no config=exact workload=tight-loop iterations=100000"), 0);
    assert_shown("Exact counts: about 1700000 instructions, one by one: about 1 s.");
}

/* Without room for lines only their number is missing. */
APP_TEST(operands_without_room_for_their_lines)
{
    set_counters(12, 0);
    fake_session.no_bitmaps = true;
    assert_int_equal(start(EXACT), 0);
    assert_says("memory operands are not counted: the arena is too large.");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\" FOLDER "\\exact.csv"),
                           "\"mov eax, dword ptr [rbp-0x14]\",1,12,,,,12,,11,0x4000000000,0x40000002c0,,,,,,\n"));
}

APP_TEST(golden)
{
    set_counters(12, 0);
    check_golden("exact", start(EXACT));
}

RUN_TESTS(fixture_load, fixture_teardown)
