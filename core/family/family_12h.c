/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 12h: Llano. No recording or log of one is known; capabilities by TK's "LN+". */
#include "core/family/ibs_family_parts.h"

IBS_FAMILY_ROWS = {
    {
        .family = 0x12,
        ALL_MODELS,
        .name = "Family 12h, Llano",
        .events = EVENT_SET_12H,
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_ctl = OP_CTL_LONG,
        .op_data = OP_DATA_COMMON | OP_DATA_RESYNC | OP_DATA_RIP_VALID,
        .op_data2 = OP_DATA2_SOURCE, /* 5:4 masked by OP and CXL, valid in TK uapi:78: not shown */
        .op_data3 = OP_DATA3_COMMON | OP_DATA3_LD_BANK | OP_DATA3_ST_BANK | OP_DATA3_FORWARD | OP_DATA3_CANCEL,
        .caps_known = CAPS_LATER,
        .traits = IBS_TRAIT_MAB_HIT | IBS_TRAIT_NB_STATUS,
        .errata = IBS_E_721,
        .source = {NB_SOURCES}, /* without an L3 */
        .page_size = {PAGE_SIZES},
        LATER,
        .nodes = IBS_NODES_NORTHBRIDGE,
        PMC_FIRST,
    },
};
