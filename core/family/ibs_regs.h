/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IBS registers of AMD's processors, Family 10h's first: numbers, masks and getters, nothing that executes a
 * privileged instruction. Lines say what only later families have; core/family/family_*.c says which.
 *
 * Sources, unless a line says otherwise: AMD BKDG 31116 (MSRC001_1030..103A, F3x1CC), AMD APM vol. 2 section 13.3,
 * Linux arch/x86/include/asm/amd-ibs.h, oprofile daemon/opd_ibs_macro.h, AMD IBS Toolkit include/ibs-msr-index.h.
 * Where these disagree the line says what was taken and why.
 *
 * Revisions of Family 10h: B (model 2), C (4..6), D (8, 9), E (0Ah). "C+" means revision C and later. A getter takes
 * the raw register. No getter checks validity: the gates (which bit makes which field valid) are rows in derived.c.
 */
#ifndef CORE_IBS_REGS_H
#define CORE_IBS_REGS_H

#include <stdbool.h>
#include <stdint.h>

#define IBS_BIT(n)                  (1ull << (n))
#define IBS_FIELD(value, high, low) (((value) >> (low)) & ((2ull << ((high) - (low))) - 1))

/* ---------------------------------------------------------------- MSR numbers */

#define MSR_IBS_FETCH_CTL    0xC0011030u
#define MSR_IBS_FETCH_LINAD  0xC0011031u
#define MSR_IBS_FETCH_PHYSAD 0xC0011032u
#define MSR_IBS_OP_CTL       0xC0011033u
#define MSR_IBS_OP_RIP       0xC0011034u
#define MSR_IBS_OP_DATA      0xC0011035u
#define MSR_IBS_OP_DATA2     0xC0011036u
#define MSR_IBS_OP_DATA3     0xC0011037u
#define MSR_IBS_DC_LINAD     0xC0011038u
#define MSR_IBS_DC_PHYSAD    0xC0011039u
#define MSR_IBS_CONTROL      0xC001103Au /* read-only copy of F3x1CC of the core's node; later families: firmware's */
#define MSR_IBS_BR_TARGET    0xC001103Bu /* IBS_CAP_BRNTRGT: branches only */
#define MSR_IBS_FETCH_EXTD   0xC001103Cu /* IBS_CAP_FETCHCTLEXTD: 15:0 ITLB refill latency, valid with IBS_FETCH_COMP */
/* Linux arch/x86/events/amd/ibs.c as of e267b4178134 (2026), asm/msr-index.h. */
#define MSR_IBS_OP_CTL2    0xC001103Eu /* IBS_CAP_DIS, IBS_CAP_BIT63_FILTER, IBS_CAP_STRMST */
#define MSR_IBS_FETCH_CTL2 0xC001103Fu /* IBS_CAP_DIS, IBS_CAP_FETCHLAT, IBS_CAP_BIT63_FILTER */

/* ---------------------------------------------------------------- CPUID */

#define CPUID_LEAF_EXTENDED_FEATURES 0x80000001u
#define CPUID_LEAF_IBS               0x8000001Bu
#define CPUID_EXT_ECX_IBS            (1u << 10) /* Fn8000_0001 ECX: the processor has IBS */

/* Fn8000_001B EAX. The leaf exists from revision C on. */
#define IBS_CAP_FFV          (1u << 0)  /* the bits below are valid */
#define IBS_CAP_FETCH        (1u << 1)  /* fetch sampling */
#define IBS_CAP_OP           (1u << 2)  /* op sampling */
#define IBS_CAP_RDWR_OPCNT   (1u << 3)  /* IbsOpCurCnt can be read and written (C+) */
#define IBS_CAP_OPCNT        (1u << 4)  /* IbsOpCntCtl: count dispatched ops (C+) */
#define IBS_CAP_BRNTRGT      (1u << 5)  /* MSRC001_103B; later families */
#define IBS_CAP_OPCNTEXT     (1u << 6)  /* 27-bit op counters; later families */
#define IBS_CAP_RIPINVALID   (1u << 7)  /* IbsOpData[38]; later families */
#define IBS_CAP_OPBRNFUSE    (1u << 8)  /* later families */
#define IBS_CAP_FETCHCTLEXTD (1u << 9)  /* MSRC001_103C; later families */
#define IBS_CAP_OPDATA4      (1u << 10) /* MSRC001_103D; later families */
#define IBS_CAP_L3MISSONLY   (1u << 11) /* filter of misses of the L3; five bits of data source. Zen 4 */
/* Names of the newest APM and of Linux' arch/x86/include/asm/amd/ibs.h and its patches of 2025 and 2026. */
#define IBS_CAP_LDLAT        (1u << 12) /* filter of loads by latency. Zen 5 */
#define IBS_CAP_DIS          (1u << 13) /* CTL2[0] stops a unit */
#define IBS_CAP_FETCHLAT     (1u << 14) /* filter of fetches by latency */
#define IBS_CAP_BIT63_FILTER (1u << 15) /* filter of addresses by their bit 63 */
#define IBS_CAP_STRMST       (1u << 16) /* IbsOpData2[9:8]: streaming store, remote socket */
#define IBS_CAP_DTLB_PGSIZE  (1u << 19) /* IbsOpData3[5:4] is the page's size. Zen 5 */

/* Capabilities of a processor with IBS but without a valid leaf: revision B (Linux arch/x86/events/amd/ibs.c,
 * IBS_CAPS_DEFAULT). */
#define IBS_CAPS_DEFAULT (IBS_CAP_FFV | IBS_CAP_FETCH | IBS_CAP_OP)

/* Returns the capabilities, from the highest extended leaf and Fn8000_001B EAX (any value when the leaf does not
 * exist). To be called only when CPUID_EXT_ECX_IBS is set. The IBS Toolkit refuses to run without the leaf; Linux and
 * CodeAnalyst assume the default. */
static inline uint32_t ibs_caps(uint32_t max_extended_leaf, uint32_t leaf_eax)
{
    if (max_extended_leaf < CPUID_LEAF_IBS || !(leaf_eax & IBS_CAP_FFV))
        return IBS_CAPS_DEFAULT;
    return leaf_eax;
}

/* ---------------------------------------------------------------- F3x1CC IBS Control, and its copy MSRC001_103A
 *
 *  31          9   8   7       4 3          0
 *  |  reserved   | V | reserved | LvtOffset  |
 *
 * PCI bus 0, device 18h + node, function 3, offset 1CCh. Firmware leaves it unset on this family; a user of IBS
 * writes it on every node (Linux arch/x86/events/amd/ibs.c, force_ibs_eilvt_setup). */
#define PCI_NODE_DEVICE    0x18u
#define PCI_IBS_FUNCTION   3u
#define PCI_IBS_CONTROL    0x1CCu
#define PCI_F10H_F3_ID     0x12031022u /* device id << 16 | vendor id of function 3 of a Family 10h node */
#define IBS_CTL_LVT_OFFSET 0x00Full    /* 3:0: entry of the extended LVT, at APIC 500h + 10h * offset */
#define IBS_CTL_LVT_VALID  IBS_BIT(8)

/* ---------------------------------------------------------------- IbsFetchCtl, MSRC001_1030
 *
 *  63      58 57   56   55   54:53 52   51   50   49  48 47       32 31      16 15        0
 *  | reserved|Rand|L2M |L1M |PgSz |PhyV|IcM |Comp|Val|En| FetchLat  | FetchCnt | MaxCnt    |
 */
#define IBS_FETCH_MAX_CNT    0xFFFFull         /* 15:0: period >> 4 */
#define IBS_FETCH_CNT        (0xFFFFull << 16) /* 31:16: bits 19:4 of the running counter */
#define IBS_FETCH_LAT        (0xFFFFull << 32) /* 47:32: cycles from start of the fetch to completion or abort */
#define IBS_FETCH_EN         IBS_BIT(48)
#define IBS_FETCH_VAL        IBS_BIT(49) /* a sample is there; nothing is counted until software clears it */
#define IBS_FETCH_COMP       IBS_BIT(50) /* delivered bytes to the decoder */
#define IBS_FETCH_IC_MISS    IBS_BIT(51)
#define IBS_FETCH_PHY_VALID  IBS_BIT(52)  /* IbsFetchPhysAd and the page size are valid */
#define IBS_FETCH_PG_SZ      (3ull << 53) /* 54:53, enum ibs_page_size; valid only with bit 52 */
#define IBS_FETCH_L1TLB_MISS IBS_BIT(55)
#define IBS_FETCH_L2TLB_MISS IBS_BIT(56)
#define IBS_FETCH_RAND_EN    IBS_BIT(57) /* hardware randomises bits 3:0 of the counter at each start */
/* 63:58 are reserved on Family 10h (58 is a fetch L2 miss on later families). */
#define IBS_FETCH_L3MISSONLY IBS_BIT(59) /* IBS_CAP_L3MISSONLY: only fetches that missed the L3 make samples */

#define IBS_FETCH_L2_MISS IBS_BIT(58) /* later families, as 60 and 61 with IBS_CAP_L3MISSONLY (Linux asm/amd/ibs.h) */
#define IBS_FETCH_OC_MISS IBS_BIT(60) /* missed the op cache */
#define IBS_FETCH_L3_MISS IBS_BIT(61)

/* Bits that software sets; the others report (perfmon2 kernel patch, write mask of IbsFetchCtl). */
#define IBS_FETCH_SETTINGS (IBS_FETCH_RAND_EN | IBS_FETCH_EN | IBS_FETCH_MAX_CNT)

/* A fetch is "killed" when it reached neither ITLB nor instruction cache: none of these is set (oprofile
 * daemon/opd_ibs_macro.h, IBS_FETCH_KILLED; CodeXL IbsEvents.h). */
#define IBS_FETCH_REACHED                                                                                              \
    (IBS_FETCH_COMP | IBS_FETCH_IC_MISS | IBS_FETCH_PHY_VALID | IBS_FETCH_L1TLB_MISS | IBS_FETCH_L2TLB_MISS)

enum ibs_page_size { IBS_PAGE_4K = 0, IBS_PAGE_2M = 1, IBS_PAGE_1G = 2, IBS_PAGE_RESERVED = 3, IBS_PAGE_16K };

static inline uint32_t ibs_fetch_max_cnt(uint64_t ctl)
{
    return (uint32_t)IBS_FIELD(ctl, 15, 0);
}
static inline uint32_t ibs_fetch_lat(uint64_t ctl)
{
    return (uint32_t)IBS_FIELD(ctl, 47, 32);
}
static inline bool ibs_fetch_comp(uint64_t ctl)
{
    return (ctl & IBS_FETCH_COMP) != 0;
}
static inline bool ibs_fetch_phy_valid(uint64_t ctl)
{
    return (ctl & IBS_FETCH_PHY_VALID) != 0;
}
static inline uint32_t ibs_fetch_pg_sz(uint64_t ctl)
{
    return (uint32_t)IBS_FIELD(ctl, 54, 53);
}
static inline bool ibs_fetch_killed(uint64_t ctl)
{
    return (ctl & IBS_FETCH_REACHED) == 0;
}

/* ---------------------------------------------------------------- Addresses
 * IbsFetchLinAd (MSRC001_1031), IbsOpRip (1034), IbsDcLinAd (1038): 63:0. Valid: always; always; IbsDcLinAddrValid.
 * IbsFetchPhysAd (1032), IbsDcPhysAd (1039): 47:0, the physical address size of this family (APM: 51:0 later). Valid:
 * IBS_FETCH_PHY_VALID; IbsDcPhyAddrValid. */
#define IBS_PHYSAD 0x0000FFFFFFFFFFFFull

static inline uint64_t ibs_physad(uint64_t reg)
{
    return reg & IBS_PHYSAD;
}

/* IbsFetchLinAd may come with wrong upper bits: CodeAnalyst clears 63:48 ("workaround UBTS:228876"), CodeXL too
 * ("ERBT_713_NON_CANONICAL_MASK"). We sign-extend bit 47 instead, so that addresses in the upper half stay right. */
static inline uint64_t ibs_canonical(uint64_t address)
{
    return (uint64_t)((int64_t)(address << 16) >> 16);
}

/* ---------------------------------------------------------------- IbsOpCtl, MSRC001_1033
 *
 *  63      52 51       32 31     20 19     18  17  16 15        0
 *  | reserved| CurCnt    | reserved|CntCtl|Val|En|rs| MaxCnt     |
 */
#define IBS_OP_MAX_CNT 0xFFFFull /* 15:0: period >> 4 */
#define IBS_OP_EN      IBS_BIT(17)
#define IBS_OP_VAL     IBS_BIT(18) /* a sample is there; nothing is counted until software clears it */
#define IBS_OP_CNT_CTL IBS_BIT(19) /* 0: count core clocks, 1: dispatched ops. C+, IBS_CAP_OPCNT; reserved on B */
/* 51:32, 20 bits on this family ("IBS_OP_CUR_CNT_OLD" in the Toolkit; 27 bits with IBS_CAP_OPCNTEXT).
 * Software may use it only with IBS_CAP_RDWR_OPCNT (C+). */
#define IBS_OP_CUR_CNT       (0xFFFFFull << 32)
#define IBS_OP_CUR_CNT_SHIFT 32
/* 26:20, with IBS_CAP_OPCNTEXT: the same bits of the period, not shifted. Later families. */
#define IBS_OP_MAX_CNT_EXT (0x7Full << 20)
/* IbsOpCurCnt with IBS_CAP_OPCNTEXT: 58:32. Bits 38:32 are random right after a sample (APM vol. 2 section 13.3). */
#define IBS_OP_CUR_CNT_EXT (0x7FFFFFFull << 32)
#define IBS_OP_L3MISSONLY  IBS_BIT(16)    /* IBS_CAP_L3MISSONLY: only ops that missed the L3 make samples */
#define IBS_OP_LDLAT_THRSH (0xFull << 59) /* 62:59, IBS_CAP_LDLAT: latency of more than (n + 1) * 128 cycles */
#define IBS_OP_LDLAT_EN    IBS_BIT(63)    /* Linux d20610c19b4a; not in the public APM */
#define IBS_OP_LDLAT_SHIFT 59
#define IBS_LDLAT_STEP     128u /* cycles */
#define IBS_LDLAT_MAX      2048u

/* IbsOpCtl2 and IbsFetchCtl2: with IBS_CAP_DIS a unit runs while IbsEn is 1 and this is 0 (Linux 28063f05f38b). */
#define IBS_CTL2_DIS IBS_BIT(0)

static inline uint32_t ibs_op_max_cnt(uint64_t ctl)
{
    return (uint32_t)IBS_FIELD(ctl, 15, 0);
}
static inline uint32_t ibs_op_cur_cnt(uint64_t ctl)
{
    return (uint32_t)IBS_FIELD(ctl, 51, 32);
}

/* ---------------------------------------------------------------- IbsOpData, MSRC001_1035
 *
 *  63      39 38   37     36    35     34   33       32      31         16 15          0
 *  | reserved|RipI|BrnRet|Misp|Taken|Ret |MispRet|Resync| TagToRetCtr    | CompToRetCtr |
 */
#define IBS_OP_COMP_TO_RET (0xFFFFull)       /* 15:0: cycles, completion to retirement */
#define IBS_OP_TAG_TO_RET  (0xFFFFull << 16) /* 31:16: cycles, tagging to retirement */
#define IBS_OP_BRN_RESYNC  IBS_BIT(32)       /* pipeline resync; not gated by bit 37. Family 10h, Llano, Bulldozer */
#define IBS_OP_MISP_RETURN IBS_BIT(33)       /* mispredicted return; oprofile uses 34 & 36 instead */
#define IBS_OP_RETURN      IBS_BIT(34)
#define IBS_OP_BRN_TAKEN   IBS_BIT(35)
#define IBS_OP_BRN_MISP    IBS_BIT(36)
#define IBS_OP_BRN_RET     IBS_BIT(37) /* a branch op retired: makes 33..36 valid */
#define IBS_OP_BRN_FUSE    IBS_BIT(39) /* IBS_CAP_OPBRNFUSE */
#define IBS_OP_MICROCODE   IBS_BIT(40) /* later families */
#define IBS_OP_RIP_INVALID IBS_BIT(38) /* reserved on Family 10h: never to be acted on (oprofile masks it too) */

static inline uint32_t ibs_op_comp_to_ret(uint64_t data)
{
    return (uint32_t)IBS_FIELD(data, 15, 0);
}
static inline uint32_t ibs_op_tag_to_ret(uint64_t data)
{
    return (uint32_t)IBS_FIELD(data, 31, 16);
}
static inline bool ibs_op_return(uint64_t data)
{
    return (data & IBS_OP_RETURN) != 0;
}
static inline bool ibs_op_brn_ret(uint64_t data)
{
    return (data & IBS_OP_BRN_RET) != 0;
}

/* ---------------------------------------------------------------- IbsOpData2, MSRC001_1036
 * Northbridge data: guaranteed only for loads that miss L1 and L2; for stores it comes too late (oprofile
 * opd_ibs_trans.c). */
#define IBS_NB_REQ_SRC 0x7ull /* 2:0, enum ibs_nb_source */
#define IBS_NB_DST_PROC                                                                                                \
    IBS_BIT(4) /* 0: node of the requesting core, 1: another (perfmon2's sample program has it inverted) */
#define IBS_NB_CACHE_HIT_ST IBS_BIT(5) /* 0: modified, 1: owned; valid only for IBS_NB_CACHE */

enum ibs_nb_source {
    IBS_NB_NONE = 0,  /* no valid status: the L2 had it, or not a load, or not a miss */
    IBS_NB_L3 = 1,    /* local L3 */
    IBS_NB_CACHE = 2, /* another core's L1 or L2, or a remote L1, L2 or L3 */
    IBS_NB_DRAM = 3,
    IBS_NB_REMOTE_CACHE = 4, /* Zen to Zen 3: of another node (Linux asm/amd/ibs.h); else reserved */
    IBS_NB_OTHER = 7,        /* MMIO, configuration space, PCI, APIC; 5 and 6 are reserved */
};

static inline uint32_t ibs_nb_req_src(uint64_t data2)
{
    return (uint32_t)IBS_FIELD(data2, 2, 0);
}
static inline bool ibs_nb_dst_proc(uint64_t data2)
{
    return (data2 & IBS_NB_DST_PROC) != 0;
}
static inline bool ibs_nb_cache_hit_st(uint64_t data2)
{
    return (data2 & IBS_NB_CACHE_HIT_ST) != 0;
}

/* ---------------------------------------------------------------- IbsOpData3, MSRC001_1037
 *
 *  63      48 47        32 31      20 19 18 17 16 15 14 13 12 11 10 9  8  7  6  5  4  3  2  1  0
 *  | reserved| DcMissLat  | reserved |L2 Ph Ln Ma Lo Uc Wc Ca Fw Sb Lb Mi Mx L2 L1 L1 L2 L1 St Ld
 *                                     1G                                  2M 1G 2M ms ms
 * For an access that crosses a line or 128-bit boundary it describes the lower part (APM). */
#define IBS_LD_OP           IBS_BIT(0)
#define IBS_ST_OP           IBS_BIT(1) /* an op may be load and store */
#define IBS_DC_L1TLB_MISS   IBS_BIT(2)
#define IBS_DC_L2TLB_MISS   IBS_BIT(3)
#define IBS_DC_L1TLB_HIT_2M IBS_BIT(4)
#define IBS_DC_L1TLB_HIT_1G IBS_BIT(5) /* neither 4 nor 5: 4K */
#define IBS_DC_L2TLB_HIT_2M IBS_BIT(6)
#define IBS_DC_MISS         IBS_BIT(7)
#define IBS_DC_MIS_ACC      IBS_BIT(8)  /* crosses a 128-bit boundary */
#define IBS_DC_LD_BNK_CON   IBS_BIT(9)  /* Family 10h, Llano, Bulldozer */
#define IBS_DC_ST_BNK_CON   IBS_BIT(10) /* Family 10h, Llano */
#define IBS_DC_ST_TO_LD_FWD IBS_BIT(11) /* meaningful for loads */
#define IBS_DC_ST_TO_LD_CAN IBS_BIT(12) /* meaningful for loads */
/* 13 and 14 are swapped in the oldest sources (perfmon2, oprofile before 2010, CodeXL HdMsr.h); taken as oprofile since
 * 2010, the Toolkit, Linux and the APM have them. */
#define IBS_DC_WC_MEM_ACC     IBS_BIT(13)
#define IBS_DC_UC_MEM_ACC     IBS_BIT(14)
#define IBS_DC_LOCKED_OP      IBS_BIT(15)
#define IBS_DC_MAB_HIT        IBS_BIT(16) /* Family 10h to Trinity */
#define IBS_DC_LIN_ADDR_VALID IBS_BIT(17)
#define IBS_DC_PHY_ADDR_VALID IBS_BIT(18)
#define IBS_DC_L2TLB_HIT_1G   IBS_BIT(19) /* C+ */
#define IBS_DC_L2_MISS        IBS_BIT(20) /* 15h models 30h on, 16h, 17h on */
/* 47:32: cycles from detection of the miss to the return of data; not valid for stores. (Comments in oprofile 2009 and
 * CodeXL say 48:32; their code and everyone else 47:32.) 31:20 and 63:48 are reserved on Family 10h. */
#define IBS_DC_MISS_LAT (0xFFFFull << 32)

#define IBS_DC_L2_MISS   IBS_BIT(20) /* later families, as the next (Linux asm/amd/ibs.h) */
#define IBS_DC_SW_PF     IBS_BIT(21)
#define IBS_DC_WIDTH     (0xFull << 22)  /* 0: none; n: 1 << (n - 1) bytes */
#define IBS_DC_OPEN      (0x3Full << 26) /* IbsOpDcMissOpenMemReqs */
#define IBS_DC_PAGE_SIZE (3ull << 4)     /* IBS_CAP_DTLB_PGSIZE: 4K, 2M, 1G */
static inline bool ibs_ld_op(uint64_t data3)
{
    return (data3 & IBS_LD_OP) != 0;
}
static inline bool ibs_st_op(uint64_t data3)
{
    return (data3 & IBS_ST_OP) != 0;
}
static inline bool ibs_dc_l1tlb_miss(uint64_t data3)
{
    return (data3 & IBS_DC_L1TLB_MISS) != 0;
}
static inline bool ibs_dc_l2tlb_miss(uint64_t data3)
{
    return (data3 & IBS_DC_L2TLB_MISS) != 0;
}
static inline bool ibs_dc_miss(uint64_t data3)
{
    return (data3 & IBS_DC_MISS) != 0;
}
static inline bool ibs_dc_ld_bnk_con(uint64_t data3)
{
    return (data3 & IBS_DC_LD_BNK_CON) != 0;
}
static inline bool ibs_dc_st_bnk_con(uint64_t data3)
{
    return (data3 & IBS_DC_ST_BNK_CON) != 0;
}
static inline bool ibs_dc_st_to_ld_can(uint64_t data3)
{
    return (data3 & IBS_DC_ST_TO_LD_CAN) != 0;
}
static inline bool ibs_dc_wc_mem_acc(uint64_t data3)
{
    return (data3 & IBS_DC_WC_MEM_ACC) != 0;
}
static inline bool ibs_dc_uc_mem_acc(uint64_t data3)
{
    return (data3 & IBS_DC_UC_MEM_ACC) != 0;
}
static inline bool ibs_dc_locked_op(uint64_t data3)
{
    return (data3 & IBS_DC_LOCKED_OP) != 0;
}
static inline bool ibs_dc_mab_hit(uint64_t data3)
{
    return (data3 & IBS_DC_MAB_HIT) != 0;
}
static inline bool ibs_dc_lin_addr_valid(uint64_t data3)
{
    return (data3 & IBS_DC_LIN_ADDR_VALID) != 0;
}
static inline bool ibs_dc_phy_addr_valid(uint64_t data3)
{
    return (data3 & IBS_DC_PHY_ADDR_VALID) != 0;
}
static inline uint32_t ibs_dc_miss_lat(uint64_t data3)
{
    return (uint32_t)IBS_FIELD(data3, 47, 32);
}

/* ---------------------------------------------------------------- Periods
 * MaxCnt holds bits 19:4 of the period; bits 3:0 are 0. Units: fetches, core clocks or dispatched ops. */
#define IBS_PERIOD_STEP      0x10u
#define IBS_PERIOD_MAX       0xFFFF0u
#define IBS_OP_PERIOD_EXT    0x7FFFFF0u /* likewise for ops with IBS_CAP_OPCNTEXT: 26:4 */
#define IBS_FETCH_PERIOD_MIN 0x10u      /* Linux arch/x86/events/amd/ibs.c: min_period */
#define IBS_OP_PERIOD_MIN    0x90u      /* IBS Toolkit: MaxCnt of op sampling at least 9 */

static inline uint32_t ibs_period(uint32_t max_cnt)
{
    return (max_cnt & 0xFFFFu) << 4;
}

/* Returns the period of ops: bits 26:20 of a period of 27 bits are in the same places of IbsOpCtl (Linux
 * arch/x86/events/amd/ibs.c, IBS_OP_MAX_CNT_EXT_MASK). */
static inline uint32_t ibs_op_period(uint64_t ctl, uint32_t caps)
{
    return ibs_period(ibs_op_max_cnt(ctl)) + (caps & IBS_CAP_OPCNTEXT ? (uint32_t)(ctl & IBS_OP_MAX_CNT_EXT) : 0);
}

/* Returns the bits of IbsOpCtl that hold such a period. */
static inline uint64_t ibs_op_period_bits(uint32_t period)
{
    return (period >> 4 & IBS_OP_MAX_CNT) | (period & IBS_OP_MAX_CNT_EXT);
}

#endif
