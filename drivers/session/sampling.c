/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/session/sampling.h"

#include <stddef.h>

#include "drivers/cpu/apic.h"
#include "drivers/pmu/branches.h"
#include "drivers/cpu/cpu.h"
#include "drivers/session/session.h"
#include "drivers/pmu/ticks.h"
#include "drivers/trace/trace.h"

/* Linux arch/x86/events/amd/core.c, amd_pmu_init: perf_nmi_window. */
enum { LATE_OVERFLOW_MS = 100 };

void sampling_init(struct sampling *s, const struct session_plan *plan, const struct ibs_settings *settings)
{
    uint64_t turns = pmc_turns(&plan->program.pmc);
    ibs_init(&s->nmi, settings, plan->program.ibs.seed, plan->place.cpu, plan->place.records, plan->place.capacity);
    timer_init(&s->timer, &plan->program.timer, turns, plan->place.machine);
    pmc_init(&s->pmc, &plan->program.pmc, timer_ticks(&plan->program.timer, turns, plan->place.machine->tsc_khz));
    pmc_use(&s->pmc, &plan->place.machine->pmc);
    s->nmi.later.used |= pmc_is_later(&plan->place.machine->pmc);
    s->nmi.later.window = plan->place.machine->tsc_khz * LATE_OVERFLOW_MS;
    s->nmi.stacks = (struct nmi_stacks){.stack = plan->place.stacks, .depth = plan->place.stack_depth};
    s->nmi.branches = (struct nmi_branches){.sample = plan->place.branches,
                                            .entries = branches_entries(plan->place.machine),
                                            .sampling = plan->place.machine->branch_sampling};
    if (s->nmi.branches.sample && s->nmi.branches.sampling)
        pmc_wait_for(&s->pmc, s->nmi.branches.entries);
    s->nmi.pmc = plan->program.pmc.mode == PMC_SAMPLING ? &s->pmc : NULL;
    s->nmi.timer = s->timer.used ? &s->timer : NULL;
    s->touched = s->begun = s->ended = false;
    s->alone = !plan->place.gang;
}

/* Returns whether the handler has something to do. */
static bool interrupts(const struct sampling *s)
{
    return s->nmi.fetch_ctl || s->nmi.op_ctl || s->nmi.pmc || s->nmi.timer || s->timer.alarm;
}

/* Names a storm in place of later errors: a request stood before its entry was opened, NMIs came until the handler
 * masked all that was open, and other errors are a consequence. */
enum session_error sampling_quiet(const struct sampling *s, enum session_error error, uint64_t *detail)
{
    if (!__atomic_load_n(&s->nmi.counts.storm, __ATOMIC_RELAXED))
        return error;
    *detail = 0;
    return SESSION_STORM_BEFORE;
}

enum session_error sampling_prepare(struct sampling *s, const struct machine *machine, struct restore_log *log,
                                    struct timer_settings *timer, uint64_t *detail)
{
    s->touched = true;
    s->nmi.reasons = nmi_reasons(); /* old reasons do not explain a new NMI */
    enum session_error error = ticks_set_up(&s->timer, &s->nmi, machine, s->pmc.counters, log, timer, detail);
    return sampling_quiet(s, error, detail);
}

/* Sets up the counters before the handler is told, and switches them on after. */
static enum session_error set_up(struct sampling *s, uint64_t apic_msr, struct restore_log *log, uint64_t *detail)
{
    uint64_t apic = 0;
    s->pmc.others = s->timer.used && s->timer.by == TIMER_BY_COUNTER ? 1ull << TICKS_COUNTER : 0;
    enum session_error error = s->pmc.interrupts ? apic_find(apic_msr, &apic) : SESSION_OK;
    if (!error && s->pmc.counters)
        error = pmc_set_up(&s->pmc, apic, log, &s->nmi.entry[NMI_ENTRY_COUNTERS], detail);
    return sampling_quiet(s, error, detail);
}

static void resume(struct pmc_engine *pmc)
{
    if (pmc_is_later(&pmc->regs))
        pmc_resume_later(pmc);
    else
        pmc_resume(pmc);
}

enum session_error sampling_start(struct sampling *s, uint64_t apic_msr, struct restore_log *log, uint64_t *detail)
{
    *detail = 0;
    s->touched = s->begun = true;
    enum session_error error = set_up(s, apic_msr, log, detail);
    if (!error && s->alone)
        trace_on(s->nmi.cpu, TRACE_BODY); /* the last before something is armed */
    if (!error && interrupts(s))
        error = branches_start(&s->nmi.branches, log, detail);
    if (!error && interrupts(s))
        error = ibs_start(&s->nmi, log, detail);
    if (error)
        return error;
    if (s->nmi.pmc)
        resume(&s->pmc);
    s->nmi.deadline = timer_limit(&s->timer) ? cpu_rdtsc() + timer_limit(&s->timer) : 0;
    ticks_start(&s->timer);
    return SESSION_OK;
}

/* Returns the wait of FreeBSD's hwpmc_ibs. How many clocks a PAUSE takes depends on the processor. */
static uint64_t late_ticks(const struct sampling *s)
{
    enum { LATE_US = 50, FASTEST_MHZ = 4000 };
    return LATE_US * (s->timer.tsc_khz ? s->timer.tsc_khz : FASTEST_MHZ * 1000) / 1000;
}

/* Returns whether a tick is missing: a source that made ticks when it was tested may stop later. The NMI of an interval
 * that has just ended comes by then; another source's in its place leaves the question open. 'before': the NMIs before
 * the handler began no more intervals, as one that came since is the last interval's. */
static bool tick_is_missing(const struct sampling *s, uint64_t before)
{
    const volatile uint64_t *nmis = &s->nmi.counts.nmi;
    uint64_t from = cpu_rdtsc();
    if (!s->begun || !s->timer.used || !ticks_due(&s->timer))
        return false;
    while (*nmis == before && cpu_rdtsc() - from < late_ticks(s))
        cpu_pause();
    return *nmis == before;
}

enum session_error sampling_stop(struct sampling *s, bool e420, uint64_t *detail)
{
    uint64_t later = 0;
    uint64_t nmis = *(const volatile uint64_t *)&s->nmi.counts.nmi;
    if (!s->touched)
        return SESSION_OK;
    s->touched = false;
    s->nmi.state = NMI_STOPPING; /* first of all: the handler must not switch anything on again */
    enum session_error first = branches_stop(&s->nmi.branches, detail);
    enum session_error error = pmc_stop(&s->pmc, first ? &later : detail);
    error = first ? first : error;
    s->ended = tick_is_missing(s, nmis);
    ticks_stop(&s->timer);
    if (!error && (s->pmc.counters || s->timer.lvtpc))
        error = pmc_clear_overflows(&s->pmc.regs, detail);
    /* Waits for a late NMI, whoever sends it. */
    enum session_error last = s->begun && interrupts(s) ? ibs_stop(&s->nmi, e420, late_ticks(s), &later) : SESSION_OK;
    if (error || !last)
        return error;
    *detail = later;
    return last;
}
