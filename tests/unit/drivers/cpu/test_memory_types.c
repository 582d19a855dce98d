/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of memory types: what is read on one core, and how another core gets the same values. */
#include "tests/unit/drivers/fake_cpu.h"

#include <stdio.h>
#include <string.h>

#include "drivers/cpu/memory_types.h"

static const uint32_t fixed[] = {0x250, 0x258, 0x259, 0x268, 0x269, 0x26A, 0x26B, 0x26C, 0x26D, 0x26E, 0x26F};

/* Makes a machine with MTRRs as firmware sets them, 'pairs' of them variable. */
static void set_up(unsigned pairs)
{
    fake_reset(4);
    fake_add_msr(0x277, 0x0007040600070406, ~0ull);
    fake_add_msr(0xFE, 0x500 + pairs, 0);
    for (unsigned i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        fake_add_msr(fixed[i], 0x1E1E1E1E1E1E1E00 + i, ~0ull);
    for (unsigned i = 0; i < 2 * pairs; i++)
        fake_add_msr(0x200 + i, 0x1000 + i, ~0ull);
    fake_add_msr(0x2FF, 0xC00, ~0ull);
    fake_add_msr(0xC0010010, 0x760000, ~0ull);
    for (uint32_t msr = 0xC0010016; msr <= 0xC001001A; msr++)
        fake_add_msr(msr, msr, ~0ull);
    fake_add_msr(0xC001001D, 0x180000000, ~0ull);
}

static struct memory_types boot;

static void as_reset(uint32_t msr, uint64_t value)
{
    fake_msr(msr)->value = value;
}

/* All registers are read; SYSCFG's additional bit is set only while the fixed MTRRs are read. */
TEST(reads_all)
{
    set_up(8);
    fake_clear_log();
    memory_types_read(&boot, true);
    assert_int_equal(boot.count, 1 + 11 + 16 + 4 + 2 + 1 + 1);
    assert_true(boot.extended);
    assert_int_equal(strncmp(fake.log, "rdmsr 277\nrdmsr c0010010\nwrmsr c0010010 7e0000\nrdmsr 250\n", 57), 0);
    assert_non_null(strstr(fake.log, "rdmsr 26f\nwrmsr c0010010 760000\nrdmsr fe\nrdmsr 200\n"));
    assert_int_equal(fake_msr(0xC0010010)->value, 0x760000);
    assert_int_equal(boot.row[boot.count - 1].msr, 0xC0010010);
    assert_int_equal(boot.row[boot.count - 1].value, 0x760000);
    assert_int_equal(boot.row[boot.count - 2].msr, 0x2FF);
    for (uint32_t i = 0; i < boot.count; i++) {
        static const uint32_t others[] = {0xC0010016, 0xC0010017, 0xC0010018, 0xC0010019,
                                          0xC001001A, 0xC001001D, 0x2FF,      0xC0010010};

        assert_int_equal(boot.row[i].msr, i == 0   ? 0x277
                                          : i < 12 ? fixed[i - 1]
                                          : i < 28 ? 0x200 + i - 12
                                                   : others[i - 28]);
        assert_int_equal(boot.row[i].value, fake_msr(boot.row[i].msr)->value);
    }
}

/* Registers that the processor does not have are not touched. */
TEST(reads_what_is_there)
{
    set_up(3);
    memory_types_read(&boot, true);
    assert_int_equal(boot.count, 1 + 11 + 6 + 4 + 2 + 1 + 1);
    fake_clear_log();
    memory_types_read(&boot, false); /* another maker's processor */
    assert_int_equal(boot.count, 1 + 11 + 6 + 1);
    assert_null(strstr(fake.log, "c001"));
    set_up(8);
    as_reset(0xFE, 20); /* more pairs than this program knows */
    memory_types_read(&boot, false);
    assert_int_equal(boot.count, 1 + 11 + 16 + 1);
    fake_set_leaf(1, 0, 0, 0, 1 << 16);
    memory_types_read(&boot, true);
    assert_int_equal(boot.count, 1);
    fake_set_leaf(1, 0, 0, 0, 0);
    memory_types_read(&boot, true);
    assert_int_equal(boot.count, 0);
}

/* If a core has these values already, only SYSCFG's bit is written, and restored. */
TEST(same_already)
{
    uint32_t wrong = 77;

    set_up(8);
    memory_types_read(&boot, true);
    fake_clear_log();
    assert_int_equal(memory_types_set(&boot, &wrong), 0);
    assert_int_equal(wrong, 0);
    assert_null(strstr(fake.log, "wbinvd"));
    assert_null(strstr(fake.log, "cr0"));
    assert_non_null(strstr(fake.log, "wrmsr c0010010 7e0000"));
    assert_int_equal(fake_msr(0xC0010010)->value, 0x760000);
    boot.count = 0; /* there are no values to compare */
    fake_clear_log();
    assert_int_equal(memory_types_set(&boot, &wrong), 0);
    assert_string_equal(fake.log, "");
}

/* If the registers are as after reset, caches and MTRRs are switched off, all registers are written, and then both are
 * on again. */
TEST(after_reset)
{
    static const char end[] = "wrmsr 2ff c00\nwrmsr c0010010 760000\nwbinvd\ncr3 firmware\ncr0 80010033\ncr4 6e8\n";
    uint32_t wrong = 77;

    set_up(8);
    memory_types_read(&boot, true);
    as_reset(0x250, 0);
    as_reset(0x2FF, 0x400);
    as_reset(0xC0010010, 0);
    as_reset(0xC001001D, 0);
    fake_clear_log();
    fake.cr4 = 0x6E8; /* global pages on */
    assert_int_equal(memory_types_set(&boot, &wrong), 4);
    assert_int_equal(wrong, 0);
    assert_non_null(strstr(fake.log, "cr4 668\ncr0 c0010033\nwbinvd\ncr3 firmware\nrdmsr 2ff\nwrmsr 2ff 400\n"
                                     "rdmsr c0010010\nwrmsr c0010010 80000\nwrmsr 277 7040600070406\nwrmsr 250 "));
    assert_non_null(strstr(fake.log, end));
    for (uint32_t i = 0; i < boot.count; i++)
        assert_int_equal(fake_msr(boot.row[i].msr)->value, boot.row[i].value);
}

/* Bits that keep their old value are counted. */
TEST(what_does_not_take)
{
    uint32_t wrong = 77;

    set_up(8);
    memory_types_read(&boot, true);
    as_reset(0x203, 0);
    as_reset(0x204, 0);
    fake_msr(0x203)->writable = 0;
    assert_int_equal(memory_types_set(&boot, &wrong), 2);
    assert_int_equal(wrong, 1);
    assert_int_equal(fake_msr(0x204)->value, 0x1004);
}

RUN_TESTS(NULL, NULL)
