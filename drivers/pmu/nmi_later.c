/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The NMI handler of processors that nmi.c's does not fit: branch targets and fetch extensions, more than one write to
 * re-arm, counters at other addresses. struct nmi_later is laid out before the run and says which registers it reads
 * and writes; it asks no table.
 */
#include "core/family/branch_regs.h"
#include "drivers/cpu/apic.h"
#define TENTH 0
#include "drivers/pmu/nmi_take.h"
#include "drivers/cpu/nmi_text.h"

/* Walks the next record's stack, so before the record is taken; without call stacks there is room for none. */
INLINED void take_stack_if_any(struct nmi_context *nmi, uint64_t rbp)
{
    if (nmi->stacks.stack)
        take_stack(nmi, rbp);
}

/* Counts an NMI without a sample. An overflow's NMI may come after the overflow was taken with another's: within 100
 * ms it counts as late, not empty (Linux arch/x86/events/amd/core.c, amd_pmu_adjust_nmi_window). */
NMI_TEXT static __attribute__((noinline, cold)) void no_sample(struct nmi_context *nmi, uint64_t tsc)
{
    struct nmi_later *later = &nmi->later;
    uint64_t empty = nmi->counts.empty;
    nmi_no_sample(nmi);
    if (nmi->counts.empty == empty || !later->overflow || tsc - later->overflow > later->window)
        return;
    nmi->counts.empty--;
    nmi->counts.late++;
    later->late++;
}

/* Samples counters, the timer, or both, with IBS or without. */
NMI_TEXT static __attribute__((noinline)) void sample_all(struct nmi_context *nmi, uint64_t rbp)
{
    struct pmc_engine *pmc = nmi->pmc;
    struct timer_engine *timer = nmi->timer;
    bool msr = (timer && apic_is_msr(timer->apic | timer->lvtpc)) || (pmc && apic_is_msr(pmc->apic));
    bool by_counter = timer && timer->by == TIMER_BY_COUNTER;
    uint64_t tsc = cpu_rdtsc();
    bool counting = pmc && pmc->running; /* not yet, when the NMI came in the middle of the start */
    if (counting)
        pmc_pause_later(pmc, tsc);
    take_stack_if_any(nmi, rbp);
    bool overflow = counting && take_overflows(nmi, tsc, TENTH);
    if (overflow)
        nmi->later.overflow = tsc;
    bool tick = by_counter ? ticks_counter_expired(timer) : timer && timer_expired_by(timer, msr);
    if (tick && timer->sampling)
        sample_timer(nmi, tsc);
    struct ibs_valid ibs = take_ibs(nmi, tsc);
    if (!overflow && !tick && !ibs.fetch && !ibs.op)
        no_sample(nmi, tsc);

    if (tick && counting && slice_ends(pmc))
        next_group(pmc, TENTH);
    if (tick && by_counter)
        ticks_counter_start(timer, msr);
    else if (tick)
        timer_start_by(timer, msr);
    if (counting) {
        if (pmc->interrupts)
            apic_write_as(msr, pmc->apic + APIC_LVT_PERF, APIC_LVT_NMI);
        pmc_resume_later(pmc);
    }
    rearm_ibs(nmi, ibs);
    if (nmi->escape)
        (void)nmi_limit(nmi, tsc);
}

NMI_TEXT void nmi_handler_later(struct nmi_context *nmi, uint64_t rbp)
{
    if (!sampling(nmi)) {
        nmi_handler(nmi);
        return;
    }
    nmi->counts.nmi++;
    if (!is(nmi, NMI_RUNNING_IBS)) {
        sample_all(nmi, rbp);
        return;
    }
    uint64_t tsc = cpu_rdtsc();
    take_stack_if_any(nmi, rbp);
    struct ibs_valid ibs = take_ibs(nmi, tsc);
    if (ibs.fetch || ibs.op)
        rearm_ibs(nmi, ibs);
    else
        nmi_no_sample(nmi);
}

/* Takes the branches before the record, so that they are the next one's. */
NMI_TEXT void nmi_handler_branch_sampling(struct nmi_context *nmi, uint64_t rbp)
{
    const struct nmi_branches *branches = &nmi->branches;
    uint32_t recorded = branch_sampling_recorded(branches->found);
    if (sampling(nmi) && nmi->ring.count < nmi->ring.capacity) {
        struct sample_branches *sample = &branches->sample[nmi->ring.count];
        for (uint32_t i = 0; i < branches->entries; i++) {
            bool there = i < recorded;
            uint32_t msr = MSR_BRANCH_FROM0 + 2 * (recorded - 1 - i);
            sample->entry[i].from = there ? cpu_rdmsr(msr) : 0;
            sample->entry[i].to = there ? cpu_rdmsr(msr + 1) : 0;
        }
    }
    nmi_handler_later(nmi, rbp);
}

NMI_TEXT void nmi_handler_branches(struct nmi_context *nmi, uint64_t rbp)
{
    const struct nmi_branches *branches = &nmi->branches;
    if (sampling(nmi) && nmi->ring.count < nmi->ring.capacity) {
        struct sample_branches *sample = &branches->sample[nmi->ring.count];
        for (uint32_t i = 0; i < branches->entries; i++) {
            sample->entry[i].from = cpu_rdmsr(MSR_BRANCH_FROM0 + 2 * i);
            sample->entry[i].to = cpu_rdmsr(MSR_BRANCH_FROM0 + 2 * i + 1);
        }
    }
    nmi_handler_later(nmi, rbp);
}
