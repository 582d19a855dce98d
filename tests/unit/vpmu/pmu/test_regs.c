/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers as software sees them, by revision: MSRs, PCI configuration, extended APIC, CPUID. */
#include <string.h>

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"
#include "vpmu/model/hostile.h"

enum {
    FETCH_CTL = 0xC0011030,
    OP_CTL = 0xC0011033,
    ALL = 3, /* revisions */
};

static struct machine machine;

static void start(enum vpmu_revision revision)
{
    machine_free(&machine);
    machine_init(&machine, revision, &paper_map, 1);
}

static int stop(void **state)
{
    machine_free(&machine);
    return 0;
}

/* A register has the bits that remain after all bits were written; the control registers are not enabled. */
TEST(test_writable_bits)
{
    static const struct {
        uint32_t msr;
        uint64_t write, read_b, read_c;
    } rows[] = {
        {0xC0011030, ~(1ull << 48), 0x03FEFFFFFFFFFFFF, 0x03FEFFFFFFFFFFFF},
        {0xC0011033, ~(1ull << 17), 0x000000000004FFFF, 0x000FFFFF000CFFFF}, /* B: no CntCtl, no CurCnt */
        {0xC0011034, ~0ull, ~0ull, ~0ull},
        {0xC0011035, ~0ull, 0x0000003FFFFFFFFF, 0x0000003FFFFFFFFF}, /* 38 RipInvalid is reserved */
        {0xC0011036, ~0ull, 0x37, 0x37},
        {0xC0011037, ~0ull, 0x0000FFFF0007FFFF, 0x0000FFFF000FFFFF}, /* 19 from revision C on */
        {0xC0011038, ~0ull, ~0ull, ~0ull},
        {0xC0011039, ~0ull, 0x0000FFFFFFFFFFFF, 0x0000FFFFFFFFFFFF},
        {0xC001001F, ~0ull, ~0ull, ~0ull},
    };

    for (unsigned revision = 0; revision < ALL; revision++) {
        start((enum vpmu_revision)revision);
        for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            assert_int_equal(machine_rdmsr(&machine, rows[i].msr), 0);
            machine_wrmsr(&machine, rows[i].msr, rows[i].write);
            assert_int_equal(machine_rdmsr(&machine, rows[i].msr),
                             revision == VPMU_REV_B ? rows[i].read_b : rows[i].read_c);
        }
    }
}

TEST(test_read_only_and_absent)
{
    uint64_t value = 0x55;

    start(VPMU_REV_C);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011031, 0), VPMU_GP);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC0011032, 0), VPMU_GP);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0xC001103A, 0x101), VPMU_GP);
    for (uint32_t msr = 0xC001103B; msr <= 0xC001103D; msr++) {
        assert_int_equal(vpmu_rdmsr(machine.vpmu, msr, &value), VPMU_GP);
        assert_int_equal(vpmu_wrmsr(machine.vpmu, msr, 0), VPMU_GP);
    }
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001102F, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103E, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_wrmsr(machine.vpmu, 0x11, 0), VPMU_NOT_MINE);
    assert_int_equal(value, 0x55);
}

TEST(test_armed)
{
    start(VPMU_REV_C);
    assert_false(vpmu_armed(machine.vpmu));
    machine_wrmsr(&machine, OP_CTL, 1 << 17);
    assert_true(vpmu_armed(machine.vpmu));
    machine_wrmsr(&machine, OP_CTL, 0);
    machine_wrmsr(&machine, FETCH_CTL, 1ull << 48);
    assert_true(vpmu_armed(machine.vpmu));
    machine_wrmsr(&machine, FETCH_CTL, 0);
    assert_false(vpmu_armed(machine.vpmu));
}

TEST(test_ibs_control_mirrors_f3x1cc)
{
    uint32_t value;

    start(VPMU_REV_C);
    vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0xFFFFFFFF);
    assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 3, 0x1CC, &value), VPMU_OK);
    assert_int_equal(value, 0x10F);
    assert_int_equal(machine_rdmsr(&machine, 0xC001103A), 0x10F);
    for (uint32_t entry = 0; entry < 16; entry++) { /* entry 1 is open, and from 4 on there is none */
        vpmu_pci_write(machine.vpmu, 0, 3, 0x1CC, 0x100 | entry);
        assert_int_equal(vpmu_lvt_open(machine.vpmu), entry == 1);
    }
    vpmu_pci_write(machine.vpmu, 0, 2, 0x1CC, 0);
    assert_int_equal(machine_rdmsr(&machine, 0xC001103A), 0x10F);
}

TEST(test_firmware_leaves_f3x1cc_unset)
{
    struct vpmu_config config = {.map = &paper_map, .translate = space_translate};
    uint64_t value = 1;
    uint32_t entry = 0;

    start(VPMU_REV_C);
    memset(machine.memory, 0xA5, vpmu_size(&paper_map)); /* the caller's memory is not cleared */
    machine.vpmu = vpmu_init(machine.memory, vpmu_size(&paper_map), &config);
    assert_int_equal(vpmu_rdmsr(machine.vpmu, 0xC001103A, &value), VPMU_OK);
    assert_int_equal(value, 0);
    for (unsigned offset = 0x500; offset <= 0x530; offset += 0x10) {
        assert_int_equal(vpmu_apic_read(machine.vpmu, offset, &entry), VPMU_OK);
        assert_int_equal(entry, 0x10000);
    }
    assert_null(vpmu_init(machine.memory, vpmu_size(&paper_map) - 1, &config));
}

TEST(test_pci_functions)
{
    uint32_t value;

    start(VPMU_REV_C);
    for (unsigned function = 0; function < 5; function++) {
        assert_int_equal(vpmu_pci_read(machine.vpmu, 0, function, 0, &value), VPMU_OK);
        assert_int_equal(value, 0x12001022 + (function << 16));
    }
    /* The values that are not 0, in all functions. */
    for (unsigned function = 0; function < 5; function++)
        for (unsigned offset = 4; offset < 0x1000; offset += 4) {
            assert_int_equal(vpmu_pci_read(machine.vpmu, 0, function, offset, &value), VPMU_OK);
            assert_int_equal(value, offset == 8                        ? 0x06000000 /* host bridge */
                                    : offset == 0xC                    ? 0x00800000 /* a device of several functions */
                                    : function == 3 && offset == 0x1CC ? 0x101
                                                                       : 0);
        }
    assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 5, 0, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 3, 0x1000, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_pci_read(machine.vpmu, 0, 3, 0x1CD, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_pci_write(machine.vpmu, 0, 5, 0, 0), VPMU_NOT_MINE);
}

TEST(test_extended_cf8)
{
    start(VPMU_REV_C);
    assert_false(vpmu_cf8_extended(machine.vpmu));
    machine_wrmsr(&machine, 0xC001001F, 1ull << 46);
    assert_true(vpmu_cf8_extended(machine.vpmu));
}

TEST(test_extended_apic)
{
    uint32_t value;

    start(VPMU_REV_C);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x400, &value), VPMU_OK);
    assert_int_equal((value >> 16) & 0xFF, 4);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x400, 0), VPMU_OK);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x530, 0xFFFFFFFF), VPMU_OK);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x530, &value), VPMU_OK);
    assert_int_equal(value, 0x107FF);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x540, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0x504, &value), VPMU_NOT_MINE);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0x480, 0), VPMU_NOT_MINE);
}

TEST(test_cpuid)
{
    static const struct {
        uint32_t signature, max_leaf, caps;
    } rows[ALL] = {
        {0x00100F23, 0x8000001A, 0},
        {0x00100F42, 0x8000001B, 0x1F},
        {0x00100FA0, 0x8000001B, 0x1F},
    };

    for (unsigned i = 0; i < ALL; i++) {
        uint32_t vendor[4] = {13, 1, 2, 3}, one[4] = {1, 2, 3, 4}, ext[4] = {0}, max[4] = {0}, ibs[4] = {9, 9, 9, 9};

        start((enum vpmu_revision)i);
        vpmu_cpuid(machine.vpmu, 0, 0, vendor);
        assert_int_equal(vendor[0], 13);
        assert_memory_equal(&vendor[1], "Auth", 4);
        assert_memory_equal(&vendor[3], "enti", 4);
        assert_memory_equal(&vendor[2], "cAMD", 4);
        vpmu_cpuid(machine.vpmu, 1, 0, one);
        assert_int_equal(one[0], rows[i].signature);
        assert_int_equal(one[1] + one[2] + one[3], 9); /* the other registers are the host's */
        vpmu_cpuid(machine.vpmu, 0x80000001, 0, ext);
        assert_int_equal(ext[0], rows[i].signature);
        assert_int_equal(ext[2], 1 << 10);
        vpmu_cpuid(machine.vpmu, 0x80000000, 0, max);
        assert_int_equal(max[0], rows[i].max_leaf);
        vpmu_cpuid(machine.vpmu, 0x8000001B, 0, ibs);
        assert_int_equal(ibs[0], rows[i].caps);
        assert_int_equal(ibs[1] + ibs[2] + ibs[3], 0);
    }
}

TEST(test_cpuid_brand_and_caches)
{
    uint32_t brand[12] = {0}, l1[4] = {0}, l2[4] = {0}, other[4] = {1, 2, 3, 4};

    start(VPMU_REV_C);
    for (uint32_t i = 0; i < 3; i++)
        vpmu_cpuid(machine.vpmu, 0x80000002 + i, 0, brand + 4 * i);
    assert_string_equal((const char *)brand, "AMD Phenom(tm) virtual PMU model C");
    vpmu_cpuid(machine.vpmu, 0x80000005, 0, l1);
    assert_int_equal(l1[2], 64u << 24 | 2 << 16 | 1 << 8 | 64); /* KB, ways, lines per tag, line */
    assert_int_equal((l1[1] >> 16) & 0xFF, 48);
    vpmu_cpuid(machine.vpmu, 0x80000006, 0, l2);
    assert_int_equal(l2[2], 512u << 16 | 8 << 12 | 1 << 8 | 64);  /* 8: 16 ways */
    assert_int_equal(l2[3], 12u << 18 | 0xB << 12 | 1 << 8 | 64); /* 12 * 512 KB, Bh: 48 ways */
    vpmu_cpuid(machine.vpmu, 7, 0, other);
    assert_int_equal(other[0] * 1000 + other[1] * 100 + other[2] * 10 + other[3], 1234);
}

/* By AMD CPUID specification 25481, worked out by hand: 64 KB 2-way L1s of 64-byte lines; a 512 KB 16-way L2; DTLBs of
 * 48 entries (any size), 512 4-way, 128 2-way (2 MB), 16 (1 GB, since C); ITLBs of 32 and 16 entries, 512 4-way; the L3
 * in units of 512 KB. Associativity codes: 2, 4 = as many ways, 8 = 16, Ah = 32, Bh = 48, Fh (FFh) = full. */
TEST(test_cpuid_describes_caches_and_tlbs)
{
    static const uint32_t l3[ALL] = {4 << 18 | 0xA << 12 | 1 << 8 | 64, 12 << 18 | 0xB << 12 | 1 << 8 | 64,
                                     12 << 18 | 0xB << 12 | 1 << 8 | 64};
    static const char *const brands[ALL] = {"AMD Phenom(tm) virtual PMU model B", "AMD Phenom(tm) virtual PMU model C",
                                            "AMD Phenom(tm) virtual PMU model E"};

    for (unsigned i = 0; i < ALL; i++) {
        const struct {
            uint32_t leaf, regs[4];
        } rows[] = {
            {0x80000005, {0xFF30FF10, 0xFF30FF20, 0x40020140, 0x40020140}},
            {0x80000006, {0x20800000, 0x42004200, 0x02008140, l3[i]}},
            {0x80000019, {0xF0300000, i == VPMU_REV_B ? 0 : 0xF0100000, 0, 0}},
        };
        char brand[48];

        start((enum vpmu_revision)i);
        for (unsigned n = 0; n < 3; n++) {
            uint32_t regs[4] = {1, 2, 3, 4};

            vpmu_cpuid(machine.vpmu, rows[n].leaf, 0, regs);
            for (unsigned r = 0; r < 4; r++)
                if (regs[r] != rows[n].regs[r])
                    fail_msg("%x, register %u: %x", rows[n].leaf, r, regs[r]);
            memset(regs, 0xFF, sizeof(regs));
            vpmu_cpuid(machine.vpmu, 0x80000002 + n, 0, regs);
            memcpy(brand + 16 * n, regs, 16);
        }
        assert_int_equal(brand[47], 0);
        assert_string_equal(brand, brands[i]);
    }
}

/* Fields that the model does not define are the host's; leaves after the processor's last one, and in the hypervisor's
 * range, are 0. */
TEST(test_cpuid_of_other_leaves)
{
    static const struct {
        uint32_t leaf;
        bool nothing_b, nothing_c;
    } rows[] = {
        {0x00000002, false, false}, {0x00000005, false, false}, {0x3FFFFFFF, false, false}, {0x40000001, true, true},
        {0x4000000F, true, true},   {0x40000012, true, true},   {0x40000014, true, true},   {0x400000FF, true, true},
        {0x40000100, false, false}, {0x80000008, false, false}, {0x8000000A, false, false}, {0x8000001A, false, false},
        {0x8000001B, true, false},  {0x8000001C, true, true},   {0x8000FFFF, true, true},   {0x80010000, false, false},
    };

    for (unsigned revision = 0; revision < ALL; revision++) {
        start((enum vpmu_revision)revision);
        for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
            uint32_t regs[4] = {5, 6, 7, 8}, sum;

            if (rows[i].leaf == 0x8000001B && revision != VPMU_REV_B)
                continue;
            vpmu_cpuid(machine.vpmu, rows[i].leaf, 0, regs);
            sum = regs[0] * 1000 + regs[1] * 100 + regs[2] * 10 + regs[3];
            if (sum != ((revision == VPMU_REV_B ? rows[i].nothing_b : rows[i].nothing_c) ? 0 : 5678))
                fail_msg("%x on revision %u: %u", rows[i].leaf, revision, sum);
        }
    }
    /* The bit of IBS is the only one that is not the host's. */
    uint32_t regs[4] = {0, 2, 0x00000123, 4};
    vpmu_cpuid(machine.vpmu, 0x80000001, 0, regs);
    assert_int_equal(regs[2], 0x00000523);
    assert_int_equal(regs[1] * 10 + regs[3], 24);
}

/* Entries stay masked until the APIC is switched on, and are masked when it is switched off. */
TEST(test_apic_off_by_software)
{
    static const unsigned entries[] = {0x320, 0x340, 0x510};
    uint32_t value = 0;

    start(VPMU_REV_C);
    assert_int_equal(vpmu_apic_read(machine.vpmu, 0xF0, &value), VPMU_NOT_MINE);
    /* The write still reaches the real APIC's register. */
    vpmu_apic_write(machine.vpmu, 0x510, 0x400);
    assert_int_equal(vpmu_apic_write(machine.vpmu, 0xF0, 0xFF), VPMU_NOT_MINE);
    vpmu_apic_read(machine.vpmu, 0x510, &value);
    assert_int_equal(value, 0x10400);
    machine.vpmu->apic.svr_ours = true;
    for (unsigned on = 0; on < 2; on++) {
        vpmu_apic_write(machine.vpmu, 0xF0, on ? 0x1FF : 0xFF);
        for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
            vpmu_apic_write(machine.vpmu, entries[i], 0x400);
            assert_int_equal(vpmu_apic_read(machine.vpmu, entries[i], &value), VPMU_OK);
            assert_int_equal(value, on ? 0x400 : 0x10400);
        }
    }
    vpmu_apic_write(machine.vpmu, 0xF0, 0xFF);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        vpmu_apic_read(machine.vpmu, entries[i], &value);
        assert_int_equal(value, 0x10400);
    }
}

/* Entries in use are open, unless the APIC is off, in which case they cannot have been in use. */
TEST(test_entries_in_use)
{
    static const struct {
        uint32_t hostile, wanted;
    } rows[] = {{1u << HOSTILE_LVT_TAKEN, 0xF2}, {1u << HOSTILE_LVT_TAKEN | 1u << HOSTILE_SVR_OFF, 0x100F2}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t value = 0;

        stop(state);
        machine_init_as(&machine, &paper_map, (struct vpmu_config){.revision = VPMU_REV_C, .hostile = rows[i].hostile});
        assert_int_equal(vpmu_apic_read(machine.vpmu, 0x520, &value), VPMU_OK);
        assert_int_equal(value, rows[i].wanted);
    }
}

RUN_TESTS(NULL, stop)
