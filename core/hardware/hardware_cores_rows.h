/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about several cores and nodes; core/hardware/hardware_rows.h says what the fields are. */
/* clang-format off */
HARDWARE(cores_come_back, 64, OTHERS,
         "Several cores by MP Services: are idle cores back in the firmware between passes, and are 32 KB of stack enough for "
         "a core's part?",
         "assumed; a core that does not come back is named",
         "16 passes on all cores, each of which must come back",
         "efi/cores.c; app/run/passes_cores.c",
         "`lvt-none`; a core that stays away")
HARDWARE(tsc_of_cores, 65, OTHERS,
         "Do the TSCs of all cores run at the same rate from the same start?",
         "they differ by at most 10 us, and not by more later: perf.data puts all cores on one time line (our choice)",
         "each core asks the boot core for its TSC 32 times, in an early pass and in the last one; the shortest exchange "
         "counts",
         "core/perfdata/perfdata.c: one time line",
         "`tsc-apart`; 20,201 ticks apart")
HARDWARE(node_of_core, 66, OTHERS,
         "Does a core report the node that the firmware's list of cores and ACPI's SRAT give it? It reads MSR C001_100C[2:0] "
         "where CPUID 8000_0001 ECX[19] is set (two nodes in a package), and its APIC id in CPUID elsewhere",
         "all agree where there are several nodes; Linux reads the MSR (arch/x86/kernel/cpu/amd.c) and the table "
         "(arch/x86/mm/srat.c)",
         "on each core: the node that it reads, the node of its id in the firmware's list, and the node of its id (APIC 20h) "
         "in SRAT",
         "drivers/machine/nodes.c nodes_own, nodes_of_core; app/cores/cores.c",
         "node 5 by the list of cores")
HARDWARE(node_by_cpuid, 121, OTHERS,
         "From Family 17h on: do ACPI's domains (SRAT) and the nodes of CPUID 8000_001E ECX[7:0] divide the cores alike?",
         "yes; the program uses the table where there is one, and CPUID elsewhere",
         "on each core: CPUID's node, and the node of its id (APIC 20h) in SRAT",
         "drivers/machine/nodes.c nodes_take; core/platform/srat.c",
         "node 3 by CPUID alone")
HARDWARE(apic_ids, 125, OTHERS,
         "Does each core's APIC (20h) have the id that CPUID has, or has firmware raised some ids (coreboot LIFT_BSP_APIC_ID, "
         "APIC_ID_OFFSET; Linux arch/x86/mm/amdtopology.c allows for it)?",
         "they are equal: nodes are found by CPUID's ids, and other cores are started by the APIC's",
         "both ids on each core",
         "drivers/machine/nodes.c; app/cores/cores.c; drivers/cores/startup.c",
         "`boot-id`; id 12h instead of 2")
HARDWARE(ibs_control_of_node, 67, OTHERS,
         "Does C001_103A on a core show F3x1CC of its own node? NB_CFG is changed on the boot core's node only, which should "
         "make F3x1CC of all nodes accessible",
         "yes; each core sets up IBS by its own C001_103A",
         "op sampling on all cores at once: samples from every core, the same C001_103A, and in the restore logs NB_CFG once, "
         "and F3x1CC once for each node",
         "drivers/pmu/lvt.c lvt_join",
         "F3x1CC written on one of two nodes")
HARDWARE(state_of_cores, 89, OTHERS,
         "In which state does the firmware start other cores (FCW, MXCSR, CR0, CR4)?",
         "as a program begins (037Fh, 1F80h, EM and TS clear, OSFXSR and OSXMMEXCPT set), which UEFI specification 2.3.4 "
         "promises for the boot core alone; they are set for each run, and restored",
         "each core's registers, before a session sets them",
         "drivers/cores/core_state.c",
         "`bare-core`; each register differs on one core")
HARDWARE(start_this_ap, 94, OTHERS,
         "Does StartupThisAP start a core after ReadyToBoot?",
         "yes; if it returns EFI_UNSUPPORTED, the program starts the core itself, and reports both",
         "each core is started by it; the answer of MP Services",
         "efi/cores.c; app/cores/core_start.c",
         "`mp-refuses`; one core refused")
HARDWARE(svr_other_cores, 110, OTHERS,
         "Is the local APIC on by software (0F0h bit 8) on the other cores?",
         "the firmware has switched it on, else the program does (EDK II sets cores up again after INIT)",
         "APIC 0F0h of each core, from a row of its restore log",
         "drivers/cores/core_state.c",
         "`svr-off`; off on one core")
HARDWARE(own_start, 115, OTHERS,
         "Do other cores start by INIT, 10 ms, STARTUP, 200 us, STARTUP, at a page below 640 KB (AMD APM vol. 2 section 16.5; "
         "MultiProcessor Specification 1.4, B.4)?",
         "yes; a core that does not answer within half a second is named, and gets INIT again",
         "with `core_start=own`, or where MP Services start no core: the cores that were started this way",
         "drivers/cores/startup.c; drivers/cores/trampoline.S",
         "one core does not answer")
HARDWARE(own_start_types, 116, OTHERS,
         "Does a core that this program starts have the boot core's MTRRs, PAT, SYSCFG, IORRs and tops of memory? INIT keeps "
         "them, and firmware has set them on every core (AMD APM vol. 2 sections 7.7.5 and 14.1.3)",
         "yes; what differs is set, once, and stays",
         "on cores that this program started: registers that were set (0), and registers that still differ (0)",
         "drivers/cpu/memory_types.c",
         "5 registers set on one core")
HARDWARE(own_start_end, 117, CORES,
         "After the program has ended: does firmware whose idle cores wait in MWAIT or in a loop, not in HLT, get back cores "
         "that were started by INIT and STARTUP?",
         "not assumed: the program says to reset the machine",
         "`cores=all core_start=own`, then an operating system from the boot menu without a reset; all its cores are up",
         "app/cores/core_start.c core_start_end",
         "")
HARDWARE(svr_off_masks, 119, OTHERS,
         "While a local APIC is off by software (0F0h bit 8 clear): do the extended entries of its local vector table stay "
         "masked, whatever is written to them?",
         "yes (AMD APM vol. 2 section 16.4.6)",
         "on each core except the boot core: 510h is written as an unmasked NMI while the APIC is off, and read",
         "drivers/cores/core_state.c; vpmu/model/pmu/local_apic.c apic_lvt_value",
         "`off-opens`; an entry is no longer masked")
/* clang-format on */
