/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts that the rows of several families share (core/family/family_*.c). Bits of a register that came later are added
 * by the rows.
 */
#ifndef CORE_IBS_FAMILY_PARTS_H
#define CORE_IBS_FAMILY_PARTS_H

#include "core/family/ibs_family.h"
#include "core/family/ibs_regs.h"

#define BITS(high, low)     (IBS_FIELD(~0ull, (high), (low)) << (low))
#define MODELS(first, last) .model_first = (first), .model_last = (last)
#define ALL_MODELS          MODELS(0, 0xFF)

/* IbsFetchCtl: LX-h, APM. 63:58 are reserved on Family 10h; 58 is FetchL2Miss on 15h models 60h on and from 17h on
 * (TK uapi:168, IT; the newest APM calls it reserved); 59 to 61 came with L3 miss filtering (Zen 4). */
#define FETCH_CTL_FIRST   BITS(57, 0)
#define FETCH_CTL_L2_MISS IBS_BIT(58)
#define FETCH_CTL_L3_MISS BITS(61, 59)

/* IbsOpCtl: LX-h. 26:20 and 58:52 are for counts of 27 bits, which all families after 10h have; 16 is L3MissOnly (Zen
 * 4), 63:59 the load latency filter (Zen 5). */
#define OP_CTL_FIRST   (BITS(51, 32) | BITS(19, 17) | BITS(15, 0))
#define OP_CTL_LONG    (OP_CTL_FIRST | BITS(58, 52) | BITS(26, 20))
#define OP_CTL_L3_MISS IBS_BIT(16)
#define OP_CTL_LD_LAT  BITS(63, 59)

/* IbsOpData: LX-h, TK uapi:60-68. 33:32 are resync and mispredicted return: 10h, 12h, 15h models 00h-0Fh (TK's monitor
 * prints them for 14h as well; its header does not: not taken). 38 and 39 by capability. 40, microcode: 15h models 60h
 * on and from 17h on (TK monitor:417; "KV+, BT+" in its header, where capability bit 8 is clear: not taken). */
#define OP_DATA_COMMON    (BITS(37, 34) | BITS(31, 0))
#define OP_DATA_RESYNC    BITS(33, 32)
#define OP_DATA_RIP_VALID IBS_BIT(38)
#define OP_DATA_FUSE      BITS(40, 39)

/* IbsOpData2: LX-h. 5:4, node and state: not on 14h and 16h (TK uapi:78), and not on 12h, where OP and CXL mask them
 * and TK does not. */
#define OP_DATA2_SOURCE BITS(2, 0)
#define OP_DATA2_STATE  IBS_BIT(5)
#define OP_DATA2_NODE   IBS_BIT(4)
#define OP_DATA2_WIDE   BITS(7, 6)
#define OP_DATA2_REMOTE BITS(9, 8) /* StrmSt and RmtSocket, capability bit 16 */

/* IbsOpData3: LX-h, TK uapi:96-99 and monitor:442-453. 12:9 are bank conflicts and store forwarding: rows add them. */
#define OP_DATA3_COMMON      (BITS(47, 32) | BITS(19, 13) | BITS(8, 0))
#define OP_DATA3_LD_BANK     IBS_BIT(9)
#define OP_DATA3_ST_BANK     IBS_BIT(10)
#define OP_DATA3_FORWARD     IBS_BIT(11)
#define OP_DATA3_CANCEL      IBS_BIT(12)
#define OP_DATA3_L2_AND_WALK (BITS(63, 48) | BITS(31, 20)) /* 15h models 30h on, 16h, from 17h on (TK monitor:453) */

/* Sources up to Family 16h: TK decoder:470-488. */
#define NB_SOURCES    [0] = IBS_SOURCE_NONE, [2] = IBS_SOURCE_CACHE, [3] = IBS_SOURCE_DRAM, [7] = IBS_SOURCE_OTHER
#define NB_SOURCES_L3 NB_SOURCES, [1] = IBS_SOURCE_L3
#define NB_ANY        BITS(7, 1) /* the decoder shows the node with reserved ones as well */
/* Zen to Zen 3: LX-h IBS_DATA_SRC_*, LX-raw. (ibstrace, after the PPR of 17h model 71h, has 4 as reserved: not taken.)
 */
#define ZEN_SOURCES                                                                                                    \
    [0] = IBS_SOURCE_NONE, [2] = IBS_SOURCE_NEAR, [3] = IBS_SOURCE_DRAM, [4] = IBS_SOURCE_FAR_CACHE,                   \
    [7] = IBS_SOURCE_OTHER
/* Zen 4 and later, five bits: LX-h IBS_DATA_SRC_EXT_*, LX-raw pr_ibs_op_data2_extended. */
#define ZEN4_SOURCES                                                                                                   \
    [0] = IBS_SOURCE_NONE, [1] = IBS_SOURCE_L3, [2] = IBS_SOURCE_CACHE, [3] = IBS_SOURCE_DRAM,                         \
    [5] = IBS_SOURCE_FAR_CACHE, [6] = IBS_SOURCE_LONG_LATENCY, [7] = IBS_SOURCE_OTHER, [8] = IBS_SOURCE_EXTENSION,     \
    [12] = IBS_SOURCE_PEER
/* LX-ibs perf_ibs_get_mem_lvl, perf_ibs_get_mem_snoop: the node with memory alone, the state with caches. */
#define ZEN_NODE   IBS_BIT(3)
#define ZEN_STATE  IBS_BIT(2)
#define ZEN4_NODE  (IBS_BIT(3) | IBS_BIT(6) | IBS_BIT(8))
#define ZEN4_STATE (IBS_BIT(1) | IBS_BIT(2) | IBS_BIT(5))

/* Fetch page sizes: 3 is 16 KB from Zen on (TK decoder:645; "4 KB coalesced" in the newest APM), else reserved. */
#define PAGE_SIZES     IBS_PAGE_4K, IBS_PAGE_2M, IBS_PAGE_1G, IBS_PAGE_RESERVED
#define PAGE_SIZES_ZEN IBS_PAGE_4K, IBS_PAGE_2M, IBS_PAGE_1G, IBS_PAGE_16K

/* Fn8000_001B EAX. LATER: bits 7:0 are TK msr-index "LN+", 12h on, and Linux printed them ("perf: AMD IBS detected") on
 * 14h, on 15h up to models 3Fh and on 16h. FUSE: "KV+, BT+" there; no machine of 15h models 30h-3Fh or 16h printed it.
 * The others are prints: 3FFh of Zen to Zen 3, BFFh of Zen 4, 8_1BFFh of Zen 5 model 44h; 7FFh, which has OpData4
 * besides, of 15h models 60h on. Family 10h has none: revision B lacks two, and its report says "revision B". */
#define CAPS_LATER     0xFFu
#define CAPS_FUSE      (CAPS_LATER | IBS_CAP_OPBRNFUSE)
#define CAPS_EXCAVATOR (CAPS_ZEN | IBS_CAP_OPDATA4)
#define CAPS_ZEN       (CAPS_FUSE | IBS_CAP_FETCHCTLEXTD)
#define CAPS_ZEN4      (CAPS_ZEN | IBS_CAP_L3MISSONLY)
#define CAPS_1AH       (CAPS_ZEN4 | IBS_CAP_LDLAT) /* Linux d20610c19b4a */
#define CAPS_ZEN5      (CAPS_1AH | IBS_CAP_DTLB_PGSIZE)

/* Physical addresses of the registers: 47:0 on 10h, later 51:0 (APM). */
#define LATER .phys_bits = 52, .cur_cnt_bits = 27, .lvt = IBS_LVT_FIRMWARE

/* Counters: LX-core. Count mask: 10h's field is wider than its use of it (core/family/pmc_regs.h); 7Fh from 15h on. */
#define PMC_FIRST                                                                                                      \
    .pmc = {.count = 4, .version = 1, .stride = 1, .count_mask_max = 3, .ctl = 0xC0010000u, .ctr = 0xC0010004u}
#define PMC_EXTENDED(version_)                                                                                         \
    .pmc = {.count = 6,                                                                                                \
            .version = (version_),                                                                                     \
            .stride = 2,                                                                                               \
            .count_mask_max = 0x7F,                                                                                    \
            .ctl = 0xC0010200u,                                                                                        \
            .ctr = 0xC0010201u}

#endif
