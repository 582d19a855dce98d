/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 16h: Jaguar, Puma. */
#include "core/family/ibs_family_parts.h"

IBS_FAMILY_ROWS = {
    {
        .family = 0x16,
        ALL_MODELS,
        .name = "Family 16h, Jaguar",
        .events = EVENT_SET_16H,
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_ctl = OP_CTL_LONG,
        .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID,
        .op_data2 = OP_DATA2_SOURCE,
        .op_data3 = OP_DATA3_COMMON | OP_DATA3_FORWARD | OP_DATA3_L2_AND_WALK,
        .caps_known = CAPS_FUSE,
        .traits = IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_NB_STATUS,
        .errata = IBS_E_FETCH_REARM, /* LX-ibs fetch_count_reset_broken: 16h to 18h */
        .source = {NB_SOURCES},
        .page_size = {PAGE_SIZES},
        LATER,
        .nodes = IBS_NODES_NORTHBRIDGE,
        PMC_FIRST,
    },
};
