/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Family 17h: Zen, Zen+, Zen 2. Capability bit 10 (IbsOpData4) is clear on every one seen, and reserved in the newest
 * APM. Family 18h is Hygon's Zen: LX-ibs and LX-core ask for 17h and 18h together (fetch_count_reset_broken is of 16h
 * to 18h).
 */
#include "core/family/ibs_family_parts.h"

/* clang-format off */
#define ZEN \
    .fetch_ctl = FETCH_CTL_FIRST | FETCH_CTL_L2_MISS, .op_ctl = OP_CTL_LONG, \
    .op_data = OP_DATA_COMMON | OP_DATA_RIP_VALID | OP_DATA_FUSE, \
    .op_data2 = OP_DATA2_SOURCE | OP_DATA2_NODE | OP_DATA2_STATE, .op_data3 = OP_DATA3_COMMON | OP_DATA3_L2_AND_WALK, \
    .caps_ignored = IBS_CAP_OPDATA4, .source = {ZEN_SOURCES}, \
    .node_sources = ZEN_NODE, .state_sources = ZEN_STATE, .page_size = {PAGE_SIZES_ZEN}, LATER, \
    .nodes = IBS_NODES_CPUID, .clocks = IBS_CLOCKS_DID, .interrupts = 0x02C, .outer = IBS_OUTER_17H, PMC_EXTENDED(1)
#define TRAITS .traits = IBS_TRAIT_NO_MAB_ALLOC | IBS_TRAIT_UC_FIRST | IBS_TRAIT_OP_CACHE
#define ZEN_17H \
    ZEN, .family = 0x17, .name = "Family 17h, Zen, Zen 2", .caps_known = CAPS_ZEN, .errata = IBS_E_FETCH_REARM | IBS_E_SPEC_LOCK_MAP
/* clang-format on */

IBS_FAMILY_ROWS = {
    /* Registers are the same in all; counter events are not. The switch: TK driver/ibs-core.c, check_for_ibs_support.
     */
    {ZEN_17H, MODELS(0x00, 0x2F), TRAITS | IBS_TRAIT_SWITCH, .events = EVENT_SET_ZEN},
    {ZEN_17H, MODELS(0x30, 0x4F), TRAITS, .events = EVENT_SET_ZEN2},
    {ZEN_17H, MODELS(0x50, 0x5E), TRAITS | IBS_TRAIT_SWITCH, .events = EVENT_SET_ZEN2},
    {ZEN_17H, MODELS(0x5F, 0xFF), TRAITS, .events = EVENT_SET_ZEN2},
    /* Recordings of it alone: drivers/machine/machine.c takes AMD's processors. */
    {ZEN, ALL_MODELS, TRAITS, .family = 0x18, .name = "Family 18h, Hygon Dhyana (Zen)", .errata = IBS_E_FETCH_REARM},
};
