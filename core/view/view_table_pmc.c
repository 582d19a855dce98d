/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CodeAnalyst's views of counter and timer samples, by the names of its files (src/ca/Configs/ViewConfig), and the
 * formulas that its README_viewconfig.txt defines beyond them. Files that are missing for Family 10h are completed from
 * K8 and families 11h, 12h and 14h with Family 10h's masks.
 */
#include "core/view/view_rows.h"

#define EVENT(select, mask) [VIEW_E##select - VIEW_PMC] = {0x##select, 0x##mask},
const struct view_event view_events[VIEW_EVENTS] = {VIEW_EVENT_ROWS(EVENT)};

/* clang-format off */
#define VIEW(name_, title_, population_, mark_)                                                                        \
    .name = name_, .title = title_, .what = "interrupts of counters", .level = PROFILE_INSTRUCTIONS,                   \
    .population = VIEW_E##population_, .mark = VIEW_E##mark_

#define RATE_NOTE "Rates are per retired instruction."
#define DTLB_NOTE                                                                                                      \
    "DTLB requests are taken as DC accesses (040), which count a misaligned access "                                  \
    "twice. " RATE_NOTE

const struct view view_table_pmc[] = {
    {
        VIEW("triage_assess", "Overall assessment", 076, 076), .configs = "assess",
        COLUMNS(
            SAMPLES("CPU\nclocks", 076),
            PER("IPC", 0C0, 076),
            RATE("DC\nmiss\nrate", 041),
            RATE("DTLB\nL1M L2M\nrate", 046),
            RATE("Mis-\nalign\nrate", 047),
            RATE("Mispre-\ndict\nrate", 0C3)),
        .footnote = RATE_NOTE " CodeAnalyst's multiplexing divides events by "
                              "instructions of another time slice; here they are in every group.",
    },
    {
        VIEW("ipc_assess", "IPC assessment", 076, 076), .configs = "assess",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("CPU\nclocks", 076),
            PER("IPC", 0C0, 076),
            PER("CPI", 076, 0C0)),
    },
    {
        VIEW("br_assess", "Branch assessment", 0C0, 0C3), .configs = "assess branch",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("Branch", 0C2),
            SAMPLES("Mispre-\ndicted", 0C3),
            RATE("Branch\nrate", 0C2),
            RATE("Mispr.\nrate", 0C3),
            RATIO("Mispr.\nratio", 0C3, 0C2),
            PER("Insn\nper\nbranch", 0C0, 0C2)),
        .footnote = RATE_NOTE " Both events count interrupts; 0C3 counts transfers "
                              "that are never predicted, too.",
    },
    {
        VIEW("taken_focus", "Taken branch report", 0C0, 0C4), .configs = "branch",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("Branch", 0C2),
            SAMPLES("Taken", 0C4),
            RATE("Branch\nrate", 0C2),
            RATE("Taken\nrate", 0C4),
            RATIO("Taken\nratio", 0C4, 0C2)),
        .footnote = RATE_NOTE,
    },
    {
        VIEW("return_focus", "Near return report", 0C0, 0C9), .configs = "branch",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("Near\nreturn", 0C8),
            SAMPLES("Mispre-\ndicted", 0C9),
            RATE("Mispr.\nrate", 0C9),
            RATIO("Mispr.\nratio", 0C9, 0C8),
            PER("Insn\nper\nreturn", 0C0, 0C8),
            RATE("Ind.\nmispr.\nrate", 0CA)),
        .footnote = RATE_NOTE " Mispredicted: returns; the last column is of "
                              "indirect branches. CodeAnalyst names instructions per return \"per call\".",
    },
    {
        VIEW("dc_assess", "Data access assessment", 0C0, 041), .configs = "assess",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("DC\naccess", 040),
            SAMPLES("DC\nmiss", 041),
            RATE("DC\nrequest\nrate", 040),
            RATE("DC\nmiss\nrate", 041),
            RATIO("DC\nmiss\nratio", 041, 040)),
        .footnote = RATE_NOTE " Accesses and misses include those of ops that never "
                              "retired; only the first miss of a line counts.",
    },
    {
        VIEW("dc_focus", "Data access report", 0C0, 041), .configs = "data_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("DC\naccess", 040),
            SAMPLES("DC\nmiss", 041),
            SAMPLES("DC\nrefill", 042),
            RATE("DC\nrequest\nrate", 040),
            RATE("DC\nmiss\nrate", 041),
            RATIO("DC\nmiss\nratio", 041, 040),
            RATE("DC\nrefill\nrate", 042),
            RATIO("DC\nrefill\nratio", 042, 040)),
        .footnote = RATE_NOTE " Accesses and misses include those of ops that never "
                              "retired; only the first miss of a line counts. Refills (042:1F) are lines.",
    },
    {
        VIEW("dtlb_assess", "DTLB assessment", 0C0, 046), .configs = "assess",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("DTLB\nre-\nquests", 040),
            SAMPLES("DTLB\nL1M\nL2M", 046),
            RATE("Request\nrate", 040),
            RATE("L1M L2M\nrate", 046),
            RATIO("L1M L2M\nratio", 046, 040)),
        .footnote = DTLB_NOTE,
    },
    {
        VIEW("dtlb_focus", "DTLB report", 0C0, 046), .configs = "data_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("DTLB\nre-\nquests", 040),
            SAMPLES("DTLB\nL1M\nL2H", 045),
            SAMPLES("DTLB\nL1M\nL2M", 046),
            RATE("Request\nrate", 040),
            RATE("L1M L2H\nrate", 045),
            RATE("L1M L2M\nrate", 046),
            SUM_RATE("L1 DTLB\nmiss\nrate", 045, 046)),
        .footnote = DTLB_NOTE " L1 DTLB misses: those that hit the L2 DTLB and those that missed it.",
    },
    {
        VIEW("misalign_assess", "Misalign access assessment", 0C0, 047), .configs = "assess data_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("DC\naccess", 040),
            SAMPLES("Mis-\nalign", 047),
            RATE("Mis-\nalign\nrate", 047),
            RATIO("Mis-\nalign\nratio", 047, 040)),
        .footnote = RATE_NOTE " A misaligned access counts twice in DC accesses.",
    },
    {
        VIEW("ic_focus", "Instruction access report", 0C0, 081), .configs = "inst_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("IC\nfetch", 080),
            SAMPLES("IC\nmiss", 081),
            RATE("IC\nrequest\nrate", 080),
            RATE("IC\nmiss\nrate", 081),
            RATIO("IC\nmiss\nratio", 081, 080)),
        .footnote = RATE_NOTE,
    },
    {
        VIEW("itlb_focus", "ITLB report", 0C0, 085), .configs = "inst_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("ITLB\nre-\nquests", 080),
            SAMPLES("ITLB\nL1M\nL2H", 084),
            SAMPLES("ITLB\nL1M\nL2M", 085),
            RATE("Request\nrate", 080),
            RATE("L1M L2H\nrate", 084),
            RATE("L1M L2M\nrate", 085),
            SUM_RATE("L1 ITLB\nmiss\nrate", 084, 085)),
        .footnote = RATE_NOTE " ITLB requests are taken as IC fetches (080). L1 ITLB "
                              "misses: those that hit the L2 ITLB and those that missed it.",
    },
    {
        VIEW("l2_focus", "L2 access report", 0C0, 07E), .configs = "l2_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", 0C0),
            SAMPLES("L2\nre-\nquests", 07D),
            SAMPLES("L2\nmiss", 07E),
            SAMPLES("Fill +\nwrite\nback", 07F),
            RATE("Re-\nquest\nrate", 07D),
            RATE("L2\nmiss\nrate", 07E),
            RATE("Fill +\nwr.b.\nrate", 07F),
            RATIO("Miss\nper\nreq.", 07E, 07D),
            RATIO("Miss\nper f.\n+ w.b.", 07E, 07F)),
        .footnote = RATE_NOTE " Requests and misses include retries. CodeAnalyst "
                              "names 07F:03 write requests; it counts fills of the L2 (mask 01) and lines "
                              "that the L2 wrote to the system (mask 02).",
    },
    {
        .name = "timer", .title = "Time-based profile", .what = "ticks of the timer", .level = PROFILE_INSTRUCTIONS,
        .population = VIEW_TIMER, .mark = VIEW_TIMER, .configs = "tbp",
        COLUMNS(
            {VIEW_LEFT(VIEW_COUNT, "Ticks", VIEW_TIMER)},
            {VIEW_LEFT(VIEW_SHARE, "% of\nticks", VIEW_TIMER), .decimals = 1, .scale = 100}),
    },
};
/* clang-format on */
const unsigned view_count_pmc = sizeof(view_table_pmc) / sizeof(view_table_pmc[0]);
