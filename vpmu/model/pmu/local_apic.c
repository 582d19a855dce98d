/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pmu/local_apic.h"

#include "vpmu/model/hostile.h"
#include "vpmu/model/pmu/branch_sampling.h"
#include "vpmu/model/state.h"

enum {
    LVT_MASKED = 1 << 16,
    LVT_TYPE = 7 << 8,
    LVT_NMI = 4 << 8,
    LVT_PERIODIC = 1 << 17, /* timer */
    LVT_COUNTERS_BITS = 0x107FF,
    LVT_TIMER_BITS = 0x307FF,
    DIVIDE_BITS = 0xB,
    SVR_ENABLE = 0x100,
    HOSTILE_TIMER_LAST = 8, /* NMIs of HOSTILE_TIMER_ENDS */
    HOSTILE_TIMER_RATE = 3, /* what it is divided by, of HOSTILE_TIMER_SLOWS */
    HOSTILE_LATE_NS = 1500, /* of HOSTILE_LATE_OVERFLOW */
    SVR_BITS = 0x3FF,       /* 9: focus checking */
};

/* Returns whether a switch of later families is on. */
static bool later_has(const struct vpmu *vpmu, enum hostile_switch which)
{
    return hostile_has(vpmu->config.hostile, which) && params_later(vpmu->params);
}

static bool lets_nmi_through(uint32_t entry)
{
    return (entry & (LVT_MASKED | LVT_TYPE)) == LVT_NMI;
}

/* ---------------------------------------------------------------- time */

uint64_t vpmu_tsc(const struct vpmu *vpmu)
{
    return vpmu->tsc_offset + vpmu->pipe.retire_cycle;
}

uint64_t vpmu_tsc_shown(const struct vpmu *vpmu)
{
    return (vpmu_tsc(vpmu) + vpmu->tsc_ahead) >> vpmu->tsc_shift;
}

uint32_t vpmu_tsc_khz(const struct vpmu *vpmu)
{
    return vpmu->params->mhz * 1000;
}

void vpmu_elapse(struct vpmu *vpmu, uint64_t ticks)
{
    vpmu->tsc_offset += ticks;
}

void vpmu_elapse_uncounted(struct vpmu *vpmu, uint64_t ticks)
{
    vpmu->tsc_offset += ticks;
    vpmu->apic.expiry += ticks;
}

void apic_set_tsc(struct vpmu *vpmu, uint64_t value)
{
    vpmu_elapse_uncounted(vpmu, value - vpmu_tsc(vpmu));
}

/* ---------------------------------------------------------------- interrupts */

bool apic_armed(const struct local_apic *apic)
{
    return apic->waiting || apic->due || (apic->counting && lets_nmi_through(apic->lvt_timer));
}

/* Returns whether switches keep the timer's NMI back. */
static bool timer_is_mute(struct vpmu *vpmu)
{
    uint64_t hostile = vpmu->config.hostile;

    return hostile_has(hostile, HOSTILE_TIMER_NMI) ||
           (vpmu->apic.timer_nmis++ >= HOSTILE_TIMER_LAST && hostile_has(hostile, HOSTILE_TIMER_ENDS));
}

void apic_request(struct vpmu *vpmu, enum apic_source source, uint64_t cycle)
{
    struct local_apic *apic = &vpmu->apic;

    apic->requests++;
    if (source == APIC_FROM_TIMER && timer_is_mute(vpmu)) {
        apic->lost++;
        return;
    }
    if (source != APIC_PLANTED &&
        !lets_nmi_through(source == APIC_FROM_COUNTER ? apic->lvt_counters : apic->lvt_timer)) {
        apic->lost++;
        return;
    }
    if (!apic->waiting) {
        apic->ops = 0;
        apic->recognised = cycle + INTERRUPT_DELAY + rng_below(&apic->rng, INTERRUPT_SPREAD);
        apic->late = source == APIC_FROM_COUNTER && later_has(vpmu, HOSTILE_LATE_OVERFLOW);
        if (apic->late)
            apic->recognised += (uint64_t)HOSTILE_LATE_NS * vpmu->params->mhz / 1000;
    }
    apic->waiting |= source;
}

/* ---------------------------------------------------------------- the timer */

/* Converts counts by the divide configuration: bits 3, 1 and 0 are log2 of the divisor less 1, 111b is 1 (AMD APM vol.
 * 2 section 16.4.1). */
static uint64_t ticks_of(const struct vpmu *vpmu, uint64_t count)
{
    uint32_t code = (vpmu->apic.divide & 3) | (vpmu->apic.divide >> 1 & 4);
    bool slow = vpmu->apic.lvt_timer & LVT_PERIODIC && later_has(vpmu, HOSTILE_TIMER_SLOWS);

    return count * (slow ? HOSTILE_TIMER_RATE : 1) * (vpmu->params->mhz / APIC_TIMER_MHZ) << ((code + 1) & 7);
}

/* Starts the next period or stops, when the count has expired. */
static void timer_update(struct vpmu *vpmu)
{
    struct local_apic *apic = &vpmu->apic;
    uint64_t now = vpmu_tsc(vpmu), over = apic->expiry, period;

    if (!apic->counting || now < over)
        return;
    period = ticks_of(vpmu, apic->initial);
    apic->counting = (apic->lvt_timer & LVT_PERIODIC) != 0;
    apic->expiry += ((now - over) / period + 1) * period;
    apic_request(vpmu, APIC_FROM_TIMER, over - vpmu->tsc_offset);
}

static uint32_t timer_count(struct vpmu *vpmu)
{
    uint64_t tick = ticks_of(vpmu, 1);

    timer_update(vpmu);
    return vpmu->apic.counting ? (uint32_t)((vpmu->apic.expiry - vpmu_tsc(vpmu) + tick - 1) / tick) : 0;
}

static void timer_start(struct vpmu *vpmu, uint32_t count)
{
    vpmu->apic.counting = count != 0;
    vpmu->apic.expiry = vpmu_tsc(vpmu) + ticks_of(vpmu, count);
}

/* ---------------------------------------------------------------- on the way to the core */

static void plant(struct vpmu *vpmu)
{
    struct local_apic *apic = &vpmu->apic;
    uint64_t now = vpmu_tsc(vpmu);

    if (!apic->plant_at)
        apic->plant_at = now + vpmu->config.disturb;
    if (now < apic->plant_at)
        return;
    apic->planted = now;
    apic_request(vpmu, APIC_PLANTED, vpmu->pipe.retire_cycle);
}

uint64_t vpmu_planted(const struct vpmu *vpmu)
{
    return vpmu->apic.planted;
}

void apic_retired(struct vpmu *vpmu)
{
    struct local_apic *apic = &vpmu->apic;

    if (vpmu->config.disturb && !apic->planted)
        plant(vpmu);
    timer_update(vpmu);
    if (!apic->waiting)
        return;
    if (vpmu->pipe.retire_cycle < apic->recognised && apic->ops + vpmu->pending->info->ops <= SKID_OPS) {
        apic->ops += vpmu->pending->info->ops; /* of the next instruction */
        return;
    }
    apic_drained(vpmu);
}

void apic_drained(struct vpmu *vpmu)
{
    if (vpmu->apic.late && vpmu->pipe.retire_cycle < vpmu->apic.recognised)
        return;
    vpmu->apic.due |= branch_sampling_catch(vpmu, vpmu->apic.waiting);
    vpmu->apic.waiting = 0;
}

static bool delivery_masks(const struct vpmu *vpmu)
{
    if (vpmu->params->quirks & QUIRK_LVTPC_OPEN)
        return hostile_has(vpmu->config.hostile, HOSTILE_LVTPC_MASKED);
    return !hostile_has(vpmu->config.hostile, HOSTILE_LVTPC_OPEN);
}

bool apic_take(struct vpmu *vpmu)
{
    struct local_apic *apic = &vpmu->apic;

    if (!apic->due)
        return false;
    if ((apic->due & APIC_FROM_COUNTER) && delivery_masks(vpmu))
        apic->lvt_counters |= LVT_MASKED;
    apic->causes |= apic->due;
    apic->due = 0;
    apic->taken++;
    apic->skid_ops += apic->ops;
    apic->skid_max = apic->ops > apic->skid_max ? apic->ops : apic->skid_max;
    return true;
}

unsigned vpmu_nmi_causes(struct vpmu *vpmu)
{
    unsigned causes = vpmu->apic.causes;

    vpmu->apic.causes = 0;
    return causes;
}

/* ---------------------------------------------------------------- registers */

void apic_init(struct vpmu *vpmu)
{
    vpmu->apic.lvt_counters = vpmu->apic.lvt_timer = LVT_MASKED;
    vpmu->apic.off_opens = later_has(vpmu, HOSTILE_OFF_OPENS);
    vpmu->apic.lint1_ours = later_has(vpmu, HOSTILE_LVT_STICKS);
    vpmu->apic.lvt_lint1 = LVT_NMI;
    vpmu->apic.svr_ours = hostile_has(vpmu->config.hostile, HOSTILE_SVR_OFF);
    vpmu->apic.svr = vpmu->apic.svr_ours ? 0xFF : 0xFF | SVR_ENABLE;
    rng_seed(&vpmu->apic.rng, ~vpmu->config.seed); /* separate: IBS's random numbers do not depend on it */
}

uint32_t apic_lvt_value(const struct local_apic *apic, uint32_t value)
{
    return (apic->svr & SVR_ENABLE) || apic->off_opens ? value : value | LVT_MASKED;
}

/* Writes it; switching the APIC off masks all entries. */
static void write_svr(struct vpmu *vpmu, uint32_t value)
{
    struct local_apic *apic = &vpmu->apic;

    apic->svr = value & SVR_BITS;
    apic->lvt_counters = apic_lvt_value(apic, apic->lvt_counters);
    apic->lvt_timer = apic_lvt_value(apic, apic->lvt_timer);
    apic->lvt_lint1 = apic_lvt_value(apic, apic->lvt_lint1);
    for (unsigned i = 0; i < LVT_ENTRIES; i++)
        vpmu->lvt[i] = apic_lvt_value(apic, vpmu->lvt[i]);
}

enum vpmu_access apic_read(struct vpmu *vpmu, unsigned offset, uint32_t *value)
{
    struct local_apic *apic = &vpmu->apic;

    if (offset == APIC_LVT_COUNTERS)
        *value = apic->lvt_counters;
    else if (apic->lint1_ours && offset == APIC_LVT_LINT1)
        *value = apic->lvt_lint1;
    else if (apic->svr_ours && offset == APIC_SVR)
        *value = apic->svr;
    else if (!apic->timer_ours)
        return VPMU_NOT_MINE;
    else if (offset == APIC_LVT_TIMER)
        *value = apic->lvt_timer;
    else if (offset == APIC_TIMER_INITIAL)
        *value = apic->initial;
    else if (offset == APIC_TIMER_CURRENT)
        *value = timer_count(vpmu);
    else if (offset == APIC_TIMER_DIVIDE)
        *value = apic->divide;
    else
        return VPMU_NOT_MINE;
    return VPMU_OK;
}

static enum vpmu_access write_lvt_timer(struct vpmu *vpmu, uint32_t value)
{
    struct local_apic *apic = &vpmu->apic;

    if ((value & LVT_TYPE) != LVT_NMI) {
        apic->timer_ours = apic->counting = false;
        return VPMU_NOT_MINE;
    }
    if (!apic->timer_ours)
        apic->initial = apic->divide = 0;
    else
        timer_update(vpmu); /* by the old LVT entry */
    apic->timer_ours = true;
    apic->lvt_timer = apic_lvt_value(apic, value & LVT_TIMER_BITS);
    apic->timer_nmis = 0;
    return VPMU_OK;
}

enum vpmu_access apic_write(struct vpmu *vpmu, unsigned offset, uint32_t value)
{
    struct local_apic *apic = &vpmu->apic;
    uint32_t left;

    switch (offset) {
    case APIC_LVT_COUNTERS:
        apic->lvt_counters = apic_lvt_value(apic, value & LVT_COUNTERS_BITS);
        return VPMU_OK;
    case APIC_LVT_LINT1:
        apic->lvt_lint1 = apic_lvt_value(apic, value & LVT_COUNTERS_BITS) | (apic->lvt_lint1 & LVT_MASKED);
        return apic->lint1_ours ? VPMU_OK : VPMU_NOT_MINE;
    case APIC_SVR: /* seen, and the real one's too */
        write_svr(vpmu, value);
        return apic->svr_ours ? VPMU_OK : VPMU_NOT_MINE;
    case APIC_LVT_TIMER:
        return write_lvt_timer(vpmu, value);
    case APIC_TIMER_CURRENT: /* read-only: ignored */
        return apic->timer_ours ? VPMU_OK : VPMU_NOT_MINE;
    case APIC_TIMER_INITIAL:
        if (!apic->timer_ours)
            return VPMU_NOT_MINE;
        apic->initial = value;
        timer_start(vpmu, value);
        return VPMU_OK;
    case APIC_TIMER_DIVIDE:
        if (!apic->timer_ours)
            return VPMU_NOT_MINE;
        left = timer_count(vpmu); /* continues from there at the new rate */
        apic->divide = value & DIVIDE_BITS;
        timer_start(vpmu, left);
        return VPMU_OK;
    default:
        return VPMU_NOT_MINE;
    }
}
