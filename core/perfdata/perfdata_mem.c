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
/* Another node. No hops: the sample does not say whether it is another socket. */
#define REMOTE MEM(1, REMOTE)
/* From Zen on: a cache one hop away, and another node, which Linux calls one of this socket. */
#define ANY_CACHE  MEM(PERFDATA_MEM_LVLNUM_ANY_CACHE, LVLNUM)
#define SAME_NODE  MEM(PERFDATA_MEM_HOPS_0, HOPS)
#define OTHER_NODE (REMOTE | MEM(PERFDATA_MEM_HOPS_1, HOPS))

/* Returns where a load that missed the DC was served: the northbridge's answer, if there is one, else MAB or L2: a
 * request that the L2 answers never reaches the northbridge. */
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

/* Sources of loads from Zen on: Linux g_data_src, g_zen4_data_src. None: another miss may have a buffer for the line.
 */
static const uint64_t source_levels[IBS_SOURCES] = {
    [IBS_SOURCE_L3] = LVL(PERFDATA_MEM_LVL_L3) | MEM(PERFDATA_MEM_LVLNUM_L3, LVLNUM),
    [IBS_SOURCE_NEAR] = LVL(PERFDATA_MEM_LVL_L3 | PERFDATA_MEM_LVL_REM_CCE1) | ANY_CACHE | SAME_NODE,
    [IBS_SOURCE_CACHE] = LVL(PERFDATA_MEM_LVL_REM_CCE1) | ANY_CACHE | REMOTE | SAME_NODE,
    [IBS_SOURCE_FAR_CACHE] = LVL(PERFDATA_MEM_LVL_REM_CCE2) | ANY_CACHE | OTHER_NODE,
    [IBS_SOURCE_DRAM] = LVL(PERFDATA_MEM_LVL_LOC_RAM) | MEM(PERFDATA_MEM_LVLNUM_RAM, LVLNUM),
    [IBS_SOURCE_LONG_LATENCY] = MEM(PERFDATA_MEM_LVLNUM_PMEM, LVLNUM),
    [IBS_SOURCE_EXTENSION] = MEM(PERFDATA_MEM_LVLNUM_CXL, LVLNUM),
    [IBS_SOURCE_OTHER] = LVL(PERFDATA_MEM_LVL_IO) | MEM(PERFDATA_MEM_LVLNUM_IO, LVLNUM),
};

/* Returns the level from Zen on, in the order of Linux' tests: bit 20 of IbsOpData3 says whether the L2 had the line,
 * and only loads have a meaningful source. */
static uint64_t later_level_of(const struct ibs_machine *machine, uint64_t data2, uint64_t data3, bool l2_known)
{
    enum ibs_source source = ibs_source_of(machine, data2);
    uint64_t level = ibs_ld_op(data3) ? source_levels[source] : 0;
    if (ibs_dc_uc_mem_acc(data3) && source != IBS_SOURCE_OTHER)
        return LVL(PERFDATA_MEM_LVL_UNC) | MEM(PERFDATA_MEM_LVLNUM_UNC, LVLNUM);
    if (!ibs_dc_miss(data3))
        return LVL(PERFDATA_MEM_LVL_L1) | MEM(PERFDATA_MEM_LVLNUM_L1, LVLNUM);
    if (l2_known && !(data3 & IBS_DC_L2_MISS))
        return LVL(PERFDATA_MEM_LVL_L2) | MEM(PERFDATA_MEM_LVLNUM_L2, LVLNUM);
    if (level && ibs_nb_dst_proc(data2) && machine->row->node_sources >> ibs_raw_source(machine, data2) & 1)
        level =
            OTHER_NODE |
            (source == IBS_SOURCE_DRAM ? LVL(PERFDATA_MEM_LVL_REM_RAM1) | MEM(PERFDATA_MEM_LVLNUM_RAM, LVLNUM) : level);
    if (level)
        return level;
    return data3 & IBS_DC_MAB_HIT ? LVL(PERFDATA_MEM_LVL_LFB) | MEM(PERFDATA_MEM_LVLNUM_LFB, LVLNUM)
                                  : MEM(PERFDATA_MEM_LVL_NA, LVL) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM);
}

/* Returns whether another cache had the line modified: CacheHitSt is 0 then. Neither L1 nor L2 had it. */
static bool modified_elsewhere(const struct ibs_machine *machine, uint64_t data2, uint64_t level)
{
    return !(level & MEM(PERFDATA_MEM_LVL_L1 | PERFDATA_MEM_LVL_L2, LVL)) && !ibs_nb_cache_hit_st(data2) &&
           machine->row->state_sources >> ibs_raw_source(machine, data2) & 1;
}

static uint64_t tlb_of(const struct ibs_machine *machine, uint64_t data3)
{
    bool known = ibs_dc_lin_addr_valid(data3) &&
                 (!(machine->caps & IBS_CAP_DTLB_PGSIZE) || data3 & IBS_DC_PHY_ADDR_VALID); /* Linux 0b347a4218da */
    if (!known)
        return MEM(PERFDATA_MEM_TLB_NA, TLB);
    if (!ibs_dc_l1tlb_miss(data3))
        return MEM(PERFDATA_MEM_TLB_HIT | PERFDATA_MEM_TLB_L1, TLB);
    return MEM(PERFDATA_MEM_TLB_L2 | (ibs_dc_l2tlb_miss(data3) ? PERFDATA_MEM_TLB_MISS : PERFDATA_MEM_TLB_HIT), TLB);
}

/* Returns Linux' answer for a load or store from Zen on, bit by bit: perf_ibs_parse_ld_st_data. */
static uint64_t later_data_src(const struct ibs_machine *machine, uint64_t data2, uint64_t data3)
{
    bool unsure = machine->row->errata & IBS_E_1293 && data3 & (IBS_DC_MAB_HIT | IBS_DC_SW_PF);
    bool load = ibs_ld_op(data3);
    data2 = unsure ? 0 : data2;
    uint64_t level = later_level_of(machine, data2, data3, !unsure);
    bool modified = load && modified_elsewhere(machine, data2, level);
    return MEM(load ? PERFDATA_MEM_OP_LOAD : PERFDATA_MEM_OP_STORE, OP) | level | tlb_of(machine, data3) |
           MEM(modified ? PERFDATA_MEM_SNOOP_HITM : PERFDATA_MEM_SNOOP_NA, SNOOP) |
           MEM(ibs_dc_locked_op(data3) ? PERFDATA_MEM_LOCK_LOCKED : PERFDATA_MEM_LOCK_NA, LOCK);
}

uint64_t perfdata_data_src(const struct ibs_machine *machine, const struct sample_record *op)
{
    uint64_t data2 = op->reg[IBS_OP_DATA2] & machine->bits[SAMPLE_OP][IBS_OP_DATA2];
    uint64_t data3 = op->reg[IBS_OP_DATA3] & machine->bits[SAMPLE_OP][IBS_OP_DATA3];
    bool load = ibs_ld_op(data3), store = ibs_st_op(data3);
    if (!load && !store) {
        return MEM(PERFDATA_MEM_OP_NA, OP) | MEM(PERFDATA_MEM_LVL_NA, LVL) | MEM(PERFDATA_MEM_SNOOP_NA, SNOOP) |
               MEM(PERFDATA_MEM_LOCK_NA, LOCK) | MEM(PERFDATA_MEM_TLB_NA, TLB) | MEM(PERFDATA_MEM_LVLNUM_NA, LVLNUM);
    }
    if (machine->row && !(machine->row->traits & IBS_TRAIT_NB_STATUS))
        return later_data_src(machine, data2, data3);
    uint64_t result = MEM((load ? PERFDATA_MEM_OP_LOAD : 0) | (store ? PERFDATA_MEM_OP_STORE : 0), OP);
    result |= level_of(data2, data3) | tlb_of(machine, data3);
    if ((result >> PERFDATA_MEM_SNOOP & 0x1f) == 0)
        result |= MEM(PERFDATA_MEM_SNOOP_NA, SNOOP);
    result |= ibs_dc_locked_op(data3) ? MEM(PERFDATA_MEM_LOCK_LOCKED, LOCK) : 0;
    result |= load && ibs_dc_st_to_ld_can(data3) ? MEM(PERFDATA_MEM_BLK_DATA, BLK) : 0;
    result |= ibs_dc_ld_bnk_con(data3) || ibs_dc_st_bnk_con(data3) ? MEM(PERFDATA_MEM_BLK_ADDR, BLK) : 0;
    return result;
}
