/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers by which the firmware sets up the processor, and the switches that change them. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

enum { HWCR = 0xC0010015, PSTATE_0 = 0xC0010064, DEF_TYPE = 0x2FF, EDX = 3 };

static struct machine machine;

static struct vpmu *start(enum vpmu_revision revision, uint32_t hostile)
{
    if (machine.memory)
        machine_free(&machine);
    machine_init_as(&machine, &paper_map, (struct vpmu_config){.revision = revision, .seed = 1, .hostile = hostile});
    return machine.vpmu;
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

static bool not_ours(uint32_t number)
{
    uint64_t value;

    return vpmu_rdmsr(machine.vpmu, number, &value) == VPMU_NOT_MINE;
}

static uint32_t cpuid(uint32_t leaf, unsigned which, uint32_t host)
{
    uint32_t regs[4] = {host, host, host, host};

    vpmu_cpuid(machine.vpmu, leaf, 0, regs);
    return regs[which];
}

/* P0 has the model's clock; with boost its register is the second one. */
TEST_WITH(test_pstates, NULL, stop)
{
    uint32_t boost;

    start(VPMU_REV_B, 0);
    assert_int_equal(msr(PSTATE_0), 0x8000000000000004);
    start(VPMU_REV_C, 0);
    assert_int_equal(msr(PSTATE_0), 0x800000000000000E);
    assert_int_equal(msr(PSTATE_0 + 1), 0x8000000000000050); /* 1600 MHz */
    assert_int_equal(msr(PSTATE_0 + 2), 0x8000000000000040); /* 800 MHz */
    assert_int_equal(msr(PSTATE_0 + 3), 0);
    assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 4, 0x15C, &boost), VPMU_OK);
    assert_int_equal(boost, 0);
    assert_int_equal(cpuid(0x80000007, EDX, ~0u) & 0x380, 0x180);
    start(VPMU_REV_E, 0);
    assert_int_equal(msr(PSTATE_0), 0x8000000000000014);
    assert_int_equal(msr(PSTATE_0 + 1), 0x8000000000000010);
    assert_int_equal(msr(PSTATE_0 + 3), 0x8000000000000040);
    assert_int_equal(msr(PSTATE_0 + 4), 0);
    assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 4, 0x15C, &boost), VPMU_OK);
    assert_int_equal(boost, 5);
    assert_int_equal(cpuid(0x80000007, EDX, 0) & 0x380, 0x380);
}

/* Registers of Zen to Zen 4 have 200 MHz * 7:0 / 13:8, those of Zen 5 5 MHz * 11:0; without a boosted P-state the clock
 * is in the first. */
TEST_WITH(test_pstates_of_zen, NULL, stop)
{
    enum vpmu_revision zen2, zen5;

    assert_true(vpmu_revision_parse("zen2", &zen2) && vpmu_revision_parse("zen5", &zen5));
    start(zen2, 0);
    assert_int_equal(msr(PSTATE_0), 0x8000000000000800 | machine.vpmu->params->mhz / 25);
    assert_int_equal(msr(PSTATE_0 + 2), 0x8000000000000820); /* 800 MHz */
    assert_int_equal(msr(PSTATE_0 + 3), 0);
    start(zen5, 0);
    assert_int_equal(msr(PSTATE_0), 0x8000000000000000 | machine.vpmu->params->mhz / 5);
    assert_int_equal(msr(PSTATE_0 + 1), 0x8000000000000140); /* 1600 MHz */
}

/* There are levels of performance from Zen 4 on, and counts of energy from Zen on: each millisecond, for a core and for
 * all. */
TEST_WITH(test_power, NULL, stop)
{
    enum vpmu_revision zen2, zen4;
    uint64_t value, core, all;

    assert_true(vpmu_revision_parse("zen2", &zen2) && vpmu_revision_parse("zen4", &zen4));
    start(VPMU_REV_C, 0);
    assert_true(not_ours(0xC0010299) && not_ours(0xC00102B0));
    assert_int_equal(cpuid(0x80000007, EDX, ~0u) & 0x4200, 0);
    start(zen2, 0);
    assert_int_equal(cpuid(0x80000007, EDX, 0) & 0x4200, 0x4200); /* energy, boost */
    assert_int_equal(cpuid(0x80000008, 1, 0), 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC00102B0, &value), VPMU_GP);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC00102B3, 0), VPMU_GP);
    assert_int_equal(msr(0xC0010299), 0xA1003);
    core = msr(0xC001029A);
    all = msr(0xC001029B);
    vpmu_elapse(machine.vpmu, 3000000); /* 1 ms */
    assert_int_equal(msr(0xC001029A), core + 197);
    assert_int_equal(msr(0xC001029B), all + 197 + 655);
    vpmu_elapse(machine.vpmu, 2000000);
    assert_int_equal(msr(0xC001029A), core + 197);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC001029A, 0), VPMU_GP);
    machine.vpmu->nodes->cores = 8; /* four nodes have them */
    machine.vpmu->nodes->count = 4;
    all = msr(0xC001029B);
    vpmu_elapse(machine.vpmu, 3000000);
    assert_int_equal(msr(0xC001029B), all + 2 * 197 + 655);
    start(zen2, 1u << HOSTILE_ENERGY_FAULTS);
    assert_int_equal(cpuid(0x80000007, EDX, 0) & 0x4000, 0x4000);
    for (uint32_t n = 0xC0010299; n <= 0xC001029B; n++)
        assert_int_equal(vpmu_rdmsr(machine.vpmu, n, &value), VPMU_GP);
    start(zen4, 0);
    assert_int_equal(cpuid(0x80000008, 1, 0), 1 << 27);
    assert_int_equal(msr(0xC00102B0), 0xA6783C14);
    assert_int_equal(msr(0xC00102B3), 0x800014A6);
    machine_wrmsr(&machine, 0xC00102B3, 0x112233);
    assert_int_equal(msr(0xC00102B3), 0x112233);
    machine_wrmsr(&machine, 0xC00102B1, 0);
    assert_int_equal(msr(0xC00102B1), 1);
    assert_int_equal(msr(0xC00102B2) | msr(0xC00102B4), 0);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC00102B0, 0), VPMU_GP);
    assert_true(not_ours(0xC00102B5) && not_ours(0xC00102AF));
    start(zen4, 1u << HOSTILE_CPPC_IGNORED);
    machine_wrmsr(&machine, 0xC00102B3, 0x112233);
    assert_int_equal(msr(0xC00102B3), 0x800014A6);
}

/* Switches change what the firmware leaves on. */
TEST_WITH(test_left_on, NULL, stop)
{
    enum vpmu_revision zen4;

    assert_true(vpmu_revision_parse("zen4", &zen4));
    start(zen4, 0);
    assert_true(not_ours(0xC0010010) && not_ours(0xC0010074));
    start(zen4, 1u << HOSTILE_LEFT_ON);
    assert_int_equal(msr(0xC0010010), 3 << 23);
    assert_int_equal(msr(0xC0010074), 1);
    machine_wrmsr(&machine, 0xC0010074, 0);
    assert_int_equal(msr(0xC0010074), 0);
}

TEST_WITH(test_written, NULL, stop)
{
    start(VPMU_REV_E, 0);
    assert_int_equal(msr(HWCR), 1 << 24);
    machine_wrmsr(&machine, HWCR, ~0ull);
    assert_int_equal(msr(HWCR), 3 << 24);
    machine_wrmsr(&machine, HWCR, 0);
    assert_int_equal(msr(HWCR), 1 << 24);
    assert_int_equal(msr(0xC0010061), 0x20);
    machine_wrmsr(&machine, 0xC0010062, 2);
    assert_int_equal(msr(0xC0010063), 2);
    assert_int_equal(msr(0xC0010071), 0x20040);
    machine_wrmsr(&machine, 0xC0010062, 7); /* no P-state has that number: the last is used */
    assert_int_equal(msr(0xC0010063), 2);
    machine_wrmsr(&machine, 0xC0010062, 0);
    assert_int_equal(msr(0xC0010071), 0x10);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, PSTATE_0, 0), VPMU_NOT_MINE);
}

TEST_WITH(test_switches, NULL, stop)
{
    start(VPMU_REV_C, 0);
    assert_true(not_ours(DEF_TYPE));
    assert_true(not_ours(0x20F));
    assert_int_equal(msr(0xC0011023), 0);
    assert_int_equal(msr(0xC001102A), 0);
    assert_int_equal(msr(0xC0011029), 1);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011029, 6), VPMU_OK);
    assert_int_equal(msr(0xC0011029), 6);
    start(VPMU_REV_C, 1u << HOSTILE_MEMORY_UC);
    assert_int_equal(msr(DEF_TYPE), 0x800);
    assert_int_equal(msr(0x200), 0);
    assert_int_equal(msr(0x20F), 0);
    assert_true(not_ours(0x210));
    assert_true(not_ours(0x277));
    start(VPMU_REV_C, 1u << HOSTILE_CORE_MTRRS);
    assert_true(not_ours(DEF_TYPE)); /* the boot core's registers are QEMU's */
    start(VPMU_REV_C, 1u << HOSTILE_REVISION_B);
    assert_int_equal(msr(HWCR), 1 << 24 | 1 << 3);
    assert_int_equal(msr(0xC0011023), 2);
    assert_int_equal(msr(0xC001102A), 0x20000000);
    assert_int_equal(msr(0xC0011029), 0);
}

TEST_WITH(test_other_core, NULL, stop)
{
    struct vpmu_config config = {.revision = VPMU_REV_C, .hostile = 1u << HOSTILE_CORE_MTRRS, .map = &paper_map};
    size_t size = vpmu_size(&paper_map);
    void *memory = test_malloc(size);
    uint64_t value;

    start(VPMU_REV_C, 1u << HOSTILE_CORE_MTRRS);
    config.with = machine.vpmu;
    struct vpmu *other = vpmu_init(memory, size, &config);
    assert_int_equal(vpmu_rdmsr(other, DEF_TYPE, &value), VPMU_OK);
    assert_int_equal(value, 0x800);
    /* Each core keeps the values written to its registers. */
    assert_int_equal(vpmu_wrmsr(other, 0x277, 0), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(other, 0x210, 0), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(other, DEF_TYPE, 0xC06), VPMU_OK);
    for (uint32_t msr = 0x200; msr <= 0x20F; msr++) {
        assert_int_equal(vpmu_rdmsr(other, msr, &value), VPMU_OK);
        assert_int_equal(value, 0);
        assert_int_equal(vpmu_wrmsr(other, msr, msr), VPMU_OK);
    }
    for (uint32_t msr = 0x200; msr <= 0x20F; msr++) {
        assert_int_equal(vpmu_rdmsr(other, msr, &value), VPMU_OK);
        assert_int_equal(value, msr);
    }
    assert_int_equal(vpmu_rdmsr(other, DEF_TYPE, &value), VPMU_OK);
    assert_int_equal(value, 0xC06);
    test_free(memory);
}

TEST_WITH(test_slow_tsc, NULL, stop)
{
    start(VPMU_REV_C, 1u << HOSTILE_TSC_SLOW);
    assert_int_equal(msr(HWCR), 0);
    assert_int_equal(cpuid(0x80000007, EDX, ~0u) & 0x380, 0x80);
    assert_int_equal(cpuid(VPMU_LEAF_CLOCKS, 0, 0), 1500000);
    vpmu_elapse(machine.vpmu, 1000);
    assert_int_equal(vpmu_tsc_shown(machine.vpmu), vpmu_tsc(machine.vpmu) / 2);
    assert_int_equal(msr(0x10), vpmu_tsc(machine.vpmu) / 2);
    machine_wrmsr(&machine, 0x10, 5000);
    assert_int_equal(msr(0x10), 5000);
    start(VPMU_REV_C, 0);
    vpmu_elapse(machine.vpmu, 1000);
    assert_int_equal(msr(0x10), vpmu_tsc(machine.vpmu));
    assert_int_equal(cpuid(VPMU_LEAF_CLOCKS, 0, 0), 3000000);
}

/* Without an L3 lines that leave the L2 go to memory, and events of the L3 count nothing. */
TEST_WITH(test_no_l3, NULL, stop)
{
    struct caches *caches;

    start(VPMU_REV_C, 0);
    assert_int_not_equal(cpuid(0x80000006, EDX, 0), 0);
    caches = &start(VPMU_REV_C, 1u << HOSTILE_NO_L3)->caches;
    assert_int_equal(cpuid(0x80000006, EDX, ~0u), 0);
    for (unsigned i = 0; i < 40; i++) /* more lines than places in L1 and L2 */
        caches_fetch(caches, (uint64_t)i << (LINE_SHIFT + 9));
    assert_int_equal(caches->node->reads[REQUEST_IC], 40);
    for (unsigned i = 0; i < 40; i++)
        caches_fetch(caches, (uint64_t)i << (LINE_SHIFT + 9));
    assert_true(caches->node->reads[REQUEST_IC] > 40);
    for (uint32_t i = 0; i < caches->node->l3.sets; i++) /* nothing was stored in a cache without places */
        assert_memory_equal(&caches->node->l3.set[i], &(struct outer_set){0}, sizeof(struct outer_set));
    for (unsigned who = 0; who < CACHE_REQUESTERS; who++)
        assert_true(!caches->node->l3_requests[who] && !caches->node->l3_misses[who]);
    for (unsigned line = 0; line < LINE_STATES; line++)
        assert_int_equal(caches->node->l3_fills[line], 0);
}

RUN_TESTS(NULL, NULL)
