/*
 * The NMI handler. What it costs is what the measurement costs: it reads only registers that hold something, writes
 * only what it read (the ring is zero before the run), and re-arms with one write each.
 */
#include "core/ibs_regs.h"
#include "drivers/cpu.h"
#include "drivers/fault.h"
#include "drivers/ibs.h"
#include "drivers/nmi.h"

/* Port 61h: why the chipset raised an NMI (Linux arch/x86/include/asm/mach_traps.h). */
enum { FLAGS_NONE = 2 /* bit 1 always reads 1 */ };
enum { NMI_REASON_PORT = 0x61, NMI_REASON_SERR = 0x80, NMI_REASON_IOCHK = 0x40 };

/* The handler returns not to what it interrupted, but out of the guarded call, as fault_dispatch() does. */
bool nmi_limit(struct nmi_context *engine, uint64_t tsc)
{
    struct cpu_recovery *recovery = engine->escape;
    struct cpu_nmi_saved *saved = (struct cpu_nmi_saved *)(void *)engine->frame - 1;
    if (!recovery || engine->faults->recovery != recovery || tsc < engine->deadline)
        return false; /* not yet, or an exception has left that call already */
    engine->faults->recovery = recovery->outer;
    engine->escape = NULL;
    engine->limited = true;
    engine->frame->rip = recovery->rip;
    engine->frame->rsp = recovery->rsp;
    engine->frame->rflags = FLAGS_NONE;
    saved->rdi = (uint64_t)(uintptr_t)recovery;
    return true;
}

void nmi_other(struct nmi_context *engine)
{
    if (engine->escape && nmi_limit(engine, cpu_rdtsc()))
        return;
    if (cpu_in8(NMI_REASON_PORT) & (NMI_REASON_SERR | NMI_REASON_IOCHK))
        engine->counts.foreign++;
    else if (engine->state == NMI_RUNNING_IBS || engine->state == NMI_RUNNING_ALL)
        engine->counts.empty++;
    else
        engine->counts.late++;
}

/* Kept out of line: the common way stays short. */
static __attribute__((noinline, cold)) void not_ibs_alone(struct nmi_context *engine)
{
    if (engine->state == NMI_RUNNING_ALL)
        pmc_nmi(engine);
    else
        nmi_other(engine);
}

void ibs_nmi(struct nmi_context *engine)
{
    engine->counts.nmi++;
    if (engine->state != NMI_RUNNING_IBS) {
        not_ibs_alone(engine);
        return;
    }
    uint64_t fetch = engine->fetch_ctl ? cpu_rdmsr(MSR_IBS_FETCH_CTL) : 0;
    uint64_t op = engine->op_ctl ? cpu_rdmsr(MSR_IBS_OP_CTL) : 0;
    bool fetch_valid = fetch & IBS_FETCH_VAL;
    bool op_valid = op & IBS_OP_VAL;
    if (!fetch_valid && !op_valid) {
        nmi_other(engine);
        return;
    }
    uint64_t tsc = cpu_rdtsc();
    if (fetch_valid)
        nmi_sample_fetch(engine, tsc, fetch);
    if (op_valid)
        nmi_sample_op(engine, tsc, op);
    /* Re-arm last, op sampling very last: what follows is counted in the next interval. */
    if (fetch_valid)
        cpu_wrmsr(MSR_IBS_FETCH_CTL, engine->fetch_ctl);
    if (op_valid)
        cpu_wrmsr(MSR_IBS_OP_CTL, ibs_next_op_ctl(engine));
}
