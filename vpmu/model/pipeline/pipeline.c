/* SPDX-License-Identifier: BSD-2-Clause */
#include "vpmu/model/pipeline/macro_op.h"
#include "vpmu/model/pmu/branch_sampling.h"

/* Returns IbsOpData 37:32 of an instruction's last op. */
static uint64_t branch_bits(const struct branch *branch, enum branch_result result, bool serial)
{
    uint64_t bits = serial ? VDATA_RESYNC : 0;

    if (branch->kind == CODEMAP_BR_NONE)
        return bits;
    bits |= VDATA_BRANCH | (branch->taken ? VDATA_TAKEN : 0) | (result == BRANCH_WRONG ? VDATA_MISP : 0);
    if (branch->kind == CODEMAP_BR_RETURN)
        bits |= VDATA_RETURN | (result == BRANCH_WRONG ? VDATA_MISP_RETURN : 0);
    return bits;
}

static void signal_branch(struct signals *signals, const struct branch *branch, enum branch_result result)
{
    bool wrong = result == BRANCH_WRONG;

    signals->branches++;
    signals->taken += branch->taken;
    signals->mispredicted += wrong;
    signals->taken_mispredicted += branch->taken && wrong;
    if (branch->kind == CODEMAP_BR_RETURN) {
        signals->returns++;
        signals->returns_mispredicted += wrong;
    } else if (branch->kind == CODEMAP_BR_JUMP_INDIRECT || branch->kind == CODEMAP_BR_CALL_INDIRECT) {
        signals->indirect_mispredicted += wrong;
    }
}

/* Returns whether a return leaves the map to a call that was not announced: the processor's return stack has it, the
 * model's cannot. */
static bool returns_outside(const struct vpmu *vpmu, const struct branch *branch)
{
    return branch->kind == CODEMAP_BR_RETURN && vpmu->predictor.depth == 0 &&
           codemap_find(vpmu->config.map, branch->target - vpmu->config.image_base) < 0;
}

/* Runs branches, serialising instructions, several ops. */
static void run_special(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool counted)
{
    const struct insn_info *info = insn->info;
    struct truth_row *row = info->row;
    struct branch branch;
    enum branch_result result = BRANCH_RIGHT;
    uint64_t wrong_path = 0, complete = 0, bits;
    bool abandons;

    branch.kind = info->branch;
    branch.rip = insn->rip;
    branch.fall_through = insn->rip + info->length;
    branch.target = next_rip;
    branch.taken = branch.kind && next_rip != branch.fall_through;
    if (branch.kind) {
        if (!returns_outside(vpmu, &branch))
            result = predict(&vpmu->predictor, &branch, &wrong_path);
        row->branches++;
        row->taken += branch.taken;
        row->mispredicted += result == BRANCH_WRONG;
        if (counted)
            signal_branch(&vpmu->signals, &branch, result);
    }
    if (branch.taken && RARELY(vpmu->branches.on))
        branches_record(vpmu, info->branch, insn->rip, next_rip, result == BRANCH_WRONG);
    bits = branch_bits(&branch, result, info->serial);
    if (info->vector)
        dispatch_close(&vpmu->pipe);
    for (uint32_t op = 0; op < info->ops; op++) {
        complete = op_run(vpmu, insn, op, complete, bits, counted);
        if (counted && info->paired && op == 0)
            vpmu->signals.doubles[vpmu->pipe.slots - 1]++;
    }
    if (counted) {
        vpmu->signals.microcode_ops += info->vector ? info->ops : 0;
        vpmu->signals.resyncs += info->serial;
    }
    if (info->vector || branch.taken)
        dispatch_close(&vpmu->pipe);
    abandons = result == BRANCH_WRONG && !(vpmu->config.free & FREE_PREDICTION);
    if (abandons)
        dispatch_abort(&vpmu->pipe);
    if (branch.kind || branch.taken)
        frontend_branch(vpmu, result, &branch, wrong_path, complete - info->latency);
    if (abandons)
        vpmu->pipe.wrong_until = vpmu->front.earliest;
    if (info->serial)
        pipeline_drain(vpmu, &vpmu->signals.serial);
}

/* ---------------------------------------------------------------- instructions */

void pipeline_run_other(struct vpmu *vpmu, const struct announced *insn, uint64_t next_rip, bool counted)
{
    frontend_fetch(vpmu, insn, insn->info->last);
    insn->info->row->executions++;
    if (insn->info->kind == KIND_OTHER)
        (void)op_run(vpmu, insn, 0, 0, 0, counted);
    else
        run_special(vpmu, insn, next_rip, counted);
}

void pipeline_count_fp(struct signals *signals, const struct insn_info *info)
{
    signals->fp_insns[info->fp.set - 1]++;
    if (info->fp.kind == FP_KIND_NONE)
        return;
    if (info->fp.set == FP_X87) {
        signals->x87[info->fp.kind]++;
    } else {
        signals->sse_uops[info->fp.kind] += info->ops;
        signals->sse_flops[info->fp.kind] += info->fp.flops;
    }
}
