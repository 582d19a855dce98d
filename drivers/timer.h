/*
 * The APIC's timer as NMI: time-based samples, and the turns of counter groups (pmc.h).
 *
 * It runs in one-shot mode and is set again by the handler: a count of 0 then says for sure that this NMI, or one about
 * to come, is the timer's; in periodic mode nothing would. The time that the handler takes is not part of the period.
 */
#ifndef DRIVERS_TIMER_H
#define DRIVERS_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/rng.h"
#include "drivers/machine.h"
#include "drivers/restore.h"
#include "drivers/session_error.h"

enum {
    TIMER_PERIOD_DEFAULT = 1000, /* microseconds */
    TIMER_PERIOD_MIN = 10,
    TIMER_PERIOD_MAX = 1000000,
};

struct timer_plan {
    uint32_t period; /* microseconds between two samples, 0: none */
    bool random;     /* vary the interval: over 2^n timer ticks up to 1/8 of the period, its mean is the period */
    uint64_t seed;
};

/* slice: of the counters' plan, 0 when there are no turns. */
enum session_error timer_check(const struct timer_plan *plan, uint64_t slice, const struct machine *machine);

/* What was found and set; worth recording with the run. */
struct timer_settings {
    uint64_t khz;   /* rate of the timer, measured against the TSC; 0: the timer was not used */
    uint32_t count; /* timer ticks between two NMIs, the mean */
};

struct timer_engine {
    bool sampling;     /* each tick is a sample */
    uint64_t apic;     /* address of its registers */
    uint64_t interval; /* TSC ticks between two NMIs */
    uint64_t tsc_khz;
    uint32_t count; /* timer ticks; 0: the timer is off */
    uint32_t random_range;
    bool random;
    struct rng rng;
    struct timer_settings settings;
};

/* slice in TSC ticks, 0: no turns. */
void timer_init(struct timer_engine *engine, const struct timer_plan *plan, uint64_t slice, uint64_t tsc_khz,
                uint64_t apic);

/* Saves LVT timer entry, divide and initial count in the log, measures the rate (5 ms), programs the entry as NMI.
 * *detail is what the register that refused read. */
enum session_error timer_set_up(struct timer_engine *engine, struct restore_log *log, uint64_t *detail);

/* Starts the next interval. */
void timer_start(struct timer_engine *engine);

/* Masks the entry and stops the count. */
void timer_stop(struct timer_engine *engine);

#endif
