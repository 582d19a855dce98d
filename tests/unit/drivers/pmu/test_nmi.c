/* SPDX-License-Identifier: BSD-2-Clause */
/* The NMI handler with counters and timer: overflows, turns of groups, totals and times. */
#include "tests/unit/drivers/pmc_plans.h"

#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/pmu/ibs.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"
#include "drivers/pmu/timer.h"

enum { MODEL_C = 4, CAPACITY = 16 };

static struct machine machine;
static struct restore_log restore;
static uint64_t ours; /* address of the entry that was opened */
static struct pmc_plan plan;
static struct pmc_engine pmc;
static struct timer_engine timer;
static struct nmi_context engine;
static struct sample_record records[CAPACITY];
static struct cpu_nmi_frame frame;
static struct pmc_result result;

/* Sets up an engine on a machine whose registers the firmware has used. */
static enum session_error set_up(const struct pmc_plan *with, uint32_t slice_ticks, uint64_t *detail)
{
    static const struct ibs_settings no_ibs = {0};
    fake_machine(&machine, MODEL_C);
    plan = *with;
    memset(records, 0, sizeof records);
    restore_init(&restore);
    pmc_init(&pmc, &plan, slice_ticks);
    ibs_init(&engine, &no_ibs, 0, 3, records, CAPACITY);
    engine.pmc = &pmc;
    engine.frame = &frame;
    frame.rip = 0x401000;
    return pmc_set_up(&pmc, FAKE_APIC, &restore, &ours, detail);
}

static void start(const struct pmc_plan *with, uint32_t slice_ticks)
{
    uint64_t detail;
    assert_int_equal(set_up(with, slice_ticks, &detail), SESSION_OK);
    assert_int_equal(detail, 0);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    pmc_resume(&pmc);
    fake_clear_log();
}

/* Delivers the NMI of the timer, which has expired. */
static void tick(void)
{
    fake.timer_from = 0;
    fake.tsc += 100000000;
    nmi_handler(&engine);
}

static void start_with_timer(const struct pmc_plan *with, uint32_t slice_ticks)
{
    start(with, slice_ticks);
    timer = (struct timer_engine){.used = true, .started = true, .apic = FAKE_APIC, .count = 1000};
    fake.apic[APIC_TIMER_INITIAL / 16] = 1000;
    fake.timer_from = fake.tsc;
    engine.timer = &timer;
    fake_clear_log();
}

static void collect(void)
{
    uint64_t detail = 0;
    engine.state = NMI_STOPPING;
    assert_int_equal(pmc_stop(&pmc, &detail), SESSION_OK);
    pmc_collect(&pmc, &result);
}

/* ---------------------------------------------------------------- overflows */

TEST(test_overflow)
{
    start(&two_events, 0);
    fake_count(1, 77);
    assert_true(fake_count(0, 1012));
    frame.rip = 0x401234;
    nmi_handler(&engine);
    assert_string_equal(fake.log, "wrmsr c0010000 1200c0\nwrmsr c0010001 120041\n" /* the counters stand still */
                                  "rdmsr c0010004\nwrmsr c0010004 fffffffffc18\nrdmsr c0010005\n"
                                  "apic w 340 400\n" /* the APIC masked it */
                                  "wrmsr c0010000 5200c0\nwrmsr c0010001 520041\n");
    assert_int_equal(engine.ring.count, 1);
    assert_int_equal(records[0].kind, SAMPLE_PMC);
    assert_int_equal(records[0].cpu, 3);
    assert_int_equal(records[0].reg[PMC_RIP], 0x401234);
    assert_int_equal(records[0].reg[PMC_EVENT], 0);
    assert_int_equal(records[0].reg[PMC_COUNT], 12);
    assert_int_equal(records[0].reg[PMC_REGS], 0);
    assert_true(records[0].tsc > 0);
    assert_int_equal(engine.counts.recorded[SAMPLE_PMC], 1);
    assert_int_equal(engine.counts.nmi, 1);
    assert_int_equal(engine.counts.empty, 0);
    assert_true(fake_count(1, 423)); /* exactly at 0 */
    nmi_handler(&engine);
    assert_int_equal(records[1].reg[PMC_EVENT], 1);
    assert_int_equal(records[1].reg[PMC_COUNT], 0);

    fake_count(0, 5);
    collect();
    assert_int_equal(result.event[0].total, 1012 + 5);
    assert_int_equal(result.event[0].overflows, 1);
    assert_int_equal(result.event[0].samples, 1);
    assert_int_equal(result.event[1].total, 500);
    assert_int_equal(result.group[0].slices, 1);
    assert_int_equal(result.group[0].counter[1].samples, 1);
}

TEST(test_two_counters_in_one_nmi)
{
    start(&two_events, 0);
    assert_true(fake_count(0, 1003));
    assert_false(fake_count(1, 502)); /* the entry is masked: no second NMI can come */
    nmi_handler(&engine);
    assert_int_equal(engine.ring.count, 2);
    assert_int_equal(records[0].reg[PMC_EVENT], 0);
    assert_int_equal(records[0].reg[PMC_COUNT], 3);
    assert_int_equal(records[1].reg[PMC_EVENT], 1);
    assert_int_equal(records[1].reg[PMC_COUNT], 2);
    assert_int_equal(records[0].tsc, records[1].tsc);
    assert_int_equal(ctr(0), 0xFFFFFFFFFC18);
    assert_int_equal(ctr(1), 0xFFFFFFFFFE0C);
    assert_int_equal(fake.apic[0x34], 0x400);
    /* and both continue */
    assert_true(fake_count(1, 500));
    nmi_handler(&engine);
    assert_true(fake_count(0, 1000));
    nmi_handler(&engine);
    assert_int_equal(engine.ring.count, 4);
}

TEST(test_nothing_overflowed)
{
    start(&two_events, 0);
    fake_count(0, 999);
    nmi_handler(&engine);
    assert_int_equal(engine.ring.count, 0);
    assert_int_equal(engine.counts.empty, 1);
    assert_int_equal(ctr(0), PMC_COUNTER_MASK);
    assert_true(ctl(0) & PMC_CTL_EN); /* the counter continues */
    assert_true(fake_count(0, 1));
    fake.port_61 = 0x80; /* the chipset's NMI together with ours */
    nmi_handler(&engine);
    assert_int_equal(engine.counts.recorded[SAMPLE_PMC], 1);
}

TEST(test_ring_full)
{
    start(&two_events, 0);
    engine.ring.capacity = 1;
    for (unsigned n = 0; n < 3; n++) {
        bool nmi = fake_count(1, 400);
        nmi |= fake_count(0, 1000);
        assert_true(nmi);
        nmi_handler(&engine);
    }
    assert_int_equal(engine.ring.count, 1);
    assert_int_equal(engine.counts.recorded[SAMPLE_PMC], 1);
    assert_int_equal(engine.counts.lost[SAMPLE_PMC], 3);
    collect();
    assert_int_equal(result.event[0].samples, 1);
    assert_int_equal(result.event[0].lost, 2);
    assert_int_equal(result.event[0].overflows, 3);
    assert_int_equal(result.event[0].total, 3000);
    assert_int_equal(result.event[1].lost, 1);
    assert_int_equal(result.event[1].total, 800 + 400);
}

/* One NMI has samples of IBS and of a counter: each has its record, and IBS is re-armed last. */
TEST(test_with_ibs)
{
    uint64_t detail;
    static const struct ibs_settings both = {.fetch_ctl = IBS_FETCH_EN | 0x1000, .op_ctl = IBS_OP_EN | 0x2000};
    set_up(&two_events, 0, &detail);
    ibs_init(&engine, &both, 0, 0, records, CAPACITY);
    engine.pmc = &pmc;
    engine.frame = &frame;
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    pmc_resume(&pmc);
    fake_clear_log();
    fake_msr(MSR_IBS_OP_CTL)->value |= IBS_OP_VAL;
    fake_msr(MSR_IBS_FETCH_CTL)->value |= IBS_FETCH_VAL;
    fake_count(0, 1000);
    nmi_handler(&engine);
    assert_string_equal(fake.log, "wrmsr c0010000 1200c0\nwrmsr c0010001 120041\n"
                                  "rdmsr c0010004\nwrmsr c0010004 fffffffffc18\nrdmsr c0010005\n"
                                  "rdmsr c0011030\nrdmsr c0011033\nrdmsr c0011031\n"
                                  "rdmsr c0011034\nrdmsr c0011035\nrdmsr c0011037\n"
                                  "apic w 340 400\nwrmsr c0010000 5200c0\nwrmsr c0010001 520041\n"
                                  "wrmsr c0011030 1000000001000\nwrmsr c0011033 22000\n");
    assert_int_equal(engine.ring.count, 3);
    assert_int_equal(records[0].kind, SAMPLE_PMC);
    assert_int_equal(records[1].kind, SAMPLE_FETCH);
    assert_int_equal(records[2].kind, SAMPLE_OP);
    assert_int_equal(records[0].tsc, records[2].tsc);
    /* IBS alone: no counter overflowed */
    fake_msr(MSR_IBS_OP_CTL)->value |= IBS_OP_VAL;
    nmi_handler(&engine);
    assert_int_equal(engine.counts.recorded[SAMPLE_OP], 2);
    assert_int_equal(engine.counts.empty, 0);
}

/* An NMI between the start of IBS and that of the counters leaves the counters alone. */
TEST(test_nmi_before_the_start)
{
    uint64_t detail;
    set_up(&two_events, 0, &detail);
    assert_int_equal(ibs_start(&engine, &restore, &detail), SESSION_OK);
    fake_clear_log();
    nmi_handler(&engine);
    assert_string_equal(fake.log, "in 61\n");
    assert_int_equal(engine.counts.empty, 1);
}

TEST(test_overflow_at_the_stop)
{
    start(&two_events, 0);
    fake_count(0, 1000);
    fake_count(1, 499);
    engine.state = NMI_STOPPING;
    fake_clear_log();
    nmi_handler(&engine); /* changes nothing */
    assert_string_equal(fake.log, "in 61\n");
    assert_int_equal(engine.counts.late, 1);
    collect();
    assert_int_equal(result.event[0].total, 1000);
    assert_int_equal(result.event[0].overflows, 1);
    assert_int_equal(result.event[0].samples + result.event[0].lost, 0);
    assert_int_equal(result.event[1].overflows, 0);
}

/* Whatever the counters' first values, the total is the number of counted events. */
TEST(test_totals_with_random_intervals)
{
    struct pmc_plan random = two_events;
    random.random = true;
    start(&random, 0);
    uint64_t counted = 0;
    struct rng rng;
    rng_seed(&rng, 1);
    while (engine.ring.count < CAPACITY) {
        uint64_t events = rng_below(&rng, 300);
        counted += events;
        if (fake_count(0, events))
            nmi_handler(&engine);
    }
    collect();
    assert_int_equal(result.event[0].total, counted);
    assert_int_equal(result.event[0].samples, CAPACITY);
}

/* ---------------------------------------------------------------- turns */

TEST(test_switch_sequence)
{
    start_with_timer(&three_groups, 1);
    assert_int_equal(engine.state, NMI_RUNNING_ALL);
    fake_count(0, 300);
    fake_count(1, 40);
    tick();
    assert_string_equal(fake.log, "wrmsr c0010000 120076\nwrmsr c0010001 1200c0\n"       /* off */
                                  "rdmsr c0010004\nrdmsr c0010005\n"                     /* neither has overflowed */
                                  "apic r 390\n"                                         /* the timer's NMI */
                                  "rdmsr c0010004\nrdmsr c0010005\n"                     /* saved */
                                  "wrmsr c0010000 120076\nwrmsr c0010004 ffffffffd8f0\n" /* group 1 begins */
                                  "apic w 380 3e8\napic w 340 400\n"
                                  "wrmsr c0010000 520076\n");
    assert_int_equal(engine.ring.count, 0);
    assert_int_equal(engine.counts.empty, 0);
    assert_int_equal(ctl(1) & PMC_CTL_EN, 0); /* the smaller group leaves counter 1 off */
    tick();
    assert_int_equal(ctl(2), 0x520076);
    assert_int_equal(ctl(1), 0x421F42);
    assert_int_equal(ctr(1), 0);
    fake_clear_log();
    tick(); /* back to group 0 with its partial counts */
    assert_non_null(strstr(fake.log, "wrmsr c0010000 120076\nwrmsr c0010004 ffffffffda1c\n" /* -10000 + 300 */
                                     "wrmsr c0010001 1200c0\nwrmsr c0010005 fffffffffc40\n" /* -1000 + 40 */));
    collect();
    assert_int_equal(result.group[0].slices, 2);
    assert_int_equal(result.group[1].slices, 1);
    assert_int_equal(result.group[2].slices, 1);
}

/* The random order of turns is repeated from its beginning. */
TEST(test_order_of_turns)
{
    uint8_t order[TURNS_ORDER];
    turns_order(order, three_groups.groups, three_groups.turns_seed);
    start_with_timer(&three_groups, 1);
    for (unsigned n = 0; n < TURNS_ORDER + 10; n++) {
        assert_int_equal(pmc.group, order[n % TURNS_ORDER]);
        tick();
        fake_clear_log();
    }
}

/* If slices are far shorter than a period, partial counts are carried over, so that samples come at the same rate as
 * without turns, and an event in all groups is not counted twice. */
TEST(test_partial_counts_are_carried)
{
    enum { TURNS = 3000, CYCLES = 97, INSTRUCTIONS = 31, MISSES = 7 };
    start_with_timer(&three_groups, 1);
    engine.ring.capacity = 0; /* only counts */
    for (unsigned n = 0; n < TURNS; n++) {
        uint32_t g = pmc.group;
        bool nmi = false;
        nmi |= g == 2 ? fake_count(2, CYCLES) : fake_count(0, CYCLES);
        if (g == 0)
            nmi |= fake_count(1, INSTRUCTIONS);
        if (g == 2) {
            nmi |= fake_count(0, MISSES);
            nmi |= fake_count(1, MISSES + 1);
        }
        if (nmi)
            nmi_handler(&engine);
        tick();
        fake_clear_log();
    }
    collect();
    assert_int_equal(result.event[0].total, TURNS * CYCLES);
    assert_int_equal(result.event[1].total, TURNS / 3 * INSTRUCTIONS);
    assert_int_equal(result.event[2].total, TURNS / 3 * MISSES);
    assert_int_equal(result.event[3].total, TURNS / 3 * (MISSES + 1));
    /* Each group has its own current interval; the overshoot belongs to none. */
    for (unsigned g = 0; g < 3; g++)
        assert_in_range(result.group[g].counter[g == 2 ? 2 : 0].overflows, TURNS / 3 * CYCLES / (10000 + CYCLES),
                        TURNS / 3 * CYCLES / 10000);
    assert_in_range(result.event[1].overflows, TURNS / 3 * INSTRUCTIONS / (1000 + INSTRUCTIONS),
                    TURNS / 3 * INSTRUCTIONS / 1000);
    assert_int_equal(result.event[2].overflows, TURNS / 3 * MISSES / (500 + 500 % MISSES));
    assert_int_equal(result.event[3].overflows, 0);
    for (unsigned g = 0; g < 3; g++)
        assert_in_range(result.group[g].slices, TURNS / 3, TURNS / 3 + 1);
    /* The turns are equal, through all intervals. */
    assert_int_equal(result.group[0].turns[1].turns, TURNS / 3);
    assert_int_equal(result.group[0].turns[1].events, TURNS / 3 * INSTRUCTIONS);
    assert_int_equal(result.group[2].turns[2].events, TURNS / 3 * CYCLES);
    for (unsigned g = 0; g < 3; g++)
        for (unsigned c = 0; c < PMC_COUNTERS; c++)
            assert_true(!result.group[g].turns[c].squares);
    assert_int_equal(result.group[1].turns[1].turns, 0); /* this group does not have that counter */
}

/* The events of a turn are counted whether or not there is an overflow during the turn; the last turn, which the stop
 * cuts short, is left out. */
TEST(test_events_of_turns)
{
    static const uint64_t counts[] = {400, 1300, 250};
    start_with_timer(&three_groups, 1);
    for (unsigned n = 0, of_group = 0; n < 8; n++) {
        if (pmc.group == 0 && fake_count(1, of_group < 3 ? counts[of_group] : 99))
            nmi_handler(&engine);
        of_group += pmc.group == 0;
        if (n < 7)
            tick();
    }
    collect();
    assert_int_equal(pmc.group, 0); /* the group's third turn */
    assert_int_equal(result.event[1].total, 400 + 1300 + 250);
    assert_int_equal(result.group[0].turns[1].turns, 2);
    assert_int_equal(result.group[0].turns[1].events, 400 + 1300);
    assert_int_equal(result.group[0].turns[1].first, 400);
    assert_int_equal(result.group[0].turns[1].last, 1300);
    assert_int_equal((uint64_t)result.group[0].turns[1].squares, 900 * 900);
}

/* An overflow that is noticed at a slice's end is a sample of the group that counted, not of the next one. */
TEST(test_overflow_at_the_end_of_a_slice)
{
    start_with_timer(&three_groups, 1);
    fake_count(1, 1004);
    tick();
    assert_int_equal(engine.ring.count, 1);
    assert_int_equal(records[0].reg[PMC_EVENT], 1);
    assert_int_equal(records[0].reg[PMC_COUNT], 4);
    assert_int_equal(pmc.group, 1);
    assert_int_equal(pmc.slot[0][1].value, pmc_preset(1000)); /* its next slice begins a new interval */
    collect();
    assert_int_equal(result.event[1].total, 1004);
}

TEST(test_slices_of_several_ticks)
{
    static const uint32_t groups[] = {0, 0, 1, 1, 1, 2};
    start_with_timer(&three_groups, 3);
    timer.sampling = true;
    for (size_t n = 0; n < sizeof groups / sizeof groups[0]; n++) {
        frame.rip = 0x400000 + n;
        tick();
        assert_int_equal(pmc.group, groups[n]);
        nmi_handler(&engine); /* an NMI that is not the timer's is no tick */
        assert_int_equal(pmc.group, groups[n]);
    }
    assert_int_equal(engine.ring.count, 6);
    assert_int_equal(records[5].kind, SAMPLE_TIMER);
    assert_int_equal(records[5].reg[TIMER_RIP], 0x400005);
    assert_int_equal(engine.counts.recorded[SAMPLE_TIMER], 6);
    assert_int_equal(engine.counts.empty, 6);
}

/* A group's time is the time during which its counters were on. */
TEST(test_group_times)
{
    start_with_timer(&three_groups, 1);
    uint64_t started = pmc.resumed, expected[3] = {0};
    for (unsigned n = 0; n < 4; n++) {
        uint32_t g = pmc.group;
        fake.tsc += 1000 * (n + 1);
        uint64_t before_nmi = fake.tsc;
        tick();
        expected[g] += before_nmi + 100000000 + 1000 - started; /* the handler's first rdtsc */
        started = before_nmi + 100000000 + 2000;                /* the handler's last rdtsc */
        assert_int_equal(pmc.resumed, started);
    }
    uint64_t before_stop = fake.tsc;
    collect();
    expected[1] += before_stop + 1000 - started;
    for (unsigned g = 0; g < 3; g++)
        assert_int_equal(result.group[g].tsc, expected[g]);
    assert_int_equal(result.event[0].tsc, expected[0] + expected[1] + expected[2]);
    assert_int_equal(result.event[1].tsc, expected[0]);
    assert_int_equal(result.event[3].tsc, expected[2]);
}

/* With call stacks the first record of each NMI has the NMI's stack, whatever else samples; there is none without room
 * for a record, or outside a run. */
TEST(test_call_stacks)
{
    static const enum nmi_state states[] = {NMI_RUNNING_IBS, NMI_RUNNING_ALL, NMI_RUNNING_TICKS};
    const uint64_t memory[] = {(uint64_t)(uintptr_t)&memory[2], 0x400111, 0, 0x400222},
                   rbp = (uint64_t)(uintptr_t)memory;
    struct sample_stack stacks[CAPACITY + 1];
    for (unsigned i = 0; i < sizeof states / sizeof states[0]; i++) {
        memset(stacks, 0x5a, sizeof stacks);
        start_with_timer(&two_events, 0);
        engine.timer = NULL;
        engine.pmc = states[i] == NMI_RUNNING_IBS ? NULL : &pmc;
        engine.stacks = (struct nmi_stacks){.stack = stacks, .low = rbp, .high = rbp + sizeof memory, .depth = 4};
        if (states[i] == NMI_RUNNING_TICKS) {
            timer.lvtpc = FAKE_APIC + APIC_LVT_PERF;
            engine.timer = &timer;
        }
        engine.state = states[i];
        fake_count(0, 1012);
        fake_count(1, 501); /* two records */
        frame.rip = 0x401234;
        nmi_handler_stacks(&engine, rbp);
        assert_int_equal(engine.counts.nmi, 1);
        assert_int_equal(stacks[0].rip, 0x401234);
        assert_int_equal(stacks[0].depth, 2);
        assert_int_equal(stacks[0].end, SAMPLE_STACK_WHOLE);
        assert_int_equal(stacks[0].address[0], 0x400111);
        assert_int_equal(stacks[0].address[1], 0x400222);
        assert_int_equal(stacks[1].rip, 0x5a5a5a5a5a5a5a5a);
        if (states[i] == NMI_RUNNING_IBS) /* no stack of its own: the next record's place is used */
            continue;
        assert_int_equal(engine.ring.count, 2);
        /* The counter whose overflows are the ticks is loaded again if it makes them. */
        assert_int_equal(strstr(fake.log, "wrmsr c0010007 ") != NULL, states[i] == NMI_RUNNING_TICKS);
        assert_int_equal(records[0].tsc, records[1].tsc);
        fake_count(0, 1000);
        nmi_handler_stacks(&engine, 0);
        assert_int_equal(stacks[2].depth, 0);
        assert_int_equal(stacks[2].end, SAMPLE_STACK_WHOLE);
        engine.ring.count = CAPACITY;
        fake_count(0, 1000);
        nmi_handler_stacks(&engine, rbp);
        assert_int_equal(stacks[CAPACITY].rip, 0x5a5a5a5a5a5a5a5a);
        assert_int_equal(engine.counts.lost[SAMPLE_PMC], 1);
    }
    memset(stacks, 0x5a, sizeof stacks);
    start(&two_events, 0);
    engine.stacks = (struct nmi_stacks){.stack = stacks, .low = rbp, .high = rbp + sizeof memory, .depth = 4};
    engine.state = NMI_STOPPING;
    nmi_handler_stacks(&engine, rbp);
    assert_int_equal(engine.counts.late, 1);
    assert_int_equal(stacks[0].rip, 0x5a5a5a5a5a5a5a5a);
}

/* After each NMI the handler waits a random time, from one turn to the most; with a stack if there is room for one. */
TEST(test_lingers)
{
    struct sample_stack stacks[CAPACITY + 1] = {{.rip = 0x5a}};
    start(&two_events, 0);
    engine.pmc = NULL;
    engine.state = NMI_RUNNING_IBS;
    engine.op_ctl = IBS_OP_EN | 0x1000;
    engine.linger = FAKE_TURNS;
    fake_msr(MSR_IBS_OP_CTL)->value = IBS_OP_EN | IBS_OP_VAL;
    frame.rip = 0x401234;
    fake_clear_log();
    nmi_handler_lingers(&engine, 0);
    assert_non_null(strstr(fake.log, "wrmsr c0011033 21000\nlingers\n"));
    assert_int_equal(engine.counts.recorded[SAMPLE_OP], 1);
    assert_int_equal(stacks[0].rip, 0x5a);
    engine.stacks = (struct nmi_stacks){.stack = stacks, .depth = 4};
    fake_msr(MSR_IBS_OP_CTL)->value = IBS_OP_EN | IBS_OP_VAL;
    nmi_handler_lingers(&engine, 0);
    assert_int_equal(stacks[1].rip, 0x401234);
    assert_int_equal(engine.counts.recorded[SAMPLE_OP], 2);
    for (unsigned n = 0; n < 100 * FAKE_TURNS; n++)
        nmi_handler_lingers(&engine, 0);
    for (unsigned turns = 0; turns < FAKE_TURNS; turns++)
        assert_in_range(fake.lingered[turns], 60, 140);
}

RUN_TESTS(NULL, NULL)
