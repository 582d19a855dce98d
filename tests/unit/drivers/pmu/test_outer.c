/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts outside the cores: registers and bits of each family, as numbers. */
#include "tests/unit/drivers/fake_cpu.h"

#include <string.h>

#include "core/family/pmc_regs.h"
#include "drivers/pmu/outer.h"

static struct machine machine;
static struct restore_log restore;
static struct outer outer;
static const char *why_not[WITNESS_ROWS];

enum {
    L3 = 0xC0010230,
    FABRIC = 0xC0010240,
    MEMORY = 0xC0010800,
    UNIT = 0xC0010299,
    CORE = 0xC001029A,
    ALL = 0xC001029B
};

static void add_counters(uint32_t first, unsigned counters)
{
    for (unsigned n = 0; n < counters; n++) {
        fake_add_msr(first + 2 * n, 0x5, ~0ull); /* an event that does not count */
        fake_add_msr(first + 2 * n + 1, 70 + n, PMC_COUNTER_MASK);
    }
}

/* Sets up a processor with everything that its family may have, and memory controllers with four counters each. */
static void with(enum fake_later which, uint32_t controllers)
{
    fake_machine_later(&machine, which);
    machine.extended_ecx |= 1u << 28 | 1u << 24;
    fake_set_leaf(0x80000007, 0, 0, 0, 1u << 14);
    fake_set_leaf(0x80000022, 3, (uint32_t)__builtin_popcount(controllers) * 4 << 16 | 6, controllers, 0);
    add_counters(L3, 2);
    add_counters(FABRIC, 4);
    for (int n = 0; n < __builtin_popcount(controllers); n++)
        add_counters(MEMORY + (uint32_t)n * 8, 2);
    fake_add_msr(UNIT, 0xA1003, 0);
    fake_add_msr(CORE, 0xFFFFFFF0, ~0ull);
    fake_add_msr(ALL, 0x10000, ~0ull);
    restore_init(&restore);
}

static uint64_t value_of(enum witness_what what)
{
    uint64_t value[WITNESS_ROWS];

    outer_read(&outer, why_not, value);
    return value[what];
}

static void each_is(uint64_t of(uint32_t msr), unsigned count, const uint32_t *msr, const uint64_t *value)
{
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(of(msr[i]), value[i]);
}

static uint64_t reads(uint32_t msr)
{
    return fake_msr(msr)->value;
}

TEST(zen_to_zen_3)
{
    static const uint32_t msr[] = {L3, L3 + 1, L3 + 2, FABRIC, FABRIC + 2, FABRIC + 4, FABRIC + 6, FABRIC + 7};
    static const uint64_t value[] = {0xFF0F00000040FF04, 0,        0xFF0F000000400104, 0x403807,
                                     0x403847,           0x403887, 0x4038C7,           0};

    with(FAKE_ZEN2, 0);
    outer_open(&outer, &machine, 0, &restore, why_not);
    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        if (what == WITNESS_DRAM_READ || what == WITNESS_DRAM_WRITTEN)
            assert_ptr_equal(why_not[what], certificate_not_told);
        else
            assert_null(why_not[what]);
    each_is(reads, 8, msr, value);
    fake_msr(L3 + 1)->value = 1000;
    fake_msr(L3 + 3)->value = 100;
    for (unsigned n = 0; n < 4; n++)
        fake_msr(FABRIC + 2 * n + 1)->value = 1ull << (8 * n);
    assert_int_equal(value_of(WITNESS_L3), 1000);
    assert_int_equal(value_of(WITNESS_L3_MISSES), 100);
    assert_int_equal(value_of(WITNESS_DRAM), 64 * 0x01010101ull);
    assert_int_equal(value_of(WITNESS_DRAM_READ), 0);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    assert_int_equal(restore.count, 12);
    assert_int_equal(reads(L3), 5);
    assert_int_equal(reads(L3 + 3), 71);
    assert_int_equal(reads(FABRIC + 7), 73);
    assert_true(strstr(fake.log, "wrmsr c0010246 5\n") < strstr(fake.log, "wrmsr c0010247 49\n")); /* stopped first */

    /* A control that keeps the written value is not restored. */
    with(FAKE_ZEN2, 0);
    outer_open(&outer, &machine, 0, &restore, why_not);
    fake_msr(L3)->writable = 0;
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 1);
}

/* One of three controllers is missing: the registers of the others are consecutive. */
TEST(memory_controllers)
{
    static const uint32_t msr[] = {L3, L3 + 2, FABRIC, MEMORY, MEMORY + 2, MEMORY + 8, MEMORY + 10, MEMORY + 11};
    static const uint64_t value[] = {0x0300C0000040FF04, 0x0300C00000400104, 5,          0x8000010A,
                                     0x8000020A,         0x8000010A,         0x8000020A, 0};

    with(FAKE_ZEN4, 5);
    outer_open(&outer, &machine, 0, &restore, why_not);
    each_is(reads, 8, msr, value);
    assert_ptr_equal(why_not[WITNESS_DRAM], certificate_not_told);
    assert_null(why_not[WITNESS_DRAM_READ]);
    assert_null(why_not[WITNESS_DRAM_WRITTEN]);
    fake_msr(MEMORY + 1)->value = 1;
    fake_msr(MEMORY + 3)->value = 0x100 | 1ull << 48; /* bit 48: it has overflowed */
    fake_msr(MEMORY + 9)->value = 0x10000;
    fake_msr(MEMORY + 11)->value = 0x1000000;
    assert_int_equal(value_of(WITNESS_DRAM_READ), 64 * 0x10001ull);
    assert_int_equal(value_of(WITNESS_DRAM_WRITTEN), 64 * 0x1000100ull);
    restore_undo(&restore);
    assert_int_equal(restore_failures(&restore), 0);
    with(FAKE_ZEN5, 0xFFF); /* as many as there may be */
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_null(why_not[WITNESS_DRAM_WRITTEN]);
    assert_int_equal(outer.counters, OUTER_COUNTERS);
    assert_int_equal(reads(MEMORY + 11 * 8 + 2), 0x8000020A);
}

/* Energy is in units of 2^-16 J, in 32 bits, from the first reading on. */
TEST(energy)
{
    with(FAKE_ZEN5, 1);
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_int_equal(value_of(WITNESS_ENERGY_CORE), 0);
    fake_msr(CORE)->value = 0x7700000010;
    fake_msr(ALL)->value = 0x38000;
    assert_int_equal(value_of(WITNESS_ENERGY_CORE), 0x20 * 1000000 >> 16);
    assert_int_equal(value_of(WITNESS_ENERGY), 2500000);
}

TEST(what_is_missing)
{
    with(FAKE_ZEN4, 1);
    machine.extended_ecx &= ~(1u << 28);
    fake_set_leaf(0x80000007, 0, 0, 0, 0);
    fake_set_leaf(0x80000022, 3, 2 << 16 | 6, 0, 0);
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_L3], "CPUID 8000_0001 has none");
    assert_string_equal(why_not[WITNESS_DRAM_READ], "CPUID 8000_0022 has none");
    assert_string_equal(why_not[WITNESS_ENERGY], "CPUID 8000_0007 has none");
    assert_int_equal(restore.count, 0);
    with(FAKE_ZEN4, 0x1FFF);
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_DRAM_READ], "CPUID 8000_0022 has none");
    with(FAKE_ZEN4, 3); /* one counter each */
    fake_set_leaf(0x80000022, 3, 2 << 16 | 6, 3, 0);
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_DRAM_READ], "CPUID 8000_0022 has none");
    with(FAKE_ZEN4, 1); /* leaves beyond the last are not read, whatever they contain */
    machine.max_extended_leaf = 0x80000021;
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_DRAM_READ], "CPUID 8000_0022 has none");
    assert_null(why_not[WITNESS_ENERGY]);
    with(FAKE_ZEN4, 1);
    machine.max_extended_leaf = 0x80000006;
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_ENERGY], "CPUID 8000_0007 has none");
    assert_string_equal(why_not[WITNESS_ENERGY_CORE], "CPUID 8000_0007 has none");
    with(FAKE_ZEN2, 0);
    machine.extended_ecx &= ~(1u << 24);
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_null(why_not[WITNESS_L3]);
    assert_string_equal(why_not[WITNESS_DRAM], "CPUID 8000_0001 has none");
    fake_machine(&machine, 4); /* Family 10h */
    outer_open(&outer, &machine, 0, &restore, why_not);
    for (unsigned what = WITNESS_L3; what <= WITNESS_ENERGY; what++)
        assert_ptr_equal(why_not[what], certificate_not_told);
}

TEST(what_cannot_be_had)
{
    with(FAKE_ZEN2, 0);
    fake_remove_msr(L3 + 1);
    fake_remove_msr(CORE);
    fake_msr(L3 + 2)->value = 1 << 22;
    fake_msr(FABRIC + 4)->writable = 0xFF;
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_L3], "the counter cannot be read");
    assert_string_equal(why_not[WITNESS_L3_MISSES], "the firmware uses it");
    assert_string_equal(why_not[WITNESS_DRAM], "the counter does not hold what is written to it");
    assert_string_equal(why_not[WITNESS_ENERGY_CORE], "reading it raises an exception");
    assert_null(why_not[WITNESS_ENERGY]);
    assert_int_equal(reads(L3), 5);
    assert_int_equal(reads(L3 + 2), 1 << 22);
    assert_int_equal(reads(FABRIC + 6), 5); /* no sum without the register before */
    assert_int_equal(value_of(WITNESS_DRAM), 0);
    with(FAKE_ZEN4, 1);
    fake_remove_msr(MEMORY);
    fake_msr(MEMORY + 2)->value = 1u << 31;
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_string_equal(why_not[WITNESS_DRAM_READ], "reading it raises an exception");
    assert_string_equal(why_not[WITNESS_DRAM_WRITTEN], "the firmware uses it");
}

/* Another core counts for the node, or for the complex, too. */
TEST(shared)
{
    with(FAKE_ZEN2, 0);
    outer_open(&outer, &machine, OUTER_SHARED_NODE, &restore, why_not);
    assert_null(why_not[WITNESS_L3]);
    assert_ptr_equal(why_not[WITNESS_DRAM], certificate_not_told);
    assert_null(why_not[WITNESS_ENERGY_CORE]);
    assert_null(why_not[WITNESS_ENERGY]);
    assert_int_equal(reads(FABRIC), 5);
    with(FAKE_ZEN2, 0);
    outer_open(&outer, &machine, OUTER_SHARED_PROCESSOR, &restore, why_not);
    assert_null(why_not[WITNESS_DRAM]);
    assert_null(why_not[WITNESS_ENERGY_CORE]);
    assert_ptr_equal(why_not[WITNESS_ENERGY], certificate_not_told);
    with(FAKE_ZEN2, 0);
    outer_open(&outer, &machine, OUTER_SHARED_NODE | OUTER_SHARED_COMPLEX, &restore, why_not);
    assert_ptr_equal(why_not[WITNESS_L3], certificate_not_told);
    assert_int_equal(restore.count, 0);
}

/* Nothing of an earlier session is left, and rows of others are left alone. */
TEST(of_a_processor_that_has_none)
{
    static const char others[] = "of others";

    with(FAKE_ZEN2, 0);
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_true(outer.counters > 0);
    machine.row = NULL;
    restore_init(&restore);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        why_not[what] = others;
    outer_open(&outer, &machine, 0, &restore, why_not);
    assert_int_equal(outer.counters, 0);
    assert_int_equal(outer.energy_unit, 0);
    assert_int_equal(restore.count, 0);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        assert_ptr_equal(why_not[what], what >= WITNESS_L3 && what <= WITNESS_ENERGY ? certificate_not_told : others);
}

RUN_TESTS(NULL, NULL)
