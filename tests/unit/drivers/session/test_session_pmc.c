/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole runs with counters and timer: the order of all steps, every exit path, an exception at each access. */
#include "tests/unit/drivers/run_fixture.h"

#include <inttypes.h>
#include <string.h>

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"

/* Counts retired instructions and DC misses. */
static const struct pmc_plan two_events = {
    .events = 2,
    .event = {{.select = 0x0C0, .os = true, .period = 1000}, {.select = 0x041, .os = true}},
    .groups = 1,
    .group = {{.events = 2, .event = {0, 1}}},
};

static void set_up_pmc(enum pmc_mode mode)
{
    set_up(MODEL_C, 1);
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.pmc = two_events;
    plan.program.pmc.mode = mode;
    /* values that firmware may have left */
    fake_msr(MSR_PERF_CTL(0))->value = 0x20076;
    fake_msr(MSR_PERF_CTR(1))->value = 0x1234567;
    fake.apic[0x34] = 0x100FE;
}

/* Lets both counters count an instruction. */
static void counted(uint64_t instructions, uint64_t misses)
{
    bool nmi = fake_count(0, instructions);
    nmi |= fake_count(1, misses);
    if (nmi)
        fake_nmi();
}

static void counted_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.rip = 0x403000;
    counted(1003, 20);
    counted(17, 3);
}

/* ---------------------------------------------------------------- sequences */

#define ENTER "cli\nlgdt ours\nltr 48\nlidt ours\napic r f0\nfxsave\nfninit\ncr3 ours\nin 61\n"
#define BEGIN ENTER "prepare\n"
#define END   "cr3 firmware\nlidt firmware\nltr 48\nlgdt firmware\nsti\n"
#define SAVE_CLEAR                                                                                                     \
    "rdmsr c0010000\nrdmsr c0010004\nrdmsr c0010001\nrdmsr c0010005\n"                                                 \
    "wrmsr c0010000 0\nwrmsr c0010004 ffffffffffff\nwrmsr c0010001 0\nwrmsr c0010005 ffffffffffff\n"
#define GIVE_BACK                                                                                                      \
    "wrmsr c0010005 1234567\nrdmsr c0010005\nwrmsr c0010001 0\nrdmsr c0010001\n"                                       \
    "wrmsr c0010004 0\nrdmsr c0010004\nwrmsr c0010000 20076\nrdmsr c0010000\n"

TEST(test_sampling_sequence)
{
    set_up_pmc(PMC_SAMPLING);
    plan.calls.body = counted_body;
    run();
    assert_string_equal(fake.log, BEGIN SAVE_CLEAR
                        "wrmsr c0010004 fffffffffc18\nwrmsr c0010000 1200c0\nrdmsr c0010000\n"
                        "wrmsr c0010005 0\nwrmsr c0010001 20041\nrdmsr c0010001\n"
                        "apic r 340\napic w 340 400\napic r 340\n"
                        "wrmsr c0010000 5200c0\nwrmsr c0010001 420041\n"
                        "body\n"
                        "wrmsr c0010000 1200c0\nwrmsr c0010001 20041\n"
                        "rdmsr c0010004\nwrmsr c0010004 fffffffffc18\n" /* the event without a period is not read */
                        "apic w 340 400\nwrmsr c0010000 5200c0\nwrmsr c0010001 420041\n"
                        "wrmsr c0010000 0\nwrmsr c0010001 0\nrdmsr c0010004\nrdmsr c0010005\n"
                        "apic w 340 10400\n"
                        "finish\nfxrstor\n"
                        "apic w 340 100fe\napic r 340\n" GIVE_BACK END);
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.samples, 1);
    assert_int_equal(result.counts.recorded[SAMPLE_PMC], 1);
    assert_int_equal(records[0].reg[PMC_RIP], 0x403000); /* the address in the frame on the NMI's stack */
    assert_int_equal(records[0].reg[PMC_COUNT], 3);
    assert_int_equal(records[0].cpu, 1);
    assert_int_equal(records[1].tsc, 0);
    assert_int_equal(result.pmc.event[0].total, 1020);
    assert_int_equal(result.pmc.event[1].total, 23);
    assert_int_equal(result.pmc.event[0].overflows, 1);
    assert_true(result.pmc.group[0].tsc > 0 && result.pmc.group[0].tsc <= result.tsc_stop - result.tsc_start + 4000);
    assert_int_equal(result.lvt_offset, 0);
    assert_true(same_as_before());
}

TEST(test_counting_sequence)
{
    set_up_pmc(PMC_COUNTING);
    plan.place.records = NULL;
    plan.place.capacity = 0;
    plan.calls.body = counted_body;
    run();
    assert_string_equal(fake.log,
                        BEGIN SAVE_CLEAR "wrmsr c0010004 0\nwrmsr c0010000 200c0\nrdmsr c0010000\n"
                                         "wrmsr c0010005 0\nwrmsr c0010001 20041\nrdmsr c0010001\n"
                                         "wrmsr c0010000 4200c0\nwrmsr c0010001 420041\n"
                                         "body\n"
                                         "wrmsr c0010000 200c0\nwrmsr c0010001 20041\n"
                                         "wrmsr c0010000 0\nwrmsr c0010001 0\nrdmsr c0010004\nrdmsr c0010005\n"
                                         "finish\nfxrstor\n" GIVE_BACK END);
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.pmc.event[0].total, 1020);
    assert_int_equal(result.pmc.event[1].total, 23);
    assert_int_equal(result.counts.nmi, 0);
    assert_int_equal(fake.pauses, 0); /* no late NMI can come */
    assert_true(same_as_before());
}

/* A time limit that is not reached changes no count. */
TEST(test_counting_with_a_limit)
{
    set_up_pmc(PMC_COUNTING);
    plan.program.timer.limit_ms = 1000;
    plan.calls.body = counted_body;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.pmc.event[0].total, 1020);
    assert_int_equal(result.pmc.event[1].total, 23);
    assert_non_null(strstr(fake.log, "wrmsr c0010000 4200c0\nwrmsr c0010001 420041\n"
                                     "body\n"
                                     "wrmsr c0010000 200c0\nwrmsr c0010001 20041\n"));
    assert_true(same_as_before());
}

/* IBS runs, and its handler works as without counters. */
TEST(test_counting_beside_ibs)
{
    set_up_pmc(PMC_COUNTING);
    plan.program.ibs = (struct ibs_plan){.op = true, .op_period = 0x20000};
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_non_null(strstr(fake.log, "wrmsr c0011033 22000\nrdmsr c0011033\n"
                                     "wrmsr c0010000 4200c0\nwrmsr c0010001 420041\nbody\n"));
    assert_true(same_as_before());
}

static void ticking_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.rip = 0x404000;
    fake.tsc += 2500000;
    fake_nmi();
}

TEST(test_timer_sequence)
{
    set_up(MODEL_C, 1);
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.timer = (struct timer_plan){.period = 1000};
    plan.calls.body = ticking_body;
    fake.apic[0x38] = 0x5678; /* firmware's timer */
    fake.apic[0x3E] = 0xA;
    fake.apic[0x32] = 0x200F0;
    run();
    assert_string_equal(
        fake.log, ENTER
        "apic r 380\napic r 3e0\napic r 320\napic w 320 10400\n"
        "apic w 3e0 b\napic w 380 ffffffff\napic r 390\napic r 390\napic w 380 0\n"
        "apic w 320 400\napic r 320\n"
        "apic r 320\napic r 3e0\napic w 3e0 b\napic w 320 400\napic w 380 9c4\n" /* 10 us: the timer's NMI comes */
        "apic w 380 0\napic w 3e0 b\napic w 320 400\n"
        "prepare\n"
        "apic w 380 3d090\n"
        "body\n"
        "apic r 390\napic w 380 3d090\n"
        "apic r 390\napic w 320 10400\napic w 380 0\napic w 320 10400\n"
        "finish\nfxrstor\n"
        "apic w 320 200f0\napic r 320\napic w 3e0 a\napic r 3e0\napic w 380 5678\napic r 380\n" END);
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.samples, 1);
    assert_int_equal(result.counts.recorded[SAMPLE_TIMER], 1);
    assert_int_equal(result.timer.by, TIMER_BY_APIC);
    assert_int_equal(result.counts.nmi, 1); /* the test's NMI is not among them */
    assert_int_equal(result.timer.khz, 250000);
    assert_int_equal(result.timer.count, 250000);
    assert_int_equal(records[0].reg[TIMER_RIP], 0x404000);
    assert_true(same_as_before());
}

static void clock_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake.rip = 0x404000;
    if (fake_count(3, 2500000))
        fake_nmi();
}

/* The timer's entry accepts NMI, but none comes: the last counter's overflow is the tick. */
TEST(test_ticks_by_counter)
{
    set_up(MODEL_C, 1);
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.timer = (struct timer_plan){.period = 1000};
    plan.calls.body = clock_body;
    fake.timer_nmis = false;
    fake_msr(MSR_PERF_CTL(3))->value = 0x20076;
    fake_msr(MSR_PERF_CTR(3))->value = 0x1234567;
    fake.apic[0x34] = 0x100FE;
    run();
    const char *test = strstr(fake.log, "apic w 320 10400\napic w 380 0\nrdmsr"),
               *prepared = strstr(fake.log, "prepare\n");
    assert_true(test && prepared && test < prepared);
    static const char wanted[] =
        "apic w 320 10400\napic w 380 0\n"
        "rdmsr c0010003\nrdmsr c0010007\napic r 340\n"
        "apic w 340 400\nwrmsr c0010007 ffffffff9e58\nwrmsr c0010003 530076\nrdmsr c0010003\n"
        "wrmsr c0010003 0\n"
        "wrmsr c0010007 0\nwrmsr c0010003 530076\nrdmsr c0010003\n" /* the counter's clocks in 100 us */
        "rdmsr c0010007\nrdmsr c0010007\nwrmsr c0010003 0\n";
    assert_memory_equal(test, wanted, sizeof wanted - 1);
    assert_string_equal(prepared,
                        "prepare\n"
                        "wrmsr c0010007 ffffffd9da60\napic w 340 400\nwrmsr c0010003 530076\nrdmsr c0010003\n"
                        "body\n"
                        "rdmsr c0010007\nwrmsr c0010007 ffffffd9da60\napic w 340 400\n"
                        "rdmsr c0010007\napic w 320 10400\napic w 380 0\napic w 340 10400\nwrmsr c0010003 0\n"
                        "apic w 340 10400\napic w 320 10400\n"
                        "finish\nfxrstor\n"
                        "apic w 340 100fe\napic r 340\n"
                        "wrmsr c0010007 1234567\nrdmsr c0010007\nwrmsr c0010003 20076\nrdmsr c0010003\n"
                        "apic w 320 10000\napic r 320\napic w 3e0 0\napic r 3e0\napic w 380 0\napic r 380\n" END);
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.timer.by, TIMER_BY_COUNTER);
    assert_int_equal(result.timer.khz, 2500000);
    assert_int_equal(result.timer.count, 2500000);
    assert_int_equal(result.counts.recorded[SAMPLE_TIMER], 1);
    assert_int_equal(result.counts.nmi, 1);
    assert_int_equal(records[0].reg[TIMER_RIP], 0x404000);
    assert_true(same_as_before());
}

static unsigned clock_pauses;

static void see_clock(unsigned pauses)
{
    clock_pauses += fake_msr(MSR_PERF_CTL(3))->value && !(fake_msr(MSR_PERF_CTR(3))->value >> 47);
}

/* The core runs at twice the TSC's rate, which is measured in 100 us and no less: the interval is the requested time,
 * as far as a count has room for it. A reading of the TSC takes 1000 ticks. */
TEST(test_counter_at_the_core_clock)
{
    static const struct {
        uint32_t period, tsc_khz, count;
        unsigned pauses; /* including the pause in which the test ended */
    } rows[] = {
        {1000, 2500000, 5000000, 251}, {1000, 2500010, 5000020, 252}, {TIMER_PERIOD_MAX, 2500000, UINT32_MAX, 251}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(MODEL_C, 1);
        machine.tsc_khz = rows[i].tsc_khz;
        plan.program.ibs = (struct ibs_plan){0};
        plan.program.timer = (struct timer_plan){.period = rows[i].period};
        fake.timer_nmis = false;
        fake.clock_nmis = 2;
        fake.on_pause = see_clock;
        clock_pauses = 0;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(result.timer.by, TIMER_BY_COUNTER);
        assert_int_equal(result.timer.khz, 2 * rows[i].tsc_khz);
        assert_int_equal(result.timer.count, rows[i].count);
        assert_int_equal(clock_pauses, rows[i].pauses);
        assert_true(same_as_before());
    }
}

struct tick_row {
    bool timer, clock; /* whether each sends NMIs */
    uint32_t counters; /* number of counters that the plan needs, by sampling */
    uint32_t period, limit_ms;
    enum session_error error;
    enum timer_by by;
};

/* A session runs if only the limit lacks ticks; it does not run if nothing can be measured without ticks. */
TEST(test_who_ticks)
{
    static const struct tick_row rows[] = {
        {true, true, 2, 1000, 0, SESSION_OK, TIMER_BY_APIC},
        {true, false, 4, 0, 1000, SESSION_OK, TIMER_BY_APIC},
        {false, true, 2, 1000, 0, SESSION_OK, TIMER_BY_COUNTER},
        {false, true, 3, 0, 1000, SESSION_OK, TIMER_BY_COUNTER},
        {false, true, 4, 0, 1000, SESSION_OK, TIMER_IMPOSSIBLE}, /* no counter is free */
        {false, true, 4, 1000, 0, SESSION_NO_TICK, TIMER_IMPOSSIBLE},
        {false, false, 2, 0, 1000, SESSION_OK, TIMER_IMPOSSIBLE},
        {false, false, 2, 1000, 1000, SESSION_NO_TICK, TIMER_IMPOSSIBLE},
        {false, false, 2, 0, 0, SESSION_OK, TIMER_BY_NOTHING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_pmc(PMC_SAMPLING);
        plan.program.pmc.events = 4;
        plan.program.pmc.event[2] = plan.program.pmc.event[3] = plan.program.pmc.event[1];
        plan.program.pmc.group[0] = (struct pmc_group){.events = rows[i].counters, .event = {0, 1, 2, 3}};
        plan.program.timer = (struct timer_plan){.period = rows[i].period, .limit_ms = rows[i].limit_ms};
        fake.timer_nmis = rows[i].timer;
        fake.clock_nmis = rows[i].clock;
        run();
        if (result.error != rows[i].error || result.timer.by != rows[i].by)
            fail_msg("row %zu: %s, by %d", i, session_error_text(result.error), result.timer.by);
        assert_int_equal(result.counts.nmi, 0);
        assert_int_equal(calls[1], rows[i].error == SESSION_OK);
        assert_true(same_as_before());
    }
}

/* Lets the second interval end without its NMI. */
static void ending_body(void *argument, uint64_t arena)
{
    ticking_body(argument, arena);
    fake.tsc += 2500000;
    fake.timer_nmis = false;
}

static void late_body(void *argument, uint64_t arena)
{
    ending_body(argument, arena);
    fake.timer_nmis = true; /* in the first pause */
}

static void silent_clock_body(void *argument, uint64_t arena)
{
    clock_body(argument, arena);
    (void)fake_count(3, 2500000);
    fake.clock_nmis = 0;
}

/* Ticks that came in the trial may end later: samples and turns are then missing, and nothing else shows it. A tick
 * that is only late is not missing. */
TEST(test_ticks_that_end)
{
    static const struct {
        session_body *body;
        bool timer;
        uint32_t period, limit_ms;
        enum session_error error;
        uint64_t late;
    } rows[] = {
        {ticking_body, true, 1000, 0, SESSION_OK, 0},
        {ending_body, true, 1000, 0, SESSION_TICKS_ENDED, 0},
        {late_body, true, 1000, 0, SESSION_OK, 1},
        {clock_body, false, 1000, 0, SESSION_OK, 0},
        {silent_clock_body, false, 1000, 0, SESSION_TICKS_ENDED, 0},
        {silent_clock_body, false, 0, 1, SESSION_OK, 0}, /* no figure depends on a limit */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(MODEL_C, 1);
        plan.program.ibs = (struct ibs_plan){0};
        plan.program.timer = (struct timer_plan){.period = rows[i].period, .limit_ms = rows[i].limit_ms};
        plan.calls.body = rows[i].body;
        fake.timer_nmis = rows[i].timer;
        run();
        if (result.error != rows[i].error || result.counts.late != rows[i].late)
            fail_msg("row %zu: %s, %" PRIu64 " late", i, session_error_text(result.error), result.counts.late);
        assert_int_equal(result.counts.recorded[SAMPLE_TIMER], rows[i].period != 0);
        assert_true(same_as_before());
    }
}

static void endless_clock_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    for (unsigned n = 0; n < 10000; n++) {
        (void)cpu_rdtsc();
        cpu_pause();
    }
    fail_msg("the limit did not end it");
}

/* The counter makes the limit, and restarts after each overflow. */
TEST(test_limit_by_counter)
{
    set_up(MODEL_C, 1);
    plan.program.timer.limit_ms = 1;
    plan.calls.body = endless_clock_body;
    fake.timer_nmis = false;
    run();
    assert_int_equal(result.error, SESSION_LIMIT);
    assert_int_equal(result.timer.by, TIMER_BY_COUNTER);
    assert_true(same_as_before());
}

static uint64_t counter_restarted;

static void body_of_a_second(void *argument, uint64_t arena)
{
    body(argument, arena);
    assert_true(fake_count(3, 1 << 30));
    fake_nmi();
    counter_restarted = fake_msr(MSR_PERF_CTR(3))->value;
    fake.tsc += 2500000000;
    fake_nmi();
    fail_msg("the limit did not end it");
}

/* An alarm that comes before the limit is repeated. */
TEST(test_long_limit_by_counter)
{
    set_up(MODEL_C, 1);
    plan.program.timer.limit_ms = 1000;
    plan.calls.body = body_of_a_second;
    fake.timer_nmis = false;
    run();
    assert_int_equal(result.error, SESSION_LIMIT);
    assert_int_equal(result.timer.by, TIMER_BY_COUNTER);
    assert_int_equal(result.timer.count, 1 << 30);
    assert_int_equal(counter_restarted, 0x1000000000000 - (1 << 30));
    assert_true(same_as_before());
}

static void stop_clock(unsigned pauses)
{
    bool tested = fake_msr(MSR_PERF_CTL(3))->value && !(fake_msr(MSR_PERF_CTR(3))->value >> 47);
    fake.clock_nmis = tested ? 0 : fake.clock_nmis;
}

/* If the counter does not count clocks after all, the TSC's rate is used. */
TEST(test_counter_that_stands_still)
{
    set_up(MODEL_C, 1);
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.timer = (struct timer_plan){.period = 1000};
    fake.timer_nmis = false;
    fake.on_pause = stop_clock;
    run();
    assert_int_equal(fake.clock_nmis, 0);
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.timer.by, TIMER_BY_COUNTER);
    assert_int_equal(result.timer.khz, 2500000);
    assert_int_equal(result.timer.count, 2500000);
    assert_true(same_as_before());
}

static void interrupted_prepare(void *argument, uint64_t arena)
{
    calls[0]++;
    fake_nmi();
}

/* NMIs after the test are counted, whether the timer or the counter makes ticks. */
TEST(test_nmi_after_the_test)
{
    static const enum timer_by by[] = {TIMER_BY_APIC, TIMER_BY_COUNTER, TIMER_IMPOSSIBLE};
    for (unsigned i = 0; i < 3; i++) {
        set_up(MODEL_C, 1);
        plan.program.timer.limit_ms = 1000;
        plan.calls.prepare = interrupted_prepare;
        fake.timer_nmis = by[i] == TIMER_BY_APIC;
        fake.clock_nmis = by[i] == TIMER_BY_COUNTER;
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(result.timer.by, by[i]);
        assert_int_equal(result.counts.nmi, 1);
        assert_int_equal(result.counts.late, 1); /* nothing is sampled yet */
    }
}

/* ---------------------------------------------------------------- everything at once */

static void busy_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_msr(MSR_IBS_FETCH_CTL)->value |= IBS_FETCH_VAL;
    fake_msr(MSR_IBS_OP_CTL)->value |= IBS_OP_VAL;
    fake_nmi();
    counted(1100, 7);
    fake.tsc += 2500000;
    fake_nmi();       /* the other group's turn */
    counted(0, 2000); /* this group has nothing on counter 1 */
    counted(1200, 0);
    fake.tsc += 2500000;
    fake_nmi(); /* and back */
    counted(900, 1);
}

/* Sets up IBS, two groups in turn, and time-based samples. */
static void set_up_all(void)
{
    set_up_pmc(PMC_SAMPLING);
    plan.program.ibs = (struct ibs_plan){.fetch = true, .fetch_period = 0x10000, .op = true, .op_period = 0x20000};
    plan.program.pmc.groups = 2;
    plan.program.pmc.group[1] = (struct pmc_group){.events = 1, .event = {0}};
    plan.program.pmc.slice = 2500000;
    plan.program.pmc.turns_seed = 1; /* two rounds in the plan's order */
    plan.program.timer = (struct timer_plan){.period = 1000};
    plan.calls.body = busy_body;
}

TEST(test_all_together)
{
    set_up_all();
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.counts.recorded[SAMPLE_FETCH], 1);
    assert_int_equal(result.counts.recorded[SAMPLE_OP], 1);
    assert_int_equal(result.counts.recorded[SAMPLE_PMC], 2);
    assert_int_equal(result.counts.recorded[SAMPLE_TIMER], 2);
    assert_int_equal(result.counts.lost[SAMPLE_PMC] + result.counts.lost[SAMPLE_TIMER] + result.counts.empty, 0);
    assert_int_equal(result.samples, 6);
    assert_int_equal(result.pmc.event[0].total, 1100 + 1200 + 900);
    assert_int_equal(result.pmc.event[1].total, 7 + 1);
    assert_int_equal(result.pmc.group[0].counter[0].total, 2000);
    assert_int_equal(result.pmc.group[1].counter[0].total, 1200);
    assert_int_equal(result.pmc.group[0].slices, 2);
    assert_int_equal(result.pmc.group[1].slices, 1);
    assert_int_equal(result.pmc.event[0].tsc, result.pmc.group[0].tsc + result.pmc.group[1].tsc);
    assert_int_equal(result.restore.failed, 0);
    assert_true(same_as_before());
}

/* With eight nodes and everything on, all rows fit. */
TEST(test_restore_log_holds_all)
{
    set_up_all();
    for (unsigned n = 0; n < FAKE_NODES; n++)
        fake.node_id[n] = 0x12031022;
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
    plan.program.pmc.events = 4;
    plan.program.pmc.event[2] = plan.program.pmc.event[3] = plan.program.pmc.event[1];
    plan.program.pmc.group[0] = (struct pmc_group){.events = 4, .event = {0, 1, 2, 3}};
    run();
    assert_int_equal(result.error, SESSION_OK);
    unsigned counters = 0;
    for (uint32_t i = 0; i < result.restore.count; i++)
        counters += strstr(result.restore.row[i].what, "PERF_CT") != NULL;
    assert_int_equal(counters, 8);
    assert_string_equal(result.restore.row[result.restore.count - 1].what,
                        "TR (firmware has no TSS, and ltr cannot load null: ours stays)");
    assert_int_equal(result.restore.row[result.restore.count - 1].before, 0);
    assert_int_equal(result.restore.row[result.restore.count - 1].after, 0x48); /* after the firmware's nine rows */
    assert_true(result.restore.count < RESTORE_ROWS); /* a full log would drop rows silently */
    assert_true(same_as_before());
}

TEST(test_ring_too_small)
{
    set_up_all();
    plan.place.capacity = 3;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.samples, 3); /* fetch, op, counter */
    assert_int_equal(result.counts.lost[SAMPLE_TIMER], 2);
    assert_int_equal(result.counts.lost[SAMPLE_PMC], 1);
    assert_int_equal(result.pmc.event[0].lost, 1);
    assert_int_equal(result.pmc.event[0].total, 1100 + 1200 + 900);
    assert_int_equal(records[3].tsc, 0x5A5A5A5A5A5A5A5A);
}

static void arrange_sampling(void)
{
    set_up_pmc(PMC_SAMPLING);
    plan.calls.body = counted_body;
}

static void arrange_counting(void)
{
    set_up_pmc(PMC_COUNTING);
    plan.calls.body = counted_body;
}

/* Sets overflow bits, which stay until they are cleared. */
static void overflowing_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_msr(MSR_PMC_GLOBAL_STATUS)->value = 1 << 3 | 1;
}

static void arrange_version_2(void)
{
    set_up_pmc(PMC_SAMPLING);
    fake_reset_later(FAKE_ZEN4);
    machine_probe(&machine);
    machine.tsc_khz = 2500000;
    fake_clear_log();
    fake.accesses = 0;
    plan.calls.body = overflowing_body;
}

/* No overflow is left for the next user: of counters, or of the ticks alone. */
TEST(test_no_overflow_is_left)
{
    for (unsigned ticks = 0; ticks < 2; ticks++) {
        arrange_version_2();
        if (ticks) {
            plan.program.pmc = (struct pmc_plan){0};
            plan.program.timer.period = 1000;
            fake.timer_nmis = false;
        }
        run();
        assert_int_equal(result.error, SESSION_OK);
        assert_int_equal(result.timer.by, ticks ? TIMER_BY_COUNTER : TIMER_BY_NOTHING);
        assert_int_equal(fake_msr(MSR_PMC_GLOBAL_STATUS)->value, 0);
    }
    /* A session that counts nothing leaves the register alone. */
    arrange_version_2();
    plan.program.pmc = (struct pmc_plan){0};
    run();
    assert_null(strstr(fake.log, "c0000300"));
}

TEST(test_fault_at_each_access)
{
    fault_at_each_access(arrange_sampling);
    fault_at_each_access(arrange_counting);
    fault_at_each_access(set_up_all);
    fault_at_each_access(arrange_version_2);
}

static void marked_body(void *argument, uint64_t arena)
{
    busy_body(argument, arena);
    fake_log("over");
}

/* The phase of an exception is before the measured part, in it, or after it. */
TEST(test_phase_of_a_fault)
{
    unsigned seen[3] = {0};
    for (unsigned n = 1;; n++) {
        set_up_all();
        plan.calls.body = marked_body;
        fake.fault_at = n;
        run();
        if (!fake.fault_done)
            break;
        if (!result.faulted)
            continue;
        const char *fault = strstr(fake.log, "#GP\n"), *begun = strstr(fake.log, "body\n"),
                   *over = strstr(fake.log, "over\n");
        unsigned when = !begun || fault < begun ? 0 : !over || fault < over ? 1 : 2;
        static const enum session_phase phases[3] = {SESSION_SET_UP, SESSION_BODY, SESSION_RESTORING};
        assert_int_equal(result.fault_phase, phases[when]);
        seen[when]++;
    }
    assert_true(seen[0] > 5 && seen[1] > 5 && seen[2] > 5);
}

static void ending_with_an_nmi_body(void *argument, uint64_t arena)
{
    ending_body(argument, arena);
    fake.nmi_at = fake.accesses + 1; /* the stop of the counters, which is the first part of the stop */
}

/* The last interval's NMI may come while the counters are being stopped: no interval is begun then, and none is
 * missing. */
TEST(test_last_tick_at_the_stop)
{
    set_up_all();
    plan.calls.body = ending_body;
    run();
    assert_int_equal(result.error, SESSION_TICKS_ENDED);
    set_up_all();
    plan.calls.body = ending_with_an_nmi_body;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_true(same_as_before());
}

/* An NMI between any two accesses changes nothing but the counts. */
TEST(test_nmi_before_each_access)
{
    set_up_all();
    plan.calls.body = body;
    run();
    unsigned accesses = fake.accesses, tested = 0;
    for (unsigned n = 1; n <= accesses; n++) {
        set_up_all();
        plan.calls.body = body;
        fake.nmi_at = n;
        run();
        assert_int_equal(result.error, SESSION_OK);
        tested += result.counts.nmi == 0; /* during the timer's test, whose NMI it was taken for */
        if (result.counts.empty + result.counts.late + result.counts.recorded[SAMPLE_TIMER] != result.counts.nmi)
            fail_msg("access %u:\n%s", n, fake.log);
        assert_in_range(result.pmc.group[0].tsc, 1, result.tsc_stop);
        assert_int_equal(calls[2], 1);
        assert_true(same_as_before());
    }
    assert_in_range(tested, 1, 6);
}

static void slow_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_count(0, 5000);
    fake.tsc += 2500000;
}

/* Timer and counter have expired, but their NMI comes late: nothing is switched on again. */
TEST(test_late_nmi_at_each_access)
{
    set_up_all();
    plan.calls.body = slow_body;
    run();
    unsigned accesses = fake.accesses;
    for (unsigned n = 1; n <= accesses; n++) {
        set_up_all();
        plan.calls.body = slow_body;
        fake.nmi_at = n;
        run();
        assert_int_equal(result.error, SESSION_OK);
        const char *stopped = strstr(fake.log, "body\n");
        stopped = strstr(stopped, "wrmsr c0010000 0\n"); /* the first register that the stop writes */
        assert_non_null(stopped);
        assert_null(strstr(stopped, "wrmsr c0010000 52"));
        assert_null(strstr(stopped, "apic w 380 3d090"));
        assert_null(strstr(stopped, "apic w 340 400"));
        assert_true(same_as_before());
    }
}

static void dividing_body(void *argument, uint64_t arena)
{
    counted_body(argument, arena);
    fake_raise(0, 0);
}

TEST(test_fault_in_the_workload)
{
    static const enum pmc_mode modes[] = {PMC_SAMPLING, PMC_COUNTING};
    for (unsigned i = 0; i < 2; i++) {
        set_up_pmc(modes[i]);
        plan.calls.body = dividing_body;
        run();
        assert_int_equal(result.error, SESSION_FAULT);
        assert_int_equal(result.fault_phase, SESSION_BODY);
        assert_int_equal(result.pmc.event[0].total, 1020);
        assert_int_equal(calls[2], 0);
        assert_true(same_as_before());
    }
}

static void refusing_op_body(void *argument, uint64_t arena)
{
    body(argument, arena);
    fake_remove_msr(MSR_IBS_OP_CTL);
}

static void refusing_both_body(void *argument, uint64_t arena)
{
    refusing_op_body(argument, arena);
    fake_remove_msr(MSR_PERF_CTR(0));
}

/* If registers are missing at the stop, the first is named, and the stop continues to the end. */
TEST(test_refused_stop)
{
    set_up_all();
    plan.calls.body = refusing_op_body;
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, MSR_IBS_OP_CTL);

    set_up_all();
    plan.calls.body = refusing_both_body;
    run();
    assert_int_equal(result.error, SESSION_MSR_FAULT);
    assert_int_equal(result.error_detail, MSR_PERF_CTR(0));
    assert_int_equal(fake_msr(MSR_IBS_FETCH_CTL)->value, 0);
    assert_int_equal(result.restore.failed, 2);
}

TEST(test_refused_set_up_restores)
{
    set_up_all();
    fake_msr(MSR_PERF_CTL(0))->writable = 0;
    run();
    assert_int_equal(result.error, SESSION_PMC_ENABLE);
    assert_int_equal(result.error_detail, MSR_PERF_CTL(0));
    assert_int_equal(calls[1], 0);
    assert_true(same_as_before());

    set_up_all();
    fake.timer_tsc = 0;
    fake.clock_nmis = 0;
    run();
    assert_int_equal(result.error, SESSION_NO_TICK);
    assert_int_equal(calls[1], 0);
    assert_true(same_as_before());

    set_up_all();
    plan.program.ibs = (struct ibs_plan){0};
    machine.apic_msr &= ~0x800ull;
    run();
    assert_int_equal(result.error, SESSION_APIC_DISABLED);
    assert_true(same_as_before());

    set_up_pmc(PMC_SAMPLING); /* with counters alone, whose entry is used */
    machine.apic_msr &= ~0x800ull;
    run();
    assert_int_equal(result.error, SESSION_APIC_DISABLED);
    assert_int_equal(calls[1], 0);
    assert_true(same_as_before());

    set_up_pmc(PMC_COUNTING); /* which needs no entry */
    machine.apic_msr &= ~0x800ull;
    run();
    assert_int_equal(result.error, SESSION_OK);
}

TEST(test_bad_plans_touch_nothing)
{
    static const enum session_error errors[] = {SESSION_NO_PMC,  SESSION_PMC_GROUPS,       SESSION_NO_RING,
                                                SESSION_NO_RING, SESSION_TIMER_PERIOD_LOW, SESSION_SLICE_BELOW_TIMER};
    for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        set_up_all();
        plan.program.ibs = (struct ibs_plan){0};
        switch (i) {
        case 0:
            machine.pmc.count = 0;
            break;
        case 1:
            plan.program.pmc.groups = 0;
            break;
        case 2:
            plan.place.records = NULL; /* for counters */
            plan.program.timer.period = 0;
            break;
        case 3:
            plan.place.capacity = 0; /* for the timer */
            plan.program.pmc.mode = PMC_OFF;
            break;
        case 4:
            plan.program.timer.period = 9;
            break;
        case 5:
            plan.program.timer.period = 1001;
            break;
        }
        assert_int_equal(session_check(&plan), errors[i]);
        run();
        assert_int_equal(result.error, errors[i]);
        assert_string_equal(fake.log, "");
    }
}

RUN_TESTS(run_allocate, run_release)
