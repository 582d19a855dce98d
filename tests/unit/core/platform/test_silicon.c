/* SPDX-License-Identifier: BSD-2-Clause */
/* The snapshot's rows, its words and its clocks. Bits by number, from the sources that the rows name. */
#include <string.h>

#include "tests/unit/core/check.h"

#include "core/base/out.h"
#include "core/family/ibs_family.h"
#include "core/platform/silicon.h"

static struct silicon silicon;

static void set(enum silicon_register row, uint64_t value)
{
    silicon.value[row] = value;
    silicon.state[row] = SILICON_READ;
}

TEST(rows_are_in_order)
{
    for (unsigned i = 0; i < SILICON_ROWS; i++) {
        const struct silicon_row *row = &silicon_rows[i];

        assert_int_equal(row->where, i >= SILICON_PCI_FIRST    ? SILICON_PCI
                                     : i >= SILICON_APIC_FIRST ? SILICON_APIC
                                                               : SILICON_MSR);
        assert_true(row->what[0] && row->source[0]);
        assert_int_equal(silicon_find(row->name, strlen(row->name)), i); /* no name is there twice */
        for (unsigned other = 0; other < i; other++)
            assert_false(silicon_rows[other].where == row->where && silicon_rows[other].address == row->address &&
                         silicon_rows[other].function == row->function);
        if (row->where == SILICON_PCI)
            assert_true(row->address % 4 == 0 && row->address < 0x1000 && row->function <= 4);
    }
    assert_int_equal(silicon_find("HWCR2", 5), SILICON_ROWS);
    assert_int_equal(silicon_find("HWCR2", 4), SILICON_HWCR);
}

TEST(values_and_differences)
{
    struct silicon other;
    struct out_memory memory;
    char text[32];

    silicon = (struct silicon){0};
    set(SILICON_HWCR, 0x1000010);
    set(SILICON_COFVID_STATUS, 1);
    silicon.state[SILICON_PAT] = SILICON_FAULTS;
    other = silicon;
    out_memory_init(&memory, text, sizeof(text));
    silicon_write_value(&memory.out, &silicon, SILICON_HWCR);
    silicon_write_value(&memory.out, &silicon, SILICON_PAT);
    assert_string_equal(text, "0x1000010faults");
    for (unsigned i = 0; i < SILICON_ROWS; i++)
        assert_false(silicon_differs(&silicon, &other, i));
    other.value[SILICON_HWCR] ^= 8;
    other.value[SILICON_COFVID_STATUS] = 2; /* changes by itself */
    set(SILICON_LVT_TIMER, 0x10000);
    other.value[SILICON_LVT_TIMER] = 0x20020; /* differs between cores, and does not change */
    other.state[SILICON_LVT_TIMER] = SILICON_READ;
    other.state[SILICON_PAT] = SILICON_READ;
    other.state[SILICON_DC_CFG] = SILICON_READ; /* was not read on one of the two sides */
    for (unsigned i = 0; i < SILICON_ROWS; i++)
        assert_int_equal(silicon_differs(&silicon, &other, i),
                         i == SILICON_HWCR || i == SILICON_PAT || i == SILICON_LVT_TIMER);
    /* A run itself sets one of these bits of NB_CFG for a moment, and not the other. */
    set(SILICON_NB_CFG, 8);
    other = silicon;
    other.value[SILICON_NB_CFG] ^= 1ull << 46;
    assert_false(silicon_differs(&silicon, &other, SILICON_NB_CFG));
    other.value[SILICON_NB_CFG] ^= 1ull << 54;
    assert_true(silicon_differs(&silicon, &other, SILICON_NB_CFG));
}

/* Each remark needs its bits, and no remark applies without its register. */
TEST(remarks)
{
    static const struct {
        enum silicon_register row;
        uint64_t says, says_not;
    } rows[] = {{SILICON_HWCR, 0x1000008, 0x1000000},
                {SILICON_BU_CFG, 0x2, 0xFFFFFFFFFFFFFFFDull},
                {SILICON_BU_CFG2, 0x20000000, 0xFFFFFFFFDFFFFFFFull},
                {SILICON_HWCR, 0, 0x1000000},
                {SILICON_INT_PENDING, 0x10000000, 0xFFFFFFFFE7FFFFFFull},
                {SILICON_INT_PENDING, 0x08000000, 0},
                {SILICON_F3x58, 0x10, 0xFFFFFFE0},
                {SILICON_SYSCFG, 0x80000, 0x740000 & ~0x80000},
                {SILICON_DE_CFG, 0xFFFFFFFFFFFFFFFEull, 1},
                {SILICON_LVT_COUNTERS, 0x400, 0x10400},
                {SILICON_LVT_EXTENDED_0, 0xEFFFF, 0x10000},
                {SILICON_LVT_EXTENDED_1, 0, 0x10000},
                {SILICON_LVT_EXTENDED_2, 0, 0x10000},
                {SILICON_LVT_EXTENDED_3, 0, 0x10000}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned said = 0, said_not = 0;

        for (unsigned r = 0; r < silicon_remark_count; r++) {
            silicon = (struct silicon){0};
            silicon.value[rows[i].row] = rows[i].says;
            assert_false(silicon_remark_applies(&silicon, &silicon_remarks[r])); /* not read */
            set(rows[i].row, rows[i].says);
            said += silicon_remark_applies(&silicon, &silicon_remarks[r]);
            set(rows[i].row, rows[i].says_not);
            said_not += silicon_remark_applies(&silicon, &silicon_remarks[r]);
        }
        assert_int_equal(said, 1);
        assert_int_equal(said_not, 0);
    }
}

/* Bits by number: Linux msr-index.h (SYSCFG), AGESA (C-states, watchdog), likwid (prefetchers). */
TEST(switches)
{
    static const struct {
        enum silicon_register row;
        bool off;
        uint64_t mask;
    } rows[SILICON_SWITCHES] = {{SILICON_CSTATE_CFG, false, 1 << 6 | 1 << 14 | 1 << 22},
                                {SILICON_POWER_MISC, false, 0x100000000},
                                {SILICON_CPPC_ENABLE, false, 1},
                                {SILICON_CPU_WATCHDOG, false, 1},
                                {SILICON_SYSCFG, false, 0x800000},
                                {SILICON_SYSCFG, false, 0x1000000},
                                {SILICON_PREFETCH_CONTROL, true, 1},
                                {SILICON_PREFETCH_CONTROL, true, 2},
                                {SILICON_PREFETCH_CONTROL, true, 4},
                                {SILICON_PREFETCH_CONTROL, true, 8},
                                {SILICON_PREFETCH_CONTROL, true, 0x20}};

    for (unsigned i = 0; i < SILICON_SWITCHES; i++) {
        assert_int_equal(silicon_switches[i].row, rows[i].row);
        assert_int_equal(silicon_switches[i].off, rows[i].off);
        assert_int_equal(silicon_switches[i].mask, rows[i].mask);
    }
}

/* A clock is 100 MHz * (CpuFid + 16) / 2^CpuDid: Phenom II X4 955, and its lowest P-state. */
TEST(clocks)
{
    silicon = (struct silicon){0};
    assert_int_equal(silicon_p0_mhz(&silicon), 0);
    assert_int_equal(silicon_nb_mhz(&silicon), 0);
    set(SILICON_PSTATE_0, 0x8000019A00001010ull);
    set(SILICON_PSTATE_1, 0x8000019A00001000ull | 1 << 6);
    set(SILICON_PSTATE_2, 0x000001000000101Full); /* not enabled */
    set(SILICON_PSTATE_3, 0x8000000000000000ull | 5 << 6);
    set(SILICON_PSTATE_4, 0x8000000000000000ull | 4 << 6 | 0x3F);
    assert_int_equal(silicon_pstate_mhz(&silicon, 0), 3200);
    assert_int_equal(silicon_pstate_mhz(&silicon, 1), 800);
    assert_int_equal(silicon_pstate_mhz(&silicon, 2), 0);
    assert_int_equal(silicon_pstate_mhz(&silicon, 3), 0);
    assert_int_equal(silicon_pstate_mhz(&silicon, 4), 493);
    assert_int_equal(silicon_pstate_mhz(&silicon, 5), 0);
    assert_int_equal(silicon_p0_mhz(&silicon), 3200);
    set(SILICON_F4x15C, 4); /* with one boosted state P0 is the next one */
    assert_int_equal(silicon_boosted(&silicon), 1);
    assert_int_equal(silicon_p0_mhz(&silicon), 800);
    set(SILICON_F4x15C, 3);
    set(SILICON_F3xD4, 0xC3310F26);
    assert_int_equal(silicon_nb_mhz(&silicon), 2000);
    set(SILICON_PSTATE_0, 0x8000019A00C01010ull); /* NbDid, and a bit of another field */
    assert_int_equal(silicon_nb_mhz(&silicon), 1000);
    set(SILICON_PSTATE_0, 0x0000019A00001010ull); /* not enabled: this P-state's NbDid does not count */
    assert_int_equal(silicon_nb_mhz(&silicon), 0);
    set(SILICON_F4x15C, 4); /* the next state is P0 */
    assert_int_equal(silicon_nb_mhz(&silicon), 2000);
    set(SILICON_F4x15C, 3);
    set(SILICON_PSTATE_0, 0x8000019A00001010ull);
    assert_int_equal(silicon_nb_mhz(&silicon), 2000);
    set(SILICON_F3xD4, 0xC3310F06); /* this NbFid is not in force */
    assert_int_equal(silicon_nb_mhz(&silicon), 0);
}

/* The registers are those of a Ryzen of 3600 MHz (144, divisor 8) with a P-state of 2200 MHz, and of Family 1Ah: 860 *
 * 5 MHz. */
TEST(clocks_of_zen)
{
    silicon = (struct silicon){.clocks = IBS_CLOCKS_DID};
    set(SILICON_PSTATE_0, 0x8000000049120890ull);
    set(SILICON_PSTATE_1, 0x8000000045160C84ull);
    set(SILICON_PSTATE_2, 0x8000000045160084ull); /* no divisor */
    set(SILICON_PSTATE_3, 0x0000000045160C84ull);
    assert_int_equal(silicon_p0_mhz(&silicon), 3600);
    assert_int_equal(silicon_pstate_mhz(&silicon, 1), 2200);
    assert_int_equal(silicon_pstate_mhz(&silicon, 2), 0);
    assert_int_equal(silicon_pstate_mhz(&silicon, 3), 0);
    silicon.clocks = IBS_CLOCKS_5;
    set(SILICON_PSTATE_0, 0x800000000000035Cull | 0xFFFull << 12);
    assert_int_equal(silicon_p0_mhz(&silicon), 4300);
}

/* The TSC must run at P0's rate, within one in a hundred: 3200 MHz. */
TEST(the_tsc_agrees)
{
    silicon = (struct silicon){0};
    assert_true(silicon_agrees(&silicon, 1)); /* a rate that is not known */
    set(SILICON_PSTATE_0, 0x8000019A00001010ull);
    assert_true(silicon_agrees(&silicon, 3200000));
    assert_true(silicon_agrees(&silicon, 3232000));
    assert_false(silicon_agrees(&silicon, 3232001));
    assert_true(silicon_agrees(&silicon, 3168000));
    assert_false(silicon_agrees(&silicon, 3167999));
}

RUN_TESTS(NULL, NULL)
