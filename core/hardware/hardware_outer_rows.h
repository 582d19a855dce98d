/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions to a Zen about what drivers rely on beside the samples: counters outside of the cores, power, clocks, and
 * addresses. core/hardware/hardware_rows.h says what the columns are. */
/* clang-format off */
HARDWARE(latency_of_misses, 189, SUMMARY,
         "Has each load with IbsDcMiss a latency (IbsOpData3[47:32])?",
         "yes (AMD APM vol. 2 section 13.3.3)",
         "every op sample with IbsLdOp and IbsDcMiss",
         "core/ibs/derived_rows.h F219",
         "a miss of 0 cycles")
HARDWARE(address_of_misses, 190, SUMMARY,
         "Has each load with IbsDcMiss a physical address?",
         "yes: a line is fetched by one",
         "every op sample with IbsLdOp and IbsDcMiss",
         "core/perfdata/perfdata_mem.c",
         "a miss without bit 18")
HARDWARE(open_requests_of_misses, 191, SUMMARY,
         "Does IbsOpDcMissOpenMemReqs (IbsOpData3[31:26]) come with IbsDcMiss alone?",
         "yes",
         "every op sample with these bits",
         "core/ibs/ibs_field.c",
         "a request of a hit")
HARDWARE(width_of_accesses, 192, SUMMARY,
         "Has each load and store a width (IbsOpMemWidth)?",
         "yes (AMD_IBS_Toolkit tools/ibs_decoder)",
         "every op sample with IbsLdOp or IbsStOp",
         "core/family/ibs_regs.h IBS_DC_WIDTH",
         "a load of no width")
HARDWARE(canonical_ops, 193, SUMMARY,
         "Are bits 63:47 of IbsOpRip alike?",
         "yes: an address is canonical",
         "every op sample with a valid address",
         "drivers/pmu/nmi.c",
         "bit 63 alone")
HARDWARE(canonical_data, 194, SUMMARY,
         "Are bits 63:47 of IbsDcLinAd alike?",
         "yes: an address is canonical",
         "every op sample with IbsDcLinAddrValid",
         "drivers/pmu/nmi.c",
         "bit 47 alone")
HARDWARE(canonical_fetches, 195, SUMMARY,
         "Are bits 63:47 of IbsFetchLinAd alike?",
         "yes: an address is canonical, which Family 10h does not always keep",
         "every fetch sample",
         "core/family/ibs_regs.h ibs_canonical",
         "bit 48 alone")
HARDWARE(physical_data, 196, SUMMARY,
         "Is IbsDcPhysAd within the bits of CPUID 8000_0008h EAX[7:0]?",
         "yes, without the bit of memory encryption",
         "every op sample with IbsDcPhyAddrValid",
         "core/perfdata/perfdata_mem.c",
         "one bit above")
HARDWARE(physical_fetches, 197, SUMMARY,
         "Is IbsFetchPhysAd within the bits of CPUID 8000_0008h EAX[7:0]?",
         "yes, without the bit of memory encryption",
         "every fetch sample with IbsPhyAddrValid",
         "drivers/pmu/nmi.c",
         "one bit above")
/* clang-format on */
