/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers, CPUID and interrupts of a later family that switches make different: each case in literal bits. */

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { EAX, EBX, ECX, EDX };

static struct machine machine;

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

static uint64_t msr(uint32_t number)
{
    return machine_rdmsr(&machine, number);
}

static uint64_t held(uint32_t number, uint64_t value)
{
    machine_wrmsr(&machine, number, value);
    return msr(number);
}

static uint32_t cpuid(uint32_t leaf, unsigned which)
{
    uint32_t regs[4] = {~0u, ~0u, ~0u, ~0u};

    vpmu_cpuid(machine.vpmu, leaf, 0, regs);
    return regs[which];
}

static bool there(uint32_t number)
{
    uint64_t value;

    return vpmu_rdmsr(machine.vpmu, number, &value) == VPMU_OK;
}

/* One bit of each register cannot be written, and no other. */
TEST_WITH(test_lost_bits, NULL, stop)
{
    static const struct {
        uint32_t number;
        uint64_t written, lost;
    } rows[] = {
        {0xC0000301, 0x3F, 0x20},
        {0xC000010E, 0x1FF, 0x100},
        {0xC0010015, 0x3000000, 0x2000000},
        {0xC0010202, 0xF000000FF, 0xF00000000},
        {0xC0010207, 0xFFFFFFFFFFFF, 0x800000000000},
        {0xC0010230, 0x0300C0000000FFFF, 0x0100000000000000},
        {0xC0010231, 0xFFFFFFFFFFFF, 0x800000000000},
        {0xC0010240, 0x3807, 0x1000},
        {0xC0010241, 0xFFFFFFFFFFFF, 0x400000000000},
        {0xC0010800, 0x10A, 0x100},
        {0xC0010801, 0xFFFFFFFFFFFF, 0x200000000000},
        {0xC0011030, 0x080000000000FFFF, 0x0800000000000000},
        {0xC0011033, 0x07F1FFFF, 0x04000000},
    };

    for (unsigned i = 0; i < COUNT(rows); i++) {
        machine_start(&machine, "zen4", 0);
        assert_int_equal(held(rows[i].number, rows[i].written), rows[i].written);
        machine_start(&machine, "zen4", 1ull << HOSTILE_LOST_BITS);
        assert_int_equal(held(rows[i].number, rows[i].written), rows[i].written & ~rows[i].lost);
    }
}

TEST_WITH(test_cpuid_silent, NULL, stop)
{
    machine_start(&machine, "zen4", 0);
    assert_int_equal(cpuid(0x8000001B, EAX), 0xBFF);
    assert_int_equal(cpuid(0x80000022, EBX) & 0x3F000F, 0x40006);
    assert_int_equal(cpuid(0x80000001, ECX) >> 28 & 1, 1);
    assert_int_equal(cpuid(0x80000008, EBX) >> 27 & 1, 1);
    assert_false(there(0xC001103D));
    machine_start(&machine, "zen4", 1ull << HOSTILE_CPUID_SILENT);
    assert_int_equal(cpuid(0x8000001B, EAX), 0x8DF);
    assert_int_equal(cpuid(0x80000022, EBX) & 0x3F000F, 0x10004);
    assert_int_equal(cpuid(0x80000001, ECX) >> 28 & 1, 0);
    assert_int_equal(cpuid(0x80000008, EBX) >> 27 & 1, 0);
    assert_int_equal(cpuid(0x80000007, EDX) >> 9 & 1, 1); /* other leaves are unchanged */
    assert_int_equal(msr(0xC001103D), 0);
    assert_true(msr(0xC00102B0) != 0);
    machine_start(&machine, "zen2", 0);
    assert_false(there(0xC00102B0));
    machine_start(&machine, "zen2", 1ull << HOSTILE_CPUID_SILENT);
    assert_int_equal(msr(0xC00102B0), 0);
    assert_false(there(0xC001103E));
}

TEST_WITH(test_global_deaf, NULL, stop)
{
    for (unsigned deaf = 0; deaf < 2; deaf++) {
        machine_start(&machine, "zen4", deaf ? 1ull << HOSTILE_GLOBAL_DEAF : 0);
        assert_int_equal(held(0xC0000301, 0), deaf ? 0x3F : 0);
        machine_wrmsr(&machine, 0xC0000303, 3); /* sets bits of the status register */
        machine_wrmsr(&machine, 0xC0000302, 3);
        assert_int_equal(msr(0xC0000300), deaf);
    }
}

TEST_WITH(test_odd_reads, NULL, stop)
{
    uint32_t value;

    machine_start(&machine, "zen4", 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0x401, &(uint64_t){0}), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011031, 5), VPMU_GP);
    assert_int_equal(held(0xC0010004, 0xFFFFFFFFFFFF), 0xFFFFFFFFFFFF);
    assert_int_equal(msr(0xC0010063), 0);
    assert_int_equal(held(0xC0011039, 0x1000), 0x1000);
    vpmu_apic_read(machine.vpmu, 0x400, &value);
    assert_int_equal(value, 0x40000);

    machine_start(&machine, "zen4", 1ull << HOSTILE_ODD_READS);
    assert_int_equal(msr(0x401), 1ull << 63);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011031, 5), VPMU_OK);
    assert_int_equal(msr(0xC0011031), 0);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011032, 5), VPMU_GP);
    assert_int_equal(held(0xC0010004, 0xFFFFFFFFFFFF), 0xBFFFFFFFFFFF);
    assert_int_equal(msr(0xC0010201), 0xFFFFFFFFFFFF);
    assert_int_equal(held(0xC0010007, 0x30), 0x38);
    assert_int_equal(msr(0xC0010063), 1);
    assert_int_equal(msr(0xC0010299) >> 8 & 0x1F, 9);
    assert_int_equal(msr(0xC00102B0) >> 16 & 0xFF, 0xFF);
    assert_int_equal(held(0xC0011039, 0x1000), 0x1008);
    assert_int_equal(held(0xC0011033, 0x7Full << 32 | 0x10), 0x7Full << 32 | 0x10); /* not a sample: Val is clear */
    assert_int_equal(held(0xC0011033, 0x7Full << 32 | 0x40010), 0x40010);
    assert_int_equal(held(0xC0011030, 0x0002000000100010), 0x0002000000000010);
    vpmu_apic_read(machine.vpmu, 0x400, &value);
    assert_int_equal(value, 0x30000);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x20, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x320, 0x400), VPMU_OK); /* the timer, as NMI: it has ended */
    vpmu_apic_read(machine.vpmu, 0x390, &value);
    assert_int_equal(value, 1);
}

/* Family 10h is unchanged. */
TEST_WITH(test_not_before, NULL, stop)
{
    static const uint32_t numbers[] = {0xC0010004, 0xC0010007, 0xC0010015, 0xC0010063,
                                       0xC0011030, 0xC0011033, 0xC0011039};
    uint64_t later = 0;
    uint32_t value;

    for (unsigned i = HOSTILE_LOST_BITS; i < HOSTILE_SWITCHES; i++)
        later |= 1ull << i;
    for (unsigned i = 0; i < COUNT(numbers); i++) {
        uint64_t written = numbers[i] == 0xC0010063 ? 0 : 0x40100, plain;

        machine_start(&machine, "C", 0);
        plain = numbers[i] == 0xC0010063 ? msr(numbers[i]) : held(numbers[i], written);
        machine_start(&machine, "C", later);
        assert_int_equal(numbers[i] == 0xC0010063 ? msr(numbers[i]) : held(numbers[i], written), plain);
    }
    assert_false(there(0x401));
    assert_int_equal(cpuid(0x8000001B, EAX) & 0x1F, 0x1F);
    vpmu_apic_read(machine.vpmu, 0x400, &value);
    assert_int_equal(value, 0x40000);
    machine.vpmu->ibs.op_ctl = 0;
    assert_int_equal(machine.vpmu->ibs.hostile, 0);
}

/* The second core of a machine has another entry of the local vector table, and another TSC. */
TEST_WITH(test_other_cores, NULL, stop)
{
    for (unsigned hostile = 0; hostile < 2; hostile++) {
        uint64_t set = hostile ? 1ull << HOSTILE_ENTRIES_DIFFER | 1ull << HOSTILE_TSC_APART : 0, first;
        struct machine second = {0};
        struct vpmu_config config;

        machine_start(&machine, "zen4", set);
        config = machine.vpmu->config;
        config.with = machine.vpmu;
        assert_int_equal(msr(0xC001103A), 0x100);
        first = msr(0x10);
        machine_init_as(&second, &paper_map, config);
        assert_int_equal(machine_rdmsr(&second, 0xC001103A), 0x100 + hostile);
        assert_int_equal(machine_rdmsr(&second, 0x10) - first, hostile ? 100000 : 0);
        /* The second core delivers through its own entry. */
        assert_int_equal(vpmu_apic_write(second.vpmu, 0x500, 0x400), VPMU_OK);
        assert_int_equal(vpmu_apic_write(second.vpmu, 0x510, 0x10400), VPMU_OK);
        assert_int_equal(vpmu_lvt_open(second.vpmu), !hostile);
        assert_int_equal(vpmu_apic_write(second.vpmu, 0x510, 0x400), VPMU_OK);
        assert_true(vpmu_lvt_open(second.vpmu));
        machine_free(&second);
    }
}

/* On an overflow of counter 0, of retired instructions: the entry after it, and the interrupts that counter 1
 * counts. */
TEST_WITH(test_interrupts, NULL, stop)
{
    for (unsigned hostile = 0; hostile < 2; hostile++) {
        uint32_t value;

        machine_start(&machine, "zen4", hostile ? 1ull << HOSTILE_LVTPC_MASKED | 1ull << HOSTILE_NOT_INTERRUPTS : 0);
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

/* With an op interval in cycles there are half as many samples. */
TEST_WITH(test_slow_cycles, NULL, stop)
{
    struct ibs_unit *unit;

    for (unsigned slow = 0; slow < 2; slow++) {
        machine_start(&machine, "zen4", slow ? 1ull << HOSTILE_SLOW_CYCLES : 0);
        unit = &machine.vpmu->ibs;
        ibs_write_op_ctl(unit, 0x20000 | 0x10, 1000); /* 256 cycles */
        assert_int_equal(unit->op_expiry, 1000 + (slow ? 512 : 256));
        ibs_write_op_ctl(unit, 0xA0000 | 0x10, 1000); /* 256 ops */
        assert_int_equal(unit->op_left, 256);
    }
}

/* The last four of eight reads of a register in a row differ; the count begins again with another register. */
TEST_WITH(test_unstable, NULL, stop)
{
    machine_start(&machine, "zen4", 1ull << HOSTILE_ODD_READS);
    for (unsigned i = 0; i < 9; i++)
        assert_int_equal(msr(0xC0010003) >> 41, i >= 4 && i < 8);
    assert_int_equal(msr(0xC0010002), 0);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(msr(0xC0010003), 0);
    assert_int_equal(msr(0xC0010206), 0);
}

/* After a write of IbsFetchCtl during counting, Zen 2 continues the count, and Zen 4 starts with the written value. */
TEST_WITH(test_rearm, NULL, stop)
{
    for (unsigned i = 0; i < 4; i++) {
        bool goes_on = (i & 1) == (i >> 1); /* zen2 without the switch, zen4 with it */

        machine_start(&machine, i & 1 ? "zen4" : "zen2", i & 2 ? 1ull << HOSTILE_REARM_OTHERWISE : 0);
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

        machine_start(&machine, "zen4", 1ull << HOSTILE_SVR_OFF | (uint64_t)opens << HOSTILE_OFF_OPENS);
        assert_int_equal(vpmu_apic_write(machine.vpmu, 0x510, 0x400), VPMU_OK);
        vpmu_apic_read(machine.vpmu, 0x510, &value);
        assert_int_equal(value, opens ? 0x400 : 0x10400);
    }
}

TEST_WITH(test_slow_nmi, NULL, stop)
{
    uint64_t ticks[2];

    for (unsigned slow = 0; slow < 2; slow++) {
        machine_start(&machine, "zen4", (uint64_t)slow << HOSTILE_SLOW_NMI);
        vpmu_apic_write(machine.vpmu, 0x340, 0x400);
        machine_wrmsr(&machine, 0xC0010201, 0x1000000000000 - 1000);
        machine_wrmsr(&machine, 0xC0010200, 0x5300C0);
        machine_matmul(&machine, 0, 1);
        assert_int_equal(machine.nmis, 1);
        ticks[slow] = msr(0x10);
    }
    assert_int_equal(ticks[1] - ticks[0], 6000);
}

/* The ID differs on the boot core alone: another core has the ID of its APIC. CPUID has no other differences, whatever
 * the host's processor says where the model says nothing. */
TEST_WITH(test_boot_id, NULL, stop)
{
    static const struct {
        uint32_t leaf, which, bit;
    } rows[] = {{1, EBX, 28}, {0xB, EDX, 4}, {0x8000001E, EAX, 4}};

    for (uint32_t n = 0; n < 2 * 0x30; n++) {
        uint32_t leaf = n < 0x30 ? n : 0x80000000 + n - 0x30, before[4] = {0}, boot[4] = {0}, other[4] = {0};

        machine_start(&machine, "zen4", 0);
        vpmu_cpuid(machine.vpmu, leaf, 0, before);
        machine_start(&machine, "zen4", 1ull << HOSTILE_BOOT_ID);
        vpmu_cpuid(machine.vpmu, leaf, 0, boot);
        machine.vpmu->config.with = machine.vpmu;
        vpmu_cpuid(machine.vpmu, leaf, 0, other);
        machine.vpmu->config.with = NULL;
        assert_memory_equal(other, before, sizeof(before));
        for (unsigned i = 0; i < COUNT(rows); i++)
            if (rows[i].leaf == leaf) {
                assert_int_equal(boot[rows[i].which], before[rows[i].which] | 1u << rows[i].bit);
                assert_int_not_equal(boot[rows[i].which], before[rows[i].which]);
                boot[rows[i].which] = before[rows[i].which];
            }
        assert_memory_equal(boot, before, sizeof(before));
    }
}

/* Counts ops with Inv and a count mask of 0. */
TEST_WITH(test_invert_always, NULL, stop)
{
    uint64_t counted[2];

    for (unsigned always = 0; always < 2; always++) {
        machine_start(&machine, "zen4", (uint64_t)always << HOSTILE_INVERT_ALWAYS);
        machine_wrmsr(&machine, 0xC0010200, 0xC300C1);
        machine_matmul(&machine, 0, 1);
        counted[always] = msr(0xC0010201);
    }
    assert_true(counted[0] > 1000);
    assert_int_equal(counted[1], 0);
}

RUN_TESTS(NULL, NULL)
