/* SPDX-License-Identifier: BSD-2-Clause */
/* One pass on all its cores: plans, starts and awaits them, and collects the results. */
#include "app/run/passes.h"

#include "core/base/mem.h"
#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "drivers/pmu/branches.h"
#include "drivers/trace/trace.h"
#include "drivers/machine/vpmu_query.h"

enum {
    PATIENCE_MS = 10000, /* most delay between cores; a large arena is filled meanwhile */
    RETURN_STEP_US = 1000,
    /* Without a time limit, additional to a multiple of the first core's time: if cores are processes of a system, one
     * may not run for that long. A model's cores take turns of microseconds, and its seconds are hours. */
    SLACK_US = PATIENCE_MS * 1000,
    SLACK_US_MODEL = 100,
};

/* A single core writes its samples to their final place. Several have a ring each, of which they may fill an equal part
 * of the remaining room; without a record for each no pass begins. */
void passes_share_room(struct passes *passes)
{
    uint32_t left = passes->capacity - (uint32_t)passes->samples;

    for (unsigned i = 0; i < passes->cores; i++) {
        struct session_place *place = &passes->core[i].plan.place;

        if (passes->cores == 1)
            place->records = passes->records + passes->samples;
        if (passes->cores == 1 && passes->stacks)
            passes->core[i].stacks = passes->stacks + passes->samples;
        if (passes->cores == 1 && passes->branches)
            passes->core[i].branches = passes->branches + passes->samples;
        place->capacity = left < passes->workers ? left : left / passes->workers;
    }
}

/* Copies the plan, because a core that does not return may go on reading it. */
static void plan_core(struct passes_core *core, const struct session_program *program,
                      const struct session_calls *calls, uint64_t limit_ms)
{
    struct session_plan *plan = &core->plan;

    core->finished = core->correct = false;
    plan->program = (struct session_program){0};
    plan->calls = (struct session_calls){0};
    if (!core->worker)
        return;
    plan->program = *program;
    plan->program.timer.limit_ms = limit_ms;
    /* Each core has other random intervals. */
    plan->program.ibs.seed = rng_part_seed(program->ibs.seed, RNG_CORE, core->cpu);
    plan->program.pmc.seed = rng_part_seed(program->pmc.seed, RNG_CORE, core->cpu);
    plan->program.timer.seed = rng_part_seed(program->timer.seed, RNG_CORE, core->cpu);
    plan->calls = *calls;
    plan->calls.argument = core;
    plan->place.stacks = core->stacks;
    plan->place.branches = core->branches;
}

/* Runs on another core, which has nothing from the firmware but a stack. */
static void run_core(void *argument)
{
    struct passes_core *core = argument;

    session_run(&core->plan, &core->result);
}

static void start_others(struct passes *passes)
{
    for (unsigned i = 1; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        trace_number(TRACE_START_CORE, core->cpu);
        core->start_error = passes->fw->start_core(passes->fw, core->cpu, run_core, core);
        if (core->start_error)
            gang_leave(passes->gang, i); /* no core needs to wait for it */
    }
}

/* Waits for the other cores, which only have to restore themselves. */
static void await_others(struct passes *passes)
{
    for (unsigned i = 1; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];
        bool back = passes->fw->core_ended(passes->fw, core->cpu);

        trace_number(TRACE_AWAIT_CORE, core->cpu);
        for (unsigned ms = 0; !back && ms < PATIENCE_MS && gang_step_of(passes->gang, i) != GANG_GIVEN_UP; ms++) {
            passes->fw->stall(passes->fw, RETURN_STEP_US);
            back = passes->fw->core_ended(passes->fw, core->cpu);
        }
        core->lost = core->start_error || !back || gang_step_of(passes->gang, i) == GANG_GIVEN_UP;
        core->lost_at =
            gang_step_of(passes->gang, i) == GANG_GIVEN_UP ? passes->gang->member[i].given_up_at : GANG_DONE;
        passes->fw->core_started(passes->fw, core->cpu, &core->start);
        passes->lost |= core->lost;
    }
}

bool passes_all_back(const struct passes *passes)
{
    for (unsigned i = 1; passes->gang && i < passes->cores; i++) /* NULL: no memory, so none was started */
        if (!passes->fw->core_ended(passes->fw, passes->core[i].cpu))
            return false;
    return true;
}

/* ---------------------------------------------------------------- what came of it */

static void add_counts(struct nmi_counts *sum, const struct nmi_counts *counts)
{
    sum->nmi += counts->nmi;
    for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++) {
        sum->recorded[kind] += counts->recorded[kind];
        sum->lost[kind] += counts->lost[kind];
    }
    sum->empty += counts->empty;
    sum->late += counts->late;
    sum->foreign += counts->foreign;
    sum->storm += counts->storm;
}

/* Returns the core whose result represents all. */
static struct passes_core *representative(const struct passes *passes)
{
    struct passes_core *first = NULL;

    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        if (core->lost)
            continue;
        if (core->result.error)
            return core;
        if (core->worker && !first)
            first = core;
    }
    return first ? first : &passes->core[0];
}

/* Copies data beside a core's records ('each' bytes for one) to that beside the passes' records. Two records of one NMI
 * share the first one's (nmi.h). */
static void collect_beside(struct passes *passes, const struct passes_core *core, void *to, const void *from,
                           size_t each)
{
    const struct sample_record *records = passes->records + passes->samples;

    if (passes->cores > 1)
        memcpy(to, from, core->result.samples * each);
    for (uint64_t i = 1; i < core->result.samples; i++)
        if (records[i].tsc == records[i - 1].tsc)
            memcpy((char *)to + i * each, (char *)to + (i - 1) * each, each);
}

static void collect_stacks(struct passes *passes, const struct passes_core *core)
{
    struct sample_stack *stacks = passes->stacks + passes->samples;

    collect_beside(passes, core, stacks, core->stacks, sizeof(*stacks));
    for (uint64_t i = 0; i < core->result.samples; i++)
        passes->stack_ends[stacks[i].end]++;
}

/* Collects branch records; entries that the processor lacks are empty. */
static void collect_branches(struct passes *passes, const struct passes_core *core)
{
    struct sample_branches *branches = passes->branches + passes->samples;
    const struct machine *machine = core->plan.place.machine;

    collect_beside(passes, core, branches, core->branches, sizeof(*branches));
    for (uint64_t i = 0; i < core->result.samples; i++) {
        for (uint32_t n = branches_entries(machine); n < SAMPLE_BRANCHES_MAX; n++)
            branches[i].entry[n].from = branches[i].entry[n].to = 0;
        if (machine->branch_sampling)
            branches_mark_retired(&branches[i]);
    }
}

/* Returns whether the sample is no op, or a load that missed the DC for longer. */
static bool met(const struct sample_record *record, uint32_t latency)
{
    uint64_t data3 = record->reg[IBS_OP_DATA3];

    return record->kind != SAMPLE_OP || (ibs_ld_op(data3) && ibs_dc_miss(data3) && ibs_dc_miss_lat(data3) > latency);
}

/* Drops samples that the filter of loads by latency should have rejected, as Linux does (arch/x86/events/amd/ibs.c,
 * perf_ibs_handle_irq). */
static uint64_t drop_unmet(struct passes *passes, uint64_t samples, uint32_t latency)
{
    struct sample_record *records = passes->records + passes->samples;
    struct sample_stack *stacks = passes->stacks ? passes->stacks + passes->samples : NULL;
    struct sample_branches *branches = passes->branches ? passes->branches + passes->samples : NULL;
    uint64_t kept = 0;

    for (uint64_t i = 0; i < samples; i++) {
        bool keep = met(&records[i], latency);

        if (stacks && keep)
            stacks[kept] = stacks[i];
        else if (stacks)
            passes->stack_ends[stacks[i].end]--;
        if (branches && keep)
            branches[kept] = branches[i];
        if (keep)
            records[kept++] = records[i];
    }
    return samples - kept;
}

static void collect_samples(struct passes *passes, struct passes_core *core)
{
    const struct session_result *result = &core->result;
    uint64_t dropped = 0;

    add_counts(&passes->counts, &result->counts);
    add_counts(&core->counts, &result->counts);
    if (passes->cores > 1)
        memcpy(passes->records + passes->samples, core->plan.place.records,
               (size_t)result->samples * sizeof(struct sample_record));
    if (passes->stacks)
        collect_stacks(passes, core);
    if (passes->branches)
        collect_branches(passes, core);
    if (core->plan.program.ibs.load_latency)
        dropped = drop_unmet(passes, result->samples, core->plan.program.ibs.load_latency);
    passes->dropped += dropped;
    passes->counts.recorded[SAMPLE_OP] -= dropped;
    core->counts.recorded[SAMPLE_OP] -= dropped;
    for (uint64_t i = 0; passes->branches && i < result->samples - dropped; i++)
        branches_add(&passes->branch_sums, &passes->branches[passes->samples + i],
                     branches_entries(core->plan.place.machine));
    passes->samples += result->samples - dropped;
}

static void collect_core(struct passes *passes, struct passes_core *core)
{
    struct session_result *sum = &passes->result;
    const struct session_result *result = &core->result;

    passes->spurious_interrupts += result->spurious_interrupts;
    passes->beside_interrupts += result->counts.nmi;
    if (!passes->beside)
        collect_samples(passes, core);
    if (result->tsc_start && (!sum->tsc_start || result->tsc_start < sum->tsc_start))
        sum->tsc_start = result->tsc_start; /* 0: it did not reach its measured part */
    if (result->timer.by > passes->ticks)
        passes->ticks = result->timer.by;
    if (result->tsc_stop > sum->tsc_stop)
        sum->tsc_stop = result->tsc_stop;
    pmc_result_add(&sum->pmc, &result->pmc);
}

static void collect(struct passes *passes)
{
    bool finished = true, correct = true;
    const struct workload_check *check = NULL;

    passes->result = representative(passes)->result;
    passes->result.tsc_start = passes->result.tsc_stop = 0;
    passes->result.pmc = (struct pmc_result){0};
    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        if (!core->lost) {
            passes->restore_failed += core->result.restore.failed;
            restore_add(&core->restored, &core->result.restore);
        }
        if (!core->worker || core->lost) {
            finished = finished && !core->worker;
            continue;
        }
        collect_core(passes, core);
        finished = finished && core->finished;
        if (core->finished && core->checks && (!check || (correct && !core->correct)))
            check = &core->check;
        correct = correct && (core->correct || !core->finished);
    }
    if (check && !passes->incorrect)
        passes->check = *check;
    passes->incorrect += !correct;
    passes->finished += finished;
}

void passes_run_cores(struct passes *passes, const struct session_program *program, const struct session_calls *calls,
                      void (*kernel)(void *, const uint32_t *))
{
    const struct machine *machine = passes->core[0].plan.place.machine;
    uint64_t khz = machine->tsc_khz;

    if (!passes->steps)
        passes_tell(passes, passes->run + passes->empty);
    trace(TRACE_PASS);
    gang_init(passes->gang, passes->members, passes->cores, ibs_samples(&program->ibs), PATIENCE_MS * khz,
              (passes->limit_ms + passes->limit_ms / 32) * khz);
    passes->gang->slack = (vpmu_is_model(machine) ? SLACK_US_MODEL : SLACK_US) * khz / 1000;
    for (unsigned i = 0; i < passes->cores; i++) {
        passes->core[i].kernel = kernel;
        passes->core[i].part = passes->part;
        plan_core(&passes->core[i], program, calls, passes->limit_ms);
    }
    start_others(passes);
    session_run(&passes->core[0].plan, &passes->core[0].result);
    await_others(passes);
    trace(TRACE_PASS_ENDED);
    collect(passes);
    passes_share_room(passes);
    if (passes->run + passes->empty == 1)
        passes->tsc_start = passes->result.tsc_start;
}
