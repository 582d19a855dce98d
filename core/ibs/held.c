/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ibs/held.h"

#include "core/base/mem.h"
#include "core/family/ibs_regs.h"

enum {
    LEAST_PARTS = 100, /* the least is the first value that 1 / LEAST_PARTS of the ops have; rarer ones are odd cases */
    /* Cycles from a branch's tag to its completion up to which nothing is late: dispatch, execution, and the next ops
     * would have been dispatched a cycle after the branch anyway. The refill from there on is 0C3h's. */
    BRANCH_AT_ONCE = 3,
};

/* Returns a load's source; 5 and 6 are reserved, 7 is no memory. */
static enum held_source source_of(uint64_t data2)
{
    switch (ibs_nb_req_src(data2)) {
    case IBS_NB_NONE:
        return HELD_L2;
    case IBS_NB_L3:
        return HELD_L3;
    case IBS_NB_CACHE:
    case IBS_NB_REMOTE_CACHE:
        return HELD_CACHE;
    case IBS_NB_DRAM:
        return HELD_DRAM;
    default:
        return HELD_SOURCES;
    }
}

static void add_access(struct held_sums *sums, const uint64_t *reg, uint32_t complete)
{
    uint64_t data3 = reg[IBS_OP_DATA3];
    bool load = ibs_ld_op(data3), forwarded = load && (data3 & IBS_DC_ST_TO_LD_FWD), missed = false;

    if (load && ibs_dc_miss(data3) && !forwarded) {
        enum held_source source = source_of(reg[IBS_OP_DATA2]);

        if (source < HELD_SOURCES)
            sums->miss_cycles[source] += ibs_dc_miss_lat(data3);
        if (source < HELD_SOURCES && ibs_dc_locked_op(data3))
            sums->locked_cycles += ibs_dc_miss_lat(data3);
        missed = source < HELD_SOURCES;
    }
    if (ibs_dc_lin_addr_valid(data3) && ibs_dc_l1tlb_miss(data3)) {
        sums->walks += ibs_dc_l2tlb_miss(data3);
        sums->tlb_hits += !ibs_dc_l2tlb_miss(data3);
        sums->refill_cycles += load ? IBS_FIELD(data3, 63, 48) : 0; /* IbsTlbRefillLat; reserved on Family 10h */
        missed |= load && IBS_FIELD(data3, 63, 48) != 0;
    }
    sums->loads += load;
    sums->missed += missed;
    if (load && ibs_dc_locked_op(data3)) {
        sums->lock_least = sums->locks++ && sums->lock_least < complete ? sums->lock_least : complete;
    } else if (load) {
        uint64_t own = (ibs_dc_miss(data3) ? ibs_dc_miss_lat(data3) : HELD_HIT) + IBS_FIELD(data3, 63, 48);

        sums->load_cycles += own < complete ? own : complete;
    }
    sums->forwarded += forwarded;
    if (load && ibs_dc_st_to_ld_can(data3))
        sums->cancelled_cycles += complete;
}

static void add_branch(struct held *held, uint64_t rip, uint32_t complete)
{
    struct held_branch *branch = held->branch;

    while (branch < held->branch + held->branches && branch->rip != rip)
        branch++;
    if (branch == held->branch + HELD_BRANCHES)
        branch--;
    if (branch == held->branch + held->branches) {
        held->branches++;
        *branch = (struct held_branch){.rip = rip, .least = complete};
    }
    branch->samples++;
    if (complete < branch->least)
        branch->least = complete;
}

void held_add(struct held *held, const struct sample_record *record)
{
    uint64_t data = record->reg[IBS_OP_DATA];
    uint32_t wait = ibs_op_comp_to_ret(data), retire = ibs_op_tag_to_ret(data);
    uint32_t complete = retire > wait ? retire - wait : 0;

    if (record->kind != SAMPLE_OP)
        return;
    held->shortest = held->ops++ && held->shortest < retire ? held->shortest : retire;
    held->in_flight += retire;
    held->loads += ibs_ld_op(record->reg[IBS_OP_DATA3]);
    held->misaligned += ibs_ld_op(record->reg[IBS_OP_DATA3]) && (record->reg[IBS_OP_DATA3] & IBS_DC_MIS_ACC);
    if (wait < HELD_LEASTS) {
        held->by_wait[wait].ops++;
        if (record->reg[IBS_OP_DATA3] & (IBS_LD_OP | IBS_ST_OP))
            add_access(&held->by_wait[wait], record->reg, complete);
    }
    if ((data & (IBS_OP_BRN_RET | IBS_OP_BRN_MISP)) == (IBS_OP_BRN_RET | IBS_OP_BRN_MISP))
        add_branch(held, record->reg[IBS_OP_RIP], complete);
}

void held_work_out(struct held_result *result, const struct held *held)
{
    unsigned least = 0;

    while (least < HELD_LEASTS - 1 && held->by_wait[least].ops * LEAST_PARTS <= held->ops)
        least++;
    *result = (struct held_result){.ops = held->ops,
                                   .in_flight = held->in_flight,
                                   .shortest = held->shortest,
                                   .loads = held->loads,
                                   .misaligned = held->misaligned,
                                   .least = least,
                                   .sums = held->by_wait[least]};
    if (least + 1 < HELD_LEASTS)
        result->sums.forwarded += held->by_wait[least + 1].forwarded;
    for (unsigned i = 0; i < held->branches; i++) {
        const struct held_branch *branch = &held->branch[i];

        result->mispredicted += branch->samples;
        if (branch->least > BRANCH_AT_ONCE)
            result->late_cycles += branch->samples * (branch->least - BRANCH_AT_ONCE);
    }
}
