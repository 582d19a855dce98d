/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of dispatch, execution and retirement from Zen on. Sources: Linux tools/perf/pmu-events/arch/x86/amdzen1 to
 * amdzen5, whose names these are without what names a mask: core.json, branch.json; Zen 5: pipeline.json, decode.json,
 * branch-prediction.json. The smallest periods are a choice: Family 10h's of alike events; no source has any.
 */
#include "core/events_rows.h"

/* clang-format off */
const struct event events_zen_fr[] = {
    {EVENT_KEPT(ZEN_ALL, 0x076, EVENT_FR, "ls_not_halted_cyc",
        "Core cycles not in halt", "Cycles", 50000),
     .flags = EVENT_FREQUENT},
    {EVENT_KEPT(ZEN_ALL, 0x0C0, EVENT_FR, "ex_ret_instr",
        "Retired instructions", "Ret inst", 50000),
     .flags = EVENT_FREQUENT},
    {EVENT_KEPT(ZEN_ALL, 0x0C1, EVENT_FR, "ex_ret_ops",
        "Retired macro-ops", "Ret ops", 50000),
     .flags = EVENT_FREQUENT | EVENT_INTERRUPTS,
     .remark = "ex_ret_cops in Linux' lists for Zen and Zen 2."},
    {EVENT_KEPT(ZEN_ALL, 0x0C2, EVENT_FR, "ex_ret_brn",
        "Retired branch instructions", "Ret branch", 500),
     .flags = EVENT_INTERRUPTS},
    {EVENT_KEPT(ZEN_ALL, 0x0C3, EVENT_FR, "ex_ret_brn_misp",
        "Retired branch instructions mispredicted", "Ret misp branch", 500),
     .flags = EVENT_INTERRUPTS},
};
/* clang-format on */

const unsigned events_zen_fr_count = sizeof(events_zen_fr) / sizeof(events_zen_fr[0]);
