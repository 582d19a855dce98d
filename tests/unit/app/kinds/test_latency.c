/* SPDX-License-Identifier: BSD-2-Clause */
/* Latency by size and node: which lists there are, where they are, which figures of their passes count, and what is
 * printed. */
#include <string.h>

#include "app/kinds/latency.h"
#include "app/run/passes.h"
#include "core/family/ibs_regs.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"

#define LATENCY "menu=no config=latency pages=2m "
#define FOLDER  "0001-latency"
#define CSV     "\\ibsboot\\runs\\" FOLDER "\\latency.csv"

enum { PASSES_SEEN = 160, START = 700, EACH = 5 };

static struct {
    uint32_t hops, kb;
    uint64_t physical;
    size_t room;
    bool wide; /* pages of 2 MB */
} seen[PASSES_SEEN];
static unsigned seen_count;

/* Makes a hop take 3 ticks in lists up to 64 KB, above that one tick for each 8 KB; starting costs START, now and then
 * more. On node 1 a hop takes ten ticks more. */
static uint64_t take(const struct session_plan *plan)
{
    const uint32_t *params = ((const struct passes_core *)plan->calls.argument)->params;
    uint64_t physical = plan->place.paging.physical;

    assert_in_range(seen_count, 0, PASSES_SEEN - 1);
    seen[seen_count].hops = params[0];
    seen[seen_count].kb = params[1];
    seen[seen_count].physical = physical;
    seen[seen_count].room = plan->place.paging.size;
    seen[seen_count++].wide = plan->place.paging.kind == PAGING_2M;
    return START + 500 * (seen_count % 2) +
           (uint64_t)params[0] * ((params[1] <= 64 ? 3 : params[1] / 8) + 10 * (physical >= NODE_1_MEMORY));
}

static void set_machine(void)
{
    seen_count = 0;
    fake_session.machine.l3_kb = 6144;
    fake_session.machine.caches_told = true;
    fake_session.machine.tsc_khz = fake_session.tsc_khz = 2000000;
    fake_session.ticks = take;
    fake_session.op_samples = 20 * MAP_INSNS;
    fake_session.fetch_samples = 0;
    fake_session.culprit = MAP_FMUL;
    fake_session.served[0] = 2;
    fake_session.served[1] = 3;
    fake_session.served_count = 2;
}

/* Asserts a row of latency.csv. */
static void assert_row(const char *text)
{
    if (!strstr(file_text(CSV), text))
        fail_msg("%s is not in\n%s", text, file_text(CSV));
}

APP_TEST(each_size)
{
    set_machine();
    assert_int_equal(start(LATENCY), 0);
    assert_int_equal(seen_count, 12 * EACH);
    for (unsigned i = 0; i < seen_count; i++) {
        const struct ibs_plan *plan = &fake_session.pass[i].ibs;
        uint32_t lines = seen[i].kb * 16, lap = lines < 16384 ? lines : 16384;

        assert_int_equal(seen[i].kb, 16 << i / EACH);
        assert_int_equal(seen[i].hops, lap + (i % EACH < 2 ? 0 : 4096));
        assert_true(plan->op && !plan->fetch && !plan->count_ops);
        assert_int_equal(plan->op_period, i % EACH == 4 ? 256 : IBS_PERIOD_MAX);
        assert_int_equal(plan->random, i % EACH == 4);
        assert_int_equal(seen[i].physical, seen[0].physical);
        assert_int_equal(seen[i].room, 4096 + (32 << 20) + SESSION_STACK_BYTES);
        assert_true(seen[i].wide);
    }
    assert_int_equal(seen[0].physical % (2 << 20), 0);
    assert_int_equal(fact(FOLDER, "latency.lists"), 12);
    assert_int_equal(fact(FOLDER, "latency.measured"), 12);
    assert_int_equal(fact(FOLDER, "latency.hops"), 4096);
    assert_shown("Lists         12 sizes on 1 node, 4096 hops in each\n");
    assert_lines_fit();
    check_golden_text("latency", file_text(CSV));
}

/* Samples of the lap are left out: of 280 in the smallest list 16 KB / 64 / (16 KB / 64 + 4096), which are 16; in the
 * largest list all but a fifth. */
APP_TEST(tables)
{
    set_machine();
    assert_int_equal(start(LATENCY), 0);
    assert_shown("node      KB   ticks      ns  misses    mean   25%   50%   75%  who answered\n");
    assert_shown("   -      16     3.0     1.5      19    60.0    55    60    65  DRAM 53%\n");
    assert_shown("   -   32768  4096.0  2048.0       4    67.5    66    67    68  ");
    assert_says("their latency from the miss on in core cycles (IbsDcMissLat)");
    assert_not_shown("4 KB pages");
    assert_row("\n,16,3.00,1.5,19,60.0,55,60,65,");
}

APP_TEST(small_pages)
{
    set_machine();
    assert_int_equal(start("menu=no config=latency"), 0);
    assert_false(seen[0].wide);
    assert_says("NOTE: with 4 KB pages the ticks of large lists include page walks");
}

/* No sample is a store, a fetch, or a load that hit. */
APP_TEST(no_misses)
{
    set_machine();
    fake_session.culprit = -1;
    fake_session.fetch_samples = 9;
    assert_int_equal(start(LATENCY), 0);
    assert_shown("   -      16     3.0     1.5       0\n");
    assert_row("\n,16,3.00,1.5,0,,,,,0,0,");
}

APP_TEST(each_node)
{
    set_machine();
    set_two_nodes();
    assert_int_equal(start(LATENCY), 0);
    assert_int_equal(seen_count, 12 * EACH * 2);
    for (unsigned i = 0; i < seen_count; i++)
        assert_int_equal(seen[i].physical >= NODE_1_MEMORY, i / EACH % 2);
    assert_shown("   0      16     3.0     1.5");
    assert_shown("   1      16    13.0     6.5");
    assert_row("\n1,32768,4106.00,2053.0,");
    assert_int_equal(fact(FOLDER, "latency.lists"), 24);
}

APP_TEST(one_node)
{
    set_machine();
    set_two_nodes();
    assert_int_equal(start(LATENCY "memory=1"), 0);
    assert_int_equal(seen_count, 12 * EACH);
    assert_true(seen[0].physical >= NODE_1_MEMORY);
    assert_int_equal(fact(FOLDER, "latency.lists"), 12);
}

/* Silicon without IBS has ticks alone, and nothing samples. */
APP_TEST(without_ibs)
{
    set_machine();
    fake_session.machine.hypervisor = false;
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start(LATENCY), 0);
    assert_int_equal(seen_count, 12 * 4);
    assert_false(fake_session.pass[1].ibs.op || fake_session.pass[4].ibs.op);
    assert_int_equal(seen[3].hops, 256 + (1 << 18));
    assert_int_equal(seen[47].hops, (32 << 14) + (1 << 18));
    assert_shown("   -      16     3.0     1.5       0\n");
}

/* On silicon with IBS the undisturbed passes run without it. */
APP_TEST(silicon)
{
    set_machine();
    fake_session.machine.hypervisor = false;
    assert_int_equal(start(LATENCY), 0);
    assert_int_equal(seen_count, 12 * EACH);
    assert_false(fake_session.pass[0].ibs.op || fake_session.pass[3].ibs.op);
    assert_int_equal(fake_session.pass[4].ibs.op_period, 4096);
}

/* A pass that fails ends the run; figures measured before are printed. */
APP_TEST(failure)
{
    set_machine();
    fake_session.fail_at = 8;
    assert_int_equal(start(LATENCY), 1);
    assert_int_equal(fake_session.runs, 8);
    assert_shown("   -      16     3.0     1.5      19");
    assert_shown("   -      32       ?\n");
    assert_int_equal(fact(FOLDER, "latency.measured"), 1);
    assert_row("\n,32,,,0,,,,,0,");
}

APP_TEST(no_room)
{
    set_machine();
    set_two_nodes();
    fake_session.machine.l3_kb = 512 << 10;
    assert_int_equal(start(LATENCY), 1);
    assert_says("the lists");
    assert_int_equal(fake_session.runs, 0);
}

/* The L3 is a core complex' share, and the last list is four times as large if memory allows. */
APP_TEST(largest)
{
    struct machine machine = {.l3_kb = 6144, .cores = 4};

    assert_int_equal(latency_most_kb(&machine), 32768);
    machine.l3_kb = 0;
    assert_int_equal(latency_most_kb(&machine), 8192);
    machine = (struct machine){.l3_kb = 256 << 10, .cores = 128, .topology = {.sharers = 16}};
    assert_int_equal(latency_most_kb(&machine), 131072);
    machine.topology.sharers = 128;
    assert_int_equal(latency_most_kb(&machine), 512 << 10);
    machine.l3_kb = 96 << 10;
    assert_int_equal(latency_most_kb(&machine), 512 << 10);
    machine.l3_kb = 64 << 10;
    assert_int_equal(latency_most_kb(&machine), 256 << 10);
}

RUN_TESTS(fixture_load, fixture_teardown)
