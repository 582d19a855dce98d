/* SPDX-License-Identifier: BSD-2-Clause */
/* Works out what sampling by counters changed, and finds periods that change less. */
#include "app/kinds/counters/pmc.h"

#include "app/run/reference.h"

/* Returns whether sampling uses all counters, in one group or in turns. */
static bool taken(const struct run *run)
{
    const struct event_groups *groups = &run->task.groups;
    bool full = pmc_multiplexed(run);

    for (unsigned g = 0; g < groups->count; g++) {
        unsigned events = 0;

        for (unsigned i = 0; i < groups->group[g].count; i++)
            events += groups->group[g].event[i] != EVENT_GROUP_NONE;
        full |= events == run->machine->pmc.count;
    }
    return full;
}

/* Sets, for events that were always counted, the weight of a sample, and the repeats. */
static void weigh(struct run *run, unsigned repeats)
{
    struct disturbance *of = &run->disturbance;

    of->passes = repeats;
    for (unsigned i = 0; i < run->task.list.count && !pmc_multiplexed(run); i++) {
        unsigned row = reference_row(run, &run->task.list.spec[i]);

        if (run->task.counted[i] && row != DISTURBANCE_ROWS && row != DISTURBANCE_CYCLES)
            of->weight[row] = run->task.list.spec[i].period / event_groups_with(&run->task.groups, i);
    }
}

static void sampled(struct run *run)
{
    struct disturbance *of = &run->disturbance;

    for (unsigned g = 0; g < pmc_sampling_passes(run); g++) {
        const struct session_program program = pmc_sampling(run, 0, g);

        reference_sampled(run, &program, pmc_multiplexed(run) ? NULL : &run->task.groups.group[g], g > 0);
    }
    weigh(run, run->task.repeats);
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++)
        of->samples[r] = of->weight[r] ? of->undisturbed[r] * of->passes / of->weight[r] : 0;
}

/* Doubles the periods that the program has chosen. */
static bool longer(struct run *run)
{
    bool some = false;

    for (unsigned i = 0; i < run->task.list.count; i++) {
        uint64_t *period = &run->task.list.spec[i].period;

        if (!run->task.measure_period[i] || *period > PMC_SAMPLING_PERIOD_MAX / 2)
            continue;
        *period *= 2;
        some = true;
    }
    return some;
}

unsigned pmc_reference_passes(const struct run *run)
{
    unsigned passes = 0;

    for (unsigned g = 0; g < pmc_sampling_passes(run); g++) {
        const struct session_program program = pmc_sampling(run, 0, g);
        unsigned sampled, before = reference_passes(run, taken(run), &program,
                                                    pmc_multiplexed(run) ? NULL : &run->task.groups.group[g], &sampled);

        passes += g ? sampled : before + sampled;
    }
    return passes;
}

void pmc_reference(struct run *run)
{
    reference_undisturbed(run, taken(run));
    reference_search(run, sampled, longer);
}

void pmc_reference_judge(struct run *run)
{
    struct disturbance *of = &run->disturbance;

    reference_time(run, false);
    weigh(run, run->pmc.repeats);
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++)
        of->samples[r] = 0;
    for (unsigned i = 0; i < run->task.list.count; i++) {
        unsigned row = reference_row(run, &run->task.list.spec[i]);

        if (row != DISTURBANCE_ROWS)
            of->samples[row] = run->pmc.profile.event[i].samples;
    }
}
