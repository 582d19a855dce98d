/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_mem_data_src of an op sample.
 *
 * Sources: AMD BKDG 31116 (IbsOpData2, IbsOpData3), oprofile daemon/opd_ibs_trans.c for what is valid when; the words
 * for it (which level means "another core's cache") follow Linux arch/x86/events/amd/ibs.c, perf_ibs_get_mem_lvl.
 */
#include "core/family/ibs_regs.h"
#include "core/perfdata/perfdata.h"
#include "core/perfdata/perfdata_format.h"

#define MEM(value, field) ((uint64_t)(value) << PERFDATA_MEM_##field)
#define LVL(flags)        MEM(PERFDATA_MEM_LVL_HIT | (flags), LVL)
/* Another node. No hops: whether it is another socket the sample does not say. */
#define REMOTE MEM(1, REMOTE)

/* Where a load that missed the DC was served. The northbridge's answer, if there is one, else MAB or L2: a request that
 * the L2 answers never reaches the northbridge. */
static uint64_t level_of_miss(uint64_t data2, uint64_t data3)
{
    bool remote = ibs_nb_dst_proc(data2);
    switch (ibs_nb_req_src(data2)) {
    case IBS_NB_L3:
        return remote ? LVL(PERFDATA_MEM_LVL_REM_CCE2) | MEM(PERFDATA_MEM_LVLNUM_ANY_CACHE, LVLNUM) | REMOTE
                      : LVL(PERFDATA_MEM_LVL_L3) | MEM(PERFDATA_MEM_LVLNUM_L3, LVLNUM);
    case IBS_NB_CACHE: {
        uint64_t state = ibs_nb_cache_hit_st(data2) ? PERFDATA_MEM_SNOOP_HIT : PERFDATA_MEM_SNOOP_HITM;
        uint64_t level = MEM(PERFDATA_MEM_LVLNUM_ANY_CACHE, LVLNUM) | MEM(state, SNOOP);
        return remote ? level | LVL(PERFDATA_MEM_LVL_REM_CCE2) | REMOTE
                      : level | LVL(PERFDATA_MEM_LVL_L3 | PERFDATA_MEM_LVL_REM_CCE1) | MEM(PERFDATA_MEM_HOPS_0, HOPS);
    }
    case IBS_NB_DRAM:
        return MEM(PERFDATA_MEM_LVLNUM_RAM, LVLNUM) |
               (remote ? LVL(PERFDATA_MEM_LVL_REM_RAM1) | REMOTE : LVL(PERFDATA_MEM_LVL_LOC_RAM));
    case IBS_NB_OTHER:
        return LVL(PERFDATA_MEM_LVL_IO) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM) | (remote ? REMOTE : 0);
    default:
        return ibs_dc_mab_hit(data3) ? LVL(PERFDATA_MEM_LVL_LFB) | MEM(PERFDATA_MEM_LVLNUM_LFB, LVLNUM)
                                     : LVL(PERFDATA_MEM_LVL_L2) | MEM(PERFDATA_MEM_LVLNUM_L2, LVLNUM);
    }
}

/* Returns the level where IbsOpData2 is not a northbridge's answer: from Zen on. Bit 20 says whether the L2 had it; the
 * source means something with loads alone. */
static uint64_t level_of_source(const struct ibs_machine *machine, uint64_t data2, uint64_t data3, uint64_t valid)
{
    bool remote = ibs_nb_dst_proc(data2) && machine->row->node_sources >> ibs_raw_source(machine, data2) & 1;
    if (valid & IBS_DC_L2_MISS && !(data3 & IBS_DC_L2_MISS))
        return LVL(PERFDATA_MEM_LVL_L2) | MEM(PERFDATA_MEM_LVLNUM_L2, LVLNUM);
    switch (ibs_source_of(machine, data2)) {
    case IBS_SOURCE_L3:
        return LVL(PERFDATA_MEM_LVL_L3) | MEM(PERFDATA_MEM_LVLNUM_L3, LVLNUM);
    case IBS_SOURCE_NEAR:
    case IBS_SOURCE_CACHE:
        return LVL(PERFDATA_MEM_LVL_REM_CCE1) | MEM(PERFDATA_MEM_LVLNUM_ANY_CACHE, LVLNUM) |
               MEM(PERFDATA_MEM_HOPS_0, HOPS);
    case IBS_SOURCE_FAR_CACHE:
        return LVL(PERFDATA_MEM_LVL_REM_CCE2) | MEM(PERFDATA_MEM_LVLNUM_ANY_CACHE, LVLNUM) | REMOTE |
               MEM(PERFDATA_MEM_HOPS_1, HOPS);
    case IBS_SOURCE_DRAM:
        return MEM(PERFDATA_MEM_LVLNUM_RAM, LVLNUM) |
               (remote ? LVL(PERFDATA_MEM_LVL_REM_RAM1) | REMOTE | MEM(PERFDATA_MEM_HOPS_1, HOPS)
                       : LVL(PERFDATA_MEM_LVL_LOC_RAM));
    case IBS_SOURCE_LONG_LATENCY:
        return MEM(PERFDATA_MEM_LVLNUM_PMEM, LVLNUM) | (remote ? REMOTE | MEM(PERFDATA_MEM_HOPS_1, HOPS) : 0);
    case IBS_SOURCE_EXTENSION:
        return MEM(PERFDATA_MEM_LVLNUM_CXL, LVLNUM) | (remote ? REMOTE | MEM(PERFDATA_MEM_HOPS_1, HOPS) : 0);
    case IBS_SOURCE_OTHER:
        return LVL(PERFDATA_MEM_LVL_IO) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM);
    default: /* DcMissNoMabAlloc: another miss has a buffer for the line already */
        return data3 & IBS_DC_MAB_HIT ? LVL(PERFDATA_MEM_LVL_LFB) | MEM(PERFDATA_MEM_LVLNUM_LFB, LVLNUM)
                                      : MEM(PERFDATA_MEM_LVL_NA, LVL) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM);
    }
}

static uint64_t level_of(uint64_t data2, uint64_t data3)
{
    /* Uncached accesses do not look into the DC, so its bits mean nothing then; the northbridge may still say "other".
     */
    if (ibs_dc_uc_mem_acc(data3) && ibs_nb_req_src(data2) != IBS_NB_OTHER)
        return LVL(PERFDATA_MEM_LVL_UNC) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM);
    if (!ibs_dc_miss(data3))
        return LVL(PERFDATA_MEM_LVL_L1) | MEM(PERFDATA_MEM_LVLNUM_L1, LVLNUM);
    if (ibs_ld_op(data3))
        return level_of_miss(data2, data3);
    /* A store: the northbridge's answer comes too late for the sample. */
    return MEM(PERFDATA_MEM_LVL_MISS | PERFDATA_MEM_LVL_L1, LVL) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM);
}

/* Returns the level from Zen on. Of an uncacheable access the source alone is good, and that for I/O alone. */
static uint64_t later_level_of(const struct ibs_machine *machine, const struct sample_record *op)
{
    uint64_t valid[IBS_RECORD_REGS], data2 = op->reg[IBS_OP_DATA2], data3 = op->reg[IBS_OP_DATA3];
    ibs_valid_bits(machine, op, valid);
    if (ibs_dc_uc_mem_acc(data3))
        return MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM) |
               LVL(ibs_ld_op(data3) && ibs_source_of(machine, data2) == IBS_SOURCE_OTHER ? PERFDATA_MEM_LVL_IO
                                                                                         : PERFDATA_MEM_LVL_UNC);
    if (ibs_dc_miss(data3) && ibs_ld_op(data3))
        return level_of_source(machine, data2 & valid[IBS_OP_DATA2], data3, valid[IBS_OP_DATA3]);
    return level_of(0, data3);
}

static uint64_t tlb_of(uint64_t data3)
{
    if (!ibs_dc_lin_addr_valid(data3))
        return MEM(PERFDATA_MEM_TLB_NA, TLB);
    if (!ibs_dc_l1tlb_miss(data3))
        return MEM(PERFDATA_MEM_TLB_HIT | PERFDATA_MEM_TLB_L1, TLB);
    return MEM(PERFDATA_MEM_TLB_L2 | (ibs_dc_l2tlb_miss(data3) ? PERFDATA_MEM_TLB_MISS : PERFDATA_MEM_TLB_HIT), TLB);
}

uint64_t perfdata_data_src(const struct ibs_machine *machine, const struct sample_record *op)
{
    uint64_t data2 = op->reg[IBS_OP_DATA2] & machine->bits[SAMPLE_OP][IBS_OP_DATA2];
    uint64_t data3 = op->reg[IBS_OP_DATA3] & machine->bits[SAMPLE_OP][IBS_OP_DATA3];
    bool load = ibs_ld_op(data3), store = ibs_st_op(data3);
    if (!load && !store) {
        return MEM(PERFDATA_MEM_OP_NA, OP) | MEM(PERFDATA_MEM_LVL_NA, LVL) | MEM(PERFDATA_MEM_SNOOP_NA, SNOOP) |
               MEM(PERFDATA_MEM_LOCK_NA, LOCK) | MEM(PERFDATA_MEM_TLB_NA, TLB) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM) |
               MEM(PERFDATA_MEM_BLK_NA, BLK);
    }
    uint64_t result = MEM((load ? PERFDATA_MEM_OP_LOAD : 0) | (store ? PERFDATA_MEM_OP_STORE : 0), OP);
    result |= machine->row && !(machine->row->traits & IBS_TRAIT_NB_STATUS) ? later_level_of(machine, op)
                                                                            : level_of(data2, data3);
    result |= tlb_of(data3);
    if ((result >> PERFDATA_MEM_SNOOP & 0x1f) == 0)
        result |= MEM(PERFDATA_MEM_SNOOP_NA, SNOOP);
    result |= ibs_dc_locked_op(data3) ? MEM(PERFDATA_MEM_LOCK_LOCKED, LOCK) : 0;
    result |= load && ibs_dc_st_to_ld_can(data3) ? MEM(PERFDATA_MEM_BLK_DATA, BLK) : 0;
    result |= ibs_dc_ld_bnk_con(data3) || ibs_dc_st_bnk_con(data3) ? MEM(PERFDATA_MEM_BLK_ADDR, BLK) : 0;
    return result;
}
