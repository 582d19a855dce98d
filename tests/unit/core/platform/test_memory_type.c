/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory types by MTRRs, SYSCFG and PAT. Register contents by number, from the manual. */
#include "tests/unit/core/check.h"

#include "core/platform/memory_type.h"

#define GB 0x40000000ull
#define MB 0x100000ull

static struct silicon silicon;

static void set(enum silicon_register row, uint64_t value)
{
    silicon.value[row] = value;
    silicon.state[row] = SILICON_READ;
}

/* Sets a variable range; masks have 40 address bits, as on a processor of that time. */
static void variable(unsigned n, uint64_t base, uint64_t size, unsigned type)
{
    set(SILICON_MTRR_BASE_0 + 2 * n, base | type);
    set(SILICON_MTRR_MASK_0 + 2 * n, (~(size - 1) & 0xFFFFFFF000ull) | 0x800);
}

/* Turns the MTRRs on, fixed ones too; the default is this type. */
static void begin(unsigned type)
{
    silicon = (struct silicon){0};
    set(SILICON_MTRR_DEF_TYPE, 0xC00 | type);
    set(SILICON_PAT, 0x0007040600070406ull); /* as after reset: WB WT UC- UC, twice */
}

TEST(default_type_alone)
{
    begin(6);
    assert_int_equal(memory_type_of(&silicon, 4 * GB, GB, 0), MEMORY_WB);
    begin(0);
    assert_int_equal(memory_type_of(&silicon, 4 * GB, GB, 0), MEMORY_UC);
    begin(2); /* reserved */
    assert_int_equal(memory_type_of(&silicon, 4 * GB, GB, 0), MEMORY_UNDEFINED);
    begin(6);
    set(SILICON_MTRR_DEF_TYPE, 0x406); /* off: all memory is UC; the default type and the fixed ranges do not matter */
    variable(0, 0, GB, 6);
    assert_int_equal(memory_type_of(&silicon, 0, 4096, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, GB / 2, 4096, 0), MEMORY_UC);
}

TEST(nothing_read_is_not_known)
{
    silicon = (struct silicon){0};
    assert_int_equal(memory_type_of(&silicon, GB, GB, 0), MEMORY_UNKNOWN);
    begin(6);
    silicon.state[SILICON_MTRR_DEF_TYPE] = SILICON_FAULTS;
    assert_int_equal(memory_type_of(&silicon, GB, GB, 0), MEMORY_UNKNOWN);
    begin(6);
    silicon.state[SILICON_PAT] = SILICON_FAULTS; /* a processor without PAT: page tables choose WB */
    assert_int_equal(memory_type_of(&silicon, GB, GB, 3), MEMORY_WB);
    assert_string_equal(memory_type_name(MEMORY_UNKNOWN), "not known");
    assert_string_equal(memory_type_name(MEMORY_WB), "WB");
}

TEST(variable_ranges)
{
    begin(0);
    variable(0, 0, 2 * GB, 6);
    variable(7, 3 * GB, 16 * MB, 1);
    assert_int_equal(memory_type_of(&silicon, 2 * MB, GB, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 2 * GB - 4096, 4096, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 2 * GB - 4096, 4097, 0), MEMORY_MIXED);
    assert_int_equal(memory_type_of(&silicon, 2 * GB, 4096, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, 3 * GB, 16 * MB, 0), MEMORY_WC);
    assert_int_equal(memory_type_of(&silicon, 3 * GB - 16 * MB, 48 * MB, 0),
                     MEMORY_MIXED);                  /* both ends are UC, the middle is not */
    silicon.value[SILICON_MTRR_MASK_0] &= ~0x800ull; /* not valid */
    assert_int_equal(memory_type_of(&silicon, 2 * MB, GB, 0), MEMORY_UC);
}

TEST(overlaps)
{
    static const struct {
        unsigned a, b;
        enum memory_type type;
    } rows[] = {{6, 6, MEMORY_WB}, {6, 0, MEMORY_UC},        {0, 4, MEMORY_UC},
                {4, 6, MEMORY_WT}, {6, 4, MEMORY_WT},        {1, 0, MEMORY_UC},
                {5, 5, MEMORY_WP}, {1, 6, MEMORY_UNDEFINED}, {5, 6, MEMORY_UNDEFINED}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(6);
        variable(0, 0, 4 * GB, rows[i].a);
        variable(1, 2 * GB, GB, rows[i].b);
        assert_int_equal(memory_type_of(&silicon, 2 * GB, 4096, 0), rows[i].type);
        assert_int_equal(memory_type_of(&silicon, GB, 4096, 0), rows[i].a);
    }
    begin(1); /* three ranges: WT over WB, then UC over all */
    variable(0, 0, 4 * GB, 6);
    variable(1, 0, 2 * GB, 4);
    variable(2, 0, GB, 0);
    assert_int_equal(memory_type_of(&silicon, GB / 2, 4096, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, GB, 4096, 0), MEMORY_WT);
    assert_int_equal(memory_type_of(&silicon, 3 * GB, 4096, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 5 * GB, 4096, 0), MEMORY_WC);
}

/* Memory above 4 GB is WB by SYSCFG up to TOP_MEM2 unless an MTRR says otherwise; both bits are needed. */
TEST(above_four_gb)
{
    begin(0);
    set(SILICON_TOP_MEM2, 6 * GB);
    set(SILICON_SYSCFG, 3ull << 21);
    assert_int_equal(memory_type_of(&silicon, 4 * GB, 2 * GB, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 5 * GB, GB + 1, 0), MEMORY_MIXED);
    assert_int_equal(memory_type_of(&silicon, 6 * GB, GB, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, 4 * GB - 4096, 4096, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, 4 * GB - 4096, 8192, 0), MEMORY_MIXED);
    variable(0, 5 * GB, 64 * MB, 1);
    assert_int_equal(memory_type_of(&silicon, 5 * GB, 64 * MB, 0), MEMORY_WC);
    for (unsigned bit = 21; bit <= 22; bit++) {
        set(SILICON_SYSCFG, 1ull << bit);
        assert_int_equal(memory_type_of(&silicon, 4 * GB, 4096, 0), MEMORY_UC);
    }
}

TEST(fixed_ranges)
{
    begin(6);
    for (unsigned row = SILICON_MTRR_FIX_64K_00000; row <= SILICON_MTRR_FIX_4K_F8000; row++)
        set(row, 0x0606060606060606ull);
    set(SILICON_MTRR_FIX_16K_A0000, 0);
    set(SILICON_MTRR_FIX_16K_80000, 0x0506060606060606ull);
    set(SILICON_MTRR_FIX_4K_C8000, 0x0606060606061C06ull); /* RdMem, WrMem shown: the type is WT */
    set(SILICON_MTRR_FIX_64K_00000, 0x0006060606060606ull);
    set(SILICON_MTRR_FIX_4K_F8000, 0x0106060606060606ull);
    assert_int_equal(memory_type_of(&silicon, 0, 0x70000, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 0x70000, 0x10000, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, 0x80000, 0x1C000, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 0x9C000, 0x4000, 0), MEMORY_WP);
    assert_int_equal(memory_type_of(&silicon, 0xA0000, 0x20000, 0), MEMORY_UC);
    assert_int_equal(memory_type_of(&silicon, 0xC0000, 0x9000, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 0xC9000, 0x1000, 0), MEMORY_WT);
    assert_int_equal(memory_type_of(&silicon, 0xCA000, 0x35000, 0), MEMORY_WB);
    assert_int_equal(memory_type_of(&silicon, 0xFF000, 0x1000, 0), MEMORY_WC);
    assert_int_equal(memory_type_of(&silicon, 0xFF000, 0x2000, 0), MEMORY_MIXED);
    assert_int_equal(memory_type_of(&silicon, 0, MB, 0), MEMORY_MIXED);
    set(SILICON_MTRR_DEF_TYPE, 0x806); /* fixed ranges off: variable ranges and the default apply */
    assert_int_equal(memory_type_of(&silicon, 0, MB, 0), MEMORY_WB);
}

TEST(page_tables_choose)
{
    static const struct {
        unsigned mtrr, pat;
        enum memory_type type;
    } rows[] = {{6, 6, MEMORY_WB}, {6, 4, MEMORY_WT}, {6, 5, MEMORY_WP}, {6, 7, MEMORY_UC}, {6, 0, MEMORY_UC},
                {6, 1, MEMORY_WC}, {0, 6, MEMORY_UC}, {0, 4, MEMORY_UC}, {0, 1, MEMORY_WC}, {1, 7, MEMORY_WC},
                {1, 4, MEMORY_UC}, {4, 4, MEMORY_WT}, {4, 6, MEMORY_WT}, {5, 4, MEMORY_UC}, {5, 5, MEMORY_WP}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        begin(rows[i].mtrr);
        set(SILICON_PAT, (uint64_t)rows[i].pat << 24 | 0x06);
        assert_int_equal(memory_type_of(&silicon, GB, MB, 3), rows[i].type);
        assert_int_equal(memory_type_of(&silicon, GB, MB, 0), rows[i].mtrr);
    }
}

RUN_TESTS(NULL, NULL)
