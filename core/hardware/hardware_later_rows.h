/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions about additions of processors after Family 10h; core/hardware/hardware_rows.h says what the fields are.
 * Capabilities that a question needs: app/hardware/hardware_family.c. */
/* clang-format off */
HARDWARE(caps_of_row, 127, MACHINE,
         "Does CPUID 8000_001Bh EAX have the bits that other machines of the family reported?",
         "all of them, and perhaps more",
         "CPUID, compared with the family's row",
         "core/family/family_*.c caps_known",
         "`cpuid-silent`; a bit is clear")
HARDWARE(filter_bits_hold, 128, MACHINE,
         "Do the bits of filters hold: L3MissOnly of IbsFetchCtl [59] and IbsOpCtl [16], and with CPUID 8000_001Bh EAX[12] "
         "bits [63:59] of the load latency?",
         "yes (Linux arch/x86/include/asm/amd/ibs.h)",
         "ones are written with the enable bits clear, and read back",
         "drivers/pmu/ibs.c; vpmu/model/pmu/later.c OP_ZEN4, OP_ZEN5",
         "`lost-bits`; IbsOpCtl[16] does not hold")
HARDWARE(counts_of_27_bits, 129, MACHINE,
         "Do the op interval and its count have 27 bits: IbsOpCtl [26:20] and [58:52]?",
         "yes, with CPUID 8000_001Bh EAX[6] (Linux asm/amd/ibs.h)",
         "ones are written with the enable bit clear, and read back",
         "core/family/ibs_regs.h IBS_OP_MAX_CNT_EXT, IBS_OP_CUR_CNT_EXT",
         "`lost-bits`, `curcnt-ignored`; bit 26 of the interval does not hold")
HARDWARE(op_data4_as_told, 130, MACHINE,
         "Does IbsOpData4 (C001_103D) exist exactly where CPUID 8000_001Bh EAX[10] says so?",
         "yes: Zen to Zen 5 do not have it. The driver does not read it",
         "C001_103D is read",
         "core/family/family_*.c caps_ignored",
         "`cpuid-silent`; it exists, but CPUID does not say so")
HARDWARE(firmware_entry, 131, MACHINE,
         "Has firmware assigned IBS an existing entry of the extended local vector table (C001_103A[8] valid, [3:0])?",
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
         "How many core counters does CPUID 8000_0022h EBX[3:0] report?",
         "as many as the family's row (Linux arch/x86/events/amd/core.c, amd_core_pmu_init)",
         "CPUID, compared with the family's row",
         "core/family/family_*.c PMC_EXTENDED",
         "`cpuid-silent`; CPUID says 4")
HARDWARE(each_counter_holds, 134, MACHINE,
         "Does each core counter hold 48 bits?",
         "yes",
         "each is written with ones and read",
         "core/family/pmc_regs.h PMC_COUNTER_BITS",
         "`lost-bits`; counter 3 loses bit 47")
HARDWARE(legacy_counters, 135, MACHINE,
         "Are C001_0004h to 0007h the first four of the counters that begin at C001_0201h?",
         "yes, the same registers (AMD APM vol. 2 section 13.2.1; Linux uses the new numbers alone)",
         "each is written by its new number and read by the old one",
         "drivers/pmu/trial.c, which uses the old numbers; vpmu/model/pmu/regs.c",
         "`odd-reads`; C001_0007h reads something else")
HARDWARE(global_status, 136, MACHINE,
         "Version 2: does a counter's overflow set a bit of C000_0300h, and does a 1 in C000_0302h clear it?",
         "yes (Linux arch/x86/events/amd/core.c, amd_pmu_v2_handle_irq)",
         "counter 0 overflows: its bit before, after, and after it was cleared",
         "drivers/pmu/pmc.c; vpmu/model/pmu/pmc_unit.c",
         "`global-deaf`; the bit stays")
HARDWARE(global_control, 137, MACHINE,
         "Version 2: does C000_0301h = 0 stop a counter whose own enable bit is set?",
         "yes (Linux amd_pmu_v2_disable_all); and the counter continues when its bit is set",
         "counter 0 counts clocks: how many 10 us add with its bit in C000_0301h set, and clear",
         "drivers/pmu/pmc.c: the handler stops all by one write",
         "`global-deaf`; it counts with its bit clear")
HARDWARE(boost_bit_holds, 138, MACHINE,
         "Does HWCR[25] (CpbDis), by which `boost=off` turns boost off, keep what is written?",
         "yes, where CPUID 8000_0007h EDX[9] reports boost (Linux drivers/cpufreq/acpi-cpufreq.c, MSR_K7_HWCR_CPB_DIS)",
         "the bit is set, read, and restored",
         "drivers/machine/power.c",
         "`lost-bits`; the bit does not hold")
HARDWARE(tsc_invariant, 139, MACHINE,
         "Does CPUID 8000_0007h EDX[8] say that the TSC counts at one rate in all power states?",
         "yes; if not, times in `perf.data` are wrong (Linux arch/x86/kernel/cpu/amd.c)",
         "CPUID",
         "drivers/machine/machine.c; core/perfdata/perfdata.c",
         "`tsc-slow`; the bit is clear")
HARDWARE(l3_miss_only_ops, 140, MACHINE,
         "With L3MissOnly: did each sampled op miss the L3?",
         "yes (AMD APM vol. 2 section 13.3.5)",
         "op samples of `pointer-chase` in memory, filtered: how many have a source other than memory and another node",
         "drivers/pmu/ibs.c; vpmu/model/pmu/later_ibs.c later_op_passes",
         "`sources-wrong`, `filters-leak`; a sample from the L3")
HARDWARE(l3_miss_only_fetches, 141, MACHINE,
         "With L3MissOnly: does each fetch sample have IbsFetchL3Miss set?",
         "yes (AMD APM vol. 2 section 13.3.5); a loop in the caches has hardly any samples",
         "fetch samples of `alu-independent`, with and without the filter",
         "drivers/pmu/ibs.c; vpmu/model/pmu/later_ibs.c later_fetch_passes",
         "`filters-leak`; a sample with the bit clear")
HARDWARE(load_latency_passes, 142, MACHINE,
         "With a load latency of 128: does each sample have a DcMissLat of more than 128 cycles?",
         "nine in ten samples do: Linux drops samples that the filter wrongly lets pass (arch/x86/events/amd/ibs.c, "
         "perf_ibs_handle_irq), and so does this program",
         "op samples of `pointer-chase` in memory, filtered",
         "app/run/passes_cores.c drop_unmet",
         "`filters-leak`; four of 39 at 128 cycles")
HARDWARE(rip_invalid_share, 143, SUMMARY,
         "How many op samples have IbsRipInvalid set?",
         "at most one in ten; such a sample gets the interrupt's address (Linux arch/x86/events/amd/ibs.c)",
         "bit 38 of IbsOpData in every op sample",
         "core/family/family_*.c OP_DATA_RIP_VALID",
         "`rip-invalid`; four in 39")
HARDWARE(sources_known, 144, SUMMARY,
         "Does any load have a source that is not in the family's list?",
         "no",
         "IbsOpData2 in every op sample",
         "core/family/ibs_family_parts.h ZEN_SOURCES, ZEN4_SOURCES",
         "`odd-fields`; source 4 of Zen 4")
HARDWARE(l2_miss_of_source, 145, MACHINE,
         "Is IbsL2Miss (IbsOpData3[20]) set where the L3 or memory had the data?",
         "yes, in each of these samples (Linux arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl relies on the source alone)",
         "op samples of `pointer-chase` in the L3",
         "core/ibs/ibs_field.c IbsL2Miss",
         "`odd-fields`; a load from the L3 without the bit")
HARDWARE(refill_of_a_miss, 146, MACHINE,
         "Is IbsTlbRefillLat (IbsOpData3[63:48]) 0 exactly where the L1 DTLB had the page?",
         "0 without IbsDcL1TlbMiss; some cycles with IbsDcL2TlbMiss",
         "op samples of `pointer-chase` with 4 KB pages",
         "core/ibs/ibs_field.c IbsTlbRefillLat",
         "`odd-fields`; cycles without a miss")
HARDWARE(itlb_refill, 147, MACHINE,
         "Is IbsItlbRefillLat (C001_103C[15:0]) 0 where the L1 ITLB had the page?",
         "yes; bits 63:16 are 0 (Linux asm/amd/ibs.h)",
         "completed fetch samples of `alu-independent`",
         "drivers/pmu/nmi.c; core/ibs/ibs_field.c IbsItlbRefillLat",
         "`odd-fields`; cycles without IbsL1TlbMiss")
HARDWARE(branch_targets, 148, MACHINE,
         "Is IbsBrTarget (C001_103B) in the workload's code for each of its branches?",
         "yes, or 0 for branches that were not taken (AMD APM vol. 2 section 13.3.3)",
         "op samples of `call-depth` with IbsOpBrnRet: targets outside of the page of the sample's address and its neighbours",
         "core/ibs/ibs_field.c; tools/ibsprof",
         "`odd-fields`; a target elsewhere")
HARDWARE(width_of_loads, 149, MACHINE,
         "Is IbsOpMemWidth (IbsOpData3[25:22]) 4 for a load of 8 bytes?",
         "yes: 1 << (n - 1) bytes (AMD_IBS_Toolkit tools/ibs_decoder)",
         "op samples of `pointer-chase`, whose loads have 8 bytes",
         "core/family/ibs_regs.h IBS_DC_WIDTH",
         "`odd-fields`; a load reads 4 bytes")
HARDWARE(page_size_field, 150, MACHINE,
         "Is IbsOpData3[5:4] from Zen 5 on 0 for pages of 4 KB, and 1 for 2 MB?",
         "yes, with CPUID 8000_001Bh EAX[19] (Linux' patches of 2025)",
         "op samples of `pointer-chase` with a physical address, with pages of 4 KB and of 2 MB",
         "core/family/ibs_regs.h IBS_DC_PAGE_SIZE",
         "`odd-fields`; a page of 2 MB has 0")
HARDWARE(branch_records_off, 151, MACHINE,
         "Are branch records off (C000_010F[6]; Zen 3 [2])?",
         "yes; where they are on, other software uses them: `branches=yes` empties the records and restores the switch",
         "C000_010F is read (Linux asm/msr-index.h, MSR_AMD_DBG_EXTN_CFG)",
         "drivers/pmu/branches.c",
         "`branch-records`")
/* clang-format on */
