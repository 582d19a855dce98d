/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processor whose firmware has switched its local APIC to x2APIC mode: all its registers are MSRs, and nothing
 * touches them in memory (the fake processor fails the test). The timer's entry refuses a message type.
 */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/quiet.h"
#include "drivers/pmu/timer.h"

static void set_up_x2apic(void)
{
    set_up(MODEL_C, 1);
    fake.x2apic = true;
    machine.apic_msr = FAKE_APIC | 0xD00;
    fake_msr(0x1B)->value = machine.apic_msr;
}

static unsigned count(const char *text)
{
    unsigned n = 0;
    for (const char *at = fake.log; (at = strstr(at, text)); at++)
        n++;
    return n;
}

/* The numbers of the registers are 800h + offset / 16 (AMD APM vol. 2 section 16.11). */
TEST(numbers_of_the_registers)
{
    uint64_t base = 0;
    assert_int_equal(apic_find(FAKE_APIC | 0xD00, &base), SESSION_OK);
    assert_true(apic_is_msr(base));
    assert_int_equal((uint32_t)((base + APIC_EOI) >> 4), 0x80B);
    assert_int_equal((uint32_t)((base + APIC_COMMAND) >> 4), 0x830);
    assert_int_equal((uint32_t)((base + APIC_LVT_PERF) >> 4), 0x834);
    assert_int_equal((uint32_t)(apic_extended_lvt(base, 0) >> 4), 0x850);
    assert_int_equal((uint32_t)(apic_extended_lvt(base, 3) >> 4), 0x853);
    assert_int_equal(apic_find(FAKE_APIC | 0x900, &base), SESSION_OK);
    assert_int_equal(base, FAKE_APIC);
    assert_false(apic_is_msr(base + 0xFFF));
    assert_int_equal(apic_find(FAKE_APIC | 0x500, &base), SESSION_APIC_DISABLED);
}

TEST(ibs_alone)
{
    set_up_x2apic();
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.lvt_offset, 1);
    assert_int_equal(count("x2apic w 510 400\n"), 1);
    assert_int_equal(count("x2apic w 510 10000\n"), 1); /* as it was found */
    assert_true(same_as_before());
}

static void one_overflow(void *argument, uint64_t arena)
{
    assert_true(fake_count(0, 70000));
    fake.rip = 0x404000;
    fake_nmi();
}

/* The handler opens the entry again that the delivery masked. */
TEST(counters)
{
    set_up_x2apic();
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.pmc = (struct pmc_plan){.mode = PMC_SAMPLING,
                                         .events = 1,
                                         .event = {{.select = 0x076, .os = true, .period = 65536}},
                                         .groups = 1,
                                         .group = {{.events = 1, .event = {0}}}};
    plan.calls.body = one_overflow;
    fake.apic[APIC_LVT_PERF / 16] = 0x110FE; /* with its delivery status, which an MSR does not accept */
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.counts.recorded[SAMPLE_PMC], 1);
    assert_int_equal(records[0].reg[PMC_RIP], 0x404000);
    assert_int_equal(count("x2apic w 340 400\n"), 2);
    assert_int_equal(count("x2apic w 340 100fe\n"), 1);
    assert_int_equal(result.restore.failed, 0);
}

static void one_tick(void *argument, uint64_t arena)
{
    assert_true(fake_count(3, 2500000));
    fake.rip = 0x405000;
    fake_nmi();
}

/* Ticks come from a counter, and the timer's registers are not changed. */
TEST(timer_without_nmi)
{
    set_up_x2apic();
    plan.program.ibs = (struct ibs_plan){0};
    plan.program.timer = (struct timer_plan){.period = 1000};
    plan.calls.body = one_tick;
    fake.timer_nmis = true;
    fake.clock_nmis = 1;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(result.timer.by, TIMER_BY_COUNTER);
    assert_int_equal(result.counts.recorded[SAMPLE_TIMER], 1);
    assert_int_equal(records[0].reg[TIMER_RIP], 0x405000);
    assert_int_equal(count("x2apic w 320 10400\n"), 1); /* refused */
    assert_int_equal(count("x2apic w 340 400\n"), 3);   /* for its test, for the run, and after the tick */
    assert_true(same_as_before());
}

TEST(timer_is_refused)
{
    static struct restore_log log;
    struct timer_engine timer;
    struct timer_settings settings;
    uint64_t apic, entry, detail = 77;
    set_up_x2apic();
    assert_int_equal(apic_find(machine.apic_msr, &apic), SESSION_OK);
    restore_init(&log);
    timer_init(&timer, &(struct timer_plan){.period = 1000}, 0, &machine);
    assert_int_equal(timer_set_up(&timer, apic, &log, &entry, &settings, &detail), SESSION_LVT_TIMER);
    assert_int_equal(detail, 0);
}

TEST(entries_are_masked)
{
    set_up_x2apic();
    restore_init(&result.restore);
    fake.apic[APIC_VERSION / 16] = 0x80050010;
    fake.apic[0x350 / 16] = 0x8700;
    fake_clear_log();
    assert_true(quiet_mask_lvt(&machine, &result.restore) > 0);
    assert_int_equal(count("x2apic w 350 18700\n"), 1);
    restore_undo(&result.restore);
    assert_int_equal(restore_failures(&result.restore), 0);
    assert_int_equal(fake.apic[0x350 / 16], 0x8700);
}

/* A command is one register of 64 bits, for IDs beyond 255; no bit says that it is still on its way. */
TEST(commands)
{
    uint64_t base = 0;
    set_up_x2apic();
    (void)apic_find(machine.apic_msr, &base);
    fake.apic[APIC_ID / 16] = 0x12345;
    assert_int_equal(apic_own_id(base), 0x12345);
    fake_clear_log();
    apic_send_init(base, 0x1FF);
    apic_send_startup(base, 0x10000, 0x9D);
    assert_string_equal(fake.log, "x2apic w 300 1ff00004500\nx2apic w 300 100000000469d\n");
    fake.x2apic = false;
    fake.apic[APIC_ID / 16] = 0x05000000;
    assert_int_equal(apic_own_id(FAKE_APIC), 5);
}

/* A core whose APIC is off goes through xAPIC mode: any other transition is refused (AMD APM vol. 2 section 16.9.1). */
TEST(switching_the_mode)
{
    static const struct {
        uint64_t before;
        const char *log;
    } rows[] = {
        {FAKE_APIC | 0xC00, "rdmsr 1b\n"},
        {FAKE_APIC | 0x800, "rdmsr 1b\nwrmsr 1b fee00c00\n"},
        {FAKE_APIC, "rdmsr 1b\nwrmsr 1b fee00800\nwrmsr 1b fee00c00\n"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_x2apic();
        fake_msr(0x1B)->value = rows[i].before;
        fake_msr(0x1B)->writable = ~0ull;
        fake_clear_log();
        assert_int_equal(apic_use_msrs(), i > 0);
        assert_string_equal(fake.log, rows[i].log);
        assert_int_equal(fake_msr(0x1B)->value, FAKE_APIC | 0xC00);
    }
}

/* From x2APIC mode the only way to xAPIC mode leads through off. */
TEST(switching_back)
{
    for (unsigned i = 0; i < 2; i++) {
        set_up_x2apic();
        fake_msr(0x1B)->value = FAKE_APIC | 0xD00;
        fake_msr(0x1B)->writable = i ? ~0x400ull : ~0ull; /* a register that keeps the mode */
        fake_clear_log();
        assert_int_equal(apic_use_memory(), !i);
        assert_string_equal(fake.log, "rdmsr 1b\nwrmsr 1b fee00100\nwrmsr 1b fee00900\nrdmsr 1b\n");
    }
}

RUN_TESTS(run_allocate, run_release)
