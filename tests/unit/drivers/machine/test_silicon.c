/* SPDX-License-Identifier: BSD-2-Clause */
/* The snapshot of registers: what is read where, which reads fault, and that nothing is left changed. */
#include "tests/unit/drivers/run_fixture.h"

#include <string.h>

#include "drivers/machine/silicon.h"
#include "tests/unit/drivers/golden.h"

enum { NODE_PRESENT = 0x12031022 };

static struct machine m;

static void probe(void)
{
    before = fake;
    assert_int_equal(session_probe(&m, workspace), SESSION_OK);
}

TEST(test_msrs)
{
    fake_reset(4);
    fake_add_msr(0xC0010015, 0x1000010, 0);
    fake_add_msr(0x277, 0x7040600070406, 0);
    fake_add_msr(0x8B, 0x10000DB, 0);
    fake.apic[0x30 / 16] = 0x80050010; /* six entries */
    probe();
    assert_int_equal(m.silicon.state[SILICON_HWCR], SILICON_READ);
    assert_int_equal(m.silicon.value[SILICON_HWCR], 0x1000010);
    assert_int_equal(m.silicon.value[SILICON_PAT], 0x7040600070406);
    assert_int_equal(m.silicon.value[SILICON_PATCH_LEVEL], 0x10000DB);
    assert_int_equal(m.silicon.value[SILICON_NB_CFG], 0x2000000008);
    assert_int_equal(m.silicon.state[SILICON_BU_CFG2], SILICON_FAULTS);
    assert_int_equal(m.silicon.value[SILICON_BU_CFG2], 0);
    for (unsigned i = 0; i < SILICON_ROWS; i++)
        assert_int_equal(m.silicon.state[i] == SILICON_UNREAD, silicon_rows[i].family == SILICON_ZEN);
    assert_true(same_as_before());
    golden_begin();
    golden_add("session_probe");
    golden_compare("probe.txt");
    assert_int_equal(m.probe_not_restored, 0);
    assert_null(strstr(fake.log, "wrmsr c0010015"));
}

/* Registers that a processor does not have are not read. */
TEST(test_other_processors)
{
    fake_reset(4);
    fake_set_leaf(1, 0x00600F12, 0, 0x00802009, 0x178BFBFF); /* family 15h */
    probe();
    assert_int_equal(m.silicon.state[SILICON_PAT], SILICON_FAULTS);
    assert_int_equal(m.silicon.state[SILICON_HWCR], SILICON_FAULTS);
    assert_int_equal(m.silicon.state[SILICON_BU_CFG], SILICON_UNREAD);
    assert_int_equal(m.silicon.state[SILICON_DE_CFG], SILICON_UNREAD);
    assert_int_equal(m.silicon.state[SILICON_F3xD4], SILICON_UNREAD);
    assert_null(strstr(fake.log, "rdmsr c0011023"));
    assert_null(strstr(fake.log, "c001001f"));
    fake_reset(4);
    fake_set_leaf(1, 0x00300F10, 0, 0x00802009, 0x178BFBFF); /* family 12h has erratum 721 */
    fake_add_msr(0xC0011029, 0x40, 0);
    probe();
    assert_int_equal(m.silicon.state[SILICON_DE_CFG], SILICON_READ);
    assert_int_equal(m.silicon.value[SILICON_DE_CFG], 0x40);
    assert_int_equal(m.silicon.state[SILICON_BU_CFG], SILICON_UNREAD);
    fake_reset(4);
    fake_set_leaf(1, 0x00870F10, 0, 0x00802009, 0x178BFBFF); /* Zen 2 */
    fake_add_msr(0xC0010296, 0x484848, 0);
    fake_add_msr(0xC0011022, 0x510000, 0);
    fake_add_msr(0xC0010064, 0x8000000049120890, 0);
    probe();
    assert_int_equal(m.silicon.value[SILICON_CSTATE_CFG], 0x484848);
    assert_int_equal(m.silicon.value[SILICON_DC_CFG], 0x510000);
    assert_int_equal(silicon_p0_mhz(&m.silicon), 3600);
    assert_int_equal(m.silicon.state[SILICON_PREFETCH_CONTROL], SILICON_FAULTS);
    assert_int_equal(m.silicon.state[SILICON_BU_CFG], SILICON_UNREAD);
    assert_null(strstr(fake.log, "wrmsr c001"));
    fake_reset(4);
    fake_set_leaf(1, 0x00000F41, 0, 0, 1 << 12); /* the first AMD family that has HWCR, and the one before it */
    probe();
    assert_int_equal(m.silicon.state[SILICON_HWCR], SILICON_FAULTS);
    fake_set_leaf(1, 0x00000E41, 0, 0, 1 << 12);
    probe();
    assert_int_equal(m.silicon.state[SILICON_HWCR], SILICON_UNREAD);
    fake_reset(4);
    fake_set_leaf(1, 0x000006F2, 0, 0, 1 << 12);
    memcpy(&fake.leaf[0].registers.ebx, "Genu", 4);
    probe();
    assert_int_equal(m.silicon.state[SILICON_MTRR_DEF_TYPE], SILICON_FAULTS);
    assert_int_equal(m.silicon.state[SILICON_HWCR], SILICON_UNREAD);
    fake_set_leaf(1, 0x00000F41, 0, 0, 1 << 12); /* this family Fh is not AMD's */
    probe();
    assert_int_equal(m.silicon.state[SILICON_MTRR_DEF_TYPE], SILICON_FAULTS);
    assert_int_equal(m.silicon.state[SILICON_HWCR], SILICON_UNREAD);
    fake_set_leaf(1, 0x000006F2, 0, 0, 0); /* no MTRRs */
    probe();
    assert_int_equal(m.silicon.state[SILICON_MTRR_DEF_TYPE], SILICON_UNREAD);
}

TEST(test_nodes)
{
    fake_reset(8);
    fake.node_id[0] = 0;
    fake.node_id[2] = fake.node_id[5] = NODE_PRESENT;
    fake.all_registers = true;
    fake.f3x1cc[5] = 0x101;
    probe();
    assert_int_equal(m.node_silicon[5].value[SILICON_F2x110 - SILICON_PCI_FIRST], 0x05020110);
    assert_int_equal(m.node_silicon[5].value[SILICON_F3x1CC - SILICON_PCI_FIRST], 0x101);
    assert_int_equal(m.node_silicon[2].value[SILICON_F0x60 - SILICON_PCI_FIRST], 0x02000060);
    assert_int_equal(m.node_silicon[3].state[0], SILICON_UNREAD);
    assert_int_equal(m.silicon.value[SILICON_F4x15C], 0x0204015C); /* the first existing node's */
    assert_int_equal(m.silicon.state[SILICON_F4x15C], SILICON_READ);
    assert_true(same_as_before());
    assert_non_null(strstr(fake.log, "wrmsr c001001f 402000000008\n"));
    assert_non_null(strstr(fake.log, "wrmsr c001001f 2000000008\n"));
}

/* Rows of devices are not taken for entries of the APIC. */
TEST(test_no_nodes)
{
    fake_reset(4);
    fake.node_id[0] = 0;
    fake.apic[0x30 / 16] = 0x80FF0010;
    probe();
    for (unsigned i = SILICON_PCI_FIRST; i < SILICON_ROWS; i++)
        assert_int_equal(m.silicon.state[i], SILICON_UNREAD);
    fake.node_id[0] = NODE_PRESENT; /* a device without the other registers */
    fake.f3x1cc[0] = 0xFFFFFFFE;
    probe();
    assert_int_equal(m.silicon.value[SILICON_F2x110], 0xFFFFFFFF);
    assert_int_equal(m.silicon.state[SILICON_F2x110], SILICON_FAULTS);
    assert_int_equal(m.silicon.value[SILICON_F3x1CC], 0xFFFFFFFE);
    assert_int_equal(m.silicon.state[SILICON_F3x1CC], SILICON_READ);
    fake.node_id[0] = 0;
    fake_msr(0x1B)->value &= ~0x800ull;
    probe();
    for (unsigned i = SILICON_APIC_FIRST; i < SILICON_ROWS; i++)
        assert_int_equal(m.silicon.state[i], SILICON_UNREAD);
}

/* Without NB_CFG the first 256 bytes are read, and port CF8h is still restored. */
TEST(test_no_nb_cfg)
{
    fake_reset(4);
    fake.all_registers = true;
    fake_remove_msr(0xC001001F);
    probe();
    assert_int_equal(m.silicon.state[SILICON_NB_CFG], SILICON_FAULTS);
    assert_int_equal(m.silicon.state[SILICON_F2x110], SILICON_FAULTS);
    assert_int_equal(m.silicon.value[SILICON_F3xD4], 0x000300D4);
    assert_int_equal(fake.cf8, before.cf8);
}

/* After an exception at any access, changed registers are restored, or reported. */
TEST(test_fault_at_each_access)
{
    unsigned told = 0, n = 1;

    fake_reset(4);
    assert_int_equal(fake.msr[2].number, 0xC001001F);

    for (;; n++) {
        fake_reset(4);
        fake.all_registers = true;
        before = fake;
        fake.fault_at = n;
        (void)session_probe(&m, workspace);
        if (!fake.fault_done)
            break;
        assert_true(fake_msr(0xC001001F)->value == before.msr[2].value || m.probe_not_restored);
        told += m.probe_not_restored;
    }
    assert_true(n > SILICON_ROWS);
    assert_in_range(told, 2, 4); /* writing NB_CFG or the port back, and reading both afterwards */
}

/* The snapshot has the local vector table without bits that come and go, and only entries that this APIC has. */
TEST(test_local_vector_table)
{
    fake_reset(4);
    fake.apic[0x30 / 16] = 0x80050010;
    fake.apic[0xF0 / 16] = 0x10F;
    fake.apic[0x320 / 16] = 0x21020; /* periodic, pending */
    fake.apic[0x350 / 16] = 0x4700;  /* ExtINT, remote IRR */
    fake.apic[0x510 / 16] = 0x400;
    probe();
    assert_int_equal(m.silicon.value[SILICON_APIC_SPURIOUS], 0x10F);
    assert_int_equal(m.silicon.value[SILICON_LVT_TIMER], 0x20020);
    assert_int_equal(m.silicon.value[SILICON_LVT_LINT0], 0x700);
    assert_int_equal(m.silicon.value[SILICON_LVT_COUNTERS], 0x10000);
    assert_int_equal(m.silicon.value[SILICON_LVT_EXTENDED_1], 0x400);
    assert_int_equal(m.silicon.value[SILICON_LVT_EXTENDED_3], 0x10000);
    assert_true(same_as_before());
    fake.apic[0x30 / 16] = 0x80030010; /* neither 340h nor 330h */
    fake.apic[0x400 / 16] = 0x00020000;
    probe();
    assert_int_equal(m.silicon.state[SILICON_LVT_ERROR], SILICON_READ);
    assert_int_equal(m.silicon.state[SILICON_LVT_COUNTERS], SILICON_UNREAD);
    assert_int_equal(m.silicon.state[SILICON_LVT_THERMAL], SILICON_UNREAD);
    assert_int_equal(m.silicon.state[SILICON_LVT_EXTENDED_1], SILICON_READ);
    assert_int_equal(m.silicon.state[SILICON_LVT_EXTENDED_2], SILICON_UNREAD);
    fake_msr(0x1B)->value &= ~0x800ull; /* the APIC is off */
    probe();
    assert_int_equal(m.silicon.state[SILICON_APIC_SPURIOUS], SILICON_UNREAD);
}

/* The facts of another core are its MSRs and its APIC's registers, and nothing about the nodes. */
TEST(test_core)
{
    struct silicon core = {0};

    fake_machine(&m, 4);
    fake_add_msr(0x2FF, 0xC06, 0);
    fake.apic[0x320 / 16] = 0x20020;
    silicon_read_core(&core, &m);
    assert_int_equal(core.value[SILICON_LVT_TIMER], 0x20020);
    assert_int_equal(core.value[SILICON_MTRR_DEF_TYPE], 0xC06);
    assert_int_equal(core.state[SILICON_F3xD4], SILICON_UNREAD);
    assert_null(strstr(fake.log, "out cf8"));
    assert_null(strstr(fake.log, "wrmsr"));
}

/* A session reads its core's registers once. */
TEST(test_session)
{
    struct silicon core = {0};

    set_up(MODEL_C, 1);
    fake_add_msr(0x2FF, 0xC06, 0);
    fake.apic[0xF0 / 16] = 0xFF; /* a run switches the APIC on */
    plan.place.silicon = &core;
    run();
    assert_int_equal(result.error, SESSION_OK);
    assert_int_equal(core.value[SILICON_APIC_SPURIOUS], 0xFF);
    assert_int_equal(core.value[SILICON_MTRR_DEF_TYPE], 0xC06);
    fake_msr(0x2FF)->value = 0;
    run();
    assert_int_equal(core.value[SILICON_MTRR_DEF_TYPE], 0xC06);
    plan.place.silicon = NULL;
    run();
    assert_int_equal(result.error, SESSION_OK);
}

RUN_TESTS(run_allocate, run_release)
