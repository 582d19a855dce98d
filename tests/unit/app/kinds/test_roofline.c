/* SPDX-License-Identifier: BSD-2-Clause */
/* Rooflines: which loops run, where, what is counted, and what is printed if a loop was not counted. */
#include <stdio.h>
#include <string.h>

#include "app/run/passes.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"
#include "workloads/fp_peak.h"

#define ROOFLINE "menu=no config=roofline "
#define FOLDER   "0001-tight-loop-roofline"

enum { SEEN = 40, FABRIC = 0xC0010240, MEMORY = 0xC0010800 };

/* Each loop has FLOPs, lines, and ticks of the TSC at 2 GHz. Its first pass takes longer. */
static const struct {
    const char *workload;
    uint64_t operations, lines, ticks;
} loops[] = {{"fp-peak", 8000, 10, 2000}, {"stream-triad", 1000, 4000, 51200}, {"tight-loop", 500, 200, 4000}};

static struct {
    const char *workload;
    uint32_t params[2], core, cores;
    struct paging_slots slots;
    uint64_t physical, size, stack_top;
    bool wide;
} seen[SEEN];
static unsigned seen_count, slower;

static const struct passes_core *core_in(const struct session_plan *plan)
{
    return plan->calls.argument;
}

static void on_run(const struct session_plan *plan)
{
    const struct passes_core *core = core_in(plan);
    unsigned before = 0;

    if (!core)
        return;
    assert_in_range(seen_count, 0, SEEN - 1);
    for (unsigned i = 0; i < seen_count; i++)
        before += strcmp(seen[i].workload, core->workload->name) == 0;
    seen[seen_count].workload = core->workload->name;
    seen[seen_count].params[0] = core->params[0];
    seen[seen_count].params[1] = core->params[1];
    seen[seen_count].core = core->params[WORKLOAD_CORE];
    seen[seen_count].cores = core->params[WORKLOAD_CORES];
    seen[seen_count].slots = plan->place.paging.slots;
    seen[seen_count].physical = plan->place.paging.physical;
    seen[seen_count].size = plan->place.paging.size;
    seen[seen_count].stack_top = plan->place.stack_top;
    seen[seen_count++].wide = plan->place.paging.kind == PAGING_2M;
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(loops[i].workload, core->workload->name) != 0)
            continue;
        fake_session.count[0] = (struct fake_count){.select = 0x003, .total = loops[i].operations};
        fake_session.count[1] = (struct fake_count){.select = 0x1E0, .total = loops[i].lines};
        fake_session.group_tsc[0] = loops[i].ticks + (before ? 0 : slower);
    }
}

static void set_machine(void)
{
    seen_count = slower = 0;
    fake_session.on_run = on_run;
    fake_session.machine.tsc_khz = fake_session.tsc_khz = 2000000;
}

/* Counts outside the cores increase by these lines in each body: the first register reads, the other writes. */
static uint32_t outer_msr;
static unsigned outer_step;
static void body(const struct session_plan *plan)
{
    plan->calls.body(plan->calls.argument, plan->place.paging.physical);
    fake_msr(outer_msr)->value += 30;
    fake_msr(outer_msr + outer_step)->value += 4;
}

static void set_outer(uint32_t family, uint32_t model, uint32_t first, unsigned step)
{
    set_machine();
    set_family(family, model);
    fake_session.machine.extended_ecx |= 1u << 24;
    fake_session.machine.max_extended_leaf = 0x80000022;
    fake_session.body = body;
    fake_set_leaf(0x80000022, 3, 4u << 16 | 6, 1, 0);
    for (unsigned n = 0; n < 8; n++)
        fake_add_msr(first + n, 0, ~0ull);
    outer_msr = first + 1;
    outer_step = step;
}

static void assert_facts(const char *loop, long long operations, long long bytes, long long ns)
{
    char key[60];

    snprintf(key, sizeof(key), "roofline.%s.operations", loop);
    assert_int_equal(fact(FOLDER, key), operations);
    snprintf(key, sizeof(key), "roofline.%s.bytes", loop);
    assert_int_equal(fact(FOLDER, key), bytes);
    snprintf(key, sizeof(key), "roofline.%s.ns", loop);
    assert_int_equal(fact(FOLDER, key), ns);
}

APP_TEST(each_loop)
{
    set_machine();
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_int_equal(fake_session.runs, 6);
    assert_string_equal(seen[0].workload, "fp-peak");
    assert_string_equal(seen[3].workload, "stream-triad");
    assert_string_equal(seen[4].workload, "tight-loop");
    assert_string_equal(seen[5].workload, "tight-loop");
    for (unsigned i = 0; i < 5; i++) {
        const struct fake_pass *pass = &fake_session.pass[i];

        assert_string_equal(group_text(pass, 0), "076 003 1e0");
        assert_int_equal(pass->pmc.mode, PMC_COUNTING);
        assert_int_equal(pass->part, VPMU_PART_OTHER);
        assert_false(pass->ibs.op || pass->ibs.fetch);
    }
    assert_int_equal(fake_session.pass[0].pmc.event[0].unit_mask, 0x7F);
    assert_int_equal(fake_session.pass[0].pmc.event[1].unit_mask, 0xFF);
    assert_true(fake_session.pass[5].ibs.op);
    assert_int_equal(fake_session.pass[5].part, VPMU_PART_MEASURED);
    assert_int_equal(seen[0].params[0], 4096);
    assert_int_equal(seen[3].params[0], 1);
    assert_int_equal(seen[3].params[1], 1024);
    assert_int_equal(seen[4].params[0], 9);
    assert_facts("operations", 8000, 640, 1000);
    assert_facts("memory", 1000, 256000, 25600);
    assert_facts("workload", 500, 12800, 2000);
    assert_shown("Peaks         3 of fp-peak, 4096 turns, and 1 of stream-triad, 3 x 1024 KB\n");
    assert_shown("workload                          0.250       6.400       0.039\n");
    assert_says("The roof is the peak of memory, 0.391 GFLOP/s at this ratio; 64.0% of it are reached.");
    assert_lines_fit();
}

/* The loops have their own memory, in large pages; the workload keeps its own. */
APP_TEST(memory)
{
    set_machine();
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_true(seen[0].wide && seen[3].wide && !seen[4].wide && !seen[5].wide);
    assert_int_equal(seen[0].physical, seen[3].physical);
    assert_int_equal(seen[0].physical % (2 << 20), 0);
    assert_int_equal(seen[0].size, 4096 + 3 * (1024 * 1024 + 8192) + SESSION_STACK_BYTES);
    assert_int_equal(seen[0].stack_top, seen[0].size);
    assert_int_not_equal(seen[4].physical, seen[0].physical);
    assert_true(seen[0].slots.known);
    assert_memory_equal(&seen[0].slots, &seen[5].slots, sizeof(seen[0].slots));
    assert_int_equal(seen[4].physical, seen[5].physical);
    assert_int_equal(seen[4].size, seen[5].size);
    assert_int_equal(seen[4].size, 4096 + SESSION_STACK_BYTES);
    assert_int_equal(seen[4].stack_top, seen[5].stack_top);
}

/* The certificate covers the sampled pass alone. */
APP_TEST(certificate)
{
    set_machine();
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_int_equal(fact(FOLDER, "certificate.passes"), 1);
}

/* Each loop has three passes, of which the fastest counts; the loops are longer. */
APP_TEST(silicon)
{
    set_machine();
    slower = 1000;
    fake_session.machine.hypervisor = false;
    fake_session.machine.l3_kb = 0;
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_string_equal(seen[2].workload, "fp-peak");
    assert_string_equal(seen[3].workload, "stream-triad");
    assert_string_equal(seen[5].workload, "stream-triad");
    assert_string_equal(seen[6].workload, "tight-loop");
    assert_int_equal(seen[0].params[0], 1 << 20);
    assert_int_equal(seen[3].params[1], 8192 / 3);
    assert_facts("operations", 8000, 640, 1000);
    assert_facts("memory", 1000, 256000, 25600);
    assert_facts("workload", 500, 12800, 2500);
    assert_shown(" and 3 of stream-triad, 3 x 2730 KB\n");
}

/* Two cores of a node would both count its lines. */
APP_TEST(two_cores_of_a_node)
{
    set_machine();
    fake_fw.cores = 2;
    assert_int_equal(start(ROOFLINE "cores=0,1 " SMALL), 0);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "076 003");
    assert_int_not_equal(seen[0].physical, seen[1].physical);
    for (unsigned i = 0; i < seen_count; i++)
        assert_true(seen[i].cores == 2 && seen[i].core == !(i % 2)); /* the boot core runs last */
    assert_int_equal(fact(FOLDER, "roofline.operations.operations"), 16000);
    assert_int_equal(fact(FOLDER, "certificate.core.0.passes"), 1);
    assert_int_equal(fact(FOLDER, "certificate.core.1.passes"), 1);
    assert_string_equal(saved_fact(FOLDER, "roofline.workload.bytes"),
                        "not available: several cores of a node share the count");
    assert_says("Bytes: not counted, several cores of a node share the count.");
    assert_says("The workload's roof is not known.");
}

APP_TEST(not_modelled)
{
    set_machine();
    fake_session.not_modelled[0] = 0x003;
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_says("FLOP: not counted, the virtual PMU does not model the event.");
    assert_string_equal(saved_fact(FOLDER, "roofline.workload.operations"),
                        "not available: the virtual PMU does not model the event");
    assert_int_equal(fact(FOLDER, "roofline.workload.bytes"), 12800);
}

/* On Zen 2 lines are counted by the first channel of the data fabric. */
APP_TEST(data_fabric)
{
    set_outer(0x17, 0x31, FABRIC, 2);
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "076 076 003 fff");
    assert_int_equal(fake_session.pass[0].pmc.event[0].unit_mask, 0x0F);
    assert_facts("operations", 8000, 34 * 64, 1000);
    assert_facts("memory", 1000, 34 * 64, 25600);
    assert_facts("workload", 500, 34 * 64, 2000);
    assert_says("Bytes: to and from DRAM, counted outside of the cores.");
}

/* On Zen 4 the memory controller's reads and writes are counted. */
APP_TEST(memory_controllers)
{
    set_outer(0x19, 0x61, MEMORY, 2);
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_facts("workload", 500, 34 * 64, 2000);
}

/* If two cores share the controller, one counts for both. */
APP_TEST(shared_controllers)
{
    set_outer(0x19, 0x61, MEMORY, 2);
    fake_fw.cores = 2;
    assert_int_equal(start(ROOFLINE "cores=0,1 " SMALL), 0);
    assert_facts("operations", 16000, 34 * 64, 1000);
    assert_facts("workload", 1000, 34 * 64, 2000);
}

/* Each core's loops are in its node's memory, as is its workload. */
APP_TEST(two_nodes)
{
    unsigned tables = 0;

    set_machine();
    set_two_nodes();
    assert_int_equal(start(ROOFLINE "cores=0,2 " SMALL), 0);
    for (unsigned i = 0; i < seen_count; i++)
        assert_int_equal(seen[i].physical >= NODE_1_MEMORY, seen[i].core);
    for (unsigned i = 0; i < fake_fw.placed_count; i++)
        tables += fake_fw.placed[i].size == paging_memory_needed(seen[0].size, PAGING_2M);
    assert_int_equal(tables, 2);
}

/* A core takes memory of another node by default if its own node has none left. */
APP_TEST(no_room_on_the_node)
{
    set_machine();
    set_two_nodes();
    fake_fw.no_room = NODE_1_MEMORY;
    assert_int_equal(start(ROOFLINE "cores=2 " SMALL), 0);
    for (unsigned i = 0; i < seen_count; i++)
        assert_true(seen[i].physical < NODE_1_MEMORY);
    assert_int_equal(start(ROOFLINE "cores=2 memory=local " SMALL), 1);
}

APP_TEST(firmware_counts)
{
    set_outer(0x19, 0x61, MEMORY, 2);
    fake_msr(MEMORY)->value = 1u << 31;
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_string_equal(saved_fact(FOLDER, "roofline.workload.bytes"), "not available: the firmware uses it");
    assert_int_equal(fact(FOLDER, "roofline.workload.operations"), 500);
}

/* Family 16h counts neither reads nor writes. */
APP_TEST(no_controllers)
{
    set_machine();
    set_family(0x16, 0x30);
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_string_equal(group_text(&fake_session.pass[0], 0), "076 003");
    assert_says("Bytes: not counted, neither an event nor a memory controller of the processor counts this.");
}

/* A pass that fails ends the measurement, and the run; figures measured before are printed. */
APP_TEST(failures)
{
    for (unsigned at = 1; at <= 5; at++) {
        fixture_setup(NULL);
        set_machine();
        fake_session.fail_at = at;
        assert_int_equal(start(ROOFLINE SMALL), 1);
        assert_facts("operations", at > 1 ? 8000 : 0, at > 1 ? 640 : 0, at > 1 ? 1000 : 0);
        assert_facts("memory", at > 4 ? 1000 : 0, at > 4 ? 256000 : 0, at > 4 ? 25600 : 0);
        assert_facts("workload", 0, 0, 0);
        assert_says("The workload's roof is not known.");
        assert_says("The roofline was not measured to its end: a model-specific register raised an exception");
        fixture_teardown(NULL);
    }
    fixture_setup(NULL);
}

/* Ticks are printed in nanoseconds, by the TSC's rate. */
APP_TEST(slow_clock)
{
    set_machine();
    fake_session.machine.tsc_khz = fake_session.tsc_khz = 1000;
    assert_int_equal(start(ROOFLINE SMALL), 0);
    assert_int_equal(fact(FOLDER, "roofline.workload.ns"), 4000000);
}

APP_TEST(no_room)
{
    set_machine();
    fake_session.machine.l3_kb = 2 << 20;
    fake_session.machine.caches_told = true;
    fake_session.machine.hypervisor = false;
    fake_fw.cores = 2;
    assert_int_equal(start(ROOFLINE "cores=0,1 " SMALL), 1);
    assert_says("the roofline's loops");
    assert_int_equal(fake_session.runs, 0);
}

APP_TEST(without_ibs)
{
    set_machine();
    fake_session.machine.ibs = fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 0;
    assert_int_equal(start(ROOFLINE SMALL), 1);
    assert_int_equal(fake_session.runs, 0);
    assert_says("no usable IBS: ");
}

APP_TEST(its_events_are_its_own)
{
    set_machine();
    assert_int_equal(start(ROOFLINE SMALL " events=0C0"), 1);
    assert_says("config = roofline: its events cannot be chosen");
}

/* The loops run on the host's processor: the sum of all chains must be right in both halves. */
APP_TEST(fp_peak_computes)
{
    _Alignas(16) double lanes[2];
    const uint32_t params[WORKLOAD_VALUES] = {3};
    struct workload_check found;

    assert_int_equal(fp_peak.arena_size(params), sizeof(lanes));
    fp_peak.prepare(lanes, params);
    assert_false(fp_peak.check(lanes, params, &found));
    fp_peak.run(lanes, params);
    assert_true(fp_peak.check(lanes, params, &found));
    assert_int_equal(found.got, 7 * 4 * 3 + 7);
    lanes[1] += 1;
    assert_false(fp_peak.check(lanes, params, &found));
    lanes[1] = lanes[0] -= 1;
    assert_false(fp_peak.check(lanes, params, &found));
    assert_int_equal(FP_PEAK_OPERATIONS, 112);
    assert_int_equal(FP_PEAK_SUM, 26);
}

RUN_TESTS(fixture_load, fixture_teardown)
