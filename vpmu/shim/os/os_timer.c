/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While the guest is stepped, the real APIC timer, which runs in the host's time, would expire a hundred times before
 * the handler of its first interrupt had ended. So meanwhile it is masked, and replaced by a timer of the same
 * frequency that runs by the model's time stamp counter. QEMU's counts nanoseconds before its divider (hw/intc/apic.c).
 *
 * Between the end of a count, which CURRENT shows at once, and its interrupt passes the time until QEMU's main loop
 * wakes up, on a busy host milliseconds. A timer masked meanwhile never interrupts: apic_timer_update() drops it. An
 * operating system that waits for a one-shot timer's interrupt before it sets the next one would wait for ever, so this
 * file tracks whether that interrupt has come. (A periodic timer interrupts again anyway.)
 */
#include "vpmu/shim/os/os.h"

enum {
    EOI = 0xb0,
    IN_SERVICE = 0x100, /* 8 registers of 32 vectors each */
    REQUESTED = 0x200,
    LVT_TIMER = 0x320,
    INITIAL = 0x380,
    CURRENT = 0x390,
    DIVIDE = 0x3e0,
    ICR_LOW = 0x300,
    ICR_HIGH = 0x310,
    ICR_SELF = 1 << 18,
    LVT_MASKED = 1 << 16,
    LVT_PERIODIC = 1 << 17,
    TIMER_KHZ = 1000000,
};

static volatile uint32_t *apic(const struct shim *shim, unsigned offset)
{
    return (volatile uint32_t *)(shim->apic_base + offset);
}

/* Returns ticks of the TSC. */
static uint64_t ticks_of(const struct shim *shim, uint64_t count)
{
    uint32_t code = (shim->os.timer.divide & 3) | (shim->os.timer.divide >> 1 & 4);
    return (count << ((code + 1) & 7)) * vpmu_tsc_khz(shim->model) / TIMER_KHZ;
}

static uint32_t count_left(const struct shim *shim)
{
    const struct os_timer *timer = &shim->os.timer;
    uint64_t now = vpmu_tsc(shim->model), unit = ticks_of(shim, 1u << 16);
    if (!timer->counting || now >= timer->expiry || !unit)
        return 0;
    uint64_t count = ((timer->expiry - now) << 16) / unit;
    return count ? (uint32_t)count : 1;
}

static void start(struct shim *shim, uint32_t count)
{
    shim->os.timer.counting = count != 0;
    shim->os.timer.expiry = vpmu_tsc(shim->model) + ticks_of(shim, count);
}

/* Returns the timer's bit in one of the APIC's maps of vectors. */
static bool vector_in(const struct shim *shim, unsigned map, uint32_t lvt)
{
    unsigned vector = lvt & 0xff;
    return *apic(shim, map + (vector >> 5) * 16) >> (vector & 31) & 1;
}

static void real_starts(struct shim *shim, uint32_t lvt)
{
    shim->os.timer.taken = false;
    shim->os.timer.earlier = vector_in(shim, IN_SERVICE, lvt);
}

void os_timer_watch(struct shim *shim, unsigned offset)
{
    struct os_timer *timer = &shim->os.timer;
    if (!shim->settings.os || timer->ours)
        return;
    if (offset == INITIAL)
        real_starts(shim, *apic(shim, LVT_TIMER));
    else if (offset == EOI && !timer->earlier)
        timer->taken |= vector_in(shim, IN_SERVICE, *apic(shim, LVT_TIMER));
}

/* Returns whether the count had ended, but its interrupt had not come yet, when the timer was masked. */
static bool interrupt_is_missing(const struct shim *shim)
{
    const struct os_timer *timer = &shim->os.timer;
    return timer->initial && !timer->counting && !(timer->lvt & (LVT_MASKED | LVT_PERIODIC)) && !timer->taken &&
           !vector_in(shim, REQUESTED, timer->lvt) && (timer->earlier || !vector_in(shim, IN_SERVICE, timer->lvt));
}

void os_timer_begin(struct shim *shim)
{
    struct os_timer *timer = &shim->os.timer;
    timer->lvt = *apic(shim, LVT_TIMER);
    timer->divide = *apic(shim, DIVIDE);
    timer->initial = *apic(shim, INITIAL);
    timer->ours = true;
    *apic(shim, LVT_TIMER) = timer->lvt | LVT_MASKED; /* first: it cannot interrupt any more */
    start(shim, *apic(shim, CURRENT));
    timer->counting |= interrupt_is_missing(shim);
}

void os_timer_end(struct shim *shim)
{
    struct os_timer *timer = &shim->os.timer;
    os_timer_check(shim);
    timer->ours = false;
    *apic(shim, LVT_TIMER) = timer->lvt;
    *apic(shim, DIVIDE) = timer->divide;
    *apic(shim, INITIAL) = timer->lvt & LVT_PERIODIC ? timer->initial : count_left(shim); /* a new period begins */
    real_starts(shim, timer->lvt);
}

bool os_timer_due(const struct shim *shim)
{
    return shim->os.timer.counting && vpmu_tsc(shim->model) >= shim->os.timer.expiry;
}

void os_timer_check(struct shim *shim)
{
    struct os_timer *timer = &shim->os.timer;
    uint64_t now = vpmu_tsc(shim->model);
    if (!os_timer_due(shim))
        return;
    uint64_t period = ticks_of(shim, timer->initial);
    timer->counting = (timer->lvt & LVT_PERIODIC) && period;
    if (timer->counting)
        timer->expiry += ((now - timer->expiry) / period + 1) * period;
    if (!(timer->lvt & LVT_MASKED)) {
        *apic(shim, ICR_HIGH) = 0;
        *apic(shim, ICR_LOW) = ICR_SELF | (timer->lvt & 0xff);
        shim->os.ticks++;
    }
}

/* Returns whether the timer is the model's, with all its registers: its LVT entry is of type NMI. */
static bool not_ours(struct shim *shim)
{
    uint32_t value;
    return !shim->os.timer.ours || vpmu_apic_read(shim->model, LVT_TIMER, &value) == VPMU_OK;
}

bool os_timer_skip(struct shim *shim)
{
    const struct os_timer *timer = &shim->os.timer;
    uint64_t now = vpmu_tsc(shim->model);
    if (!timer->counting)
        return false;
    if (timer->expiry > now)
        vpmu_elapse(shim->model, timer->expiry - now);
    os_timer_check(shim);
    return true;
}

bool os_timer_read(struct shim *shim, unsigned offset, uint32_t *value)
{
    const struct os_timer *timer = &shim->os.timer;
    if (not_ours(shim))
        return false;
    switch (offset) {
    case LVT_TIMER:
        *value = timer->lvt;
        return true;
    case INITIAL:
        *value = timer->initial;
        return true;
    case CURRENT:
        *value = count_left(shim);
        return true;
    case DIVIDE:
        *value = timer->divide;
        return true;
    default:
        return false;
    }
}

bool os_timer_write(struct shim *shim, unsigned offset, uint32_t value)
{
    struct os_timer *timer = &shim->os.timer;
    uint32_t left;
    if (not_ours(shim))
        return false;
    switch (offset) {
    case LVT_TIMER:
        timer->lvt = value;
        return true;
    case INITIAL:
        timer->initial = value;
        start(shim, value);
        return true;
    case CURRENT:
        return true; /* read-only */
    case DIVIDE:
        left = count_left(shim);
        timer->divide = value;
        start(shim, left);
        return true;
    default:
        return false;
    }
}
