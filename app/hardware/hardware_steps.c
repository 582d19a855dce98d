/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/hardware/hardware.h"

#include "core/base/str.h"
#include "core/family/ibs_regs.h"
#include "drivers/cpu/apic.h"
#include "drivers/machine/vpmu_query.h"

enum {
    ARENA_ALIGNMENT = 2 << 20, /* drivers/cpu/paging.h */
    LIMIT_MS = 2000,           /* for each session on silicon, which takes milliseconds */
    SEED = 1,
    BEYOND_KB = 64 << 10,
};

const struct hardware_step_row hardware_step_rows[STEPS] = {
#define STEP(id, ...) {.name = #id, __VA_ARGS__},
#include "app/hardware/hardware_steps.h"
#undef STEP
};

/* ---------------------------------------------------------------- memory */

static uint32_t value_of(const struct hardware *hardware, const struct hardware_step_row *row,
                         const struct hardware_param *param)
{
    uint32_t value = hardware->model ? param->model : param->silicon, twice = 2 * hardware->run->machine->l3_kb;

    if (!row->beyond_l3 || !str_equal(param->name, "kb") || twice < value)
        return value;
    return twice < BEYOND_KB ? twice : BEYOND_KB;
}

static void find_params(const struct hardware *hardware, const struct hardware_step_row *row,
                        struct hardware_step *step)
{
    step->workload = params_find_workload(row->workload);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && step->workload->params[i].name; i++) {
        step->params[i] = step->workload->params[i].fallback;
        for (unsigned p = 0; p < STEP_PARAMS && row->param[p].name; p++)
            if (str_equal(row->param[p].name, step->workload->params[i].name))
                step->params[i] = value_of(hardware, row, &row->param[p]);
    }
    step->params[WORKLOAD_CORES] = 1;
}

static bool samples(const struct hardware_step_row *row)
{
    return row->op_period || row->fetch_period || row->event[0].period;
}

bool hardware_steps_prepare(struct hardware *hardware, struct out *problems)
{
    struct run *run = hardware->run;
    const struct session_place *base = &run->passes.core[0].plan.place;
    size_t size = POOL_PAGE, code = run->image->text_size, sampled = 0;
    struct sample_record *records;
    void *arena;

    for (unsigned i = 0; i < STEPS; i++) {
        struct hardware_step *step = &hardware->step[i];
        size_t own;

        find_params(hardware, &hardware_step_rows[i], step);
        own = step->workload->arena_size(step->params);
        size = own > size ? own : size;
        sampled += samples(&hardware_step_rows[i]);
    }
    size = (size + POOL_PAGE - 1) / POOL_PAGE * POOL_PAGE + SESSION_STACK_BYTES;
    hardware->tables_size = paging_memory_needed(size, PAGING_4K) + paging_code_memory_needed(code);
    arena = pool_take(&run->pool, size, ARENA_ALIGNMENT, "the workloads", problems);
    records = arena ? pool_take(&run->pool, (sampled + 1) * STEP_RECORDS * sizeof(*records), POOL_PAGE, "the samples",
                                problems)
                    : NULL;
    hardware->place = *base;
    hardware->place.gang = NULL;
    hardware->place.paging = (struct paging_plan){.physical = (uint64_t)(uintptr_t)arena,
                                                  .size = size,
                                                  .program = hardware->run->image->base,
                                                  .slots = base->paging.slots};
    hardware->place.paging.memory =
        records ? pool_take(&run->pool, hardware->tables_size, POOL_PAGE, "page tables", problems) : NULL;
    hardware->place.paging.memory_size = hardware->tables_size;
    hardware->place.stack_top = 0;
    hardware->place.records = records; /* for sessions that are not steps */
    hardware->place.capacity = STEP_RECORDS;
    for (unsigned i = 0; i < STEPS; i++)
        if (samples(&hardware_step_rows[i]))
            hardware->step[i].records = records + STEP_RECORDS * sampled--;
    return hardware->place.paging.memory;
}

/* ---------------------------------------------------------------- sessions */

static bool run_session(struct hardware *hardware, struct session_plan *plan, char *why)
{
    struct session_result *result = &hardware->result;
    struct out_memory text;

    plan->program.timer.limit_ms =
        plan->program.timer.limit_ms || hardware->model ? plan->program.timer.limit_ms : LIMIT_MS;
    if (hardware->noted != hardware->asking)
        hardware_note(hardware);
    hardware->noted = hardware->asking;
    session_run(plan, result);
    hardware->sessions++;
    hardware->storms += result->counts.storm;
    hardware->run->passes.restore_failed += result->restore.failed;
    hardware->run->passes.spurious_interrupts += result->spurious_interrupts;
    hardware->run->passes.counts.nmi += result->counts.nmi;
    hardware->run->passes.counts.late += result->counts.late;
    hardware->run->passes.counts.empty += result->counts.empty;
    hardware->run->passes.counts.foreign += result->counts.foreign;
    hardware->run->passes.counts.storm += result->counts.storm;
    if (!result->error)
        return true;
    out_memory_init(&text, why, STEP_WHY);
    if (result->faulted && result->error == SESSION_FAULT)
        out_printf(&text.out, "exception %s at %lx", fault_vector_name(result->fault.vector), result->fault.rip);
    else
        out_printf(&text.out, "%s (%lx)", session_error_text(result->error), result->error_detail);
    return false;
}

bool hardware_session(struct hardware *hardware, const struct session_program *program, session_body *body,
                      void *argument)
{
    struct session_plan plan = {
        .place = hardware->place, .program = *program, .calls = {.body = body, .argument = argument}};
    char why[STEP_WHY];

    if (run_session(hardware, &plan, why))
        return true;
    hardware_cannot(hardware, "%s", why);
    return false;
}

struct trial hardware_trial(struct hardware *hardware)
{
    struct trial trial = {.machine = hardware->run->machine,
                          .log = &hardware->result.restore,
                          .nmi = session_nmi(hardware->place.workspace)};

    (void)apic_find(trial.machine->apic_msr, &trial.apic);
    return trial;
}

/* ---------------------------------------------------------------- steps */

struct running {
    struct hardware *hardware;
    struct hardware_step *step;
    bool correct;
};

static void prepare_body(void *argument, uint64_t arena)
{
    const struct running *running = argument;
    const struct hardware_step *step = running->step;

    step->workload->prepare((void *)(uintptr_t)arena, step->params);
    passes_tell_filled(step->workload, step->params, running->hardware->run->machine, arena);
}

static void body(void *argument, uint64_t arena)
{
    const struct running *running = argument;

    running->step->workload->run((void *)(uintptr_t)arena, running->step->params);
}

__attribute__((naked)) static void nothing(void *argument, uint64_t arena)
{
    __asm__("ret");
}

static void finish(void *argument, uint64_t arena)
{
    struct running *running = argument;
    struct workload_check check;

    (void)trial_read(MSR_IBS_FETCH_LINAD, &running->step->fetch_address);
    running->correct = running->step->workload->check((void *)(uintptr_t)arena, running->step->params, &check);
}

static uint32_t period_of(const struct hardware *hardware, uint32_t period)
{
    return hardware->model ? period : period * HARDWARE_SILICON_PERIODS;
}

static void fill_counters(const struct hardware *hardware, const struct hardware_step_row *row, struct pmc_plan *plan)
{
    for (unsigned i = 0; i < PMC_LEGACY && row->event[i].select; i++) {
        const struct hardware_event here = hardware_event_here(hardware, &row->event[i]), *event = &here;

        plan->mode = row->event[0].period ? PMC_SAMPLING : PMC_COUNTING;
        plan->groups = 1;
        plan->event[i] = (struct pmc_event){.select = event->select,
                                            .unit_mask = event->mask,
                                            .user = true,
                                            .os = true,
                                            .edge = event->edge,
                                            .invert = event->invert,
                                            .period = period_of(hardware, event->period)};
        plan->group[0].event[i] = (uint8_t)i;
        plan->events = plan->group[0].events = i + 1;
    }
}

static struct session_plan plan_of(struct hardware *hardware, const struct hardware_step_row *row,
                                   struct hardware_step *step)
{
    struct session_plan plan = {.place = hardware->place};

    plan.place.paging.kind = row->pages;
    plan.place.paging.shuffle = row->shuffled;
    plan.place.paging.seed = SEED;
    if (row->code_4k) {
        plan.place.paging.code = hardware->run->image->base + hardware->run->image->text_rva;
        plan.place.paging.code_size = hardware->run->image->text_size;
    }
    if (step->records)
        plan.place.records = step->records;
    fill_counters(hardware, row, &plan.program.pmc);
    step->ibs = (struct ibs_plan){.op = row->op_period,
                                  .fetch = row->fetch_period,
                                  .op_period = period_of(hardware, row->op_period),
                                  .fetch_period = period_of(hardware, row->fetch_period),
                                  .count_ops = !row->cycles && (hardware->run->machine->ibs_caps & IBS_CAP_OPCNT),
                                  .random = row->random,
                                  .l3_miss_only = row->l3_miss_only,
                                  .load_latency = row->load_latency,
                                  .seed = SEED};
    plan.program.ibs = step->ibs;
    if (row->limited)
        plan.program.timer.limit_ms = LIMIT_MS;
    return plan;
}

static void take(struct hardware *hardware, struct hardware_step *step)
{
    const struct session_result *result = &hardware->result;

    for (unsigned c = 0; c < PMC_LEGACY; c++)
        step->count[c] = result->pmc.group[0].counter[c].total;
    step->ticks = result->pmc.group[0].tsc;
    step->elapsed = result->tsc_stop - result->tsc_start;
    step->interrupts = result->spurious_interrupts;
    step->counts = result->counts;
    step->timer = result->timer;
    step->lvt_offset = result->lvt_offset;
    for (uint32_t i = 0; i < result->restore.count; i++) {
        const struct restore_row *row = &result->restore.row[i];

        if (row->kind == RESTORE_PCI && row->address == PCI_IBS_CONTROL)
            step->firmware_entry =
                (row->before & IBS_CTL_LVT_VALID) && (row->before & IBS_CTL_LVT_OFFSET) == step->lvt_offset;
    }
    step->samples = step->records ? (uint32_t)result->samples : 0;
}

static void run_step(struct hardware *hardware, const struct hardware_step_row *row, struct hardware_step *step)
{
    struct running running = {hardware, step, false};
    struct session_plan plan = plan_of(hardware, row, step);

    plan.calls = (struct session_calls){.body = nothing, .argument = &running};
    if (plan.program.pmc.mode == PMC_COUNTING) {
        if (!run_session(hardware, &plan, step->why))
            return;
        for (unsigned c = 0; c < PMC_LEGACY; c++)
            step->empty[c] = hardware->result.pmc.group[0].counter[c].total;
    }
    plan.calls.prepare = prepare_body;
    plan.calls.body = body;
    plan.calls.finish = finish;
    step->good = run_session(hardware, &plan, step->why);
    step->error = hardware->result.error;
    step->vector = hardware->result.faulted ? hardware->result.fault.vector : 0;
    take(hardware, step);
    if (step->good && !running.correct) {
        struct out_memory text;

        out_memory_init(&text, step->why, STEP_WHY);
        out_printf(&text.out, "the result of %s was wrong", step->workload->name);
        step->good = false;
    }
}

/* Returns whether intervals vary by CurCnt, which must be writable: if silicon ignores the writes, loops are sampled at
 * the same few ops, and shares mean nothing. Row 95 is asked first, and its own steps run in any case. */
static bool varies(const struct hardware *hardware, const struct hardware_step_row *row)
{
    return !row->op_period || !row->random || hardware->asking == HARDWARE_curcnt_shortens ||
           hardware->answer[HARDWARE_curcnt_shortens].verdict != HARDWARE_OTHERWISE;
}

const struct hardware_step *hardware_step(struct hardware *hardware, enum hardware_steps which)
{
    struct hardware_step *step = &hardware->step[which];

    if (!varies(hardware, &hardware_step_rows[which])) {
        hardware_cannot(hardware, "the intervals of ops do not vary here: question %u",
                        hardware_rows[HARDWARE_curcnt_shortens].number);
        return NULL;
    }
    if (!step->done)
        run_step(hardware, &hardware_step_rows[which], step);
    step->done = true;
    if (step->good)
        return step;
    hardware_cannot(hardware, "%s: %s", step->workload->name, step->why);
    return NULL;
}

static bool counts(struct hardware *hardware, enum hardware_steps which)
{
    const struct hardware_step_row *row = &hardware_step_rows[which];

    for (unsigned i = 0; i < PMC_LEGACY && row->event[i].select; i++) {
        const struct hardware_event here = hardware_event_here(hardware, &row->event[i]);

        if (!here.select) {
            hardware_cannot(hardware, "not on this family: event %03X:%02X is Family 10h's", row->event[i].select,
                            row->event[i].mask);
            return false;
        }
        if (!vpmu_counts(hardware->run->machine, here.select, here.mask)) {
            hardware_cannot(hardware, "event %03X:%02X is not modelled", here.select, here.mask);
            return false;
        }
    }
    return true;
}

const struct hardware_step *hardware_counted(struct hardware *hardware, enum hardware_steps which)
{
    return counts(hardware, which) ? hardware_step(hardware, which) : NULL;
}
