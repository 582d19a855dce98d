/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ticks: NMIs at intervals of time, for time-based samples, turns of counter groups, and the time limit.
 *
 * The APIC's timer is tested before it is relied upon: its entry may take the message type NMI and yet deliver a fixed
 * interrupt. AMD's PPR (family 17h on, "Generalized LVT") lists only the entries 330h to 360h and 500h to 530h as
 * knowing message types. Where no NMI comes, counter 3 counts event 076h, clocks not halted, and its overflow is the
 * tick: entry 340h is in that list. Its clocks are compared with the TSC's at the start; an interval is then as long
 * as the core's clock makes it.
 */
#ifndef DRIVERS_TICKS_H
#define DRIVERS_TICKS_H

#include "core/family/pmc_regs.h"
#include "drivers/cpu/cpu.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/timer.h"

enum { TICKS_COUNTER = PMC_LEGACY - 1 };

/* Sets up the timer, or the counter in its place, and tests that its NMI comes. counters: that the plan uses, from the
 * first on. Starts nothing. Registers are in the log before they are written. SESSION_NO_TICK: neither works; when
 * only a time limit needs it, that is no error and settings->by is TIMER_IMPOSSIBLE. *detail as in struct
 * session_result. */
enum session_error ticks_set_up(struct timer_engine *timer, struct nmi_context *nmi, const struct machine *machine,
                                uint32_t counters, struct restore_log *log, struct timer_settings *settings,
                                uint64_t *detail);

/* Begins the first interval; does nothing where there are no ticks. */
void ticks_start(struct timer_engine *timer);

/* Masks and stops their source; does nothing when the set-up did not come so far. */
void ticks_stop(struct timer_engine *timer);

/* Returns whether the counter's interval is over, as timer_expired(). */
static inline bool ticks_counter_expired(const struct timer_engine *timer)
{
    return timer->started && pmc_overflowed(cpu_rdmsr(MSR_PERF_CTR(TICKS_COUNTER)));
}

/* Returns whether the interval is over, whatever makes ticks; an NMI has come for it, or is about to. */
static inline bool ticks_due(const struct timer_engine *timer)
{
    return timer->by == TIMER_BY_APIC ? timer_expired_by(timer, apic_is_msr(timer->apic))
                                      : timer->by == TIMER_BY_COUNTER && ticks_counter_expired(timer);
}

static inline void ticks_counter_start(struct timer_engine *timer, bool msr)
{
    cpu_wrmsr(MSR_PERF_CTR(TICKS_COUNTER), (0 - (uint64_t)timer_next(timer)) & PMC_COUNTER_MASK);
    apic_write_as(msr, timer->lvtpc, APIC_LVT_NMI); /* the APIC may have masked it when it delivered */
}

#endif
