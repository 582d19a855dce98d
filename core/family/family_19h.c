/* SPDX-License-Identifier: BSD-2-Clause */
/* Family 19h: Zen 3 (models 00h-0Fh, 20h-5Fh) and Zen 4 (10h-1Fh, 60h-AFh by Linux; the row takes all from 60h on).
 * Errata of models 00h-0Fh: LX-raw, which has them all. */
#include "core/family/ibs_family_parts.h"

#define ALL_19H                                                                                                        \
    .family = 0x19, .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID | OP_DATA_FUSE,                                      \
    .op_data3 = OP_DATA3_COMMON | OP_DATA3_L2_AND_WALK, .caps_ignored = IBS_CAP_OPDATA4, LATER,                        \
    .nodes = IBS_NODES_CPUID, .clocks = IBS_CLOCKS_DID, .interrupts = 0x02C

#define ZEN3                                                                                                           \
    ALL_19H, .fetch_ctl = FETCH_CTL_FIRST | FETCH_CTL_L2_MISS, .op_ctl = OP_CTL_LONG,                                  \
             .op_data2 = OP_DATA2_SOURCE | OP_DATA2_NODE, /* without CacheHitSt: LX-ibs */                             \
        .traits = IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_UC_FIRST | IBS_TRAIT_OP_CACHE | IBS_TRAIT_BRANCH_SAMPLING,        \
             .caps_known = CAPS_ZEN, .source = {ZEN_SOURCES}, .node_sources = ZEN_NODE, .events = EVENT_SET_ZEN3,      \
             .outer = IBS_OUTER_19H, PMC_EXTENDED(1)

#define ZEN4                                                                                                           \
    ALL_19H,                                                                                                           \
        .fetch_ctl = FETCH_CTL_FIRST | FETCH_CTL_L2_MISS | FETCH_CTL_L3_MISS, .op_ctl = OP_CTL_LONG | OP_CTL_L3_MISS,  \
        .op_data2 = OP_DATA2_SOURCE | OP_DATA2_NODE | OP_DATA2_STATE | OP_DATA2_WIDE,                                  \
        .traits = IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_UC_FIRST | IBS_TRAIT_OP_CACHE | IBS_TRAIT_DC_BY_LIN,              \
        .caps_known = CAPS_ZEN4, .source = {ZEN4_SOURCES}, .node_sources = ZEN4_NODE, .state_sources = ZEN4_STATE,     \
        .page_size = {PAGE_SIZES_ZEN}, .events = EVENT_SET_ZEN4, .outer = IBS_OUTER_UMC, PMC_EXTENDED(2)

IBS_FAMILY_ROWS = {
    {
        ZEN3, MODELS(0x00, 0x0F), .name = "Family 19h models 00h-0Fh, Zen 3",
        .errata = IBS_E_1197 | IBS_E_1238 | IBS_E_1293 | IBS_E_1347 | IBS_E_HIT_STATE,
        .page_size = {IBS_PAGE_4K, IBS_PAGE_16K, IBS_PAGE_2M, IBS_PAGE_1G}, /* erratum 1347 */
    },
    {
        ZEN4,
        MODELS(0x10, 0x1F),
        .name = "Family 19h models 10h-1Fh, Zen 4",
    },
    {
        ZEN3,
        MODELS(0x20, 0x5F),
        .name = "Family 19h models 20h-5Fh, Zen 3",
        .errata = IBS_E_HIT_STATE,
        .page_size = {PAGE_SIZES_ZEN},
    },
    {
        ZEN4,
        MODELS(0x60, 0xFF),
        .name = "Family 19h models 60h-FFh, Zen 4",
    },
};
