/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Differences between AMD's processors with IBS, as data: a row for each family and range of models. One file a family
 * (core/family/family_NAME.c); the linker collects the rows, so that a family is added by adding its file
 * (docs/adding.md).
 *
 * Whether a machine has what a capability bit of CPUID Fn8000_001B announces is not said here: a register's field
 * exists where the row's mask has its bits and the capabilities agree (core/ibs/ibs_field.h).
 *
 * Sources, short names of the rows' comments:
 *   LX-h     Linux arch/x86/include/asm/amd/ibs.h (bit fields, after AMD 55898)
 *   LX-ibs   Linux arch/x86/events/amd/ibs.c
 *   LX-raw   Linux tools/perf/util/amd-sample-raw.c (the decoder of perf script -D, with the errata)
 *   LX-core  Linux arch/x86/events/amd/core.c
 *   TK       AMD_IBS_Toolkit: include/ibs-uapi.h, include/ibs-msr-index.h, tools/ibs_decoder, driver/
 *   OP, CXL  oprofile daemon/opd_ibs_trans.c; CodeXL IbsEvents.h
 *   APM      AMD64 Architecture Programmer's Manual, vol. 2, 13.3
 * Where two of them disagree, the row says what was taken.
 */
#ifndef CORE_IBS_FAMILY_H
#define CORE_IBS_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/family/event_set.h"

/* Sources of a load's data: the meanings of a family's numbers in IbsOpData2. */
enum ibs_source {
    IBS_SOURCE_RESERVED, /* not documented for this family */
    IBS_SOURCE_NONE,     /* no status: the L2 had it, or no load, or no miss */
    IBS_SOURCE_L3,       /* local L3; from Zen 4 on also L1 or L2 of another core of the same complex */
    IBS_SOURCE_CACHE, /* another core's cache: to Family 16h on any node, from Zen 4 on in another complex of the node
                       */
    IBS_SOURCE_NEAR,  /* L3 or another core's cache of this node, not told apart */
    IBS_SOURCE_FAR_CACHE, /* a cache of another node */
    IBS_SOURCE_DRAM,
    IBS_SOURCE_LONG_LATENCY, /* DIMMs of long latency: persistent memory */
    IBS_SOURCE_EXTENSION,    /* extension memory: CXL, S-Link */
    IBS_SOURCE_PEER,         /* coherent memory of another kind of processor */
    IBS_SOURCE_OTHER,        /* MMIO, I/O, configuration space, APIC */
    IBS_SOURCES,
};

enum { IBS_SOURCE_VALUES = 32, IBS_PAGE_VALUES = 4 };

/* Properties that neither capability bits nor masks express. */
enum ibs_trait {
    IBS_TRAIT_MAB_HIT = 1 << 0,      /* IbsOpData3[16]: a miss buffer existed already */
    IBS_TRAIT_NO_MAB_ALLOC = 1 << 1, /* IbsOpData3[16]: a DC miss without an allocated miss buffer */
    IBS_TRAIT_NB_STATUS = 1 << 2,    /* IbsOpData2 is the northbridge's answer as of Family 10h (events F240 to F24C) */
    IBS_TRAIT_NB_L3 = 1 << 3,        /* the northbridge can report hits in the L3 */
    IBS_TRAIT_FETCH_BY_PHYS = 1 << 4, /* fetch status is valid only with a physical address (Zen 6) */
    IBS_TRAIT_DC_BY_LIN =
        1 << 5,                  /* IbsDcPhysAd only with IbsDcLinAddrValid, TlbRefillLat only with IbsDcPhyAddrValid */
    IBS_TRAIT_UC_FIRST = 1 << 6, /* DcMiss, L2Miss, DataSrc and DcMissLat are invalid for an uncacheable access */
    /* Everything beside IBS and the counters (core/platform/silicon_rows.h, P-states, boost, northbridge) is as this
     * program knows it. */
    IBS_TRAIT_SILICON_KNOWN = 1 << 7,
    IBS_TRAIT_SWITCH = 1 << 8,  /* firmware may leave IBS off; drivers/machine/zen_ibs.h switches it on */
    IBS_TRAIT_DEFAULT = 1 << 9, /* assumed for files that do not name their processor */
    /* Short loops run from an op cache, without fetches (AMD 55723, 56665, 58455: Software Optimization Guides for
     * Family 17h, 19h, Zen 5; uProf 5.3: extremely few fetch samples on Zen and Zen 2). */
    IBS_TRAIT_OP_CACHE = 1 << 10,
    IBS_TRAIT_BRANCH_SAMPLING = 1 << 11, /* Branch Sampling, where CPUID has it (core/family/branch_regs.h) */
};

/* Errata that change what is done or shown: bits of ibs_family.errata; the texts are rows of
 * core/family/ibs_errata_rows.h. */
enum ibs_erratum_index {
#define IBS_ERRATUM(flag, ...) IBS_E_##flag##_INDEX,
#include "core/family/ibs_errata_rows.h"
#undef IBS_ERRATUM
    IBS_ERRATA,
};
enum ibs_erratum {
#define IBS_ERRATUM(flag, ...) IBS_E_##flag = 1 << IBS_E_##flag##_INDEX,
#include "core/family/ibs_errata_rows.h"
#undef IBS_ERRATUM
};

/* Says who chooses the entry of the extended LVT for IBS. */
enum ibs_lvt_policy {
    IBS_LVT_OS,       /* software writes F3x1CC of every node; entries from 1 on */
    IBS_LVT_FIRMWARE, /* firmware did: MSR C001_103A is valid, any entry; nothing is written */
};

/* How nodes are found. */
enum ibs_node_policy {
    IBS_NODES_NORTHBRIDGE, /* PCI devices 18h + node */
    IBS_NODES_CPUID,       /* CPUID Fn8000_001E ECX, SRAT */
};

/* Says how a P-state's register is read (Linux tools/power/cpupower/utils/helpers/amd.c, get_cof; 10h: AGESA
 * cpuF10Pstate.c).
 */
enum ibs_clocks {
    IBS_CLOCKS_10H, /* 100 MHz * (bits 5:0 + 10h) / 2 ^ bits 8:6 */
    IBS_CLOCKS_DID, /* 200 MHz * bits 7:0 / bits 13:8 */
    IBS_CLOCKS_5,   /* 5 MHz * bits 11:0 */
};

/* Names the counters outside of the cores (rows of drivers/pmu/outer.c). */
enum ibs_outer {
    IBS_OUTER_NONE,
    IBS_OUTER_17H = 1, /* L3, by threads and slices; data fabric, both directions of a channel of memory together */
    IBS_OUTER_19H = 2, /* likewise with other bits */
    IBS_OUTER_UMC = 4, /* L3 likewise; memory controllers */
};

struct ibs_pmc {
    uint8_t count;          /* core counters; from version 2 on CPUID Fn8000_0022 EBX[3:0] says it */
    uint8_t version;        /* 1, or 2: global control and status, MSR C000_0300h to 0302h */
    uint8_t stride;         /* between the registers of two counters */
    uint8_t count_mask_max; /* largest useful CntMask */
    uint32_t ctl, ctr;      /* MSR of counter 0's control and count */
};

struct ibs_family {
    uint16_t family; /* CPUID, extended family added */
    uint8_t model_first, model_last;
    const char *name; /* "Family 19h models 00h-0Fh, Zen 3" */

    /* Bits that are not reserved. */
    uint64_t fetch_ctl, op_ctl, op_data, op_data2, op_data3;
    uint32_t caps_ignored; /* bits of Fn8000_001B EAX that mean nothing here */
    uint32_t caps_known;   /* ... that a machine of the row printed or a document has; one without them is reported */
    uint32_t traits;       /* enum ibs_trait */
    uint32_t errata;       /* enum ibs_erratum */
    uint8_t phys_bits;     /* of IbsFetchPhysAd and IbsDcPhysAd */
    uint8_t cur_cnt_bits;  /* of IbsOpCurCnt */

    uint8_t source[IBS_SOURCE_VALUES];  /* raw source -> enum ibs_source; more than 3 bits with caps bit 11 */
    uint32_t node_sources;              /* bit n: IbsOpData2[4] (another node) means something with raw source n */
    uint32_t state_sources;             /* the same for IbsOpData2[5] (owned or modified) */
    uint8_t page_size[IBS_PAGE_VALUES]; /* IbsFetchCtl[54:53] -> enum ibs_page_size of core/family/ibs_regs.h */

    uint8_t lvt;         /* enum ibs_lvt_policy */
    uint8_t nodes;       /* enum ibs_node_policy */
    uint8_t clocks;      /* enum ibs_clocks */
    uint8_t outer;       /* enum ibs_outer */
    uint16_t interrupts; /* event: interrupts taken; 0: unknown (Linux pmu-events/arch/x86/amdzen2/core.json) */
    uint8_t events;      /* enum event_set: its counter events; EVENT_SET_NONE: no table */
    struct ibs_pmc pmc;
};

/* Begins the table of a file; the linker puts the tables of all files next to each other. Aligned as one row: by itself
 * the compiler aligns a table to more, and there would be gaps. */
#define IBS_FAMILY_ROWS static const struct ibs_family rows[] __attribute__((section("family_rows"), used, aligned(8)))

/* Returns the first row that has family and model; NULL: none does, so only raw registers can be shown. */
const struct ibs_family *ibs_family_of(unsigned family, unsigned model);

/* Returns a row, in the order in which the files are linked; NULL beyond the last. */
const struct ibs_family *ibs_family_row(unsigned index);

struct ibs_erratum_text {
    const char *name;   /* "#420" */
    const char *effect; /* what the processor does */
    const char *action; /* what we do */
    const char *source;
};

/* Indexed by enum ibs_erratum_index. */
extern const struct ibs_erratum_text ibs_errata[IBS_ERRATA];

#endif
