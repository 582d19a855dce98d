/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fast paths for the instructions that make up nearly all of a program: one op, at most one operand in memory, a hit in
 * the DTLB and the data cache. Rarer cases continue in a separate function, so that the fast paths need not save
 * registers for them, or in op_execute().
 *
 * The results are those of the general path, pipeline_run_other(): tests/unit/vpmu/model/test_golden.c.
 */
#include "vpmu/model/pipeline/macro_op.h"
#include "vpmu/model/pmu/branch_sampling.h"

/* ---------------------------------------------------------------- loads */

/* Finishes a load with its data. update: the instruction stores its result to the same place, which is owned from the
 * given cycle on. */
INLINED void finish_load(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info,
                         struct access_times times, uint64_t data, uint64_t owned, bool update, bool counted)
{
    uint64_t cycle = op_complete(vpmu, info, update ? NO_ACCESS : times, data, counted);

    if (!update)
        return;
    info->row->stores++;
    vpmu->signals.dc_accesses += counted;
    op_queue(vpmu, info, insn->linear[0], times, cycle, owned);
}

/* Loads, aligned, with a port. The store of an update finds the line in the L1D, where its load has put it. */
INLINED void load_with_port(struct vpmu *vpmu, const struct announced *insn, struct lsu_translation translation,
                            struct lsu_port port, bool counted)
{
    const struct insn_info *info = insn->info;
    bool update = info->kind == KIND_UPDATE;
    struct access_times times = {.address = op_address_ready(&vpmu->pipe, info)};
    uint64_t data = op_load(vpmu, insn, translation, port, &times, update, counted), owned = 0;

    if (update && translation.physical != PHYSICAL_NONE)
        owned = caches_modify(&vpmu->caches, translation.physical, data - info->load_extra);
    finish_load(vpmu, insn, info, times, data, owned, update, counted);
}

/* Loads with the page in the L1 DTLB. */
static __attribute__((noinline)) void load_slow(struct vpmu *vpmu, const struct announced *insn, uint64_t physical,
                                                struct lsu_port port, bool counted)
{
    load_with_port(vpmu, insn, (struct lsu_translation){.physical = physical}, port, counted);
}

/* Loads without the page there. */
static __attribute__((noinline)) void load_missed(struct vpmu *vpmu, const struct announced *insn, bool counted)
{
    struct lsu_translation translation = lsu_translate_missed(vpmu, insn->linear[0]);
    uint64_t address = op_address_ready(&vpmu->pipe, insn->info);

    load_with_port(vpmu, insn, translation, op_take_port(vpmu, insn->linear[0], address, translation.cycles), counted);
}

/* Loads on the fast path: the page is in the L1 DTLB, the line in the L1D, and a store that overlaps the load can
 * forward its bytes. */
INLINED void run_load(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info, bool update,
                      bool counted)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t linear = insn->linear[0], physical, address, cycle, ready;
    struct truth_row *row = info->row;
    const struct store *store;
    struct lsu_port port;
    struct l1_line *found;

    if (RARELY(linear & info->mem[0].unaligned)) {
        (void)op_execute(vpmu, insn, 0, false, counted);
        return;
    }
    if (!lsu_find_page(vpmu, linear, &physical)) {
        load_missed(vpmu, insn, counted);
        return;
    }
    address = op_address_ready(pipe, info);
    port = op_take_port(vpmu, linear, address, 0);
    cycle = port.cycle;
    if (RARELY(port.bits) || RARELY(pipe->unknown > cycle) ||
        !lsu_one_store_at_most(pipe, linear, info->mem[0].size, cycle, &store) ||
        !(found = caches_plain_line(&vpmu->caches, physical, cycle, update))) {
        load_slow(vpmu, insn, physical, port, counted);
        return;
    }
    row->loads++;
    ready = cycle + L1_LATENCY;
    if (store) {
        row->forwarded++;
        ready = lsu_forwarded(store, cycle, info->load_extra);
    }
    if (counted)
        op_signal_usual(vpmu, ready);
    if (update)
        found->modified |= LINE_DIRTY;
    finish_load(vpmu, insn, info, (struct access_times){address, cycle}, ready + info->load_extra, 0, update, counted);
}

/* ---------------------------------------------------------------- stores */

/* Finishes a store. cycle: the address is known; owned: as in op_queue(). */
INLINED void finish_store(struct vpmu *vpmu, const struct insn_info *info, uint64_t linear, uint64_t cycle,
                          uint64_t owned, bool counted)
{
    info->row->stores++;
    if (counted)
        op_signal_usual(vpmu, cycle);
    op_queue(vpmu, info, linear, (struct access_times){cycle, cycle},
             op_complete(vpmu, info, NO_ACCESS, vpmu->pipe.cycle + 1, counted), owned);
}

static __attribute__((noinline)) void store_slow(struct vpmu *vpmu, const struct announced *insn,
                                                 struct lsu_translation translation, bool counted)
{
    uint64_t cycle = op_address_ready(&vpmu->pipe, insn->info);
    uint64_t owned = op_store(vpmu, insn, translation, cycle);

    finish_store(vpmu, insn->info, insn->linear[0], cycle, owned, counted);
}

/* Stores on the fast path: the page is in the L1 DTLB, the line in the L1D. */
INLINED void run_store(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info, bool counted)
{
    uint64_t linear = insn->linear[0], physical, cycle;
    struct l1_line *found;

    if (RARELY(linear & info->mem[0].unaligned)) {
        (void)op_execute(vpmu, insn, 0, false, counted);
        return;
    }
    if (!lsu_find_page(vpmu, linear, &physical)) {
        store_slow(vpmu, insn, lsu_translate_missed(vpmu, linear), counted);
        return;
    }
    cycle = op_address_ready(&vpmu->pipe, info);
    found = caches_plain_line(&vpmu->caches, physical, cycle, true);
    if (RARELY(!found)) {
        store_slow(vpmu, insn, (struct lsu_translation){.physical = physical}, counted);
        return;
    }
    found->modified |= LINE_DIRTY;
    finish_store(vpmu, info, linear, cycle, 0, counted);
}

/* ---------------------------------------------------------------- any */

/* Fetches and dispatches the instruction. Returns true if it may be tagged. */
INLINED bool begin(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info, uint64_t last)
{
    struct truth_row *row = info->row;

    frontend_fetch(vpmu, insn, last);
    dispatch(vpmu, info, 0);
    row->executions++;
    return ibs_op_counted(&vpmu->ibs);
}

/* Ends a direct branch, or an instruction outside of the map. */
INLINED void end_jump(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool taken, bool counted)
{
    const struct insn_info *info = insn->info;

    if (info->kind == KIND_BRANCH) {
        info->row->branches++;
        info->row->taken += taken;
        if (counted) {
            vpmu->signals.branches++;
            vpmu->signals.taken += taken;
        }
    }
    if (taken) {
        dispatch_close(&vpmu->pipe);
        frontend_taken(vpmu);
        if (RARELY(vpmu->branches.on))
            branches_record(vpmu, info->branch, insn->rip, next_rip, false);
    }
}

/* Runs an instruction. Branches are predicted first; wrongly predicted ones are left to pipeline_run_other(). */
INLINED void run(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, enum insn_kind kind, bool counted)
{
    const struct insn_info *info = insn->info;
    uint64_t last = info->last;
    bool taken = false;

    if (kind >= KIND_BRANCH) {
        if (kind == KIND_BRANCH) {
            struct branch branch = {.kind = info->branch, .rip = insn->rip, .target = next_rip};

            taken = branch.taken = next_rip != insn->rip + info->length;
            if (!predict_usual(&vpmu->predictor, &branch))
                kind = KIND_OTHER;
        } else if (kind == KIND_OUTSIDE) {
            /* Lengths are not known: up to 15 bytes forward is the next instruction, all else is a jump. */
            taken = next_rip - insn->rip - 1 >= 15;
            last = insn->rip >> FETCH_SHIFT;
        }
        if (kind >= KIND_OTHER) {
            pipeline_run_other(vpmu, insn, next_rip, counted);
            return;
        }
    }
    if (begin(vpmu, insn, info, last))
        (void)op_execute(vpmu, insn, kind == KIND_BRANCH ? VDATA_BRANCH | (taken ? VDATA_TAKEN : 0) : 0, true, counted);
    else if (kind == KIND_LOAD)
        run_load(vpmu, insn, info, false, counted);
    else if (kind == KIND_STORE)
        run_store(vpmu, insn, info, counted);
    else if (kind == KIND_UPDATE)
        run_load(vpmu, insn, info, true, counted);
    else
        (void)op_complete(vpmu, info, NO_ACCESS, vpmu->pipe.cycle + 1, counted);
    if (kind >= KIND_BRANCH)
        end_jump(vpmu, insn, next_rip, taken, counted);
}

/* Runs without work for counters. */
static __attribute__((noinline)) void run_uncounted(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    run(vpmu, insn, next_rip, insn->info->kind, false);
}

/* Runs with it. */
INLINED void run_counted(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    const struct insn_info *info = insn->info;

    pmc_truth_place(vpmu, &vpmu->pmc_truth, info->kind != KIND_OUTSIDE);
    run(vpmu, insn, next_rip, info->kind, true);
    vpmu->signals.instructions += !info->repeats || next_rip != insn->rip;
    vpmu->signals.ops += info->ops;
    if (info->fp.set)
        pipeline_count_fp(&vpmu->signals, info);
    if (pmc_retired(vpmu, &vpmu->pmc, vpmu->pipe.retire_cycle))
        pmc_check(vpmu);
}

/* Runs while counters or the timer may be on. */
INLINED void run_busy(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    if (USUALLY(vpmu->pmc.enabled & ~vpmu->pmc.starting))
        run_counted(vpmu, insn, next_rip);
    else
        run_uncounted(vpmu, insn, next_rip);
    if (RARELY(vpmu->pmc.starting))
        pmc_start_waiting(vpmu);
}

void pipeline_run(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    if (vpmu->busy)
        run_busy(vpmu, insn, next_rip);
    else
        run_uncounted(vpmu, insn, next_rip);
}

void pipeline_retired(struct vpmu *vpmu)
{
    if (RARELY(vpmu->apic.waiting || vpmu->apic.counting || vpmu->config.disturb)) {
        apic_retired(vpmu);
        pipeline_choose_steps(vpmu);
    }
}

/* ---------------------------------------------------------------- a step: one instruction, and what interrupts come */

INLINED bool end_busy(struct vpmu *vpmu)
{
    if (RARELY(vpmu->ibs.requests || vpmu->apic.due))
        return vpmu_take_requests(vpmu);
    return false;
}

static bool step_busy(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    run_busy(vpmu, insn, next_rip);
    pipeline_retired(vpmu);
    return end_busy(vpmu);
}

static __attribute__((noinline)) bool end_checked(struct vpmu *vpmu)
{
    pmc_check(vpmu);
    pipeline_retired(vpmu);
    return end_busy(vpmu);
}

/* Steps an instruction of a known kind, so that nothing of the others is checked: one op, which is in the map. */
INLINED bool step_kind(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, enum insn_kind kind,
                       bool counted)
{
    const struct insn_info *info = insn->info;

    if (counted)
        pmc_truth_place(vpmu, &vpmu->pmc_truth, true);
    run(vpmu, insn, next_rip, kind, counted);
    if (counted) {
        vpmu->signals.instructions++;
        vpmu->signals.ops++;
        if (info->fp.set)
            pipeline_count_fp(&vpmu->signals, info);
        if (pmc_retired(vpmu, &vpmu->pmc, vpmu->pipe.retire_cycle))
            return end_checked(vpmu);
        return end_busy(vpmu);
    }
    if (RARELY(vpmu->ibs.requests))
        return vpmu_take_requests(vpmu);
    return false;
}

#define STEPS(name, kind)                                                                                              \
    static bool step_##name(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)                        \
    {                                                                                                                  \
        return step_kind(vpmu, insn, next_rip, kind, false);                                                           \
    }                                                                                                                  \
    static bool counted_##name(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)                     \
    {                                                                                                                  \
        return step_kind(vpmu, insn, next_rip, kind, true);                                                            \
    }
STEPS(plain, KIND_PLAIN)
STEPS(load, KIND_LOAD)
STEPS(store, KIND_STORE)
STEPS(update, KIND_UPDATE)
STEPS(branch, KIND_BRANCH)

static bool step_other(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    pipeline_run_other(vpmu, insn, next_rip, false);
    return RARELY(vpmu->ibs.requests) && vpmu_take_requests(vpmu);
}

static bool step_any(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    run_uncounted(vpmu, insn, next_rip);
    return RARELY(vpmu->ibs.requests) && vpmu_take_requests(vpmu);
}

static enum stepping stepping_of(const struct vpmu *vpmu)
{
    const struct local_apic *apic = &vpmu->apic;

    if (!vpmu->busy)
        return STEP_ALONE;
    if (!vpmu->pmc.enabled || vpmu->pmc.starting || apic->waiting || apic->counting || apic->due ||
        vpmu->config.disturb)
        return STEP_BUSY;
    return STEP_COUNTED;
}

void pipeline_choose_steps(struct vpmu *vpmu)
{
    enum stepping stepping = stepping_of(vpmu);
    bool counted = stepping == STEP_COUNTED;

    if (vpmu->step[0] && vpmu->stepping == stepping)
        return;
    vpmu->stepping = (uint8_t)stepping;
    for (uint32_t kind = 0; kind < KINDS; kind++)
        vpmu->step[kind] = stepping == STEP_ALONE ? step_any : step_busy;
    if (stepping == STEP_BUSY)
        return;
    vpmu->step[KIND_PLAIN] = counted ? counted_plain : step_plain;
    vpmu->step[KIND_LOAD] = counted ? counted_load : step_load;
    vpmu->step[KIND_STORE] = counted ? counted_store : step_store;
    vpmu->step[KIND_UPDATE] = counted ? counted_update : step_update;
    vpmu->step[KIND_BRANCH] = counted ? counted_branch : step_branch;
    if (!counted)
        vpmu->step[KIND_OTHER] = vpmu->step[KIND_SPECIAL] = step_other;
}
