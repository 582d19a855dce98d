/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/session/session.h"

#include <stddef.h>

#include "drivers/cpu/apic.h"
#include "drivers/cores/core_state.h"
#include "drivers/cpu/cpu.h"
#include "drivers/pmu/branches.h"
#include "drivers/pmu/lvt.h"
#include "drivers/session/session_calls.h"
#include "drivers/machine/silicon.h"
#include "drivers/pmu/ticks.h"
#include "drivers/trace/trace.h"
#include "drivers/machine/zen_ibs.h"

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
    if (!error && plan->place.branches && takes_samples(&plan->program))
        error = branches_check(plan->place.machine, &plan->program.pmc, ibs_samples(&plan->program.ibs));
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

static bool load_page_tables(struct run *run)
{
    struct session_result *result = run->result;
    uint64_t old, cr3;
    (void)restore_save(&result->restore, RESTORE_CR3, 0, 0, ~0ull, "CR3", &old);
    if (session_failed(
            run, paging_build(&run->plan->place.paging, old, run->plan->place.machine->nxe, &cr3, &result->arena), 0))
        return false;
    paging_load(cr3);
    if (run->plan->place.paging.own.pages && !core_state_protect(&result->restore))
        return !session_failed(run, SESSION_RESTORE, 0);
    run->workspace->sampling.nmi.stacks.high = session_stack_top(run);
    run->workspace->sampling.nmi.stacks.low = session_stack_top(run) - SESSION_STACK_BYTES;
    return true;
}

static void stop_sampling(void *argument, uint64_t unused)
{
    struct run *run = argument;
    uint64_t detail = 0;
    enum session_error error =
        sampling_stop(&run->workspace->sampling, run->plan->place.machine->errata & IBS_E_420, &detail);
    session_failed(run, error, detail);
}

static bool start_sampling(struct run *run)
{
    struct session_result *result = run->result;
    uint64_t detail = 0;
    enum session_error error =
        sampling_start(&run->workspace->sampling, run->plan->place.machine->apic_msr, &result->restore, &detail);
    return !session_failed(run, error, detail);
}

static bool prepare_sampling(struct run *run)
{
    struct session_result *result = run->result;
    uint64_t detail = 0;
    enum session_error error = sampling_prepare(&run->workspace->sampling, run->plan->place.machine, &result->restore,
                                                &result->timer, &detail);
    return !session_failed(run, error, detail);
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
    return !session_failed(run, error, detail);
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

/* Returns true when the others have come so far too. */
static bool together(struct run *run, enum gang_step step)
{
    return !session_failed(
        run, gang_reach(run->plan->place.gang, run->plan->place.member, step) ? SESSION_OK : SESSION_GANG, 0);
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
    if (session_failed(run, error, detail))
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
    return !session_failed(run, sampling_quiet(sampling, error, &detail), detail);
}

/* Sets up and measures; after an early return session_run() undoes the rest. */
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
        session_failed(run, SESSION_RESTORE, 0);
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
    if (!session_call(run, SESSION_PREPARE, plan->calls.prepare, plan->calls.argument))
        return;
    run->phase = SESSION_SET_UP;
    tell(run, TRACE_TOGETHER);
    if (!together(run, GANG_READY))
        return;
    tell_alone(run, TRACE_DETOURS);
    if (!session_call(run, SESSION_PREPARE, plan->calls.begin, plan->calls.argument))
        return;
    run->phase = SESSION_SET_UP;
    tell_alone(run, TRACE_COUNTERS);
    if (!start_sampling(run))
        return;
    result->tsc_start = cpu_rdtsc();
    bool returned = session_call_body(run);
    result->tsc_stop = cpu_rdtsc();
    if (plan->calls.body && returned)
        gang_worked(plan->place.gang, result->tsc_stop - result->tsc_start);
    run->phase = SESSION_RESTORING;
    stop_sampling(run, 0);
    tell(run, TRACE_FINISH);
    if (returned)
        (void)session_call(run, SESSION_FINISH, plan->calls.end, plan->calls.argument);
    if (together(run, GANG_DONE) && returned)
        (void)session_call(run, SESSION_FINISH, plan->calls.finish, plan->calls.argument);
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
    (void)session_guarded(run, 0, stop_sampling, run, 0);
    gang_leave(run->plan->place.gang, run->plan->place.member);
    tell(run, TRACE_UNDO);
    if (run->workspace->fpu_saved) /* before the log: CR0 and CR4 may be in it */
        (void)session_guarded(run, 0, load_fpu, &run->workspace->fpu, 0);
    /* Each exception costs one row, so this ends. */
    while (!restore_done(log))
        (void)session_guarded(run, 0, undo, log, 0);
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
        session_failed(run, SESSION_STORM, 0);
    if (workspace->sampling.ended)
        session_failed(run, SESSION_TICKS_ENDED, 0);
    if (restore_failures(&result->restore))
        session_failed(run, SESSION_RESTORE, 0);
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
    if (!session_failed(&run, tables_install(&workspace->tables, &workspace->faults, &workspace->sampling.nmi), 0)) {
        workspace->fpu_saved = false;
        (void)session_guarded(&run, 0, measure, &run, 0);
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
