/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/pmc.h"

#include <stddef.h>

#include "drivers/cpu/apic.h"
#include "drivers/cpu/cpu.h"
#include "drivers/cpu/nmi_text.h"

static const struct ibs_pmc first_counters = {.version = 1, .stride = 1, .ctl = MSR_PERF_CTL0, .ctr = MSR_PERF_CTR0};

static enum session_error check_event(const struct pmc_event *event, uint32_t count_mask_max)
{
    if (event->select > 0xFFF)
        return SESSION_PMC_SELECT;
    if (event->count_mask > count_mask_max)
        return SESSION_PMC_COUNT_MASK;
    if (!event->user && !event->os && event->select != PMC_SELECT_MERGE)
        return SESSION_PMC_PRIVILEGE;
    return event->period > PMC_SAMPLING_PERIOD_MAX ? SESSION_PMC_PERIOD_HIGH : SESSION_OK;
}

static enum session_error check_group(const struct pmc_group *group, const struct pmc_plan *plan, uint32_t counters)
{
    if (!group->events || group->events > counters)
        return SESSION_PMC_GROUP_SIZE;
    for (uint32_t n = 0; n < group->events; n++) {
        if (group->event[n] >= plan->events)
            return SESSION_PMC_GROUP_EVENT;
        if (plan->event[group->event[n]].select == PMC_SELECT_MERGE && !(n & 1))
            return SESSION_PMC_MERGE;
        for (uint32_t before = 0; before < n; before++)
            if (group->event[before] == group->event[n])
                return SESSION_PMC_GROUP_TWICE;
    }
    return SESSION_OK;
}

enum session_error pmc_check(const struct pmc_plan *plan, const struct machine *machine)
{
    enum session_error error = SESSION_OK;
    if (plan->mode == PMC_OFF)
        return SESSION_OK;
    if (!machine_pmc_usable(machine))
        return SESSION_NO_PMC;
    if (!plan->events || plan->events > PMC_EVENTS_MAX)
        return SESSION_PMC_EVENTS;
    if (!plan->groups || plan->groups > PMC_GROUPS_MAX)
        return SESSION_PMC_GROUPS;
    for (uint32_t n = 0; n < plan->events && !error; n++)
        error = check_event(&plan->event[n], machine->pmc.count_mask_max);
    for (uint32_t g = 0; g < plan->groups && !error; g++)
        error = check_group(&plan->group[g], plan, machine->pmc.count);
    if (!error && plan->mode == PMC_COUNTING && plan->groups > 1)
        error = SESSION_PMC_COUNTING_GROUPS;
    if (!error && plan->groups > 1 && !plan->slice)
        error = SESSION_PMC_SLICE;
    return error;
}

uint64_t pmc_turns(const struct pmc_plan *plan)
{
    return plan->mode == PMC_SAMPLING && plan->groups > 1 ? plan->slice : 0;
}

bool pmc_takes_samples(const struct pmc_plan *plan)
{
    bool some = false;
    for (uint32_t g = 0; plan->mode == PMC_SAMPLING && g < plan->groups; g++)
        for (uint32_t n = 0; n < plan->group[g].events; n++)
            some |= plan->event[plan->group[g].event[n]].period != 0;
    return some;
}

static uint64_t ctl_of(const struct pmc_event *event, bool interrupt)
{
    return pmc_ctl(event->select, event->unit_mask, event->count_mask,
                   (event->user ? PMC_CTL_USR : 0) | (event->os ? PMC_CTL_OS : 0) | (event->edge ? PMC_CTL_EDGE : 0) |
                       (event->invert ? PMC_CTL_INV : 0) | (interrupt ? PMC_CTL_INT : 0));
}

/* Returns the largest power of two up to 1/8 of the period: the interval varies by 1/16 either way. */
static uint64_t random_range(uint64_t period)
{
    uint64_t range = 1;
    while (range <= period / 16)
        range *= 2;
    return range > 1 ? range : 0;
}

void pmc_use(struct pmc_engine *engine, const struct ibs_pmc *pmc)
{
    engine->regs = *pmc;
}

static void init_slot(struct pmc_engine *engine, struct pmc_slot *slot, const struct pmc_plan *plan, uint32_t index)
{
    const struct pmc_event *event = &plan->event[index];
    slot->event = index;
    slot->partner = event->select == PMC_SELECT_MERGE;
    slot->period = plan->mode == PMC_SAMPLING ? event->period : 0;
    slot->random_range = plan->random ? random_range(slot->period) : 0;
    /* A partner is enabled as long as its group has the counters, and so before the other and after it, as in Linux
     * (perf_event.h, __x86_pmu_enable_event; core.c, x86_pmu_disable_all). */
    slot->ctl = ctl_of(event, slot->period != 0) | (slot->partner ? PMC_CTL_EN : 0);
    slot->value = pmc_next_start(engine, slot);
}

void pmc_init(struct pmc_engine *engine, const struct pmc_plan *plan, uint32_t slice_ticks)
{
    *engine =
        (struct pmc_engine){.interrupts = pmc_takes_samples(plan), .slice_ticks = slice_ticks, .regs = first_counters};
    rng_seed(&engine->rng, plan->seed);
    if (plan->mode == PMC_OFF)
        return;
    engine->groups = plan->groups;
    turns_order(engine->order, plan->groups, plan->turns_seed);
    for (uint32_t g = 0; g < plan->groups; g++) {
        engine->members[g] = plan->group[g].events;
        if (engine->counters < engine->members[g])
            engine->counters = engine->members[g];
        for (uint32_t c = 0; c < engine->members[g]; c++)
            init_slot(engine, &engine->slot[g][c], plan, plan->group[g].event[c]);
        for (uint32_t c = 1; c < engine->members[g]; c++)
            engine->slot[g][c - 1].pair = engine->slot[g][c].partner;
    }
}

void pmc_wait_for(struct pmc_engine *engine, uint32_t events)
{
    struct pmc_slot *slot = &engine->slot[0][0];
    if (!slot->period)
        return;
    slot->period -= events;
    slot->value = pmc_next_start(engine, slot);
}

/* Saves PERF_CTL before PERF_CTR, so that a counter which firmware left running goes on only with its value back. */
static enum session_error take(struct pmc_engine *engine, struct restore_log *log, uint64_t *detail)
{
    static const char *const later[2][PMC_COUNTERS] = {
        {"MSR C001_0200 PERF_CTL0", "MSR C001_0202 PERF_CTL1", "MSR C001_0204 PERF_CTL2", "MSR C001_0206 PERF_CTL3",
         "MSR C001_0208 PERF_CTL4", "MSR C001_020A PERF_CTL5"},
        {"MSR C001_0201 PERF_CTR0", "MSR C001_0203 PERF_CTR1", "MSR C001_0205 PERF_CTR2", "MSR C001_0207 PERF_CTR3",
         "MSR C001_0209 PERF_CTR4", "MSR C001_020B PERF_CTR5"}};
    static const char *const first[2][PMC_COUNTERS] = {
        {"MSR C001_0000 PERF_CTL0", "MSR C001_0001 PERF_CTL1", "MSR C001_0002 PERF_CTL2", "MSR C001_0003 PERF_CTL3"},
        {"MSR C001_0004 PERF_CTR0", "MSR C001_0005 PERF_CTR1", "MSR C001_0006 PERF_CTR2", "MSR C001_0007 PERF_CTR3"}};
    const char *const(*names)[PMC_COUNTERS] = pmc_ctl_msr(engine, 0) == MSR_PERF_CTL0 ? first : later;
    for (uint32_t c = 0; c < engine->counters; c++) {
        *detail = pmc_ctl_msr(engine, c);
        if (restore_save(log, RESTORE_MSR, pmc_ctl_msr(engine, c), 0, ~0ull, names[0][c], &engine->keep[c]))
            return SESSION_MSR_FAULT;
        engine->keep[c] &= PMC_CTL_PRESERVE;
        *detail = pmc_ctr_msr(engine, c);
        if (restore_save(log, RESTORE_MSR, pmc_ctr_msr(engine, c), 0, PMC_COUNTER_MASK, names[1][c], NULL))
            return SESSION_MSR_FAULT;
    }
    return SESSION_OK;
}

enum session_error pmc_open_global(const struct ibs_pmc *pmc, struct restore_log *log, uint64_t *detail)
{
    if (pmc->version < 2)
        return SESSION_OK;
    *detail = MSR_PMC_GLOBAL_CTL;
    return restore_save(log, RESTORE_MSR, MSR_PMC_GLOBAL_CTL, 0, ~0ull, "MSR C000_0301 PerfCntrGlobalCtl", NULL) ||
                   cpu_wrmsr_safe(MSR_PMC_GLOBAL_CTL, (1ull << pmc->count) - 1)
               ? SESSION_MSR_FAULT
               : SESSION_OK;
}

/* Clears overflows. They are not restored: only samplers read them. Linux arch/x86/events/amd/core.c,
 * amd_pmu_cpu_reset and amd_pmu_ack_global_status. */
enum session_error pmc_clear_overflows(const struct ibs_pmc *pmc, uint64_t *detail)
{
    uint64_t status;
    if (pmc->version < 2)
        return SESSION_OK;
    *detail = MSR_PMC_GLOBAL_STATUS;
    if (cpu_rdmsr_safe(MSR_PMC_GLOBAL_STATUS, &status))
        return SESSION_MSR_FAULT;
    *detail = MSR_PMC_GLOBAL_STATUS_CLEAR;
    return status && cpu_wrmsr_safe(MSR_PMC_GLOBAL_STATUS_CLEAR, status) ? SESSION_MSR_FAULT : SESSION_OK;
}

/* Sets the counter to -1 before its control says what it counts: a late interrupt then finds no overflow (CodeAnalyst
 * op_model_amd.c, op_amd_setup_ctrs). */
static enum session_error clear(const struct pmc_engine *engine, uint64_t *detail)
{
    for (uint32_t c = 0; c < engine->counters; c++) {
        *detail = pmc_ctl_msr(engine, c);
        if (cpu_wrmsr_safe(pmc_ctl_msr(engine, c), engine->keep[c]))
            return SESSION_MSR_FAULT;
        *detail = pmc_ctr_msr(engine, c);
        if (cpu_wrmsr_safe(pmc_ctr_msr(engine, c), PMC_COUNTER_MASK))
            return SESSION_MSR_FAULT;
    }
    return SESSION_OK;
}

/* Writes value and then control of each counter, not yet enabled, and reads back: a hypervisor without counters
 * silently ignores the write. */
static enum session_error program(const struct pmc_engine *engine, uint64_t *detail)
{
    const struct pmc_slot *slot = engine->slot[0];
    for (uint32_t c = 0; c < engine->members[0]; c++) {
        uint64_t after, ctl = slot[c].ctl | pmc_programmed(engine);
        if (slot[c].pair) {
            *detail = pmc_ctr_msr(engine, c + 1);
            if (cpu_wrmsr_safe(pmc_ctr_msr(engine, c + 1), PMC_MERGE_UPPER))
                return SESSION_MSR_FAULT;
        }
        *detail = pmc_ctr_msr(engine, c);
        if (!slot[c].partner && cpu_wrmsr_safe(pmc_ctr_msr(engine, c), slot[c].value))
            return SESSION_MSR_FAULT;
        *detail = pmc_ctl_msr(engine, c);
        if (cpu_wrmsr_safe(pmc_ctl_msr(engine, c), ctl) || cpu_rdmsr_safe(pmc_ctl_msr(engine, c), &after))
            return SESSION_MSR_FAULT;
        if ((after ^ ctl) & ~PMC_CTL_PRESERVE)
            return SESSION_PMC_ENABLE;
    }
    return SESSION_OK;
}

static enum session_error route(const struct pmc_engine *engine, struct restore_log *log, uint64_t *ours,
                                uint64_t *detail)
{
    uint64_t address = engine->apic + APIC_LVT_PERF;
    if (restore_save(log, RESTORE_MMIO, address, 0, ~(uint64_t)APIC_LVT_STATUS, "APIC 340h LVT performance counters",
                     NULL))
        return SESSION_LVTPC;
    *ours = address;
    apic_write(address, APIC_LVT_NMI);
    *detail = apic_read(address);
    return (*detail & ~(uint64_t)APIC_LVT_STATUS) == APIC_LVT_NMI ? SESSION_OK : SESSION_LVTPC;
}

enum session_error pmc_set_up(struct pmc_engine *engine, uint64_t apic, struct restore_log *log, uint64_t *ours,
                              uint64_t *detail)
{
    enum session_error error = take(engine, log, detail);
    engine->apic = apic;
    if (!error)
        error = pmc_open_global(&engine->regs, log, detail);
    if (!error && engine->regs.version >= 2)
        pmc_pause_later(engine, 0); /* before a control has its enable bit; all else goes on */
    if (!error)
        error = clear(engine, detail);
    if (!error)
        error = pmc_clear_overflows(&engine->regs, detail); /* now that none counts */
    if (error)
        return error;
    for (uint32_t g = 0; g < engine->groups; g++)
        for (uint32_t c = 0; c < engine->members[g]; c++)
            engine->slot[g][c].ctl |= engine->keep[c];
    error = program(engine, detail);
    if (!error && engine->interrupts)
        error = route(engine, log, ours, detail);
    if (error)
        return error;
    engine->slices[0] = 1;
    engine->ready = true;
    *detail = 0;
    return SESSION_OK;
}

NMI_TEXT void pmc_resume(struct pmc_engine *engine)
{
    const struct pmc_slot *slot = engine->slot[engine->group];
    uint32_t members = engine->members[engine->group];
    engine->running = true;
    for (uint32_t c = 0; c < members; c++)
        cpu_wrmsr(MSR_PERF_CTL(c), slot[c].ctl | PMC_CTL_EN);
    engine->resumed = cpu_rdtsc();
}

NMI_TEXT void pmc_pause(struct pmc_engine *engine, uint64_t tsc)
{
    const struct pmc_slot *slot = engine->slot[engine->group];
    uint32_t members = engine->members[engine->group];
    for (uint32_t c = 0; c < members; c++)
        cpu_wrmsr(MSR_PERF_CTL(c), slot[c].ctl);
    engine->running = false;
    engine->tsc[engine->group] += tsc - engine->resumed;
}

/* Resumes with one write, on version 2. The processor's pauses in between are no part of the time either. */
NMI_TEXT void pmc_resume_later(struct pmc_engine *engine)
{
    const struct pmc_slot *slot = engine->slot[engine->group];
    uint32_t members = engine->members[engine->group];
    engine->running = true;
    if (engine->regs.version >= 2)
        cpu_wrmsr(MSR_PMC_GLOBAL_CTL, engine->others | ((1ull << members) - 1));
    else
        for (uint32_t c = 0; c < members; c++)
            cpu_wrmsr(pmc_ctl_msr(engine, c), slot[c].ctl | PMC_CTL_EN);
    engine->resumed = cpu_rdtsc();
}

NMI_TEXT void pmc_pause_later(struct pmc_engine *engine, uint64_t tsc)
{
    const struct pmc_slot *slot = engine->slot[engine->group];
    uint32_t members = engine->members[engine->group];
    if (engine->regs.version >= 2)
        cpu_wrmsr(MSR_PMC_GLOBAL_CTL, engine->others);
    else
        for (uint32_t c = 0; c < members; c++)
            cpu_wrmsr(pmc_ctl_msr(engine, c), slot[c].ctl);
    if (engine->running)
        engine->tsc[engine->group] += tsc - engine->resumed;
    engine->running = false;
}

static void note(enum session_error *error, uint64_t *detail, uint32_t msr, uint32_t vector)
{
    if (!vector || *error)
        return;
    *error = SESSION_MSR_FAULT;
    *detail = msr;
}

enum session_error pmc_stop(struct pmc_engine *engine, uint64_t *detail)
{
    enum session_error error = SESSION_OK;
    if (!engine->ready)
        return SESSION_OK;
    engine->ready = false;
    if (engine->running)
        engine->tsc[engine->group] += cpu_rdtsc() - engine->resumed;
    engine->running = false;
    for (uint32_t c = 0; c < engine->counters; c++)
        note(&error, detail, pmc_ctl_msr(engine, c), cpu_wrmsr_safe(pmc_ctl_msr(engine, c), engine->keep[c]));
    for (uint32_t c = 0; c < engine->members[engine->group]; c++) {
        struct pmc_slot *slot = &engine->slot[engine->group][c];
        uint64_t value;
        uint32_t vector = cpu_rdmsr_safe(pmc_ctr_msr(engine, c), &value);
        note(&error, detail, pmc_ctr_msr(engine, c), vector);
        if (vector)
            continue;
        slot->value = value;
        slot->overflows += slot->period && pmc_overflowed(value);
    }
    return error;
}

static void add_count(struct pmc_count *sum, const struct pmc_count *count)
{
    sum->total += count->total;
    sum->overflows += count->overflows;
    sum->samples += count->samples;
    sum->lost += count->lost;
    sum->tsc += count->tsc;
}

void pmc_collect(const struct pmc_engine *engine, struct pmc_result *result)
{
    *result = (struct pmc_result){0};
    for (uint32_t g = 0; g < engine->groups; g++) {
        struct pmc_group_result *group = &result->group[g];
        group->tsc = engine->tsc[g];
        group->slices = engine->slices[g];
        for (uint32_t c = 0; c < engine->members[g]; c++) {
            const struct pmc_slot *slot = &engine->slot[g][c];
            group->counter[c] = (struct pmc_count){
                .total = slot->before + pmc_elapsed(slot, slot->value),
                .overflows = slot->overflows,
                .samples = slot->samples,
                .lost = slot->lost,
                .tsc = engine->tsc[g],
            };
            group->turns[c] = slot->turns;
            add_count(&result->event[slot->event], &group->counter[c]);
        }
    }
}

void pmc_result_add(struct pmc_result *sum, const struct pmc_result *result)
{
    for (uint32_t n = 0; n < PMC_EVENTS_MAX; n++)
        add_count(&sum->event[n], &result->event[n]);
    for (uint32_t g = 0; g < PMC_GROUPS_MAX; g++) {
        bool first = !sum->group[g].tsc;
        sum->group[g].tsc += result->group[g].tsc;
        sum->group[g].slices += result->group[g].slices;
        for (uint32_t c = 0; c < PMC_COUNTERS; c++) {
            add_count(&sum->group[g].counter[c], &result->group[g].counter[c]);
            if (first)
                sum->group[g].turns[c] = result->group[g].turns[c];
            else
                turns_of_core(&sum->group[g].turns[c], &result->group[g].turns[c]);
        }
    }
}
