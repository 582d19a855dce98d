/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: the tree of core/explore/explore.h from the counts of a run and its pass of IBS op. */
#include "app/run/costs.h"
#include "app/run/kind.h"

#include "core/explore/explore.h"
#include "core/run/facts.h"

/* Trees of the sum over the cores and, if there are several, of each working core. */
struct trees {
    struct explore_result all;
    struct held held; /* the op samples of one tree */
    struct costs costs;
    struct explore_costs cost; /* measured, if the method needs them */
    struct explore_core {
        uint32_t cpu;
        struct explore_result result;
    } core[];
};

enum { ALL_CORES = -1 };

static const struct explore_method *method_of(const struct machine *machine)
{
    return explore_of(task_event_set(machine));
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    size_t size = sizeof(struct trees) + run->passes.workers * sizeof(struct explore_core);

    struct trees *trees = pool_take(&run->pool, size, POOL_PAGE, "the exploration", problems);

    (void)options;
    run->own = trees;
    if (!trees)
        return false;
    /* also for a run that ends early */
    trees->all.method = method_of(run->machine);
    for (unsigned i = 0; i < run->passes.workers; i++)
        trees->core[i].result.method = trees->all.method;
    return !trees->all.method->costs || costs_prepare(&trees->costs, run, problems);
}

static void measure(struct run *run)
{
    struct trees *trees = run->own;

    if (trees->all.method->costs)
        costs_measure(&trees->costs, run, &trees->cost);
}

/* Takes the samples of one core, or of all; none if cycles were counted, because a sample then stands for no number of
 * ops. */
static void take_ibs(const struct run *run, int64_t cpu, struct held *held, struct explore_ibs *ibs)
{
    *held = (struct held){0};
    if (!run->ibs.plan.count_ops)
        return;
    for (uint64_t i = 0; i < run->passes.samples; i++)
        if (cpu == ALL_CORES || run->passes.records[i].cpu == cpu)
            held_add(held, &run->passes.records[i]);
    if (held->ops)
        ibs->state = COUNTS_COUNTED;
    held_work_out(&ibs->held, held);
}

static void compute(const struct run *run, const struct counts *counts, unsigned workers, int64_t cpu,
                    struct explore_result *ret)
{
    struct trees *trees = run->own;
    struct explore_input input = {
        .method = method_of(run->machine), .costs = trees->cost, .model = vpmu_is_model(run->machine)};
    uint64_t instructions;

    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        int event = explore_event_of(input.method, spec->event->select, spec->mask, spec->count_mask);
        struct counts_result result;

        counts_result(counts, i, &result);
        if (event >= 0)
            explore_take(&input, (unsigned)event, &result);
    }
    take_ibs(run, cpu, &trees->held, &input.ibs);
    if (workload_instructions(run->workload, run->params, &instructions))
        explore_expect(&input, instructions, workers);
    explore_compute(ret, &input);
}

static void conclude(struct run *run)
{
    struct trees *trees = run->own;
    unsigned worker = 0;

    compute(run, &run->counts, run->passes.workers, ALL_CORES, &trees->all);
    for (unsigned i = 0; run->core_counts && i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (!core->worker)
            continue;
        trees->core[worker].cpu = core->cpu;
        compute(run, &run->core_counts[worker], 1, core->cpu, &trees->core[worker].result);
        worker++;
    }
}

static bool good(const struct run *run)
{
    const struct trees *trees = run->own;

    for (unsigned i = 0; i < trees->all.method->checks; i++)
        if (trees->all.check[i].verdict == EXPLORE_FAIL)
            return false;
    return true;
}

/* Prints groups of cores, as many as fit side by side in a table. */
static void print_cores(struct out *out, const struct trees *trees, unsigned workers)
{
    struct explore_of of[EXPLORE_BESIDE];
    char name[EXPLORE_BESIDE][16];

    for (unsigned first = 0; first < workers; first += EXPLORE_BESIDE) {
        unsigned count = workers - first < EXPLORE_BESIDE ? workers - first : EXPLORE_BESIDE;

        for (unsigned i = 0; i < count; i++) {
            struct out_memory text;

            out_memory_init(&text, name[i], sizeof(name[i]));
            out_printf(&text.out, "core %u", trees->core[first + i].cpu);
            of[i] = (struct explore_of){name[i], &trees->core[first + i].result};
        }
        explore_print_cores(out, of, count);
    }
}

static void tables(struct out *out, const struct run *run)
{
    const struct trees *trees = run->own;

    out_printf(out, "\n");
    explore_print(out, &trees->all);
    if (run->core_counts)
        print_cores(out, trees, run->passes.workers);
}

/* Writes the measured costs. */
static void facts(struct out *out, const struct run *run)
{
    const struct explore_costs *cost = &((const struct trees *)run->own)->cost;

    for (unsigned i = EXPLORE_COSTS_MEASURED; i < EXPLORE_COSTS; i++)
        if (cost->of[i])
            fact_number(out, explore_cost_rows[i].fact, cost->of[i]);
}

static void list_events(struct event_list *list, const struct ibs_family *row, char revision)
{
    enum event_set set = (enum event_set)row->events;

    explore_method_list(list, explore_of(set), set, revision);
}

static void explain(struct out *out, const struct options *options)
{
    const struct explore_method *method = explore_of((enum event_set)options->event_set);

    out_printf(out, "\n");
    explore_print_rows(out, method ? method : &explore_10h);
}

KIND(kind_explore, 30) = {
    .name = "explore",
    .title = "General Exploration",
    .explanation = "Use of the slots of dispatch and retirement: retiring, bad speculation, front\nend, back end, and "
                   "their parts; counted in passes, followed by one with IBS op.\n",
    .slots = true,
    .parts = {&kind_count, &kind_ibs},
    .ibs = true,
    .events = KIND_COUNTS_EVENTS,
    .list_events = list_events,
    .explain = explain,
    .prepare = prepare,
    .measure = measure,
    .conclude = conclude,
    .good = good,
    .tables = tables,
    .facts = facts,
};
