/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The predefined configurations. Contents: CodeAnalyst src/ca/Configs/DCConfig/GH where the file is published, else as
 * the row's remark says. Groups: README_viewconfig.txt, with retired instructions in every group, so that no rate is
 * made of two time slices (the published files list them once).
 */
#include "core/view/configs.h"

/* clang-format off */
#define OFTEN 250000
#define RARE  25000

#define EVENTS(...)                                                                                                    \
    .events = {__VA_ARGS__}, .event_count = sizeof((struct config_event[]){__VA_ARGS__}) / sizeof(struct config_event)
#define E(meaning, period) {MEANING_##meaning, period}
#define GROUPS(...)                                                                                                    \
    .groups = {__VA_ARGS__}, .group_count = sizeof((struct event_group[]){__VA_ARGS__}) / sizeof(struct event_group)
#define GROUP(...) {.event = {__VA_ARGS__}, .count = sizeof((uint8_t[]){__VA_ARGS__})}
#define DERIVED(...) .derived = {__VA_ARGS__}, .derived_count = sizeof((uint8_t[]){__VA_ARGS__})
#define D(event) DERIVED_##event

#define PMC(name_, title_) .name = name_, .title = title_, .kind = CONFIG_PMC
/* CodeAnalyst's periods of IBS. Ops: unit mask 01, dispatched ops. */
#define FETCH(name_, title_) .name = name_, .title = title_, .kind = CONFIG_IBS, .fetch_period = 1000000
#define OP(name_, title_)    .name = name_, .title = title_, .kind = CONFIG_IBS, .op_period = 1000000

#define FROM_VIEW "CodeAnalyst's file is not published: its events are the columns of the view."

const struct config config_table[] = {
    {
        PMC("assess", "Assess performance"),
        EVENTS(E(INSTRUCTIONS, OFTEN), E(CYCLES, OFTEN), E(BRANCHES, RARE), E(MISPREDICTED, RARE),
               E(DC_ACCESSES, OFTEN), E(DC_MISSES, RARE), E(DTLB_WALKS, RARE), E(MISALIGNED, RARE)),
        GROUPS(GROUP(0, 1, 2, 3), GROUP(0, 4, 5, 6), GROUP(0, 7)),
        .remark = "CodeAnalyst uses two groups, the second without retired instructions.",
    },
    {
        PMC("branch", "Investigate branching"),
        EVENTS(E(INSTRUCTIONS, OFTEN), E(BRANCHES, RARE), E(MISPREDICTED, RARE), E(TAKEN, RARE), E(RETURNS, RARE),
               E(RETURNS_MISPREDICTED, RARE), E(INDIRECT_MISPREDICTED, RARE)),
        GROUPS(GROUP(0, 1, 2, 3), GROUP(0, 4, 5, 6)),
        .remark = "CodeAnalyst's file for Family 10h is not published: this one is like those of K8, 11h, 12h and 15h, which are equal.",
    },
    {
        PMC("data_access", "Investigate data access"),
        EVENTS(E(INSTRUCTIONS, OFTEN), E(DC_ACCESSES, OFTEN), E(DC_MISSES, RARE), E(DC_REFILLS, RARE),
               E(DTLB_L2_HITS, RARE), E(DTLB_WALKS, RARE), E(MISALIGNED, RARE)),
        GROUPS(GROUP(0, 1, 2, 3), GROUP(0, 4, 5, 6)),
        .remark = "CodeAnalyst's file for Family 10h is not published: completed from that of Family 12h; the masks are "
                  "those of the views for Family 10h.",
    },
    {
        PMC("inst_access", "Investigate instruction access"),
        EVENTS(E(INSTRUCTIONS, OFTEN), E(IC_FETCHES, OFTEN), E(IC_MISSES, RARE), E(ITLB_L2_HITS, RARE),
               E(ITLB_WALKS, RARE)),
        GROUPS(GROUP(0, 1, 2), GROUP(0, 3, 4)),
        .remark = "CodeAnalyst's file for Family 10h is not published: completed from that of Family 11h; the mask of "
                  "085 is that of the view for Family 10h.",
    },
    {
        PMC("l2_access", "Investigate L2 cache access"),
        EVENTS(E(INSTRUCTIONS, OFTEN), E(L2_REQUESTS, RARE), E(L2_MISSES, RARE), E(L2_FILLS, RARE)),
        GROUPS(GROUP(0, 1, 2, 3)),
    },
    {
        .name = "tbp", .title = "Time-based profile", .kind = CONFIG_TIMER, .timer_us = 1000,
    },
    {
        OP("ibs", "Instruction-based sampling"), .fetch_period = 1000000,
        DERIVED(D(F000_FETCH_ALL), D(F100_OP_ALL)),
        .remark = "CodeAnalyst's file for Family 10h is not published: completed from those of 12h, 14h and 15h. Its "
                  "successor's dialog proposes periods of 250000.",
    },
    {
        FETCH("ibs_fetch_overall", "IBS fetch overall"),
        DERIVED(D(F000_FETCH_ALL), D(F001_FETCH_KILLED), D(F002_FETCH_ATTEMPTED), D(F003_FETCH_COMPLETED),
                D(F004_FETCH_ABORTED), D(F00E_FETCH_LATENCY)),
        .remark = FROM_VIEW,
    },
    {
        FETCH("ibs_fetch_ic", "IBS fetch instruction cache"),
        DERIVED(D(F002_FETCH_ATTEMPTED), D(F003_FETCH_COMPLETED), D(F008_IC_MISS), D(F00E_FETCH_LATENCY)),
        .remark = FROM_VIEW,
    },
    {
        FETCH("ibs_fetch_itlb", "IBS fetch ITLB"),
        DERIVED(D(F002_FETCH_ATTEMPTED), D(F006_ITLB_L1M_L2H), D(F007_ITLB_L1M_L2M)),
        .remark = FROM_VIEW,
    },
    {
        FETCH("ibs_fetch_page", "IBS fetch page translations"),
        DERIVED(D(F002_FETCH_ATTEMPTED), D(F003_FETCH_COMPLETED), D(F00A_FETCH_4K), D(F00B_FETCH_2M)),
        .remark = FROM_VIEW,
    },
    {
        OP("ibs_op_overall", "IBS all ops"),
        DERIVED(D(F100_OP_ALL), D(F101_TAG_TO_RETIRE), D(F102_COMP_TO_RETIRE), D(F103_BRANCH), D(F200_LOAD_STORE)),
    },
    {
        OP("ibs_op_branch", "IBS BR branch"),
        DERIVED(D(F100_OP_ALL), D(F101_TAG_TO_RETIRE), D(F102_COMP_TO_RETIRE), D(F103_BRANCH),
                D(F104_BRANCH_MISPREDICTED), D(F105_BRANCH_TAKEN), D(F106_BRANCH_TAKEN_MISPREDICTED)),
    },
    {
        OP("ibs_op_return", "IBS BR return"),
        DERIVED(D(F100_OP_ALL), D(F101_TAG_TO_RETIRE), D(F102_COMP_TO_RETIRE), D(F103_BRANCH), D(F107_RETURN),
                D(F108_RETURN_MISPREDICTED)),
        .remark = "CodeAnalyst's file for Family 10h is not published: completed from those of 12h and 14h.",
    },
    {
        OP("ibs_op_ls", "IBS MEM all load/store"),
        DERIVED(D(F200_LOAD_STORE), D(F201_LOAD), D(F202_STORE), D(F206_DC_MISS), D(F219_DC_LOAD_LATENCY)),
    },
    {
        OP("ibs_op_ls_dc", "IBS MEM data cache"),
        DERIVED(D(F100_OP_ALL), D(F200_LOAD_STORE), D(F201_LOAD), D(F202_STORE), D(F206_DC_MISS),
                D(F219_DC_LOAD_LATENCY)),
    },
    {
        OP("ibs_op_ls_dtlb", "IBS MEM data TLB"),
        DERIVED(D(F100_OP_ALL), D(F200_LOAD_STORE), D(F201_LOAD), D(F202_STORE), D(F204_DTLB_L1M_L2H),
                D(F205_DTLB_L1M_L2M), D(F206_DC_MISS), D(F219_DC_LOAD_LATENCY)),
        .remark = "CodeAnalyst's file for Family 10h is not published: completed from those of 12h and 14h.",
    },
    {
        OP("ibs_op_ls_expert", "IBS MEM forwarding and bank conflicts"),
        DERIVED(D(F200_LOAD_STORE), D(F201_LOAD), D(F202_STORE), D(F209_BANK_CONFLICT_LOAD),
                D(F20A_BANK_CONFLICT_STORE), D(F20B_FORWARDED), D(F20C_FORWARD_CANCELLED), D(F210_MAB_HIT)),
    },
    {
        OP("ibs_op_ls_memacc", "IBS MEM locked ops and access by type"),
        DERIVED(D(F200_LOAD_STORE), D(F201_LOAD), D(F202_STORE), D(F20D_UC_ACCESS), D(F20E_WC_ACCESS), D(F20F_LOCKED)),
    },
    {
        OP("ibs_op_ls_page", "IBS MEM translations by page size"),
        DERIVED(D(F200_LOAD_STORE), D(F211_DTLB_L1_4K), D(F212_DTLB_L1_2M), D(F213_DTLB_L1_1G), D(F215_DTLB_L2_4K),
                D(F216_DTLB_L2_2M), D(F217_DTLB_L2_1G)),
    },
    {
        OP("ibs_op_nb_access", "IBS NB local/remote access"),
        DERIVED(D(F201_LOAD), D(F240_NB_LOCAL), D(F241_NB_REMOTE), D(F24B_NB_LOCAL_LATENCY),
                D(F24C_NB_REMOTE_LATENCY)),
        .remark = "CodeAnalyst's file for Family 10h is not published: completed from those of 12h and 14h.",
    },
    {
        OP("ibs_op_nb_cache", "IBS NB cache state"),
        DERIVED(D(F201_LOAD), D(F243_NB_LOCAL_CACHE), D(F244_NB_REMOTE_CACHE), D(F249_NB_CACHE_MODIFIED),
                D(F24A_NB_CACHE_OWNED)),
    },
    {
        OP("ibs_op_nb_service", "IBS NB request breakdown"),
        DERIVED(D(F201_LOAD), D(F242_NB_LOCAL_L3), D(F243_NB_LOCAL_CACHE), D(F244_NB_REMOTE_CACHE),
                D(F245_NB_LOCAL_DRAM), D(F246_NB_REMOTE_DRAM), D(F247_NB_LOCAL_OTHER), D(F248_NB_REMOTE_OTHER)),
    },
};
/* clang-format on */
const unsigned config_count = sizeof(config_table) / sizeof(config_table[0]);
