/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One sample as the processor reported it: IBS, or the interrupt of a performance counter or of the timer.
 *
 * The NMI handler fills these records and nothing else; everything a user sees (tables, CSV, perf.data) is made from
 * them after the run. Registers are stored raw, in MSR order, so that no decoder error can ever damage a measurement.
 *
 * A register that the handler did not need to read (for example IbsDcLinAd of an op without a linear address) is 0.
 */
#ifndef CORE_RECORD_H
#define CORE_RECORD_H

#include <stdint.h>

enum sample_kind {
    SAMPLE_FETCH = 0,
    SAMPLE_OP = 1,
    SAMPLE_PMC = 2,   /* a performance counter overflowed */
    SAMPLE_TIMER = 3, /* the APIC timer's tick */
    SAMPLE_KINDS,
};

static inline int sample_is_ibs(uint32_t kind)
{
    return kind == SAMPLE_FETCH || kind == SAMPLE_OP;
}

/* Index into sample_record.reg for SAMPLE_FETCH: MSR C001_1030 + index. */
enum ibs_fetch_reg {
    IBS_FETCH_CTL = 0,    /* C001_1030 IbsFetchCtl, as read in the handler (En=1, Val=1) */
    IBS_FETCH_LINAD = 1,  /* C001_1031 IbsFetchLinAd, bit 47 sign-extended where an erratum wants it */
    IBS_FETCH_PHYSAD = 2, /* C001_1032 IbsFetchPhysAd, 0 unless IbsPhyAddrValid */
    IBS_FETCH_REGS = 3,   /* registers that every family has */
    IBS_FETCH_EXTD = 3,   /* C001_103C, 0 unless IBS_CAP_FETCHCTLEXTD and IbsFetchComp */
};

/* Index into sample_record.reg for SAMPLE_OP: MSR C001_1033 + index. */
enum ibs_op_reg {
    IBS_OP_CTL = 0,      /* C001_1033 IbsOpCtl, as read in the handler (En=1, Val=1) */
    IBS_OP_RIP = 1,      /* C001_1034 IbsOpRip */
    IBS_OP_DATA = 2,     /* C001_1035 IbsOpData */
    IBS_OP_DATA2 = 3,    /* C001_1036 IbsOpData2, 0 unless load, and DC miss or uncacheable */
    IBS_OP_DATA3 = 4,    /* C001_1037 IbsOpData3 */
    IBS_OP_DCLINAD = 5,  /* C001_1038 IbsDcLinAd, 0 unless IbsDcLinAddrValid */
    IBS_OP_DCPHYSAD = 6, /* C001_1039 IbsDcPhysAd, 0 unless IbsDcPhyAddrValid */
    IBS_OP_REGS = 7,     /* registers that every family has */
    IBS_OP_BRTARGET = 7, /* C001_103B IbsBrTarget, 0 unless IBS_CAP_BRNTRGT and IbsOpBrnRet */
};

/* Index into sample_record.reg for SAMPLE_PMC. */
enum pmc_reg {
    PMC_RIP = 0,   /* of the interrupt's frame: where retirement stood, not the cause (skid) */
    PMC_EVENT = 1, /* index of the event in the run's list (core/events/event_groups.h) */
    PMC_COUNT = 2, /* its counter as read in the handler: events since the overflow */
    PMC_REGS = 3,
};

/* Index into sample_record.reg for SAMPLE_TIMER. */
enum timer_reg {
    TIMER_RIP = 0, /* of the interrupt's frame */
    TIMER_REGS = 1,
};

struct sample_record {
    uint64_t tsc;  /* time-stamp counter, read once in the handler */
    uint32_t kind; /* enum sample_kind */
    uint32_t cpu;  /* index of the core, 0 = boot core */
    uint64_t reg[8];
};

_Static_assert(sizeof(struct sample_record) == 80, "the handler and the ring agree on 80 bytes");

_Static_assert((int)PMC_RIP == (int)TIMER_RIP, "sample_address");

/* Returns the address of the op or fetch, or that of an interrupt's frame. */
static inline uint64_t sample_address(const struct sample_record *record)
{
    switch (record->kind) {
    case SAMPLE_FETCH:
        return record->reg[IBS_FETCH_LINAD];
    case SAMPLE_OP:
        return record->reg[IBS_OP_RIP];
    default:
        return record->reg[PMC_RIP];
    }
}

#endif
