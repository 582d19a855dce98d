/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Derived events: what one IBS sample counts for.
 *
 * The 60 events that CodeAnalyst and oprofile offer on Family 10h (codes F000..F24C), and a few counters of our own
 * (codes X...) without which some averages and identities cannot be right. One sample counts for many events. Values
 * are numbers of samples, or sums of cycles over samples; they are not scaled by the sampling period.
 *
 * Sources: oprofile daemon/opd_ibs_trans.c and opd_ibs_macro.h (conditions), CodeAnalyst gh-events.xml (names and
 * abbreviations), CodeXL 0x10.xml (documentation of intent). Where oprofile's code and the documentation differ (killed
 * fetches: F002, F004, F00E), the documentation is followed: "attempted" leaves out killed fetches, and so does all
 * that is derived from it.
 *
 * Not offered: F00C and F00D (1G and reserved fetch pages: never exposed), F214 and F218 (reserved), F00F, F010, F10A,
 * F21A..F21C and FF00..FF06 (later families only).
 */
#ifndef CORE_DERIVED_H
#define CORE_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/record.h"

enum derived {
    DERIVED_F000_FETCH_ALL,
    DERIVED_F001_FETCH_KILLED,
    DERIVED_F002_FETCH_ATTEMPTED,
    DERIVED_F003_FETCH_COMPLETED,
    DERIVED_F004_FETCH_ABORTED,
    DERIVED_F005_ITLB_L1_HIT,
    DERIVED_F006_ITLB_L1M_L2H,
    DERIVED_F007_ITLB_L1M_L2M,
    DERIVED_F008_IC_MISS,
    DERIVED_F009_IC_HIT,
    DERIVED_F00A_FETCH_4K,
    DERIVED_F00B_FETCH_2M,
    DERIVED_F00E_FETCH_LATENCY,
    DERIVED_F100_OP_ALL,
    DERIVED_F101_TAG_TO_RETIRE,
    DERIVED_F102_COMP_TO_RETIRE,
    DERIVED_F103_BRANCH,
    DERIVED_F104_BRANCH_MISPREDICTED,
    DERIVED_F105_BRANCH_TAKEN,
    DERIVED_F106_BRANCH_TAKEN_MISPREDICTED,
    DERIVED_F107_RETURN,
    DERIVED_F108_RETURN_MISPREDICTED,
    DERIVED_F109_RESYNC,
    DERIVED_F200_LOAD_STORE,
    DERIVED_F201_LOAD,
    DERIVED_F202_STORE,
    DERIVED_F203_DTLB_L1_HIT,
    DERIVED_F204_DTLB_L1M_L2H,
    DERIVED_F205_DTLB_L1M_L2M,
    DERIVED_F206_DC_MISS,
    DERIVED_F207_DC_HIT,
    DERIVED_F208_MISALIGNED,
    DERIVED_F209_BANK_CONFLICT_LOAD,
    DERIVED_F20A_BANK_CONFLICT_STORE,
    DERIVED_F20B_FORWARDED,
    DERIVED_F20C_FORWARD_CANCELLED,
    DERIVED_F20D_UC_ACCESS,
    DERIVED_F20E_WC_ACCESS,
    DERIVED_F20F_LOCKED,
    DERIVED_F210_MAB_HIT,
    DERIVED_F211_DTLB_L1_4K,
    DERIVED_F212_DTLB_L1_2M,
    DERIVED_F213_DTLB_L1_1G,
    DERIVED_F215_DTLB_L2_4K,
    DERIVED_F216_DTLB_L2_2M,
    DERIVED_F217_DTLB_L2_1G,
    DERIVED_F219_DC_LOAD_LATENCY,
    DERIVED_F240_NB_LOCAL,
    DERIVED_F241_NB_REMOTE,
    DERIVED_F242_NB_LOCAL_L3,
    DERIVED_F243_NB_LOCAL_CACHE,
    DERIVED_F244_NB_REMOTE_CACHE,
    DERIVED_F245_NB_LOCAL_DRAM,
    DERIVED_F246_NB_REMOTE_DRAM,
    DERIVED_F247_NB_LOCAL_OTHER,
    DERIVED_F248_NB_REMOTE_OTHER,
    DERIVED_F249_NB_CACHE_MODIFIED,
    DERIVED_F24A_NB_CACHE_OWNED,
    DERIVED_F24B_NB_LOCAL_LATENCY,
    DERIVED_F24C_NB_REMOTE_LATENCY,
    DERIVED_OFFERED, /* 60 events above; our own follow */

    /* Cycles of branch ops: their averages. CodeAnalyst's branch views divide F101 and F102 (all ops) by F100. */
    DERIVED_X100_BRANCH_TAG_TO_RETIRE = DERIVED_OFFERED,
    DERIVED_X101_BRANCH_COMP_TO_RETIRE,
    /* Loads that missed the DC: the denominator of the true average DC miss latency. CodeAnalyst divides F219 (loads)
     * by F206 (loads and stores). */
    DERIVED_X200_LOAD_DC_MISS,
    DERIVED_X201_LIN_ADDR_VALID,    /* load/store ops with a valid linear address: F203 + F204 + F205 */
    DERIVED_X202_LOAD_DTLB_L1M_L2M, /* loads among F205 */
    /* Cycles of loads and stores that missed the DC: X203 among F101, and X203 - X204 among F101 - F102, are the
     * memory's share of the time to retirement and to completion (core/explore.h, struct explore_ibs). */
    DERIVED_X203_DC_MISS_TAG_TO_RETIRE,
    DERIVED_X204_DC_MISS_COMP_TO_RETIRE,
    DERIVED_X240_NB_STATUS, /* loads that missed the DC and have northbridge status: F240 + F241; the rest hit the L2 */
    DERIVED_COUNT,
};

enum derived_unit {
    DERIVED_SAMPLES, /* +1 per sample that passes the gate */
    DERIVED_CYCLES,  /* + a 16-bit field of the sample */
};

/* One condition on one register. any: at least one bit of mask is set; else: (register & mask) == value. */
struct derived_test {
    uint64_t mask; /* 0: no test */
    uint64_t value;
    uint8_t reg; /* index into sample_record.reg */
    bool any;
};

enum { DERIVED_TESTS = 3 };

struct derived_event {
    char code[5];                            /* "F000"; "X..." are ours */
    char since;                              /* first revision of Family 10h that has it: 'B' or 'C' */
    uint8_t kind;                            /* enum sample_kind */
    uint8_t unit;                            /* enum derived_unit */
    uint8_t field_reg;                       /* DERIVED_CYCLES: index into sample_record.reg, ... */
    uint8_t field_shift;                     /* ... and the lowest bit of the 16-bit field that is added */
    const char *name;                        /* "IBS all fetch samples" */
    const char *abbreviation;                /* "IBS all fetch" */
    const char *symbol;                      /* oprofile's: "IBS_FETCH_ALL"; "" for ours */
    struct derived_test gate[DERIVED_TESTS]; /* all of them must hold */
};

/* Indexed by enum derived. */
extern const struct derived_event derived_events[DERIVED_COUNT];

/* "samples" or "cycles". */
const char *derived_unit_name(const struct derived_event *event);

/* Whether the sample passes the event's gate. False for samples of the other kind. IbsOpData[38] (RipInvalid) is
 * reserved on Family 10h: no gate reads it and no sample is dropped for it. */
bool derived_applies(const struct derived_event *event, const struct sample_record *record);

/* Adds one sample to counts. Records of an unknown kind add nothing. */
void derived_add(uint64_t counts[DERIVED_COUNT], const struct sample_record *record);

#endif
