/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of both handlers of NMIs (nmi.c, nmi_later.c), expanded in place: the registers of the counters are
 * constants of Family 10h in one and members of the engine in the other.
 */
#ifndef DRIVERS_NMI_TAKE_H
#define DRIVERS_NMI_TAKE_H

#include <stddef.h>

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/nmi.h"
#include "drivers/pmc.h"
#include "drivers/ticks.h"

/* Marks the parts of both forms of take_all(): without it the compiler would make calls of them. */
#define INLINED static inline __attribute__((always_inline))

static inline bool sampling(const struct nmi_context *nmi)
{
    return nmi->state == NMI_RUNNING_IBS || nmi->state == NMI_RUNNING_ALL || nmi->state == NMI_RUNNING_TICKS;
}

/* The next free record, NULL: the ring is full. */
static inline struct sample_record *next_record(struct nmi_context *nmi, uint64_t tsc, enum sample_kind kind)
{
    if (nmi->ring.count == nmi->ring.capacity) {
        nmi->counts.lost[kind]++;
        return NULL;
    }
    nmi->counts.recorded[kind]++;
    struct sample_record *record = &nmi->ring.record[nmi->ring.count++];
    record->tsc = tsc;
    record->kind = kind;
    record->cpu = nmi->cpu;
    return record;
}

INLINED void sample_counter(struct nmi_context *nmi, struct pmc_slot *slot, uint64_t tsc, uint64_t value)
{
    struct sample_record *record = next_record(nmi, tsc, SAMPLE_PMC);
    slot->overflows++;
    if (!record) {
        slot->lost++;
        return;
    }
    slot->samples++;
    record->reg[PMC_RIP] = nmi->frame->rip;
    record->reg[PMC_EVENT] = slot->event;
    record->reg[PMC_COUNT] = value;
}

INLINED void sample_timer(struct nmi_context *nmi, uint64_t tsc)
{
    struct sample_record *record = next_record(nmi, tsc, SAMPLE_TIMER);
    if (!record)
        return;
    record->reg[TIMER_RIP] = nmi->frame->rip;
}

struct ibs_valid {
    bool fetch, op;
};

INLINED bool slice_ends(struct pmc_engine *pmc)
{
    if (!pmc->slice_ticks || ++pmc->tick < pmc->slice_ticks)
        return false;
    pmc->tick = 0;
    return true;
}

/* The counter has stopped; its value is the slot's. */
INLINED void end_turn(struct pmc_slot *slot)
{
    uint64_t total = slot->before + pmc_elapsed(slot, slot->value);
    turns_add(&slot->turns, total - slot->began);
    slot->began = total;
}

INLINED void take_turn(struct pmc_engine *pmc)
{
    pmc->turn = pmc->turn + 1 == TURNS_ORDER ? 0 : pmc->turn + 1;
    pmc->group = pmc->order[pmc->turn];
    pmc->slices[pmc->group]++;
}

/* Samples the counters that overflowed and begins their next intervals. What they counted since the overflow, skid and
 * the way into this handler, belongs to no interval, but to the total. Version 2 says which overflowed by a register,
 * whose bits stay until they are cleared. True when there was one. 'tenth' is a constant: Family 10h's registers. */
INLINED bool take_overflows(struct nmi_context *nmi, uint64_t tsc, bool tenth)
{
    struct pmc_engine *pmc = nmi->pmc;
    struct pmc_slot *slot = pmc->slot[pmc->group];
    uint32_t members = pmc->members[pmc->group];
    bool global = !tenth && pmc->regs.version >= 2, some = false;
    uint64_t status = global ? cpu_rdmsr(MSR_PMC_GLOBAL_STATUS) : 0;
    if (status)
        cpu_wrmsr(MSR_PMC_GLOBAL_STATUS_CLEAR, status);
    for (uint32_t c = 0; c < members; c++) {
        if (!slot[c].period || (global && !(status >> c & 1)))
            continue;
        uint64_t value = cpu_rdmsr(tenth ? MSR_PERF_CTR(c) : pmc_ctr_msr(pmc, c));
        if (!global && !pmc_overflowed(value))
            continue;
        some = true;
        sample_counter(nmi, &slot[c], tsc, value);
        slot[c].before += pmc_elapsed(&slot[c], value);
        cpu_wrmsr(tenth ? MSR_PERF_CTR(c) : pmc_ctr_msr(pmc, c), pmc_next_start(pmc, &slot[c]));
    }
    return some;
}

/* Programs the next group. The counters' values are kept, not reset, so that short slices favour no event (CodeAnalyst
 * nmi_int.c). */
INLINED void next_group(struct pmc_engine *pmc, bool tenth)
{
    struct pmc_slot *slot = pmc->slot[pmc->group];
    uint32_t members = pmc->members[pmc->group];
    for (uint32_t c = 0; c < members; c++) {
        slot[c].value = cpu_rdmsr(tenth ? MSR_PERF_CTR(c) : pmc_ctr_msr(pmc, c));
        end_turn(&slot[c]);
    }

    take_turn(pmc);
    slot = pmc->slot[pmc->group];
    members = pmc->members[pmc->group];
    for (uint32_t c = 0; c < members; c++) {
        cpu_wrmsr(tenth ? MSR_PERF_CTL(c) : pmc_ctl_msr(pmc, c), slot[c].ctl | (tenth ? 0 : pmc_programmed(pmc)));
        cpu_wrmsr(tenth ? MSR_PERF_CTR(c) : pmc_ctr_msr(pmc, c), slot[c].value);
    }
}

/* Before the record is taken, so that it is the next one's. */
INLINED void take_stack(struct nmi_context *nmi, uint64_t rbp)
{
    const struct nmi_stacks *stacks = &nmi->stacks;
    if (nmi->ring.count < nmi->ring.capacity)
        sample_stack_walk(&stacks->stack[nmi->ring.count], nmi->frame->rip, rbp, stacks->low, stacks->high,
                          stacks->depth);
}

/* Compared in memory each time: a register would take an instruction more on the way to sample_all(). */
static inline bool is(const struct nmi_context *nmi, enum nmi_state state)
{
    __atomic_signal_fence(__ATOMIC_ACQUIRE); /* of the compiler alone */
    return nmi->state == state;
}

#endif
