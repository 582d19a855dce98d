/* SPDX-License-Identifier: BSD-2-Clause */
/* The silicon snapshot in report and run.ini: what is printed about registers, memory types, and other cores. */
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fixture.h"

#include <stdlib.h>
#include <string.h>

#define FOLDER "0001-tight-loop-ibs"

static struct silicon *silicon;

static void set(struct silicon *of, enum silicon_register row, uint64_t value)
{
    of->value[row] = value;
    of->state[row] = SILICON_READ;
}

/* Sets a machine with good settings: WB everywhere, P0 3 GHz, northbridge 2 GHz, the TSC at P0's rate. */
static void set_machine(void)
{
    fake_session.machine.tsc_khz = 3000000;
    silicon = &fake_session.machine.silicon;
    *silicon = (struct silicon){.read = true};
    set(silicon, SILICON_PATCH_LEVEL, 0x10000DB);
    set(silicon, SILICON_HWCR, 1 << 24);
    set(silicon, SILICON_MTRR_DEF_TYPE, 0x806);
    set(silicon, SILICON_PAT, 0x0007040600070406);
    set(silicon, SILICON_PSTATE_0, 0x800000000000000E);
    set(silicon, SILICON_F3xD4, 0x26);
    set(silicon, SILICON_BU_CFG, 0);
    silicon->state[SILICON_DC_CFG] = SILICON_FAULTS;
}

APP_TEST(set_up_well)
{
    set_machine();
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nMicrocode     10000dbh\nClocks        P0 3000 MHz, northbridge 2000 MHz\n");
    assert_shown("\nMemory type   WB; of the program's code WB\n");
    assert_not_shown("WARNING");
    assert_not_shown("\nNote ");
    assert_string_equal(saved_fact(FOLDER, "silicon.HWCR"), "0x1000000");
    assert_string_equal(saved_fact(FOLDER, "silicon.DC_CFG"), "faults");
    assert_string_equal(saved_fact(FOLDER, "silicon.IC_CFG"), "");
    assert_string_equal(saved_fact(FOLDER, "arena.type"), "WB");
    assert_string_equal(saved_fact(FOLDER, "text.type"), "WB");
    assert_lines_fit();
}

/* One line names all that the firmware left on, another the prefetchers that it switched off. */
APP_TEST(left_on)
{
    set_machine();
    set(silicon, SILICON_SYSCFG, 1 << 23);
    set(silicon, SILICON_CSTATE_CFG, 1 << 14);
    set(silicon, SILICON_CPPC_ENABLE, 0);
    set(silicon, SILICON_PREFETCH_CONTROL, 9);
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nLeft on       C6 of idle cores, memory encryption\nPrefetch off  L1 stream, L2 stream\n");
    assert_string_equal(saved_fact(FOLDER, "silicon.PREFETCH_CONTROL"), "0x9");
    assert_lines_fit();
}

/* If nothing was read, nothing is printed. */
APP_TEST(not_read)
{
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_not_shown("Microcode");
    assert_not_shown("Clocks");
    assert_not_shown("Memory type");
    assert_null(strstr(file_text("\\ibsboot\\runs\\" FOLDER "\\run.ini"), "#: silicon."));
    assert_string_equal(saved_fact(FOLDER, "arena.type"), "");
}

APP_TEST(left_running)
{
    static const struct {
        enum silicon_register row;
        uint64_t on;
        const char *says;
    } rows[] = {{SILICON_PERF_CTL_0, 1 << 22, "Note          Counter 0 was on when the program began: firmware"},
                {SILICON_PERF_CTL_1, 1 << 22, "Note          Counter 1 was on"},
                {SILICON_PERF_CTL_2, 1 << 22, "Note          Counter 2 was on"},
                {SILICON_PERF_CTL_3, 1 << 22, "Note          Counter 3 was on"},
                {SILICON_IBS_FETCH_CTL, 1ull << 48, "Note          IBS fetch sampling was on"},
                {SILICON_IBS_OP_CTL, 1 << 17, "Note          IBS op sampling was on"}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        set_machine();
        set(silicon, rows[i].row, rows[i].on);
        fake_fw.screen_length = 0;
        assert_int_equal(start("menu=no save=no " SMALL), 0);
        assert_shown(rows[i].says);
        set(silicon, rows[i].row, ~rows[i].on); /* the counter is set up, but not on */
        fake_fw.screen_length = 0;
        assert_int_equal(start("menu=no save=no " SMALL), 0);
        assert_not_shown(" was on when the program began");
    }
}

APP_TEST(set_up_otherwise)
{
    set_machine();
    set(silicon, SILICON_HWCR, 8);
    set(silicon, SILICON_BU_CFG, 2);
    set(silicon, SILICON_F4x15C, 4);
    set(silicon, SILICON_PSTATE_1, 0x8000000000000010);
    fake_session.machine.probe_not_restored = 1;
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nClocks        P0 3200 MHz, boosted 3000 MHz, northbridge 2000 MHz\n");
    assert_shown("\nNote          HWCR[3] is set: page tables are read from memory");
    assert_shown("\nNote          BU_CFG[1] is set");
    assert_shown("\nNote          HWCR[24] is clear: the TSC does not count at P0's rate");
    assert_says("FAIL: reading the registers left 1 of them changed");
    assert_lines_fit();
}

/* All memory is uncached, or memory from a place within the arena on. */
APP_TEST(not_write_back)
{
    uint64_t arena;

    set_machine();
    set(silicon, SILICON_MTRR_DEF_TYPE, 0x800);
    set(silicon, SILICON_MTRR_BASE_0, IMAGE_BASE | 6);
    set(silicon, SILICON_MTRR_MASK_0, 0xFFF0000800);
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nMemory type   UC; of the program's code WB\n");
    assert_says("WARNING: the memory type of the workload's memory is UC on core 0, not WB: the firmware's MTRRs");
    assert_int_equal(times_said("WARNING: the memory type"), 1);
    assert_string_equal(saved_fact(FOLDER, "arena.type"), "UC");
    assert_lines_fit();
    arena = fake_session.plan.place.paging.physical;
    fixture_teardown(NULL);
    fixture_setup(NULL);
    set_machine();
    set(silicon, SILICON_MTRR_BASE_0, arena + 4096);
    set(silicon, SILICON_MTRR_MASK_0, 0xFFFFFFF800);
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nMemory type   mixed; of the program's code WB\n");
    assert_string_equal(saved_fact(FOLDER, "arena.type"), "mixed");
}

/* Each core has its own registers, and for other nodes the differences are kept. */
APP_TEST(another_core)
{
    struct silicon other;

    set_two_nodes();
    set_machine();
    other = *silicon;
    for (unsigned row = SILICON_PCI_FIRST; row < SILICON_ROWS; row++)
        other.state[row] = SILICON_UNREAD;
    set(&other, SILICON_MTRR_DEF_TYPE, 0x800);
    set(&other, SILICON_COFVID_STATUS, 3); /* moves */
    set(&other, SILICON_LVT_LINT0, 0x10000);
    set(silicon, SILICON_LVT_LINT0, 0x700); /* differs between cores: saved, and not reported */
    fake_session.core[1].silicon = silicon;
    fake_session.core[2].silicon = &other;
    fake_session.machine.node_silicon[1].value[SILICON_F3xD4 - SILICON_PCI_FIRST] = 9;
    fake_session.machine.node_silicon[1].state[SILICON_F3xD4 - SILICON_PCI_FIRST] = SILICON_READ;
    assert_int_equal(start("menu=no cores=0-2 " SMALL), 0);
    assert_says("NOTE: core 2 is not set up like the boot core: MTRR_DEF_TYPE (values in run.ini).");
    assert_says("WARNING: the memory type of the workload's memory is UC on core 2");
    assert_says("WARNING: the memory type of the program's code is UC on core 2");
    assert_int_equal(times_said("WARNING: the memory type"), 2);
    assert_int_equal(times_said("is not set up like"), 1);
    assert_string_equal(saved_fact(FOLDER, "core.2.silicon.MTRR_DEF_TYPE"), "0x800");
    assert_string_equal(saved_fact(FOLDER, "core.2.silicon.COFVID_STATUS"), "");
    assert_string_equal(saved_fact(FOLDER, "core.2.silicon.LVT_LINT0"), "0x10000");
    assert_string_equal(saved_fact(FOLDER, "core.1.silicon.MTRR_DEF_TYPE"), "");
    assert_string_equal(saved_fact(FOLDER, "core.1.arena.type"), "WB");
    assert_string_equal(saved_fact(FOLDER, "core.2.arena.type"), "UC");
    assert_string_equal(saved_fact(FOLDER, "node.1.silicon.F3xD4"), "0x9");
    assert_string_equal(saved_fact(FOLDER, "node.0.silicon.F3xD4"), "");
    assert_lines_fit();
}

/* A long SMI during one of the delays does not change the measured rate. */
APP_TEST(tsc_rate)
{
    unsigned long undisturbed;

    fake_session.machine.tsc_khz = 0;
    (void)start("menu=no " SMALL);
    undisturbed = strtoul(saved_fact(FOLDER, "machine.tsc_khz"), NULL, 10);
    for (unsigned n = 1; n <= 5; n++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        fake_session.machine.tsc_khz = 0;
        fake_fw.smi_in_stall = n;
        (void)start("menu=no " SMALL);
        assert_int_equal(strtoul(saved_fact(FOLDER, "machine.tsc_khz"), NULL, 10), undisturbed);
    }
    assert_in_range(undisturbed, 1990000, 2010000);
    fixture_teardown(NULL);
    fixture_setup(NULL);
    (void)start("menu=no " SMALL);
    assert_int_equal(fake_fw.stalls, 0); /* the virtual PMU has told the rate */
}

/* The TSC is compared with P0's register: up to a percent is agreement. */
APP_TEST(tsc_against_p0)
{
    static const struct {
        uint64_t khz;
        bool agrees;
    } rows[] = {{3000000, true},  {2970000, true},  {3030000, true},
                {2969999, false}, {3030001, false}, {1500000, false}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture_teardown(NULL);
        fixture_setup(NULL);
        set_machine();
        fake_session.machine.tsc_told = fake_session.machine.tsc_invariant = rows[i].agrees;
        fake_session.machine.tsc_khz = rows[i].khz;
        assert_int_equal(start("menu=no " SMALL), 0);
        assert_int_equal(times_said("WARNING: the TSC counts at"), !rows[i].agrees);
        assert_lines_fit();
    }
    assert_says("WARNING: the TSC counts at 1500 MHz and P0 is 3000 MHz");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    set_machine();
    fake_session.machine.tsc_told = true;
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_shown("\nNote          CPUID 8000_0007h EDX[8] is clear: the TSC may change its rate, or\n"
                 "              stop, with power states. Times in ns use the rate that was\n"
                 "              measured at the start.\n");
    assert_int_equal(fact(FOLDER, "machine.tsc_invariant"), 0);
}

APP_TEST(apic_timer_rate)
{
    fake_session.apic_khz = 198100;
    assert_int_equal(start("menu=no config=tbp " SMALL), 0);
    assert_not_shown("NOTE: by the TSC");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_session.apic_khz = 400000;
    assert_int_equal(start("menu=no config=tbp " SMALL), 0);
    assert_says("NOTE: by the TSC the APIC's timer counts at 400000 kHz, but 200000 is expected");
}

/* The settings reach every core's session, and the report names the settings. */
APP_TEST(power)
{
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_false(fake_session.plan.place.power.pin);
    assert_int_equal(fake_session.plan.place.power.boost, POWER_BOOST_AS_IS);
    assert_not_shown("during the run");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    set_machine();
    set(silicon, SILICON_PSTATE_1, 0x8000000000000040);
    assert_false(fake_session.plan.place.usb_off);
    assert_not_shown("USB legacy");
    fake_session.machine.pstates = fake_session.machine.boost = true;
    fake_session.result.usb = (struct usb_legacy){.controllers = 5, .off = 6};
    assert_int_equal(start("menu=no usb_legacy=off " SMALL), 0);
    assert_true(fake_session.plan.place.usb_off);
    assert_shown("\nUSB legacy    SMIs off during the run: 6 registers of 5 controllers\n");
    fake_session.result.usb.unreached = 2;
    assert_int_equal(start("menu=no usb_legacy=off " SMALL), 0);
    assert_shown("\nUSB legacy    SMIs off during the run: 6 registers of 5 controllers, 2 not reached\n");
    fake_fw.cores = 2; /* only the boot core, even if it only leads: its session is the last */
    assert_int_equal(start("menu=no usb_legacy=off cores=1 " SMALL), 0);
    assert_true(fake_session.plan.place.usb_off);
    assert_int_equal(start("menu=no pstate=1 boost=off " SMALL), 0);
    assert_true(fake_session.plan.place.power.pin);
    assert_int_equal(fake_session.plan.place.power.pstate, 1);
    assert_int_equal(fake_session.plan.place.power.boost, POWER_BOOST_OFF);
    assert_int_equal(fake_session.plan.place.power.cppc, 0);
    assert_int_equal(start("menu=no cppc=166 " SMALL), 1);
    assert_says("there is no CPPC by MSRs, or firmware has not switched it on");
    fake_session.machine.silicon.state[SILICON_CPPC_ENABLE] = SILICON_READ;
    fake_session.machine.silicon.value[SILICON_CPPC_ENABLE] = 1;
    fake_session.machine.silicon.state[SILICON_CPPC_CAP1] = SILICON_READ;
    fake_session.machine.silicon.value[SILICON_CPPC_CAP1] = 0xA6743A14;
    assert_int_equal(start("menu=no cppc=166 " SMALL), 0);
    assert_int_equal(fake_session.plan.place.power.cppc, 166);
    assert_shown("\nCPPC          levels 20 to 166, nominal 116\n");
    assert_shown("\nCPPC          level 166 during the run\n");
    fake_session.machine.silicon.state[SILICON_CPPC_REQUEST] = SILICON_READ;
    fake_session.machine.silicon.value[SILICON_CPPC_REQUEST] = 0x80501EA0;
    assert_int_equal(start("menu=no " SMALL), 0);
    assert_false(fake_session.plan.place.power.erratum_721);
    assert_shown("; asked for: 30 to 160, desired 80\n");
    assert_int_equal(start("menu=no pstate=1 boost=off " SMALL), 0);
    assert_not_shown("Erratum 721 ");
    fake_session.machine.errata |= IBS_E_721;
    assert_int_equal(start("menu=no erratum_721=on " SMALL), 0);
    assert_true(fake_session.plan.place.power.erratum_721);
    assert_shown("\nErratum 721   DE_CFG[0] set during the run\n");
    assert_shown("\nP-state       1 during the run (800 MHz)\nBoost         off during the run\n");
    fixture_teardown(NULL);
    fixture_setup(NULL);
    fake_session.machine.pstates = false;
    assert_int_equal(start("menu=no pstate=1 " SMALL), 1);
    assert_says("these settings cannot run here: there are no P-states that this program can choose");
    assert_int_equal(fake_session.runs, 0);
}

static void set_no_l3(void)
{
    fake_session.machine.caches_told = true;
    fake_session.machine.l3_kb = 0;
}

/* If there is no L3, its events are refused by name, left out of 'all', and mentioned in an exploration. */
APP_TEST(no_l3)
{
    set_no_l3();
    assert_int_equal(start("menu=no config=count events=0C0,4E1 " SMALL), 1);
    assert_says("events: 4E1 L3_CACHE_MISSES: this processor has no L3 (CPUID 8000_0006h), the event would read 0");
    assert_not_shown("Running ");
    assert_int_equal(fake_session.runs, 0);
    fixture_teardown(NULL);
    fixture_setup(NULL);
    set_no_l3();
    assert_int_equal(start("menu=no config=count events=all:L3 " SMALL), 1);
    assert_says("events = all:L3: this processor has no L3 (CPUID 8000_0006h)");
    assert_int_equal(fake_session.runs, 0);
    fixture_teardown(NULL);
    fixture_setup(NULL);
    set_no_l3();
    (void)start("menu=no config=explore " SMALL);
    assert_shown("\nL3            none: lines that miss an L2 come from memory");
    assert_shown("L3 hits, est.                   no L3");
    assert_shown("4E0:F7         no L3");
    assert_non_null(strstr(file_text("\\ibsboot\\runs\\0001-tight-loop-explore\\counts.csv"),
                           "\n4e0,f7,0,READ_REQUEST_L3_CACHE,no L3,"));
    assert_int_equal(fact("0001-tight-loop-explore", "machine.l3_kb"), 0);
    for (unsigned i = 0; i < FAKE_PASSES; i++)
        if (fake_session.pass[i].pmc.mode)
            assert_null(strstr(group_text(&fake_session.pass[i], 0), "4e"));
    assert_shown("NOTE: 4E1:F7 L3 misses                       counts an L3, but there is none\n");
}

/* If there is an L3, or CPUID does not tell, the events are counted. */
APP_TEST(with_an_l3)
{
    fake_session.machine.caches_told = true;
    fake_session.machine.l3_kb = 6144;
    assert_int_equal(start("menu=no config=count events=4E1 " SMALL), 0);
    assert_not_shown("no L3");
    assert_int_equal(fact("0001-tight-loop-count", "machine.l3_kb"), 6144);
}

RUN_TESTS(fixture_load, NULL)
