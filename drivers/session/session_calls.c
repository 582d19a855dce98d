/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/session/session_calls.h"

#include <stddef.h>

#include "drivers/cpu/cpu.h"
#include "drivers/cpu/kept_state.h"

bool session_failed(struct run *run, enum session_error error, uint64_t detail)
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
    session_failed(run, SESSION_FAULT, 0);
    if (!before) {
        run->result->faulted = true;
        run->result->fault_phase = run->phase;
    }
    return true;
}

bool session_guarded(struct run *run, uint64_t stack_top, void (*function)(void *, uint64_t), void *argument,
                     uint64_t value)
{
    struct fault_context *faults = &run->workspace->faults;
    uint32_t before = faults->faults;
    if (!fault_guard(faults, stack_top, function, argument, value))
        return true;
    if (!faulted(run, before)) { /* left by the time limit's NMI */
        run->result->limit_rip = run->workspace->sampling.nmi.limit_rip;
        session_failed(run, SESSION_LIMIT, 0);
    }
    return false;
}

uint64_t session_stack_top(const struct run *run)
{
    const struct session_place *place = &run->plan->place;
    return run->result->arena + (place->stack_top ? place->stack_top : place->paging.size);
}

/* Reads processor state that own code might change; other code is not checked. */
static bool keep(struct run *run, struct kept_state *before)
{
    if (!run->plan->place.paging.own.pages || kept_state_read(before))
        return true;
    session_failed(run, SESSION_MSR_FAULT, KEPT_MSR_EFER);
    return false;
}

/* Puts back what own code changed; returns true if that was nothing. */
static bool is_kept(struct run *run, const struct kept_state *before)
{
    enum kept_register changed = run->plan->place.paging.own.pages ? kept_state_put_back(before) : KEPT_ALL;

    if (!changed)
        return true;
    if (!run->result->error)
        run->result->fault_phase = run->phase;
    if (changed == KEPT_UNREADABLE)
        session_failed(run, SESSION_MSR_FAULT, KEPT_MSR_EFER);
    else
        session_failed(run, SESSION_STATE, changed);
    return false;
}

bool session_call(struct run *run, enum session_phase phase, session_body *body, void *argument)
{
    struct kept_state before;
    bool good;

    run->phase = phase;
    if (!body)
        return true;
    if (!keep(run, &before))
        return false;
    good = session_guarded(run, session_stack_top(run), body, argument, run->result->arena);
    return is_kept(run, &before) && good;
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

/* Lets the NMI handler leave the innermost guarded call, this one's, from here to its end. */
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

/* Executes the workload step by step, from this stack, as its own has nothing but the workload's data. Returns true
 * when it has returned. */
static bool call_stepped(struct run *run, struct single_step *step)
{
    struct fault_context *faults = &run->workspace->faults;
    struct kept_state kept;
    uint32_t before = faults->faults;
    bool good;
    if (!keep(run, &kept))
        return false;
    if (restore_save(&run->result->restore, RESTORE_DR6, 0, 0, ~0ull, "DR6", NULL)) {
        session_failed(run, SESSION_RESTORE, 0);
        return false;
    }
    run->phase = SESSION_BODY;
    step->stack_top = session_stack_top(run);
    faults->step = step;
    (void)fault_guard(faults, 0, single_step_enter, step, run->result->arena);
    faults->step = NULL;
    cpu_fpu_save(&step->fpu);
    good = !faulted(run, before) && step->state != SINGLE_STEP_STOPPED;
    return is_kept(run, &kept) && good;
}

bool session_call_body(struct run *run)
{
    const struct session_plan *plan = run->plan;
    if (plan->program.step)
        return call_stepped(run, plan->program.step);
    if (plan->calls.body && plan->program.timer.limit_ms)
        return session_call(run, SESSION_BODY, limited_body, run);
    if (plan->calls.body && plan->program.pmc.mode == PMC_COUNTING)
        return session_call(run, SESSION_BODY, counted(run), run);
    return session_call(run, SESSION_BODY, plan->calls.body, plan->calls.argument);
}
