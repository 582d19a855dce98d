/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The performance counters of one core: four (AMD BKDG 31116, MSRC001_00[07:00]; AMD APM vol. 2 section 13.2), later
 * six.
 *
 * A counter's value is computed from running totals when it is read. A counter with a count mask or an edge is fed
 * after each instruction; one that may interrupt is checked when it could have wrapped.
 *
 * Bit positions are defined a second time, independently of core/family/pmc_regs.h, as in ibs_unit.h.
 */
#ifndef VPMU_PMC_UNIT_H
#define VPMU_PMC_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "vpmu/model/pmu/pmc_events.h"
#include "vpmu/model/pmu/pmc_level.h"

struct vpmu;

#define VPMC_USR        (1ull << 16) /* count at CPL above 0 */
#define VPMC_OS         (1ull << 17) /* count at CPL 0 */
#define VPMC_EDGE       (1ull << 18)
#define VPMC_INT        (1ull << 20)
#define VPMC_EN         (1ull << 22)
#define VPMC_INV        (1ull << 23)
#define VPMC_MASK_SHIFT 24
/* 21, 39:36 and 63:42 are reserved. 41:40 (HostOnly, GuestOnly) mean nothing while EFER.SVME is 0, which it always is.
 */
#define VPMC_CTL_BITS     0x0000030FFFDFFFFFull
#define VPMC_COUNTER_BITS 48
#define VPMC_COUNTER_MASK ((1ull << VPMC_COUNTER_BITS) - 1)

/* Event 003h from Zen on may add more than 15 in a cycle: the next counter, an odd one, is merged with it by event
 * FFFh, enabled. The pair is a counter of 64 bits, which is read from the even one; the odd one's 15:0 are the upper
 * ones. Without it the count is of no use (Linux arch/x86/events/core.c, commit 26e52558ead4; PPRs of Family 17h): here
 * it is 0 (choice), so that nobody relies on it. */
enum { VPMC_LARGE = 0x003, VPMC_MERGE = 0xFFF, VPMC_UPPER = 0xFFFF };

enum {
    PMC_COUNTERS = 6, /* at most: struct vpmu_params has the number */
    PMC_LEGACY = 4,   /* of these at C001_0000h */
    PMC_SOURCES = 12, /* totals that an event adds up, with all bits of its mask */
};

static inline uint32_t pmc_select_of(uint64_t ctl)
{
    return (uint32_t)((ctl & 0xFF) | ((ctl >> 32) & 0xF) << 8);
}

static inline uint32_t pmc_mask_of(uint64_t ctl)
{
    return (uint32_t)(ctl >> 8) & 0xFF;
}

/* How a counter's value follows from totals. */
enum pmc_kind {
    PMC_SUM,     /* their sum */
    PMC_INVERSE, /* cycles less their sum: totals that count cycles, inverted */
    PMC_LEVEL,   /* cycles, or rises, of a condition on the number of events in a cycle: pmc_level.h */
};

struct pmc_counter {
    uint64_t ctl;
    uint64_t value;  /* as of 'base'; it moves on from there while the counter counts */
    uint64_t base;   /* sum of the sources at that time */
    uint64_t limit;  /* likewise at the next wrap from 2^48-1 to 0 */
    bool able;       /* enabled, of a modelled event, at some CPL */
    bool counts;     /* and at the current CPL as well */
    uint8_t kind;    /* enum pmc_kind */
    uint8_t when;    /* enum pmc_when */
    uint8_t sources; /* number of them */
    uint16_t flags;  /* enum pmc_row_flags */
    const uint64_t *source[PMC_SOURCES];
    uint32_t each[PMC_SOURCES]; /* counts for one of them */
    struct pmc_level level;

    uint64_t settled; /* value up to which pmc_truth has attributed it */
    uint32_t run;     /* of pmc_truth */
};

struct pmc_unit {
    struct pmc_counter counter[PMC_COUNTERS];
    uint32_t enabled;               /* bit n: counter n has En */
    uint32_t starting;              /* counters that start after the announced instruction, their WRMSR */
    uint32_t levels;                /* counters with a condition, which is fed after each instruction */
    uint32_t ops[RETIRE_WIDTH + 1]; /* counters with a condition on retired macro-ops: by its threshold */
    uint32_t watched;               /* counters that may interrupt */
    bool each_op;                   /* something counts at each op's retirement */
    /* PerfMonV2, PerfCntrGlobalCtl and PerfCntrGlobalStatus: bit n is counter n's. Without it the first is all ones. */
    uint64_t global, overflowed;
    bool user; /* the current code runs at a CPL above 0 */
    /* When to check the next: none can wrap before. */
    uint32_t check_left;  /* after this number of instructions */
    uint64_t check_cycle; /* or when one retires in this cycle or later */
};

uint64_t pmc_read(const struct vpmu *vpmu, uint32_t counter);
void pmc_write(struct vpmu *vpmu, uint32_t counter, uint64_t value);
/* Writes a control. WRMSR serialises: all instructions before it have retired, and it is not counted itself. */
void pmc_write_ctl(struct vpmu *vpmu, uint32_t counter, uint64_t value);

/* Writes PerfCntrGlobalCtl: serialises where it starts or stops a counter. */
void pmc_write_global(struct vpmu *vpmu, uint64_t value);

/* Says whether the instructions after the one that retired last run at a CPL above 0. */
void pmc_set_user(struct vpmu *vpmu, bool user);
INLINED void pmc_privilege(struct vpmu *vpmu, struct pmc_unit *pmc, bool user)
{
    if (pmc->user != user)
        pmc_set_user(vpmu, user);
}

/* Feed and check the counters after an instruction has retired. */
void pmc_feed(struct vpmu *vpmu);
void pmc_check(struct vpmu *vpmu);
/* Counts a retired instruction. Returns true: call pmc_check(). */
INLINED bool pmc_retired(struct vpmu *vpmu, struct pmc_unit *pmc, uint64_t cycle)
{
    if (pmc->levels)
        pmc_feed(vpmu);
    return RARELY(--pmc->check_left == 0 || cycle >= pmc->check_cycle);
}
/* Counts a retired macro-op, number 'number' of its cycle. */
void pmc_hold(struct pmc_unit *pmc, uint32_t set, uint64_t cycle);
INLINED void pmc_op_retired(struct pmc_unit *pmc, uint32_t number, uint64_t cycle)
{
    if (pmc->ops[number])
        pmc_hold(pmc, pmc->ops[number], cycle);
}
/* Starts the counters that wait for the end of their WRMSR. */
void pmc_start_waiting(struct vpmu *vpmu);

/* Returns the events since 'base'. */
uint64_t pmc_elapsed(const struct vpmu *vpmu, const struct pmc_counter *counter);

#endif
