/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Roofline of the workload: its floating-point operations and its bytes of memory, compared with what two loops reach
 * in the same boot on the same cores: one with only operations, and STREAM's triad in arrays larger than the caches.
 *
 * All three are measured alike, in separate passes: operations by an event, bytes by an event or by counters outside
 * of the cores. Then IBS samples the workload, and the run's files have these samples.
 */
#include "app/base/sentence.h"
#include "app/kinds/latency.h"
#include "app/run/counter_plan.h"
#include "app/run/kind.h"
#include "app/settings/params.h"
#include "core/base/stats.h"
#include "core/profile/roofline.h"
#include "drivers/machine/vpmu_query.h"
#include "workloads/fp_peak.h"

enum {
    ITERATIONS_SILICON = 1 << 20, /* iterations of fp-peak: some milliseconds */
    ITERATIONS_MODEL = 1 << 12,
    TIMES = 3,         /* passes of a loop, of which the fastest counts; a model runs the triad once */
    PARTS_SILICON = 3, /* each array of the triad is this part of four times the L3 */
    PARTS_MODEL = 8,
    ALIGNMENT = 2 << 20,
    PER_MILLISECOND = 1000000, /* ns */
};

/* Parameters of the triad. */
enum { PASSES, KB };

/* Holds a core's workload and memory, exchanged with the loop's while the loops run. */
struct roofline_stand {
    struct paging_plan paging;
    uint64_t stack_top;
    const struct workload *workload;
    const struct vpmu_own_code *own_code;
    uint32_t params[WORKLOAD_VALUES];
    bool prepares, checks;
};

struct roofline_run {
    struct roofline_counts counts[ROOFLINE_LOOPS];
    const struct workload *triad;
    uint32_t iterations, kb;
    unsigned triads;
    enum session_error refused;    /* why one of its passes was refused, which ended it */
    struct roofline_stand stand[]; /* of each core */
};

/* ---------------------------------------------------------------- loops in place of the workload */

static void exchange(struct passes_core *core, struct roofline_stand *stand)
{
    struct session_place *place = &core->plan.place;
    const struct roofline_stand old = {.paging = place->paging,
                                       .stack_top = place->stack_top,
                                       .workload = core->workload,
                                       .own_code = core->own_code,
                                       .prepares = core->prepares,
                                       .checks = core->checks};
    uint32_t params[WORKLOAD_VALUES];

    for (unsigned i = 0; i < WORKLOAD_VALUES; i++) {
        params[i] = core->params[i];
        core->params[i] = stand->params[i];
    }
    place->paging = stand->paging;
    place->stack_top = stand->stack_top;
    core->workload = stand->workload;
    core->own_code = stand->own_code;
    core->prepares = stand->prepares;
    core->checks = stand->checks;
    *stand = old;
    for (unsigned i = 0; i < WORKLOAD_VALUES; i++)
        stand->params[i] = params[i];
}

/* Exchanges the workloads of all working cores. */
static void exchange_all(struct run *run)
{
    struct roofline_run *roofline = run->own;

    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].worker)
            exchange(&run->passes.core[i], &roofline->stand[i]);
}

static void choose(struct run *run, const struct workload *workload, const uint32_t own[WORKLOAD_PARAMS_MAX])
{
    run->passes.workload = workload;
    for (unsigned i = 0; i < run->passes.cores; i++) {
        run->passes.core[i].workload = workload;
        for (unsigned p = 0; p < WORKLOAD_PARAMS_MAX; p++)
            run->passes.core[i].params[p] = own[p];
    }
}

/* Takes memory for the larger of the two loops and its page tables, on the node that the setting 'memory' gives the
 * workload. */
static bool take_memory(struct run *run, struct roofline_run *roofline, struct out *problems)
{
    const struct nodes *nodes = &run->machine->nodes;
    const uint32_t params[WORKLOAD_VALUES] = {[PASSES] = 1, [KB] = roofline->kb};
    size_t size = (roofline->triad->arena_size(params) + POOL_PAGE - 1) / POOL_PAGE * POOL_PAGE + SESSION_STACK_BYTES;
    struct paging_plan paging = {.kind = PAGING_2M,
                                 .size = size,
                                 .memory_size = paging_memory_needed(size, PAGING_2M),
                                 .program = run->image->base};
    const struct place_need needs[] = {{"the roofline's loops", size, ALIGNMENT, run->place.how != PLACE_AUTO},
                                       {"the loops' page tables", paging.memory_size, POOL_PAGE, false}};
    unsigned cores = run->passes.cores, first = cores - run->passes.workers;
    struct place_block *blocks =
        pool_take(&run->pool, 2 * cores * sizeof(*blocks), POOL_PAGE, "the loops' places", problems);

    for (unsigned i = 0; blocks && i < cores; i++) {
        blocks[i].node = place_of(&run->place, nodes, run->passes.core[i].node);
        blocks[cores + i].node = run->passes.core[i].node;
    }
    if (!blocks || !place_take(&run->pool, nodes, &needs[0], blocks + first, cores - first, problems) ||
        !place_take(&run->pool, nodes, &needs[1], blocks + cores + first, cores - first, problems))
        return false;
    for (unsigned i = first; i < cores; i++) {
        struct roofline_stand *stand = &roofline->stand[i];
        const struct passes_core *core = &run->passes.core[i];

        *stand = (struct roofline_stand){.paging = paging, .stack_top = size, .prepares = true, .checks = true};
        stand->paging.slots = core->plan.place.paging.slots;
        stand->paging.physical = (uint64_t)(uintptr_t)blocks[i].memory;
        stand->paging.memory = blocks[cores + i].memory;
        stand->params[WORKLOAD_CORE] = core->params[WORKLOAD_CORE];
        stand->params[WORKLOAD_CORES] = core->params[WORKLOAD_CORES];
    }
    return true;
}

/* ---------------------------------------------------------------- counts */

static struct session_program program_of(const struct run *run)
{
    struct session_program program = {0};

    counter_plan(&program.pmc, &run->task.list, run->task.groups.group, 1);
    program.pmc.mode = PMC_COUNTING;
    return program;
}

/* Returns why the event was not counted in the last pass; NULL: *ret_count is its count. */
static const char *count_of(const struct run *run, const struct roofline_event *wanted, uint64_t *ret_count)
{
    const struct task *task = &run->task;
    const struct event_group *group = &task->groups.group[0];

    if (!wanted)
        return "no event of the processor counts this";
    for (unsigned i = 0; i < task->list.count; i++) {
        if (task->list.spec[i].event->select != wanted->select)
            continue;
        for (unsigned c = 0; c < group->count; c++)
            if (group->event[c] == i) {
                *ret_count = run->passes.result.pmc.group[0].counter[c].total;
                return NULL;
            }
        return "the virtual PMU does not model the event";
    }
    return "several cores of a node share the count";
}

/* Returns whether the core has counted bytes outside of the cores; the reason if not is stored. */
static bool add_outer(const struct certificate *certificate, struct roofline_counts *counts)
{
    const struct certificate_core *found = &certificate->found;
    const char *const *why = certificate->witness.why_not;

    if (!why[WITNESS_DRAM]) {
        counts->bytes += found->sum[WITNESS_DRAM];
        return true;
    }
    if (!why[WITNESS_DRAM_READ] && !why[WITNESS_DRAM_WRITTEN]) {
        counts->bytes += found->sum[WITNESS_DRAM_READ] + found->sum[WITNESS_DRAM_WRITTEN];
        return true;
    }
    for (unsigned what = WITNESS_DRAM; what <= WITNESS_DRAM_WRITTEN; what++)
        if (why[what] && why[what] != certificate_not_told && !counts->no_bytes)
            counts->no_bytes = why[what];
    return false;
}

static void count_outer(const struct run *run, struct roofline_counts *counts)
{
    bool any = false;

    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].worker)
            any |= add_outer(&run->passes.core[i].certificate, counts);
    if (any)
        counts->no_bytes = NULL;
    else if (!counts->no_bytes)
        counts->no_bytes = "neither an event nor a memory controller of the processor counts this";
}

static struct roofline_counts take_counts(const struct run *run)
{
    enum event_set set = task_event_set(run->machine);
    struct roofline_counts counts = {0};

    counts.no_operations = count_of(run, roofline_operations(set), &counts.operations);
    if (roofline_lines(set)) {
        counts.no_bytes = count_of(run, roofline_lines(set), &counts.bytes);
        counts.bytes *= ROOFLINE_LINE;
    } else {
        count_outer(run, &counts);
    }
    if (run->machine->tsc_khz)
        counts.ns = stats_mul_div(passes_counted_ticks(&run->passes), PER_MILLISECOND, run->machine->tsc_khz);
    return counts;
}

/* Runs the loop so many times, and keeps the fastest pass. Returns false if a pass failed. */
static bool measure_loop(struct run *run, enum roofline_loop loop, unsigned times)
{
    struct roofline_run *roofline = run->own;
    const struct session_program program = program_of(run);

    for (unsigned i = 0; i < times; i++) {
        struct roofline_counts counts;

        for (unsigned c = 0; c < run->passes.cores; c++) {
            struct certificate *certificate = &run->passes.core[c].certificate;

            certificate_init(certificate, run->machine, certificate->shares);
        }
        if (!passes_run_beside(&run->passes, &program, PASSES_WATCHED, &roofline->refused))
            return false;
        counts = take_counts(run);
        if (!i || counts.ns < roofline->counts[loop].ns)
            roofline->counts[loop] = counts;
    }
    return true;
}

static bool measure_peaks(struct run *run)
{
    struct roofline_run *roofline = run->own;

    choose(run, &fp_peak, (const uint32_t[WORKLOAD_PARAMS_MAX]){roofline->iterations});
    if (!measure_loop(run, ROOFLINE_OPERATIONS, TIMES))
        return false;
    choose(run, roofline->triad, (const uint32_t[WORKLOAD_PARAMS_MAX]){[PASSES] = 1, [KB] = roofline->kb});
    return measure_loop(run, ROOFLINE_MEMORY, roofline->triads);
}

static unsigned passes(const struct run *run)
{
    return TIMES + ((const struct roofline_run *)run->own)->triads + 1;
}

/* Leaves the passes that IBS samples to the run's certificate. */
static void measure(struct run *run)
{
    bool good;

    exchange_all(run);
    good = measure_peaks(run);
    run->passes.workload = run->workload;
    exchange_all(run);
    if (good)
        (void)measure_loop(run, ROOFLINE_WORKLOAD, 1);
    for (unsigned c = 0; c < run->passes.cores; c++)
        certificate_init(&run->passes.core[c].certificate, run->machine, run->passes.core[c].certificate.shares);
}

/* ---------------------------------------------------------------- the kind */

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    bool model = vpmu_is_model(run->machine);
    size_t size = sizeof(struct roofline_run) + run->passes.cores * sizeof(struct roofline_stand);
    struct roofline_run *roofline = run->own = pool_take(&run->pool, size, POOL_PAGE, "the roofline", problems);
    const struct session_program program = program_of(run);

    (void)options;
    if (!roofline)
        return false;
    roofline->triad = params_find_workload("stream-triad");
    roofline->kb = latency_most_kb(run->machine) / (model ? PARTS_MODEL : PARTS_SILICON);
    roofline->iterations = model ? ITERATIONS_MODEL : ITERATIONS_SILICON;
    roofline->triads = model ? 1 : TIMES;
    return take_memory(run, roofline, problems) && passes_possible(&run->passes, &program, problems);
}

static bool good(const struct run *run)
{
    const struct roofline_run *roofline = run->own;

    return roofline->counts[ROOFLINE_WORKLOAD].ns != 0;
}

static void settings(struct out *out, const struct run *run)
{
    const struct roofline_run *roofline = run->own;

    out_printf(out, "Peaks         %u of fp-peak, %u turns, and %u of stream-triad, 3 x %u KB\n", TIMES,
               roofline->iterations, roofline->triads, roofline->kb);
}

static void tables(struct out *out, const struct run *run)
{
    const struct roofline_run *roofline = run->own;
    struct roofline computed;

    roofline_compute(&computed, roofline->counts);
    out_printf(out, "\n");
    roofline_print(out, &computed, task_event_set(run->machine));
    if (roofline->refused)
        sentence(out, "The roofline was not measured to its end: %s.", session_error_text(roofline->refused));
}

static void facts(struct out *out, const struct run *run)
{
    roofline_write(out, ((const struct roofline_run *)run->own)->counts);
}

static void list_events(struct event_list *list, const struct ibs_family *row, char revision)
{
    enum event_set set = (enum event_set)row->events;
    const struct roofline_event *wanted[] = {roofline_operations(set), roofline_lines(set)};

    (void)revision;
    for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        if (wanted[i])
            task_add_event_of(list, set, wanted[i]->select, wanted[i]->mask);
}

KIND(kind_roofline, 37) = {
    .name = "roofline",
    .title = "Operations and bytes, compared with the machine's peaks",
    .explanation =
        "Floating-point operations and bytes of memory per second of the workload,\ncompared with a loop of SSE2 "
        "operations and STREAM's triad in the same boot on\nthe same cores; then IBS op samples the workload.\n",
    .parts = {&kind_ibs},
    .ibs = true,
    .events = KIND_COUNTS_EVENTS,
    .list_events = list_events,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .good = good,
    .settings = settings,
    .tables = tables,
    .facts = facts,
};
