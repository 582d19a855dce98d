/* SPDX-License-Identifier: BSD-2-Clause */
/* Trials of the self-test (app/selftest/selftest.h), each in its own session: a failed one does not stop the others. */
#include "app/selftest/selftest.h"

#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/base/str.h"
#include "core/family/ibs_regs.h"
#include "core/run/facts.h"

/* PMCxxx of the counters, in the order of enum selftest_count; the loop's workload states its own counts. */
static const uint16_t selects[SELFTEST_COUNTERS] = {0x076, 0x0C0, 0x0C2, 0x0C4};

enum { PLACE = 64 /* offset of store-forward's loads and stores in its arena */ };

/* Holds the trials, and the rules for reading samples. */
struct own {
    struct selftest test; /* first member: run->own points to it */
    struct derived_set set;
};

/* Sets the same rules as kinds/ibs.c. */
static void set_rules(struct own *own, const struct machine *machine)
{
    struct ibs_machine of = ibs_machine_of(machine->family, machine->model, machine->ibs_caps);

    own->set = derived_set_of(&of);
    own->test.set = &own->set;
}

/* Finds the loop's function in the code map. */
static void find_loop(struct selftest *test, const struct run *run)
{
    const struct codemap *map = run->map;

    for (uint32_t i = 0; i < map->func_count; i++) {
        if (!str_equal(map->strings + map->funcs[i].name, run->workload->kernel))
            continue;
        test->address = run->map_base + map->funcs[i].rva;
        test->size = map->funcs[i].size;
    }
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct paging_plan *paging = &run->passes.core[0].plan.place.paging;
    struct own *own = pool_take(&run->pool, sizeof(*own), POOL_PAGE, "the self-test", problems);
    struct selftest *test = &own->test;
    struct sample_record *records = pool_take(&run->pool, SELFTEST_TRIALS * SELFTEST_RECORDS * sizeof(*records),
                                              POOL_PAGE, "the self-test's samples", problems);

    (void)options;
    if (!own || !records)
        return false;
    run->own = test;
    set_rules(own, run->machine);
    test->tsc_khz = run->machine->tsc_khz;
    test->physical = paging->physical;
    test->bytes = paging->size;
    test->place = PLACE;
    test->cycles = !(run->machine->ibs_caps & IBS_CAP_OPCNT);
    for (unsigned i = 0; i < WORKLOAD_EXPECTED_MAX && run->workload->expected[i].select; i++)
        for (unsigned c = 0; c < SELFTEST_COUNTERS; c++)
            if (run->workload->expected[i].select == selects[c])
                test->known[c] = workload_count(run->workload, i, run->params);
    find_loop(test, run);
    for (unsigned i = 0; i < SELFTEST_TRIALS; i++)
        test->trial[i].record = records + i * SELFTEST_RECORDS;
    return passes_possible(&run->passes, &(struct session_program){0}, problems);
}

/* ---------------------------------------------------------------- what is measured */

static struct pmc_plan counters(enum pmc_mode mode, uint64_t period)
{
    struct pmc_plan plan = {.mode = mode, .events = SELFTEST_COUNTERS, .groups = 1};

    for (unsigned c = 0; c < SELFTEST_COUNTERS; c++) {
        plan.event[c] = (struct pmc_event){.select = selects[c], .user = true, .os = true};
        plan.group[0].event[c] = (uint8_t)c;
    }
    plan.group[0].events = SELFTEST_COUNTERS;
    if (period) { /* only for instructions: another interrupt would be another possible cause */
        plan.event[0] = plan.event[SELFTEST_INSTRUCTIONS];
        plan.event[0].period = period;
        plan.events = plan.group[0].events = 1;
    }
    return plan;
}

/* Returns false if this machine has nothing to try. */
static bool program_of(const struct run *run, enum selftest_trial_name name, struct session_program *ret_program)
{
    const struct machine *machine = run->machine;
    bool op = machine_ibs_usable(machine) && (machine->ibs_caps & IBS_CAP_OP);
    bool fetch = machine_ibs_usable(machine) && (machine->ibs_caps & IBS_CAP_FETCH);

    *ret_program = (struct session_program){0};
    switch (name) {
    case SELFTEST_EMPTY:
    case SELFTEST_COUNTS:
        ret_program->pmc = counters(PMC_COUNTING, 0);
        return machine_pmc_usable(machine);
    case SELFTEST_OVERFLOW:
        ret_program->pmc = counters(PMC_SAMPLING, SELFTEST_OVERFLOW_PERIOD);
        return machine_pmc_usable(machine);
    case SELFTEST_OP_FIXED:
    case SELFTEST_OP:
        ret_program->ibs = (struct ibs_plan){.op = true,
                                             .op_period = SELFTEST_OP_PERIOD,
                                             .count_ops = machine->ibs_caps & IBS_CAP_OPCNT,
                                             .random = name == SELFTEST_OP,
                                             .seed = run->seed};
        return op;
    case SELFTEST_FETCH:
        ret_program->ibs =
            (struct ibs_plan){.fetch = true, .fetch_period = SELFTEST_FETCH_PERIOD, .random = true, .seed = run->seed};
        return fetch;
    default:
        ret_program->timer = (struct timer_plan){.period = SELFTEST_TICK_US};
        return machine->tsc_khz != 0;
    }
}

struct call {
    const struct run *run;
    struct selftest_trial *trial;
};

static void fill(void *argument, uint64_t arena)
{
    const struct run *run = ((struct call *)argument)->run;

    run->workload->prepare((void *)(uintptr_t)arena, run->params);
}

static void nothing(void *argument, uint64_t arena)
{
    (void)argument;
    (void)arena;
}

static void loop(void *argument, uint64_t arena)
{
    const struct run *run = ((struct call *)argument)->run;

    run->workload->run((void *)(uintptr_t)arena, run->params);
}

static void check(void *argument, uint64_t arena)
{
    const struct call *call = argument;
    struct workload_check result;

    call->trial->correct = call->run->workload->check((const void *)(uintptr_t)arena, call->run->params, &result);
}

static void try(const struct run *run, enum selftest_trial_name name)
{
    struct selftest *test = run->own;
    struct selftest_trial *trial = &test->trial[name];
    struct call call = {run, trial};
    struct session_plan plan = {
        .place = run->passes.core[0].plan.place,
        .calls = {
            .prepare = fill, .body = name == SELFTEST_EMPTY ? nothing : loop, .finish = check, .argument = &call}};

    plan.place.records = trial->record;
    plan.place.capacity = SELFTEST_RECORDS;
    trial->there = program_of(run, name, &plan.program);
    if (!trial->there)
        return;
    plan.program.timer.limit_ms = run->passes.limit_ms;
    session_run(&plan, &trial->result);
}

/* Provides sums, and the most important result, for the report of config=selftest. */
static void pass_on(struct run *run, const struct selftest *test)
{
    struct passes *passes = &run->passes;
    const struct session_result *shown = &test->trial[0].result;

    passes->run = passes->finished = 1;
    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        const struct session_result *result = &test->trial[i].result;

        passes->counts.nmi += result->counts.nmi;
        passes->counts.empty += result->counts.empty;
        passes->counts.late += result->counts.late;
        passes->counts.foreign += result->counts.foreign;
        passes->counts.storm += result->counts.storm;
        passes->spurious_interrupts += result->spurious_interrupts;
        passes->restore_failed += result->restore.failed;
        if (!shown->faulted && !shown->restore.failed && result->restore.count >= shown->restore.count)
            shown = result;
    }
    passes->result = passes->core[0].result = *shown;
    passes->result.error = SESSION_OK; /* each check names its own trial */
}

static unsigned passes(const struct run *run)
{
    (void)run;
    return SELFTEST_TRIALS;
}

static void measure(struct run *run)
{
    struct selftest *test = run->own;

    for (unsigned i = 0; i < SELFTEST_TRIALS; i++) {
        passes_tell(&run->passes, i + 1);
        try(run, i);
    }
    selftest_judge(test);
    pass_on(run, test);
}

/* ---------------------------------------------------------------- what it says */

static void settings(struct out *out, const struct run *run)
{
    out_printf(out, "Loop          %s, %u times: %lu instructions\n", run->workload->name, run->params[0],
               ((const struct selftest *)run->own)->known[SELFTEST_INSTRUCTIONS]);
}

static void tables(struct out *out, const struct run *run)
{
    const struct selftest *test = run->own;

    heading(out, "Self-test");
    for (unsigned i = 0; i < SELFTEST_ROWS; i++)
        selftest_print_row(out, test, i, "");
}

static void facts(struct out *out, const struct run *run)
{
    const struct selftest *test = run->own;

    for (unsigned i = 0; i < SELFTEST_ROWS; i++) {
        fact_begin(out, FACT_SELFTEST_CHECK, i);
        out_printf(out, " %s %s: %s\n", selftest_verdict_name(test->found[i].verdict), selftest_table[i].name,
                   test->found[i].text);
    }
}

static bool good(const struct run *run)
{
    return !((const struct selftest *)run->own)->failed;
}

KIND(kind_selftest, 70) = {
    .name = "selftest",
    .title = "The self-test",
    .explanation = "A loop whose counts are known is counted and sampled for a moment, and the\n"
                   "figures are compared with the known ones: a line for each check. The same test\n"
                   "runs before the first run of each boot (selftest=yes), and then shows only\n"
                   "checks that fail.\n",
    .uses = "store-forward",
    .uses_params = {SELFTEST_ITERATIONS, 8},
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .good = good,
    .settings = settings,
    .tables = tables,
    .facts = facts,
};
