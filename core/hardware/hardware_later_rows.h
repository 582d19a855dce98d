/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about additions of processors after Family 10h; core/hardware/hardware_rows.h says what the fields are.
 * Capabilities that a question needs: app/hardware/hardware_family.c. */
/* clang-format off */
HARDWARE(caps_of_row, 127, MACHINE,
         "Has CPUID 8000_001Bh EAX the bits that other machines of the family printed?",
         "all of them, and perhaps more",
         "CPUID against the family's row",
         "core/family/family_*.c caps_known",
         "`cpuid-silent`; a bit is clear")
HARDWARE(filter_bits_hold, 128, MACHINE,
         "Do the bits of filters hold: L3MissOnly of IbsFetchCtl [59] and IbsOpCtl [16], and with CPUID 8000_001Bh EAX[12] the load "
         "latency's [63:59]?",
         "yes (Linux arch/x86/include/asm/amd/ibs.h)",
         "ones are written with the enable bits clear, and read back",
         "drivers/pmu/ibs.c; vpmu/model/pmu/later.c OP_ZEN4, OP_ZEN5",
         "`lost-bits`; IbsOpCtl[16] does not hold")
HARDWARE(counts_of_27_bits, 129, MACHINE,
         "Have the op interval and its count 27 bits: IbsOpCtl [26:20] and [58:52]?",
         "yes, with CPUID 8000_001Bh EAX[6] (Linux asm/amd/ibs.h)",
         "ones are written with the enable bit clear, and read back",
         "core/family/ibs_regs.h IBS_OP_MAX_CNT_EXT, IBS_OP_CUR_CNT_EXT",
         "`lost-bits`, `curcnt-ignored`; bit 26 of the interval does not hold")
HARDWARE(op_data4_as_told, 130, MACHINE,
         "Is IbsOpData4 (C001_103D) there exactly where CPUID 8000_001Bh EAX[10] says so?",
         "yes: Zen to Zen 5 have none. The driver does not read it",
         "C001_103D is read",
         "core/family/family_*.c caps_ignored",
         "`cpuid-silent`; it is there, and CPUID does not say so")
HARDWARE(firmware_entry, 131, MACHINE,
         "Has firmware assigned IBS an entry of the extended local vector table that is there (C001_103A[8] valid, [3:0])?",
         "yes; without one a run is refused (Linux arch/x86/events/amd/ibs.c, \"IBS APIC setup failed\")",
         "C001_103A, and the number of entries in APIC 400h",
         "drivers/pmu/lvt.c use_firmware",
         "`lvt-none`; entry 4 of 4")
HARDWARE(firmware_entries_agree, 132, OTHERS,
         "Is C001_103A the same on all cores?",
         "yes: firmware sets it on each (Linux get_ibs_lvt_offset reads the calling core's)",
         "C001_103A of each core while it sampled",
         "drivers/pmu/lvt.c use_firmware: each core takes its own",
         "`entries-differ`; entry 2 on one core")
HARDWARE(counters_by_cpuid, 133, MACHINE,
         "How many core counters does CPUID 8000_0022h EBX[3:0] say?",
         "as many as the family's row (Linux arch/x86/events/amd/core.c, amd_core_pmu_init)",
         "CPUID against the family's row",
         "core/family/family_*.c PMC_EXTENDED",
         "`cpuid-silent`; CPUID says 4")
HARDWARE(each_counter_holds, 134, MACHINE,
         "Does each core counter hold 48 bits?",
         "yes",
         "each is written with ones and read",
         "core/family/pmc_regs.h PMC_COUNTER_BITS",
         "`lost-bits`; counter 3 loses bit 47")
HARDWARE(legacy_counters, 135, MACHINE,
         "Are C001_0004h to 0007h the first four counters of C001_0201h on?",
         "the same registers (AMD APM vol. 2 section 13.2.1; Linux uses the new numbers alone)",
         "each is written by its new number and read by the old one",
         "drivers/pmu/trial.c, which uses the old numbers; vpmu/model/pmu/regs.c",
         "`odd-reads`; C001_0007h reads otherwise")
HARDWARE(global_status, 136, MACHINE,
         "Version 2: is a counter's overflow a bit of C000_0300h, which a 1 in C000_0302h clears?",
         "yes (Linux arch/x86/events/amd/core.c, amd_pmu_v2_handle_irq)",
         "counter 0 is let overflow: its bit before, after, and once it was cleared",
         "drivers/pmu/pmc.c; vpmu/model/pmu/pmc_unit.c",
         "`global-deaf`; the bit stays")
HARDWARE(global_control, 137, MACHINE,
         "Version 2: does C000_0301h = 0 stop a counter whose own enable bit is set?",
         "yes (Linux amd_pmu_v2_disable_all); and it goes on with its bit set",
         "counter 0 counts clocks: what 10 us add with its bit there set, and clear",
         "drivers/pmu/pmc.c: the handler stops all by one write",
         "`global-deaf`; it counts with its bit clear")
HARDWARE(boost_bit_holds, 138, MACHINE,
         "Does HWCR[25] (CpbDis), by which `boost=off` holds the frequency, keep what is written?",
         "yes, where CPUID 8000_0007h EDX[9] has boost (Linux drivers/cpufreq/acpi-cpufreq.c, MSR_K7_HWCR_CPB_DIS)",
         "the bit is set, read, and put back",
         "drivers/machine/power.c",
         "`lost-bits`; the bit does not hold")
HARDWARE(tsc_invariant, 139, MACHINE,
         "Does CPUID 8000_0007h EDX[8] say that the TSC counts at one rate in all states of power?",
         "yes; else times in `perf.data` are no times (Linux arch/x86/kernel/cpu/amd.c)",
         "CPUID",
         "drivers/machine/machine.c; core/perfdata/perfdata.c",
         "`tsc-slow`; the bit is clear")
HARDWARE(l3_miss_only_ops, 140, MACHINE,
         "With L3MissOnly: is each op sample one that missed the L3?",
         "yes (AMD APM vol. 2 section 13.3.5)",
         "op samples of `pointer-chase` in memory, filtered: whose source is neither memory nor another node",
         "drivers/pmu/ibs.c; vpmu/model/pmu/later_ibs.c later_op_passes",
         "`sources-wrong`, `filters-leak`; a sample from the L3")
HARDWARE(l3_miss_only_fetches, 141, MACHINE,
         "With L3MissOnly: has each fetch sample IbsFetchL3Miss?",
         "yes (AMD APM vol. 2 section 13.3.5); a loop in the caches has next to none",
         "fetch samples of `alu-independent`, filtered, beside those that were not",
         "drivers/pmu/ibs.c; vpmu/model/pmu/later_ibs.c later_fetch_passes",
         "`filters-leak`; a sample without the bit")
HARDWARE(load_latency_passes, 142, MACHINE,
         "With a load latency of 128: has each sample a DcMissLat of more than 128 cycles?",
         "not all: Linux drops samples that passed all the same (arch/x86/events/amd/ibs.c, perf_ibs_handle_irq), as this program does; nine "
         "of ten",
         "op samples of `pointer-chase` in memory, filtered",
         "app/run/passes_cores.c drop_unmet",
         "`filters-leak`; four of 39 at 128 cycles")
HARDWARE(rip_invalid_share, 143, SUMMARY,
         "How many op samples have IbsRipInvalid?",
         "at most one of ten; their place is the interrupt's address (Linux arch/x86/events/amd/ibs.c)",
         "bit 38 of IbsOpData in every op sample",
         "core/family/family_*.c OP_DATA_RIP_VALID",
         "`rip-invalid`; four in 39")
HARDWARE(sources_known, 144, SUMMARY,
         "Has a load a source that the family's list does not have?",
         "none has",
         "IbsOpData2 in every op sample",
         "core/family/ibs_family_parts.h ZEN_SOURCES, ZEN4_SOURCES",
         "`odd-fields`; source 4 of Zen 4")
HARDWARE(l2_miss_of_source, 145, MACHINE,
         "IbsL2Miss (IbsOpData3[20]): set where the L3 or memory had the data?",
         "in each such sample (Linux arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl relies on the source alone)",
         "op samples of `pointer-chase` in the L3",
         "core/ibs/ibs_field.c IbsL2Miss",
         "`odd-fields`; a load from the L3 without the bit")
HARDWARE(refill_of_a_miss, 146, MACHINE,
         "IbsTlbRefillLat (IbsOpData3[63:48]): 0 where the L1 DTLB had the page, and else not?",
         "0 without IbsDcL1TlbMiss; some cycles with IbsDcL2TlbMiss",
         "op samples of `pointer-chase` with 4 KB pages",
         "core/ibs/ibs_field.c IbsTlbRefillLat",
         "`odd-fields`; cycles without a miss")
HARDWARE(itlb_refill, 147, MACHINE,
         "IbsItlbRefillLat (C001_103C[15:0]): 0 where the L1 ITLB had the page?",
         "yes; bits 63:16 are 0 (Linux asm/amd/ibs.h)",
         "completed fetch samples of `alu-independent`",
         "drivers/pmu/nmi.c; core/ibs/ibs_field.c IbsItlbRefillLat",
         "`odd-fields`; cycles without IbsL1TlbMiss")
HARDWARE(branch_targets, 148, MACHINE,
         "IbsBrTarget (C001_103B): in the workload's code for each of its branches?",
         "yes, or 0 for branches that were not taken (AMD APM vol. 2 section 13.3.3)",
         "op samples of `call-depth` with IbsOpBrnRet: targets outside of the page of the sample's address and its neighbours",
         "core/ibs/ibs_field.c; tools/ibsprof",
         "`odd-fields`; a target elsewhere")
HARDWARE(width_of_loads, 149, MACHINE,
         "IbsOpMemWidth (IbsOpData3[25:22]): is a load of 8 bytes 4?",
         "yes: 1 << (n - 1) bytes (AMD_IBS_Toolkit tools/ibs_decoder)",
         "op samples of `pointer-chase`, whose loads have 8 bytes",
         "core/family/ibs_regs.h IBS_DC_WIDTH",
         "`odd-fields`; a load of 4 bytes")
HARDWARE(page_size_field, 150, MACHINE,
         "IbsOpData3[5:4] from Zen 5 on: 0 for pages of 4 KB, 1 for 2 MB?",
         "yes, with CPUID 8000_001Bh EAX[19] (Linux' patches of 2025)",
         "op samples of `pointer-chase` with a physical address, with pages of 4 KB and of 2 MB",
         "core/family/ibs_regs.h IBS_DC_PAGE_SIZE",
         "`odd-fields`; 2 MB says 0")
HARDWARE(branch_records_off, 151, MACHINE,
         "Are branch records off (C000_010F[6]; Zen 3 [2])?",
         "yes; where they are on, somebody else uses them: `branches=yes` empties the records and puts the switch back",
         "C000_010F is read (Linux asm/msr-index.h, MSR_AMD_DBG_EXTN_CFG)",
         "drivers/pmu/branches.c",
         "`branch-records`")
/* clang-format on */
