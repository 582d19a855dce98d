/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/reference.h"

#include "app/counter_plan.h"
#include "app/task.h"
#include "core/ibs_regs.h"
#include "core/mem.h"
#include "core/stats.h"
#include "drivers/vpmu_query.h"

enum { CALM_PERIOD = 1024 };

/* Holds what is counted, in groups. */
struct reference {
    struct event_list list;
    struct event_groups groups;
    uint8_t row[DISTURBANCE_ROWS];
};

/* Lists what the processor has and, a virtual one, counts; false: nothing. */
static bool prepare(const struct run *run, struct reference *reference)
{
    unsigned kept = 0;

    if (!machine_pmc_usable(run->machine))
        return false;
    (void)disturbance_list(&reference->list, reference->row, task_event_set(run->machine));
    for (unsigned i = 0; i < reference->list.count; i++) {
        const struct event_spec *spec = &reference->list.spec[i];

        if (!vpmu_counts(run->machine, spec->event->select, spec->mask))
            continue;
        reference->row[kept] = reference->row[i];
        reference->list.spec[kept++] = *spec;
    }
    reference->list.count = kept;
    return kept && event_groups_make(&reference->groups, &reference->list, -1);
}

/* One pass for each group: the counts by rows, and the interrupts of the last one. */
struct counted {
    uint64_t event[DISTURBANCE_ROWS];
    uint64_t interrupts;
};

static bool count_group(struct run *run, const struct reference *reference, const struct event_group *group,
                        const struct session_program *sampling, enum passes_beside what)
{
    struct session_program program = sampling ? *sampling : (struct session_program){0};
    enum session_error refused;

    counter_plan(&program.pmc, &reference->list, group, 1);
    program.pmc.mode = sampling ? PMC_SAMPLING : PMC_COUNTING;
    if (passes_run_beside(&run->passes, &program, what, &refused))
        return true;
    run->disturbance.why = refused ? session_error_text(refused) : "a pass for it failed";
    return false;
}

/* sampling: NULL: without it. */
static bool count(struct run *run, const struct reference *reference, const struct session_program *sampling,
                  enum passes_beside what, struct counted *ret)
{
    *ret = (struct counted){0};
    for (unsigned g = 0; g < reference->groups.count; g++) {
        const struct event_group *group = &reference->groups.group[g];

        if (!count_group(run, reference, group, sampling, what))
            return false;
        for (unsigned i = 0; i < group->count; i++)
            if (group->event[i] != EVENT_GROUP_NONE)
                ret->event[reference->row[group->event[i]]] = run->passes.result.pmc.event[group->event[i]].total;
        ret->interrupts = run->passes.beside_interrupts;
    }
    return true;
}

void reference_undisturbed(struct run *run)
{
    struct disturbance *of = &run->disturbance;
    struct reference reference;
    struct counted counted;

    if (!prepare(run, &reference)) {
        of->why = "no counter event can be counted here";
        return;
    }
    for (unsigned i = 0; i < reference.list.count; i++)
        of->counted[reference.row[i]] = true;
    if (!count(run, &reference, NULL, PASSES_UNDISTURBED, &counted))
        return;
    memcpy(of->undisturbed, counted.event, sizeof(of->undisturbed));
    of->undisturbed_us = passes_elapsed_us(&run->passes, run->machine);
}

static uint32_t shortened(uint32_t period, uint32_t times, uint32_t least)
{
    uint32_t shorter = period / times / IBS_PERIOD_STEP * IBS_PERIOD_STEP;

    return shorter > least ? shorter : least;
}

/* Often enough for a mean over the loop's few ops, and with the same mixture of samples of both kinds. */
static void shorten(struct ibs_plan *plan)
{
    uint32_t longer = plan->op && plan->op_period > plan->fetch_period ? plan->op_period : plan->fetch_period;
    uint32_t times = (plan->fetch ? longer : plan->op_period) / CALM_PERIOD;

    if (times < 2)
        return;
    plan->op_period = shortened(plan->op_period, times, IBS_OP_PERIOD_MIN);
    plan->fetch_period = shortened(plan->fetch_period, times, IBS_FETCH_PERIOD_MIN);
}

void reference_sampled(struct run *run, const struct session_program *program)
{
    struct disturbance *of = &run->disturbance;
    struct session_program often = *program;
    struct reference reference;
    struct counted counts, calm, interrupted;

    shorten(&often.ibs);
    if (of->why || !prepare(run, &reference) || !count(run, &reference, NULL, PASSES_CALM, &calm) ||
        !count(run, &reference, &often, PASSES_CALM, &interrupted) ||
        !count(run, &reference, program, PASSES_ASIDE, &counts))
        return;
    of->interrupts = counts.interrupts;
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++) {
        uint64_t more = interrupted.event[r] > calm.event[r] ? interrupted.event[r] - calm.event[r] : 0;

        of->handler[r] = interrupted.interrupts ? stats_mul_div(more, counts.interrupts, interrupted.interrupts) : 0;
        if (of->handler[r] > counts.event[r])
            of->handler[r] = counts.event[r];
        of->sampled[r] = counts.event[r] - of->handler[r];
    }
}
