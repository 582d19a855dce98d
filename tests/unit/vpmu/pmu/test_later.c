/* SPDX-License-Identifier: BSD-2-Clause */
/* Processors after Family 10h: which registers and bits exist, CPUID, and who assigns the interrupt's entry. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

static struct machine machine;

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

static uint64_t bits(uint32_t msr, uint64_t value)
{
    uint64_t read;

    if (vpmu_wrmsr(machine.vpmu, msr, value) != VPMU_OK || vpmu_rdmsr(machine.vpmu, msr, &read) != VPMU_OK)
        return 0;
    return read;
}

/* The values are literal, and not made from the model's names: FetchCtl, OpCtl, OpData, OpData2, OpData3; caps; CPUID 1
 * EAX. */
static const struct row {
    const char *name;
    uint32_t signature, caps;
    uint64_t fetch, op, data, data2, data3;
    unsigned counters, version;
    uint8_t max_leaf; /* CPUID 8000_0000: its last byte */
} rows[] = {
    {"12h", 0x300F10, 0xFF, 0x03FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x7FFFFFFFFF, 7, 0x0000FFFF000FFFFF, 4, 0, 0x1B},
    {"14h", 0x500F10, 0xFF, 0x03FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x7CFFFFFFFF, 7, 0x0000FFFF0007E9DF, 4, 0, 0x1B},
    {"15h-00", 0x600F12, 0xFF, 0x03FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x7FFFFFFFFF, 0x37, 0x0000FFFF000FFBFF, 6, 1,
     0x1E},
    {"15h-10", 0x610F01, 0xFF, 0x03FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x7CFFFFFFFF, 0x37, 0x0000FFFF000FE1FF, 6, 1,
     0x1E},
    {"15h-30", 0x630F01, 0xFF, 0x03FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x7CFFFFFFFF, 0x37, 0xFFFFFFFFFFFFE1FF, 6, 1,
     0x1E},
    {"15h-60", 0x660F01, 0x7FF, 0x07FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x1FCFFFFFFFF, 0x37, 0xFFFFFFFFFFFFE1FF, 6, 1,
     0x1E},
    {"16h", 0x700F01, 0xFF, 0x03FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x7CFFFFFFFF, 7, 0xFFFFFFFFFFFFE9FF, 4, 0, 0x1E},
    {"zen", 0x800F11, 0x3FF, 0x07FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x1FCFFFFFFFF, 0x37, 0xFFFFFFFFFFFFE1FF, 6, 1,
     0x1F},
    {"zen2", 0x870F10, 0x3FF, 0x07FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x1FCFFFFFFFF, 0x37, 0xFFFFFFFFFFFFE1FF, 6, 1,
     0x20},
    {"zen3", 0xA00F11, 0x3FF, 0x07FEFFFFFFFFFFFF, 0x07FFFFFF07FCFFFF, 0x1FCFFFFFFFF, 0x37, 0xFFFFFFFFFFFFE1FF, 6, 1,
     0x21},
    {"zen4", 0xA60F12, 0xBFF, 0x3FFEFFFFFFFFFFFF, 0x07FFFFFF07FDFFFF, 0x1FCFFFFFFFF, 0xF7, 0xFFFFFFFFFFFFE1FF, 6, 2,
     0x22},
    {"zen5", 0xB40F40, 0x81BFF, 0x3FFEFFFFFFFFFFFF, 0xFFFFFFFF07FDFFFF, 0x1FCFFFFFFFF, 0xF7, 0xFFFFFFFFFFF7E1BF, 6, 2,
     0x22},
    {"zen6", 0xB50F00, 0x9FBFF, 0x3FFEFFFFFFFFFFFF, 0xFFFFFFFF07FDFFFF, 0x1FCFFFFFFFF, 0x3F7, 0xFFFFFFFFFFF7E1BF, 6, 2,
     0x22},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

TEST_WITH(test_bits, NULL, stop)
{
    for (unsigned i = 0; i < ROWS; i++) {
        machine_start(&machine, rows[i].name, 0);
        assert_int_equal(bits(0xC0011030, ~(1ull << 48)), rows[i].fetch);
        assert_int_equal(bits(0xC0011033, ~(1ull << 17)), rows[i].op);
        assert_int_equal(bits(0xC0011035, ~0ull), rows[i].data);
        assert_int_equal(bits(0xC0011036, ~0ull), rows[i].data2);
        assert_int_equal(bits(0xC0011037, ~0ull), rows[i].data3);
        assert_int_equal(bits(0xC0011039, ~0ull), 0x000FFFFFFFFFFFFF);
        assert_int_equal(bits(0xC001103B, ~0ull), ~0ull);
    }
}

/* The names of function 3 of device 18h in Linux include/linux/pci_ids.h, from 12h to Zen 6 in the order of the
 * rows. */
TEST_WITH(test_pci, NULL, stop)
{
    static const uint16_t function_3[ROWS] = {0x1703, 0x1703, 0x1603, 0x1403, 0x141D, 0x1573, 0x1533,
                                              0x1463, 0x1443, 0x1653, 0x14E3, 0x14E3, 0x12CB};

    for (unsigned i = 0; i < ROWS; i++) {
        uint32_t id;

        machine_start(&machine, rows[i].name, 0);
        assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 3, 0, &id), VPMU_OK);
        assert_int_equal(id, (uint32_t)function_3[i] << 16 | 0x1022);
    }
}

TEST_WITH(test_cpuid, NULL, stop)
{
    for (unsigned i = 0; i < ROWS; i++) {
        uint32_t regs[4] = {0, 0, 3u << 23, 0}, v2[4] = {1, 2, 3, 4}, caps[4] = {0}, max[4] = {0};

        machine_start(&machine, rows[i].name, 0);
        vpmu_cpuid(machine.vpmu, 0x80000000, 0, max);
        assert_int_equal(max[0], 0x80000000 + rows[i].max_leaf);
        vpmu_cpuid(machine.vpmu, 0x80000001, 0, regs);
        assert_int_equal(regs[0], rows[i].signature);
        assert_int_equal(regs[2] & ~(1u << 28 | 1u << 24), 1u << 10 | (rows[i].version ? 1u << 23 : 0));
        vpmu_cpuid(machine.vpmu, 0x8000001B, 0, caps);
        assert_int_equal(caps[0], rows[i].caps);
        vpmu_cpuid(machine.vpmu, 0x80000022, 0, v2);
        assert_int_equal(v2[0], rows[i].version == 2 ? 3 : 0);
        assert_int_equal(v2[1] & 0x3FF, rows[i].version == 2 ? 16 << 4 | 6 : 0);
    }
}

/* There are four counters at C001_0000h, and from version 1 on the same and more at C001_0200h. */
TEST_WITH(test_counters, NULL, stop)
{
    for (unsigned i = 0; i < ROWS; i++) {
        uint64_t value;

        machine_start(&machine, rows[i].name, 0);
        assert_int_equal(bits(0xC0010003, 0x100C0), 0x100C0);
        for (unsigned n = 0; n < 7; n++) {
            bool there = rows[i].version && n < rows[i].counters;

            assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0010200 + 2 * n, 0x100C1), there ? VPMU_OK : VPMU_NOT_MINE);
            assert_int_equal(bits(0xC0010201 + 2 * n, 7), there ? 7 : 0);
        }
        assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0010003, &value), VPMU_OK);
        assert_int_equal(value, rows[i].version ? 0x100C1 : 0x100C0);
    }
}

/* The firmware has assigned entry 0; there is no F3x1CC. */
TEST_WITH(test_entry, NULL, stop)
{
    for (unsigned i = 0; i < ROWS; i++) {
        uint64_t value;
        uint32_t pci;

        machine_start(&machine, rows[i].name, 0);
        assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103A, &value), VPMU_OK);
        assert_int_equal(value, 0x100);
        assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC001103A, 0x101), VPMU_GP);
        (void)vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0x101);
        assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 3, 0x1CC, &pci), VPMU_OK);
        assert_int_equal(pci, 0);
        assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103A, &value), VPMU_OK);
        assert_int_equal(value, 0x100);
    }
}

TEST_WITH(test_absent, NULL, stop)
{
    uint64_t value;

    machine_start(&machine, "16h", 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103C, &value), VPMU_GP);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103D, &value), VPMU_GP);
    machine_start(&machine, "15h-60", 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103C, &value), VPMU_OK);
    assert_int_equal(bits(0xC001103D, ~0ull), 1);
    for (unsigned i = 0; i < ROWS; i++) { /* a register of Zen 6, each row with its own bits */
        bool there = !strcmp(rows[i].name, "zen6");

        machine_start(&machine, rows[i].name, 0);
        assert_int_equal(bits(0xC001103E, ~0ull), there ? 0xF : 0);
        assert_int_equal(bits(0xC001103F, ~0ull), there ? 0x7F : 0);
        assert_int_equal(bits(0xC001103E, 0), 0);
    }
    for (unsigned i = 0; i < 2; i++) { /* up to the last register of any later family */
        machine_start(&machine, i ? "15h-60" : "zen2", 0);
        for (uint32_t msr = 0xC001103E; msr <= 0xC001103F; msr++) {
            assert_int_equal(vpmu_rdmsr(machine.vpmu, msr, &value), VPMU_GP);
            assert_int_equal(vpmu_wrmsr(machine.vpmu, msr, 0), VPMU_GP);
        }
        assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0011040, &value), VPMU_NOT_MINE);
        assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011040, 0), VPMU_NOT_MINE);
    }
    machine_start(&machine, "zen2", 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103C, &value), VPMU_OK);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103D, &value), VPMU_GP);
}

TEST(test_names)
{
    enum vpmu_revision revision;

    assert_true(vpmu_revision_parse("C", &revision));
    assert_int_equal(revision, VPMU_REV_C);
    assert_string_equal(vpmu_revision_text(revision), "Family 10h PMU, revision C");
    assert_true(vpmu_revision_parse("zen4", &revision));
    assert_string_equal(vpmu_revision_text(revision), "PMU: registers of Family 19h model 61h (Zen 4), timing of none: "
                                                      "the pipeline is Family 10h's");
    assert_false(vpmu_revision_parse("zen7", &revision));
    assert_false(vpmu_revision_parse("", &revision));
    for (int i = VPMU_REV_LATER; i <= VPMU_REV_LAST; i++)
        assert_true(strlen(vpmu_params_of((enum vpmu_revision)i)->brand) < 48);
}

/* ---------------------------------------------------------------- counters */

enum {
    CTL_5 = 0xC001020A, /* the last counter's control; its count has the next number */
    STATUS = 0xC0000300,
    GLOBAL,
    CLEAR,
    SET,
};

static uint64_t rd(uint32_t msr)
{
    uint64_t value = ~0ull;

    assert_int_equal(vpmu_rdmsr(machine.vpmu, msr, &value), VPMU_OK);
    return value;
}

static void wr(uint32_t msr, uint64_t value)
{
    assert_int_equal(vpmu_wrmsr(machine.vpmu, msr, value), VPMU_OK);
}

enum { COLUMN = 16016 }; /* instructions of machine_matmul() for one column */

TEST_WITH(test_global_control, NULL, stop)
{
    uint64_t before;

    machine_start(&machine, "zen4", 0);
    assert_int_equal(rd(GLOBAL), 0x3F);
    wr(GLOBAL, 0);
    wr(CTL_5, 0x5300C0);
    assert_false(vpmu_armed(machine.vpmu)); /* nothing counts, so no steps are necessary */
    machine_matmul(&machine, 0, 1);
    assert_int_equal(rd(CTL_5 + 1), 0);
    wr(GLOBAL, ~0ull);
    assert_int_equal(rd(GLOBAL), 0x3F);
    assert_true(vpmu_armed(machine.vpmu));
    machine_matmul(&machine, 0, 1);
    before = rd(CTL_5 + 1);
    assert_in_range(before, COLUMN - 2, COLUMN + 2);
    wr(GLOBAL, 0x1F);
    machine_matmul(&machine, 0, 1);
    assert_in_range(rd(CTL_5 + 1), before, before + 2);
    wr(CTL_5, 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0000304, &before), VPMU_NOT_MINE);
    machine_start(&machine, "zen2", 0);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, GLOBAL, &before), VPMU_NOT_MINE);
}

/* Ops that are still being dispatched when the counters are stopped are counted by none of them, or by all. */
TEST_WITH(test_stopped_together, NULL, stop)
{
    machine_start(&machine, "zen4", 0);
    wr(GLOBAL, 0);
    for (uint32_t ctl = 0xC0010200; ctl <= CTL_5; ctl += 2)
        wr(ctl, 0x4307AA);
    wr(GLOBAL, 0x3F);
    machine_matmul(&machine, 0, 1);
    wr(GLOBAL, 0);
    for (uint32_t ctl = 0xC0010200; ctl <= CTL_5; ctl += 2) {
        assert_in_range(rd(ctl + 1), COLUMN, 3 * COLUMN);
        assert_int_equal(rd(ctl + 1), rd(0xC0010201));
    }
}

/* If counters start between two instructions, all count the next instruction completely, whichever register starts
 * them: otherwise the last instruction is not counted. */
TEST_WITH(test_begun_between_instructions, NULL, stop)
{
    enum { STEPS = 10 };

    for (unsigned k = 0; k < 4; k++) {
        bool by_global = k & 1, between = k & 2;

        machine_start(&machine, "zen4", 0);
        wr(GLOBAL, by_global ? 0 : 0x3F);
        machine_step(&machine, PAPER_BASE + paper_map.insns[0].rva);
        if (between)
            vpmu_break(machine.vpmu);
        wr(CTL_5, 0x4300C0);
        if (by_global)
            wr(GLOBAL, 0x3F);
        for (unsigned i = 1; i <= STEPS; i++)
            machine_step(&machine, PAPER_BASE + paper_map.insns[i].rva);
        vpmu_break(machine.vpmu); /* the last instruction has not been executed */
        assert_int_equal(rd(CTL_5 + 1), STEPS - 1);
    }
}

TEST_WITH(test_global_status, NULL, stop)
{
    machine_start(&machine, "zen4", 0);
    wr(STATUS, 0x3F); /* ignored */
    assert_int_equal(rd(STATUS), 0);
    wr(CTL_5 + 1, -50ull);
    wr(CTL_5, 0x5300C0);
    machine_matmul(&machine, 0, 1);
    assert_int_equal(rd(STATUS), 0x20);
    wr(CLEAR, 0x1F);
    assert_int_equal(rd(STATUS), 0x20);
    wr(CLEAR, 0x20);
    assert_int_equal(rd(STATUS), 0);
    wr(SET, ~0ull);
    assert_int_equal(rd(STATUS), 0x3F);
    assert_int_equal(rd(CLEAR), 0);
}

/* From Family 15h on a counter's entry stays open when its interrupt is delivered. */
TEST_WITH(test_counters_entry, NULL, stop)
{
    static const struct {
        const char *name;
        uint32_t after;
    } cases[] = {{"12h", 0x10400}, {"15h-00", 0x400}, {"16h", 0x400}, {"zen5", 0x400}};

    for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint32_t entry;

        machine_start(&machine, cases[i].name, 0);
        assert_int_equal(vpmu_apic_write(machine.vpmu, 0x340, 0x400), VPMU_OK);
        wr(0xC0010004, -50ull);
        wr(0xC0010000, 0x5300C0);
        machine_matmul(&machine, 0, 1);
        assert_int_equal(machine.nmis, 1);
        assert_int_equal(vpmu_apic_read(machine.vpmu, 0x340, &entry), VPMU_OK);
        assert_int_equal(entry, cases[i].after);
    }
}

/* Some events kept their numbers, and others did not. */
TEST_WITH(test_events, NULL, stop)
{
    static const struct {
        uint16_t select;
        uint8_t mask;
        bool tenth, before, zen;
    } events[] = {
        {0x076, 0, true, true, true},       {0x0C0, 0, true, true, true},       {0x0C1, 0, true, true, true},
        {0x0C3, 0, true, true, true},       {0x0CF, 0, true, true, false},      {0x02C, 0, false, false, true},
        {0x0D1, 0, true, false, false},     {0x040, 0, true, false, true},      {0x07E, 2, true, false, false},
        {0x1CF, 1, true, false, true},      {0x1CF, 0, true, false, false},     {0x045, 0x07, true, false, true},
        {0x045, 0xFF, false, false, true},  {0x045, 0x22, false, false, false}, {0x082, 0, true, false, true},
        {0x084, 0, true, false, true},      {0x085, 0x0F, false, false, true},  {0x085, 0x0C, false, false, false},
        {0x043, 0x04, true, false, false},  {0x060, 0x10, false, false, true},  {0x1A0, 0x01, false, false, true},
        {0x041, 0x07, true, false, true},   {0x044, 0xDF, false, false, true},  {0x043, 0xDF, false, false, true},
        {0x060, 0xF1, false, false, true},  {0x064, 0x09, false, false, true},  {0x18E, 0x18, false, false, true},
        {0x18E, 0x1F, false, false, false}, {0x081, 0, true, false, true},
    };

    for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        machine_start(&machine, "12h", 0);
        assert_int_equal(pmc_models(machine.vpmu, events[i].select, events[i].mask), events[i].tenth);
        machine_start(&machine, "15h-30", 0);
        assert_int_equal(pmc_models(machine.vpmu, events[i].select, events[i].mask), events[i].before);
        machine_start(&machine, "zen5", 0);
        assert_int_equal(pmc_models(machine.vpmu, events[i].select, events[i].mask), events[i].zen);
    }
}

/* ---------------------------------------------------------------- switches */

TEST_WITH(test_hostile, NULL, stop)
{
    uint64_t value;

    machine_start(&machine, "zen2", 1ull << HOSTILE_LVT_NONE);
    assert_int_equal(rd(0xC001103A), 0);
    machine_start(&machine, "zen4", 1ull << HOSTILE_GLOBAL_OFF);
    assert_int_equal(rd(GLOBAL), 0);
    machine_start(&machine, "zen2", 1ull << HOSTILE_GLOBAL_OFF); /* has no such register, and counts */
    wr(0xC0010000, 0x5300C0);
    machine_matmul(&machine, 0, 1);
    assert_in_range(rd(0xC0010004), COLUMN - 2, COLUMN + 2);
    machine_start(&machine, "15h-30", 1ull << HOSTILE_IBS_OFF); /* a switch for Zen */
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC0011005, &value), VPMU_NOT_MINE);
}

static bool has_ibs(void)
{
    uint32_t regs[4] = {0, 0, 1u << 10, 0}, caps[4] = {0};

    vpmu_cpuid(machine.vpmu, 0x80000001, 0, regs);
    vpmu_cpuid(machine.vpmu, 0x8000001B, 0, caps);
    assert_int_equal(caps[0] != 0, regs[2] >> 10 & 1);
    return caps[0];
}

TEST_WITH(test_switched_off, NULL, stop)
{
    static const uint32_t kept[] = {0xC0011020, 0xC0011029, 0xC0010296};

    machine_start(&machine, "zen2", 1ull << HOSTILE_IBS_OFF);
    assert_false(has_ibs());
    assert_int_equal(rd(0xC0010296), 0x404040);
    for (unsigned i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        assert_int_equal(bits(kept[i], 0x1234567800000000 + i), 0x1234567800000000 + i);
    assert_int_equal(bits(0xC0011005, 1ull << 42), 1ull << 42);
    assert_true(has_ibs());
    wr(0xC0011005, 0);
    assert_false(has_ibs());
    /* IBS can be enabled if all four have the right values */
    static const struct {
        uint32_t msr;
        uint64_t on, off;
    } needed[] = {{0xC0011005, 1ull << 42, 0}, {0xC0011029, 1 << 19, 0}, {0xC0011020, 1ull << 54, 0},
                  {0xC0010296, 0, 1 << 22},    {0xC0010296, 0, 1 << 14}, {0xC0010296, 0, 1 << 6}};
    for (unsigned i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        wr(needed[i].msr, needed[i].on);
    for (unsigned i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
        assert_int_equal(bits(0xC0011033, 1 << 17 | 0x1000), 1 << 17 | 0x1000);
        assert_int_equal(bits(0xC0011030, 1ull << 48 | 0x1000), 1ull << 48 | 0x1000);
        wr(needed[i].msr, needed[i].off);
        assert_int_equal(bits(0xC0011033, 1 << 17 | 0x1000), 0x1000);
        assert_int_equal(bits(0xC0011030, 1ull << 48 | 0x1000), 0x1000);
        wr(needed[i].msr, needed[i].on);
    }
    machine_start(&machine, "zen2", 0);
    assert_true(has_ibs());
}

/* A program's samples have what only later families tell: the width of a load (bits 25:22 of IbsOpData3), and the
 * target of a branch. */
TEST_WITH(test_samples, NULL, stop)
{
    unsigned loads = 0, branches = 0;

    machine_start(&machine, "zen2", 0);
    machine.handler = NULL;
    for (unsigned i = 0; i < 40; i++) {
        machine_wrmsr(&machine, 0xC0011033,
                      (i % 16ull) << 32 | 1ull << 17 | (0x10 + 5 * i)); /* IbsOpCurCnt begins at 0 to 15 */
        machine_matmul(&machine, 0, 1);
        assert_true(machine_rdmsr(&machine, 0xC0011033) & (1ull << 18));
        if (machine_rdmsr(&machine, 0xC0011037) & 1) {
            assert_in_range(machine_rdmsr(&machine, 0xC0011037) >> 22 & 0xF, 3, 4); /* four or eight bytes */
            loads++;
        }
        if (machine_rdmsr(&machine, 0xC0011035) & 1ull << 37) { /* IbsOpBrnRet */
            assert_in_range(machine_rdmsr(&machine, 0xC001103B), PAPER_BASE + 0x1170, PAPER_BASE + 0x1200);
            branches++;
        }
    }
    assert_true(loads > 0 && branches > 0);
}

RUN_TESTS(NULL, NULL)
