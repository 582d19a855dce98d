/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions to a Zen: do the fields of its samples agree with each other. core/hardware/hardware_rows.h says what the
 * columns are. The fields' meaning is that of AMD APM vol. 2 sections 13.3.3 and 13.3.5. */
/* clang-format off */
HARDWARE(counts_in_order, 152, SUMMARY,
         "Is IbsCompToRetCtr (IbsOpData[15:0]) at most IbsTagToRetCtr ([31:16])?",
         "yes, in each op sample: an op completes after it was tagged",
         "both counts in every op sample",
         "core/ibs/derived_rows.h; tools/ibsprof, which subtracts them",
         "`odd-fields`; completed 3 cycles and tagged 2 cycles before it retired")
HARDWARE(branch_bits_of_branches, 153, SUMMARY,
         "Are IbsOpData[36:34] (mispredicted, taken, return) clear without IbsOpBrnRet?",
         "yes; they are not read if it is clear",
         "every op sample with one of the bits",
         "core/ibs/ibs_field.c; core/ibs/derived_rows.h",
         "`odd-fields`; taken, but not a branch")
HARDWARE(returns_are_taken, 154, SUMMARY,
         "Is each return (IbsOpReturn) a taken branch?",
         "yes",
         "IbsOpBrnTaken in every op sample with IbsOpReturn",
         "core/ibs/derived_rows.h",
         "`odd-fields`; a return that was not taken")
HARDWARE(targets_of_taken, 155, SUMMARY,
         "Does each taken branch have a target in IbsBrTarget (C001_103B)?",
         "yes",
         "every op sample with IbsOpBrnRet and IbsOpBrnTaken",
         "tools/ibsprof: edges of taken branches",
         "`odd-fields`; a taken branch to 0")
HARDWARE(linear_of_physical, 156, SUMMARY,
         "Is the linear address of data valid wherever the physical one is (IbsOpData3[17, 18])?",
         "yes (Linux arch/x86/events/amd/ibs.c looks at each bit alone)",
         "every op sample with IbsDcPhyAddrValid",
         "core/perfdata/perfdata_mem.c",
         "`odd-fields`; bit 18 set alone")
HARDWARE(accesses_have_addresses, 157, SUMMARY,
         "Does each load and store have a linear address (IbsDcLinAddrValid)?",
         "yes",
         "every op sample with IbsLdOp or IbsStOp",
         "core/perfdata/perfdata_mem.c",
         "`odd-fields`; a load without an address")
HARDWARE(addresses_of_accesses, 158, SUMMARY,
         "Do only loads and stores have an address (IbsDcLinAddrValid)?",
         "yes",
         "every op sample with IbsDcLinAddrValid",
         "core/perfdata/perfdata_mem.c",
         "`odd-fields`; an op with an address that is neither load nor store")
HARDWARE(offsets_of_data, 159, SUMMARY,
         "Are bits 11:0 of IbsDcLinAd and IbsDcPhysAd the same?",
         "yes: no page is smaller than 4 KB",
         "every op sample with both addresses",
         "drivers/pmu/nmi.c; core/perfdata/perfdata_mem.c",
         "`odd-fields`; physical 1001h, linear 2000h")
HARDWARE(offsets_of_code, 160, SUMMARY,
         "Are bits 11:0 of IbsFetchLinAd and IbsFetchPhysAd the same?",
         "yes: no page is smaller than 4 KB",
         "every fetch sample with IbsPhyAddrValid",
         "drivers/pmu/nmi.c",
         "`odd-fields`; physical 1001h, linear 2000h")
HARDWARE(fetches_have_addresses, 161, SUMMARY,
         "Does each completed fetch have a physical address (IbsPhyAddrValid)?",
         "yes",
         "every fetch sample with IbsFetchComp",
         "core/family/ibs_regs.h IBS_FETCH_REACHED",
         "`odd-fields`; a completed fetch with bit 52 clear")
HARDWARE(walks_miss_first, 162, SUMMARY,
         "Is IbsDcL2TlbMiss set only with IbsDcL1TlbMiss (IbsOpData3[3, 2])?",
         "yes",
         "every op sample with IbsDcL2TlbMiss",
         "core/ibs/derived_rows.h",
         "`odd-fields`; a miss of the second level only")
HARDWARE(l2_misses_miss_first, 163, SUMMARY,
         "Is IbsL2Miss set only with IbsDcMiss (IbsOpData3[20, 7])?",
         "yes, except in samples that errata of Zen 3 make wrong",
         "every op sample with IbsL2Miss",
         "core/perfdata/perfdata_mem.c",
         "`odd-fields`; a miss of the L2 only")
HARDWARE(latency_of_hits, 164, SUMMARY,
         "Is IbsDcMissLat (IbsOpData3[47:32]) 0 for loads that hit the L1?",
         "yes",
         "every op sample with IbsLdOp and without IbsDcMiss",
         "core/ibs/derived_rows.h",
         "`odd-fields`; one cycle for a hit")
HARDWARE(source_of_l3, 165, MACHINE,
         "Do loads of `pointer-chase` in the L3 come from the L3, by IbsOpData2?",
         "nine in ten; before Zen 4 this value means L3 or another core's cache",
         "op samples of `pointer-chase` over 4 MB: loads with a source",
         "core/family/ibs_family_parts.h ZEN_SOURCES, ZEN4_SOURCES",
         "`sources-wrong`, `no-l3`; four of 31 from memory")
HARDWARE(source_of_memory, 166, MACHINE,
         "Do loads of `pointer-chase` over more than the L3 come from memory, by IbsOpData2?",
         "at least three in ten: the L3 still holds a part",
         "op samples of loads with a source",
         "core/family/ibs_family_parts.h ZEN_SOURCES, ZEN4_SOURCES",
         "`sources-wrong`; 22 of 31 from the L3")
HARDWARE(latencies_rise, 167, MACHINE,
         "Do means of IbsDcMissLat, by the load's source, rise from the L2 to the L3 to memory?",
         "yes; their length is not specified",
         "op samples of `pointer-chase` with 256 KB, 4 MB, and twice the L3",
         "core/ibs/derived_rows.h",
         "`sources-wrong`; the L3 is as slow as memory")
HARDWARE(fetch_extd_as_told, 168, MACHINE,
         "Does IbsFetchCtlExtd (C001_103C) exist exactly where CPUID 8000_001Bh EAX[9] says so?",
         "yes (Linux arch/x86/events/amd/ibs.c, IBS_CAPS_FETCHCTLEXTD)",
         "C001_103C is read",
         "drivers/pmu/nmi.c reads it in each fetch sample",
         "`cpuid-silent`; EAX says that it exists, but it raises an exception")
HARDWARE(branch_target_as_told, 169, MACHINE,
         "Does IbsBrTarget (C001_103B) exist exactly where CPUID 8000_001Bh EAX[5] says so?",
         "yes (Linux arch/x86/events/amd/ibs.c, IBS_CAPS_BRNTRGT)",
         "C001_103B is read",
         "drivers/pmu/nmi.c reads it in each op sample",
         "`cpuid-silent`; EAX does not say that it exists, but it can be read")
HARDWARE(global_bits_hold, 170, MACHINE,
         "Version 2: does C000_0301h have a bit for each core counter?",
         "yes (Linux arch/x86/events/amd/core.c, amd_pmu_global_cntr_mask)",
         "ones are written and read back",
         "drivers/pmu/pmc.c",
         "`lost-bits`; bit 5 does not hold")
/* clang-format on */
