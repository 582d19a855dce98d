/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole runs, each compared with a golden file: status, screen, what the sessions and the noise loops were asked to do,
 * and all files that were written. The samples are few and uneven, so that every figure can be worked out by hand; a
 * comment above each test says where figures come from. The code map has 14 instructions (map.c), over which samples
 * are distributed in turn; the culprit, fmul, is number 3. */
#include "core/family/ibs_regs.h"
#include "tests/unit/app/fake_loops.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/app/map.h"
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

/* ---------------------------------------------------------------- machines */

enum { APERF = 0xE8, MPERF = 0xE7, HWCR = 0xC0010015, PSTATE_LIMIT = 0xC0010061, PSTATE = 0xC0010063 };

/* Sets a machine without a hypervisor, whose processor has the registers that the noise certificate reads. Boost is off
 * (HWCR bit 25), the P-state is 1, the limit 1. */
static void set_silicon(void)
{
    fake_session.machine.hypervisor = false;
    fake_session.machine.hypervisor_signature[0] = '\0';
    fake_session.machine.max_leaf = 6;
    fake_session.machine.max_extended_leaf = 0x8000001B;
    fake_session.machine.apic_msr = FAKE_APIC | 0x900;
    fake_set_leaf(6, 0, 0, 1, 0);
    fake_set_leaf(0x80000007, 0, 0, 0, 1 << 7 | 1 << 9);
    fake_add_msr(APERF, 777, ~0ull);
    fake_add_msr(MPERF, 888, ~0ull);
    fake_add_msr(HWCR, 1 << 25, 0);
    fake_add_msr(PSTATE_LIMIT, 1, 0);
    fake_add_msr(PSTATE, 1, 0);
    fake_session.aperf = 3000;
    fake_session.mperf = 4000;
}

static void set_revision_b(void)
{
    fake_session.machine.model = 2;
    fake_session.machine.revision = 'B';
    fake_session.machine.ibs_leaf = false;
    fake_session.machine.ibs_caps = 7;
    fake_session.machine.errata = IBS_E_420 | IBS_E_FETCH_LINAD;
}

/* Sets the data sources of the culprit's loads in turn: L3, another core's cache, DRAM; the last two also on the other
 * node. */
static void set_sources(void)
{
    static const uint64_t served[] = {IBS_NB_L3,
                                      IBS_NB_CACHE,
                                      IBS_NB_DRAM,
                                      IBS_NB_CACHE | IBS_NB_DST_PROC,
                                      IBS_NB_DRAM | IBS_NB_DST_PROC,
                                      IBS_NB_DRAM | IBS_NB_DST_PROC};

    fake_session.culprit = MAP_FMUL;
    memcpy(fake_session.served, served, sizeof(served));
    fake_session.served_count = sizeof(served) / sizeof(served[0]);
}

/* ---------------------------------------------------------------- IBS */

/* There are 91 op samples: 2 are elsewhere, 3 on the handler, 2 on the edges, and 84 go six times over the map; of 16
 * fetches 9 are left, 2 of them in the map. The ring holds 100 of 107, so 7 are lost. */
APP_TEST(ibs_on_the_model)
{
    fake_session.op_samples = 91;
    fake_session.fetch_samples = 16;
    fake_session.elsewhere = 2;
    fake_session.in_handler = 3;
    fake_session.edges = 2;
    fake_session.result.counts = (struct nmi_counts){.nmi = 107, .empty = 1};
    set_sources();
    check_golden("ibs_model.txt", start("menu=no n=50 op_period=160 fetch_period=320 seed=7 records=100"));
}

/* Cycles are counted, intervals are fixed, frames are shuffled, two registers have changed, other NMIs and interrupts
 * came, and the certificate reports something: gaps before and after from 400 ticks (200 ns) to 9000 (4.5 us). */
APP_TEST(ibs_on_revision_b)
{
    set_silicon();
    set_revision_b();
    fake_session.op_samples = 28;
    fake_session.fetch_samples = 0;
    fake_session.interrupts = 28;
    fake_session.result.counts = (struct nmi_counts){.nmi = 34, .empty = 1, .late = 2, .foreign = 3};
    fake_session.result.spurious_interrupts = 4;
    fake_session.result.restore = (struct restore_log){
        .row = {{.what = "MSR C001_001F NB_CFG", .before = 8, .after = 8, .undone = true, .ok = true},
                {.what = "APIC 500h", .kind = RESTORE_NOTE, .before = 0x10000, .after = 0x400, .undone = true},
                {.what = "IDT",
                 .kind = RESTORE_NOTE,
                 .before = 0xF1DE0000,
                 .after = 0xF1DE0000,
                 .undone = true,
                 .ok = true},
                {.what = "CR3", .kind = RESTORE_CR3, .before = 1, .after = 2, .undone = true}},
        .count = 4};
    memcpy(fake_loops.detour[0],
           (struct fake_detour[]){{1000, 400, NOISE_SMI}, {5000, 9000, NOISE_NMI}, {50000, 600, NOISE_UNKNOWN}},
           3 * sizeof(struct fake_detour));
    memcpy(fake_loops.detour[1],
           (struct fake_detour[]){{2000, 800, NOISE_INTERRUPT}, {3000, 700, NOISE_PSTATE}, {4000, 500, NOISE_SMI}},
           3 * sizeof(struct fake_detour));
    check_golden(
        "ibs_revision_b.txt",
        start("menu=no n=50 random=no fetch=no pages=2m frames=shuffled frame_seed=9 code_pages=4k limit_ms=64"));
}

/* ---------------------------------------------------------------- several cores */

/* Three of four cores on two nodes work, led by one that does not: samples, beginnings and NMIs are uneven; each core's
 * share of the common arena is right. */
APP_TEST(cores_of_two_nodes)
{
    set_two_nodes();
    set_sources();
    fake_session.core[1] = (struct fake_core){
        .own = true, .op_samples = 14 * 7, .fetch_samples = 3, .later = 500, .counts = {.nmi = 101, .empty = 1}};
    fake_session.core[2] = (struct fake_core){.own = true,
                                              .op_samples = 14 * 3,
                                              .fetch_samples = 5,
                                              .later = 300,
                                              .counts = {.nmi = 47, .late = 2},
                                              .spurious = 1};
    fake_session.core[3] = (struct fake_core){.own = true,
                                              .op_samples = 14 * 12,
                                              .fetch_samples = 0,
                                              .later = 900,
                                              .counts = {.nmi = 170, .foreign = 5},
                                              .spurious = 2};
    check_golden("cores_two_nodes.txt", start("menu=no cores=1-3 workload=own-page rounds=2 seed=50 records=1000"));
}

/* Core 1 cannot be started, core 2 does not end its measured part, core 3 ends with an error of its own, core 4 never
 * begins, core 5 works, and a register of core 0 is not restored. */
APP_TEST(cores_that_are_lost)
{
    fake_fw.cores = 6;
    fake_fw.refused = 1 << 1;
    fake_fw.dead = 1 << 4;
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 1;
    fake_session.core[2].given_up_at = GANG_READY;
    fake_session.core[3].error = SESSION_LVT_WRITE;
    fake_session.core[3].error_detail = 0x10400;
    fake_session.core[0].restore = (struct restore_log){
        .row = {{.what = "CR3", .kind = RESTORE_CR3, .before = 1, .after = 2, .undone = true}}, .count = 1};
    check_golden("cores_lost.txt", start("menu=no cores=all n=20 limit_ms=320 core_start=firmware"));
    fake_memory_give_all();
}

/* ---------------------------------------------------------------- counting */

/* 20 hops are 64 instructions (docs/workloads.md), of which the ret is in the empty passes, too. Each pass counts 2
 * more of each event than the one before, and each event counts its overhead in each pass; a pass over nothing counts 5
 * more if it comes after the workload. */
APP_TEST(counts_on_silicon)
{
    static const struct fake_count counts[] = {
        {0x0C0, 1000, 30, 0}, {0x0C2, 20, 0, 0}, {0x0C4, 400, 7, 0}, {0x0C1, 300, 0, 2}, {0x076, 2000, 50, 0}};

    set_silicon();
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.drift = 2;
    fake_session.settling = 5;
    fake_session.mperf = 0;
    check_golden("counts.txt", start("menu=no config=count workload=pointer-chase hops=20 kb=4 repeats=2 "
                                     "events=0C0:u,0C0,0C2,0C4,0C1:i:c=2,040:k,041:u:e,076:u"));
}

/* The processor's events agree: 1 M cycles, half of the slots retire, back end 30 %. */
APP_TEST(exploration)
{
    static const struct fake_count counts[] = {
        {0x076, 1000000, 0, 0}, {0x0C0, 1200000, 0, 0}, {0x0C1, 1500000, 0, 0}, {0x0C1, 800000, 0, 1},
        {0x0C1, 500000, 0, 2},  {0x0C1, 200000, 0, 3},  {0x0C2, 200000, 0, 0},  {0x0D0, 100000, 0, 0},
        {0x0D1, 300000, 0, 0},  {0x0D5, 100000, 0, 0},  {0x0D8, 250000, 0, 0},  {0x040, 600000, 0, 0},
        {0x041, 20000, 0, 0},   {0x042, 20000, 0, 0},   {0x043, 10000, 0, 0},
    };

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 1000;
    fake_session.op_samples = 43;
    fake_session.edges = 1; /* a sample that makes no sense and is left out */
    fake_session.not_modelled[0] = 0x0DB;
    set_sources();
    check_golden("explore.txt", start("menu=no n=50 config=explore"));
}

/* ---------------------------------------------------------------- sampling by counters */

/* Five events in two groups, run twice; one is not modelled, one has its own period. 1 sample in 14 is the handler's.
 * The periods of the others: 50 x 50 x 22 ops with one sample in 5000 are 22, over 2 or 3 members. */
APP_TEST(events_by_reruns)
{
    static const struct fake_count counts[] = {{0x0C0, 28000, 0, 0}, {0x041, 1400, 0, 0}, {0x076, 56000, 0, 0}};

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 700;
    fake_session.drift = 30;
    fake_session.between = 10000000;
    fake_session.in_handler = 1;
    fake_session.not_modelled[0] = 0x0C4;
    check_golden("events_rerun.txt",
                 start("menu=no n=50 config=events repeats=2 events=076,0C0,0C2,0C4,040,041:u@500"));
}

/* Events take turns of unequal length on two cores; the second core counts 600 more of everything. */
APP_TEST(events_by_turns)
{
    static const struct fake_count counts[] = {{0x0C0, 280000, 0, 0}, {0x041, 14000, 0, 0}};

    fake_fw.cores = 2;
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 7000;
    fake_session.group_tsc[0] = 2000000;
    fake_session.group_tsc[1] = 1000000;
    fake_session.core[1].more = 600;
    fake_session.core[1].later = 40;
    fake_session.core[1].counts.nmi = 9;
    check_golden("events_turns.txt",
                 start("menu=no n=20 cores=all config=events periods=given sharing=multiplex repeats=2 "
                       "slice_us=250 seed=3 events=076@50000,0C0@50000,0C2@5000,040@1000,041@500"));
}

/* Level 1 in one run: two groups take turns, and the second has a quarter of the time. A sample stands for 250 events,
 * and the map's instructions have samples in turn. */
APP_TEST(exploration_by_function)
{
    static const struct fake_count counts[] = {
        {0x076, 500000000, 0, 0}, {0x0C0, 600000000, 0, 0}, {0x0C1, 750000000, 0, 0}, {0x0C3, 500000, 0, 0},
        {0x0D0, 10000000, 0, 0},  {0x0D1, 50000000, 0, 0},  {0x0D2, 100000, 0, 0},
    };

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 7000;
    fake_session.group_tsc[0] = 3000000;
    fake_session.group_tsc[1] = 1000000;
    check_golden("explore_functions.txt",
                 start("menu=no n=50 config=explore_functions sharing=multiplex periods=given random=no save=no"));
}

APP_TEST(counters_beside_ibs)
{
    static const struct fake_count counts[] = {
        {0x0C0, 500000, 0, 0}, {0x040, 750000, 0, 0}, {0x041, 25000 * 17, 0, 0}, {0x046, 25000 * 33, 0, 0}};

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 7000;
    fake_session.op_samples = 70;
    set_sources();
    check_golden("skid.txt", start("menu=no n=50 config=skid periods=given random=no"));
}

/* There are 30 samples: 1 is elsewhere, 2 are on the handler, 2 on the edges; the last two do not fit. */
APP_TEST(the_timer)
{
    fake_session.timer_samples = 32;
    fake_session.elsewhere = 1;
    fake_session.in_handler = 2;
    fake_session.edges = 2;
    check_golden("timer.txt", start("menu=no n=50 config=tbp timer_us=250 records=30 limit_ms=10"));
}

/* ---------------------------------------------------------------- noise */

/* Noise is measured with everything off (loop 0), then masked, then as the firmware runs; a duration of 2 ms is 4
 * million ticks. Detours of 300 ticks (150 ns) are noise by the usual gap only, those of 4000 (2 us) by both
 * thresholds. */
APP_TEST(noise_on_silicon)
{
    set_silicon();
    fake.apic[0x30 / 16] = 0x50010; /* six entries, of which the timer's and the counters' are masked */
    fake.apic[0x360 / 16] = 0x400;
    memcpy(fake_loops.detour[0], (struct fake_detour[]){{10000, 300, NOISE_SMI}}, sizeof(struct fake_detour));
    memcpy(fake_loops.detour[1],
           (struct fake_detour[]){{10000, 4000, NOISE_SMI}, {20000, 300, NOISE_PSTATE}, {30000, 300, NOISE_UNKNOWN}},
           3 * sizeof(struct fake_detour));
    memcpy(fake_loops.detour[2],
           (struct fake_detour[]){{400000, 4000, NOISE_INTERRUPT},
                                  {1400000, 5000, NOISE_INTERRUPT},
                                  {2400000, 6000, NOISE_INTERRUPT},
                                  {3400000, 7000, NOISE_NMI}},
           4 * sizeof(struct fake_detour));
    fake_loops.backwards[2] = 1;
    fake_session.result.counts = (struct nmi_counts){.nmi = 3, .foreign = 1};
    fake_session.result.spurious_interrupts = 2;
    fake_msr(MSR_PERF_CTL(0))->value = 0x76; /* as another program has left them */
    fake_msr(MSR_PERF_CTR(1))->value = 1234;
    check_golden("noise_silicon.txt",
                 start("menu=no config=noise noise_ms=2 noise_quanta=10 noise_work=100 noise_detours=3"));
    assert_int_equal(fake_session.pmc_ctl_after[0], 0x76);
    assert_int_equal(fake_msr(MSR_PERF_CTL(0))->value, 0x76);
    assert_int_equal(fake_msr(MSR_PERF_CTR(1))->value, 1234);
}

/* There is no AMD processor, the APIC is out of reach, and interrupts are already off; the model's defaults are shown
 * under its name. */
APP_TEST(noise_where_nothing_can_be_read)
{
    fake_session.machine.amd = fake_session.machine.ibs = false;
    fake_session.machine.family = 6;
    fake_session.machine.revision = 0;
    fake_family(&fake_session.machine);
    memcpy(fake_session.machine.vendor, "GenuineIntel", 13);
    fake.flags &= ~(uint64_t)CPU_FLAG_INTERRUPT;
    check_golden("noise_nothing.txt", start("menu=no config=noise"));
}

/* ---------------------------------------------------------------- beside a pass that nothing disturbs */

/* On silicon with APERF and MPERF, IBS samples ops by ops, and fetches; each NMI adds 3 to the counts. */
APP_TEST(a_reference_of_ibs)
{
    static const struct fake_count counts[] = {{0x076, 400000, 10, 0}, {0x0C0, 300000, 5, 0}, {0x041, 900, 1, 0}};

    set_silicon();
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.op_samples = 90;
    fake_session.fetch_samples = 20;
    fake_session.handler = 3;
    set_sources();
    check_golden("reference_ibs.txt", start("menu=no n=50 reference=yes seed=5 op_period=160 fetch_period=320"));
}

/* All periods are measured except for the given one; without a hypervisor none would be. */
APP_TEST(a_reference_of_events)
{
    static const struct fake_count counts[] = {{0x0C0, 280000, 0, 0}, {0x041, 1400, 3, 0}, {0x076, 560000, 7, 0}};

    set_silicon();
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.otherwise = 700;
    fake_session.handler = 2;
    check_golden("reference_events.txt",
                 start("menu=no n=50 reference=yes seed=6 config=events periods=measured events=076,0C0,041:u@500"));
}

APP_TEST(a_reference_of_the_timer)
{
    static const struct fake_count counts[] = {{0x0C0, 280000, 0, 0}, {0x041, 1400, 3, 0}, {0x076, 560000, 7, 0}};

    set_silicon();
    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.timer_samples = 40;
    fake_session.handler = 2;
    check_golden("reference_timer.txt", start("menu=no n=50 reference=yes seed=6 config=tbp timer_us=250"));
}

/* Runs without a reference have given periods and those of the table. */
APP_TEST(events_of_the_table)
{
    static const struct fake_count counts[] = {{0x0C0, 280000, 0, 0}, {0x041, 1400, 3, 0}, {0x076, 560000, 7, 0}};

    set_silicon();
    memcpy(fake_session.count, counts, sizeof(counts));
    check_golden("events_table.txt", start("menu=no n=50 seed=6 config=events events=076,0C0,041:u@500"));
}

/* ---------------------------------------------------------------- the self-test */

/* One counter and one sample fit, the others do not; registers and interrupts are as each of the trials left them. */
APP_TEST(the_selftest)
{
    static const struct fake_count counts[] = {{0x0C0, 120012, 5, 0}, {0x0C2, 20003, 1, 0}, {0x0C4, 20001, 0, 0}};

    memcpy(fake_session.count, counts, sizeof(counts));
    fake_session.op_samples = 300;
    fake_session.fetch_samples = 90;
    fake_session.timer_samples = 4;
    fake_session.result.spurious_interrupts = 2;
    fake_session.result.counts = (struct nmi_counts){.nmi = 9, .empty = 1, .late = 2, .foreign = 3};
    fake_session.result.restore =
        (struct restore_log){.row = {{.what = "MSR C001_001F NB_CFG", .before = 1, .after = 1, .ok = true},
                                     {.what = "MSR C001_0015 HWCR, boost", .before = 1, .after = 2}},
                             .count = 2,
                             .failed = 1};
    check_golden("selftest.txt", start("menu=no config=selftest seed=11 limit_ms=50"));
}

/* There are no fetch samples, and op samples only by cycles. */
APP_TEST(the_selftest_of_little)
{
    set_silicon();
    fake_session.machine.ibs_caps = 1 << 0 | 1 << 2;
    fake_session.op_samples = 70;
    check_golden("selftest_little.txt", start("menu=no config=selftest seed=3"));
}

/* ---------------------------------------------------------------- what ends a run early */

/* Runs under another hypervisor than the virtual PMU's. */
APP_TEST(an_exception)
{
    memcpy(fake_session.machine.hypervisor_signature, "KVMKVMKVM", 10);
    fake_session.op_samples = 14;
    fake_session.fetch_samples = 14;
    fake_session.result = (struct session_result){
        .error = SESSION_FAULT,
        .faulted = true,
        .fault_phase = SESSION_BODY,
        .fault = {.vector = 14,
                  .error = 2,
                  .rip = IMAGE_BASE + 0x1009,
                  .rsp = 0x4000010000,
                  .rflags = 0x10246,
                  .cr2 = 0xdead000,
                  .gpr = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xfeedface}},
    };
    check_golden("fault.txt", start("menu=no n=50"));
}

APP_TEST(the_time_limit)
{
    set_silicon();
    fake_session.fetch_samples = 5; /* in one function, and in one line of it */
    fake_session.result.error = SESSION_LIMIT;
    check_golden("limit.txt", start("menu=no n=50 op=no"));
}

/* ---------------------------------------------------------------- without a run */

APP_TEST(settings)
{
    assert_int_equal(start("show=show"), 0);
    check_golden_text("show.txt", strchr(fake_fw.screen, '\n') + 1);
}

APP_TEST(a_machine_that_is_refused)
{
    fake_fw.cores = 4;
    fake_session.machine = (struct machine){
        .vendor = "CentaurHauls",
        .family = 0x2A,
        .model = 0x1F,
        .stepping = 13,
        .hypervisor = true,
        .hypervisor_signature = "KVMKVMKVM",
        .cores = 3,
        .nodes = {.count = 2, .mask = 3, .interleaved = true, .ranges = 2, .range = {{0, 1 << 20, 0}, {0, 1 << 20, 1}}},
        .tsc_khz = 1234567};
    check_golden("refused.txt", start("menu=no"));
}

RUN_TESTS(fixture_load, NULL)
