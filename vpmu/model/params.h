/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Constants of the modelled core. Constants that all revisions of Family 10h share are an enum here, others a row of
 * the table in params.c. Each line names its source; "choice" marks a value for which no publication was found, and
 * docs/model.md says what depends on it.
 *
 * SOG = AMD Software Optimization Guide for Family 10h, 40546; SOG-K8 = the same for Athlon 64 and Opteron, 25112.
 */
#ifndef VPMU_PARAMS_H
#define VPMU_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/inline.h"
#include "vpmu/model/model.h"

enum {
    /* Caches: 64-byte lines everywhere (AMD CPUID Fn8000_0005/6 of the family). */
    LINE_SHIFT = 6,
    L1_WAYS = 2,   /* L1I and L1D: 64 KB, 2-way (SOG appendix A) */
    L1_SETS = 512, /* 64 KB / 64 / 2; indexed by physical bits 14:6, so frames matter above bit 12 */
    L2_WAYS = 16,  /* 512 KB, exclusive victim cache (SOG appendix A) */
    L2_SETS = 512,
    PAGE_LINES = 64, /* lines in a 4 KB page: the prefetcher stops at its end */

    /* Latencies, core cycles from the start of the access to the use of the data. */
    L1_LATENCY = 3,  /* AnandTech, Phenom II review: L1D load-to-use; the model takes it for the L1I too (choice) */
    L2_LATENCY = 15, /* AnandTech, Phenom II review, measured */
    L3_LATENCY = 55, /* AnandTech, Phenom II review: 55 by Everest, 71 by Sandra; the lower one is taken */
    /* A locked read-modify-write of a line that is there, from its load to the cycle in which its store has left and
     * the next access may begin: LOCK ADD [m64] every 18 cycles, on Deneb and Agena (InstLatX64, AuthenticAMD0100F42
     * and 0100F22). */
    LOCK_CYCLES = 18,
    /* Load to use of bytes that a store in the queue forwards, of integers and floating point: ADD [m64], r64 on itself
     * every 7 cycles, one of them the addition's; MOV to memory and back 8, MOVSS 8, with STORE_LATENCY (InstLatX64,
     * AuthenticAMD0100F42, Deneb). */
    FORWARD_LATENCY = 6,
    STORE_LATENCY = 2, /* from a register to the queue: what is left of these 8; as in latencies[] for floating point */
    CORE_LATENCY = 110, /* choice: another core's cache: to the northbridge and back twice, 2 * L3_LATENCY */
    DRAM_NS = 55,       /* choice: middle of the 50 to 60 ns that are usual for local memory of that time */
    /* Pace of memory, MB/s: one core alone reads 6 to 7 GB/s from DDR3-1333 on a Phenom II X4 955 (RightMark
     * Multi-Thread Memory Test, mynavi.jp, 16 June 2009, page 7), all cores together 10.0 GB/s (page 13). */
    CORE_MBS = 6500,
    NODE_MBS = 10000,
    HOP_NS = 30, /* to another node and back: four Barcelonas whose neighbours are one hop away see 100 ns to their
                    own memory, those that wait for the snoop of one two hops away 130 (McCalpin, "AMD Opteron
                    Local Memory Latency Chart", 2010) */
    FP_LOAD_EXTRA =
        2, /* GCC athlon.md, athlon_fld_k8 (cpu amdfam10): an x87 load is 2 cycles longer than an integer load */

    MAB_COUNT =
        8, /* SOG-K8 section 5.6: at most eight requests to different lines in flight; F10h event 68h selects 0..7 */
    COMBINE_BUFFERS = 4, /* choice: write-combining buffers of a line each; SOG-K8 appendix B has one that is open at a
                            time up to revision C of that family, several later, and none for this one */
    DC_PORTS = 2,        /* two loads per cycle (iXBT RMMA, K10) */
    PREFETCH_AHEAD = 2,  /* lines from the one that is used: after l and l + 1 comes l + 3 (SOG-K8 section 5.6) */
    PREFETCH_DELAY = 12, /* choice: from the use of a line to the request, so that one load after the other reads a line
                            of the L2 every 9 cycles, of the L3 every 22: 9 and 23 on Deneb (InstLatX64,
                            AuthenticAMD0100F42_K10_Deneb_MemLatX64, linear and backward read latency, stride 64) */
    /* The memory controller's prefetcher: a line that it has read ahead takes less. One load after the other takes 184
     * cycles at 3.0 GHz at distances of eight lines, 100 of four, 92 of two (as above), both ways. How many streams it
     * follows: choice. */
    DRAM_AHEAD_NS = 32,
    DRAM_STRIDE = 4,
    DRAM_HISTORY = 16,
    STREAM_HISTORY = 32, /* choice: recent misses that are searched for a sequential pair */

    /* TLBs, beside those of a row. */
    PDC_ENTRIES = 24,   /* page directory cache (SOG appendix A) */
    L2_TLB_LATENCY = 3, /* choice: an SRAM look-up as long as the L1D's */

    /* Branch prediction (SOG appendix A). */
    GHB_COUNTERS = 16384,  /* global history bimodal counters, 2 bits each */
    GHB_HISTORY_BITS = 12, /* choice, with the hash: a plain exclusive or with the address */
    BTB_SETS = 512,        /* 2048 entries; 4-way is a choice */
    BTB_WAYS = 4,
    INDIRECT_ENTRIES = 512,
    RETURN_STACK = 24,
    PASSING_LOADS = 1024, /* choice: loads of which the latest prediction is kept */

    /* Pipeline. */
    FETCH_SHIFT = 5,    /* 32 bytes per fetch (AMD IBS paper 2007, section 4.1) */
    DISPATCH_WIDTH = 3, /* macro-ops per line (SOG appendix A) */
    ROB_LINES = 24,     /* 72 macro-ops = 24 lines of 3 (SOG appendix A) */
    RETIRE_WIDTH = 3,
    LONG_MULTIPLY = 8, /* bytes of an operand from which a multiply takes its unit for two cycles: IMUL r32, r32 each
                          cycle, IMUL r64, r64 each second one (InstLatX64, AuthenticAMD0100F42, Deneb) */
    MISPREDICT_PENALTY = 12,              /* execution of the branch to execution on the right path; SOG: at least 10 */
    FRONT_DEPTH = MISPREDICT_PENALTY - 2, /* fetch to dispatch: the fetch starts one cycle after the branch executed,
                                             and execution one cycle after dispatch */
    TAKEN_BUBBLE = 1, /* fetch slots lost to the killed sequential fetch (AMD IBS paper 2007, section 4.1) */
    DECODE_REDIRECT =
        4, /* choice: cycles from a fetch to its decode, where a direct branch without BTB entry is found */

    /* Places in which an op waits from dispatch on (SOG-K8 appendix A, sections A.11 to A.15; SOG appendix A has the
     * same numbers). Each place in a line has its own reservation station. */
    STATION_ENTRIES = 8, /* of each of the three, for integer and address micro-ops */
    FP_LINES = 12,       /* 36 entries in lines of three: ops of different lines never share one */
    LS1_ENTRIES = 12,    /* accesses until they look up the data cache; taken at dispatch, in program order (AMD Athlon
                            x86 Code Optimization Guide 22007, "Load/Store Pipeline Operations") */
    LS2_ENTRIES = 32,    /* after that: misses until their data is there, stores until they retire */
    STORE_QUEUE = LS2_ENTRIES,

    /* IBS: after an aborted or missed tag, and after an op-mode sample, bits 6:0 of the counter are random (AMD APM
     * vol. 2 section 13.3; Linux commit 0f4cd769c410). */
    IBS_RANDOM_BITS = 7,
    FETCH_RANDOM_BITS = 4,  /* IbsRandEn randomises bits 3:0 (AMD APM vol. 2 section 13.3) */
    FILTER_RANDOM_BITS = 3, /* choice: of the fetch count's upper 16 bits, after a sample that a filter dropped; "random
                               low bits" (AMD APM vol. 2 section 13.3.5) */
    ERRATUM_420_NMIS = 16,  /* choice: "cannot be cleared" is bounded, so that a test ends */

    /* Interrupts of counters and timer. */
    SKID_OPS = 72, /* the reported address is up to 72 ops away (AMD IBS paper 2007, section 3), the reorder buffer */
    INTERRUPT_DELAY = 8, /* choice: least number of cycles from the event until the core recognises it */
    INTERRUPT_SPREAD =
        32, /* choice: and a uniform random part; docs/model.md compares the result with the paper's profile */
    APIC_TIMER_MHZ = 200, /* choice: the family's reference clock */
};

/* A set-associative cache; ways 0: there is none. */
struct cache_shape {
    uint32_t sets; /* a power of two */
    uint32_t ways;
};

enum page_size { PAGE_4K, PAGE_2M, PAGE_1G, PAGE_SIZES };

/* A set-associative TLB; entries 0: none for this page size. */
struct tlb_shape {
    uint16_t entries; /* with ways, a power of two of sets */
    uint8_t ways;
    uint16_t told; /* CPUID's ways and entries (Fn8000_0006, Fn8000_0019) where they differ; 0: they do not */
};

/* Says where a line of an L1 is besides. */
enum vpmu_l2 {
    L2_EXCLUSIVE, /* not in the L2, which gets what leaves an L1 */
    L2_INCLUSIVE, /* in the L2 as well: what leaves the L2 leaves the L1s */
    L2_FILLED,    /* brought into the L2 as well, and perhaps gone from there */
};

enum {
    L1_LINES_MAX = 1536, /* 96 KB */
};

/* Sets of performance events that a processor can have. */
enum vpmu_events { EVENTS_10H, EVENTS_BEFORE_ZEN, EVENTS_ZEN };

/* Says how NbIbsReqSrc codes sources. */
enum vpmu_sources {
    SOURCES_10H, /* 1 L3, 2 another core's cache, 3 memory */
    SOURCES_ZEN, /* 2 the node's L3 or another core's cache, 3 memory, 4 another node's cache */
    SOURCES_ZEN4 /* 1 the L3 or another core's cache, 3 memory, 5 another node's cache */
};

/* Figures of a core clock in MHz; the caches of Family 10h. */
#define VPMU_CYCLES(ns, rate) (((ns) * (rate) + 500) / 1000)
/* Cycles of a clock in MHz for which a line takes up what moves so many MB/s. */
#define VPMU_LINE(mbs, rate) (((rate) << LINE_SHIFT) / (mbs) + (((rate) << LINE_SHIFT) % (mbs)*2 >= (mbs)))
#define CACHES_10H           .l1d = {L1_SETS, L1_WAYS}, .l1i = {L1_SETS, L1_WAYS}, .l2 = {L2_SETS, L2_WAYS}
/* SOG appendix A; the entries for 1 GB, since revision C, are taken as fully associative (choice). */
#define TLBS_10H(...)                                                                                                  \
    .l1_dtlb = {48, 48, 48}, .l1_itlb = {32, 16, 0}, .l2_itlb = {{512, 4, 0}},                                         \
    .l2_dtlb = {{512, 4, 0}, {128, 2, 0}, {__VA_ARGS__}}
#define VPMU_CLOCK(rate)                                                                                               \
    .mhz = (rate), .dram_cycles = VPMU_CYCLES(DRAM_NS, rate), .dram_ahead = VPMU_CYCLES(DRAM_AHEAD_NS, rate),          \
    .hop_cycles = VPMU_CYCLES(HOP_NS, rate), .core_line = VPMU_LINE(CORE_MBS, rate),                                   \
    .node_line = VPMU_LINE(NODE_MBS, rate)

struct vpmu_params {
    const char *name;   /* vpmu_revision_parse() */
    const char *text;   /* vpmu_revision_text() */
    const char *brand;  /* CPUID Fn8000_0002..4, at most 47 characters */
    uint32_t signature; /* CPUID Fn0000_0001 EAX */
    uint32_t max_extended_leaf;
    uint32_t ibs_caps; /* CPUID Fn8000_001B EAX; meaningless when the leaf does not exist */
    struct cache_shape l1d, l1i, l2;
    /* TLBs by page size. Sizes with the same number of entries share them. An L1, which is fully associative, holds
     * a page of 1 GB in pieces of 2 MB where it has none for 1 GB. */
    uint8_t l1_dtlb[PAGE_SIZES], l1_itlb[PAGE_SIZES];
    struct tlb_shape l2_dtlb[PAGE_SIZES], l2_itlb[PAGE_SIZES];
    uint8_t l2_has;   /* enum vpmu_l2 */
    bool l3_own_leaf; /* CPUID Fn8000_0006 leaves the ways of the L3 to Fn8000_001D */
    uint32_t l3_sets;
    uint32_t l3_ways;
    uint32_t l3_half_mb;              /* size in units of 512 KB, as CPUID shows it */
    uint32_t mhz;                     /* of the core and of the TSC */
    uint32_t boost_mhz;               /* of the boosted P-state, as registers show it; 0: none */
    uint32_t dram_cycles, dram_ahead; /* to a line of memory; to one that the memory controller has read ahead */
    uint32_t hop_cycles;
    uint32_t core_line, node_line; /* cycles from one line of memory to the next: of a core, of a node's memory */
    uint8_t window_shift;          /* as in struct vpmu_config */
    bool l2_dtlb_random;           /* its 4 KB entries are replaced at random, else the least recently used one is */
    bool cnt_ctl;                  /* IbsOpCntCtl exists */
    bool loads_pass;               /* older stores whose address is not known yet (predict.h) */
    bool cppc;         /* by MSRs; before Zen 4 ACPI has it, where it is (choice: Linux lists some of Zen 3) */
    bool rdwr_cur_cnt; /* IbsOpCurCnt can be read and written */

    /* Bits of the registers that are not reserved; the others read 0 and ignore writes. Control: all that software can
     * write or, in IbsFetchCtl, read. */
    uint64_t fetch_mask, op_mask, data_mask, data2_mask, data3_mask, physical_mask;
    /* A register without such bits does not exist: #GP. IbsBrTarget, IC_IBS_EXTD_CTL, IbsOpData4, IBS_OP_CTL2,
     * IBS_FETCH_CTL2. */
    uint64_t branch_mask, extended_mask, data4_mask, op2_mask, fetch2_mask;
    uint32_t quirks;      /* set of enum vpmu_quirk */
    uint32_t pci_id;      /* of function 0 of the northbridge or data fabric, 18h */
    uint8_t pmc_count;    /* core counters */
    uint8_t branches;     /* branch records */
    bool branch_sampling; /* vpmu/model/pmu/branch_sampling.h */
    uint8_t pmc_version;  /* 0: C001_0000h alone, 1: C001_0200h as well, 2: and global control */
    uint8_t events;       /* enum vpmu_events */
    uint8_t sources;      /* enum vpmu_sources */
    uint8_t slots;        /* dispatch slots of a cycle that events count; 0: none does */
    uint8_t tokens;       /* the Zen, 1 to 3, whose events count stalls for tokens; 0: none */
};

/* Names how a family's IBS or counters differ from revision C's. */
enum vpmu_quirk {
    QUIRK_E420 = 1 << 0,            /* NMIs without a sample after En was cleared while counting */
    QUIRK_FIRMWARE_LVT = 1 << 1,    /* firmware has assigned an entry by C001_103A; there is no F3x1CC */
    QUIRK_FETCH_EN = 1 << 2,        /* the fetch count is taken over by a write only when En goes from 0 to 1 */
    QUIRK_STICKY = 1 << 3,          /* bits of IbsOpData3 stay from earlier samples until it is written (718) */
    QUIRK_FETCH_COUNT = 1 << 4,     /* the start value of the fetch count has no effect (719) */
    QUIRK_MAB_HIT = 1 << 5,         /* IbsDcMabHit is right only with a miss (717) */
    QUIRK_BRANCH_TARGET = 1 << 6,   /* IbsBrTarget cannot be relied on (717) */
    QUIRK_PAGE_SIZES = 1 << 7,      /* a fetch's page size is coded 0: 4K, 1: 16K, 2: 2M, 3: 1G (1347) */
    QUIRK_IC_MISS = 1 << 8,         /* IbsFetchIcMiss cannot be relied on (1238) */
    QUIRK_NO_MAB = 1 << 9,          /* L2Miss, OpenMemReqs, OpData2 are wrong where no MAB was allocated (1293) */
    QUIRK_STATE = 1 << 10,          /* IbsNbReqCacheHitSt is not valid */
    QUIRK_LVTPC_OPEN = 1 << 12,     /* delivery does not mask the counters' entry of the local vector table */
    QUIRK_FETCH_PHYSICAL = 1 << 11, /* a fetch's status is valid only with its physical address (Zen 6) */
};

/* Returns whether the processor is later than Family 10h. */
static inline bool params_later(const struct vpmu_params *params)
{
    return params->quirks & QUIRK_FIRMWARE_LVT;
}

const struct vpmu_params *vpmu_params_of(enum vpmu_revision revision);
/* later.c: processors after Family 10h. */
extern const struct vpmu_params vpmu_later[];

/* Returns the latency in cycles of an instruction's execution without its memory accesses (GCC i386.c, amdfam10_cost).
 */
unsigned params_latency(const struct codemap_insn *insn);

#endif
