/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting: totals of events over the workload, without interrupts.
 *
 * There is a pass for each group, each with the sentinel, after two over nothing: core/profile/counts.h subtracts the
 * counts of starting and stopping, and the residue is printed. All of this 'repeats' times.
 */
#include "app/run/counter_plan.h"
#include "core/run/facts.h"
#include "app/run/kind.h"
#include "app/kinds/shared/events.h"

static struct session_program program(const struct run *run, unsigned group)
{
    struct session_program program = {0};

    counter_plan(&program.pmc, &run->task.list, &run->task.groups.group[group], 1);
    program.pmc.mode = PMC_COUNTING;
    return program;
}

/* Takes one block of memory for 'number' counts. */
static bool take_counts(struct run *run, struct counts *counts, unsigned number, struct out *problems)
{
    const struct task *task = &run->task;
    size_t size = counts_memory_size(&task->list, &task->groups, task->repeats);
    uint8_t *memory = pool_take(&run->pool, size * number, POOL_PAGE, "the counts", problems);

    for (unsigned n = 0; memory && n < number; n++) {
        if (!counts_init(&counts[n], &task->list, &task->groups, task->sentinel, task->repeats, memory + n * size,
                         size))
            return false;
        for (unsigned i = 0; i < task->list.count; i++)
            if (!task->counted[i])
                counts_without(&counts[n], i, task->no_l3[i] ? COUNTS_NO_L3 : COUNTS_NOT_MODELLED);
    }
    return memory;
}

/* Takes memory for the counts of each working core, if there are several. */
static bool take_core_counts(struct run *run, struct out *problems)
{
    unsigned workers = run->passes.workers;

    if (workers == 1)
        return true;
    run->core_counts =
        pool_take(&run->pool, workers * sizeof(*run->core_counts), POOL_PAGE, "each core's counts", problems);
    return run->core_counts && take_counts(run, run->core_counts, workers, problems);
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct task *task = &run->task;

    (void)options;
    if (!take_counts(run, &run->counts, 1, problems) || !take_core_counts(run, problems))
        return false;
    for (unsigned g = 0; g < task->groups.count; g++) {
        const struct session_program counting = program(run, g);

        if (!passes_possible(&run->passes, &counting, problems))
            return false;
    }
    return true;
}

typedef void add_fn(struct counts *counts, unsigned repeat, unsigned group, const uint64_t value[PMC_COUNTERS]);

static void add_result(add_fn *add, struct counts *counts, unsigned repeat, unsigned group,
                       const struct pmc_group_result *result)
{
    uint64_t value[PMC_COUNTERS];

    for (unsigned c = 0; c < PMC_COUNTERS; c++)
        value[c] = result->counter[c].total;
    add(counts, repeat, group, value);
}

/* Adds the counters of the last pass, in the order of its group: their sum over the cores, and each core's. */
static void add_pass(struct run *run, add_fn *add, unsigned repeat, unsigned group)
{
    unsigned worker = 0;

    add_result(add, &run->counts, repeat, group, &run->passes.result.pmc.group[0]);
    for (unsigned i = 0; run->core_counts && i < run->passes.cores; i++)
        if (run->passes.core[i].worker)
            add_result(add, &run->core_counts[worker++], repeat, group, &run->passes.core[i].result.pmc.group[0]);
}

enum { PASSES_OF_A_GROUP = 3, WARMING = 2 };

static bool count_group(struct run *run, unsigned repeat, unsigned group)
{
    const struct session_program counting = program(run, group);

    /* Runs two empty passes: the first finds the caches as the workload left them; the second finds them as the first
     * did, as the workload then does. So the second is the overhead, and the first shows its possible residue. */
    if (!passes_run_empty(&run->passes, &counting))
        return false;
    add_pass(run, counts_add_again, repeat, group);
    if (!passes_run_empty(&run->passes, &counting))
        return false;
    add_pass(run, counts_add_empty, repeat, group);
    if (!passes_run(&run->passes, &counting))
        return false;
    add_pass(run, counts_add, repeat, group);
    return true;
}

/* Runs passes whose counts are dropped, because only the first ones find caches and predictors cold. */
static bool warm_up(struct run *run)
{
    const struct session_program counting = program(run, 0);

    if (run->task.repeats * run->task.groups.count == 1)
        return true;
    return passes_run_empty(&run->passes, &counting) && passes_run(&run->passes, &counting);
}

static unsigned passes(const struct run *run)
{
    unsigned groups = run->task.repeats * run->task.groups.count;

    return groups * PASSES_OF_A_GROUP + (groups == 1 ? 0 : WARMING);
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
    out_printf(out, "Counted       %u events in %u pass%s, each also for an empty region\n", counted,
               task->groups.count, task->groups.count == 1 ? "" : "es");
    if (task->left_out)
        out_printf(out, "Left out      %u events and mask bits that %s\n", task->left_out,
                   machine_has_l3(run->machine) ? "are not modelled" : "are not modelled, or count an L3");
    out_printf(out, "Repeats       %u%s\n", task->repeats,
               task->repeats * task->groups.count > 1 ? ", after one pass to warm up" : "");
}

/* Totals are sums over the cores, each of which does the whole work, because none of these workloads is shared. */
static void report_expected_row(struct out *out, const struct run *run, unsigned row)
{
    const struct workload_expected *expected = &run->workload->expected[row];
    uint64_t known = run->passes.workers * (workload_count(run->workload, row, run->params) -
                                            events_of_nothing(run->machine, expected->select));

    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result;

        counts_result(&run->counts, i, &result);
        if (!event_is_first(spec->event) || spec->event->select != expected->select || spec->mask != expected->mask ||
            !task_counts_all(spec) || result.state != COUNTS_COUNTED)
            continue;
        out_printf(out, "%s %03X:%02X known beforehand %lu, counted %lu\n", result.mean == known ? "same" : "OTHER",
                   spec->event->select, spec->mask, known, result.mean);
    }
}

/* A difference does not fail the run: silicon has errata, and counts interrupts. */
static void report_expected(struct out *out, const struct run *run)
{
    const struct workload *workload = run->workload;

    if (workload->expected[0].select)
        out_printf(out, "\nCounts known beforehand%s, minus those of an empty workload\n",
                   run->passes.workers > 1 ? ", of all cores" : "");
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

#define CSV_COLUMNS "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n"

static void csv_rows(struct out *out, const struct run *run, const struct counts *counts, const char *first)
{
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result;

        counts_result(counts, i, &result);
        out_printf(out, "%s%03x,%02x,%u,%s,%s,", first, spec->event->select, spec->mask, spec->count_mask,
                   spec->event->symbol, counts_state_name(result.state));
        if (result.state == COUNTS_COUNTED)
            out_printf(out, "%u,%lu,%lu,%lu,%u,%lu,%lu,%u\n", result.repeats, result.mean, result.min, result.max,
                       result.cv_ppm, result.overhead, result.residue, result.reliability_ppm);
        else
            out_printf(out, ",,,,,,,\n");
    }
}

static void csv(struct out *out, const struct run *run)
{
    out_printf(out, CSV_COLUMNS);
    csv_rows(out, run, &run->counts, "");
}

/* Writes the rows of each working core after its number. */
static void cores_csv(struct out *out, const struct run *run)
{
    unsigned worker = 0;

    out_printf(out, "core," CSV_COLUMNS);
    for (unsigned i = 0; run->core_counts && i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        char number[16];
        struct out_memory text;

        if (!core->worker)
            continue;
        out_memory_init(&text, number, sizeof(number));
        out_printf(&text.out, "%u,", core->cpu);
        if (!core->lost)
            csv_rows(out, run, &run->core_counts[worker], number);
        worker++;
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

/* Lists all events of the configurations. */
static void list_meant(struct event_list *list)
{
    for (unsigned c = 0; c < config_count; c++)
        for (unsigned i = 0; config_table[c].kind == CONFIG_PMC && i < config_table[c].event_count; i++)
            event_list_add(list, (enum event_meaning)config_table[c].events[i].meaning, 0);
}

/* Lists, for later families, the events like those of the configurations, sorted by number, each with the mask of its
 * name. Leaves out numbers that the family's set lacks. */
static void list_later(struct event_list *list, const struct ibs_family *row)
{
    enum event_set set = (enum event_set)row->events;
    static const uint16_t usual[] = {
        0x076, 0x0C0, 0x0C1, 0x0C2, 0x0C3, 0x0C4, 0x0C5, 0x0C8, 0x0C9, 0x0CA, 0x0D1, /* cycles, retirement, branches */
        0x029, 0x041, 0x043, 0x044, 0x045, 0x046, 0x047,                             /* loads, stores, DTLB */
        0x060, 0x064, 0x082, 0x083, 0x084, 0x085, 0x18E,                             /* L2, instruction cache, ITLB */
        0x0A9, 0x0AA, 0x0AB, 0x0AE, 0x0AF, 0x0D6, 0x1A0,                             /* dispatch and its stalls */
        0x02B, 0x02C,                                                                /* interrupts */
    };

    static const uint16_t before_zen[] = {
        0x076, 0x0C0, 0x0C1, 0x0C2, 0x0C3, 0x0C4, 0x0C5, 0x0C8, 0x0C9, 0x0CA, 0x003,        /* and floating point */
        0x029, 0x040, 0x041, 0x042, 0x043, 0x045, 0x046, 0x047, 0x06C, 0x07D, 0x07E, 0x07F, /* data, L2 */
        0x080, 0x081, 0x082, 0x083, 0x084, 0x085, 0x087, /* instruction cache, ITLB */
        0x0D0, 0x0D1, 0x0D5, 0x0D6, 0x0D7, 0x0D8, 0x1D8, /* dispatch and its stalls */
        0x02B, 0x0CF,                                    /* interrupts */
    };
    bool early = set >= EVENT_SET_15H;
    const uint16_t *select = early ? before_zen : usual;
    size_t count = early ? sizeof(before_zen) / sizeof(before_zen[0]) : sizeof(usual) / sizeof(usual[0]);

    for (size_t i = 0; i < count; i++) {
        const struct event *event = event_by_select(set, select[i]);

        if (event && !(event->flags & EVENT_DOUBTFUL))
            task_add_event_of(list, set, select[i], event->mask_default);
    }
}

/* Lists the events that are counted by default. */
static void list_events(struct event_list *list, const struct ibs_family *row, char revision)
{
    (void)revision;
    if (row->events == EVENT_SET_10H)
        list_meant(list);
    else
        list_later(list, row);
}

KIND(kind_count, 20) = {
    .name = "count",
    .title = "Count events without interrupts",
    .explanation = "Totals of the setting 'events', or of all events of the configurations, over\n"
                   "the workload: in each pass CPU clocks as sentinel and events on all other\n"
                   "counters. The counts of starting and stopping itself are measured for an empty\n"
                   "region and subtracted.\n",
    .events = KIND_COUNTS_EVENTS,
    .names_events = true,
    .all_events = true,
    .list_events = list_events,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .settings = settings,
    .tables = tables,
    .facts = facts,
    .csv_name = "counts.csv",
    .csv = csv,
    .cores_csv_name = "core-counts.csv",
    .cores_csv = cores_csv,
    .retired = retired,
};
