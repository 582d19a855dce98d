/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One macro-op, from dispatch to retirement, with all that is counted of it.
 */
#ifndef VPMU_MACRO_OP_H
#define VPMU_MACRO_OP_H

#include "vpmu/model/pipeline/commit.h"
#include "vpmu/model/pipeline/dispatch.h"
#include "vpmu/model/pipeline/loadstore.h"

/* The bits that most accesses have; the others are examined only when one is set. */
#define USUAL_BITS (VDATA3_LOAD | VDATA3_STORE | VDATA3_LIN_VALID | VDATA3_PHY_VALID)

/* Counts an access's bits beyond USUAL_BITS for the row's instruction. */
void op_count_unusual(struct truth *truth, struct truth_row *row, uint64_t bits, uint32_t latency);

/* Runs an op of any kind, number 'op' of the instruction; 'after': cycle in which the op before it completed;
 * 'branch': IbsOpData 37:32. Returns the cycle in which this op completes. */
uint64_t op_run(struct vpmu *vpmu, const struct announced *insn, uint32_t op, uint64_t after, uint64_t branch,
                bool counted);
/* Executes the only op of an instruction, already dispatched; may_be_tagged: the result of ibs_op_counted(). */
uint64_t op_execute(struct vpmu *vpmu, const struct announced *insn, uint64_t branch, bool may_be_tagged, bool counted);

/* Counts, for the data cache's performance events, an access of at most eight bytes that is not misaligned. */
INLINED void op_signal_usual(struct vpmu *vpmu, uint64_t cycle)
{
    vpmu->pipe.access_cycle = cycle;
    vpmu->signals.dc_accesses++;
}

/* Returns the cycle in which the address of the only operand is known. */
INLINED uint64_t op_address_ready(const struct pipeline *pipe, const struct insn_info *info)
{
    uint64_t cycle = later(pipe->cycle + 1, pipe->ready[info->waits[0]]);

    return info->waits[1] == NEVER_WRITTEN ? cycle : later(cycle, pipe->ready[info->waits[1]]);
}

/* Takes the port of an aligned load whose address is known in the given cycle, and translated in so many. */
INLINED struct lsu_port op_take_port(struct vpmu *vpmu, uint64_t linear, uint64_t address, uint32_t translation)
{
    if (RARELY(vpmu->pipe.fence > address))
        address = vpmu->pipe.fence;
    return lsu_take_port(vpmu, address + translation, linear);
}

/* Makes an aligned load, from its port on. times: the address is known; the rest is filled in. update: its op stores
 * to the same place, and stays in LS2 for that. Returns the cycle in which the op has its data. */
INLINED uint64_t op_load(struct vpmu *vpmu, const struct announced *insn, struct lsu_translation translation,
                         struct lsu_port port, struct access_times *times, bool update, bool counted)
{
    const struct insn_info *info = insn->info;
    uint64_t linear = insn->linear[0], ready;
    uint32_t size = info->mem[0].size, bits = translation.bits | VDATA3_LOAD;
    uint64_t cycle = port.cycle;
    const struct store *store;
    struct dc_result found;

    times->looks_up = cycle - translation.cycles;
    bits |= (uint32_t)port.bits;
    if (RARELY(vpmu->pipe.unknown > cycle))
        cycle = lsu_pass(vpmu, insn->rip, linear, size, cycle);
    if (!lsu_one_store_at_most(&vpmu->pipe, linear, size, cycle, &store))
        store = lsu_store_of(vpmu, linear, size, cycle);
    if (store && !lsu_forwards(store, linear, size, false)) {
        bits |= VDATA3_CANCELLED;
        cycle = lsu_cancel(vpmu, store, linear, size);
        store = NULL;
    }
    found = lsu_look_up(vpmu, translation.physical, cycle, false);
    if (store)
        bits |= lsu_take_bytes(store, cycle, info->load_extra, &found);
    ready = found.ready;
    if (!update && (found.miss || translation.cycles))
        times->looks_up = ls2_enter(&vpmu->pipe, times->looks_up, ready);
    info->row->loads++;
    bits |= lsu_miss_bits(found);
    if (bits == (VDATA3_LOAD | VDATA3_FORWARDED))
        info->row->forwarded++;
    else if (bits != VDATA3_LOAD)
        op_count_unusual(&vpmu->truth, info->row, bits, found.latency);
    if (counted)
        op_signal_usual(vpmu, ready - found.latency);
    return ready + info->load_extra;
}

/* Makes a store's access, without the counts common to all accesses. cycle: its address is known. Returns the cycle
 * from which the line is owned, 0: at once. */
INLINED uint64_t op_store(struct vpmu *vpmu, const struct announced *insn, struct lsu_translation translation,
                          uint64_t cycle)
{
    uint64_t begin = cycle + translation.cycles;
    struct dc_result found = lsu_look_up(vpmu, translation.physical, begin, true);
    uint32_t bits = translation.bits | lsu_miss_bits(found);

    if (bits)
        op_count_unusual(&vpmu->truth, insn->info->row, bits, found.latency);
    return lsu_owned(found, begin);
}

/* Sends the store of a retired op, its only operand, to the cache. data: cycle in which it can be forwarded; owned:
 * cycle from which its line is owned. */
INLINED void op_queue(struct vpmu *vpmu, const struct insn_info *info, uint64_t linear, struct access_times times,
                      uint64_t data, uint64_t owned)
{
    struct pipeline *pipe = &vpmu->pipe;
    uint64_t leaves = lsu_leaves(pipe, pipe->retire_cycle, owned);

    store_enters(pipe, info, times, leaves);
    lsu_queue(vpmu, linear, info->mem[0].size, times.address, data, leaves);
}

/* Retires an op that completes in the given cycle. Returns the cycle in which it retires. */
INLINED uint64_t op_retire(struct vpmu *vpmu, const struct insn_info *info, uint64_t cycle, bool counted)
{
    uint64_t last = vpmu->pipe.retire_cycle, retired = commit(vpmu, info->row, cycle);

    if (counted && vpmu->pmc.each_op) {
        if (vpmu->params->slots && cycle > last)
            dispatch_no_retire(vpmu, info, last, cycle);
        pmc_op_retired(&vpmu->pmc, vpmu->pipe.retire_count, retired);
    }
    return retired;
}

#define NO_ACCESS ((struct access_times){0, 0})

/* Completes an op with its data in the given cycle: waits for registers, retires. Returns the cycle of completion. The
 * last op of an instruction writes the registers; the others take a cycle. */
INLINED uint64_t op_complete(struct vpmu *vpmu, const struct insn_info *info, struct access_times access,
                             uint64_t cycle, bool counted)
{
    struct pipeline *pipe = &vpmu->pipe;

    if (RARELY(info->more)) {
        cycle = op_complete_more(pipe, info, access, cycle);
    } else {
        cycle = later(cycle, pipe->ready[info->read[0]]);
        op_issues(pipe, info, access, cycle);
        cycle += info->latency;
        pipe->ready[info->written[0]] = cycle;
        pipe->ready[info->written[1]] = cycle;
    }
    (void)op_retire(vpmu, info, cycle, counted);
    return cycle;
}
INLINED uint64_t op_complete_inner(struct vpmu *vpmu, const struct insn_info *info, struct access_times access,
                                   uint64_t cycle, bool counted)
{
    struct pipeline *pipe = &vpmu->pipe;

    cycle = op_reads(pipe, info, cycle);
    op_issues(pipe, info, access, cycle);
    cycle++;
    (void)op_retire(vpmu, info, cycle, counted);
    return cycle;
}

#endif
