/* SPDX-License-Identifier: BSD-2-Clause */
#include "drivers/pmu/branches.h"

#include <stddef.h>

#include "core/family/branch_regs.h"
#include "drivers/cpu/cpu.h"

/* Writes a control register and reads it back. */
static enum session_error set(uint32_t msr, uint64_t value, uint64_t mask, uint64_t *detail)
{
    uint64_t after;
    *detail = msr;
    if (cpu_wrmsr_safe(msr, value) || cpu_rdmsr_safe(msr, &after))
        return SESSION_MSR_FAULT;
    return (after ^ value) & mask ? SESSION_BRANCHES : SESSION_OK;
}

static enum session_error empty(uint32_t entries, uint64_t *detail)
{
    for (uint32_t i = 0; i < entries; i++) {
        *detail = MSR_BRANCH_FROM0 + 2 * i + 1;
        if (cpu_wrmsr_safe((uint32_t)*detail, 0))
            return SESSION_MSR_FAULT;
    }
    return SESSION_OK;
}

/* Returns whether only the first counter samples, and only the recorded event. */
static bool fits(const struct pmc_plan *pmc, uint32_t records)
{
    const struct pmc_group *group = &pmc->group[0];
    const struct pmc_event *event = &pmc->event[group->event[0]];
    if (pmc->mode != PMC_SAMPLING || pmc->groups != 1 || !group->events)
        return false;
    for (uint32_t n = 1; n < group->events; n++)
        if (pmc->event[group->event[n]].period)
            return false;
    return event->select == BRANCH_SAMPLING_EVENT && event->period > records && !event->count_mask && !event->edge &&
           !event->invert;
}

enum session_error branches_check(const struct machine *m, const struct pmc_plan *pmc, bool ibs)
{
    if (!m->branches)
        return SESSION_NO_BRANCHES;
    return m->branch_sampling && (ibs || !fits(pmc, m->branches)) ? SESSION_BRANCH_EVENT : SESSION_OK;
}

/* Starts Branch Sampling, with no record. The reserved bits stay as they were. */
static enum session_error start_sampling(struct nmi_branches *branches, uint64_t before, uint64_t *detail)
{
    branches->off = (before & ~DBG_EXTN_SAMPLING_STATE) | DBG_EXTN_ALWAYS;
    branches->on = branches->off | DBG_EXTN_SAMPLING;
    branches->msr = MSR_DBG_EXTN_CFG;
    return set(MSR_DBG_EXTN_CFG, branches->on, DBG_EXTN_SAMPLING_STATE | DBG_EXTN_ALWAYS, detail);
}

enum session_error branches_start(struct nmi_branches *branches, struct restore_log *log, uint64_t *detail)
{
    uint64_t before;
    if (!branches->sample)
        return SESSION_OK;
    *detail = MSR_DBG_EXTN_CFG;
    if (restore_save(log, RESTORE_MSR, MSR_DBG_EXTN_CFG, 0, ~0ull, "MSR C000_010F (branch records)", &before))
        return SESSION_MSR_FAULT;
    if (branches->sampling)
        return start_sampling(branches, before, detail);
    branches->off = before & ~DBG_EXTN_BRANCHES;
    branches->on = before | DBG_EXTN_BRANCHES;
    *detail = MSR_LBR_SELECT;
    if (restore_save(log, RESTORE_MSR, MSR_LBR_SELECT, 0, LBR_SELECT_MASK, "MSR C000_010E (branch selection)", NULL))
        return SESSION_MSR_FAULT;
    enum session_error error = set(MSR_DBG_EXTN_CFG, branches->off, DBG_EXTN_BRANCHES, detail);
    if (!error)
        error = set(MSR_LBR_SELECT, LBR_NO_FAR, LBR_SELECT_MASK, detail);
    if (!error)
        error = empty(branches->entries, detail);
    if (!error) {
        branches->msr = MSR_DBG_EXTN_CFG;
        error = set(MSR_DBG_EXTN_CFG, branches->on, DBG_EXTN_BRANCHES, detail);
    }
    return error;
}

enum session_error branches_stop(struct nmi_branches *branches, uint64_t *detail)
{
    if (!branches->msr)
        return SESSION_OK;
    __atomic_store_n(&branches->msr, 0, __ATOMIC_SEQ_CST); /* before: an NMI would switch it on again */
    if (!cpu_wrmsr_safe(MSR_DBG_EXTN_CFG, branches->off))
        return SESSION_OK;
    *detail = MSR_DBG_EXTN_CFG;
    return SESSION_MSR_FAULT;
}
