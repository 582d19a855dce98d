/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CodeAnalyst's views of IBS samples, by the names of its files (src/ca/Configs/ViewConfig). Files that are missing for
 * Family 10h are completed from its sibling families 12h and 14h, ibs_fetch_itlb and ibs_fetch_page from CodeXL.
 * Columns that are hidden in the originals (operands of others) are not shown. Where an original divides one population
 * by another, the footnote says what is done instead.
 */
#include "core/view/view_rows.h"

#define LATENCY_NOTE                                                                                                   \
    "Mean cycles: F219 / loads that missed (X200). CodeAnalyst divides the sum over "                                  \
    "loads by F206, the misses of loads and stores."
#define BRANCH_NOTE                                                                                                    \
    "Mean cycles are those of branch ops (X100, X101). CodeAnalyst divides those of all "                              \
    "ops (F101, F102) by F100 here."
#define NB_NOTE "Only loads that missed the DC have a northbridge answer; L2 hits have none."

/* clang-format off */
#define FETCH(name_, title_)                                                                                           \
    .name = name_, .title = title_, .what = "fetches sampled", .level = PROFILE_INSTRUCTIONS
#define OPS(name_, title_) .name = name_, .title = title_, .what = "ops sampled", .level = PROFILE_INSTRUCTIONS
#define OF(population_, mark_) .population = DERIVED_##population_, .mark = DERIVED_##mark_

const struct view view_table_ibs[] = {
    {
        FETCH("ibs_fetch_overall", "IBS fetch overall"), OF(F002_FETCH_ATTEMPTED, F00E_FETCH_LATENCY),
        COLUMNS(
            COUNT("All", F000_FETCH_ALL),
            COUNT("Killed", F001_FETCH_KILLED),
            COUNT("At-\ntempted", F002_FETCH_ATTEMPTED),
            COUNT("Com-\npleted", F003_FETCH_COMPLETED),
            COUNT("Aborted", F004_FETCH_ABORTED),
            COUNT("Sum of\ncycles", F00E_FETCH_LATENCY),
            AVERAGE("Mean\ncycles", F00E_FETCH_LATENCY, F002_FETCH_ATTEMPTED)),
        .footnote = "Cycles and their mean are those of attempted fetches; oprofile adds killed ones.",
    },
    {
        FETCH("ibs_fetch_ic", "IBS fetch instruction cache"), OF(F002_FETCH_ATTEMPTED, F008_IC_MISS),
        COLUMNS(
            COUNT("At-\ntempted", F002_FETCH_ATTEMPTED),
            COUNT("Com-\npleted", F003_FETCH_COMPLETED),
            COUNT("IC\nmiss", F008_IC_MISS),
            PERCENT("IC miss\nratio", F008_IC_MISS, F002_FETCH_ATTEMPTED),
            COUNT("Sum of\ncycles", F00E_FETCH_LATENCY),
            AVERAGE("Mean\ncycles", F00E_FETCH_LATENCY, F002_FETCH_ATTEMPTED)),
        .footnote = "Ratio and mean are those of attempted fetches, without killed ones.",
    },
    {
        FETCH("ibs_fetch_itlb", "IBS fetch ITLB"), OF(F002_FETCH_ATTEMPTED, F007_ITLB_L1M_L2M),
        COLUMNS(
            COUNT("At-\ntempted", F002_FETCH_ATTEMPTED),
            COUNT("ITLB\nL1M\nL2H", F006_ITLB_L1M_L2H),
            COUNT("ITLB\nL1M\nL2M", F007_ITLB_L1M_L2M),
            SUM_PERCENT("L1 ITLB\nmiss\nratio", F006_ITLB_L1M_L2H, F007_ITLB_L1M_L2M, F002_FETCH_ATTEMPTED),
            PERCENT("L2 ITLB\nmiss\nratio", F007_ITLB_L1M_L2M, F002_FETCH_ATTEMPTED)),
        .footnote = "L1 ITLB misses hit or missed the L2 ITLB; CodeXL's ratio of this name contains only those that hit.",
    },
    {
        FETCH("ibs_fetch_page", "IBS fetch page translations"), OF(F002_FETCH_ATTEMPTED, F002_FETCH_ATTEMPTED),
        COLUMNS(
            COUNT("At-\ntempted", F002_FETCH_ATTEMPTED),
            COUNT("Com-\npleted", F003_FETCH_COMPLETED),
            COUNT("4K\npage", F00A_FETCH_4K),
            COUNT("2M\npage", F00B_FETCH_2M)),
        .footnote = "Fetches without a valid physical address have no page size; 1G pages have no "
                    "event.",
    },
    {
        OPS("ibs_op_overall", "IBS all ops"), OF(F100_OP_ALL, F101_TAG_TO_RETIRE),
        COLUMNS(
            COUNT("All\nops", F100_OP_ALL),
            COUNT("Branch", F103_BRANCH),
            COUNT("Load/\nstore", F200_LOAD_STORE),
            COUNT("Tag to\nretire\ncycles", F101_TAG_TO_RETIRE),
            AVERAGE("Mean", F101_TAG_TO_RETIRE, F100_OP_ALL),
            COUNT("Done to\nretire\ncycles", F102_COMP_TO_RETIRE),
            AVERAGE("Mean", F102_COMP_TO_RETIRE, F100_OP_ALL)),
        .footnote = "Cycles from tagging (dispatch) and from completion to retirement.",
    },
    {
        OPS("ibs_op_branch", "IBS BR branch"), OF(F103_BRANCH, F104_BRANCH_MISPREDICTED),
        .if_often = 1 + DERIVED_F104_BRANCH_MISPREDICTED,
        COLUMNS(
            COUNT("Branch", F103_BRANCH),
            COUNT("Mispre-\ndicted", F104_BRANCH_MISPREDICTED),
            COUNT("Taken", F105_BRANCH_TAKEN),
            COUNT("Taken\nmispr.", F106_BRANCH_TAKEN_MISPREDICTED),
            PERCENT("Mispr.\nratio", F104_BRANCH_MISPREDICTED, F103_BRANCH),
            AVERAGE("Tag to\nretire\nmean", X100_BRANCH_TAG_TO_RETIRE, F103_BRANCH),
            AVERAGE("Done to\nretire\nmean", X101_BRANCH_COMP_TO_RETIRE, F103_BRANCH)),
        .footnote = BRANCH_NOTE,
    },
    {
        OPS("ibs_op_return", "IBS BR return"), OF(F107_RETURN, F108_RETURN_MISPREDICTED),
        COLUMNS(
            COUNT("Return", F107_RETURN),
            COUNT("Branch", F103_BRANCH),
            COUNT("Mispre-\ndicted", F108_RETURN_MISPREDICTED),
            PERCENT("Mispr.\nratio", F108_RETURN_MISPREDICTED, F107_RETURN),
            AVERAGE("Tag to\nretire\nmean", X100_BRANCH_TAG_TO_RETIRE, F103_BRANCH),
            AVERAGE("Done to\nretire\nmean", X101_BRANCH_COMP_TO_RETIRE, F103_BRANCH)),
        .footnote = "Mispredicted: returns. " BRANCH_NOTE,
    },
    {
        OPS("ibs_op_ls", "IBS MEM all load/store"), OF(F200_LOAD_STORE, F200_LOAD_STORE),
        COLUMNS(
            COUNT("Load/\nstore", F200_LOAD_STORE),
            COUNT("Load", F201_LOAD),
            COUNT("Store", F202_STORE),
            AVERAGE("DC miss\nmean\ncycles", F219_DC_LOAD_LATENCY, X200_LOAD_DC_MISS)),
        .footnote = LATENCY_NOTE,
    },
    {
        OPS("ibs_op_ls_dc", "IBS MEM data cache"), OF(F200_LOAD_STORE, F206_DC_MISS),
        COLUMNS(
            COUNT("Load/\nstore", F200_LOAD_STORE),
            COUNT("Load", F201_LOAD),
            COUNT("Store", F202_STORE),
            COUNT("DC\nmiss", F206_DC_MISS),
            COUNT("Load\nmiss\ncycles", F219_DC_LOAD_LATENCY),
            PERCENT("Misses\nper op", F206_DC_MISS, F100_OP_ALL),
            PERCENT("Miss\nratio", F206_DC_MISS, F200_LOAD_STORE),
            AVERAGE("Mean\ncycles", F219_DC_LOAD_LATENCY, X200_LOAD_DC_MISS)),
        .footnote = "Misses per op: share of all ops sampled; miss ratio: share of loads and stores. " LATENCY_NOTE,
    },
    {
        OPS("ibs_op_ls_dtlb", "IBS MEM data TLB"), OF(F200_LOAD_STORE, F205_DTLB_L1M_L2M),
        COLUMNS(
            COUNT("Load/\nstore", F200_LOAD_STORE),
            COUNT("Load", F201_LOAD),
            COUNT("Store", F202_STORE),
            COUNT("DTLB\nL1M\nL2H", F204_DTLB_L1M_L2H),
            COUNT("DTLB\nL1M\nL2M", F205_DTLB_L1M_L2M),
            PERCENT("L1M L2H\nper op", F204_DTLB_L1M_L2H, F100_OP_ALL),
            PERCENT("L1M L2M\nper op", F205_DTLB_L1M_L2M, F100_OP_ALL),
            AVERAGE("DC miss\nmean\ncycles", F219_DC_LOAD_LATENCY, X200_LOAD_DC_MISS)),
        .footnote = LATENCY_NOTE,
    },
    {
        OPS("ibs_op_ls_expert", "IBS MEM forwarding and bank conflicts"), OF(F200_LOAD_STORE, F20B_FORWARDED),
        COLUMNS(
            COUNT("Load", F201_LOAD),
            COUNT("Store", F202_STORE),
            COUNT("Bank\nconf.\nload", F209_BANK_CONFLICT_LOAD),
            COUNT("Bank\nconf.\nstore", F20A_BANK_CONFLICT_STORE),
            COUNT("For-\nwarded", F20B_FORWARDED),
            COUNT("Forw.\ncan-\ncelled", F20C_FORWARD_CANCELLED),
            COUNT("MAB\nhit", F210_MAB_HIT)),
    },
    {
        OPS("ibs_op_ls_memacc", "IBS MEM locked ops and access by type"), OF(F200_LOAD_STORE, F200_LOAD_STORE),
        COLUMNS(
            COUNT("Load/\nstore", F200_LOAD_STORE),
            COUNT("Load", F201_LOAD),
            COUNT("Store", F202_STORE),
            COUNT("UC\naccess", F20D_UC_ACCESS),
            COUNT("WC\naccess", F20E_WC_ACCESS),
            COUNT("Locked", F20F_LOCKED)),
    },
    {
        OPS("ibs_op_ls_page", "IBS MEM translations by page size"), OF(F200_LOAD_STORE, F200_LOAD_STORE),
        COLUMNS(
            COUNT("Load/\nstore", F200_LOAD_STORE),
            COUNT("L1 hit\n4K", F211_DTLB_L1_4K),
            COUNT("L1 hit\n2M", F212_DTLB_L1_2M),
            COUNT("L1 hit\n1G", F213_DTLB_L1_1G),
            COUNT("L2 hit\n4K", F215_DTLB_L2_4K),
            COUNT("L2 hit\n2M", F216_DTLB_L2_2M),
            COUNT("L2 hit\n1G", F217_DTLB_L2_1G)),
        .footnote = "L1 hit, L2 hit: in the DTLB. Accesses that missed both have no page size. Revision B does "
                    "not report 1G pages in the L2 DTLB.",
    },
    {
        OPS("ibs_op_nb_access", "IBS NB local/remote access"), OF(F201_LOAD, F24B_NB_LOCAL_LATENCY),
        COLUMNS(
            COUNT("Load", F201_LOAD),
            COUNT("NB\nlocal", F240_NB_LOCAL),
            COUNT("Sum of\ncycles", F24B_NB_LOCAL_LATENCY),
            AVERAGE("Mean\nlocal", F24B_NB_LOCAL_LATENCY, F240_NB_LOCAL),
            COUNT("NB\nremote", F241_NB_REMOTE),
            COUNT("Sum of\ncycles", F24C_NB_REMOTE_LATENCY),
            AVERAGE("Mean\nremote", F24C_NB_REMOTE_LATENCY, F241_NB_REMOTE)),
        .footnote = NB_NOTE " Cycles include every source (L3, other cores, DRAM, MMIO), although CodeAnalyst names these events \"cache latency\".",
    },
    {
        OPS("ibs_op_nb_cache", "IBS NB cache state"), OF(F201_LOAD, F243_NB_LOCAL_CACHE),
        COLUMNS(
            COUNT("Load", F201_LOAD),
            COUNT("Local\ncore's\ncache", F243_NB_LOCAL_CACHE),
            COUNT("Remote\nL1, L2\nor L3", F244_NB_REMOTE_CACHE),
            COUNT("Modi-\nfied", F249_NB_CACHE_MODIFIED),
            COUNT("Owned", F24A_NB_CACHE_OWNED)),
        .footnote = NB_NOTE,
    },
    {
        OPS("ibs_op_nb_service", "IBS NB request breakdown"), OF(F201_LOAD, F245_NB_LOCAL_DRAM),
        COLUMNS(
            COUNT("Load", F201_LOAD),
            COUNT("Local\nL3", F242_NB_LOCAL_L3),
            COUNT("Local\ncache", F243_NB_LOCAL_CACHE),
            COUNT("Rem.\ncache", F244_NB_REMOTE_CACHE),
            COUNT("Local\nDRAM", F245_NB_LOCAL_DRAM),
            COUNT("Rem.\nDRAM", F246_NB_REMOTE_DRAM),
            COUNT("Local\nother", F247_NB_LOCAL_OTHER),
            COUNT("Rem.\nother", F248_NB_REMOTE_OTHER)),
        .footnote = NB_NOTE " There is no event for a remote L3 alone. Other: MMIO, configuration, PCI, APIC.",
    },
};
/* clang-format on */
const unsigned view_count_ibs = sizeof(view_table_ibs) / sizeof(view_table_ibs[0]);
