/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processors after Family 10h: their registers, capabilities and interrupt entry, over Family 10h's pipeline, whose
 * timing stays. These rows are written independently of core's, so that an error in one of the two shows.
 *
 * Sources: Linux arch/x86/include/asm/amd/ibs.h and arch/x86/events/amd/{ibs,core}.c; AMD_IBS_Toolkit
 * include/ibs-uapi.h and driver/ibs-msr-index.h (bits by family); CodeXL IbsEvents.h and oprofile opd_ibs_trans.c
 * (masks of 12h, 14h); AMD APM vol. 2 section 13.3. Signatures: AMD revision guides of the families.
 * CPUID 8000_001B EAX: what Linux printed on such machines ("perf: AMD IBS detected"); of Family 12h and Zen 6 no print
 * was found: 12h's is a choice by the toolkit's comments ("LN+"), Zen 6's by what Linux has for it.
 */
#include "vpmu/model/pmu/branch_stack.h"
#include "vpmu/model/pmu/ibs_unit.h"

/* ---------------------------------------------------------------- which bits there are */

#define FETCH_10H  ((1ull << 58) - 1)
#define FETCH_ZEN  (FETCH_10H | VFETCH_L2_MISS)
#define FETCH_ZEN4 (FETCH_ZEN | VFETCH_L3_ONLY | VFETCH_OC_MISS | VFETCH_L3_MISS)

#define OP_LATER (VOP_MAX_CNT | VOP_EN | VOP_VAL | VOP_CNT_CTL | VOP_MAX_EXT | VOP_CUR_MASK)
#define OP_ZEN4  (OP_LATER | VOP_L3_ONLY)
#define OP_ZEN5  (OP_ZEN4 | VOP_LAT_EN | VOP_LAT_MASK)

#define DATA_EARLY (((1ull << 38) - 1) | VDATA_RIP_INVALID) /* with IbsOpBrnResync and IbsOpMispReturn */
#define DATA_LATER (DATA_EARLY & ~(VDATA_RESYNC | VDATA_MISP_RETURN))
#define DATA_ZEN   (DATA_LATER | VDATA_FUSED | VDATA_MICROCODE)

#define DATA2_SOURCE 0x07ull
#define DATA2_NODE   0x37ull /* with the node's bit and the state's */
#define DATA2_ZEN4   (DATA2_NODE | 0xC0)
#define DATA2_ZEN6   (DATA2_ZEN4 | 0x300)

#define DATA3_10H   (0xFFFFFull | 0xFFFFull << VDATA3_LAT_SHIFT)
#define DATA3_BANKS (VDATA3_LOAD_BANK | VDATA3_STORE_BANK)
#define DATA3_QUEUE (DATA3_BANKS | VDATA3_FORWARDED | VDATA3_CANCELLED)
#define DATA3_UPPER (0xFFFull << 20 | 0xFFFFull << VDATA3_TLB_LAT_SHIFT)
#define DATA3_14H   (DATA3_10H & ~(DATA3_BANKS | VDATA3_CANCELLED | VDATA3_L1HIT_1G | VDATA3_L2HIT_1G))
#define DATA3_15H   (DATA3_10H & ~DATA3_QUEUE)
#define DATA3_16H   (DATA3_15H | VDATA3_FORWARDED | DATA3_UPPER)
#define DATA3_ZEN   (DATA3_15H | DATA3_UPPER)
#define DATA3_PAGES (DATA3_ZEN & ~(VDATA3_L2HIT_2M | VDATA3_L2HIT_1G)) /* with CPUID 8000_001B EAX[19] */
#define PHYSICAL    ((1ull << 52) - 1)
#define REFILL      0xFFFFull
#define OP2         0xFull
#define FETCH2      0x7Full

/* ---------------------------------------------------------------- the rows */

#define LATER_CLOCK VPMU_CLOCK(3000)
#define BOOST_ZEN   4200 /* choice; no register tells */
/* CPUID Fn8000_0005, Fn8000_0006 and Fn8000_001D (EDX[1]: the L2 is inclusive) of processors with the rows' signatures
 * (InstLatX64, AuthenticAMD0300F10, 0500F10, 0600F12, 0610F01, 0630F01, 0660F01, 0700F01, 0800F11, 0870F10, 0A00F11,
 * 0A60F12, 0B40F40). The L3 is that of one core complex: 8 MB on Zen, 16 MB on Zen 2, 32 MB later. Zen 6: choice, as
 * Zen 5. Family 14h's L2 is exclusive by choice; Family 15h's is "mostly inclusive" (AMD 47414), and that stores go
 * through the L1D at once is not modelled: the L2 learns of them when the line leaves the L1D. */
#define L1(way_d, sets_d, way_i, sets_i) .l1d = {sets_d, way_d}, .l1i = {sets_i, way_i}
#define L2(kb, way, has)                 .l2 = {(kb)*16 / (way), way}, .l2_has = (has)
#define L3(mb, way)                      .l3_sets = (mb)*16384 / (way), .l3_ways = (way), .l3_half_mb = 2 * (mb)
#define NO_L3                            .l3_sets = 2048, .l3_ways = 0, .l3_half_mb = 0
/* CPUID Fn8000_0005, Fn8000_0006 and Fn8000_0019 of the same dumps. From Zen on these words have fewer ways than AMD's
 * optimization guide (55723 section 2.7.2: an L2 DTLB of 1536 entries and 12 ways, an L2 ITLB of 512 and 8): a page
 * size has its part of the ways, by words half for 4 KB and a quarter for 2 MB from Zen 2 on. Hence 16 ways on Zen 2,
 * Zen 3 and Zen 5, 24 on Zen 4. Here a page may be in any way (choice). The L2 ITLB of Zen is the guide's, Zen 2's is
 * 7-cpu.com's; CPUID says 1024 entries. Family 14h's L1 ITLB has no entries of 4 KB. */
#define TLBS_15H(n)    .l1_dtlb = {n, n, n}, .l1_itlb = {48, 24, 24}, .l2_dtlb = {{1024, 8, 0}, {1024, 8, 0}, {1024, 8, 0}}
#define L1_TLBS_ZEN(n) .l1_dtlb = {n, n, n}, .l1_itlb = {64, 64, 64}
#define TLBS_ZEN(n, way, told_4k, told_2m)                                                                             \
    L1_TLBS_ZEN(64), .l2_dtlb = {{n, way, told_4k}, {n, way, told_2m}, {0}},                                           \
                     .l2_itlb = {{512, 8, 0x6400}, {512, 8, 0x6400}}
#define L2_ITLB_ZEN3 .l2_itlb = {{512, 8, 0x4200}, {512, 8, 0x2200}}
#define TLBS_ZEN5                                                                                                      \
    L1_TLBS_ZEN(96), .l2_dtlb = {{4096, 16, 0x6080}, {4096, 16, 0x4080}, {1024, 4, 0x4020}},                           \
                     .l2_itlb = {{2048, 8, 0x4040}, {2048, 8, 0x2040}}
#define TEXT(family, model, words)                                                                                     \
    .brand = "AMD virtual PMU (a model) " family " model " model,                                                      \
    .text = "PMU: registers of Family " family " model " model words ", timing of none: the pipeline is Family 10h's"
#define COMMON                                                                                                         \
    .window_shift = NO_WINDOWS, LATER_CLOCK, .cnt_ctl = true, .rdwr_cur_cnt = true, .physical_mask = PHYSICAL,         \
    .branch_mask = UINT64_MAX
#define BEFORE_ZEN(data, data2, data3)                                                                                 \
    COMMON, .op_mask = OP_LATER, .data_mask = (data), .data2_mask = (data2), .data3_mask = (data3)
#define QUIRKS_15H (QUIRK_FIRMWARE_LVT | QUIRK_LVTPC_OPEN)
#define OWN_EVENTS .fetch_mask = FETCH_10H, .events = EVENTS_BEFORE_ZEN
#define FOUR       .pmc_count = 4, .pmc_version = 0
#define SIX        .pmc_count = 6, .pmc_version = 1
#define ZEN                                                                                                            \
    COMMON, .fetch_mask = FETCH_ZEN, .op_mask = OP_LATER, .data_mask = DATA_ZEN, .data2_mask = DATA2_NODE,             \
            .data3_mask = DATA3_ZEN, .extended_mask = REFILL, .sources = SOURCES_ZEN, .events = EVENTS_ZEN,            \
            .pmc_count = 6, .pmc_version = 1, .loads_pass = true, .boost_mhz = BOOST_ZEN
#define ZEN4                                                                                                           \
    COMMON, .fetch_mask = FETCH_ZEN4, .data_mask = DATA_ZEN, .extended_mask = REFILL, .sources = SOURCES_ZEN4,         \
            .events = EVENTS_ZEN, .pmc_count = 6, .pmc_version = 2, .branches = BRANCH_STACK_MAX, .cppc = true,        \
            .loads_pass = true, .boost_mhz = BOOST_ZEN

/* pci_id: Linux include/linux/pci_ids.h and drivers/hwmon/k10temp.c name function 3's, which is 3 higher. */
const struct vpmu_params vpmu_later[] = {
    {.name = "12h",
     TEXT("12h", "1h", ""),
     L1(2, 512, 2, 512),
     L2(1024, 16, L2_EXCLUSIVE),
     .l1_dtlb = {48, 48, 48},
     .l1_itlb = {32, 16, 0},
     .l2_dtlb = {{1024, 4, 0}, {128, 2, 0}, {16, 16, 0x6010}},
     .l2_itlb = {{512, 4, 0}},
     BEFORE_ZEN(DATA_EARLY, DATA2_SOURCE, DATA3_10H), /* oprofile, CodeXL; the toolkit has the node's bit */
     .fetch_mask = FETCH_10H,
     .events = EVENTS_10H,
     FOUR,
     NO_L3,
     .signature = 0x00300F10,
     .max_extended_leaf = 0x8000001B,
     .ibs_caps = 0xFF,
     .quirks = QUIRK_FIRMWARE_LVT,
     .pci_id = 0x1700},
    {.name = "14h",
     TEXT("14h", "1h", ""),
     L1(8, 64, 2, 256),
     L2(512, 16, L2_EXCLUSIVE),
     .l1_dtlb = {40, 8, 0},
     .l1_itlb = {0, 8, 0},
     .l2_dtlb = {{512, 4, 0}},
     .l2_itlb = {{512, 4, 0}},
     BEFORE_ZEN(DATA_LATER, DATA2_SOURCE, DATA3_14H),
     OWN_EVENTS,
     FOUR,
     NO_L3,
     .signature = 0x00500F10,
     .max_extended_leaf = 0x8000001B,
     .ibs_caps = 0xFF,
     .quirks = QUIRK_FIRMWARE_LVT,
     .pci_id = 0x1700},
    {.name = "15h-00",
     TEXT("15h", "1h", ""),
     L1(4, 64, 2, 512),
     L2(2048, 16, L2_FILLED),
     TLBS_15H(32),
     .l2_itlb = {{512, 4, 0}},
     BEFORE_ZEN(DATA_EARLY, DATA2_NODE, DATA3_10H & ~VDATA3_STORE_BANK),
     OWN_EVENTS,
     SIX,
     L3(8, 64),
     .signature = 0x00600F12,
     .max_extended_leaf = 0x8000001E,
     .ibs_caps = 0xFF,
     .quirks = QUIRKS_15H | QUIRK_STICKY | QUIRK_MAB_HIT | QUIRK_BRANCH_TARGET,
     .pci_id = 0x1600},
    {.name = "15h-10",
     TEXT("15h", "10h", ""),
     L1(4, 64, 2, 512),
     L2(2048, 16, L2_FILLED),
     TLBS_15H(64),
     .l2_itlb = {{512, 4, 0}, {1024, 8, 0}, {1024, 8, 0}},
     BEFORE_ZEN(DATA_LATER, DATA2_NODE, DATA3_15H),
     OWN_EVENTS,
     SIX,
     NO_L3,
     .signature = 0x00610F01,
     .max_extended_leaf = 0x8000001E,
     .ibs_caps = 0xFF,
     .quirks = QUIRKS_15H | QUIRK_STICKY | QUIRK_FETCH_COUNT,
     .pci_id = 0x1400},
    {.name = "15h-30",
     TEXT("15h", "30h", ""),
     L1(4, 64, 3, 512),
     L2(2048, 16, L2_FILLED),
     TLBS_15H(64),
     .l2_itlb = {{512, 4, 0}, {1024, 8, 0}, {1024, 8, 0}},
     BEFORE_ZEN(DATA_LATER, DATA2_NODE, DATA3_ZEN),
     OWN_EVENTS,
     SIX,
     NO_L3,
     .signature = 0x00630F01,
     .max_extended_leaf = 0x8000001E,
     .ibs_caps = 0xFF,
     .quirks = QUIRKS_15H,
     .pci_id = 0x141A},
    {.name = "15h-60",
     TEXT("15h", "60h", ""),
     L1(8, 64, 3, 512),
     L2(1024, 16, L2_FILLED),
     TLBS_15H(64),
     .l2_itlb = {{512, 4, 0}, {1024, 8, 0}, {1024, 8, 0}},
     BEFORE_ZEN(DATA_ZEN, DATA2_NODE, DATA3_ZEN),
     .fetch_mask = FETCH_ZEN,
     .events = EVENTS_BEFORE_ZEN,
     SIX,
     NO_L3,
     .signature = 0x00660F01,
     .max_extended_leaf = 0x8000001E,
     .ibs_caps = 0x7FF,
     .extended_mask = REFILL,
     .data4_mask = 1, /* IbsOpLdResync */
     .quirks = QUIRKS_15H,
     .pci_id = 0x1570},
    {.name = "16h",
     TEXT("16h", "0h", ""),
     L1(8, 64, 2, 256),
     L2(2048, 16, L2_INCLUSIVE),
     .l1_dtlb = {40, 8, 0},
     .l1_itlb = {32, 8, 0},
     .l2_dtlb = {{512, 4, 0}, {256, 2, 0}},
     .l2_itlb = {{512, 4, 0}},
     BEFORE_ZEN(DATA_LATER, DATA2_SOURCE, DATA3_16H),
     OWN_EVENTS,
     FOUR,
     NO_L3,
     .signature = 0x00700F01,
     .max_extended_leaf = 0x8000001E,
     .ibs_caps = 0xFF,
     .quirks = QUIRKS_15H | QUIRK_FETCH_EN,
     .pci_id = 0x1530},
    {.name = "zen",
     TEXT("17h", "1h", " (Zen)"),
     L1(8, 64, 4, 256),
     L2(512, 8, L2_INCLUSIVE),
     TLBS_ZEN(1536, 12, 0x6600, 0x2600),
     L3(8, 16),
     ZEN,
     .tokens = 1,
     .signature = 0x00800F11,
     .max_extended_leaf = 0x8000001F,
     .ibs_caps = 0x3FF,
     .quirks = QUIRKS_15H | QUIRK_FETCH_EN,
     .pci_id = 0x1460},
    {.name = "zen2",
     TEXT("17h", "71h", " (Zen 2)"),
     L1(8, 64, 8, 64),
     L2(512, 8, L2_INCLUSIVE),
     TLBS_ZEN(2048, 16, 0x6800, 0x4800),
     L3(16, 16),
     .l3_own_leaf = true,
     ZEN,
     .tokens = 2,
     .signature = 0x00870F10,
     .max_extended_leaf = 0x80000020,
     .ibs_caps = 0x3FF,
     .quirks = QUIRKS_15H | QUIRK_FETCH_EN,
     .pci_id = 0x1440},
    {.name = "zen3",
     TEXT("19h", "1h", " (Zen 3)"),
     L1(8, 64, 8, 64),
     L2(512, 8, L2_INCLUSIVE),
     L1_TLBS_ZEN(64),
     .l2_dtlb = {{2048, 16, 0x6800}, {2048, 16, 0x4800}, {64, 64, 0}},
     L2_ITLB_ZEN3,
     L3(32, 16),
     .l3_own_leaf = true,
     ZEN,
     .tokens = 3,
     .branch_sampling = true,
     .signature = 0x00A00F11,
     .max_extended_leaf = 0x80000021,
     .ibs_caps = 0x3FF,
     .quirks = QUIRKS_15H | QUIRK_PAGE_SIZES | QUIRK_IC_MISS | QUIRK_NO_MAB | QUIRK_STATE,
     .pci_id = 0x1650},
    {.name = "zen4",
     TEXT("19h", "61h", " (Zen 4)"),
     L1(8, 64, 8, 64),
     L2(1024, 8, L2_INCLUSIVE),
     L1_TLBS_ZEN(72),
     .l2_dtlb = {{3072, 24, 0x6C00}, {3072, 24, 0x5C00}, {64, 64, 0}},
     L2_ITLB_ZEN3,
     L3(32, 16),
     .l3_own_leaf = true,
     ZEN4,
     .slots = 6,
     .signature = 0x00A60F12,
     .max_extended_leaf = 0x80000022,
     .ibs_caps = 0xBFF,
     .op_mask = OP_ZEN4,
     .data2_mask = DATA2_ZEN4,
     .data3_mask = DATA3_ZEN,
     .quirks = QUIRKS_15H,
     .pci_id = 0x14E0},
    {.name = "zen5",
     TEXT("1Ah", "44h", " (Zen 5)"),
     L1(12, 64, 8, 64),
     L2(1024, 16, L2_INCLUSIVE),
     TLBS_ZEN5,
     L3(32, 16),
     .l3_own_leaf = true,
     ZEN4,
     .slots = 8,
     .signature = 0x00B40F40,
     .max_extended_leaf = 0x80000022,
     .ibs_caps = 0x81BFF,
     .op_mask = OP_ZEN5,
     .data2_mask = DATA2_ZEN4,
     .data3_mask = DATA3_PAGES,
     .quirks = QUIRKS_15H,
     .pci_id = 0x14E0}, /* choice: Zen 4's, with which it shares its socket */
    {.name = "zen6",
     TEXT("1Ah", "50h", " (Zen 6)"),
     L1(12, 64, 8, 64),
     L2(1024, 16, L2_INCLUSIVE),
     TLBS_ZEN5,
     L3(32, 16),
     .l3_own_leaf = true,
     ZEN4,
     .slots = 8,
     .signature = 0x00B50F00,
     .max_extended_leaf = 0x80000022,
     .ibs_caps = 0x9FBFF,
     .op_mask = OP_ZEN5,
     .data2_mask = DATA2_ZEN6,
     .data3_mask = DATA3_PAGES,
     .op2_mask = OP2,
     .fetch2_mask = FETCH2,
     .quirks = QUIRKS_15H | QUIRK_FETCH_PHYSICAL,
     .pci_id = 0x12C8},
};

_Static_assert(sizeof(vpmu_later) / sizeof(vpmu_later[0]) == VPMU_REV_LAST - VPMU_REV_LATER + 1, "enum vpmu_revision");
