/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers that the questions of config=hardware about other cores give for made-up measurements. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/app/hardware_made.h"

enum { CORES = 3, PASSES = 16 };

#define NODES(itself, list, table)                                                                                     \
    "; the first is on node " #itself " by its own register, " #list " by the list of cores, " #table                  \
    " by SRAT (-1: unknown)"

static struct hardware_core *answers;

/* Sets up three cores that have come back, on one node, on silicon, with all values as expected. */
static void begin_cores(void)
{
    fake_fw.cores = CORES;
    made_begin();
    answers = made->cores.core;
    made->model = false;
    made->cores = (struct hardware_cores){
        .done = true, .good = true, .passes = PASSES, .nb_cfg = 1, .f3x1cc = 1, .between = 20000000, .core = answers};
    for (unsigned i = 0; i < CORES; i++)
        answers[i] = (struct hardware_core){.first = {.known = true, .width = 400},
                                            .last = {.known = true, .width = 600},
                                            .control = 0x101,
                                            .samples = 30 + i,
                                            .off_entry = 0x10400,
                                            .off_tried = true,
                                            .ids_known = true,
                                            .apic_id = i,
                                            .cpuid_id = i,
                                            .state = {0x80010033, 0x668, 0x1F80, 0x37F}};
}

/* The clocks differ by 10 us, 20000 ticks, more than the exchange leaves uncertain. */
MADE(of_clocks)
{
    begin_cores();
    EXPECT(tsc_of_cores, SAME, "at most 0.0 us apart, measured to 0.2 us; 10 ms later 0.0 us more");
    answers[2].first.ahead = answers[2].last.ahead = -20200;
    EXPECT(tsc_of_cores, SAME, "at most 10.1 us apart, measured to 0.2 us; 10 ms later 0.0 us more");
    answers[2].first.ahead = answers[2].last.ahead = -20201;
    TURNED(tsc_of_cores, "20,201 ticks apart", "at most 10.1 us apart, measured to 0.2 us; 10 ms later 0.0 us more");
    answers[2].first.ahead = 0;
    answers[2].last.ahead = 20500;
    EXPECT(tsc_of_cores, SAME, "at most 0.0 us apart, measured to 0.2 us; 10 ms later 10.3 us more");
    answers[2].last.ahead = 20501;
    EXPECT(tsc_of_cores, OTHER, "at most 0.0 us apart, measured to 0.2 us; 10 ms later 10.3 us more");
    answers[1].last.known = false;
    EXPECT(tsc_of_cores, CANNOT, "core 1 had no answer from the boot core");
    begin_cores();
    made->model = true;
    answers[1].first.ahead = 4000;
    EXPECT(tsc_of_cores, CANNOT, "each core of a model has its own time while it is not stepped; 2.0 us apart");
}

MADE(of_nodes)
{
    begin_cores();
    EXPECT(node_of_core, CANNOT, "there is one node");
    made_machine->nodes.count = 2;
    answers[2].node = 1;
    answers[2].listed = answers[2].table = 1;
    answers[1].listed = answers[1].table = NODE_UNKNOWN;
    EXPECT(node_of_core, SAME, "0 of 2 other cores differ" NODES(0, -1, -1));
    answers[2].listed = 5; /* with an APIC ID that the firmware has raised */
    TURNED(node_of_core, "node 5 by the list of cores", "1 of 2 other cores differ" NODES(1, 5, 1));
    answers[2].listed = 1;
    answers[2].table = 0;
    EXPECT(node_of_core, OTHER, "1 of 2 other cores differ" NODES(1, 1, 0));
    made->cores.good = false;
    strcpy(made->cores.why, "as it is");
    EXPECT(node_of_core, CANNOT, "as it is");
    made->cores.good = true;
    made->cores.f3x1cc = 2;
    EXPECT(ibs_control_of_node, SAME,
           "C001_103A 101 on all cores; NB_CFG set 1 times, F3x1CC 2, on 2 nodes; at least 30 samples per core");
    made->cores.f3x1cc = 1;
    TURNED(ibs_control_of_node, "F3x1CC written on one of two nodes",
           "C001_103A 101 on all cores; NB_CFG set 1 times, F3x1CC 1, on 2 nodes; at least 30 samples per core");
    begin_cores();
    answers[2].control = 1;
    EXPECT(ibs_control_of_node, OTHER,
           "C001_103A 101, and another value on others; NB_CFG set 1 times, F3x1CC 1, on 1 node; at least 30 samples "
           "per core");
    begin_cores();
    answers[1].samples = 0;
    EXPECT(ibs_control_of_node, OTHER,
           "C001_103A 101 on all cores; NB_CFG set 1 times, F3x1CC 1, on 1 node; at least 0 samples per core");
    begin_cores();
    made->cores.nb_cfg = 2;
    EXPECT(ibs_control_of_node, OTHER,
           "C001_103A 101 on all cores; NB_CFG set 2 times, F3x1CC 1, on 1 node; at least 30 samples per core");
    made_machine->ibs = false;
    EXPECT(ibs_control_of_node, CANNOT, "there is no IBS");
}

/* After Family 10h each core's leaf is compared with the table. */
MADE(of_later_nodes)
{
    begin_cores();
    EXPECT(node_by_cpuid, SAME, "0 of 2 other cores differ; the first is on 0 by CPUID, on 0 by SRAT");
    answers[2].leaf = 3;
    TURNED(node_by_cpuid, "node 3 by CPUID alone",
           "1 of 2 other cores differ; the first is on 3 by CPUID, on 0 by SRAT");
    answers[2].table = 3;
    EXPECT(node_by_cpuid, SAME, "0 of 2 other cores differ; the first is on 0 by CPUID, on 0 by SRAT");
    answers[1].table = NODE_UNKNOWN;
    EXPECT(node_by_cpuid, CANNOT, "ACPI's SRAT names no node for the core");
    answers[1].leaf = NODE_UNKNOWN;
    EXPECT(node_by_cpuid, CANNOT, "CPUID has no leaf 8000_001E");
    made->cores.good = false;
    strcpy(made->cores.why, "as it is");
    EXPECT(node_by_cpuid, CANNOT, "as it is");
}

MADE(of_ids)
{
    begin_cores();
    EXPECT(apic_ids, SAME, "0 of 3 cores differ; APIC 20h and CPUID: boot core 0, 0, another 1, 1");
    answers[2].apic_id = 0x12;
    TURNED(apic_ids, "id 12h instead of 2", "1 of 3 cores differ; APIC 20h and CPUID: boot core 0, 0, another 12, 2");
    answers[0].cpuid_id = 0x10;
    EXPECT(apic_ids, OTHER, "2 of 3 cores differ; APIC 20h and CPUID: boot core 0, 10, another 12, 2");
    answers[0].ids_known = false;
    EXPECT(apic_ids, CANNOT, "the APIC's registers cannot be reached");
    made->cores.good = false;
    strcpy(made->cores.why, "as it is");
    EXPECT(apic_ids, CANNOT, "as it is");
}

MADE(of_firmware_entries)
{
    begin_cores();
    for (unsigned i = 0; i < 3; i++)
        answers[i].control = 0x101;
    EXPECT(firmware_entries_agree, SAME, "0 of 2 other cores differ: 101, boot core 101");
    answers[2].control = 0x102;
    TURNED(firmware_entries_agree, "entry 2 on one core", "1 of 2 other cores differ: 102, boot core 101");
    made->cores.good = false;
    strcpy(made->cores.why, "as it is");
    EXPECT(firmware_entries_agree, CANNOT, "as it is");
}

MADE(of_states)
{
    static const struct core_state others[] = {{0x80010033, 0x668, 0x1F80, 0x40},  {0x80010033, 0x668, 0x1FA0, 0x37F},
                                               {0x8001003B, 0x668, 0x1F80, 0x37F}, {0x80010037, 0x668, 0x1F80, 0x37F},
                                               {0x80010033, 0x468, 0x1F80, 0x37F}, {0x80010033, 0x268, 0x1F80, 0x37F}};

    begin_cores();
    EXPECT(state_of_cores, SAME, "0 of 2 other cores in another state; FCW 37f, MXCSR 1f80, CR0 80010033, CR4 668");
    for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char found[160];

        answers[2].state = others[i];
        snprintf(found, sizeof(found), "1 of 2 other cores in another state; FCW %x, MXCSR %x, CR0 %llx, CR4 %llx",
                 others[i].fcw, others[i].mxcsr, (unsigned long long)others[i].cr0, (unsigned long long)others[i].cr4);
        TURNED(state_of_cores, "each register differs on one core", found);
    }
    answers[0].svr_off = true; /* row 88 asks about the boot core's */
    EXPECT(svr_other_cores, SAME, "off on 0 of 2 other cores");
    answers[1].svr_off = true;
    TURNED(svr_other_cores, "off on one core", "off on 1 of 2 other cores");
    answers[0].off_tried = false;
    EXPECT(svr_off_masks, SAME, "510h stayed masked on 2 of 2 other cores; it read 10400");
    answers[1].off_entry = 0x400;
    TURNED(svr_off_masks, "an entry is no longer masked", "510h stayed masked on 1 of 2 other cores; it read 400");
    answers[2].off_tried = false;
    EXPECT(svr_off_masks, CANNOT, "the APIC's registers cannot be reached");
}

MADE(of_starts)
{
    begin_cores();
    EXPECT(start_this_ap, SAME, "0 of 2 other cores refused, with EFI_STATUS 0");
    EXPECT(own_start, CANNOT, "the firmware started the cores; core_start=own answers this");
    EXPECT(own_start_types, CANNOT, "the firmware started the cores; core_start=own answers this");
    answers[2].start = (struct firmware_start){.own = true, .status = 0x8000000000000003};
    TURNED(start_this_ap, "one core refused", "1 of 2 other cores refused, with EFI_STATUS 8000000000000003");
    EXPECT(own_start, SAME, "1 of 2 other cores");
    EXPECT(own_start_types, SAME, "0 of 2 other cores; on the first 0 registers were set, and 0 still differ");
    answers[2].start.set = 5;
    TURNED(own_start_types, "5 registers set on one core",
           "1 of 2 other cores; on the first 5 registers were set, and 0 still differ");
    answers[2].start = (struct firmware_start){.own = true, .wrong = 1};
    EXPECT(own_start_types, OTHER, "1 of 2 other cores; on the first 0 registers were set, and 1 still differ");
    answers[1].start = (struct firmware_start){.own = true};
    EXPECT(start_this_ap, CANNOT, "the firmware was not asked: it has no MP Services, or core_start=own");
    EXPECT(cores_come_back, SAME, "16 passes on each of 3 cores: all came back");
    made->cores.good = false;
    strcpy(made->cores.why, "pass 1, core 1: as it is");
    EXPECT(own_start, CANNOT, "pass 1, core 1: as it is");
    TURNED(cores_come_back, "a core that stays away", "pass 1, core 1: as it is");
    made->cores.silent = true;
    TURNED(own_start, "one core does not answer", "pass 1, core 1: as it is");
}
