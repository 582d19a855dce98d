/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fast paths for the instructions that make up nearly all of a program: one op, at most one operand in memory, a hit in
 * the DTLB and the data cache. Rarer cases continue in a separate function, so that the fast paths need not save
 * registers for them, or in op_execute().
 *
 * The results are those of the general path, pipeline_run_other(): tests/unit/vpmu/test_golden.c.
 */
#include "vpmu/model/macro_op.h"

/* Fetches and dispatches the instruction. True: it may be tagged. */
INLINED bool begin(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info)
{
    struct truth_row *row = info->row;

    dispatch(vpmu, info, 0, frontend_fetch(vpmu, insn, info->last));
    row->executions++;
    return ibs_op_counted(&vpmu->ibs);
}

/* The same for one with an operand. False: it has run already, because it may be tagged or is misaligned. */
INLINED bool begin_access(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info, bool counted)
{
    bool may_be_tagged = begin(vpmu, insn, info);

    if (!may_be_tagged && USUALLY(!(insn->linear[0] & info->mem[0].unaligned)))
        return true;
    (void)op_execute(vpmu, insn, 0, may_be_tagged, counted);
    return false;
}

INLINED void run_plain(struct vpmu *vpmu, const struct announced *insn, bool counted)
{
    const struct insn_info *info = insn->info;

    if (begin(vpmu, insn, info))
        (void)op_execute(vpmu, insn, 0, true, counted);
    else
        (void)op_complete(vpmu, info, NO_ACCESS, vpmu->pipe.cycle + 1, counted);
}

/* ---------------------------------------------------------------- loads */

/* The data is ready. update: the instruction stores its result to the same place. */
INLINED void finish_load(struct vpmu *vpmu, const struct announced *insn, const struct insn_info *info,
                         struct access_times times, uint64_t data, bool update, bool counted)
{
    uint64_t cycle = op_complete(vpmu, info, update ? NO_ACCESS : times, data, counted);

    if (!update)
        return;
    info->row->stores++;
    vpmu->signals.dc_accesses += counted;
    op_queue(vpmu, info, insn->linear[0], times, cycle);
}

/* Any aligned, translated load. The store of an update finds the line in the L1D, where its load has put it. */
static __attribute__((noinline)) void load_slow(struct vpmu *vpmu, const struct announced *insn,
                                                struct lsu_translation translation, bool update, bool counted)
{
    struct access_times times = {.address = op_address_ready(&vpmu->pipe, insn->info)};
    uint64_t data = op_load(vpmu, insn, translation, &times, update, counted);

    if (update && translation.physical != PHYSICAL_NONE)
        caches_modify(&vpmu->caches, translation.physical);
    finish_load(vpmu, insn, insn->info, times, data, update, counted);
}

/* The fast path: a port is free, the line is in the L1D, and a store that overlaps the load can forward its bytes. */
INLINED void run_load(struct vpmu *vpmu, const struct announced *insn, bool update, bool counted)
{
    const struct insn_info *info = insn->info;
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t linear = insn->linear[0], cycle, ready;
    struct lsu_translation translation;
    const struct store *store;
    struct port_use *use;
    struct l1_line *found;

    if (!begin_access(vpmu, insn, info, counted))
        return;
    translation = lsu_translate(vpmu, linear);
    cycle = op_address_ready(pipe, info); /* translations that take time do not come here */
    use = &pipe->port[cycle & (PORT_RING - 1)];
    if (RARELY(translation.bits) || (use->cycle == cycle && !lsu_port_shared(use, linear)) ||
        !lsu_one_store_at_most(pipe, linear, info->mem[0].size, cycle, &store) ||
        !(found = caches_plain_line(&vpmu->caches, translation.physical, cycle, update))) {
        load_slow(vpmu, insn, translation, update, counted);
        return;
    }
    lsu_use_port(use, cycle, linear);
    info->row->loads++;
    ready = cycle + L1_LATENCY;
    if (store) {
        info->row->forwarded++;
        ready = later(store->data, cycle) + L1_LATENCY;
    }
    if (counted)
        op_signal_usual(vpmu, ready);
    if (update)
        found->modified |= LINE_DIRTY;
    finish_load(vpmu, insn, info, (struct access_times){cycle, cycle}, ready + info->load_extra, update, counted);
}

/* ---------------------------------------------------------------- stores */

/* The line is in the L1D. cycle: the address is known. */
INLINED void finish_store(struct vpmu *vpmu, const struct insn_info *info, uint64_t linear, uint64_t cycle,
                          bool counted)
{
    info->row->stores++;
    if (counted)
        op_signal_usual(vpmu, cycle);
    op_queue(vpmu, info, linear, (struct access_times){cycle, cycle},
             op_complete(vpmu, info, NO_ACCESS, vpmu->pipe.cycle + 1, counted));
}

static __attribute__((noinline)) void store_slow(struct vpmu *vpmu, const struct announced *insn,
                                                 struct lsu_translation translation, bool counted)
{
    uint64_t cycle = op_address_ready(&vpmu->pipe, insn->info);

    op_store(vpmu, insn, translation, cycle);
    finish_store(vpmu, insn->info, insn->linear[0], cycle, counted);
}

INLINED void run_store(struct vpmu *vpmu, const struct announced *insn, bool counted)
{
    uint64_t linear = insn->linear[0], cycle;
    struct lsu_translation translation;
    struct l1_line *found;

    if (!begin_access(vpmu, insn, info, counted))
        return;
    translation = lsu_translate(vpmu, insn->linear[0]);
    cycle = op_address_ready(&vpmu->pipe, info);
    found = caches_plain_line(&vpmu->caches, translation.physical, cycle + translation.cycles, true);
    if (RARELY(translation.bits) || RARELY(!found)) {
        store_slow(vpmu, insn, translation, counted);
        return;
    }
    found->modified |= LINE_DIRTY;
    finish_store(vpmu, info, linear, cycle, counted);
}

/* ---------------------------------------------------------------- branches */

/* A direct branch that is predicted right; any other is left to pipeline_run_other(). */
INLINED void run_branch(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool counted)
{
    const struct insn_info *info = insn->info;
    struct branch branch = {
        .kind = info->branch, .rip = insn->rip, .target = next_rip, .taken = next_rip != insn->rip + info->length};
    bool may_be_tagged;

    if (!predict_usual(&vpmu->predictor, &branch)) {
        pipeline_run_other(vpmu, insn, next_rip, counted);
        return;
    }
    may_be_tagged = begin(vpmu, insn, info);
    info->row->branches++;
    if (counted) {
        vpmu->signals.branches++;
        vpmu->signals.taken += branch.taken;
    }
    if (may_be_tagged)
        (void)op_execute(vpmu, insn, VDATA_BRANCH | (branch.taken ? VDATA_TAKEN : 0), true, counted);
    else
        (void)op_complete(vpmu, info, NO_ACCESS, vpmu->pipe.cycle + 1, counted);
    if (branch.taken) {
        info->row->taken++;
        dispatch_close(&vpmu->pipe);
        frontend_taken(vpmu);
    }
}

/* ---------------------------------------------------------------- outside of the map */

/* Lengths are not known: up to 15 bytes forward is the next instruction, all else is a jump. */
INLINED void run_outside(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool counted)
{
    run_plain(vpmu, insn, counted);
    if (next_rip - insn->rip - 1 < 15)
        return;
    dispatch_close(&vpmu->pipe);
    frontend_taken(vpmu);
}

/* ---------------------------------------------------------------- any */

/* Ordered by frequency. */
INLINED void run(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool counted)
{
    uint8_t kind = insn->info->kind;

    if (kind == KIND_LOAD)
        run_load(vpmu, insn, false, counted);
    else if (kind == KIND_PLAIN)
        run_plain(vpmu, insn, counted);
    else if (kind == KIND_STORE)
        run_store(vpmu, insn, counted);
    else if (kind == KIND_BRANCH)
        run_branch(vpmu, insn, next_rip, counted);
    else if (kind == KIND_UPDATE)
        run_load(vpmu, insn, true, counted);
    else if (kind == KIND_OUTSIDE)
        run_outside(vpmu, insn, next_rip, counted);
    else
        pipeline_run_other(vpmu, insn, next_rip, counted);
}

void pipeline_run(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    run(vpmu, insn, next_rip, false);
}

void pipeline_run_counted(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip)
{
    const struct insn_info *info = insn->info;

    run(vpmu, insn, next_rip, true);
    vpmu->signals.instructions += !info->repeats || next_rip != insn->rip;
    vpmu->signals.ops += info->ops;
    if (info->fp.set)
        pipeline_count_fp(&vpmu->signals, info);
}
