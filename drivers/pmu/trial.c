/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/trial.h"

#include <stddef.h>

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/pmu/lvt.h"
#include "drivers/machine/quiet.h"

enum {
    APIC_ERROR_STATUS = 0x280, /* AMD APM vol. 2 section 16.4.6: written before it is read */
    EVENT_CLOCKS = 0x76,
    SETTLE_US = 50,
    HOLD_US = 100,
    OVERFLOW_CLOCKS = 2000,
    STOPS = 64,
    STOP_STEP = 16,        /* clocks between the overflow of one stop and of the next */
    FETCH_PERIOD = 0xFFFF, /* the longest one: nothing is sampled meanwhile */
    OP_PERIOD = 0x40,      /* 1024 cycles */
    STOPPED_US = 5,        /* after which an NMI is no longer a sample's that was on its way */
};

void trial_wait(const struct trial *trial, uint32_t us)
{
    uint64_t from = cpu_rdtsc(), ticks = us * trial->machine->tsc_khz / 1000;

    while (cpu_rdtsc() - from < ticks)
        cpu_pause();
}

static uint32_t came(const struct trial *trial)
{
    return nmi_tested(trial->nmi);
}

/* Begins a trial: NMIs are only counted now, and a storm of them is ended. */
static void begin(const struct trial *trial)
{
    nmi_test(trial->nmi);
}

bool trial_read(uint32_t msr, uint64_t *value)
{
    uint32_t vector = cpu_rdmsr_safe(msr, value);

    if (vector)
        *value = vector;
    return !vector;
}

uint32_t trial_write_back(uint32_t msr)
{
    uint64_t before, after;
    uint32_t vector = cpu_rdmsr_safe(msr, &before);

    if (!vector)
        vector = cpu_wrmsr_safe(msr, before);
    if (!vector)
        vector = cpu_rdmsr_safe(msr, &after);
    return vector ? vector : after == before ? 0 : TRIAL_CHANGED;
}

uint64_t trial_hold(const struct trial *trial, uint32_t msr, uint64_t value, uint64_t mask)
{
    uint64_t before, after;

    if (restore_save(trial->log, RESTORE_MSR, msr, 0, mask, "tried", &before) || cpu_wrmsr_safe(msr, value))
        return UINT64_MAX;
    if (cpu_rdmsr_safe(msr, &after) || cpu_wrmsr_safe(msr, before))
        return UINT64_MAX;
    return (after ^ value) & mask;
}

uint32_t trial_unstable(uint32_t msr, uint32_t times)
{
    uint64_t first, now;
    uint32_t other = 0;

    if (cpu_rdmsr_safe(msr, &first))
        return UINT32_MAX;
    for (uint32_t i = 0; i < times; i++)
        other += cpu_rdmsr_safe(msr, &now) || now != first;
    return other;
}

/* ---------------------------------------------------------------- overflow of a counter */

static bool take_counter(const struct trial *trial, uint64_t *keep)
{
    trial->nmi->entry[NMI_ENTRY_COUNTERS] = trial->apic ? trial->apic + APIC_LVT_PERF : 0;
    return trial->apic && !restore_save(trial->log, RESTORE_MSR, MSR_PERF_CTL(0), 0, ~0ull, "PERF_CTL0", keep) &&
           !restore_save(trial->log, RESTORE_MSR, MSR_PERF_CTR(0), 0, PMC_COUNTER_MASK, "PERF_CTR0", NULL) &&
           !restore_save(trial->log, RESTORE_MMIO, trial->apic + APIC_LVT_PERF, 0, ~(uint64_t)APIC_LVT_STATUS,
                         "APIC 340h LVT performance counters", NULL);
}

static void start_counter(const struct trial *trial, uint64_t ctl, uint64_t clocks, uint32_t masked)
{
    apic_write(trial->apic + APIC_LVT_PERF, APIC_LVT_NMI | masked);
    (void)cpu_wrmsr_safe(MSR_PERF_CTR(0), (0 - clocks) & PMC_COUNTER_MASK);
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(0), ctl);
}

/* Stops the counter some clocks before or after its overflow. Returns the NMIs from 1 us after the stop on. */
static uint32_t stop_close(const struct trial *trial, uint64_t ctl, uint64_t clocks, uint32_t *stops)
{
    begin(trial);
    start_counter(trial, ctl, clocks, 0);
    for (unsigned i = 0; i < STOP_STEP; i++)
        cpu_pause();
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(0), ctl & ~(uint64_t)PMC_CTL_EN);
    trial_wait(trial, 1);
    uint32_t before = came(trial);
    trial_wait(trial, SETTLE_US / 10);
    *stops += came(trial) != 0;
    return came(trial) - before;
}

void trial_overflow(const struct trial *trial, struct trial_overflow *ret)
{
    uint64_t keep;
    uint32_t before = trial->nmi->state;

    *ret = (struct trial_overflow){.ok = take_counter(trial, &keep)};
    if (!ret->ok)
        return;
    uint64_t ctl =
        (keep & PMC_CTL_PRESERVE) | pmc_ctl(EVENT_CLOCKS, 0, 0, PMC_CTL_USR | PMC_CTL_OS | PMC_CTL_INT | PMC_CTL_EN);
    begin(trial);
    start_counter(trial, ctl, OVERFLOW_CLOCKS, 0);
    trial_wait(trial, SETTLE_US);
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(0), ctl & ~(uint64_t)PMC_CTL_EN);
    ret->nmis = came(trial);
    ret->masked = apic_read(trial->apic + APIC_LVT_PERF) & APIC_LVT_MASKED;
    for (uint64_t n = 1; n <= STOPS; n++) {
        uint32_t late = stop_close(trial, ctl, n * STOP_STEP, &ret->stops);

        ret->late = late > ret->late ? late : ret->late;
    }
    apic_write(trial->apic + APIC_LVT_PERF, APIC_LVT_NMI | APIC_LVT_MASKED);
    trial->nmi->state = before;
}

static bool overflowed(void)
{
    uint64_t status = 0;

    (void)cpu_rdmsr_safe(MSR_PMC_GLOBAL_STATUS, &status);
    return status & 1;
}

/* Returns the clocks that counter 0 counts in this time. */
static uint64_t clocks_in(const struct trial *trial, uint32_t us)
{
    uint64_t from = 0, to = 0;

    (void)cpu_rdmsr_safe(MSR_PERF_CTR(0), &from);
    trial_wait(trial, us);
    (void)cpu_rdmsr_safe(MSR_PERF_CTR(0), &to);
    return to - from;
}

void trial_global(const struct trial *trial, struct trial_global *ret)
{
    uint64_t keep, global;

    *ret = (struct trial_global){.ok = take_counter(trial, &keep) &&
                                       !restore_save(trial->log, RESTORE_MSR, MSR_PMC_GLOBAL_CTL, 0, ~0ull,
                                                     "MSR C000_0301 PerfCntrGlobalCtl", &global) &&
                                       !cpu_wrmsr_safe(MSR_PMC_GLOBAL_CTL, global | 1) &&
                                       !cpu_wrmsr_safe(MSR_PMC_GLOBAL_STATUS_CLEAR, 1)};
    if (!ret->ok)
        return;
    uint64_t ctl =
        (keep & PMC_CTL_PRESERVE) | pmc_ctl(EVENT_CLOCKS, 0, 0, PMC_CTL_USR | PMC_CTL_OS | PMC_CTL_INT | PMC_CTL_EN);
    ret->before = overflowed();
    start_counter(trial, ctl, OVERFLOW_CLOCKS, APIC_LVT_MASKED);
    trial_wait(trial, SETTLE_US);
    ret->after = overflowed();
    (void)cpu_wrmsr_safe(MSR_PMC_GLOBAL_STATUS_CLEAR, 1);
    ret->cleared = !overflowed();
    ret->on = clocks_in(trial, SETTLE_US);
    (void)cpu_wrmsr_safe(MSR_PMC_GLOBAL_CTL, global & ~1ull);
    ret->off = clocks_in(trial, SETTLE_US);
    (void)cpu_wrmsr_safe(MSR_PERF_CTL(0), ctl & ~(uint64_t)PMC_CTL_EN);
}

/* ---------------------------------------------------------------- IBS */

static void stop_in_two_steps(uint64_t ctl)
{
    (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, ctl & ~IBS_OP_MAX_CNT);
    (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, 0);
}

void trial_ibs(const struct trial *trial, struct trial_ibs *ret)
{
    uint32_t before = trial->nmi->state;
    uint64_t ctl, storms = trial->nmi->counts.storm;

    begin(trial);
    *ret = (struct trial_ibs){.ok = !cpu_rdmsr_safe(MSR_IBS_OP_CTL, &ctl)};
    if (!ret->ok)
        return;
    stop_in_two_steps(ctl);
    trial_wait(trial, SETTLE_US);

    /* Stops by MaxCnt alone. */
    begin(trial);
    (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, IBS_OP_EN | 0xFFFF);
    (void)cpu_rdmsr_safe(MSR_IBS_OP_CTL, &ctl);
    (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, ctl & ~IBS_OP_MAX_CNT);
    trial_wait(trial, SETTLE_US);
    (void)cpu_rdmsr_safe(MSR_IBS_OP_CTL, &ret->stopped_ctl);
    (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, 0);
    trial_wait(trial, SETTLE_US);
    ret->stopped_nmis = came(trial);
    ret->storm = trial->nmi->counts.storm != storms;

    /* Leaves a sample: the handler only counts its NMI. */
    begin(trial);
    (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, IBS_OP_EN | OP_PERIOD);
    trial_wait(trial, HOLD_US);
    (void)cpu_rdmsr_safe(MSR_IBS_OP_CTL, &ctl);
    ret->held_nmis = came(trial);
    ret->held_val = ctl & IBS_OP_VAL;
    stop_in_two_steps(ctl);
    trial_wait(trial, SETTLE_US);
    trial->nmi->state = before;
}

static bool fetch_count(uint32_t *ret)
{
    uint64_t ctl;
    bool ok = !cpu_rdmsr_safe(MSR_IBS_FETCH_CTL, &ctl);

    *ret = (uint32_t)((ctl & IBS_FETCH_CNT) >> 16);
    return ok;
}

void trial_fetch_restart(const struct trial *trial, struct trial_fetch *ret)
{
    uint64_t from = cpu_rdtsc(), ticks = HOLD_US * trial->machine->tsc_khz / 1000;

    begin(trial);
    *ret = (struct trial_fetch){.ok = !cpu_wrmsr_safe(MSR_IBS_FETCH_CTL, IBS_FETCH_EN | FETCH_PERIOD)};
    while (ret->ok && !ret->before && cpu_rdtsc() - from < ticks) {
        cpu_pause();
        ret->ok = fetch_count(&ret->before);
    }
    ret->ok = ret->ok && !cpu_wrmsr_safe(MSR_IBS_FETCH_CTL, IBS_FETCH_EN | FETCH_PERIOD) && fetch_count(&ret->after);
    (void)cpu_wrmsr_safe(MSR_IBS_FETCH_CTL, IBS_FETCH_EN);
    (void)cpu_wrmsr_safe(MSR_IBS_FETCH_CTL, 0);
}

static void add_stop(struct trial_stops *ret, uint32_t nmis)
{
    ret->all += nmis;
    ret->most = nmis > ret->most ? nmis : ret->most;
}

void trial_two_steps(const struct trial *trial, uint32_t times, struct trial_stops *ret)
{
    uint32_t before = trial->nmi->state;
    uint64_t ctl, storms = trial->nmi->counts.storm;

    *ret = (struct trial_stops){0};
    begin(trial); /* first of all: a storm while sampling would end the session */
    stop_in_two_steps(IBS_OP_EN);
    for (uint32_t i = 0; i < times && !ret->storm; i++) {
        begin(trial);
        (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, IBS_OP_EN | OP_PERIOD);
        for (uint32_t pauses = 0; pauses < i; pauses++)
            cpu_pause();
        (void)cpu_rdmsr_safe(MSR_IBS_OP_CTL, &ctl);
        (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, ctl & ~IBS_OP_MAX_CNT);
        uint32_t first = came(trial);
        (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, ctl & ~(IBS_OP_MAX_CNT | IBS_OP_EN));
        trial_wait(trial, STOPPED_US);
        add_stop(ret, came(trial) - first);
        (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, 0);
        ret->storm = trial->nmi->counts.storm != storms;
    }
    trial->nmi->state = before;
}

void trial_one_step(const struct trial *trial, uint32_t times, struct trial_stops *ret)
{
    *ret = (struct trial_stops){0};
    stop_in_two_steps(IBS_OP_EN);
    for (uint32_t i = 0; i < times; i++) {
        uint64_t before = trial->nmi->counts.nmi;

        trial->nmi->state = NMI_STOPPING; /* in which the handler guards against a storm */
        (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, IBS_OP_EN | 0xFFFF);
        (void)cpu_wrmsr_safe(MSR_IBS_OP_CTL, 0);
        trial_wait(trial, 1);
        add_stop(ret, (uint32_t)(trial->nmi->counts.nmi - before));
    }
}

/* ---------------------------------------------------------------- the local APIC */

void trial_timer(const struct trial *trial, struct trial_timer *ret)
{
    static const struct {
        uint32_t offset;
        const char *what;
        uint64_t mask;
    } rows[] = {{APIC_TIMER_INITIAL, "APIC 380h timer initial count", ~0ull},
                {APIC_TIMER_DIVIDE, "APIC 3E0h timer divide", APIC_DIVIDE_BITS},
                {APIC_LVT_TIMER, "APIC 320h LVT timer", ~(uint64_t)APIC_LVT_STATUS}}; /* undone the last first */
    uint32_t before = trial->nmi->state;

    *ret = (struct trial_timer){.ok = trial->apic};
    for (unsigned i = 0; ret->ok && i < sizeof(rows) / sizeof(rows[0]); i++)
        ret->ok =
            !restore_save(trial->log, RESTORE_MMIO, trial->apic + rows[i].offset, 0, rows[i].mask, rows[i].what, NULL);
    if (!ret->ok)
        return;
    trial->nmi->entry[NMI_ENTRY_TIMER] = trial->apic + APIC_LVT_TIMER;
    begin(trial);
    apic_write(trial->apic + APIC_ERROR_STATUS, 0);
    apic_write(trial->apic + APIC_TIMER_INITIAL, 0);
    apic_write(trial->apic + APIC_LVT_TIMER, APIC_LVT_NMI);
    apic_write(trial->apic + APIC_TIMER_DIVIDE, APIC_DIVIDE_BY_1);
    ret->holds = (apic_read(trial->apic + APIC_LVT_TIMER) & ~(uint32_t)APIC_LVT_STATUS) == APIC_LVT_NMI;
    apic_write(trial->apic + APIC_TIMER_INITIAL, 2000); /* 10 us of 200 MHz */
    trial_wait(trial, SETTLE_US);
    ret->left = apic_read(trial->apic + APIC_TIMER_CURRENT);
    apic_write(trial->apic + APIC_TIMER_INITIAL, 0);
    apic_write(trial->apic + APIC_ERROR_STATUS, 0);
    ret->status = apic_read(trial->apic + APIC_ERROR_STATUS);
    ret->nmis = came(trial);
    trial->nmi->state = before;
}

/* Saves extended entries before the APIC is switched off, which masks all of them for good; so they are put back after
 * it is on again. */
static bool save_extended(const struct trial *trial)
{
    uint32_t count = apic_extended_lvts(trial->apic);

    if (count < 2)
        return false;
    for (uint32_t n = 0; n < count && n < LVT_ENTRIES; n++)
        if (lvt_save(trial->log, trial->apic, n))
            return false;
    return true;
}

bool trial_apic_off(const struct trial *trial, uint32_t *ret_entry)
{
    uint64_t entry, svr;

    if (!trial->apic || !save_extended(trial) || quiet_mask_lvt(trial->machine, trial->log) < 0 ||
        restore_save(trial->log, RESTORE_MMIO, trial->apic + APIC_SPURIOUS, 0, ~0ull, "APIC 0F0h spurious interrupt",
                     &svr))
        return false;
    entry = apic_extended_lvt(trial->apic, 1);
    uint32_t before = apic_read(entry);
    apic_write(trial->apic + APIC_SPURIOUS, (uint32_t)svr & ~(uint32_t)APIC_SOFTWARE_ENABLE);
    apic_write(entry, APIC_LVT_NMI);
    *ret_entry = apic_read(entry);
    apic_write(entry, before | APIC_LVT_MASKED);
    apic_write(trial->apic + APIC_SPURIOUS, (uint32_t)svr);
    return true;
}

void trial_read_apic(const struct trial *trial, uint32_t times)
{
    for (uint32_t i = 0; trial->apic && i < times; i++)
        (void)apic_read(trial->apic + APIC_VERSION);
}
