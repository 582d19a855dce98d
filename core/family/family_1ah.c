/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 1Ah: Zen 5; models 50h-5Fh, 80h-AFh and C0h-CFh are Zen 6 (LX-raw fetch_ctl_depends_on_phy_addr_valid). */
#include "core/family/ibs_family_parts.h"

#define ZEN5                                                                                                           \
    .family = 0x1A, .fetch_ctl = FETCH_CTL_FIRST | FETCH_CTL_L2_MISS | FETCH_CTL_L3_MISS,                              \
    .op_ctl = OP_CTL_LONG | OP_CTL_L3_MISS | OP_CTL_LD_LAT,                                                            \
    .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID | OP_DATA_FUSE,                                                      \
    .op_data2 = OP_DATA2_SOURCE | OP_DATA2_NODE | OP_DATA2_STATE | OP_DATA2_WIDE | OP_DATA2_REMOTE,                    \
    .op_data3 = OP_DATA3_COMMON | OP_DATA3_L2_AND_WALK, .caps_ignored = IBS_CAP_OPDATA4, .source = {ZEN4_SOURCES},     \
    .node_sources = ZEN4_NODE, .state_sources = ZEN4_STATE, .page_size = {PAGE_SIZES_ZEN}, LATER,                      \
    .nodes = IBS_NODES_CPUID, .clocks = IBS_CLOCKS_5, .interrupts = 0x02C, .outer = IBS_OUTER_UMC, PMC_EXTENDED(2)
#define ZEN5_TRAITS (IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_UC_FIRST | IBS_TRAIT_OP_CACHE | IBS_TRAIT_DC_BY_LIN)
/* Errata of models 00h-0Fh; the others of Zen 5 have the same core, and Linux sets L3MissOnly on all (LX-ibs). */
#define ZEN5_ERRATA .errata = IBS_E_1569 | IBS_E_1583 | IBS_E_1587 | IBS_E_1606
#define ZEN6        ZEN5, .caps_known = CAPS_1AH, .traits = ZEN5_TRAITS | IBS_TRAIT_FETCH_BY_PHYS, .events = EVENT_SET_ZEN6

IBS_FAMILY_ROWS = {
    {
        ZEN5,
        MODELS(0x00, 0x0F),
        .name = "Family 1Ah models 00h-0Fh, Zen 5",
        .caps_known = CAPS_1AH,
        .traits = ZEN5_TRAITS,
        .events = EVENT_SET_ZEN5,
        ZEN5_ERRATA,
    },
    {ZEN6, MODELS(0x50, 0x5F), .name = "Family 1Ah models 50h-5Fh, Zen 6"},
    {ZEN6, MODELS(0x80, 0xAF), .name = "Family 1Ah models 80h-AFh, Zen 6"},
    {ZEN6, MODELS(0xC0, 0xCF), .name = "Family 1Ah models C0h-CFh, Zen 6"},
    {ZEN5, ALL_MODELS, .name = "Family 1Ah, Zen 5", .caps_known = CAPS_ZEN5, .traits = ZEN5_TRAITS,
     .events = EVENT_SET_ZEN5, ZEN5_ERRATA},
};
