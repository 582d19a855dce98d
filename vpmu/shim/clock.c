/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/shim/hypervisor.h"
#include "vpmu/shim/shim.h"

enum { SCALE_BITS = 32, NOT_STEPPED_TICKS = 1000 };

void clock_init(uint64_t host_khz)
{
    uint64_t now, advance;
    group_time(&now, &advance);
    for (uint32_t i = 0; i < hypervisor.cores; i++) {
        uint64_t scale = ((uint64_t)vpmu_tsc_khz(hypervisor.shim[i].model) << SCALE_BITS) / (host_khz ? host_khz : 1);
        hypervisor.shim[i].clock = (struct clock){.scale = scale, .origin = now, .last = now, .advance = advance};
    }
}

/* Returns ticks of the model's TSC since the beginning. Rounded in one place, so that all cores have the same time,
 * however often each of them reads it. */
static uint64_t ticks(const struct clock *clock, uint64_t host)
{
    return (uint64_t)((unsigned __int128)(host - clock->origin) * clock->scale >> SCALE_BITS);
}

void clock_wait(struct shim *shim)
{
    if (shim->stepper.installed && !step_on(shim))
        vpmu_elapse(shim->model, NOT_STEPPED_TICKS);
}

/* Returns the time passed. While other cores are stepped, it passes at their rate, not at the host's: a core that
 * waits for them would time out within a few of their instructions. */
static uint64_t passed(struct shim *shim, uint64_t now, uint64_t advance)
{
    struct clock *clock = &shim->clock;
    uint64_t by = ticks(clock, now) - ticks(clock, clock->last);
    clock->last = now;
    if (advance > clock->advance) {
        by += advance - clock->advance;
        clock->advance = advance;
    }
    return by;
}

void clock_sync(struct shim *shim)
{
    if (shim->stepper.installed)
        return;
    uint64_t now, advance;
    group_time(&now, &advance);
    vpmu_elapse(shim->model, passed(shim, now, advance));
}

void clock_begin_stepping(struct shim *shim, uint64_t now, uint64_t advance)
{
    vpmu_elapse_uncounted(shim->model, passed(shim, now, advance));
}

/* Restarts the clock where stepping began (clock->last): what has passed since the last core was stepped is time of
 * all cores, also of this one. */
void clock_restart(struct shim *shim, uint64_t advance)
{
    /* The core may be ahead of those that are still stepped: then its time stops until they have caught up. */
    uint64_t own = shim->turn.joined_with + vpmu_tsc(shim->model) - shim->turn.joined;
    shim->clock.advance = own > advance ? own : advance;
}
