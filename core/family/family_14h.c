/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 14h: Bobcat. */
#include "core/family/ibs_family_parts.h"

IBS_FAMILY_ROWS = {
    {
        .family = 0x14,
        ALL_MODELS,
        .name = "Family 14h, Bobcat",
        .events = EVENT_SET_14H,
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_ctl = OP_CTL_LONG,
        .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID,
        .op_data2 = OP_DATA2_SOURCE,
        /* No pages of 1 GB: 5, 9, 10, 12 and 19 are masked by OP and CXL. */
        .op_data3 = (OP_DATA3_COMMON | OP_DATA3_FORWARD) & ~(IBS_BIT(5) | IBS_BIT(19)),
        .caps_known = CAPS_LATER,
        .traits = IBS_TRAIT_MAB_HIT | IBS_TRAIT_NB_STATUS,
        .errata = IBS_E_484,
        .source = {NB_SOURCES},
        .page_size = {PAGE_SIZES},
        LATER,
        .nodes = IBS_NODES_NORTHBRIDGE,
        PMC_FIRST,
    },
};
