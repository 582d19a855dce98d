/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/counters/pmc.h"

#include "app/run/counter_plan.h"
#include "app/run/kind.h"
#include "core/base/rng.h"

uint64_t measure_pmc_period(const struct event *event, uint64_t total, uint64_t samples, bool hypervisor)
{
    uint64_t low = event->flags & EVENT_FREQUENT ? MEASURE_PMC_FREQUENT_MIN : MEASURE_PMC_PERIOD_MIN;
    uint64_t period = samples ? total / samples : 0;

    if (!hypervisor && low < event->period_min)
        low = event->period_min;
    if (period < low)
        period = low;
    return period < PMC_SAMPLING_PERIOD_MAX ? period : PMC_SAMPLING_PERIOD_MAX;
}

/* ---------------------------------------------------------------- plans */

static struct session_program counting(const struct run *run, unsigned group)
{
    struct session_program program = {0};

    counter_plan(&program.pmc, &run->task.list, &run->task.groups.group[group], 1);
    program.pmc.mode = PMC_COUNTING;
    return program;
}

/* Returns the group of turn number 'turn': a different one in each repeat, so that over the repeats no group always has
 * the workload's beginning, or one turn more than the others. */
static unsigned group_of_turn(const struct run *run, unsigned repeat, unsigned turn)
{
    return (repeat + turn) % run->task.groups.count;
}

struct session_program pmc_sampling(const struct run *run, unsigned repeat, unsigned group)
{
    const struct event_groups *groups = &run->task.groups;
    struct session_program program = {0};
    struct pmc_plan *plan = &program.pmc;
    struct event_group turns[EVENT_GROUPS_MAX];

    for (unsigned turn = 0; turn < groups->count; turn++)
        turns[turn] = groups->group[group_of_turn(run, repeat, turn)];
    if (pmc_multiplexed(run))
        counter_plan(plan, &run->task.list, turns, groups->count);
    else
        counter_plan(plan, &run->task.list, &groups->group[group], 1);
    plan->mode = PMC_SAMPLING;
    plan->random = run->pmc.random;
    plan->seed = rng_part_seed(run->seed, RNG_PASS, repeat);
    plan->slice = run->pmc.slice_us * run->machine->tsc_khz / 1000;
    plan->turns_seed = run->seed; /* over all repeats, in which each group has each place equally often */
    return program;
}

unsigned pmc_sampling_passes(const struct run *run)
{
    return pmc_multiplexed(run) ? 1 : run->task.groups.count;
}

bool pmc_take_profile(struct run *run, unsigned events, const struct options *options, struct out *problems)
{
    run->pmc.size = pmc_profile_memory_size(run->map, events);
    run->pmc.memory = pool_take(&run->pool, run->pmc.size, POOL_PAGE, "the profile of the counters", problems);
    run->pmc.random = options->random;
    return run->pmc.memory;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct task *task = &run->task;
    size_t size = task->repeats * task->groups.count * sizeof(struct pmc_group_result);

    if (!pmc_take_profile(run, task->list.count, options, problems))
        return false;
    run->pmc.slice_us = options->slice_us;
    run->pmc.group = pool_take(&run->pool, size, POOL_PAGE, "the counts", problems);
    if (!run->pmc.group)
        return false;
    for (unsigned g = 0; g < pmc_sampling_passes(run); g++) {
        const struct session_program program = pmc_sampling(run, 0, g);

        if (!passes_possible(&run->passes, &program, problems))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- passes */

/* Returns the most samples of one event of a group in one pass, limited by the buffer and by how much interrupts may
 * disturb the workload. With multiplexing a group has only its share of the ops. */
static uint64_t samples_wanted(const struct run *run, unsigned members)
{
    uint64_t ops = run->workload->work(run->params) * run->workload->unit_ops;
    uint64_t wanted = MEASURE_PMC_SAMPLES, room, calm;
    unsigned events = 0;

    for (unsigned i = 0; i < run->task.list.count; i++)
        events += run->task.counted[i];
    room = (uint64_t)run->passes.capacity * 3 / 4 / events;
    calm = ops / MEASURE_PMC_OPS_PER_SAMPLE / members / (pmc_multiplexed(run) ? run->task.groups.count : 1);
    wanted = room < wanted ? room : wanted;
    wanted /= run->task.repeats;
    wanted = calm < wanted ? calm : wanted;
    return wanted ? wanted : 1;
}

static bool wants_period(const struct run *run, const struct event_group *group)
{
    bool wanted = false;

    for (unsigned i = 0; i < group->count; i++)
        wanted |= event_group_has(group, i) && run->task.measure_period[group->event[i]] &&
                  !run->pmc.period_known[group->event[i]];
    return wanted;
}

/* Counts one group and chooses the periods of its events. The first of its groups decides an event's period. */
static bool measure_periods(struct run *run, unsigned group)
{
    const struct event_group *members = &run->task.groups.group[group];
    const struct pmc_count *counts = run->passes.result.pmc.event;
    const struct session_program program = counting(run, group);

    if (!wants_period(run, members))
        return true;
    if (!passes_run(&run->passes, &program))
        return false;
    for (unsigned i = 0; i < members->count; i++) {
        unsigned event = members->event[i];

        if (!event_group_has(members, i))
            continue;
        struct event_spec *spec = &run->task.list.spec[event];
        uint64_t expected = counts[event].total / (pmc_multiplexed(run) ? run->task.groups.count : 1);

        if (run->task.measure_period[event] && !run->pmc.period_known[event])
            spec->period = measure_pmc_period(spec->event, expected, samples_wanted(run, members->count),
                                              run->machine->hypervisor);
        run->pmc.period_known[event] = true;
    }
    return true;
}

void pmc_add_records(struct run *run, uint64_t first)
{
    for (uint64_t i = first; i < run->passes.samples; i++) {
        const struct sample_record *record = &run->passes.records[i];
        pmc_profile_add(&run->pmc.profile, record);
        run->pmc.in_handler += run_in_handler(run, record);
    }
}

/* Keeps the counts of the pass: its own group's, or all groups'. */
static void keep_results(struct run *run, unsigned repeat, unsigned pass)
{
    const struct pmc_result *result = &run->passes.result.pmc;
    uint64_t possible = 0;

    for (unsigned g = 0; g < (pmc_multiplexed(run) ? run->task.groups.count : 1); g++) {
        *pmc_group_result(run, repeat, pmc_multiplexed(run) ? group_of_turn(run, repeat, g) : pass) = result->group[g];
        possible += result->group[g].tsc;
    }
    for (unsigned i = 0; i < run->task.list.count; i++) {
        pmc_profile_ran(&run->pmc.profile, i, result->event[i].tsc, possible);
        run->pmc.lost[i] += result->event[i].lost;
    }
}

/* Makes a warm-up pass, unless one has measured periods. */
static bool warm_up(struct run *run)
{
    const struct session_program program = counting(run, 0);

    if (run->passes.run || run->task.repeats * pmc_sampling_passes(run) == 1)
        return true;
    return passes_run(&run->passes, &program);
}

static void sample_counters(struct run *run)
{
    if (!warm_up(run))
        return;
    passes_expect(&run->passes, run->task.repeats * pmc_sampling_passes(run));
    for (unsigned r = 0; r < run->task.repeats; r++) {
        for (unsigned g = 0; g < pmc_sampling_passes(run); g++) {
            const struct session_program program = pmc_sampling(run, r, g);
            uint64_t first = run->passes.samples;
            unsigned begun = run->passes.run;
            bool good = passes_run(&run->passes, &program);

            if (run->passes.run > begun) { /* otherwise the results are the earlier pass's */
                pmc_add_records(run, first);
                keep_results(run, r, g);
            }
            if (!good)
                return;
        }
        run->pmc.repeats++;
    }
}

static unsigned passes(const struct run *run)
{
    unsigned sampling = run->task.repeats * pmc_sampling_passes(run), before = 0;

    for (unsigned g = 0; g < run->task.groups.count; g++)
        before += wants_period(run, &run->task.groups.group[g]);
    if (run->reference)
        before += pmc_reference_passes(run);
    return before || sampling == 1 ? before + sampling : 1 + sampling;
}

static void measure(struct run *run)
{
    struct run_pmc *pmc = &run->pmc;
    bool good = true;

    for (unsigned g = 0; good && g < run->task.groups.count; g++)
        good = measure_periods(run, g);
    if (good && run->reference)
        pmc_reference(run);
    (void)pmc_profile_init(&pmc->profile, run->map, run->map_base, &run->task.list, 0, pmc->memory,
                           pmc->size); /* prepared for this size */
    if (good)
        sample_counters(run);
    if (run->reference)
        pmc_reference_judge(run);
}

/* Returns the expected samples of one event of a group of 'members' in one pass: the wanted number if the period is
 * measured for it. With a given period: one occurrence per op, if the event may occur in every cycle; 0: not known. */
static uint64_t expects_of(const struct run *run, unsigned event, unsigned members)
{
    const struct event_spec *spec = &run->task.list.spec[event];
    uint64_t ops = run->workload->work(run->params) * run->workload->unit_ops * run->cores.count;

    if (run->task.measure_period[event])
        return samples_wanted(run, members);
    if (!(spec->event->flags & EVENT_FREQUENT))
        return 0;
    return ops / (pmc_multiplexed(run) ? run->task.groups.count : 1) / spec->period;
}

static uint64_t expects(const struct run *run)
{
    uint64_t samples = 0;

    for (unsigned g = 0; g < run->task.groups.count; g++) {
        const struct event_group *group = &run->task.groups.group[g];

        for (unsigned i = 0; i < group->count; i++)
            samples += event_group_has(group, i) ? expects_of(run, group->event[i], group->count) : 0;
    }
    return samples * run->task.repeats;
}

static void samples(struct out *out, const struct run *run)
{
    pmc_sample_row(out, run, "counters", SAMPLE_PMC);
}

KIND(kind_pmc, 10) = {
    .name = "events",
    .title = "Sample the events of the setting 'events'",
    .explanation = "Event-based sampling of the events in 'events', in groups as large as the\n"
                   "number of counters; 'sharing' says how more events share the counters.\n",
    .events = KIND_SAMPLES_EVENTS,
    .names_events = true,
    .prepare = prepare,
    .begins = pmc_begins,
    .passes = passes,
    .measure = measure,
    .expects = expects,
    .settings = pmc_settings,
    .samples = samples,
    .notes = pmc_notes,
    .tables = pmc_tables,
    .facts = pmc_facts,
    .csv_name = "pmc.csv",
    .csv = pmc_csv,
};
