/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/run_plan.h"

#include "app/run/kind.h"
#include "drivers/cpu/cpu.h"

enum { DAY_MS = 86400000 };

/* The TSC stands still while the virtual PMU's model steps, so the clock comes first. */
uint64_t run_plan_now(struct firmware *fw, const struct machine *machine)
{
    struct firmware_time now;

    fw->now(fw, &now);
    if (now.valid)
        return ((now.hour * 60u + now.minute) * 60u + now.second) * 1000u;
    return machine->tsc_khz ? cpu_rdtsc() / machine->tsc_khz % DAY_MS : 0;
}

uint64_t run_plan_ops(const struct run *run)
{
    if (kind_has_own_workload(run))
        return 0;
    return run->workload->work(run->params) * run->workload->unit_ops * run->task.repeats;
}

/* Returns the op samples at the hottest instruction. */
static uint64_t hottest(const struct run *run)
{
    const struct profile *profile = &run->ibs.profile;
    uint64_t most = 0;

    for (uint32_t i = 0; profile->rows && i < profile->map->insn_count; i++)
        if (profile_row(profile, i)[DERIVED_F100_OP_ALL] > most)
            most = profile_row(profile, i)[DERIVED_F100_OP_ALL];
    return most;
}

uint64_t run_plan_since(struct firmware *fw, const struct machine *machine, uint64_t begun)
{
    return (run_plan_now(fw, machine) + DAY_MS - begun) % DAY_MS;
}

void run_plan_measured(const struct run *run, struct run_plan *plan, uint64_t begun)
{
    plan->ms = run_plan_since(run->fw, run->machine, begun);
    plan->hottest = hottest(run);
}
