/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers and interrupts of a later family that switches change: each case in literal bits. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

static struct machine machine;

static void start(const char *name, uint64_t hostile)
{
    enum vpmu_revision revision;

    if (machine.memory)
        machine_free(&machine);
    assert_true(vpmu_revision_parse(name, &revision));
    machine_init_as(&machine, &paper_map, (struct vpmu_config){.revision = revision, .seed = 1, .hostile = hostile});
}

static int stop(void **state)
{
    machine_free(&machine);
    machine.memory = NULL;
    return 0;
}

static uint64_t msr(uint32_t number)
{
    return machine_rdmsr(&machine, number);
}

/* The second core of a machine: another entry of the local vector table, another TSC. */
TEST_WITH(test_other_cores, NULL, stop)
{
    for (unsigned hostile = 0; hostile < 2; hostile++) {
        uint64_t set = hostile ? 1ull << HOSTILE_ENTRIES_DIFFER | 1ull << HOSTILE_TSC_APART : 0, first;
        struct machine second = {0};
        struct vpmu_config config;

        start("zen4", set);
        config = machine.vpmu->config;
        config.with = machine.vpmu;
        assert_int_equal(msr(0xC001103A), 0x100);
        first = msr(0x10);
        machine_init_as(&second, &paper_map, config);
        assert_int_equal(machine_rdmsr(&second, 0xC001103A), 0x100 + hostile);
        assert_int_equal(machine_rdmsr(&second, 0x10) - first, hostile ? 100000 : 0);
        /* It delivers by the entry that it has. */
        assert_int_equal(vpmu_apic_write(second.vpmu, 0x500, 0x400), VPMU_OK);
        assert_int_equal(vpmu_apic_write(second.vpmu, 0x510, 0x10400), VPMU_OK);
        assert_int_equal(vpmu_lvt_open(second.vpmu), !hostile);
        assert_int_equal(vpmu_apic_write(second.vpmu, 0x510, 0x400), VPMU_OK);
        assert_true(vpmu_lvt_open(second.vpmu));
        machine_free(&second);
    }
}

/* Overflow of counter 0, of retired instructions: the entry after it, and what counter 1 counts of interrupts. */
TEST_WITH(test_interrupts, NULL, stop)
{
    for (unsigned hostile = 0; hostile < 2; hostile++) {
        uint32_t value;

        start("zen4", hostile ? 1ull << HOSTILE_LVTPC_MASKED | 1ull << HOSTILE_NOT_INTERRUPTS : 0);
        vpmu_apic_write(machine.vpmu, 0x340, 0x400);
        machine_wrmsr(&machine, 0xC0010202, 0x43002C);
        machine_wrmsr(&machine, 0xC0010201, 0x1000000000000 - 1000);
        machine_wrmsr(&machine, 0xC0010200, 0x5300C0);
        machine_matmul(&machine, 0, 1);
        assert_int_equal(machine.nmis, 1);
        vpmu_apic_read(machine.vpmu, 0x340, &value);
        assert_int_equal(value, hostile ? 0x10400 : 0x400);
        assert_int_equal(msr(0xC0010203), !hostile);
    }
}

/* Cycles of an op interval: half as many samples. */
TEST_WITH(test_slow_cycles, NULL, stop)
{
    struct ibs_unit *unit;

    for (unsigned slow = 0; slow < 2; slow++) {
        start("zen4", slow ? 1ull << HOSTILE_SLOW_CYCLES : 0);
        unit = &machine.vpmu->ibs;
        ibs_write_op_ctl(unit, 0x20000 | 0x10, 1000); /* 256 cycles */
        assert_int_equal(unit->op_expiry, 1000 + (slow ? 512 : 256));
        ibs_write_op_ctl(unit, 0xA0000 | 0x10, 1000); /* 256 ops */
        assert_int_equal(unit->op_left, 256);
    }
}

/* A write of IbsFetchCtl while it counts: on Zen 2 the count goes on, on Zen 4 it starts at what is written. */
TEST_WITH(test_rearm, NULL, stop)
{
    for (unsigned i = 0; i < 4; i++) {
        bool goes_on = (i & 1) == (i >> 1); /* zen2 without the switch, zen4 with it */

        start(i & 1 ? "zen4" : "zen2", i & 2 ? 1ull << HOSTILE_REARM_OTHERWISE : 0);
        machine_wrmsr(&machine, 0xC0011030, 1ull << 48 | 0x1000);
        machine.vpmu->ibs.fetch_left -= 0x200;
        machine_wrmsr(&machine, 0xC0011030, 1ull << 48 | 0x1000);
        if ((msr(0xC0011030) >> 16 & 0xFFFF) != (goes_on ? 0x20 : 0))
            fail_msg("case %u: %llx", i, (unsigned long long)msr(0xC0011030));
    }
}

TEST_WITH(test_off_opens, NULL, stop)
{
    for (unsigned opens = 0; opens < 2; opens++) {
        uint32_t value;

        start("zen4", 1ull << HOSTILE_SVR_OFF | (uint64_t)opens << HOSTILE_OFF_OPENS);
        assert_int_equal(vpmu_apic_write(machine.vpmu, 0x510, 0x400), VPMU_OK);
        vpmu_apic_read(machine.vpmu, 0x510, &value);
        assert_int_equal(value, opens ? 0x400 : 0x10400);
    }
}

TEST_WITH(test_slow_nmi, NULL, stop)
{
    uint64_t ticks[2];

    for (unsigned slow = 0; slow < 2; slow++) {
        start("zen4", (uint64_t)slow << HOSTILE_SLOW_NMI);
        vpmu_apic_write(machine.vpmu, 0x340, 0x400);
        machine_wrmsr(&machine, 0xC0010201, 0x1000000000000 - 1000);
        machine_wrmsr(&machine, 0xC0010200, 0x5300C0);
        machine_matmul(&machine, 0, 1);
        assert_int_equal(machine.nmis, 1);
        ticks[slow] = msr(0x10);
    }
    assert_int_equal(ticks[1] - ticks[0], 6000);
}

RUN_TESTS(NULL, NULL)
