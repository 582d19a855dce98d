/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 10h: Opteron and Phenom. AMD BKDG 31116 and as core/family/ibs_regs.h. */
#include "core/family/ibs_family_parts.h"

IBS_FAMILY_ROWS = {
    {
        .family = 0x10,
        ALL_MODELS,
        .name = "Family 10h",
        .fetch_ctl = FETCH_CTL_FIRST,
        .op_ctl = OP_CTL_FIRST,
        .op_data = OP_DATA_COMMON | OP_DATA_RESYNC,
        .op_data2 = OP_DATA2_SOURCE | OP_DATA2_NODE | OP_DATA2_STATE,
        .op_data3 = OP_DATA3_COMMON | OP_DATA3_LD_BANK | OP_DATA3_ST_BANK | OP_DATA3_FORWARD | OP_DATA3_CANCEL,
        .caps_ignored = IBS_CAP_FETCHCTLEXTD | IBS_CAP_DTLB_PGSIZE, /* reserved: derived events would read other bits */
        .traits =
            IBS_TRAIT_MAB_HIT | IBS_TRAIT_NB_STATUS | IBS_TRAIT_NB_L3 | IBS_TRAIT_SILICON_KNOWN | IBS_TRAIT_DEFAULT,
        .errata = IBS_E_420 | IBS_E_FETCH_LINAD | IBS_E_721,
        .phys_bits = 48,
        .cur_cnt_bits = 20,
        .source = {NB_SOURCES_L3},
        .node_sources = NB_ANY,
        .state_sources = IBS_BIT(2),
        .page_size = {PAGE_SIZES},
        .lvt = IBS_LVT_OS, /* LX-ibs force_ibs_eilvt_setup: on this family alone */
        .nodes = IBS_NODES_NORTHBRIDGE,
        .interrupts = 0x0CF,
        .events = EVENT_SET_10H,
        PMC_FIRST,
    },
};
