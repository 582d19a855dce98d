/* SPDX-License-Identifier: BSD-2-Clause */
/* Time in the model: the time stamp counter, and the APIC timer with NMIs. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/program.h"
#include "vpmu/model/hostile.h"

enum {
    LVT_TIMER = 0x320,
    INITIAL = 0x380,
    CURRENT = 0x390,
    DIVIDE = 0x3E0,
    NMI = 0x400,
    MASKED = 0x10000,
    PERIODIC = 0x20000,
    BY_1 = 0xB,
    TSC = 0x10,
    PER_TICK = 15, /* revision C: 3000 MHz by 200 MHz */
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static struct machine machine;

static uint32_t reg(unsigned offset)
{
    uint32_t value = 0;

    assert_int_equal(vpmu_apic_read(machine.vpmu, offset, &value), VPMU_OK);
    return value;
}

static void set(unsigned offset, uint32_t value)
{
    assert_int_equal(vpmu_apic_write(machine.vpmu, offset, value), VPMU_OK);
}

static int end(void **state)
{
    machine_free(&machine);
    return 0;
}

static void start(enum vpmu_revision revision)
{
    end(NULL);
    machine_init(&machine, revision, &paper_map, 1);
}

/* ---------------------------------------------------------------- the time stamp counter */

TEST(test_goes_on_with_cycles_and_with_the_stepper)
{
    uint64_t before, cycle;

    start(VPMU_REV_C);
    before = vpmu_tsc(machine.vpmu);
    vpmu_elapse(machine.vpmu, 12345);
    assert_int_equal(vpmu_tsc(machine.vpmu), before + 12345);
    cycle = machine.vpmu->pipe.retire_cycle;
    machine_wrmsr(&machine, 0xC0011033, 1 << 17);
    machine_matmul(&machine, 0, 1);
    assert_int_equal(vpmu_tsc(machine.vpmu), before + 12345 + machine.vpmu->pipe.retire_cycle - cycle);
    assert_int_equal(machine_rdmsr(&machine, TSC), vpmu_tsc(machine.vpmu));
}

TEST(test_never_goes_back)
{
    uint64_t last = 0;

    start(VPMU_REV_B);
    for (unsigned i = 0; i < 2000; i++) {
        if (i % 7 == 0)
            machine_wrmsr(&machine, PERF_CTL, i % 2 ? EVENT(0x0C0, 0) | PERF_EN : 0);
        if (i % 5 == 0)
            vpmu_elapse(machine.vpmu, i % 3);
        if (i % 11 == 0)
            vpmu_break(machine.vpmu);
        machine_step(&machine, PAPER_BASE + paper_map.insns[8 + i % 16].rva);
        assert_true(vpmu_tsc(machine.vpmu) >= last);
        last = vpmu_tsc(machine.vpmu);
    }
    assert_true(last > 0);
}

TEST(test_can_be_written)
{
    start(VPMU_REV_C);
    set(LVT_TIMER, NMI | MASKED);
    set(DIVIDE, BY_1);
    set(INITIAL, 1000);
    machine_wrmsr(&machine, TSC, 0x123456789A);
    assert_int_equal(machine_rdmsr(&machine, TSC), 0x123456789A);
    vpmu_elapse(machine.vpmu, 10);
    assert_int_equal(machine_rdmsr(&machine, TSC), 0x12345678A4);
    assert_int_equal(reg(CURRENT), 1000); /* no effect on the timer */
}

TEST(test_rates)
{
    static const uint32_t khz[] = {2000000, 3000000, 3200000};

    for (unsigned revision = 0; revision < 3; revision++) {
        start((enum vpmu_revision)revision);
        assert_int_equal(vpmu_tsc_khz(machine.vpmu), khz[revision]);
        set(LVT_TIMER, NMI | MASKED);
        set(DIVIDE, BY_1);
        set(INITIAL, 2000000);
        vpmu_elapse(machine.vpmu, khz[revision]); /* a millisecond: 200,000 at 200 MHz */
        assert_int_equal(reg(CURRENT), 1800000);
    }
}

/* ---------------------------------------------------------------- the timer's registers */

TEST(test_ours_while_of_type_nmi)
{
    static const unsigned registers[] = {LVT_TIMER, INITIAL, CURRENT, DIVIDE};
    uint32_t value;

    start(VPMU_REV_C);
    for (unsigned i = 0; i < COUNT(registers); i++)
        assert_int_equal(vpmu_apic_read(machine.vpmu, registers[i], &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, INITIAL, 5), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, DIVIDE, 5), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, CURRENT, 5), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, LVT_TIMER, 0x20040), VPMU_NOT_MINE);

    set(LVT_TIMER, 0xFFFFFCFF); /* type 4, with all other bits set */
    assert_int_equal(reg(LVT_TIMER), 0x304FF);
    set(DIVIDE, 0xFFFFFFFF);
    assert_int_equal(reg(DIVIDE), 0xB);
    set(INITIAL, 77);
    assert_int_equal(reg(INITIAL), 77);
    set(CURRENT, 5); /* read-only: the write is ignored */
    assert_int_equal(reg(CURRENT), 77);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x3C0, 5), VPMU_NOT_MINE); /* next to a register of the model */
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x3C0, &value), VPMU_NOT_MINE);

    assert_int_equal(vpmu_apic_write(machine.vpmu, LVT_TIMER, 0x20040), VPMU_NOT_MINE);
    for (unsigned i = 0; i < COUNT(registers); i++)
        assert_int_equal(vpmu_apic_read(machine.vpmu, registers[i], &value), VPMU_NOT_MINE);
    set(LVT_TIMER, NMI | MASKED); /* the model takes over again: the timer is stopped */
    assert_int_equal(reg(CURRENT), 0);
    assert_int_equal(reg(INITIAL), 0);
    assert_int_equal(reg(DIVIDE), 0);
}

TEST(test_dividers)
{
    static const struct {
        uint32_t code, by;
    } rows[] = {{0x0, 2}, {0x1, 4}, {0x2, 8}, {0x3, 16}, {0x8, 32}, {0x9, 64}, {0xA, 128}, {0xB, 1}};

    for (unsigned i = 0; i < COUNT(rows); i++) {
        start(VPMU_REV_C);
        set(LVT_TIMER, NMI | MASKED);
        set(DIVIDE, rows[i].code);
        set(INITIAL, 1000);
        vpmu_elapse(machine.vpmu, 300ull * PER_TICK * rows[i].by);
        assert_int_equal(reg(CURRENT), 700);
        vpmu_elapse(machine.vpmu, 1);
        assert_int_equal(reg(CURRENT), 700); /* until the tick is complete */
        vpmu_elapse(machine.vpmu, 700ull * PER_TICK * rows[i].by);
        assert_int_equal(reg(CURRENT), 0);
        vpmu_elapse(machine.vpmu, 700ull * PER_TICK * rows[i].by);
        assert_int_equal(reg(CURRENT), 0); /* one shot */
    }
}

/* The stepper's time before the first step does not count for a running timer. */
TEST(test_time_that_the_timer_does_not_count)
{
    uint64_t before;

    start(VPMU_REV_C);
    set(LVT_TIMER, NMI | MASKED);
    set(DIVIDE, BY_1);
    set(INITIAL, 1000);
    before = vpmu_tsc(machine.vpmu);
    vpmu_elapse_uncounted(machine.vpmu, 5000 * PER_TICK);
    assert_int_equal(vpmu_tsc(machine.vpmu), before + 5000 * PER_TICK);
    assert_int_equal(reg(CURRENT), 1000);
    vpmu_elapse(machine.vpmu, 400 * PER_TICK);
    assert_int_equal(reg(CURRENT), 600);
}

TEST(test_another_divider_on_the_way)
{
    start(VPMU_REV_C);
    set(LVT_TIMER, NMI | MASKED);
    set(DIVIDE, BY_1);
    set(INITIAL, 1000);
    vpmu_elapse(machine.vpmu, 400 * PER_TICK);
    set(DIVIDE, 0);
    assert_int_equal(reg(CURRENT), 600);
    vpmu_elapse(machine.vpmu, 400 * PER_TICK);
    assert_int_equal(reg(CURRENT), 400);
}

TEST(test_periodic_count)
{
    start(VPMU_REV_C);
    set(LVT_TIMER, NMI | MASKED | PERIODIC);
    set(DIVIDE, BY_1);
    set(INITIAL, 100);
    vpmu_elapse(machine.vpmu, (1000 * 100 + 30) * PER_TICK);
    assert_int_equal(reg(CURRENT), 70);
    set(INITIAL, 0); /* stops the timer */
    vpmu_elapse(machine.vpmu, 1000 * PER_TICK);
    assert_int_equal(reg(CURRENT), 0);
}

/* ---------------------------------------------------------------- its interrupts */

TEST(test_armed_while_it_counts_towards_an_nmi)
{
    start(VPMU_REV_C);
    set(LVT_TIMER, NMI | MASKED);
    set(DIVIDE, BY_1);
    set(INITIAL, 1000);
    assert_false(vpmu_armed(machine.vpmu));
    set(LVT_TIMER, NMI);
    assert_true(vpmu_armed(machine.vpmu));
    set(INITIAL, 0);
    assert_false(vpmu_armed(machine.vpmu));
    set(INITIAL, 1000);
    assert_true(vpmu_armed(machine.vpmu));
    (void)vpmu_apic_write(machine.vpmu, LVT_TIMER, MASKED);
    assert_false(vpmu_armed(machine.vpmu));
}

TEST(test_one_shot_nmi)
{
    uint64_t from, late;

    start(VPMU_REV_C);
    machine_wrmsr(&machine, 0xC0011033, 1 << 17);
    machine_matmul(&machine, 0, 1);
    set(LVT_TIMER, NMI);
    set(DIVIDE, BY_1);
    set(INITIAL, 500);
    from = vpmu_tsc(machine.vpmu);
    for (unsigned i = 0; machine.nmis == 0; i++) {
        assert_true(i < 100000);
        machine_step(&machine, PAPER_BASE + paper_map.insns[8 + i % 16].rva);
    }
    late = vpmu_tsc(machine.vpmu) - from - 500 * PER_TICK;
    assert_in_range(late, INTERRUPT_DELAY, INTERRUPT_DELAY + INTERRUPT_SPREAD + 200);
    assert_int_equal(reg(CURRENT), 0);
    assert_int_equal(reg(LVT_TIMER), NMI); /* unlike the counters' entry the timer's is not masked */
    machine_wrmsr(&machine, 0xC0011033, 0);
    assert_false(vpmu_armed(machine.vpmu));
}

TEST(test_periodic_nmis)
{
    uint64_t from, expected;

    start(VPMU_REV_C);
    set(LVT_TIMER, NMI | PERIODIC);
    set(DIVIDE, BY_1);
    set(INITIAL, 300);
    from = vpmu_tsc(machine.vpmu);
    machine_matmul(&machine, 0, 10);
    expected = (vpmu_tsc(machine.vpmu) - from) / (300 * PER_TICK);
    assert_true(expected > 20);
    assert_in_range(machine.nmis, expected - 1, expected);
    assert_int_equal(machine.vpmu->pmc_truth.all[0], 0); /* no counter is on */
}

/* The interrupt's time does not depend on earlier writes and advances of the TSC, even in slow code, where the
 * interrupt comes before the limit of retired ops is reached. */
TEST(test_one_shot_by_any_tsc)
{
    static const uint64_t tscs[] = {0, 1ull << 40, 0xFFFFFFFFFFF00000};
    uint64_t late[3];

    for (unsigned i = 0; i < COUNT(tscs); i++) {
        uint64_t from;

        start(VPMU_REV_C);
        if (i > 0) {
            machine_wrmsr(&machine, TSC, tscs[i]);
            vpmu_elapse(machine.vpmu, 1000000);
        }
        set(LVT_TIMER, NMI);
        set(DIVIDE, BY_1);
        set(INITIAL, 500);
        from = vpmu_tsc(machine.vpmu);
        for (unsigned n = 0; machine.nmis == 0; n++) {
            assert_true(n < 100000);
            machine_step(&machine, PAPER_BASE + paper_map.insns[10 + n % 2].rva);
        }
        late[i] = vpmu_tsc(machine.vpmu) - from;
        assert_in_range(late[i], 500 * PER_TICK + INTERRUPT_DELAY, 500 * PER_TICK + 250);
        assert_int_equal(late[i], late[0]);
    }
}

static void rearm(struct machine *m)
{
    assert_int_equal(vpmu_apic_write(m->vpmu, INITIAL, 200), VPMU_OK);
}

/* If the handler sets the timer again, as a driver does, samples fall where time is spent: on the miss and the ops that
 * wait for it. */
TEST(test_samples_in_model_time)
{
    uint64_t samples[2];

    for (unsigned i = 0; i < 2; i++) {
        start(VPMU_REV_C);
        machine.handler = rearm;
        set(LVT_TIMER, NMI);
        set(DIVIDE, BY_1);
        set(INITIAL, 200);
        machine_matmul(&machine, 0, 10);
        samples[i] = machine.nmis;
        assert_in_range(machine.vpmu->apic.skid_max, 0, 72);
    }
    assert_true(samples[0] > 20);
    assert_int_equal(samples[0], samples[1]);
}

TEST(test_masked_ends_are_lost)
{
    start(VPMU_REV_C);
    machine_wrmsr(&machine, 0xC0011033, 1 << 17);
    set(LVT_TIMER, NMI | MASKED);
    set(DIVIDE, BY_1);
    set(INITIAL, 100);
    machine_matmul(&machine, 0, 1);
    set(LVT_TIMER, NMI);
    machine_matmul(&machine, 1, 2);
    assert_int_equal(machine.nmis, 0);
}

static unsigned from_counter, from_timer;

static void count_causes(struct machine *m)
{
    unsigned causes = vpmu_nmi_causes(m->vpmu);

    assert_true(causes != 0 && !(causes & VPMU_CAUSE_PLANTED));
    from_counter += (causes & VPMU_CAUSE_COUNTER) != 0;
    from_timer += (causes & VPMU_CAUSE_TIMER) != 0;
}

/* The counter's NMI comes once, because its entry is then masked; the timer's comes at the end of each period, except
 * for one that may be on its way at the end. */
TEST(test_timer_and_counter_together)
{
    uint64_t from, periods;

    start(VPMU_REV_C);
    machine.handler = count_causes;
    from_counter = from_timer = 0;
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, NMI), VPMU_OK);
    set(LVT_TIMER, NMI | PERIODIC);
    set(DIVIDE, BY_1);
    set(INITIAL, 1000);
    from = vpmu_tsc(machine.vpmu);
    machine_wrmsr(&machine, PERF_CTR, 0 - 1000ull);
    machine_wrmsr(&machine, PERF_CTL, EVENT(0x0C0, 0) | PERF_EN | PERF_INT);
    machine_matmul(&machine, 0, 5);
    periods = (vpmu_tsc(machine.vpmu) - from) / (1000 * PER_TICK);
    assert_true(periods >= 2);
    assert_int_equal(from_counter, 1);
    assert_in_range(from_timer, periods - 1, periods);
    assert_in_range(machine.nmis, from_timer, from_timer + 1); /* one NMI may have both sources */
    machine_wrmsr(&machine, PERF_CTL, 0);
    assert_int_equal(reg(0x340), NMI | MASKED);
    assert_int_equal(reg(LVT_TIMER), NMI | PERIODIC);
}

/* Eight NMIs of the timer come after its entry was written, and eight more after it was written again. */
TEST(test_ends)
{
    end(NULL);
    machine_init_as(&machine, &paper_map,
                    (struct vpmu_config){.revision = VPMU_REV_C, .seed = 1, .hostile = 1u << HOSTILE_TIMER_ENDS});
    for (unsigned round = 1; round <= 2; round++) {
        set(LVT_TIMER, NMI | PERIODIC); /* from here on the registers belong to the model */
        set(DIVIDE, BY_1);
        set(INITIAL, 20);
        machine_matmul(&machine, 0, 2);
        set(INITIAL, 0);
        assert_int_equal(machine.nmis, 8 * round);
        assert_true(machine.vpmu->apic.lost > 0);
        assert_int_equal(machine.vpmu->apic.requests - machine.vpmu->apic.lost, machine.nmis);
    }
}

RUN_TESTS(NULL, end)
