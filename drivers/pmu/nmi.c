/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The NMI handler. What it costs is what the measurement costs: it reads only registers that hold something, writes
 * only what it read (the ring is zero before the run), and re-arms with one write each.
 *
 * With counters or the timer an NMI does not say whose it is and may be several sources' at once, so all that are on
 * are asked. The counters stand still meanwhile: without an operating system the handler runs at the same privilege as
 * the workload and would be counted with it. For the same reason no counter can overflow unnoticed, and the LVTPC
 * entry, which the APIC masked when it delivered, need be written only once.
 */
#include "drivers/pmu/nmi.h"

#include "drivers/cpu/apic.h"
#include "drivers/trace/fault.h"
#define TENTH 1
#include "drivers/pmu/nmi_take.h"
#include "drivers/cpu/nmi_text.h"

enum { FLAGS_NONE = 2 /* bit 1 always reads 1 */ };
/* Port 61h: why the chipset raised an NMI (Linux arch/x86/include/asm/mach_traps.h). */
enum { NMI_REASON_PORT = 0x61, NMI_REASON_SERR = 0x80, NMI_REASON_IOCHK = 0x40 };

NMI_TEXT __attribute__((noinline, cold)) uint8_t nmi_reasons(void)
{
    return cpu_in8(NMI_REASON_PORT) & (NMI_REASON_SERR | NMI_REASON_IOCHK);
}

/* Returns out of the guarded call, not to the interrupted code, as fault_dispatch() does. Out of line, as what follows
 * it: the common way stays short. */
NMI_TEXT __attribute__((noinline, cold)) bool nmi_limit(struct nmi_context *nmi, uint64_t tsc)
{
    struct cpu_recovery *recovery = nmi->escape;
    struct cpu_nmi_saved *saved = (struct cpu_nmi_saved *)(void *)nmi->frame - 1;
    if (!recovery || nmi->faults->recovery != recovery || tsc < nmi->deadline)
        return false; /* not yet, or an exception has left that call already */
    nmi->faults->recovery = recovery->outer;
    nmi->escape = NULL;
    nmi->limit_rip = nmi->frame->rip;
    nmi->frame->rip = recovery->rip;
    nmi->frame->rsp = recovery->rsp;
    nmi->frame->rflags = FLAGS_NONE;
    saved->rdi = (uint64_t)(uintptr_t)recovery;
    return true;
}

NMI_TEXT __attribute__((noinline, cold)) void nmi_mask(const struct nmi_context *nmi)
{
    for (unsigned i = 0; i < NMI_ENTRIES; i++)
        if (nmi->entry[i])
            apic_write(nmi->entry[i], APIC_LVT_NMI | APIC_LVT_MASKED);
}

/* Ends a storm, which would let nothing but this handler run. */
NMI_TEXT static __attribute__((noinline, cold)) void guard(struct nmi_context *nmi)
{
    nmi->unclaimed = nmi->counts.nmi == nmi->unclaimed_last + 1 ? nmi->unclaimed + 1 : 1;
    nmi->unclaimed_last = nmi->counts.nmi;
    if (nmi->unclaimed < NMI_STORM)
        return;
    nmi_mask(nmi);
    nmi->unclaimed = 0;
    nmi->counts.storm++;
    nmi->cut = nmi->cut || sampling(nmi);
}

/* Counts an NMI without a sample as the chipset's, empty or late. */
NMI_TEXT static __attribute__((noinline, cold)) void no_sample(struct nmi_context *nmi)
{
    if (nmi->escape && nmi_limit(nmi, cpu_rdtsc()))
        return;
    guard(nmi);
    uint8_t reasons = nmi_reasons(), before = nmi->reasons;
    nmi->reasons = reasons;
    if (reasons & ~before)
        nmi->counts.foreign++;
    else if (sampling(nmi))
        nmi->counts.empty++;
    else
        nmi->counts.late++;
}

NMI_TEXT __attribute__((noinline, cold)) void nmi_no_sample(struct nmi_context *nmi)
{
    no_sample(nmi);
}

/* ---------------------------------------------------------------- samples */

/* Takes all samples in state NMI_RUNNING_ALL, or, by_counter, NMI_RUNNING_TICKS. With call stacks: *rbp, else NULL.
 * The APIC is in memory: in x2APIC mode nmi_later.c has the NMIs. */
INLINED void take_all(struct nmi_context *nmi, const bool by_counter, const uint64_t *rbp)
{
    struct pmc_engine *pmc = nmi->pmc;
    struct timer_engine *timer = nmi->timer;
    uint64_t tsc = cpu_rdtsc();
    bool counting = pmc && pmc->running; /* not yet, when the NMI came in the middle of the start */
    if (counting)
        pmc_pause(pmc, tsc);
    if (rbp)
        take_stack(nmi, *rbp);
    bool overflow = counting && take_overflows(nmi, tsc, TENTH);
    bool tick = by_counter ? ticks_counter_expired(timer) : timer && timer_expired(timer);
    if (tick && timer->sampling)
        sample_timer(nmi, tsc);
    struct ibs_valid ibs = take_ibs(nmi, tsc);
    if (!overflow && !tick && !ibs.fetch && !ibs.op)
        no_sample(nmi);

    if (tick && counting && slice_ends(pmc))
        next_group(pmc, TENTH);
    if (tick && by_counter)
        ticks_counter_start(timer, false);
    else if (tick)
        timer_start(timer);
    if (counting) {
        if (pmc->interrupts)
            cpu_mmio_write32(pmc->apic + APIC_LVT_PERF, APIC_LVT_NMI);
        pmc_resume(pmc);
    }
    rearm_ibs(nmi, ibs);
    if (nmi->escape)
        (void)nmi_limit(nmi, tsc);
}

/* Marked as hot: GCC would take it for cold, as its only caller is, and optimise for size. */
NMI_TEXT static __attribute__((noinline, hot)) void sample_all(struct nmi_context *nmi)
{
    take_all(nmi, false, NULL);
}

NMI_TEXT static __attribute__((noinline)) void sample_all_by_counter(struct nmi_context *nmi)
{
    take_all(nmi, true, NULL);
}

NMI_TEXT static __attribute__((noinline, cold)) void storm_of_test(struct nmi_context *nmi)
{
    nmi_mask(nmi);
    nmi->counts.storm++;
}

/* Ends with a jump to the function it calls, as the next ones do, so nothing need be saved. */
NMI_TEXT static __attribute__((noinline, cold)) void not_ibs_alone(struct nmi_context *nmi)
{
    if (is(nmi, NMI_RUNNING_ALL)) {
        sample_all(nmi);
    } else if (is(nmi, NMI_RUNNING_TICKS)) {
        sample_all_by_counter(nmi);
    } else if (is(nmi, NMI_TESTING)) {
        nmi->counts.nmi--;
        if (!--nmi->untested)
            storm_of_test(nmi);
    } else {
        no_sample(nmi);
    }
}

NMI_TEXT void nmi_handler(struct nmi_context *nmi)
{
    nmi->counts.nmi++;
    if (nmi->state != NMI_RUNNING_IBS) {
        not_ibs_alone(nmi);
        return;
    }
    uint64_t fetch = nmi->fetch_ctl ? cpu_rdmsr(MSR_IBS_FETCH_CTL) : 0;
    uint64_t op = nmi->op_ctl ? cpu_rdmsr(MSR_IBS_OP_CTL) : 0;
    bool fetch_valid = fetch & IBS_FETCH_VAL;
    bool op_valid = op & IBS_OP_VAL;
    if (!fetch_valid && !op_valid) {
        no_sample(nmi);
        return;
    }
    uint64_t tsc = cpu_rdtsc();
    if (fetch_valid)
        sample_fetch(nmi, tsc, fetch);
    if (op_valid)
        sample_op(nmi, tsc, op);
    /* Re-arms as rearm_ibs() does, in fewer bytes: op sampling last, as what follows is counted in the next interval.
     */
    if (fetch_valid)
        cpu_wrmsr(MSR_IBS_FETCH_CTL, nmi->fetch_ctl);
    if (op_valid)
        cpu_wrmsr(MSR_IBS_OP_CTL, ibs_next_op_ctl(nmi));
}

NMI_TEXT static __attribute__((noinline)) void sample_all_stacks(struct nmi_context *nmi, uint64_t rbp)
{
    take_all(nmi, false, &rbp);
}

NMI_TEXT static __attribute__((noinline)) void sample_all_by_counter_stacks(struct nmi_context *nmi, uint64_t rbp)
{
    take_all(nmi, true, &rbp);
}

NMI_TEXT void nmi_handler_stacks(struct nmi_context *nmi, uint64_t rbp)
{
    if (nmi->state == NMI_RUNNING_ALL) {
        nmi->counts.nmi++;
        sample_all_stacks(nmi, rbp);
    } else if (nmi->state == NMI_RUNNING_TICKS) {
        nmi->counts.nmi++;
        sample_all_by_counter_stacks(nmi, rbp);
    } else {
        if (nmi->state == NMI_RUNNING_IBS)
            take_stack(nmi, rbp);
        nmi_handler(nmi);
    }
}

NMI_TEXT void nmi_handler_lingers(struct nmi_context *nmi, uint64_t rbp)
{
    if (nmi->stacks.stack)
        nmi_handler_stacks(nmi, rbp);
    else
        nmi_handler(nmi);
    cpu_linger(rng_below(&nmi->rng, nmi->linger));
}
