/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Constants of the modelled core. What is the same on every revision of Family 10h is an enum here, what differs is a
 * row of the table in params.c. Each line names its source; "choice" marks a value for which no publication was found,
 * and docs/model.md says what depends on it.
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
    L1_LATENCY = 3,     /* AnandTech, Phenom II review: L1D load-to-use; the model takes it for the L1I too (choice) */
    L2_LATENCY = 15,    /* AnandTech, Phenom II review, measured */
    L3_LATENCY = 55,    /* AnandTech, Phenom II review: 55 by Everest, 71 by Sandra; the lower one is taken */
    CORE_LATENCY = 110, /* choice: another core's cache: to the northbridge and back twice, 2 * L3_LATENCY */
    DRAM_NS = 55,       /* choice: middle of the 50 to 60 ns that are usual for local memory of that time */
    HOP_NS = 30, /* to another node and back: four Barcelonas whose neighbours are one hop away see 100 ns to their
                    own memory, those that wait for the snoop of one two hops away 130 (McCalpin, "AMD Opteron
                    Local Memory Latency Chart", 2010) */
    FP_LOAD_EXTRA =
        2, /* GCC athlon.md, athlon_fld_k8 (cpu amdfam10): an x87 load is 2 cycles longer than an integer load */

    MAB_COUNT =
        8, /* SOG-K8 section 5.6: at most eight requests to different lines in flight; F10h event 68h selects 0..7 */
    DC_PORTS = 2,        /* two loads per cycle (iXBT RMMA, K10) */
    STREAM_HISTORY = 32, /* choice: recent misses that are searched for a sequential pair */

    /* TLBs (SOG appendix A). */
    L1_DTLB_ENTRIES = 48, /* fully associative, any page size */
    L1_ITLB_4K_ENTRIES = 32,
    L1_ITLB_2M_ENTRIES = 16,
    L2_TLB_4K_SETS = 128, /* 512 entries, 4-way; DTLB and ITLB each have one */
    L2_TLB_4K_WAYS = 4,
    L2_DTLB_2M_SETS = 64, /* 128 entries, 2-way */
    L2_DTLB_2M_WAYS = 2,
    L2_DTLB_1G_ENTRIES = 16, /* revision C and later; taken as fully associative (choice) */
    PDC_ENTRIES = 24,        /* page directory cache */
    L2_TLB_LATENCY = 3,      /* choice: an SRAM look-up as long as the L1D's */

    /* Branch prediction (SOG appendix A). */
    GHB_COUNTERS = 16384,  /* global history bimodal counters, 2 bits each */
    GHB_HISTORY_BITS = 12, /* choice, with the hash: a plain exclusive or with the address */
    BTB_SETS = 512,        /* 2048 entries; 4-way is a choice */
    BTB_WAYS = 4,
    INDIRECT_ENTRIES = 512,
    RETURN_STACK = 24,

    /* Pipeline. */
    FETCH_SHIFT = 5,    /* 32 bytes per fetch (AMD IBS paper 2007, section 4.1) */
    DISPATCH_WIDTH = 3, /* macro-ops per line (SOG appendix A) */
    ROB_LINES = 24,     /* 72 macro-ops = 24 lines of 3 (SOG appendix A) */
    RETIRE_WIDTH = 3,
    MISPREDICT_PENALTY = 12,              /* execution of the branch to execution on the right path; SOG: at least 10 */
    FRONT_DEPTH = MISPREDICT_PENALTY - 2, /* fetch to dispatch: the fetch starts one cycle after the branch executed,
                                             and execution one cycle after dispatch */
    TAKEN_BUBBLE = 1, /* fetch slots lost to the killed sequential fetch (AMD IBS paper 2007, section 4.1) */
    DECODE_REDIRECT =
        4, /* choice: cycles from a fetch to its decode, where a direct branch without BTB entry is found */

    /* What an op waits in from dispatch on (SOG-K8 appendix A, sections A.11 to A.15; SOG appendix A has the same
     * numbers). Each place in a line has its own reservation station. */
    STATION_ENTRIES = 8, /* of each of the three, for integer and address micro-ops */
    FP_LINES = 12,       /* 36 entries in lines of three: ops of different lines never share one */
    LS1_ENTRIES = 12,    /* accesses until they look up the data cache; taken at dispatch, in program order (AMD Athlon
                            x86 Code Optimization Guide 22007, "Load/Store Pipeline Operations") */
    LS2_ENTRIES = 32,    /* after that: misses until their data is there, stores until they retire */
    STORE_QUEUE = LS2_ENTRIES,

    /* IBS: after an aborted or missed tag, and after an op-mode sample, bits 6:0 of the counter are random (AMD APM
     * vol. 2 section 13.3; Linux commit 0f4cd769c410). */
    IBS_RANDOM_BITS = 7,
    FETCH_RANDOM_BITS = 4, /* IbsRandEn randomises bits 3:0 (AMD APM vol. 2 section 13.3) */
    ERRATUM_420_NMIS = 16, /* choice: "cannot be cleared" is bounded, so that a test ends */

    /* Interrupts of counters and timer. */
    SKID_OPS = 72, /* the reported address is up to 72 ops away (AMD IBS paper 2007, section 3), the reorder buffer */
    INTERRUPT_DELAY = 8, /* choice: least number of cycles from the event until the core recognises it */
    INTERRUPT_SPREAD =
        32, /* choice: and a uniform random part; docs/model.md compares the result with the paper's profile */
    APIC_TIMER_MHZ = 200, /* choice: the family's reference clock */
};

struct vpmu_params {
    const char *brand;  /* CPUID Fn8000_0002..4, at most 47 characters */
    uint32_t signature; /* CPUID Fn0000_0001 EAX */
    uint32_t max_extended_leaf;
    uint32_t ibs_caps; /* CPUID Fn8000_001B EAX; meaningless when the leaf does not exist */
    uint32_t l3_sets;
    uint32_t l3_ways;
    uint32_t l3_half_mb; /* size in units of 512 KB, as CPUID shows it */
    uint32_t mhz;        /* of the core and of the TSC */
    uint32_t dram_cycles;
    uint32_t hop_cycles;
    uint8_t window_shift; /* as in struct vpmu_config */
    bool l2_dtlb_random;  /* its 4 KB entries are replaced at random, else the least recently used one is */
    bool cnt_ctl;         /* IbsOpCntCtl exists */
    bool rdwr_cur_cnt;    /* IbsOpCurCnt can be read and written */
    bool l2_dtlb_1g;      /* L2 DTLB holds 1 GB pages, IbsOpData3[19] exists */
};

const struct vpmu_params *vpmu_params_of(enum vpmu_revision revision);

/* Latency in cycles of an instruction's execution without its memory accesses (GCC i386.c, amdfam10_cost). */
unsigned params_latency(const struct codemap_insn *insn);

#endif
