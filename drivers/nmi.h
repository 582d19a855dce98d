/*
 * Inside the NMI handler: what ibs_nmi.c (IBS alone) and pmc_nmi.c (counters and timer, with IBS or without) share.
 */
#ifndef DRIVERS_NMI_H
#define DRIVERS_NMI_H

#include <stddef.h>

#include "core/ibs_regs.h"
#include "drivers/cpu.h"
#include "drivers/ibs.h"

/* The next free record, NULL: the ring is full. */
static inline struct sample_record *nmi_next_record(struct nmi_context *engine, uint64_t tsc, uint32_t kind)
{
    if (engine->ring.count == engine->ring.capacity)
        return NULL;
    struct sample_record *record = &engine->ring.record[engine->ring.count++];
    record->tsc = tsc;
    record->kind = kind;
    record->cpu = engine->cpu;
    return record;
}

static inline void nmi_sample_fetch(struct nmi_context *engine, uint64_t tsc, uint64_t ctl)
{
    struct sample_record *record = nmi_next_record(engine, tsc, SAMPLE_FETCH);
    if (!record) {
        engine->counts.lost_fetch++;
        return;
    }
    engine->counts.fetch++;
    record->reg[IBS_FETCH_CTL] = ctl;
    record->reg[IBS_FETCH_LINAD] = ibs_canonical(cpu_rdmsr(MSR_IBS_FETCH_LINAD));
    if (ctl & IBS_FETCH_PHY_VALID)
        record->reg[IBS_FETCH_PHYSAD] = cpu_rdmsr(MSR_IBS_FETCH_PHYSAD);
}

static inline void nmi_sample_op(struct nmi_context *engine, uint64_t tsc, uint64_t ctl)
{
    struct sample_record *record = nmi_next_record(engine, tsc, SAMPLE_OP);
    if (!record) {
        engine->counts.lost_op++;
        return;
    }
    engine->counts.op++;
    record->reg[IBS_OP_CTL] = ctl;
    record->reg[IBS_OP_RIP] = cpu_rdmsr(MSR_IBS_OP_RIP);
    record->reg[IBS_OP_DATA] = cpu_rdmsr(MSR_IBS_OP_DATA);
    uint64_t data3 = cpu_rdmsr(MSR_IBS_OP_DATA3);
    record->reg[IBS_OP_DATA3] = data3;
    /* Northbridge data belongs to loads that missed (oprofile daemon/opd_ibs_trans.c). */
    if ((data3 & (IBS_LD_OP | IBS_DC_MISS)) == (IBS_LD_OP | IBS_DC_MISS))
        record->reg[IBS_OP_DATA2] = cpu_rdmsr(MSR_IBS_OP_DATA2);
    if (data3 & IBS_DC_LIN_ADDR_VALID)
        record->reg[IBS_OP_DCLINAD] = cpu_rdmsr(MSR_IBS_DC_LINAD);
    if (data3 & IBS_DC_PHY_ADDR_VALID)
        record->reg[IBS_OP_DCPHYSAD] = cpu_rdmsr(MSR_IBS_DC_PHYSAD);
}

/* Nobody's sample: counts it as the chipset's, empty or late. */
void nmi_other(struct nmi_context *engine) __attribute__((noinline, cold));

/* Ends the body if its time is over: true, and the handler must return without further ado. */
bool nmi_limit(struct nmi_context *engine, uint64_t tsc) __attribute__((noinline, cold));

/* The handler in state NMI_RUNNING_ALL. */
void pmc_nmi(struct nmi_context *engine);

#endif
