/* SPDX-License-Identifier: BSD-2-Clause */
/* Caches and TLBs by processor: CPUID reports them as on silicon. */

#include "tests/unit/test.h"
#include "tests/unit/vpmu/stream.h"

/* The words are InstLatX64's dumps: Fn8000_0005 ECX, EDX; Fn8000_0006 ECX; Fn8000_001D EBX and ECX of L1D, L1I, L2 and
 * L3, EDX of the L2. Zen 5's dump stands for Zen 6. A leaf that a dump lacks is 0. The L3 is that of one core complex,
 * in the dumps and in the model. */
static const struct dump {
    const char *name;
    uint32_t l1d, l1i, l2;
    uint32_t ways[4], sets[4], l2_edx;
} dumps[] = {
    {"C", 0x40020140, 0x40020140, 0x02008140, {0}, {0}, 0},
    {"12h", 0x40020140, 0x40020140, 0x04008140, {0}, {0}, 0},
    {"14h", 0x20080140, 0x20020140, 0x02008140, {0}, {0}, 0},
    {"15h-00",
     0x10040140,
     0x40020140,
     0x08008140,
     {0xC0003F, 0x40003F, 0x3C0003F, 0xFC0003F},
     {63, 511, 2047, 2047},
     1},
    {"15h-30", 0x10040140, 0x60030140, 0x08008140, {0xC0003F, 0x80003F, 0x3C0003F, 0}, {63, 511, 2047, 0}, 1},
    {"15h-60", 0x20080140, 0x60030140, 0x04008140, {0x1C0003F, 0x80003F, 0x3C0003F, 0}, {63, 511, 1023, 0}, 1},
    {"16h", 0x20080140, 0x20020140, 0x08008140, {0x1C0003F, 0x40003F, 0x3C0003F, 0}, {63, 255, 2047, 0}, 2},
    {"zen", 0x20080140, 0x40040140, 0x02006140, {0x1C0003F, 0xC0003F, 0x1C0003F, 0x3C0003F}, {63, 255, 1023, 8191}, 2},
    {"zen2",
     0x20080140,
     0x20080140,
     0x02006140,
     {0x1C0003F, 0x1C0003F, 0x1C0003F, 0x3C0003F},
     {63, 63, 1023, 16383},
     2},
    {"zen3",
     0x20080140,
     0x20080140,
     0x02006140,
     {0x1C0003F, 0x1C0003F, 0x1C0003F, 0x3C0003F},
     {63, 63, 1023, 32767},
     2},
    {"zen4",
     0x20080140,
     0x20080140,
     0x04006140,
     {0x1C0003F, 0x1C0003F, 0x1C0003F, 0x3C0003F},
     {63, 63, 2047, 32767},
     2},
    {"zen5",
     0x300C0140,
     0x20080140,
     0x04008140,
     {0x2C0003F, 0x1C0003F, 0x3C0003F, 0x3C0003F},
     {63, 63, 1023, 32767},
     2},
    {"zen6",
     0x300C0140,
     0x20080140,
     0x04008140,
     {0x2C0003F, 0x1C0003F, 0x3C0003F, 0x3C0003F},
     {63, 63, 1023, 32767},
     2},
};

TEST(test_cpuid_is_silicons)
{
    static const uint32_t kinds[] = {0x121, 0x122, 0x143, 0x163};

    for (size_t i = 0; i < sizeof(dumps) / sizeof(dumps[0]); i++) {
        struct vpmu_config config = {.seed = 1};
        struct machine machine;
        uint32_t regs[4];

        assert_true(vpmu_revision_parse(dumps[i].name, &config.revision));
        machine_init_as(&machine, &paper_map, config);
        vpmu_cpuid(machine.vpmu, 0x80000005, 0, regs);
        assert_int_equal(regs[2], dumps[i].l1d);
        assert_int_equal(regs[3], dumps[i].l1i);
        vpmu_cpuid(machine.vpmu, 0x80000006, 0, regs);
        assert_int_equal(regs[2], dumps[i].l2);
        for (uint32_t leaf = 0; leaf < 5; leaf++) {
            bool there = leaf < 4 && dumps[i].ways[leaf];

            vpmu_cpuid(machine.vpmu, 0x8000001D, leaf, regs);
            assert_int_equal(regs[0], there ? kinds[leaf] : 0);
            assert_int_equal(regs[1], there ? dumps[i].ways[leaf] : 0);
            assert_int_equal(regs[2], there ? dumps[i].sets[leaf] : 0);
            if (leaf == 2)
                assert_int_equal(regs[3], dumps[i].l2_edx);
        }
        machine_free(&machine);
    }
}

/* The words are from the same dumps: EAX and EBX of Fn8000_0005, of Fn8000_0006 and of Fn8000_0019. If the L2's entries
 * are in units of 32, bit 14 of Fn8000_0021 EAX says so. Revision C's pages of 1 GB have 8 ways on silicon, and all
 * ways in the model. */
TEST(test_cpuid_of_the_tlbs)
{
    static const struct {
        const char *name;
        uint32_t words[6];
    } rows[] = {
        {"C", {0xFF30FF10, 0xFF30FF20, 0x20800000, 0x42004200, 0xF0300000, 0xF0100000}},
        {"12h", {0xFF30FF10, 0xFF30FF20, 0x20800000, 0x44004200, 0xF0300000, 0x60100000}},
        {"14h", {0xFF08FF08, 0xFF280000, 0x00000000, 0x42004200, 0x00000000, 0x00000000}},
        {"15h-00", {0xFF20FF18, 0xFF20FF30, 0x64000000, 0x64004200, 0xF020F018, 0x64000000}},
        {"15h-10", {0xFF40FF18, 0xFF40FF30, 0x64006400, 0x64004200, 0xF040F018, 0x64006400}},
        {"15h-30", {0xFF40FF18, 0xFF40FF30, 0x64006400, 0x64004200, 0xF040F018, 0x64006400}},
        {"15h-60", {0xFF40FF18, 0xFF40FF30, 0x64006400, 0x64004200, 0xF040F018, 0x64006400}},
        {"16h", {0xFF08FF08, 0xFF28FF20, 0x21000000, 0x42004200, 0x00000000, 0x00000000}},
        {"zen", {0xFF40FF40, 0xFF40FF40, 0x26006400, 0x66006400, 0xF040F040, 0x00000000}},
        {"zen2", {0xFF40FF40, 0xFF40FF40, 0x48006400, 0x68006400, 0xF040F040, 0x00000000}},
        {"zen3", {0xFF40FF40, 0xFF40FF40, 0x48002200, 0x68004200, 0xF040F040, 0xF0400000}},
        {"zen4", {0xFF48FF40, 0xFF48FF40, 0x5C002200, 0x6C004200, 0xF048F040, 0xF0400000}},
        {"zen5", {0xFF60FF40, 0xFF60FF40, 0x40802040, 0x60804040, 0xF060F040, 0x40200000}},
        {"zen6", {0xFF60FF40, 0xFF60FF40, 0x40802040, 0x60804040, 0xF060F040, 0x40200000}},
    };
    static const uint32_t leaves[] = {0x80000005, 0x80000006, 0x80000019};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct vpmu_config config = {.seed = 1};
        struct machine machine;
        uint32_t regs[4];

        assert_true(vpmu_revision_parse(rows[i].name, &config.revision));
        machine_init_as(&machine, &paper_map, config);
        for (size_t leaf = 0; leaf < 3; leaf++) {
            vpmu_cpuid(machine.vpmu, leaves[leaf], 0, regs);
            assert_int_equal(regs[0], rows[i].words[2 * leaf]);
            assert_int_equal(regs[1], rows[i].words[2 * leaf + 1]);
        }
        vpmu_cpuid(machine.vpmu, 0x80000021, 0, regs);
        assert_int_equal(regs[0], rows[i].words[0] == 0xFF60FF40 ? 1 << 14 : 0);
        machine_free(&machine);
    }
}

/* The L3's size is in units of 512 KB, and its ways are 9h from Zen 2 on. */
TEST(test_cpuid_of_the_l3)
{
    static const struct {
        const char *name;
        uint32_t edx;
    } rows[] = {{"C", 0x0030B140},           {"12h", 0},
                {"15h-00", 0x0040C140},      {"zen", 16 << 18 | 0x8140},
                {"zen2", 32 << 18 | 0x9140}, {"zen3", 64 << 18 | 0x9140}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct vpmu_config config = {.seed = 1};
        struct machine machine;
        uint32_t regs[4];

        assert_true(vpmu_revision_parse(rows[i].name, &config.revision));
        machine_init_as(&machine, &paper_map, config);
        vpmu_cpuid(machine.vpmu, 0x80000006, 0, regs);
        assert_int_equal(regs[3], rows[i].edx);
        machine_free(&machine);
    }
}

RUN_TESTS(NULL, NULL)
