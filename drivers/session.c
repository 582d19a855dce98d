/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/session.h"

#include <stddef.h>

#include "drivers/apic.h"
#include "drivers/core_state.h"
#include "drivers/cpu.h"
#include "drivers/lvt.h"
#include "drivers/session_workspace.h"
#include "drivers/silicon.h"
#include "drivers/ticks.h"
#include "drivers/trace.h"
#include "drivers/zen_ibs.h"

/* One run on its way; on the firmware's stack. */
struct run {
    const struct session_plan *plan;
    struct session_result *result;
    struct workspace *workspace;
    enum session_phase phase;
};

size_t session_workspace_size(void)
{
    return sizeof(struct workspace);
}

/* Returns whether there will be records. */
static bool takes_samples(const struct session_program *program)
{
    return ibs_samples(&program->ibs) || program->timer.period || pmc_takes_samples(&program->pmc);
}

enum session_error session_check(const struct session_plan *plan)
{
    enum session_error error = ibs_resolve(&plan->program.ibs, plan->place.machine, NULL);
    if (!error)
        error = pmc_check(&plan->program.pmc, plan->place.machine);
    if (!error)
        error = timer_check(&plan->program.timer, pmc_turns(&plan->program.pmc), plan->place.machine);
    if (!error)
        error = power_check(&plan->place.power, plan->place.machine);
    if (!error && !session_workspace_ok(plan->place.workspace))
        error = SESSION_NO_WORKSPACE;
    if (!error && takes_samples(&plan->program) && (!plan->place.records || !plan->place.capacity))
        error = SESSION_NO_RING;
    if (!error)
        error = paging_check(&plan->place.paging, plan->place.machine->page_1g);
    if (!error && plan->place.paging.size <= SESSION_STACK_BYTES)
        error = SESSION_ARENA_SIZE;
    return error;
}

/* Keeps the first error; later ones are its consequences. */
static bool failed(struct run *run, enum session_error error, uint64_t detail)
{
    if (error && !run->result->error) {
        run->result->error = error;
        run->result->error_detail = detail;
    }
    return error != SESSION_OK;
}

/* Notes whether exceptions have left guarded calls since there were so many. */
static bool faulted(struct run *run, uint32_t before)
{
    if (run->workspace->faults.faults == before)
        return false;
    failed(run, SESSION_FAULT, 0);
    if (!before) {
        run->result->faulted = true;
        run->result->fault_phase = run->phase;
    }
    return true;
}

/* Calls part of a run so that an exception in it ends only that part. True when there was none. */
static bool guarded(struct run *run, uint64_t stack_top, void (*function)(void *, uint64_t), void *argument,
                    uint64_t value)
{
    struct fault_context *faults = &run->workspace->faults;
    uint32_t before = faults->faults;
    if (!fault_guard(faults, stack_top, function, argument, value))
        return true;
    if (!faulted(run, before)) { /* left by the time limit's NMI */
        run->result->limit_rip = run->workspace->sampling.nmi.limit_rip;
        failed(run, SESSION_LIMIT, 0);
    }
    return false;
}

static uint64_t stack_top(const struct run *run)
{
    const struct session_place *place = &run->plan->place;
    return run->result->arena + (place->stack_top ? place->stack_top : place->paging.size);
}

/* Calls the workload on its own stack, the top of the arena. */
static bool call(struct run *run, enum session_phase phase, session_body *body, void *argument)
{
    run->phase = phase;
    return !body || guarded(run, stack_top(run), body, argument, run->result->arena);
}

/* Counts as near to the body as possible: the code in between is counted with it. */
static void counted_body(void *argument, uint64_t arena)
{
    const struct run *run = argument;
    struct pmc_engine *pmc = &run->workspace->sampling.pmc;
    pmc_resume(pmc);
    run->plan->calls.body(run->plan->calls.argument, arena);
    pmc_pause(pmc, cpu_rdtsc());
}

/* Counts with the registers of later families. A separate function: a test of the family after the body would count. */
static void counted_body_later(void *argument, uint64_t arena)
{
    const struct run *run = argument;
    struct pmc_engine *pmc = &run->workspace->sampling.pmc;
    pmc_resume_later(pmc);
    run->plan->calls.body(run->plan->calls.argument, arena);
    pmc_pause_later(pmc, cpu_rdtsc());
}

static session_body *counted(const struct run *run)
{
    return pmc_is_later(&run->workspace->sampling.pmc.regs) ? counted_body_later : counted_body;
}

/* The innermost guarded call is this one's: from here to its end the NMI handler may leave it. */
static void limited_body(void *argument, uint64_t arena)
{
    const struct run *run = argument;
    struct nmi_context *nmi = &run->workspace->sampling.nmi;
    nmi->faults = &run->workspace->faults;
    nmi->escape = nmi->faults->recovery;
    if (run->plan->program.pmc.mode == PMC_COUNTING)
        counted(run)(argument, arena);
    else
        run->plan->calls.body(run->plan->calls.argument, arena);
    nmi->escape = NULL;
}

/* Executes the workload step by step, from this stack: its own has nothing but what it puts there. True when it has
 * returned. */
static bool call_stepped(struct run *run, struct single_step *step)
{
    struct fault_context *faults = &run->workspace->faults;
    uint32_t before = faults->faults;
    if (restore_save(&run->result->restore, RESTORE_DR6, 0, 0, ~0ull, "DR6", NULL)) {
        failed(run, SESSION_RESTORE, 0);
        return false;
    }
    run->phase = SESSION_BODY;
    step->stack_top = stack_top(run);
    faults->step = step;
    (void)fault_guard(faults, 0, single_step_enter, step, run->result->arena);
    faults->step = NULL;
    cpu_fpu_save(&step->fpu);
    return !faulted(run, before) && step->state != SINGLE_STEP_STOPPED;
}

static bool call_body(struct run *run)
{
    const struct session_plan *plan = run->plan;
    if (plan->program.step)
        return call_stepped(run, plan->program.step);
    if (plan->calls.body && plan->program.timer.limit_ms)
        return call(run, SESSION_BODY, limited_body, run);
    if (plan->calls.body && plan->program.pmc.mode == PMC_COUNTING)
        return call(run, SESSION_BODY, counted(run), run);
    return call(run, SESSION_BODY, plan->calls.body, plan->calls.argument);
}

static bool load_page_tables(struct run *run)
{
    struct session_result *result = run->result;
    uint64_t old, cr3;
    (void)restore_save(&result->restore, RESTORE_CR3, 0, 0, ~0ull, "CR3", &old);
    if (failed(run, paging_build(&run->plan->place.paging, old, run->plan->place.machine->nxe, &cr3, &result->arena),
               0))
        return false;
    paging_load(cr3);
    if (run->plan->place.paging.own.pages && !core_state_protect(&result->restore))
        return !failed(run, SESSION_RESTORE, 0);
    run->workspace->sampling.nmi.stacks.high = stack_top(run);
    run->workspace->sampling.nmi.stacks.low = stack_top(run) - SESSION_STACK_BYTES;
    return true;
}

static void stop_sampling(void *argument, uint64_t unused)
{
    struct run *run = argument;
    uint64_t detail = 0;
    enum session_error error =
        sampling_stop(&run->workspace->sampling, run->plan->place.machine->errata & IBS_E_420, &detail);
    failed(run, error, detail);
}

static bool start_sampling(struct run *run)
{
    struct session_result *result = run->result;
    uint64_t detail = 0;
    enum session_error error =
        sampling_start(&run->workspace->sampling, run->plan->place.machine->apic_msr, &result->restore, &detail);
    return !failed(run, error, detail);
}

static bool prepare_sampling(struct run *run)
{
    struct session_result *result = run->result;
    uint64_t detail = 0;
    enum session_error error = sampling_prepare(&run->workspace->sampling, run->plan->place.machine, &result->restore,
                                                &result->timer, &detail);
    return !failed(run, error, detail);
}

static bool set_processor(struct run *run)
{
    const struct machine *machine = run->plan->place.machine;
    struct restore_log *log = &run->result->restore;
    uint64_t detail = 0;
    enum session_error error = power_set_up(&run->plan->place.power, machine, log, &detail);
    if (!error && machine->ibs_switched)
        error = zen_ibs_switch_on(machine, ibs_samples(&run->plan->program.ibs), log, &detail);
    if (!error && run->plan->place.usb_off)
        error = usb_legacy_off(log, &run->result->usb, &detail);
    return !failed(run, error, detail);
}

static void tell(const struct run *run, enum trace_step step)
{
    trace_on(run->plan->place.cpu, step);
}

/* Skips the trace when cores begin together: a trace would delay them differently. */
static void tell_alone(const struct run *run, enum trace_step step)
{
    if (!run->plan->place.gang)
        tell(run, step);
}

/* True when the others have come so far too. */
static bool together(struct run *run, enum gang_step step)
{
    return !failed(run, gang_reach(run->plan->place.gang, run->plan->place.member, step) ? SESSION_OK : SESSION_GANG,
                   0);
}

static bool route_interrupt(struct run *run)
{
    const struct session_plan *plan = run->plan;
    struct session_result *result = run->result;
    struct sampling *sampling = &run->workspace->sampling;
    uint64_t *ours = &sampling->nmi.entry[NMI_ENTRY_IBS];
    bool leads = !plan->place.gang || !plan->place.member;
    uint64_t detail = 0;
    enum session_error error = SESSION_OK;
    if (leads && (ibs_samples(&plan->program.ibs) || (plan->place.gang && plan->place.gang->ibs)))
        error = lvt_set_up(plan->place.machine, &result->restore, ours, &result->lvt_offset, &detail);
    error = sampling_quiet(sampling, error, &detail);
    if (failed(run, error, detail))
        return false;
    if (plan->place.gang && leads)
        plan->place.gang->entry = result->lvt_offset;
    if (!together(run, GANG_NODES))
        return false;
    if (!leads && ibs_samples(&plan->program.ibs)) {
        result->lvt_offset = plan->place.gang->entry;
        tell(run, TRACE_ENTRY);
        error = lvt_join(plan->place.machine, &result->restore, ours, result->lvt_offset, &detail);
    }
    return !failed(run, sampling_quiet(sampling, error, &detail), detail);
}

/* Set-up and measurement; whatever it leaves undone when it returns early is undone by session_run(). */
static void measure(void *argument, uint64_t unused)
{
    struct run *run = argument;
    const struct session_plan *plan = run->plan;
    struct session_result *result = run->result;
    tell(run, TRACE_CORE_STATE);
    if (plan->place.silicon && !plan->place.silicon->read)
        silicon_read_core(plan->place.silicon, plan->place.machine);
    run->workspace->fpu_saved =
        core_state_take(&result->state, &run->workspace->fpu, plan->place.machine->apic_msr, &result->restore);
    if (!run->workspace->fpu_saved) {
        failed(run, SESSION_RESTORE, 0);
        return;
    }
    result->apic_id = machine_apic_id();
    result->node = nodes_own(plan->place.machine, result->apic_id);
    if (!set_processor(run))
        return;
    tell(run, TRACE_PAGING);
    if (!load_page_tables(run) || !route_interrupt(run))
        return;
    tell(run, TRACE_TICKS);
    if (!prepare_sampling(run))
        return;
    tell(run, TRACE_FILL);
    if (!call(run, SESSION_PREPARE, plan->calls.prepare, plan->calls.argument))
        return;
    run->phase = SESSION_SET_UP;
    tell(run, TRACE_TOGETHER);
    if (!together(run, GANG_READY))
        return;
    tell_alone(run, TRACE_DETOURS);
    if (!call(run, SESSION_PREPARE, plan->calls.begin, plan->calls.argument))
        return;
    run->phase = SESSION_SET_UP;
    tell_alone(run, TRACE_COUNTERS);
    if (!start_sampling(run))
        return;
    result->tsc_start = cpu_rdtsc();
    bool returned = call_body(run);
    result->tsc_stop = cpu_rdtsc();
    if (plan->calls.body && returned)
        gang_worked(plan->place.gang, result->tsc_stop - result->tsc_start);
    run->phase = SESSION_RESTORING;
    stop_sampling(run, 0);
    tell(run, TRACE_FINISH);
    if (returned)
        (void)call(run, SESSION_FINISH, plan->calls.end, plan->calls.argument);
    if (together(run, GANG_DONE) && returned)
        (void)call(run, SESSION_FINISH, plan->calls.finish, plan->calls.argument);
}

static void undo(void *log, uint64_t unused)
{
    restore_undo(log);
}

static void load_fpu(void *fpu, uint64_t unused)
{
    cpu_fpu_restore(fpu);
}

static void give_back(struct run *run)
{
    struct restore_log *log = &run->result->restore;
    run->phase = SESSION_RESTORING;
    (void)guarded(run, 0, stop_sampling, run, 0);
    gang_leave(run->plan->place.gang, run->plan->place.member);
    tell(run, TRACE_UNDO);
    if (run->workspace->fpu_saved) /* before the log: CR0 and CR4 may be in it */
        (void)guarded(run, 0, load_fpu, &run->workspace->fpu, 0);
    /* Each exception costs one row, so this ends. */
    while (!restore_done(log))
        (void)guarded(run, 0, undo, log, 0);
}

static void collect(struct run *run)
{
    struct session_result *result = run->result;
    const struct workspace *workspace = run->workspace;
    result->samples = workspace->sampling.nmi.ring.count;
    result->counts = workspace->sampling.nmi.counts;
    pmc_collect(&workspace->sampling.pmc, &result->pmc);
    result->spurious_interrupts = workspace->faults.spurious_interrupts;
    if (result->faulted)
        result->fault = workspace->faults.fault;
    if (workspace->sampling.nmi.cut)
        failed(run, SESSION_STORM, 0);
    if (workspace->sampling.ended)
        failed(run, SESSION_TICKS_ENDED, 0);
    if (restore_failures(&result->restore))
        failed(run, SESSION_RESTORE, 0);
}

struct session_live session_live(const void *memory)
{
    const struct workspace *workspace = memory;
    return (struct session_live){.nmis = &workspace->sampling.nmi.counts.nmi,
                                 .interrupts = &workspace->faults.spurious_interrupts,
                                 .counters = workspace->sampling.timer.lvtpc ? 1u << TICKS_COUNTER : 0};
}

struct nmi_context *session_nmi(void *memory)
{
    struct workspace *workspace = memory;
    return &workspace->sampling.nmi;
}

static void clear_records(struct sample_record *records, uint32_t capacity)
{
    for (uint32_t i = 0; i < capacity; i++)
        records[i] = (struct sample_record){0};
}

void session_run(const struct session_plan *plan, struct session_result *result)
{
    *result = (struct session_result){0};
    restore_init(&result->restore);
    result->error = session_check(plan);
    if (result->error) {
        gang_leave(plan->place.gang, plan->place.member);
        return;
    }
    (void)ibs_resolve(&plan->program.ibs, plan->place.machine, &result->settings);

    struct workspace *workspace = plan->place.workspace;
    struct run run = {.plan = plan, .result = result, .workspace = workspace, .phase = SESSION_SET_UP};
    workspace->faults = (struct fault_context){0};
    (void)apic_find(plan->place.machine->apic_msr, &workspace->faults.apic_base);
    if (takes_samples(&plan->program))
        clear_records(plan->place.records, plan->place.capacity);
    sampling_init(&workspace->sampling, plan, &result->settings);
    workspace->sampling.nmi.later.used |= apic_is_msr(workspace->faults.apic_base);

    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;
    cpu_cli();
    tell(&run, TRACE_TABLES);
    if (!failed(&run, tables_install(&workspace->tables, &workspace->faults, &workspace->sampling.nmi), 0)) {
        workspace->fpu_saved = false;
        (void)guarded(&run, 0, measure, &run, 0);
        give_back(&run);
        tell(&run, TRACE_TABLES_BACK);
        tables_remove(&workspace->tables, &result->restore);
    } else {
        gang_leave(plan->place.gang, plan->place.member);
    }
    if (flag)
        cpu_sti();
    collect(&run);
}
