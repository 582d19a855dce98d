/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/ticks.h"

#include "drivers/pmu/pmc.h"

#include <stddef.h>

enum {
    TEST_US = 10,       /* until the tested NMI is due */
    TEST_WAIT_US = 100, /* and how long it is waited for */
    RATE_US = 100,      /* for which the core's clocks are counted */
    EVENT_CLOCKS = 0x76,
    COUNT_ALARM_MAX = 1 << 30, /* clocks: what is longer comes several times before the limit */
};

static bool arrives(struct nmi_context *nmi, const struct timer_engine *timer)
{
    uint64_t from = cpu_rdtsc();
    while (!nmi_tested(nmi) && cpu_rdtsc() - from < TEST_WAIT_US * timer->tsc_khz / 1000)
        cpu_pause();
    /* Asked once more: the NMI may have come between the last look and a clock that has jumped since (SMI). */
    return nmi_tested(nmi) != 0;
}

static bool timer_delivers(const struct timer_engine *timer, struct nmi_context *nmi, uint64_t khz)
{
    uint32_t count = (uint32_t)(TEST_US * khz / 1000);
    nmi_test(nmi);
    apic_write(timer->apic + APIC_TIMER_DIVIDE, APIC_DIVIDE_BY_1);
    apic_write(timer->apic + APIC_LVT_TIMER, APIC_LVT_NMI);
    apic_write(timer->apic + APIC_TIMER_INITIAL, count ? count : 1);
    bool came = arrives(nmi, timer);
    apic_write(timer->apic + APIC_TIMER_INITIAL, 0);
    nmi->state = NMI_IDLE;
    return came;
}

/* Tests the timer; keeps its entry and divider of timer_set_up(). */
static bool timer_works(struct timer_engine *timer, struct nmi_context *nmi, uint64_t khz)
{
    uint32_t lvt = apic_read(timer->apic + APIC_LVT_TIMER) & ~(uint32_t)APIC_LVT_STATUS;
    uint32_t divide = apic_read(timer->apic + APIC_TIMER_DIVIDE);
    bool works = timer_delivers(timer, nmi, khz);
    apic_write(timer->apic + APIC_TIMER_DIVIDE, divide);
    apic_write(timer->apic + APIC_LVT_TIMER, lvt);
    return works;
}

static bool take_counter(struct timer_engine *timer, uint64_t apic, struct restore_log *log)
{
    uint64_t address = apic + APIC_LVT_PERF;
    if (restore_save(log, RESTORE_MSR, MSR_PERF_CTL(TICKS_COUNTER), 0, ~0ull, "PERF_CTL of the ticks",
                     &timer->counter_keep) ||
        restore_save(log, RESTORE_MSR, MSR_PERF_CTR(TICKS_COUNTER), 0, PMC_COUNTER_MASK, "PERF_CTR of the ticks",
                     NULL) ||
        restore_save(log, RESTORE_MMIO, address, 0, ~(uint64_t)APIC_LVT_STATUS, "APIC 340h LVT performance counters",
                     NULL))
        return false;
    timer->counter_keep &= PMC_CTL_PRESERVE;
    timer->lvtpc = address;
    return true;
}

static bool counter_on(const struct timer_engine *timer)
{
    uint64_t ctl =
        timer->counter_keep | pmc_ctl(EVENT_CLOCKS, 0, 0, PMC_CTL_USR | PMC_CTL_OS | PMC_CTL_INT | PMC_CTL_EN);
    uint64_t now;
    return !cpu_wrmsr_safe(MSR_PERF_CTL(TICKS_COUNTER), ctl) && !cpu_rdmsr_safe(MSR_PERF_CTL(TICKS_COUNTER), &now) &&
           now == ctl;
}

static bool counter_works(struct timer_engine *timer, struct nmi_context *nmi, uint64_t apic, struct restore_log *log)
{
    if (!take_counter(timer, apic, log))
        return false;
    nmi->entry[NMI_ENTRY_COUNTERS] = timer->lvtpc;
    nmi_test(nmi);
    uint64_t start = (0 - TEST_US * timer->tsc_khz / 1000) & PMC_COUNTER_MASK;
    apic_write(timer->lvtpc, APIC_LVT_NMI);
    bool works = !cpu_wrmsr_safe(MSR_PERF_CTR(TICKS_COUNTER), start) && counter_on(timer) && arrives(nmi, timer);
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(TICKS_COUNTER), timer->counter_keep);
    nmi->state = NMI_IDLE;
    return works;
}

/* Returns the clocks of event 076h in a millisecond. They are the core's, which differ from the TSC's where a P-state
 * or boost is in force, or HWCR[24] is clear (BKDG 31116, MSR C001_0015). */
static uint64_t clocks_khz(const struct timer_engine *timer)
{
    if (cpu_wrmsr_safe(MSR_PERF_CTR(TICKS_COUNTER), 0) || !counter_on(timer))
        return timer->tsc_khz;
    uint64_t from = cpu_rdtsc(), before = cpu_rdmsr(MSR_PERF_CTR(TICKS_COUNTER)), now;
    do {
        cpu_pause();
        now = cpu_rdtsc();
    } while (now - from < RATE_US * timer->tsc_khz / 1000);
    uint64_t clocks = cpu_rdmsr(MSR_PERF_CTR(TICKS_COUNTER)) - before;
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(TICKS_COUNTER), timer->counter_keep);
    return clocks ? clocks * timer->tsc_khz / (now - from) : timer->tsc_khz;
}

/* Makes the alarm of a limit ticks like any other: an overflow alone would be the only one for hours. */
static void use_counter(struct timer_engine *timer, struct nmi_context *nmi, struct timer_settings *settings)
{
    uint64_t khz = clocks_khz(timer);
    uint64_t count = timer->alarm ? timer->limit_ms * khz : timer->interval * khz / timer->tsc_khz;
    if (count > UINT32_MAX)
        count = UINT32_MAX;
    timer->by = TIMER_BY_COUNTER;
    timer->count = (uint32_t)(timer->alarm && count > COUNT_ALARM_MAX ? COUNT_ALARM_MAX : count);
    timer->random_range = timer->random ? timer_random_range(timer->count) : 0;
    nmi->timer = timer;
    *settings = (struct timer_settings){.by = TIMER_BY_COUNTER, .khz = khz, .count = timer->count};
}

enum session_error ticks_set_up(struct timer_engine *timer, struct nmi_context *nmi, const struct machine *machine,
                                uint32_t counters, struct restore_log *log, struct timer_settings *settings,
                                uint64_t *detail)
{
    uint64_t apic;
    *detail = 0;
    if (!timer->used && !timer->alarm)
        return SESSION_OK;
    enum session_error error = apic_find(machine->apic_msr, &apic);
    if (!error && !timer_set_up(timer, apic, log, &nmi->entry[NMI_ENTRY_TIMER], settings, detail) &&
        timer_works(timer, nmi, settings->khz))
        return SESSION_OK;
    ticks_stop(timer);
    timer->by = TIMER_IMPOSSIBLE;
    if (!error && machine_pmc_usable(machine) && counters <= TICKS_COUNTER &&
        !pmc_open_global(&machine->pmc, log, detail) && counter_works(timer, nmi, apic, log)) {
        use_counter(timer, nmi, settings);
        *detail = 0;
        return SESSION_OK;
    }
    ticks_stop(timer);
    timer->alarm = false;
    *settings = (struct timer_settings){.by = TIMER_IMPOSSIBLE};
    if (!timer->used)
        return SESSION_OK;
    return error ? error : SESSION_NO_TICK;
}

void ticks_start(struct timer_engine *timer)
{
    if (timer->by == TIMER_BY_APIC) {
        timer_start_by(timer, apic_is_msr(timer->apic));
    } else if (timer->by == TIMER_BY_COUNTER) {
        ticks_counter_start(timer, apic_is_msr(timer->lvtpc));
        (void)counter_on(timer);
    }
}

void ticks_stop(struct timer_engine *timer)
{
    timer_stop(timer);
    if (!timer->lvtpc)
        return;
    apic_write(timer->lvtpc, APIC_LVT_NMI | APIC_LVT_MASKED);
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(TICKS_COUNTER), timer->counter_keep);
}
