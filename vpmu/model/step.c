/* SPDX-License-Identifier: BSD-2-Clause */
/* One instruction boundary. Contract: model.h. */
#include "vpmu/model/state.h"

/* ---------------------------------------------------------------- which instruction it is */

/* Finds an instruction anywhere in the map, or the entry for those outside it. */
static __attribute__((noinline)) struct insn_info *land(struct vpmu *vpmu, uint64_t rip)
{
    struct insn_info **landing = &vpmu->landing[(rip ^ rip >> 8) & (LANDINGS - 1)];
    int32_t found;

    if (rip - vpmu->map_begin >= vpmu->map_bytes)
        return vpmu->outside;
    if ((*landing)->rip == rip)
        return *landing;
    found = codemap_find(vpmu->config.map, rip - vpmu->config.image_base);
    if (found < 0 || vpmu->info[found].rip != rip)
        return vpmu->outside;
    return *landing = &vpmu->info[found];
}

/* Returns the instruction that starts at rip; mostly the next one in memory. */
INLINED struct insn_info *find_insn(struct vpmu *vpmu, const struct insn_info *last, uint64_t rip)
{
    return last->usual->rip == rip ? last->usual : land(vpmu, rip);
}

static uint64_t operand_address(const struct insn_mem *mem, const uint64_t gpr[16])
{
    uint64_t address = mem->disp;

    if (mem->base < 16)
        address += gpr[mem->base];
    if (mem->index < 16)
        address += gpr[mem->index] * mem->scale;
    return address;
}

static void announce(struct vpmu *vpmu, struct announced *insn, struct insn_info *info, uint64_t rip,
                     const uint64_t gpr[16])
{
    vpmu->pending = insn;
    insn->info = info;
    insn->rip = rip;
    for (uint32_t i = 0; i < info->mems; i++)
        insn->linear[i] = operand_address(&info->mem[i], gpr);
}

/* Announces an instruction of any form but FORM_OTHER. */
INLINED void announce_usual(struct vpmu *vpmu, struct announced *insn, struct insn_info *info, uint64_t rip,
                            const uint64_t gpr[16])
{
    const struct insn_mem *mem = &info->mem[0];
    uint64_t address = mem->disp;

    vpmu->pending = insn;
    insn->info = info;
    insn->rip = rip;
    if (info->form == FORM_NONE)
        return;
    if (info->form != FORM_FIXED)
        address += gpr[mem->base];
    if (info->form == FORM_INDEXED)
        address += gpr[mem->index] * mem->scale;
    insn->linear[0] = address;
}

/* Returns whether the announced instruction has run: one rip twice is one boundary, unless the instruction can follow
 * itself. */
INLINED bool runs(const struct announced *insn, uint64_t next_rip)
{
    if (RARELY(insn->info->kind == KIND_NOTHING))
        return false;
    return USUALLY(next_rip != insn->rip) || insn->info->branch != CODEMAP_BR_NONE || insn->info->repeats;
}

/* ---------------------------------------------------------------- one step */

/* Takes any step: counters or the timer may be on, the instruction may come from anywhere. */
static __attribute__((noinline)) bool step(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16])
{
    struct announced *last = vpmu->pending;
    struct insn_info *info = find_insn(vpmu, last->info, rip);
    bool next = runs(last, rip);

    if (USUALLY(info->form != FORM_OTHER))
        announce_usual(vpmu, last->other, info, rip, gpr);
    else
        announce(vpmu, last->other, info, rip, gpr);
    if (next)
        return vpmu->step[last->info->kind](vpmu, last, rip);
    return (vpmu->ibs.requests || vpmu->apic.due) && vpmu_take_requests(vpmu);
}

/* Announces the next instruction in memory, with at most one operand, before the last one runs, so that nothing must
 * be kept meanwhile. Returns whether it did. */
INLINED bool announced_usual(struct vpmu *vpmu, const struct announced *last, uint64_t rip, const uint64_t gpr[16])
{
    struct insn_info *next = last->info->usual;

    if (next->rip != rip)
        return false;
    announce_usual(vpmu, last->other, next, rip, gpr);
    return true;
}

bool vpmu_step(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16])
{
    struct announced *last = vpmu->pending;

    if (!announced_usual(vpmu, last, rip, gpr))
        return step(vpmu, rip, gpr);
    return vpmu->step[last->info->kind](vpmu, last, rip);
}

bool vpmu_step_at(struct vpmu *vpmu, uint64_t rip, const uint64_t gpr[16], unsigned place)
{
    struct announced *last = vpmu->pending;
    bool next = runs(last, rip), foreign = place & VPMU_FOREIGN;

    if (next)
        pipeline_run(vpmu, last, rip);
    pmc_privilege(vpmu, &vpmu->pmc, place & VPMU_USER);
    vpmu->foreign = foreign;
    announce(vpmu, last->other, foreign ? vpmu->outside : find_insn(vpmu, last->info, rip), rip, gpr);
    if (next && vpmu->busy)
        pipeline_retired(vpmu);
    return (vpmu->ibs.requests || vpmu->apic.due) && vpmu_take_requests(vpmu);
}

void vpmu_break(struct vpmu *vpmu)
{
    vpmu->truth.totals.broken += vpmu->pending->info->kind != KIND_NOTHING;
    vpmu->pending->info = &vpmu->nothing;
    pipeline_drain(vpmu, &vpmu->signals.other);
    pmc_start_waiting(vpmu);
}
