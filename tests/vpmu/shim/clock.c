#include "tests/vpmu/shim/shim.h"

enum { SCALE_BITS = 32, NOT_STEPPED_TICKS = 1000 };

void clock_init(struct shim *shim, uint64_t host_khz)
{
    shim->clock.scale = ((uint64_t)vpmu_tsc_khz(shim->model) << SCALE_BITS) / (host_khz ? host_khz : 1);
    shim->clock.last = x86_rdtsc();
}

void clock_wait(struct shim *shim)
{
    if (shim->stepper.installed && !(shim->vmcb->rflags & RFLAGS_TF)) {
        vpmu_elapse(shim->model, NOT_STEPPED_TICKS);
    }
}

void clock_sync(struct shim *shim)
{
    if (shim->stepper.installed) {
        return;
    }
    uint64_t now = x86_rdtsc(), passed = now - shim->clock.last;
    shim->clock.last = now;
    vpmu_elapse(shim->model, (uint64_t)((unsigned __int128)passed * shim->clock.scale >> SCALE_BITS));
}

void clock_restart(struct shim *shim)
{
    shim->clock.last = x86_rdtsc();
}
