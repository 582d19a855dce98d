/* SPDX-License-Identifier: BSD-2-Clause */
/* Passes of config=hardware on all cores, with made-up cores. hardware_of_cores.c has the answers. */
#include <stdio.h>
#include <string.h>

#include "app/hardware/hardware.h"
#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/pci.h"
#include "tests/unit/app/fake_memory.h"
#include "tests/unit/app/fake_trial.h"
#include "tests/unit/app/fixture.h"
#include "tests/unit/drivers/fake_cpu.h"

#define HARDWARE_RUN "menu=no config=hardware "
#define SAVED        "\\ibsboot\\runs\\0001-hardware\\hardware.csv"

enum { CORES = 3, PASSES = 16 };

static void has(const char *id, const char *rest)
{
    char row[200];

    snprintf(row, sizeof(row), ",%s,%s", id, rest);
    if (!strstr(file_text(SAVED), row))
        fail_msg("no '%s' in\n%s", row, file_text(SAVED));
}

/* Checks that the page has such a row: the value found, the value expected, and what another answer changes. */
static void assert_paged(const char *id, const char *found)
{
    for (unsigned i = 0; i < HARDWARE_ROWS; i++) {
        const struct hardware_row *row = &hardware_rows[i];
        char text[2000];

        if (strcmp(row->id, id))
            continue;
        snprintf(text, sizeof(text), "\n%3u %-22s %s\n    expected: %s\n    another answer changes: %s\n", row->number,
                 id, found, row->expected, row->changes);
        assert_says(text);
        return;
    }
    fail_msg("no question %s", id);
}

static unsigned of_core[FAKE_CORES];

static int run_hardware(const char *options, unsigned cores_there)
{
    fake_fw.cores = cores_there;
    fake_session.endless_ms = 1; /* the limit of row 68 */
    fake_session.op_samples = 300;
    return start(options);
}

static void count_sessions(const struct session_plan *plan)
{
    of_core[plan->place.cpu] += plan->place.gang != NULL;
}

/* Without 'cores' all cores are asked; with it, the cores that it names. */
APP_TEST(all_cores_are_asked)
{
    memset(of_core, 0, sizeof(of_core));
    fake_session.on_run = count_sessions;
    assert_int_equal(run_hardware(HARDWARE_RUN, CORES), 0);
    assert_lines_fit();
    for (unsigned core = 0; core < CORES; core++)
        assert_int_equal(of_core[core], PASSES);
    has("cores_come_back", "as expected,16 passes on each of 3 cores: all came back,");
    has("start_this_ap", "as expected,\"0 of 2 other cores refused, with EFI_STATUS 0\",");
    has("svr_other_cores", "as expected,off on 0 of 2 other cores,");
    has("tsc_of_cores",
        "not answerable,core 1 had no answer from the boot core,"); /* the fake's cores run one after the other */
    has("node_of_core", "not answerable,there is one node,");
    has("own_start", "not answerable,the firmware started the cores; core_start=own answers this,");
    has("own_start_end", "by hand,needs runs with cores=all,");
    memset(of_core, 0, sizeof(of_core));
    assert_int_equal(run_hardware(HARDWARE_RUN "cores=0,2", CORES), 0);
    assert_int_equal(of_core[0], PASSES);
    assert_int_equal(of_core[1], 0);
    assert_int_equal(of_core[2], PASSES);
}

/* Tells the status that the firmware returned for cores that work nevertheless. */
APP_TEST(a_status_of_the_start)
{
    fake_fw.status = 5;
    (void)run_hardware(HARDWARE_RUN, CORES);
    has("start_this_ap", "otherwise,\"2 of 2 other cores refused, with EFI_STATUS 5\",");
    assert_paged("start_this_ap", "2 of 2 other cores refused, with EFI_STATUS 5");
}

APP_TEST(one_core_has_no_others)
{
    assert_int_equal(run_hardware(HARDWARE_RUN, 0), 0);
    has("cores_come_back", "not answerable,\"there is one core, or 'cores' names only one\",");
    has("svr_off_masks", "not answerable,\"there is one core, or 'cores' names only one\",");
}

APP_TEST(the_boot_core_is_left_out)
{
    assert_int_equal(run_hardware(HARDWARE_RUN "cores=1", CORES), 0);
    has("cores_come_back", "not answerable,'cores' leaves the boot core out,");
}

/* The missing core is named, no further pass begins, and all other questions have their answers. */
APP_TEST(a_core_that_stays_away)
{
    fake_fw.dead = 1 << 2;
    memset(of_core, 0, sizeof(of_core));
    fake_session.on_run = count_sessions;
    assert_int_equal(run_hardware(HARDWARE_RUN, CORES), 1);
    assert_int_equal(of_core[1], 1);
    has("cores_come_back", "otherwise,\"pass 1, core 2: it never began\",");
    has("state_of_cores", "not answerable,\"pass 1, core 2: it never began\",");
    has("own_start", "not answerable,\"pass 1, core 2: it never began\",");
    has("late_nmi", "as expected,");
    assert_says("LOST: core 2");
    fake_memory_give_all();
}

APP_TEST(an_error_of_a_core)
{
    fake_session.core[1].error = SESSION_NO_FREE_LVT;
    assert_int_equal(run_hardware(HARDWARE_RUN, CORES), 1);
    has("cores_come_back", "otherwise,\"pass 1, core 1: ");
}

/* Four cores are on two nodes, by their own registers and by the firmware's list; ACPI's table has their id on another
 * node. */
APP_TEST(nodes_and_ids)
{
    static const struct srat srat = {.nodes = 2,
                                     .cores = 5,
                                     .core = {{.apic_id = 0},
                                              {.apic_id = 1},
                                              {.apic_id = 2, .node = 1},
                                              {.apic_id = 3, .node = 1},
                                              {.apic_id = 5, .node = 1}}};

    set_two_nodes();
    fake.apic[APIC_ID / 16] = 5u << 24; /* on each core */
    fake_set_leaf(1, 0, 3u << 24, 0, 0);
    assert_int_equal(run_hardware(HARDWARE_RUN, 4), 0);
    has("node_of_core",
        "as expected,\"0 of 3 other cores differ; the first is on node 0 by its own register, 0 by the list of "
        "cores, -1 by SRAT (-1: unknown)\",");
    has("apic_ids", "not answerable,the APIC's registers cannot be reached,");
    has("node_by_cpuid", "not answerable,CPUID has no leaf 8000_001E,");
    assert_int_equal(fixture_teardown(state), 0);
    assert_int_equal(fixture_setup(state), 0);
    set_two_nodes();
    fake.apic[APIC_ID / 16] = 5u << 24;
    fake_set_leaf(1, 0, 3u << 24, 0, 0);
    fake_set_leaf(0x8000001E, 0, 0, 0x203, 0);
    fake_session.machine.max_extended_leaf = 0x8000001E;
    fake_session.machine.extended_ecx = 1 << 22;
    fake_session.machine.apic_msr = FAKE_APIC | 0x900;
    fake_session.machine.nodes.srat = &srat;
    fake_trial.apic_off = true;
    fake_trial.apic_off_entry = 0x10400;
    assert_int_equal(run_hardware(HARDWARE_RUN, 4), 0);
    has("node_of_core",
        "otherwise,\"1 of 3 other cores differ; the first is on node 0 by its own register, 0 by the list of "
        "cores, 1 by SRAT (-1: unknown)\",");
    has("apic_ids", "otherwise,\"4 of 4 cores differ; APIC 20h and CPUID: boot core 5, 3, another 5, 3\",");
    has("node_by_cpuid", "otherwise,\"3 of 3 other cores differ; the first is on 3 by CPUID, on 1 by SRAT\",");
    has("svr_off_masks", "as expected,510h stayed masked on 3 of 3 other cores; it read 10400,");
}

/* Restores are logged for each core: the northbridge's register by the boot core, the APIC's by each core. */
APP_TEST(what_cores_write)
{
    static const struct {
        enum restore_kind kind;
        uint64_t address;
        unsigned first, last; /* cores */
    } rows[] = {{RESTORE_MSR, MSR_NB_CFG, 0, 0},
                {RESTORE_PCI, PCI_IBS_CONTROL, 0, 0},
                {RESTORE_MMIO, FAKE_APIC + APIC_SPURIOUS, 0, 1},
                /* and registers that belong to neither */
                {RESTORE_PCI, MSR_NB_CFG, 0, 2},
                {RESTORE_MSR, PCI_IBS_CONTROL, 0, 2},
                {RESTORE_MSR, APIC_SPURIOUS, 0, 2},
                {RESTORE_MMIO, FAKE_APIC + APIC_SPURIOUS + 16, 0, 2}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (unsigned core = rows[i].first; core <= rows[i].last; core++) {
            struct restore_log *log = &fake_session.core[core].restore;

            log->row[log->count++] = (struct restore_row){
                .what = "made", .kind = rows[i].kind, .address = (uint32_t)rows[i].address, .undone = true, .ok = true};
        }
    (void)run_hardware(HARDWARE_RUN, CORES);
    has("ibs_control_of_node",
        "as expected,\"C001_103A 0 on all cores; NB_CFG set 1 times, F3x1CC 1, on 1 node; at least 300 samples");
    has("svr_other_cores", "otherwise,off on 1 of 2 other cores,");
}

RUN_TESTS(fixture_load, NULL)
