/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts of a later family that switches make different: the local APIC, and IBS' request. */
#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

static struct machine machine;

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

static uint32_t apic_held(unsigned offset, uint32_t value)
{
    uint32_t read = 0;

    assert_int_equal(vpmu_apic_write(machine.vpmu, offset, value), VPMU_OK);
    assert_int_equal(vpmu_apic_read(machine.vpmu, offset, &read), VPMU_OK);
    return read;
}

TEST_WITH(test_lvt_sticks, NULL, stop)
{
    uint32_t value;

    machine_start(&machine, "C", 1ull << HOSTILE_LVT_STICKS);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x360, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x360, 0x400), VPMU_NOT_MINE);
    machine_start(&machine, "zen4", 1ull << HOSTILE_LVT_STICKS);
    assert_int_equal(apic_held(0x360, 0x4FE), 0x4FE);
    assert_int_equal(apic_held(0x360, 0x104FE), 0x104FE);
    assert_int_equal(apic_held(0x360, 0x4FE), 0x104FE);
    machine_start(&machine, "zen4", 1ull << HOSTILE_LVT_STICKS | 1ull << HOSTILE_SVR_OFF);
    assert_int_equal(apic_held(0xF0, 0xFF), 0xFF); /* switching the APIC off masks the entry, too */
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x360, &value), VPMU_OK);
    assert_int_equal(value, 0x10400);
}

/* The request is repeated as long as a sample waits and the entry is open. */
TEST_WITH(test_val_level, NULL, stop)
{
    for (unsigned level = 0; level < 2; level++) {
        machine_start(&machine, "zen4", (uint64_t)level << HOSTILE_VAL_LEVEL);
        vpmu_apic_write(machine.vpmu, 0x500, 0x400);
        assert_false(vpmu_asks_again(machine.vpmu));
        machine_wrmsr(&machine, 0xC0011033, 1 << 17 | 1 << 18);
        assert_int_equal(vpmu_asks_again(machine.vpmu), level);
        vpmu_apic_write(machine.vpmu, 0x500, 0x10400);
        assert_false(vpmu_asks_again(machine.vpmu));
    }
}

/* A period takes three times as long; a one-shot count does not. */
TEST_WITH(test_timer_slows, NULL, stop)
{
    for (unsigned i = 0; i < 4; i++) {
        bool periodic = i & 1, slow = periodic && i & 2;

        machine_start(&machine, "zen4", i & 2 ? 1ull << HOSTILE_TIMER_SLOWS : 0);
        (void)apic_held(0x320, (periodic ? 0x20000 : 0) | 0x10400);
        (void)apic_held(0x3E0, 0xB);
        assert_int_equal(apic_held(0x380, 6000), 6000);
        vpmu_elapse(machine.vpmu, 3000ull * vpmu_tsc_khz(machine.vpmu) / 200000);
        assert_int_equal(apic_held(0x390, 0), slow ? 5000 : 3000);
    }
}

/* A counter is stopped right after its overflow: the NMI comes at once, or 1.5 us later. */
TEST_WITH(test_late_overflow, NULL, stop)
{
    for (unsigned late = 0; late < 2; late++) {
        uint64_t overflow;

        machine_start(&machine, "zen4", (uint64_t)late << HOSTILE_LATE_OVERFLOW);
        vpmu_apic_write(machine.vpmu, 0x340, 0x400);
        machine_wrmsr(&machine, 0xC0010201, 0x1000000000000 - 10);
        machine_wrmsr(&machine, 0xC0010200, 0x5300C0);
        for (unsigned i = 0; i < 12; i++)
            machine_step(&machine, PAPER_BASE + paper_map.insns[i % 7].rva);
        overflow = vpmu_tsc(machine.vpmu);
        machine_wrmsr(&machine, 0xC0010200, 0);
        assert_int_equal(vpmu_take_pending_nmi(machine.vpmu), !late);
        for (unsigned i = 0; late && !machine.nmis && i < 20000; i++)
            machine_step(&machine, PAPER_BASE + paper_map.insns[i % 7].rva);
        assert_int_equal(machine.nmis, late);
        if (late)
            assert_in_range((vpmu_tsc(machine.vpmu) - overflow) * 1000000 / vpmu_tsc_khz(machine.vpmu), 1400, 1700);
        assert_false(vpmu_armed(machine.vpmu));
    }
}

RUN_TESTS(NULL, NULL)
