/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 15h: Bulldozer, Piledriver, Steamroller, Excavator. Models 20h to 2Fh do not exist. */
#include "core/family/ibs_family_parts.h"

#define ALL_15H                                                                                                        \
    .family = 0x15, .op_ctl = OP_CTL_LONG, .op_data2 = OP_DATA2_SOURCE | OP_DATA2_NODE | OP_DATA2_STATE,               \
    .node_sources = NB_ANY, .state_sources = IBS_BIT(2), .page_size = {PAGE_SIZES}, LATER,                             \
    .nodes = IBS_NODES_NORTHBRIDGE, PMC_EXTENDED(1)

IBS_FAMILY_ROWS = {
    {
        ALL_15H,
        MODELS(0x00, 0x0F),
        .name = "Family 15h models 00h-0Fh, Bulldozer",
        .events = EVENT_SET_15H,
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_data = OP_DATA_COMMON | OP_DATA_RESYNC | OP_DATA_RIP_VALID,
        .op_data3 = OP_DATA3_COMMON | OP_DATA3_LD_BANK | OP_DATA3_FORWARD | OP_DATA3_CANCEL,
        .caps_known = CAPS_LATER,
        .traits = IBS_TRAIT_MAB_HIT | IBS_TRAIT_NB_STATUS | IBS_TRAIT_NB_L3,
        .errata = IBS_E_717 | IBS_E_718,
        .source = {NB_SOURCES_L3},
    },
    {
        ALL_15H,
        MODELS(0x10, 0x2F),
        .name = "Family 15h models 10h-1Fh, Piledriver",
        .events = EVENT_SET_15H_10,
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID,
        .op_data3 = OP_DATA3_COMMON,
        .caps_known = CAPS_LATER,
        .traits = IBS_TRAIT_MAB_HIT | IBS_TRAIT_NB_STATUS, /* MabHit up to models 1Fh: TK uapi:103 */
        .errata = IBS_E_718 | IBS_E_719,
        .source = {NB_SOURCES},
    },
    {
        ALL_15H,
        MODELS(0x30, 0x5F),
        .name = "Family 15h models 30h-3Fh, Steamroller",
        .events = EVENT_SET_15H_30,
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID,
        .op_data3 = OP_DATA3_COMMON | OP_DATA3_L2_AND_WALK,
        .caps_known = CAPS_FUSE,
        .traits = IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_NB_STATUS,
        .source = {NB_SOURCES},
    },
    {
        ALL_15H,
        MODELS(0x60, 0xFF),
        .name = "Family 15h models 60h-7Fh, Excavator",
        .events = EVENT_SET_15H_60,
        .fetch_ctl = FETCH_CTL_FIRST | FETCH_CTL_L2_MISS,
        .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID | OP_DATA_FUSE,
        .op_data3 = OP_DATA3_COMMON | OP_DATA3_L2_AND_WALK,
        .caps_known = CAPS_EXCAVATOR,
        .traits = IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_NB_STATUS,
        .source = {NB_SOURCES},
    },
};
