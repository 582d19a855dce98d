/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/timer.h"

#include <stddef.h>

#include "drivers/machine/vpmu_query.h"

enum {
    CALIBRATION_MS = 5,
    DIVIDE_SHIFT_MAX = 7, /* the clock divided by up to 128 (AMD APM vol. 2 section 16.4.1) */
    KHZ_MAX = 2000000,    /* a second of it fits 32 bits with room to randomise; Family 10h counts 200 MHz */
};

#define COUNT_MAX 0xFFFFFFFFu

static uint64_t tsc_ticks(uint64_t microseconds, uint64_t tsc_khz)
{
    return microseconds * tsc_khz / 1000;
}

enum session_error timer_check(const struct timer_plan *plan, uint64_t turns, const struct machine *machine)
{
    uint64_t khz = machine->tsc_khz;
    if (plan->limit_ms > TIMER_LIMIT_MAX)
        return SESSION_LIMIT_HIGH;
    if (!plan->period && !turns)
        return SESSION_OK;
    if (!khz)
        return SESSION_NO_TSC_RATE;
    if (plan->period && plan->period < TIMER_PERIOD_MIN)
        return SESSION_TIMER_PERIOD_LOW;
    if (plan->period > TIMER_PERIOD_MAX)
        return SESSION_TIMER_PERIOD_HIGH;
    if (turns && turns < tsc_ticks(TIMER_PERIOD_MIN, khz))
        return SESSION_SLICE_SHORT;
    if (turns > tsc_ticks(TIMER_PERIOD_MAX, khz))
        return SESSION_SLICE_LONG;
    return turns && turns < tsc_ticks(plan->period, khz) ? SESSION_SLICE_BELOW_TIMER : SESSION_OK;
}

/* Returns the interval: samples make the timer's pace; without them the turns do. */
static uint64_t interval_of(const struct timer_plan *plan, uint64_t turns, uint64_t tsc_khz)
{
    return plan->period ? tsc_ticks(plan->period, tsc_khz) : turns;
}

uint32_t timer_ticks(const struct timer_plan *plan, uint64_t turns, uint64_t tsc_khz)
{
    uint64_t interval = interval_of(plan, turns, tsc_khz);
    return turns ? (uint32_t)((turns + interval / 2) / interval) : 0;
}

void timer_init(struct timer_engine *engine, const struct timer_plan *plan, uint64_t turns,
                const struct machine *machine)
{
    *engine = (struct timer_engine){
        .used = plan->period || turns,
        .alarm = plan->limit_ms && !plan->period && !turns,
        .limit_ms = plan->limit_ms,
        .sampling = plan->period != 0,
        .interval = interval_of(plan, turns, machine->tsc_khz),
        .tsc_khz = machine->tsc_khz,
        .stated_khz = vpmu_timer_khz(machine),
        .random = plan->random && (plan->period || turns),
    };
    rng_seed(&engine->rng, plan->seed);
}

/* Saves the initial count first, so it is restored last: writing it starts the count, and firmware's mode and divider
 * must be in place then. */
static enum session_error take(uint64_t apic, struct restore_log *log)
{
    if (restore_save(log, RESTORE_MMIO, apic + APIC_TIMER_INITIAL, 0, ~0ull, "APIC 380h timer initial count", NULL) ||
        restore_save(log, RESTORE_MMIO, apic + APIC_TIMER_DIVIDE, 0, APIC_DIVIDE_BITS, "APIC 3E0h timer divide",
                     NULL) ||
        restore_save(log, RESTORE_MMIO, apic + APIC_LVT_TIMER, 0, ~(uint64_t)APIC_LVT_STATUS, "APIC 320h LVT timer",
                     NULL))
        return SESSION_LVT_TIMER;
    return SESSION_OK;
}

/* Measures the timer's clock, the processor's bus clock, which no register of silicon tells (AMD APM vol. 2 section
 * 16.4.1): its count is compared with the TSC's, each read at the beginning and at the end in the same order. */
static uint64_t measure_khz(uint64_t apic, uint64_t tsc_khz)
{
    apic_write(apic + APIC_TIMER_INITIAL, COUNT_MAX);
    uint64_t from = cpu_rdtsc(), now;
    uint32_t count_from = apic_read(apic + APIC_TIMER_CURRENT);
    do {
        cpu_pause();
        now = cpu_rdtsc();
    } while (now - from < CALIBRATION_MS * tsc_khz);
    uint32_t counted = count_from - apic_read(apic + APIC_TIMER_CURRENT);
    apic_write(apic + APIC_TIMER_INITIAL, 0);
    return counted * tsc_khz / (now - from);
}

uint32_t timer_random_range(uint32_t count)
{
    uint32_t range = 1;
    while (range <= count / 16)
        range *= 2;
    return range > 1 ? range : 0;
}

/* Sets the alarm a little late, never early. A limit beyond the count is divided down. */
static uint32_t set_alarm(const struct timer_engine *engine, uint64_t khz)
{
    uint64_t count = engine->limit_ms * khz;
    uint32_t shift = 0;
    count += count / 64 + 1;
    for (; count > COUNT_MAX && shift < DIVIDE_SHIFT_MAX; shift++)
        count /= 2;
    /* 2, 4 .. 128 are 0 to 6 in bits 3, 1:0, and 1 is 7. */
    uint32_t code = (shift - 1) & 7;
    apic_write(engine->apic + APIC_TIMER_DIVIDE, (code & 3) | (code & 4) << 1);
    return count > COUNT_MAX ? COUNT_MAX : (uint32_t)count;
}

enum session_error timer_set_up(struct timer_engine *engine, uint64_t apic, struct restore_log *log, uint64_t *ours,
                                struct timer_settings *settings, uint64_t *detail)
{
    enum session_error error = take(apic, log);
    *detail = 0;
    if (error)
        return error;
    /* In x2APIC mode the entry, an MSR, has no message type: bits 10:8 are reserved there. */
    if (apic_try_write(apic + APIC_LVT_TIMER, APIC_LVT_NMI | APIC_LVT_MASKED))
        return SESSION_LVT_TIMER;
    engine->apic = apic;
    apic_write(apic + APIC_TIMER_DIVIDE, APIC_DIVIDE_BY_1); /* reset and INIT leave 0: by 2 */
    uint64_t khz = engine->stated_khz ? engine->stated_khz : measure_khz(apic, engine->tsc_khz);
    *detail = khz;
    if (!khz || khz > KHZ_MAX)
        return SESSION_TIMER_RATE;
    uint32_t count = engine->alarm ? set_alarm(engine, khz) : (uint32_t)(engine->interval * khz / engine->tsc_khz);
    uint32_t lvt = engine->alarm ? APIC_LVT_NMI | APIC_LVT_PERIODIC : APIC_LVT_NMI;
    engine->count = count ? count : 1;
    engine->random_range = engine->random ? timer_random_range(engine->count) : 0;
    *settings = (struct timer_settings){.by = TIMER_BY_APIC, .khz = khz, .count = engine->count};

    *ours = apic + APIC_LVT_TIMER;
    apic_write(apic + APIC_LVT_TIMER, lvt);
    *detail = apic_read(apic + APIC_LVT_TIMER);
    if ((*detail & ~(uint64_t)APIC_LVT_STATUS) != lvt)
        return SESSION_LVT_TIMER;
    engine->by = TIMER_BY_APIC;
    *detail = 0;
    return SESSION_OK;
}

void timer_stop(struct timer_engine *engine)
{
    if (!engine->apic)
        return;
    apic_write(engine->apic + APIC_LVT_TIMER, APIC_LVT_NMI | APIC_LVT_MASKED);
    apic_write(engine->apic + APIC_TIMER_INITIAL, 0);
}
