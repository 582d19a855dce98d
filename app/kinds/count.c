/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting: totals of events over the workload, without interrupts.
 *
 * A pass for each group, with the sentinel in each, and before it two over nothing: what starting and stopping itself
 * counts is subtracted by core/counts.h, and the residue is printed. All of that 'repeats' times.
 */
#include "app/counter_plan.h"
#include "core/facts.h"
#include "app/kind.h"
#include "app/kinds/events.h"

static struct session_program program(const struct run *run, unsigned group)
{
    struct session_program program = {0};

    counter_plan(&program.pmc, &run->task.list, &run->task.groups.group[group], 1);
    program.pmc.mode = PMC_COUNTING;
    return program;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct task *task = &run->task;
    size_t size = counts_memory_size(&task->list, &task->groups, task->repeats);
    void *memory = pool_take(&run->pool, size, POOL_PAGE, "the counts", problems);

    if (!memory || !counts_init(&run->counts, &task->list, &task->groups, task->sentinel, task->repeats, memory, size))
        return false;
    for (unsigned i = 0; i < task->list.count; i++)
        if (!task->counted[i])
            counts_not_modelled(&run->counts, i);
    for (unsigned g = 0; g < task->groups.count; g++) {
        const struct session_program counting = program(run, g);

        if (!passes_possible(&run->passes, &counting, problems))
            return false;
    }
    return true;
}

/* The counters of the last pass, in the order of its group. */
static void totals(const struct run *run, uint64_t value[PMC_COUNTERS])
{
    for (unsigned c = 0; c < PMC_COUNTERS; c++)
        value[c] = run->passes.result.pmc.group[0].counter[c].total;
}

static bool count_group(struct run *run, unsigned repeat, unsigned group)
{
    const struct session_program counting = program(run, group);
    uint64_t value[PMC_COUNTERS];

    /* Nothing, twice: the first one finds what the workload before left in the caches, the second what the one before
     * it left, as the workload does then. So that is the overhead, and the first shows what may be left of it. */
    if (!passes_run_empty(&run->passes, &counting))
        return false;
    totals(run, value);
    counts_add_again(&run->counts, repeat, group, value);
    if (!passes_run_empty(&run->passes, &counting))
        return false;
    totals(run, value);
    counts_add_empty(&run->counts, repeat, group, value);
    if (!passes_run(&run->passes, &counting))
        return false;
    totals(run, value);
    counts_add(&run->counts, repeat, group, value);
    return true;
}

/* The first passes find caches and predictors cold, the others do not: they are run, and nothing is made of them. */
static bool warm_up(struct run *run)
{
    const struct session_program counting = program(run, 0);

    if (run->task.repeats * run->task.groups.count == 1)
        return true;
    return passes_run_empty(&run->passes, &counting) && passes_run(&run->passes, &counting);
}

static void measure(struct run *run)
{
    bool good = warm_up(run);

    for (unsigned r = 0; good && r < run->task.repeats; r++)
        for (unsigned g = 0; good && g < run->task.groups.count; g++)
            good = count_group(run, r, g);
}

/* ---------------------------------------------------------------- what it says */

static void settings(struct out *out, const struct run *run)
{
    const struct task *task = &run->task;
    unsigned counted = 0;

    for (unsigned i = 0; i < task->list.count; i++)
        counted += task->counted[i];
    out_printf(out, "Counted       %u events in %u pass%s, each also over an empty region\n", counted,
               task->groups.count, task->groups.count == 1 ? "" : "es");
    if (task->left_out)
        out_printf(out, "Left out      %u events and mask bits that %s\n", task->left_out,
                   machine_has_l3(run->machine) ? "are not modelled" : "are not modelled, or of an L3");
    out_printf(out, "Repeats       %u%s\n", task->repeats,
               task->repeats * task->groups.count > 1 ? ", after one pass to warm up" : "");
}

/* What the call of an empty workload does, which is subtracted from totals: its ret, an instruction, branch and load.
 * The virtual PMU takes code outside of the map for instructions alone. */
static uint64_t empty_has(const struct run *run, const struct workload_expected *expected)
{
    static const uint16_t rets[] = {0x0C2, 0x0C4, 0x0C8, 0x040};

    if (expected->select == WORKLOAD_INSTRUCTIONS)
        return COUNTS_EMPTY_INSTRUCTIONS;
    for (unsigned i = 0; i < sizeof(rets) / sizeof(rets[0]); i++)
        if (expected->select == rets[i] && !run->machine->hypervisor)
            return COUNTS_EMPTY_INSTRUCTIONS;
    return 0;
}

static void report_expected_row(struct out *out, const struct run *run, unsigned row)
{
    const struct workload_expected *expected = &run->workload->expected[row];
    uint64_t known = workload_count(run->workload, row, run->params) - empty_has(run, expected);

    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result;

        counts_result(&run->counts, i, &result);
        if (spec->event->select != expected->select || spec->mask != expected->mask || !task_counts_all(spec) ||
            result.state != COUNTS_COUNTED)
            continue;
        out_printf(out, "%s %03X:%02X known beforehand %lu, counted %lu\n", result.mean == known ? "same" : "OTHER",
                   spec->event->select, spec->mask, known, result.mean);
    }
}

/* Not a check that fails a run: silicon has errata, and counts interrupts. */
static void report_expected(struct out *out, const struct run *run)
{
    const struct workload *workload = run->workload;

    if (workload->expected[0].select)
        out_printf(out, "\nCounts known beforehand, minus those of an empty workload\n");
    for (unsigned i = 0; i < WORKLOAD_EXPECTED_MAX && workload->expected[i].select; i++)
        report_expected_row(out, run, i);
}

static void tables(struct out *out, const struct run *run)
{
    out_printf(out, "\n");
    events_notes(out, &run->task, false);
    counts_print(out, &run->counts);
    if (run->task.kinds[0] == &kind_count)
        report_expected(out, run);
}

static void facts(struct out *out, const struct run *run)
{
    params_expected_facts(out, run->workload, run->params);
    fact_number(out, FACT_GROUPS, run->task.groups.count);
    fact_number(out, FACT_REPEATS, run->task.repeats);
    for (unsigned i = 0; i < run->task.list.count; i++)
        events_fact(out, &run->task, i);
}

static void csv(struct out *out, const struct run *run)
{
    static const char *const states[] = {
        [COUNTS_NOT_COUNTED] = "not counted", [COUNTS_NOT_MODELLED] = "not modelled", [COUNTS_COUNTED] = "counted"};

    out_printf(out,
               "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n");
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result;

        counts_result(&run->counts, i, &result);
        out_printf(out, "%03x,%02x,%u,%s,%s,", spec->event->select, spec->mask, spec->count_mask, spec->event->symbol,
                   states[result.state]);
        if (result.state == COUNTS_COUNTED)
            out_printf(out, "%u,%lu,%lu,%lu,%u,%lu,%lu,%u\n", result.repeats, result.mean, result.min, result.max,
                       result.cv_ppm, result.overhead, result.residue, result.reliability_ppm);
        else
            out_printf(out, ",,,,,,,\n");
    }
}

static bool retired(const struct run *run, uint64_t *ret_count)
{
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result;

        if (spec->event->select != WORKLOAD_INSTRUCTIONS || !task_counts_all(spec))
            continue;
        counts_result(&run->counts, i, &result);
        if (result.state != COUNTS_COUNTED)
            continue;
        *ret_count = result.mean;
        return true;
    }
    return false;
}

/* What is counted when nothing was named: all that the configurations have. */
static void list_events(struct event_list *list, char revision)
{
    (void)revision;
    for (unsigned c = 0; c < config_count; c++)
        for (unsigned i = 0; config_table[c].kind == CONFIG_PMC && i < config_table[c].event_count; i++)
            task_add_event(list, config_table[c].events[i].select, config_table[c].events[i].mask);
}

KIND(kind_count) = {
    .name = "count",
    .title = "Count events without interrupts",
    .explanation = "Totals of the setting 'events', or of all events of the configurations, over the\n"
                   "workload: three events in a pass with CPU clocks as sentinel. What starting and\n"
                   "stopping itself counts is measured over an empty region and subtracted.\n",
    .order = 20,
    .events = KIND_COUNTS_EVENTS,
    .names_events = true,
    .all_events = true,
    .list_events = list_events,
    .prepare = prepare,
    .measure = measure,
    .settings = settings,
    .tables = tables,
    .facts = facts,
    .csv_name = "counts.csv",
    .csv = csv,
    .retired = retired,
};
