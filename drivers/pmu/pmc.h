/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The performance counters, all of a core at a time: counting, sampling by overflow, several groups in turn.
 *
 * A counter that is to interrupt after n events starts at -n; passing 2^48 - 1 requests the interrupt of the APIC's
 * LVTPC entry. Registers: core/family/pmc_regs.h.
 */
#ifndef DRIVERS_PMC_H
#define DRIVERS_PMC_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "core/run/turns.h"
#include "core/family/pmc_regs.h"
#include "core/ibs/record.h"
#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/cpu.h"
#include "drivers/cpu/session_error.h"

enum {
    PMC_EVENTS_MAX = 168, /* a list (core/events/event_groups.h), fillers of empty counters, and merging ones */
    PMC_GROUPS_MAX = 8,   /* as CodeAnalyst's driver: 32 virtual counters */
    PMC_SLOTS = 8,        /* of a group: as many as counters, and a power of two: the handler finds one by a shift */
};

/* Bit 47 of the counter tells an overflow, and a random interval may be longer than the period by 1/16. */
#define PMC_SAMPLING_PERIOD_MAX (PMC_PERIOD_MAX / 2)

/* ---- what a user asks for ------------------------------------------------------------------------------------ */

struct pmc_event {
    /* 000h..FFFh; PMC_SELECT_MERGE alone: on an odd counter, which is merged with the one before */
    uint16_t select;
    uint8_t unit_mask;
    uint8_t count_mask; /* 0: the number of events is added each clock; 1..3: 1 is added when there are at least this
                           many */
    bool user, os;      /* counts at CPL 3, at CPL 0; the workloads run at CPL 0 */
    bool edge, invert;
    uint64_t period; /* events between two samples, up to PMC_SAMPLING_PERIOD_MAX; 0: only counted */
};

/* Names what is counted at the same time: counter n counts event[n], an index into the plan's events, each at most
 * once. */
struct pmc_group {
    uint32_t events; /* 1 to the number of counters, struct ibs_pmc.count */
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
    uint64_t slice;      /* TSC ticks until the next group's turn; unused with one group. It ends at a tick of the APIC
                          * timer, which is set to it, or to the period of time-based samples if there are (timer.h) */
    uint64_t turns_seed; /* of the order in which the groups take turns: core/run/turns.h */
};

/* Checks a plan. The event table checks minimum periods, reserved unit masks and events that exist once per node. */
enum session_error pmc_check(const struct pmc_plan *plan, const struct machine *machine);

/* ---- what comes out -------------------------------------------------------------------------------------- */

struct pmc_count {
    uint64_t total;     /* events counted; while sampling without the handler's, but for its first instructions */
    uint64_t overflows; /* samples + lost, and possibly one more whose interrupt came after the stop */
    uint64_t samples;   /* records written */
    uint64_t lost;      /* found the ring full */
    uint64_t tsc;       /* TSC ticks while it counted, the handler's time left out */
};

struct pmc_group_result {
    uint64_t tsc;    /* TSC ticks while the group counted */
    uint64_t slices; /* turns that it began */
    struct pmc_count counter[PMC_COUNTERS];
    struct turns turns[PMC_COUNTERS]; /* what each counter counted in whole turns */
};

/* event[n] is the sum over the groups that have event n. The weight of a sample is
 * period * (sum of all groups' tsc) / event[n].tsc, whatever number of groups the event is in. */
struct pmc_result {
    struct pmc_count event[PMC_EVENTS_MAX];
    struct pmc_group_result group[PMC_GROUPS_MAX];
};

/* Adds another core's counts of the same time, first to zeros. */
void pmc_result_add(struct pmc_result *sum, const struct pmc_result *result);

/* ---- the driver ---------------------------------------------------------------------------------------------- */

/* Returns the TSC ticks between two turns that the timer has to make; 0: none. */
uint64_t pmc_turns(const struct pmc_plan *plan);

/* Returns whether some event that is counted has a period. */
bool pmc_takes_samples(const struct pmc_plan *plan);

/* One counter of one group. */
struct pmc_slot {
    uint64_t ctl;          /* PERF_CTL, not enabled */
    uint64_t start;        /* what the counter held when the interval began */
    uint64_t value;        /* what it held when its group's slice ended: the next one goes on from there */
    uint64_t period;       /* 0: never interrupts */
    uint64_t random_range; /* a power of two, 0: the interval does not vary */
    uint64_t before;       /* events of intervals that are over */
    uint64_t began;        /* events when the group's turn began */
    struct turns turns;
    uint64_t overflows, samples, lost;
    uint32_t event;
    bool pair;    /* the next counter is merged with this one */
    bool partner; /* the counter before is merged with this one */
};

struct pmc_engine {
    bool interrupts;   /* some event has a period: the LVTPC entry is ours */
    bool ready;        /* set up: there is something to stop */
    uint32_t counters; /* counters of the largest group */
    uint32_t groups;
    uint32_t group; /* the one whose turn it is */
    uint32_t turn;  /* its place in the order */
    uint8_t order[TURNS_ORDER];
    uint32_t slice_ticks; /* ticks of the timer in a slice, 0: no turns */
    uint32_t tick;        /* of this slice */
    uint64_t apic;        /* address of its registers */
    uint64_t resumed;     /* TSC when the counters last went on */
    bool running;
    uint64_t keep[PMC_COUNTERS]; /* reserved bits of PERF_CTL as they were read */
    uint32_t members[PMC_GROUPS_MAX];
    uint64_t tsc[PMC_GROUPS_MAX];
    uint64_t slices[PMC_GROUPS_MAX];
    struct rng rng;
    struct pmc_slot slot[PMC_GROUPS_MAX][PMC_SLOTS];
    struct ibs_pmc regs; /* where the counters are; pmc_resume(), pmc_pause() and nmi.c's handler take Family 10h's */
    uint64_t others;     /* version 2: bits of the global control that are not this engine's */
};

static inline uint32_t pmc_ctl_at(const struct ibs_pmc *pmc, uint32_t counter)
{
    return pmc->ctl + counter * pmc->stride;
}
static inline uint32_t pmc_ctr_at(const struct ibs_pmc *pmc, uint32_t counter)
{
    return pmc->ctr + counter * pmc->stride;
}
static inline uint32_t pmc_ctl_msr(const struct pmc_engine *engine, uint32_t counter)
{
    return pmc_ctl_at(&engine->regs, counter);
}
static inline uint32_t pmc_ctr_msr(const struct pmc_engine *engine, uint32_t counter)
{
    return pmc_ctr_at(&engine->regs, counter);
}

/* Returns further bits of a programmed control: with global control its enable bit, which does nothing alone. */
static inline uint64_t pmc_programmed(const struct pmc_engine *engine)
{
    return engine->regs.version >= 2 ? PMC_CTL_EN : 0;
}

/* Prepares the engine. slice_ticks: timer_ticks() of pmc_turns(). */
void pmc_init(struct pmc_engine *engine, const struct pmc_plan *plan, uint32_t slice_ticks);

/* Delays counter 0's interrupt by so many more events, and shortens each interval by them (Linux
 * arch/x86/events/amd/core.c, amd_pmu_limit_period). After pmc_init(). */
void pmc_wait_for(struct pmc_engine *engine, uint32_t events);

/* Says where the counters are, if not Family 10h's four; after pmc_init(). */
void pmc_use(struct pmc_engine *engine, const struct ibs_pmc *pmc);

/* Version 2: saves the global control in the log and sets it for all counters, so that each counts by its own enable
 * bit. Does nothing on earlier versions. */
enum session_error pmc_open_global(const struct ibs_pmc *pmc, struct restore_log *log, uint64_t *detail);

/* Version 2: clears the overflow bits that nobody has taken; each would be a sample to the next who asks. Does nothing
 * on version 1. */
enum session_error pmc_clear_overflows(const struct ibs_pmc *pmc, uint64_t *detail);

/* Saves the registers of the counters that are used, and LVTPC if there are interrupts, in the log; programs the first
 * group without enabling it; LVTPC as NMI. apic: the address of its registers. *ours gets LVTPC's before that is
 * unmasked. *detail as in struct session_result. */
enum session_error pmc_set_up(struct pmc_engine *engine, uint64_t apic, struct restore_log *log, uint64_t *ours,
                              uint64_t *detail);

/* Switch the counters of the group whose turn it is on, off: the same registers in the same order. Time counts while
 * all of them are on; tsc: now. */
void pmc_resume(struct pmc_engine *engine);
void pmc_pause(struct pmc_engine *engine, uint64_t tsc);

/* Resume and pause counters by engine->regs; version 2: by global control. Pausing what is paused already is allowed.
 */
void pmc_resume_later(struct pmc_engine *engine);
void pmc_pause_later(struct pmc_engine *engine, uint64_t tsc);

/* Returns whether these two are needed. */
static inline bool pmc_is_later(const struct ibs_pmc *pmc)
{
    return pmc->version >= 2 || pmc->ctl != MSR_PERF_CTL0;
}

/* Begins an interval; returns the value for the counter. */
static inline uint64_t pmc_next_start(struct pmc_engine *engine, struct pmc_slot *slot)
{
    uint64_t interval = slot->period;
    if (slot->random_range) {
        /* 0 .. range - 1, and a random bit that makes their mean range / 2. */
        uint64_t random = rng_next(&engine->rng);
        interval += (random & (slot->random_range - 1)) + (random >> 63) - slot->random_range / 2;
    }
    slot->start = slot->period ? pmc_preset(interval) : 0;
    return slot->start;
}

/* Writes the value at which an interval begins or goes on. The upper bits of a pair go first: the other one's write
 * makes them the counter's (the PPRs of Family 17h, as cited by Linux, commit 26e52558ead4). */
static inline void pmc_write_pair(const struct pmc_engine *engine, uint32_t counter, uint64_t value)
{
    if (engine->slot[engine->group][counter].pair)
        cpu_wrmsr(pmc_ctr_msr(engine, counter + 1), PMC_MERGE_UPPER);
    if (!engine->slot[engine->group][counter].partner)
        cpu_wrmsr(pmc_ctr_msr(engine, counter), value & PMC_COUNTER_MASK); /* it was read as a whole */
}

/* Returns the events since the interval began. */
static inline uint64_t pmc_elapsed(const struct pmc_slot *slot, uint64_t value)
{
    return (value - slot->start) & PMC_COUNTER_MASK;
}

/* Stops after the run: counters off, last values taken. Goes through to the end whatever happens and returns the first
 * error. Does nothing when the set-up did not succeed: the restore log has all. */
enum session_error pmc_stop(struct pmc_engine *engine, uint64_t *detail);

/* Adds up the totals, once it has stopped. */
void pmc_collect(const struct pmc_engine *engine, struct pmc_result *result);

#endif
