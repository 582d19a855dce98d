/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Family 10h's method of General Exploration (core/explore/explore.h): its events, rows and checks by their numbers.
 *
 * The core dispatches and retires up to three macro-ops per cycle. No top-down method was published for this family;
 * this one has the shape of A. Yasin, "A Top-Down Method for Performance Analysis and Counters Architecture", ISPASS
 * 2014, built of the events there are. With C = 076h, U = 0C1h, Dn = 0D0h + n, p cycles per mispredicted branch:
 *
 *   cycles   D0/C + D1/C + dispatching = 1
 *   bad      m = min(0C3h * p, D0 + D2) / C; bad speculation = max(m, D2/C) + w
 *   wait     w = 0C3h * (how late a mispredicted branch completes, by IBS) / C, at most what is left; without IBS 0
 *   slots    retiring U/3C + bad speculation + front end (D0/C less the refill in bad speculation) + back end
 *            ((D1 - D2)/C) + slack = 1
 *   back     s = U / op samples; waits of the ops that held retirement up (core/ibs/held.h), each s times: DcMissLat by
 *            source, L2 TLB hits and walks, forwarding; all scaled down to the back end where they add up to more of
 *            it, as waits that overlap do. The rest is of stores, up to 0D8h, and else core bound.
 *
 * Slack is the slots that dispatching cycles lost: groups that were not full, VectorPath alone. No event tells these
 * apart, so it is a separate row. It is a signed remainder: slightly below 0 it is noise between passes.
 *
 * CPI and IPC (C and 0C0h) come first: the speed of the code, before the use of its slots. They have no limit, as a
 * good value depends on the instructions.
 *
 * Thresholds: toplev's for Ivy Bridge (pmu-tools ivb_client), to be calibrated.
 */
#ifndef CORE_EXPLORE_10H_H
#define CORE_EXPLORE_10H_H

/* Names what is to be counted; the order is that of the list. */
enum explore_event_index {
    EXPLORE_C,  /* 076h: the sentinel */
    EXPLORE_C0, /* instructions */
    EXPLORE_U,  /* 0C1h: macro-ops */
    EXPLORE_R1, /* 0C1h with count mask 1: cycles that retire at least one */
    EXPLORE_R2,
    EXPLORE_R3,
    EXPLORE_C2,
    EXPLORE_C3,
    EXPLORE_CC,
    EXPLORE_CF,
    EXPLORE_D0,
    EXPLORE_D1,
    EXPLORE_D2,
    EXPLORE_D3,
    EXPLORE_D4,
    EXPLORE_D5,
    EXPLORE_D6,
    EXPLORE_D7,
    EXPLORE_D8,
    EXPLORE_D9,
    EXPLORE_DA,
    EXPLORE_40,
    EXPLORE_41,
    EXPLORE_42,
    EXPLORE_43,
    EXPLORE_45,
    EXPLORE_46,
    EXPLORE_68,
    EXPLORE_69,
    EXPLORE_82,
    EXPLORE_83,
    EXPLORE_84,
    EXPLORE_85,
    EXPLORE_4E0,
    EXPLORE_4E1,
    EXPLORE_EVENTS,
    EXPLORE_IBS = EXPLORE_EVENTS, /* sums of IBS, among the inputs of a node */
};

enum explore_node_index {
    EXPLORE_CPI, /* C / C0 */
    EXPLORE_CPI_IDEAL,
    EXPLORE_IPC,
    /* cycles, exclusive */
    EXPLORE_CYCLES_FRONT,
    EXPLORE_CYCLES_BACK,
    EXPLORE_CYCLES_ACTIVE,
    /* slots, level 1, exclusive; each followed by its children */
    EXPLORE_RETIRING,
    EXPLORE_OPS_PER_INSN,
    EXPLORE_DOUBLES,
    EXPLORE_MICROCODE, /* not observable */
    EXPLORE_BAD,
    EXPLORE_BAD_REFILL,
    EXPLORE_BAD_ABORT,
    EXPLORE_BAD_WAIT,
    EXPLORE_BAD_RATIO,
    EXPLORE_FRONT,
    EXPLORE_FRONT_IC,
    EXPLORE_FRONT_ITLB,
    EXPLORE_FRONT_DECODE,
    EXPLORE_BACK,
    EXPLORE_MEMORY,
    EXPLORE_MEMORY_L2,
    EXPLORE_MEMORY_L3,
    EXPLORE_MEMORY_CACHE, /* of another core or node */
    EXPLORE_MEMORY_DRAM,
    EXPLORE_MEMORY_DTLB,
    EXPLORE_TLB_HITS,
    EXPLORE_TLB_WALKS,
    EXPLORE_NB_SHARE,
    EXPLORE_L3_HITS,
    EXPLORE_MISS_LATENCY,
    EXPLORE_FORWARD,
    EXPLORE_STORES,
    EXPLORE_CORE,
    EXPLORE_MU_CHECK,
    EXPLORE_SERIAL, /* causes of dispatch stalls: normalised, and raw beside it */
    EXPLORE_SEGMENT,
    EXPLORE_ROB,
    EXPLORE_STATION,
    EXPLORE_FPU,
    EXPLORE_LS,
    EXPLORE_QUIET,
    EXPLORE_FAR,
    EXPLORE_SLACK,
    /* cycles by macro-ops retired, exclusive */
    EXPLORE_N0,
    EXPLORE_N1,
    EXPLORE_N2,
    EXPLORE_N3,
    EXPLORE_NODES,
    EXPLORE_ROOT = EXPLORE_NODES, /* parent of what has none */
};

enum explore_check_index {
    EXPLORE_CHECK_HISTOGRAM, /* R1 + R2 + R3 = U */
    EXPLORE_CHECK_STACK,     /* D0 + D1 <= 1.02 C */
    EXPLORE_CHECK_STALL_MAX, /* max(D2..DA) <= D1 */
    EXPLORE_CHECK_STALL_SUM, /* D1 <= sum(D2..DA) */
    EXPLORE_CHECK_OPS,       /* C0 <= U */
    EXPLORE_CHECK_BRANCHES,  /* C3 <= C2 */
    EXPLORE_CHECK_DC,        /* 041 <= 040 */
    EXPLORE_CHECK_REFILLS,   /* 043 <= 042 */
    EXPLORE_CHECK_EXPECTED,  /* C0 = expected + interrupts + exceptions */
    EXPLORE_CHECKS,
};

#endif
