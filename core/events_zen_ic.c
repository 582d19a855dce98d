/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of instruction fetch and branch prediction from Zen on. Sources: Linux tools/perf/pmu-events/arch/x86/amdzen1
 * to amdzen5, cache.json, memory.json, branch.json; Zen 5: inst-cache.json, branch-prediction.json; symbols are its
 * names without what names a mask. The smallest periods are a choice, Family 10h's of alike events: no source has any.
 */
#include "core/events_rows.h"

/* clang-format off */
const struct event events_zen_ic[] = {
    {EVENT_OF(ZEN_TO_3, 0x080, EVENT_IC, "ic_fw32",
        "Fetch windows of 32 bytes, from the instruction cache", "Fetch windows", 500),
     .flags = EVENT_FREQUENT},
    {EVENT_OF(ZEN_TO_3, 0x081, EVENT_IC, "ic_fw32_miss",
        "Fetch windows that miss the instruction cache", "Fetch window misses", 500)},
    {EVENT_OF(ZEN_ALL, 0x082, EVENT_IC, "ic_cache_fill_l2",
        "Instruction cache fills from the L2", "IC fills L2", 500)},
    {EVENT_OF(ZEN_ALL, 0x083, EVENT_IC, "ic_cache_fill_sys",
        "Instruction cache fills from beyond the L2", "IC fills system", 500)},
    {EVENT_OF(ZEN_ALL, 0x084, EVENT_IC, "bp_l1_tlb_miss_l2_tlb_hit",
        "L1 ITLB misses that hit the L2 ITLB", "L1M L2H ITLB", 500),
     .remark = "bp_l1_tlb_miss_l2_hit in Linux' lists for Zen and Zen 2."},
    {EVENT_OF(EVENT_IN(ZEN), 0x085, EVENT_IC, "bp_l1_tlb_miss_l2_miss",
        "L1 ITLB misses that miss the L2 ITLB", "L1M L2M ITLB", 500)},
    {EVENT_OF(EVENT_IN(ZEN2), 0x085, EVENT_IC, "bp_l1_tlb_miss_l2_tlb_miss",
        "L1 ITLB misses that miss the L2 ITLB", "L1M L2M ITLB", 500),
     MASK(0x07, 0x07), .bits = {"4 KB page", "2 MB page", "1 GB page"}},
    {EVENT_OF(EVENT_IN(ZEN3) | ZEN_4_5, 0x085, EVENT_IC, "bp_l1_tlb_miss_l2_tlb_miss",
        "L1 ITLB misses that miss the L2 ITLB", "L1M L2M ITLB", 500),
     MASK(0x0F, 0x0F), .bits = {"4 KB page", "2 MB page", "1 GB page", "coalesced page"}},
    {EVENT_OF(ZEN_TO_3, 0x086, EVENT_IC, "bp_snp_re_sync",
        "Restarts by a probe that hits the instruction stream", "Probe restarts", 500)},
    {EVENT_OF(ZEN_TO_3, 0x087, EVENT_IC, "ic_fetch_stall",
        "Cycles in which fetch stalls", "Fetch stalls", 500),
     MASK(0x04, 0x07), .bits = {"the decoder takes no more", "no address to fetch from", "any reason"},
     .flags = EVENT_FREQUENT},
    {EVENT_OF(ZEN_4_5, 0x08B, EVENT_IC, "bp_l2_btb_correct",
        "Predictions that the L2 BTB corrects", "L2 BTB corrects", 500),
     .flags = EVENT_SPECULATIVE},
    {EVENT_OF(ZEN_TO_3, 0x08C, EVENT_IC, "ic_cache_inval",
        "Instruction cache lines invalidated", "IC lines invalidated", 500),
     MASK(0x03, 0x03), .bits = {"by a fill over them", "by a probe of the L2"}},
    {EVENT_OF(ZEN_4_5, 0x08E, EVENT_IC, "bp_dyn_ind_pred",
        "Indirect branches predicted by the dynamic predictor", "Dynamic indirect", 500),
     .flags = EVENT_SPECULATIVE},
    {EVENT_OF(ZEN_4_5, 0x091, EVENT_IC, "bp_de_redirect",
        "Early redirects of the branch predictor by the decoder", "Decoder redirects", 500)},
    {EVENT_OF(ZEN_4_5, 0x094, EVENT_IC, "bp_l1_tlb_fetch_hit",
        "Fetches that hit the L1 ITLB", "L1 ITLB hits", 500),
     MASK(0x07, 0x07), .bits = {"4 KB or coalesced page", "2 MB page", "1 GB page"},
     .flags = EVENT_FREQUENT},
    {EVENT_OF(EVENT_IN(ZEN), 0x099, EVENT_IC, "bp_tlb_rel",
        "Reloads of the ITLB", "ITLB reloads", 500)},
    {EVENT_OF(EVENT_IN(ZEN5), 0x188, EVENT_IC, "ic_fetch_ibs_events",
        "Fetches tagged by IBS", "IBS fetch tags", 500),
     MASK(0x02, 0x1E), .bits = {[1] = "tagged", "discarded, not by a filter", "discarded by a filter",
         "a valid sample"}},
    {EVENT_OF(EVENT_IN(ZEN3) | ZEN_4_5, 0x18E, EVENT_IC, "ic_tag_hit_miss",
        "Instruction cache accesses", "IC accesses", 500),
     MASK(0x18, 0x1F), .bits = {"hits, all: 07", "hits, all: 07", "hits, all: 07", "misses, both: 18",
         "misses, both: 18"}},
    {EVENT_OF(EVENT_IN(ZEN2) | EVENT_IN(ZEN3), 0x28A, EVENT_IC, "ic_oc_mode_switch",
        "Switches between instruction cache and op cache", "IC OC switches", 500),
     MASK(0x03, 0x03), .bits = {"to the op cache", "to the instruction cache"}},
    {EVENT_OF(EVENT_IN(ZEN3) | ZEN_4_5, 0x28F, EVENT_IC, "op_cache_hit_miss",
        "Op cache accesses", "Op cache accesses", 500),
     MASK(0x04, 0x07), .bits = {"hits, both: 03", "hits, both: 03", "misses"}},
};
/* clang-format on */

const unsigned events_zen_ic_count = sizeof(events_zen_ic) / sizeof(events_zen_ic[0]);
