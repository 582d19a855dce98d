/*
 * The NMI handler. What it costs is what the measurement costs: it reads only registers that hold something, writes
 * only what it read (the ring is zero before the run), and re-arms with one write each.
 */
#include <stddef.h>

#include "core/ibs_regs.h"
#include "drivers/cpu.h"
#include "drivers/ibs.h"

/* Port 61h: why the chipset raised an NMI (Linux arch/x86/include/asm/mach_traps.h). */
enum { NMI_REASON_PORT = 0x61, NMI_REASON_SERR = 0x80, NMI_REASON_IOCHK = 0x40 };

static struct ibs_record *next_record(struct ibs_engine *engine, uint64_t tsc, uint32_t kind)
{
    if (engine->ring.count == engine->ring.capacity)
        return NULL;
    struct ibs_record *record = &engine->ring.record[engine->ring.count++];
    record->tsc = tsc;
    record->kind = kind;
    record->cpu = engine->cpu;
    return record;
}

static void sample_fetch(struct ibs_engine *engine, uint64_t tsc, uint64_t ctl)
{
    struct ibs_record *record = next_record(engine, tsc, IBS_KIND_FETCH);
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

static void sample_op(struct ibs_engine *engine, uint64_t tsc, uint64_t ctl)
{
    struct ibs_record *record = next_record(engine, tsc, IBS_KIND_OP);
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

/* Nobody's sample. Kept out of line: the common way stays short. */
static __attribute__((noinline, cold)) void other_nmi(struct ibs_engine *engine)
{
    if (cpu_in8(NMI_REASON_PORT) & (NMI_REASON_SERR | NMI_REASON_IOCHK))
        engine->counts.foreign++;
    else if (engine->state == IBS_RUNNING)
        engine->counts.empty++;
    else
        engine->counts.late++;
}

void ibs_nmi(struct ibs_engine *engine)
{
    engine->counts.nmi++;
    if (engine->state != IBS_RUNNING) {
        other_nmi(engine);
        return;
    }
    uint64_t fetch = engine->fetch_ctl ? cpu_rdmsr(MSR_IBS_FETCH_CTL) : 0;
    uint64_t op = engine->op_ctl ? cpu_rdmsr(MSR_IBS_OP_CTL) : 0;
    bool fetch_valid = fetch & IBS_FETCH_VAL;
    bool op_valid = op & IBS_OP_VAL;
    if (!fetch_valid && !op_valid) {
        other_nmi(engine);
        return;
    }
    uint64_t tsc = cpu_rdtsc();
    if (fetch_valid)
        sample_fetch(engine, tsc, fetch);
    if (op_valid)
        sample_op(engine, tsc, op);
    /* Re-arm last, op sampling very last: what follows is counted in the next interval. */
    if (fetch_valid)
        cpu_wrmsr(MSR_IBS_FETCH_CTL, engine->fetch_ctl);
    if (op_valid)
        cpu_wrmsr(MSR_IBS_OP_CTL, ibs_next_op_ctl(engine));
}
