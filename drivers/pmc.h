/*
 * The four performance counters: counting, sampling by overflow, several groups in turn.
 *
 * PERF_CTL0-3 are MSR C001_0000-3, PERF_CTR0-3 are C001_0004-7, 48 bits wide (BKDG 31116; perfmon2 and AMD's driver of
 * CodeAnalyst). A counter that is to interrupt after n events starts at -n; passing 2^48 - 1 requests the interrupt of
 * the APIC's LVTPC entry.
 */
#ifndef DRIVERS_PMC_H
#define DRIVERS_PMC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/record.h"
#include "core/rng.h"
#include "drivers/machine.h"
#include "drivers/restore.h"
#include "drivers/session_error.h"

enum {
    PMC_COUNTERS = 4,
    PMC_EVENTS_MAX = 32,
    PMC_GROUPS_MAX = 8,
    PMC_COUNT_MASK_MAX = 3, /* 4..255 are reserved on Family 10h (likwid's k10 pages) */
};

/* An overflow is told by bit 47 of the counter: set before, clear after. A random interval may be longer by 1/16. */
#define PMC_PERIOD_MAX (1ull << 46)

/* ---- what a user asks for -------------------------------------------------------------------------------- */

struct pmc_event {
    uint16_t select; /* 000h..FFFh */
    uint8_t unit_mask;
    uint8_t count_mask; /* 0: the number of events is added each clock; 1..3: 1 is added when there are so many */
    bool user, os;      /* counts at CPL 3, at CPL 0; the workloads run at CPL 0 */
    bool edge, invert;
    uint64_t period; /* events between two samples, up to PMC_PERIOD_MAX; 0: is only counted */
};

/* What is counted at the same time: counter n counts event[n], an index into the plan's events, each at most once. */
struct pmc_group {
    uint32_t events; /* 1..4 */
    uint8_t event[PMC_COUNTERS];
};

enum pmc_mode {
    PMC_OFF,
    PMC_COUNTING, /* one group, no interrupt: the counters are switched on right before the body and off right after;
                   * periods do not matter. With other sampling on, its handler is counted too */
    PMC_SAMPLING, /* a sample each period; the counters stand still while the NMI handler runs */
};

struct pmc_plan {
    enum pmc_mode mode;
    bool random; /* vary the interval: over 2^n events up to 1/8 of the period, its mean is the period */
    uint64_t seed;
    uint32_t events;
    struct pmc_event event[PMC_EVENTS_MAX];
    uint32_t groups; /* 1..8; an event may be in several */
    struct pmc_group group[PMC_GROUPS_MAX];
    uint64_t slice; /* TSC ticks until the next group's turn; unused with one group. It ends at a tick of the APIC
                     * timer, which is set to it, or to the period of time-based samples if there are (timer.h) */
};

/* Checks a plan. Minimum periods, reserved unit masks and events that exist once per node are the event table's
 * affair. */
enum session_error pmc_check(const struct pmc_plan *plan, const struct machine *machine);

/* ---- what comes out -------------------------------------------------------------------------------------- */

struct pmc_count {
    uint64_t total; /* events counted; while sampling without those of the handler, but for its first instructions */
    uint64_t overflows; /* samples + lost, and possibly one more whose interrupt came after the stop */
    uint64_t samples;   /* records written */
    uint64_t lost;      /* found the ring full */
    uint64_t tsc;       /* TSC ticks while it counted, the handler's time left out */
};

struct pmc_group_result {
    uint64_t tsc; /* TSC ticks while the group counted */
    uint64_t slices;
    struct pmc_count counter[PMC_COUNTERS];
};

/* event[n] is the sum over the groups that have event n. The weight of a sample is
 * period * (sum of all groups' tsc) / event[n].tsc, whatever number of groups the event is in. */
struct pmc_result {
    struct pmc_count event[PMC_EVENTS_MAX];
    struct pmc_group_result group[PMC_GROUPS_MAX];
};

/* ---- the driver ------------------------------------------------------------------------------------------ */

/* One counter of one group. */
struct pmc_slot {
    uint64_t ctl;    /* PERF_CTL without its enable bit */
    uint64_t start;  /* what the counter held when the interval began */
    uint64_t value;  /* what it held when the group's slice ended: partial counts go on in the next */
    uint64_t period; /* 0: never interrupts */
    uint64_t random_range;
    uint64_t carried; /* events of intervals that are over */
    uint64_t overflows, samples, lost;
    uint32_t event;
};

struct pmc_engine {
    enum pmc_mode mode;
    bool interrupts;   /* some event has a period: LVTPC is ours */
    uint32_t counters; /* that the largest group needs */
    uint32_t groups;
    uint32_t group; /* whose turn it is */
    uint32_t members[PMC_GROUPS_MAX];
    uint64_t apic;      /* address of its registers */
    uint64_t slice;     /* TSC ticks, 0: no turns */
    uint64_t slice_end; /* TSC; the first tick from here on ends the slice */
    uint64_t tolerance; /* TSC ticks that the timer may be early */
    uint64_t resumed;   /* TSC when the counters last went on, 0: they stand still */
    uint64_t tsc[PMC_GROUPS_MAX];
    uint64_t slices[PMC_GROUPS_MAX];
    struct rng rng;
    struct pmc_slot slot[PMC_GROUPS_MAX][PMC_COUNTERS];
};

/* apic: the address of the APIC's registers. */
void pmc_init(struct pmc_engine *engine, const struct pmc_plan *plan, uint64_t apic);

/* Saves the registers of the counters that are used and LVTPC in the log; programs the first group without enabling it;
 * LVTPC as NMI. *detail is the MSR or APIC offset that refused. */
enum session_error pmc_set_up(struct pmc_engine *engine, struct restore_log *log, uint64_t *detail);

/* Switches the counters of the current group on, off; the same registers in the same order. */
void pmc_resume(struct pmc_engine *engine);
void pmc_pause(struct pmc_engine *engine);

/* After the run: counters off, LVTPC masked, last values taken. Goes through to the end whatever happens. */
enum session_error pmc_stop(struct pmc_engine *engine, uint64_t *detail);

/* Totals, once it has stopped. */
void pmc_collect(const struct pmc_engine *engine, struct pmc_result *result);

#endif
