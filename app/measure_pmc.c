#include "app/measure_pmc.h"

#include "app/counter_plan.h"
#include "core/counts.h"
#include "core/stats.h"

enum { MILLION = 1000000 };

static bool multiplexed(const struct run *run)
{
    return run->task.sharing == EVENT_SHARING_MULTIPLEX && run->task.groups.count > 1;
}

static struct pmc_group_result *group_result(const struct run *run, unsigned repeat, unsigned group)
{
    return &run->pmc.group[repeat * run->task.groups.count + group];
}

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

/* The group whose turn is number 'turn': each repeat begins with another one, so that over the repeats no group has the
 * workload's beginning, or a turn more than the others. */
static unsigned group_of_turn(const struct run *run, unsigned repeat, unsigned turn)
{
    return (repeat + turn) % run->task.groups.count;
}

/* The pass of one group, or the one of all. */
static struct session_program sampling(const struct run *run, unsigned repeat, unsigned group)
{
    const struct event_groups *groups = &run->task.groups;
    struct session_program program = {0};
    struct pmc_plan *plan = &program.pmc;
    struct event_group turns[EVENT_GROUPS_MAX];

    for (unsigned turn = 0; turn < groups->count; turn++)
        turns[turn] = groups->group[group_of_turn(run, repeat, turn)];
    if (multiplexed(run))
        counter_plan(plan, &run->task.list, turns, groups->count);
    else
        counter_plan(plan, &run->task.list, &groups->group[group], 1);
    plan->mode = PMC_SAMPLING;
    plan->random = run->pmc.random;
    plan->seed = run->seed;
    plan->slice = run->pmc.slice_us * run->machine->tsc_khz / 1000;
    return program;
}

static struct session_program timer_sampling(const struct run *run)
{
    return (struct session_program){
        .timer = {.period = run->task.timer_us, .random = run->pmc.random, .seed = run->seed}};
}

static unsigned sampling_passes(const struct run *run)
{
    return multiplexed(run) ? 1 : run->task.groups.count;
}

static bool prepare_counters(struct run *run, struct out *problems)
{
    const struct task *task = &run->task;
    size_t size = task->repeats * task->groups.count * sizeof(struct pmc_group_result);

    run->pmc.group = pool_take(&run->pool, size, POOL_PAGE, "the counts", problems);
    if (!run->pmc.group)
        return false;
    for (unsigned g = 0; g < sampling_passes(run); g++) {
        const struct session_program program = sampling(run, 0, g);

        if (!passes_possible(&run->passes, &program, problems))
            return false;
    }
    return true;
}

bool measure_pmc_prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct task *task = &run->task;
    unsigned events = task->kind == TASK_TIMER ? 1 : task->list.count;

    run->pmc.size = pmc_profile_memory_size(&image_codemap, events);
    run->pmc.memory = pool_take(&run->pool, run->pmc.size, POOL_PAGE, "the profile of the counters", problems);
    run->pmc.random = options->random;
    run->pmc.slice_us = options->slice_us;
    if (!run->pmc.memory)
        return false;
    if (task->kind != TASK_TIMER)
        return prepare_counters(run, problems);
    const struct session_program program = timer_sampling(run);
    return passes_possible(&run->passes, &program, problems);
}

/* ---------------------------------------------------------------- passes */

/* How many samples there may be of one event of a group in one pass: for the buffer, and for the workload, which each
 * interrupt disturbs. With multiplexing a group has its share of the ops only. */
static uint64_t samples_wanted(const struct run *run, unsigned members)
{
    uint64_t ops = run->workload->work(run->params) * run->workload->unit_ops;
    uint64_t wanted = MEASURE_PMC_SAMPLES, room, calm;
    unsigned events = 0;

    for (unsigned i = 0; i < run->task.list.count; i++)
        events += run->task.counted[i];
    room = (uint64_t)run->passes.capacity * 3 / 4 / events;
    calm = ops / MEASURE_PMC_OPS_PER_SAMPLE / members / (multiplexed(run) ? run->task.groups.count : 1);
    wanted = room < wanted ? room : wanted;
    wanted /= run->task.repeats;
    wanted = calm < wanted ? calm : wanted;
    return wanted ? wanted : 1;
}

/* Counts one group and chooses the periods of its events. An event in several groups has its period from the first one.
 */
static bool measure_periods(struct run *run, unsigned group)
{
    const struct event_group *members = &run->task.groups.group[group];
    const struct pmc_count *counts = run->passes.result.pmc.event;
    const struct session_program program = counting(run, group);
    bool wanted = false;

    for (unsigned i = 0; i < members->count; i++)
        wanted |= run->task.measure_period[members->event[i]] && !run->pmc.period_known[members->event[i]];
    if (!wanted)
        return true;
    if (!passes_run(&run->passes, &program))
        return false;
    for (unsigned i = 0; i < members->count; i++) {
        unsigned event = members->event[i];
        struct event_spec *spec = &run->task.list.spec[event];
        uint64_t expected = counts[event].total / (multiplexed(run) ? run->task.groups.count : 1);

        if (run->task.measure_period[event] && !run->pmc.period_known[event])
            spec->period = measure_pmc_period(spec->event, expected, samples_wanted(run, members->count),
                                              run->machine->hypervisor);
        run->pmc.period_known[event] = true;
    }
    return true;
}

static bool in_handler(const struct run *run, const struct sample_record *record)
{
    uint64_t rip = record->reg[record->kind == SAMPLE_PMC ? (int)PMC_RIP : (int)TIMER_RIP];

    return rip - run->image->base - run->image->handler_rva < run->image->handler_size;
}

/* From this one on. */
static void add_records(struct run *run, uint64_t first)
{
    for (uint64_t i = first; i < run->passes.samples; i++) {
        const struct sample_record *record = &run->passes.records[i];
        pmc_profile_add(&run->pmc.profile, record);
        run->pmc.in_handler += in_handler(run, record);
    }
}

/* What the pass counted: of its own group, or of all. */
static void keep_results(struct run *run, unsigned repeat, unsigned pass)
{
    const struct pmc_result *result = &run->passes.result.pmc;
    uint64_t possible = 0;

    for (unsigned g = 0; g < (multiplexed(run) ? run->task.groups.count : 1); g++) {
        *group_result(run, repeat, multiplexed(run) ? group_of_turn(run, repeat, g) : pass) = result->group[g];
        possible += result->group[g].tsc;
    }
    for (unsigned i = 0; i < run->task.list.count; i++) {
        pmc_profile_ran(&run->pmc.profile, i, result->event[i].tsc, possible);
        run->pmc.lost[i] += result->event[i].lost;
    }
}

/* What was run already to measure periods serves as well. */
static bool warm_up(struct run *run)
{
    const struct session_program program = counting(run, 0);

    if (run->passes.run || run->task.repeats * sampling_passes(run) == 1)
        return true;
    return passes_run(&run->passes, &program);
}

static void sample_counters(struct run *run)
{
    if (!warm_up(run))
        return;
    for (unsigned r = 0; r < run->task.repeats; r++) {
        for (unsigned g = 0; g < sampling_passes(run); g++) {
            const struct session_program program = sampling(run, r, g);
            uint64_t first = run->passes.samples;
            unsigned begun = run->passes.run;
            bool good = passes_run(&run->passes, &program);

            if (run->passes.run > begun) { /* else the results are those of the pass before */
                add_records(run, first);
                keep_results(run, r, g);
            }
            if (!good)
                return;
        }
        run->pmc.repeats++;
    }
}

static void sample_time(struct run *run)
{
    const struct session_program program = timer_sampling(run);
    uint64_t first = run->passes.samples;

    (void)passes_run(&run->passes, &program);
    run->pmc.timer_settings = run->passes.result.timer;
    pmc_profile_ran(&run->pmc.profile, (unsigned)pmc_profile_timer(&run->pmc.profile), 1, 1);
    add_records(run, first);
}

void measure_pmc(struct run *run)
{
    struct run_pmc *pmc = &run->pmc;
    bool timer = run->task.kind == TASK_TIMER;
    bool good = true;

    for (unsigned g = 0; !timer && good && g < run->task.groups.count; g++)
        good = measure_periods(run, g);
    (void)pmc_profile_init(&pmc->profile, &image_codemap, run->image->base, timer ? NULL : &run->task.list,
                           timer ? run->task.timer_us : 0, pmc->memory, pmc->size); /* prepared for this size */
    if (timer)
        sample_time(run);
    else if (good)
        sample_counters(run);
}

/* ---------------------------------------------------------------- what it says */

/* What an event's counters held, and for how long. */
struct sums {
    uint64_t total;
    uint64_t active, possible; /* TSC ticks */
    unsigned passes;           /* that it was counted in */
};

static void add_sums(const struct run *run, unsigned event, unsigned repeat, struct sums *sums)
{
    const struct event_groups *groups = &run->task.groups;

    for (unsigned g = 0; g < groups->count; g++) {
        const struct pmc_group_result *result = group_result(run, repeat, g);

        sums->possible += result->tsc;
        for (unsigned c = 0; c < groups->group[g].count; c++) {
            if (groups->group[g].event[c] != event || !result->tsc)
                continue;
            sums->total += result->counter[c].total;
            sums->active += result->tsc;
            sums->passes++;
        }
    }
}

bool measure_pmc_total(const struct run *run, unsigned event, unsigned repeat, uint64_t *ret_total)
{
    struct sums sums = {0};

    add_sums(run, event, repeat, &sums);
    if (!sums.passes)
        return false;
    *ret_total = multiplexed(run) ? stats_mul_div(sums.total, sums.possible, sums.active) : sums.total / sums.passes;
    return true;
}

bool measure_pmc_mean(const struct run *run, unsigned event, uint64_t *ret_mean, uint32_t *ret_cv_ppm)
{
    struct sums sums = {0};
    uint64_t squares = 0, total;
    unsigned counted = 0;

    for (unsigned r = 0; r < run->pmc.repeats; r++)
        add_sums(run, event, r, &sums);
    if (!sums.passes)
        return false;
    *ret_cv_ppm = 0;
    if (multiplexed(run))
        *ret_mean = stats_mul_div(sums.total, sums.possible, sums.active) / run->pmc.repeats;
    else
        *ret_mean = (sums.total + sums.passes / 2) / sums.passes;
    for (unsigned r = 0; r < run->pmc.repeats && *ret_mean; r++) {
        if (!measure_pmc_total(run, event, r, &total))
            continue;
        total = stats_mul_div(total > *ret_mean ? total - *ret_mean : *ret_mean - total, MILLION, *ret_mean);
        squares += total * total;
        counted++;
    }
    if (counted > 1)
        *ret_cv_ppm = stats_isqrt(squares / (counted - 1));
    return true;
}

uint32_t measure_pmc_reliability_ppm(const struct run *run, unsigned event)
{
    const struct event_groups *groups = &run->task.groups;
    uint64_t sentinel[EVENT_GROUPS_MAX] = {0};
    uint32_t worst = MILLION;

    if (!multiplexed(run) || event_groups_with(groups, event) == groups->count)
        return worst;
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        for (unsigned g = 0; g < groups->count; g++)
            sentinel[g] += group_result(run, r, g)->tsc;
    for (unsigned g = 0; g < groups->count; g++) {
        uint32_t reliability = counts_reliability_ppm(sentinel, groups->count, g);
        for (unsigned c = 0; c < groups->group[g].count; c++)
            if (groups->group[g].event[c] == event && reliability < worst)
                worst = reliability;
    }
    return worst;
}
