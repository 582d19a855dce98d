/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/reference.h"

#include "app/run/counter_plan.h"
#include "app/run/task.h"
#include "core/base/mem.h"
#include "core/base/rng.h"
#include "core/base/stats.h"
#include "core/family/ibs_regs.h"
#include "drivers/pmu/ticks.h"
#include "drivers/machine/vpmu_query.h"

enum { CALM_PERIOD = 1024, SEARCHES = 5, CLOCKS = 0x076 };

/* Holds the events to count, and the number of usable counters. */
struct reference {
    struct event_list list;
    uint8_t row[DISTURBANCE_ROWS];
    unsigned places;
};

/* Says what runs, and how it is sampled while these counters count. */
struct sampler {
    enum passes_beside what;
    const struct session_program *program; /* NULL: not sampled */
    const struct event_list *list;         /* events of the sampling program, */
    const struct event_group *own;         /* and its counters; NULL: none */
    unsigned *kept;                        /* number of passes whose samples are kept; NULL: none */
};

/* Counts by row. */
struct counted {
    bool has[DISTURBANCE_ROWS + 1]; /* the last: without a row */
    uint64_t event[DISTURBANCE_ROWS];
    uint64_t by[DISTURBANCE_ROWS]; /* interrupts of the pass that counted the row, which another pass may exceed */
    uint64_t ticks;                /* TSC ticks in which the last pass counted, */
    uint64_t interrupts;           /* and its interrupts */
};

/* Lists the events that the processor has and, if virtual, models. Returns false if there are none. */
static bool prepare(const struct run *run, unsigned places, bool ticks, struct reference *reference)
{
    unsigned kept = 0;

    if (!machine_pmc_usable(run->machine))
        return false;
    reference->places = places;
    (void)disturbance_list(&reference->list, reference->row, task_event_set(run->machine));
    for (unsigned i = 0; i < reference->list.count; i++) {
        const struct event_spec *spec = &reference->list.spec[i];

        if (!vpmu_counts(run->machine, spec->event->select, spec->mask) ||
            (ticks && reference->row[i] == DISTURBANCE_CYCLES))
            continue;
        reference->row[kept] = reference->row[i];
        reference->list.spec[kept++] = *spec;
    }
    reference->list.count = kept;
    return kept;
}

/* A pass: its list, and the group of its counters. */
struct pass {
    struct event_list list;
    struct event_group group;
    uint8_t row[PMC_COUNTERS]; /* by index of the list; DISTURBANCE_ROWS: none */
};

static void put(struct pass *pass, unsigned place, const struct event_spec *spec, unsigned row)
{
    pass->row[pass->list.count] = (uint8_t)row;
    event_group_put(&pass->group, place, spec->event, (uint8_t)pass->list.count);
    pass->list.spec[pass->list.count++] = *spec;
}

unsigned reference_row(const struct run *run, const struct event_spec *spec)
{
    return task_counts_all(spec) ? disturbance_row_of(task_event_set(run->machine), spec->event->select, spec->mask)
                                 : DISTURBANCE_ROWS;
}

/* Sets the counters of sampling; the others stay free. */
static void begin_pass(struct pass *pass, const struct run *run, const struct reference *reference,
                       const struct sampler *sampler)
{
    *pass = (struct pass){.group.count = (uint8_t)reference->places};
    for (unsigned place = 0; place < reference->places; place++)
        pass->group.event[place] = EVENT_GROUP_NONE;
    for (unsigned place = 0; sampler->own && place < sampler->own->count; place++)
        if (event_group_has(sampler->own, place)) {
            const struct event_spec *spec = &sampler->list->spec[sampler->own->event[place]];

            put(pass, place, spec, reference_row(run, spec));
        }
}

/* Returns a free counter that can count the event; the number of places: none. */
static unsigned place_for(const struct pass *pass, const struct reference *reference, const struct event_spec *spec)
{
    unsigned place = 0;

    while (place < reference->places && !event_group_takes(&pass->group, reference->places, place, spec->event))
        place++;
    return place;
}

/* Returns whether the row was counted, or is counted by this pass. */
static bool has_row(const struct pass *pass, const struct counted *counted, unsigned row)
{
    bool has = counted->has[row];

    for (unsigned n = 0; n < pass->list.count; n++)
        has |= pass->row[n] == row;
    return has;
}

/* Assigns the next rows to the counters that sampling leaves free. Returns false if no rows are left. Counters without
 * an event count nothing, so that the handler always stops equally many. The very first pass finds branches and code
 * cold, unlike later ones, so it gets rows that samples say nothing about. */
static bool next_pass(struct pass *pass, const struct run *run, const struct reference *reference,
                      const struct sampler *sampler, const struct counted *counted)
{
    bool some = false, untold = false;

    for (unsigned i = 0; sampler->what == PASSES_UNDISTURBED && i < reference->list.count; i++)
        untold |= reference->row[i] >= DISTURBANCE_INSTRUCTIONS && !counted->has[reference->row[i]];
    begin_pass(pass, run, reference, sampler);
    for (unsigned i = 0; i < reference->list.count; i++) {
        const struct event_spec *spec = &reference->list.spec[i];
        unsigned place = place_for(pass, reference, spec), row = reference->row[i];

        if (has_row(pass, counted, row) || place == reference->places || (untold && row < DISTURBANCE_INSTRUCTIONS))
            continue;
        put(pass, place, spec, row);
        some = true;
    }
    return some;
}

static bool run_pass(struct run *run, const struct session_program *program, const struct sampler *sampler,
                     struct counted *counted)
{
    enum session_error refused;

    if (!passes_run_beside(&run->passes, program, sampler->what, &refused)) {
        run->disturbance.why = refused ? session_error_text(refused) : "a pass for it failed";
        return false;
    }
    counted->interrupts = run->passes.beside_interrupts;
    counted->ticks = 0;
    for (unsigned g = 0; g < program->pmc.groups; g++)
        counted->ticks += run->passes.result.pmc.group[g].tsc;
    return true;
}

static bool count_pass(struct run *run, const struct pass *pass, const struct sampler *sampler, struct counted *counted)
{
    struct session_program program = sampler->program ? *sampler->program : (struct session_program){0};
    struct pmc_plan own = program.pmc;

    counter_plan(&program.pmc, &pass->list, &pass->group, 1);
    program.pmc.mode = sampler->program ? PMC_SAMPLING : PMC_COUNTING;
    program.pmc.random = own.random;
    program.pmc.seed = own.seed;
    if (sampler->kept)
        program.ibs.seed = rng_part_seed(program.ibs.seed, RNG_PASS, *sampler->kept);
    if (!run_pass(run, &program, sampler, counted))
        return false;
    if (sampler->kept)
        *sampler->kept += 1;
    for (unsigned i = 0; i < pass->list.count; i++) {
        if (pass->row[i] == DISTURBANCE_ROWS || counted->has[pass->row[i]])
            continue;
        counted->has[pass->row[i]] = true;
        counted->event[pass->row[i]] = run->passes.result.pmc.event[i].total;
        counted->by[pass->row[i]] = counted->interrupts;
    }
    return true;
}

/* Counts in as many passes as needed, at least one; groups that take turns use all counters, so they need one. */
static bool count(struct run *run, const struct reference *reference, const struct sampler *sampler,
                  struct counted *ret)
{
    struct pass pass;

    *ret = (struct counted){0};
    if (sampler->program && sampler->program->pmc.groups > 1) {
        if (!run_pass(run, sampler->program, sampler, ret))
            return false;
    } else {
        for (bool first = true; next_pass(&pass, run, reference, sampler, ret) || first; first = false)
            if (!count_pass(run, &pass, sampler, ret))
                return false;
    }
    if (run->disturbance.ticks) {
        ret->has[DISTURBANCE_CYCLES] = true;
        ret->event[DISTURBANCE_CYCLES] = ret->ticks;
        ret->by[DISTURBANCE_CYCLES] = ret->interrupts;
    }
    return true;
}

/* Returns how many passes count() makes. */
static unsigned passes_to_count(const struct run *run, const struct reference *reference, const struct sampler *sampler)
{
    struct counted counted = {0};
    struct pass pass;
    unsigned passes = 0;

    if (sampler->program && sampler->program->pmc.groups > 1)
        return 1;
    for (; next_pass(&pass, run, reference, sampler, &counted); passes++)
        for (unsigned i = 0; i < pass.list.count; i++)
            counted.has[pass.row[i]] = true;
    return passes ? passes : 1;
}

void reference_undisturbed(struct run *run, bool ticks)
{
    struct disturbance *of = &run->disturbance;
    struct reference reference;
    struct counted counted;

    of->ticks = ticks;
    if (!prepare(run, run->machine->pmc.count, ticks, &reference)) {
        of->why = "no counter event can be counted here";
        return;
    }
    if (!count(run, &reference, &(struct sampler){.what = PASSES_UNDISTURBED}, &counted))
        return;
    memcpy(of->undisturbed, counted.event, sizeof(of->undisturbed));
    of->undisturbed_us = vpmu_is_model(run->machine) ? passes_counted_ticks(&run->passes) * 1000 / run->machine->tsc_khz
                                                     : passes_elapsed_us(&run->passes, run->machine);
}

static uint32_t shortened(uint32_t period, uint32_t times, uint32_t least)
{
    uint32_t shorter = period / times / IBS_PERIOD_STEP * IBS_PERIOD_STEP;

    return shorter > least ? shorter : least;
}

/* Shortens periods enough for a mean over the loop's few ops, and keeps the mixture of both kinds of samples. */
static void shorten(struct ibs_plan *plan)
{
    uint32_t longer = plan->op && plan->op_period > plan->fetch_period ? plan->op_period : plan->fetch_period;
    uint32_t times = (plan->fetch ? longer : plan->op_period) / CALM_PERIOD;

    if (times < 2)
        return;
    plan->op_period = shortened(plan->op_period, times, IBS_OP_PERIOD_MIN);
    plan->fetch_period = shortened(plan->fetch_period, times, IBS_FETCH_PERIOD_MIN);
}

static const struct sampler calmly = {.what = PASSES_CALM};

/* Says what interrupts the loop often. */
struct often {
    struct session_program program;
    struct event_list clocks;
    struct sampler sampler;
};

/* The handler of a counter or the timer is the same until it stops the counters, and afterwards: in its place the
 * clocks' counter interrupts, for which the loop is long enough. */
static void begin_often(struct often *often, const struct run *run, const struct session_program *program)
{
    static const struct event_group first = {.count = 1};

    *often = (struct often){.program = *program, .sampler = {.what = PASSES_CALM, .program = &often->program}};
    if (ibs_samples(&program->ibs)) {
        shorten(&often->program.ibs);
        return;
    }
    task_add_event_of(&often->clocks, task_event_set(run->machine), CLOCKS, 0);
    often->clocks.spec[0].period = CALM_PERIOD;
    often->sampler.list = &often->clocks;
    often->sampler.own = &first;
    often->program = (struct session_program){.pmc = {.random = true, .seed = run->seed}};
}

/* Counts what interrupts add to the loop. */
static bool count_calm(struct run *run, const struct reference *reference, const struct session_program *program)
{
    struct counted calm, interrupted;
    struct often often;

    begin_often(&often, run, program);
    if (!count(run, reference, &calmly, &calm) || !count(run, reference, &often.sampler, &interrupted))
        return false;
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++)
        run->calm.more[r] = interrupted.event[r] > calm.event[r] ? interrupted.event[r] - calm.event[r] : 0;
    memcpy(run->calm.interrupts, interrupted.by, sizeof(run->calm.interrupts));
    run->calm.known = true;
    return true;
}

static uint64_t change(const struct disturbance *of, unsigned row, uint64_t sampled)
{
    return sampled > of->undisturbed[row] ? sampled - of->undisturbed[row] : of->undisturbed[row] - sampled;
}

static void take(struct run *run, const struct counted *counts)
{
    struct disturbance *of = &run->disturbance;

    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++) {
        uint64_t handler =
            run->calm.interrupts[r] ? stats_mul_div(run->calm.more[r], counts->by[r], run->calm.interrupts[r]) : 0;

        if (handler > counts->event[r])
            handler = counts->event[r];
        if (!counts->has[r] ||
            (of->counted[r] && change(of, r, counts->event[r] - handler) <= change(of, r, of->sampled[r])))
            continue;
        of->counted[r] = true;
        of->handler[r] = handler;
        of->sampled[r] = counts->event[r] - handler;
    }
    if (counts->interrupts > of->interrupts)
        of->interrupts = counts->interrupts;
}

/* Returns how many counters can count beside the program. */
static unsigned places_beside(const struct run *run, const struct session_program *program)
{
    return program->timer.period ? TICKS_COUNTER : run->machine->pmc.count;
}

unsigned reference_passes(const struct run *run, bool ticks, const struct session_program *program,
                          const struct event_group *own, unsigned *ret_sampled)
{
    const struct sampler sampler = {.what = PASSES_ASIDE, .program = program, .list = &run->task.list, .own = own};
    struct reference reference;
    struct often often;
    unsigned passes;

    *ret_sampled = 0;
    if (!prepare(run, run->machine->pmc.count, ticks, &reference))
        return 0;
    passes = passes_to_count(run, &reference, &(struct sampler){.what = PASSES_UNDISTURBED});
    if (!prepare(run, places_beside(run, program), ticks, &reference))
        return passes;
    begin_often(&often, run, program);
    *ret_sampled = passes_to_count(run, &reference, &sampler);
    return passes + passes_to_count(run, &reference, &calmly) + passes_to_count(run, &reference, &often.sampler);
}

static void measure_sampled(struct run *run, const struct sampler *sampler)
{
    const struct session_program *program = sampler->program;
    struct reference reference;
    struct counted counts;

    if (run->disturbance.why || !prepare(run, places_beside(run, program), run->disturbance.ticks, &reference) ||
        (!run->calm.known && !count_calm(run, &reference, program)) || !count(run, &reference, sampler, &counts))
        return;
    take(run, &counts);
}

static void begin_sampled(struct disturbance *of)
{
    memset(of->counted, 0, sizeof(of->counted));
    of->interrupts = 0;
}

void reference_sampled(struct run *run, const struct session_program *program, const struct event_group *own, bool more)
{
    const struct sampler sampler = {.what = PASSES_ASIDE, .program = program, .list = &run->task.list, .own = own};

    if (!more)
        begin_sampled(&run->disturbance);
    measure_sampled(run, &sampler);
}

void reference_kept(struct run *run, const struct session_program *program, unsigned *kept)
{
    const struct sampler sampler = {.what = PASSES_SAMPLED, .program = program, .list = &run->task.list, .kept = kept};

    begin_sampled(&run->disturbance);
    measure_sampled(run, &sampler);
}

void reference_time(struct run *run, bool stepped)
{
    run->disturbance.sampled_us = passes_elapsed_us(&run->passes, run->machine);
    if (vpmu_is_model(run->machine))
        run->disturbance.time = stepped ? DISTURBANCE_TIME_MODELLED : DISTURBANCE_TIME_WITHOUT_HANDLER;
}

void reference_search(struct run *run, void (*sampled)(struct run *), bool (*longer)(struct run *))
{
    for (unsigned search = 1;; search++) {
        sampled(run);
        if (run->disturbance.why || disturbance_calm(&run->disturbance) || search == SEARCHES || !longer(run))
            break;
    }
}
