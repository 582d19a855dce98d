/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CodeAnalyst's views of counter and timer samples, by the names of its files (src/ca/Configs/ViewConfig), and the
 * formulas that its README_viewconfig.txt defines beyond them. Files that are missing for Family 10h are completed from
 * K8 and families 11h, 12h and 14h with Family 10h's masks. Footnotes that name its events have others for the
 * processors after it, of which the report says what its events count that differs (core/events/meaning.h).
 */
#include "core/view/view_rows.h"

/* clang-format off */
#define VIEW(name_, title_, population_, mark_)                                                                        \
    .name = name_, .title = title_, .what = "interrupts of counters", .level = PROFILE_INSTRUCTIONS,                   \
    .population = VIEW_##population_, .mark = VIEW_##mark_

#define RATE_NOTE "Rates are per retired instruction."
#define DTLB_NOTE                                                                                                      \
    "DC accesses (040) stand for DTLB requests; they count a misaligned access "                                  \
    "twice. " RATE_NOTE

const struct view view_table_pmc[] = {
    {
        VIEW("triage_assess", "Overall assessment", CYCLES, CYCLES), .configs = "assess",
        COLUMNS(
            SAMPLES("CPU\nclocks", CYCLES),
            PER("IPC", INSTRUCTIONS, CYCLES),
            RATE("DC\nmiss\nrate", DC_MISSES),
            RATE("DTLB\nL1M L2M\nrate", DTLB_WALKS),
            RATE("Mis-\nalign\nrate", MISALIGNED),
            RATE("Mispre-\ndict\nrate", MISPREDICTED)),
        .footnote = RATE_NOTE " CodeAnalyst's multiplexing divides events by "
                              "instructions of another time slice; here they are in every group.",
    },
    {
        VIEW("ipc_assess", "IPC assessment", CYCLES, CYCLES), .configs = "assess",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("CPU\nclocks", CYCLES),
            PER("IPC", INSTRUCTIONS, CYCLES),
            PER("CPI", CYCLES, INSTRUCTIONS)),
    },
    {
        VIEW("br_assess", "Branch assessment", INSTRUCTIONS, MISPREDICTED), .configs = "assess branch",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("Branch", BRANCHES),
            SAMPLES("Mispre-\ndicted", MISPREDICTED),
            RATE("Branch\nrate", BRANCHES),
            RATE("Mispr.\nrate", MISPREDICTED),
            RATIO("Mispr.\nratio", MISPREDICTED, BRANCHES),
            PER("Insn\nper\nbranch", INSTRUCTIONS, BRANCHES)),
        .elsewhere = RATE_NOTE,
        .footnote = RATE_NOTE " Both events count interrupts; 0C3 counts transfers "
                              "that are never predicted, too.",
    },
    {
        VIEW("taken_focus", "Taken branch report", INSTRUCTIONS, TAKEN), .configs = "branch",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("Branch", BRANCHES),
            SAMPLES("Taken", TAKEN),
            RATE("Branch\nrate", BRANCHES),
            RATE("Taken\nrate", TAKEN),
            RATIO("Taken\nratio", TAKEN, BRANCHES)),
        .footnote = RATE_NOTE,
    },
    {
        VIEW("return_focus", "Near return report", INSTRUCTIONS, RETURNS_MISPREDICTED), .configs = "branch",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("Near\nreturn", RETURNS),
            SAMPLES("Mispre-\ndicted", RETURNS_MISPREDICTED),
            RATE("Mispr.\nrate", RETURNS_MISPREDICTED),
            RATIO("Mispr.\nratio", RETURNS_MISPREDICTED, RETURNS),
            PER("Insn\nper\nreturn", INSTRUCTIONS, RETURNS),
            RATE("Ind.\nmispr.\nrate", INDIRECT_MISPREDICTED)),
        .footnote = RATE_NOTE " Mispredicted: returns; the last column: indirect branches. CodeAnalyst names instructions per return \"per call\".",
    },
    {
        VIEW("dc_assess", "Data access assessment", INSTRUCTIONS, DC_MISSES), .configs = "assess",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("DC\naccess", DC_ACCESSES),
            SAMPLES("DC\nmiss", DC_MISSES),
            RATE("DC\nrequest\nrate", DC_ACCESSES),
            RATE("DC\nmiss\nrate", DC_MISSES),
            RATIO("DC\nmiss\nratio", DC_MISSES, DC_ACCESSES)),
        .elsewhere = RATE_NOTE,
        .footnote = RATE_NOTE " Accesses and misses include ops that never retired; only the first miss of a line counts.",
    },
    {
        VIEW("dc_focus", "Data access report", INSTRUCTIONS, DC_MISSES), .configs = "data_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("DC\naccess", DC_ACCESSES),
            SAMPLES("DC\nmiss", DC_MISSES),
            SAMPLES("DC\nrefill", DC_REFILLS),
            RATE("DC\nrequest\nrate", DC_ACCESSES),
            RATE("DC\nmiss\nrate", DC_MISSES),
            RATIO("DC\nmiss\nratio", DC_MISSES, DC_ACCESSES),
            RATE("DC\nrefill\nrate", DC_REFILLS),
            RATIO("DC\nrefill\nratio", DC_REFILLS, DC_ACCESSES)),
        .elsewhere = RATE_NOTE,
        .footnote = RATE_NOTE " Accesses and misses include ops that never retired; only the first miss of a line counts. Refills (042:1F) are lines.",
    },
    {
        VIEW("dtlb_assess", "DTLB assessment", INSTRUCTIONS, DTLB_WALKS), .configs = "assess",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("DTLB\nre-\nquests", DC_ACCESSES),
            SAMPLES("DTLB\nL1M\nL2M", DTLB_WALKS),
            RATE("Request\nrate", DC_ACCESSES),
            RATE("L1M L2M\nrate", DTLB_WALKS),
            RATIO("L1M L2M\nratio", DTLB_WALKS, DC_ACCESSES)),
        .elsewhere = RATE_NOTE,
        .footnote = DTLB_NOTE,
    },
    {
        VIEW("dtlb_focus", "DTLB report", INSTRUCTIONS, DTLB_WALKS), .configs = "data_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("DTLB\nre-\nquests", DC_ACCESSES),
            SAMPLES("DTLB\nL1M\nL2H", DTLB_L2_HITS),
            SAMPLES("DTLB\nL1M\nL2M", DTLB_WALKS),
            RATE("Request\nrate", DC_ACCESSES),
            RATE("L1M L2H\nrate", DTLB_L2_HITS),
            RATE("L1M L2M\nrate", DTLB_WALKS),
            SUM_RATE("L1 DTLB\nmiss\nrate", DTLB_L2_HITS, DTLB_WALKS)),
        .elsewhere = RATE_NOTE " L1 DTLB misses hit or missed the L2 DTLB.",
        .footnote = DTLB_NOTE " L1 DTLB misses hit or missed the L2 DTLB.",
    },
    {
        VIEW("misalign_assess", "Misalign access assessment", INSTRUCTIONS, MISALIGNED), .configs = "assess data_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("DC\naccess", DC_ACCESSES),
            SAMPLES("Mis-\nalign", MISALIGNED),
            RATE("Mis-\nalign\nrate", MISALIGNED),
            RATIO("Mis-\nalign\nratio", MISALIGNED, DC_ACCESSES)),
        .elsewhere = RATE_NOTE,
        .footnote = RATE_NOTE " A misaligned access counts twice in DC accesses.",
    },
    {
        VIEW("ic_focus", "Instruction access report", INSTRUCTIONS, IC_MISSES), .configs = "inst_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("IC\nfetch", IC_FETCHES),
            SAMPLES("IC\nmiss", IC_MISSES),
            RATE("IC\nrequest\nrate", IC_FETCHES),
            RATE("IC\nmiss\nrate", IC_MISSES),
            RATIO("IC\nmiss\nratio", IC_MISSES, IC_FETCHES)),
        .footnote = RATE_NOTE,
    },
    {
        VIEW("itlb_focus", "ITLB report", INSTRUCTIONS, ITLB_WALKS), .configs = "inst_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("ITLB\nre-\nquests", IC_FETCHES),
            SAMPLES("ITLB\nL1M\nL2H", ITLB_L2_HITS),
            SAMPLES("ITLB\nL1M\nL2M", ITLB_WALKS),
            RATE("Request\nrate", IC_FETCHES),
            RATE("L1M L2H\nrate", ITLB_L2_HITS),
            RATE("L1M L2M\nrate", ITLB_WALKS),
            SUM_RATE("L1 ITLB\nmiss\nrate", ITLB_L2_HITS, ITLB_WALKS)),
        .elsewhere = RATE_NOTE " L1 ITLB misses hit or missed the L2 ITLB.",
        .footnote = RATE_NOTE " IC fetches (080) stand for ITLB requests. L1 ITLB misses hit or missed the L2 ITLB.",
    },
    {
        VIEW("l2_focus", "L2 access report", INSTRUCTIONS, L2_MISSES), .configs = "l2_access",
        COLUMNS(
            SAMPLES("Ret\ninsn", INSTRUCTIONS),
            SAMPLES("L2\nre-\nquests", L2_REQUESTS),
            SAMPLES("L2\nmiss", L2_MISSES),
            SAMPLES("Fill +\nwrite\nback", L2_FILLS),
            RATE("Re-\nquest\nrate", L2_REQUESTS),
            RATE("L2\nmiss\nrate", L2_MISSES),
            RATE("Fill +\nwr.b.\nrate", L2_FILLS),
            RATIO("Miss\nper\nreq.", L2_MISSES, L2_REQUESTS),
            RATIO("Miss\nper f.\n+ w.b.", L2_MISSES, L2_FILLS)),
        .elsewhere = RATE_NOTE,
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
