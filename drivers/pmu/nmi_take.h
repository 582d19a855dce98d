/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of both handlers of NMIs, expanded in place: nmi.c defines TENTH as 1, and registers are Family 10h's;
 * nmi_later.c as 0, and registers are what struct nmi_later and the engine of the counters say. As an argument TENTH
 * would cost the parts for IBS an instruction on some ways: the compiler guesses the usual ways before it knows it.
 */
#ifndef DRIVERS_NMI_TAKE_H
#define DRIVERS_NMI_TAKE_H

#include <stddef.h>

#include "core/family/ibs_regs.h"
#include "core/family/pmc_regs.h"
#include "drivers/pmu/nmi.h"
#include "drivers/pmu/pmc.h"
#include "drivers/pmu/ticks.h"

/* Marks the parts of both forms of take_all(): without it the compiler would make calls of them. */
#define INLINED static inline __attribute__((always_inline))

static inline bool sampling(const struct nmi_context *nmi)
{
    return nmi->state == NMI_RUNNING_IBS || nmi->state == NMI_RUNNING_ALL || nmi->state == NMI_RUNNING_TICKS;
}

/* Returns the next free record; NULL: the ring is full. */
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

/* ---------------------------------------------------------------- IBS */

static inline void sample_fetch(struct nmi_context *nmi, uint64_t tsc, uint64_t ctl)
{
    struct sample_record *record = next_record(nmi, tsc, SAMPLE_FETCH);
    if (!record)
        return;
    record->reg[IBS_FETCH_CTL] = ctl;
    uint64_t address = cpu_rdmsr(MSR_IBS_FETCH_LINAD);
    record->reg[IBS_FETCH_LINAD] = TENTH ? ibs_canonical(address) : address;
    if (ctl & IBS_FETCH_PHY_VALID)
        record->reg[IBS_FETCH_PHYSAD] = cpu_rdmsr(MSR_IBS_FETCH_PHYSAD);
    if (!TENTH && ctl & nmi->later.fetch_extended)
        record->reg[IBS_FETCH_EXTD] = cpu_rdmsr(MSR_IBS_FETCH_EXTD);
}

/* Returns whether IbsOpData2 has something. Family 10h: northbridge data belongs to loads that missed (oprofile
 * daemon/opd_ibs_trans.c). Later: DcMiss says nothing of an uncacheable access, but the source tells I/O (Linux
 * arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl); StrmSt is for stores (Zen 6). */
INLINED bool has_source(const struct nmi_context *nmi, uint64_t data3)
{
    if (TENTH)
        return (data3 & (IBS_LD_OP | IBS_DC_MISS)) == (IBS_LD_OP | IBS_DC_MISS);
    return (data3 & nmi->later.streams) || ((data3 & IBS_LD_OP) && (data3 & (IBS_DC_MISS | IBS_DC_UC_MEM_ACC)));
}

static inline void sample_op(struct nmi_context *nmi, uint64_t tsc, uint64_t ctl)
{
    struct sample_record *record = next_record(nmi, tsc, SAMPLE_OP);
    if (!record)
        return;
    record->reg[IBS_OP_CTL] = ctl;
    record->reg[IBS_OP_RIP] = cpu_rdmsr(MSR_IBS_OP_RIP);
    uint64_t data = cpu_rdmsr(MSR_IBS_OP_DATA);
    record->reg[IBS_OP_DATA] = data;
    /* Takes the interrupt's address: Linux arch/x86/events/amd/ibs.c, perf_ibs_handle_irq. */
    if (!TENTH && data & nmi->later.rip_invalid)
        record->reg[IBS_OP_RIP] = nmi->frame->rip;
    uint64_t data3 = cpu_rdmsr(MSR_IBS_OP_DATA3);
    record->reg[IBS_OP_DATA3] = data3;
    if (has_source(nmi, data3))
        record->reg[IBS_OP_DATA2] = cpu_rdmsr(MSR_IBS_OP_DATA2);
    if (data3 & IBS_DC_LIN_ADDR_VALID)
        record->reg[IBS_OP_DCLINAD] = cpu_rdmsr(MSR_IBS_DC_LINAD);
    if (data3 & IBS_DC_PHY_ADDR_VALID)
        record->reg[IBS_OP_DCPHYSAD] = cpu_rdmsr(MSR_IBS_DC_PHYSAD);
    if (!TENTH && data & nmi->later.branch_target)
        record->reg[IBS_OP_BRTARGET] = cpu_rdmsr(MSR_IBS_BR_TARGET);
}

INLINED struct ibs_valid take_ibs(struct nmi_context *nmi, uint64_t tsc)
{
    uint64_t fetch = nmi->fetch_ctl ? cpu_rdmsr(MSR_IBS_FETCH_CTL) : 0;
    uint64_t op = nmi->op_ctl ? cpu_rdmsr(MSR_IBS_OP_CTL) : 0;
    struct ibs_valid valid = {.fetch = fetch & IBS_FETCH_VAL, .op = op & IBS_OP_VAL};
    if (valid.fetch)
        sample_fetch(nmi, tsc, fetch);
    if (valid.op)
        sample_op(nmi, tsc, op);
    return valid;
}

INLINED void write_before(const struct nmi_write *write)
{
    if (!TENTH && write->msr)
        cpu_wrmsr(write->msr, write->value);
}

/* Re-arms op sampling last: what follows is counted in the next interval. */
INLINED void rearm_ibs(struct nmi_context *nmi, struct ibs_valid valid)
{
    if (valid.fetch) {
        write_before(&nmi->later.before_fetch);
        cpu_wrmsr(MSR_IBS_FETCH_CTL, nmi->fetch_ctl);
    }
    if (valid.op) {
        write_before(&nmi->later.before_op);
        cpu_wrmsr(MSR_IBS_OP_CTL, ibs_next_op_ctl(nmi));
    }
}

/* ---------------------------------------------------------------- counters */

INLINED bool slice_ends(struct pmc_engine *pmc)
{
    if (!pmc->slice_ticks || ++pmc->tick < pmc->slice_ticks)
        return false;
    pmc->tick = 0;
    return true;
}

/* Ends the turn of a stopped counter, whose value is the slot's. */
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

/* Writes a counter; Family 10h has no pairs. */
INLINED void write_value(const struct pmc_engine *pmc, uint32_t c, uint64_t value, bool tenth)
{
    if (tenth)
        cpu_wrmsr(MSR_PERF_CTR(c), value);
    else
        pmc_write_pair(pmc, c, value);
}

/* Samples the counters that overflowed and begins their next intervals. What they counted since the overflow, skid and
 * the way into this handler, belongs to no interval, but to the total. Version 2 reports overflows in a register,
 * whose bits stay until they are cleared. Returns whether there was one. */
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
        write_value(pmc, c, pmc_next_start(pmc, &slot[c]), tenth);
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
        write_value(pmc, c, slot[c].value, tenth);
    }
}

/* Walks the next record's stack, so before the record is taken. */
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
    __atomic_signal_fence(__ATOMIC_ACQUIRE); /* for the compiler alone */
    return nmi->state == state;
}

#endif
