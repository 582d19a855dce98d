/*
 * The NMI handler when counters or the timer run. An NMI does not say whose it is and may be several sources' at once,
 * so all that are on are asked.
 *
 * The counters stand still meanwhile: without an operating system the handler runs at the same privilege as the
 * workload and would be counted with it. For the same reason no counter can overflow behind our back, and the LVTPC
 * entry, which the APIC masked when it delivered, need be written only once.
 */
#include "core/pmc_regs.h"
#include "drivers/apic.h"
#include "drivers/cpu.h"
#include "drivers/nmi.h"
#include "drivers/pmc.h"
#include "drivers/timer.h"

static void sample_counter(struct nmi_context *engine, struct pmc_slot *slot, uint64_t tsc, uint64_t value)
{
    struct sample_record *record = nmi_next_record(engine, tsc, SAMPLE_PMC);
    slot->overflows++;
    if (!record) {
        slot->lost++;
        engine->counts.lost_pmc++;
        return;
    }
    slot->samples++;
    engine->counts.pmc++;
    record->reg[PMC_RIP] = engine->frame->rip;
    record->reg[PMC_EVENT] = slot->event;
    record->reg[PMC_COUNT] = value;
}

static void sample_timer(struct nmi_context *engine, uint64_t tsc)
{
    struct sample_record *record = nmi_next_record(engine, tsc, SAMPLE_TIMER);
    if (!record) {
        engine->counts.lost_timer++;
        return;
    }
    engine->counts.timer++;
    record->reg[TIMER_RIP] = engine->frame->rip;
}

/* Samples the counters that overflowed and begins their next intervals. What they counted since the overflow, skid and
 * the way into this handler, belongs to no interval, but to the total. True when there was one. */
static bool take_overflows(struct nmi_context *engine, uint64_t tsc)
{
    struct pmc_engine *pmc = engine->pmc;
    struct pmc_slot *slot = pmc->slot[pmc->group];
    uint32_t members = pmc->members[pmc->group];
    bool some = false;
    for (uint32_t c = 0; c < members; c++) {
        if (!slot[c].period)
            continue;
        uint64_t value = cpu_rdmsr(MSR_PERF_CTR(c));
        if (!pmc_overflowed(value))
            continue;
        some = true;
        sample_counter(engine, &slot[c], tsc, value);
        slot[c].before += pmc_elapsed(&slot[c], value);
        cpu_wrmsr(MSR_PERF_CTR(c), pmc_next_start(pmc, &slot[c]));
    }
    return some;
}

/* The counters' values are kept, not reset, so that short slices favour no event (CodeAnalyst nmi_int.c). */
static void next_group(struct pmc_engine *pmc)
{
    struct pmc_slot *slot = pmc->slot[pmc->group];
    uint32_t members = pmc->members[pmc->group];
    for (uint32_t c = 0; c < members; c++)
        slot[c].value = cpu_rdmsr(MSR_PERF_CTR(c));

    pmc->group = pmc->group + 1 == pmc->groups ? 0 : pmc->group + 1;
    pmc->slices[pmc->group]++;
    slot = pmc->slot[pmc->group];
    members = pmc->members[pmc->group];
    for (uint32_t c = 0; c < members; c++) {
        cpu_wrmsr(MSR_PERF_CTL(c), slot[c].ctl);
        cpu_wrmsr(MSR_PERF_CTR(c), slot[c].value);
    }
}

struct ibs_valid {
    bool fetch, op;
};

static struct ibs_valid take_ibs(struct nmi_context *engine, uint64_t tsc)
{
    uint64_t fetch = engine->fetch_ctl ? cpu_rdmsr(MSR_IBS_FETCH_CTL) : 0;
    uint64_t op = engine->op_ctl ? cpu_rdmsr(MSR_IBS_OP_CTL) : 0;
    struct ibs_valid valid = {.fetch = fetch & IBS_FETCH_VAL, .op = op & IBS_OP_VAL};
    if (valid.fetch)
        nmi_sample_fetch(engine, tsc, fetch);
    if (valid.op)
        nmi_sample_op(engine, tsc, op);
    return valid;
}

static void rearm_ibs(struct nmi_context *engine, struct ibs_valid valid)
{
    if (valid.fetch)
        cpu_wrmsr(MSR_IBS_FETCH_CTL, engine->fetch_ctl);
    if (valid.op)
        cpu_wrmsr(MSR_IBS_OP_CTL, ibs_next_op_ctl(engine));
}

static bool slice_ends(struct pmc_engine *pmc)
{
    if (!pmc->slice_ticks || ++pmc->tick < pmc->slice_ticks)
        return false;
    pmc->tick = 0;
    return true;
}

void pmc_nmi(struct nmi_context *engine)
{
    struct pmc_engine *pmc = engine->pmc;
    struct timer_engine *timer = engine->timer;
    uint64_t tsc = cpu_rdtsc();
    bool counting = pmc && pmc->running; /* not yet, when the NMI came in the middle of the start */
    if (counting)
        pmc_pause(pmc, tsc);
    bool overflow = counting && take_overflows(engine, tsc);
    bool tick = timer && timer_expired(timer);
    if (tick && timer->sampling)
        sample_timer(engine, tsc);
    struct ibs_valid ibs = take_ibs(engine, tsc);
    if (!overflow && !tick && !ibs.fetch && !ibs.op)
        nmi_other(engine);

    if (tick && counting && slice_ends(pmc))
        next_group(pmc);
    if (tick)
        timer_start(timer);
    if (counting) {
        if (pmc->interrupts)
            cpu_mmio_write32(pmc->apic + APIC_LVT_PERF, APIC_LVT_NMI);
        pmc_resume(pmc);
    }
    rearm_ibs(engine, ibs);
    if (engine->escape)
        (void)nmi_limit(engine, tsc);
}
