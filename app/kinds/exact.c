/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact counts: executes the workload once, instruction by instruction (drivers/trace/single_step.h). Needs neither
 * IBS nor counters; if there are counters, the retired instructions and branches of an undisturbed pass are printed
 * beside the stepped ones.
 *
 * A part takes about two seconds, and ends its session: the machine is then the firmware's again, progress is printed,
 * and a key stops or continues.
 */
#include "app/kinds/exact.h"

#include "app/run/counter_plan.h"
#include "app/run/kind.h"
#include "app/kinds/shared/events.h"
#include "app/base/sentence.h"
#include "app/base/sinks.h"
#include "core/base/stats.h"
#include "drivers/machine/vpmu_query.h"

enum {
    FIRST_PART = 20000, /* steps, whose time predicts the later parts */
    PART_MS = 2000,
    PARTS_TOLD = 15,
    KEY_MS = 60000,
};

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    struct exact_run *exact;
    uint64_t arena = run->passes.core[0].plan.place.paging.size;
    uint32_t operands = exact_bitmaps(run->map, arena);
    void *memory;

    (void)options;
    if (run->passes.cores > 1) {
        sentence(problems, "config = exact: the workload runs on the boot core alone: leave 'cores' at 0");
        return false;
    }
    exact = run->own = pool_take(&run->pool, sizeof(*exact), POOL_PAGE, "the steps", problems);
    memory = !exact ? NULL
                    : pool_take(&run->pool, exact_memory_size(run->map, arena, operands), POOL_PAGE, "exact counts",
                                problems);
    if (!memory)
        return false;
    exact_init(&exact->step.counts, run->map, run->map_base, arena, operands, memory);
    exact->event[0].select = EXACT_INSTRUCTIONS;
    exact->event[1].select = EXACT_BRANCHES;
    return passes_possible(&run->passes, &(struct session_program){0}, problems);
}

/* ---------------------------------------------------------------- counters over the same code */

/* Counts over the workload, then over nothing. A processor or hypervisor may refuse; then the steps stand alone.
 * Returns false if a pass failed. */
static bool count(struct run *run, const struct event_list *list)
{
    struct exact_run *exact = run->own;
    struct event_group group = {.count = (uint8_t)list->count, .event = {0, 1}};
    struct session_program program = {0};
    enum session_error refused;
    uint64_t total[EXACT_EVENTS];

    counter_plan(&program.pmc, list, &group, 1);
    program.pmc.mode = PMC_COUNTING;
    if (!passes_run_beside(&run->passes, &program, PASSES_SAMPLED, &refused)) {
        exact->refused = refused;
        return refused;
    }
    for (unsigned i = 0; i < list->count; i++)
        total[i] = run->passes.result.pmc.event[i].total;
    if (!passes_run_empty(&run->passes, &program))
        return false;
    for (unsigned i = 0; i < list->count; i++) {
        struct exact_event *event = &exact->event[list->spec[i].event->select != EXACT_INSTRUCTIONS];

        event->counted = true;
        event->count = total[i] - run->passes.result.pmc.event[i].total +
                       events_of_nothing(run->machine, list->spec[i].event->select);
    }
    return true;
}

static bool count_beside(struct run *run)
{
    const struct exact_run *exact = run->own;
    struct event_list list = {0};

    for (unsigned i = 0; machine_pmc_usable(run->machine) && i < EXACT_EVENTS; i++)
        if (vpmu_counts(run->machine, exact->event[i].select, 0))
            task_add_event_of(&list, task_event_set(run->machine), exact->event[i].select, 0);
    return !list.count || count(run, &list);
}

/* ---------------------------------------------------------------- steps */

static void expect(struct run *run)
{
    struct exact_run *exact = run->own;
    uint64_t work = run->workload->work(run->params) * run->workload->unit_ops;

    if (exact->event[0].counted)
        exact->expected = exact->event[0].count;
    else if (!workload_instructions(run->workload, run->params, &exact->expected))
        exact->about = true;
    if (exact->about)
        exact->expected = work;
}

/* Returns the milliseconds for so many more steps, at the present rate; 0: the TSC's rate is not known. */
static uint64_t needs_ms(const struct run *run, uint64_t steps)
{
    const struct exact_run *exact = run->own;

    if (!run->machine->tsc_khz || !exact->step.counts.steps)
        return 0;
    return stats_mul_div(exact->ticks, steps, exact->step.counts.steps) / run->machine->tsc_khz;
}

static uint64_t left(const struct exact_run *exact)
{
    uint64_t steps = exact->step.counts.steps;

    return exact->expected > steps ? exact->expected - steps : 0;
}

static void say_before(struct out *out, const struct run *run)
{
    const struct exact_run *exact = run->own;
    uint64_t seconds = (needs_ms(run, left(exact)) + 999) / 1000;

    out_printf(out, "Exact counts: %s%lu instructions, one by one", exact->about ? "about " : "", exact->expected);
    if (seconds)
        out_printf(out, ": about %lu s", seconds);
    out_printf(out, ". %s\n", run->fw->keys ? "Esc stops." : "");
}

/* Prints a line for each tenth of the work, and every half minute. */
static void say_progress(struct out *out, struct run *run)
{
    struct exact_run *exact = run->own;
    uint64_t seconds = (needs_ms(run, left(exact)) + 999) / 1000;
    unsigned tenth = exact->expected ? (unsigned)(exact->step.counts.steps * 10 / exact->expected) : 0;

    if (tenth == exact->told && exact->parts % PARTS_TOLD)
        return;
    exact->told = tenth;
    out_printf(out, "  %lu instructions", exact->step.counts.steps);
    if (left(exact)) {
        out_printf(out, ", ");
        out_ratio(out, exact->step.counts.steps, exact->expected, 100, 0, 0);
        out_printf(out, "%%");
    }
    if (left(exact) && seconds)
        out_printf(out, ", %lu s left", seconds);
    out_printf(out, "\n");
}

/* Asks, after Esc, whether to stop for good. */
static bool stops(struct console *console)
{
    int key = KEY_NONE;

    if (!console->fw->keys || console_key(console, 0) != KEY_ESCAPE)
        return false;
    out_printf(&console->out, "Stopped for now: Enter goes on; Esc ends, and what was counted is kept.\n");
    while (key != KEY_ESCAPE && key != KEY_ENTER)
        key = console_key(console, KEY_MS);
    return key == KEY_ESCAPE;
}

/* Returns the number of steps that take PART_MS. */
static uint64_t next_part(const struct run *run)
{
    const struct exact_run *exact = run->own;
    uint64_t steps = exact->step.counts.steps;

    if (!run->machine->tsc_khz || !exact->ticks)
        return FIRST_PART;
    return stats_mul_div(steps, PART_MS * run->machine->tsc_khz, exact->ticks) + 1;
}

static void measure(struct run *run)
{
    struct exact_run *exact = run->own;
    struct console console;

    console_init(&console, run->fw);
    if (!count_beside(run))
        return;
    expect(run);
    exact->step.left = FIRST_PART;
    while (passes_run_stepped(&run->passes, &exact->step)) {
        exact->parts++;
        exact->ticks += run->passes.result.tsc_stop - run->passes.result.tsc_start;
        if (exact->step.state != SINGLE_STEP_STOPPED)
            break;
        if (exact->parts == 1)
            say_before(&console.out, run);
        else
            say_progress(&console.out, run);
        exact->stopped = stops(&console);
        if (exact->stopped)
            break;
        exact->step.left = next_part(run);
    }
    /* Times of the passes before are not the stepped workload's. */
    run->passes.result.tsc_start = run->passes.result.tsc_stop = 0;
}

static bool good(const struct run *run)
{
    return exact_whole(run->own);
}

KIND(kind_exact, 45) = {
    .name = "exact",
    .title = "Exact counts, instruction by instruction",
    .explanation = "Runs the workload once, and stops after each instruction: how often each was\n"
                   "executed, which way each branch went, which lines each memory operand used.\n"
                   "Each step takes an exception. Needs neither IBS nor counters; if there are\n"
                   "counters, they count the same code, and the report compares the figures.\n",
    .anywhere = true,
    .prepare = prepare,
    .measure = measure,
    .good = good,
    .settings = exact_settings,
    .tables = exact_tables,
    .checks = exact_checks,
    .facts = exact_facts,
    .csv_name = "exact.csv",
    .csv = exact_csv,
    .has_more_csv = exact_has_edges,
    .more_csv_name = "edges.csv",
    .more_csv = exact_edges_csv,
};
