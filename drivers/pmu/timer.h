/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The APIC's timer as NMI: time-based samples, and the turns of counter groups (pmc.h).
 *
 * It runs in one-shot mode and is set again by the handler: a count of 0 then proves that this NMI, or one about
 * to come, is the timer's; in periodic mode nothing would. So the time that the handler takes is not part of an
 * interval.
 *
 * If neither needs it, it is the alarm of the time limit: one NMI, a little later than the limit, which the handler
 * tells from others by the TSC; periodic, because an NMI that comes together with a sample's is that sample's only.
 *
 * That this entry can be an NMI at all is doubtful: AMD's later manuals list the entries that know message types
 * without it. So each session tests it, and has the overflow of a counter in its place (ticks.h).
 */
#ifndef DRIVERS_TIMER_H
#define DRIVERS_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/rng.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/machine.h"
#include "drivers/machine/restore.h"
#include "drivers/cpu/session_error.h"

enum {
    TIMER_PERIOD_DEFAULT = 1000, /* microseconds */
    TIMER_PERIOD_MIN = 10,
    TIMER_PERIOD_MAX = 1000000,
    TIMER_LIMIT_MAX = 86400000, /* milliseconds: a day */
};

struct timer_plan {
    uint32_t period; /* microseconds between two samples, 0: none */
    bool random;     /* vary the interval: over 2^n timer ticks up to 1/8 of it, its mean is the period */
    uint64_t seed;
    uint64_t limit_ms; /* the body is stopped after this many milliseconds, up to TIMER_LIMIT_MAX; 0: never */
};

/* Checks the plan. turns: TSC ticks between two turns of counter groups, 0: none (pmc_turns()). */
enum session_error timer_check(const struct timer_plan *plan, uint64_t turns, const struct machine *machine);

/* Returns the NMIs of the timer until a turn; 0: no turns. */
uint32_t timer_ticks(const struct timer_plan *plan, uint64_t turns, uint64_t tsc_khz);

/* The source of the NMIs that are the ticks, the best first. */
enum timer_by {
    TIMER_BY_NOTHING, /* none was asked for */
    TIMER_BY_APIC,
    TIMER_BY_COUNTER, /* overflow of the last counter, which counts event 076h */
    TIMER_IMPOSSIBLE, /* neither delivers an NMI: there is no time limit */
};

/* Holds what was found and set; worth recording with the run. */
struct timer_settings {
    enum timer_by by;
    uint64_t khz; /* rate of the timer, stated by a model or else measured against the TSC; 0: the timer was not used */
    uint32_t count; /* mean count between two NMIs */
};

struct timer_engine {
    bool used;
    bool alarm; /* it runs only for the limit; 'used' is false */
    uint64_t limit_ms;
    bool sampling; /* each NMI is a sample */
    bool started;
    uint64_t interval; /* TSC ticks between two NMIs */
    uint64_t tsc_khz;
    uint64_t stated_khz; /* the timer's rate as a model states it; 0: to be measured */
    bool random;
    uint64_t apic; /* address of its registers, 0: they are not ours */
    enum timer_by by;
    uint64_t counter_keep; /* by a counter: reserved bits of its PERF_CTL */
    uint64_t lvtpc;        /* and the address of the LVTPC entry, once it is in the log */
    uint32_t count;
    uint32_t random_range; /* a power of two, 0: the count does not vary */
    struct rng rng;
};

void timer_init(struct timer_engine *engine, const struct timer_plan *plan, uint64_t turns,
                const struct machine *machine);

/* Saves the timer's registers in the log, measures its rate (for 5 ms) unless a model states it, and programs its LVT
 * entry as NMI; the count is not started. apic: the address of its registers. *ours gets the entry's before that is
 * unmasked. *detail as in struct session_result. */
enum session_error timer_set_up(struct timer_engine *engine, uint64_t apic, struct restore_log *log, uint64_t *ours,
                                struct timer_settings *settings, uint64_t *detail);

/* Returns the TSC ticks of the limit; 0: none. */
static inline uint64_t timer_limit(const struct timer_engine *engine)
{
    return engine->limit_ms * engine->tsc_khz;
}

/* Return whether an interval is over; begin the next. These two are for an APIC in memory; timer_expired_by() and
 * timer_start_by() are for either: msr is apic_is_msr(engine->apic). */
static inline bool timer_expired(const struct timer_engine *engine)
{
    return engine->started && cpu_mmio_read32(engine->apic + APIC_TIMER_CURRENT) == 0;
}

static inline bool timer_expired_by(const struct timer_engine *engine, bool msr)
{
    return engine->started && apic_read_as(msr, engine->apic + APIC_TIMER_CURRENT) == 0;
}

static inline uint32_t timer_next(struct timer_engine *engine)
{
    uint32_t count = engine->count;
    if (engine->random_range) {
        uint64_t random = rng_next(&engine->rng);
        count += (uint32_t)(random & (engine->random_range - 1)) + (uint32_t)(random >> 63) - engine->random_range / 2;
    }
    engine->started = true;
    return count;
}

static inline void timer_start(struct timer_engine *engine)
{
    cpu_mmio_write32(engine->apic + APIC_TIMER_INITIAL, timer_next(engine));
}

static inline void timer_start_by(struct timer_engine *engine, bool msr)
{
    apic_write_as(msr, engine->apic + APIC_TIMER_INITIAL, timer_next(engine));
}

/* Returns how far intervals of this many counts may vary: a power of two up to 1/8; 0: not at all. */
uint32_t timer_random_range(uint32_t count);

/* Masks the entry and stops the count; does nothing when the set-up did not come so far. */
void timer_stop(struct timer_engine *engine);

#endif
