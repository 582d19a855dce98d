/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The method of Zen, Zen 2 and Zen 3, which count no slots, but cycles in which dispatch waits for tokens: events, rows
 * and checks of core/explore/explore.h by their numbers.
 *
 * No top-down method was published for these processors. This one has the shape of Zen 4's
 * (core/explore/explore_slots.h), built of the events there are (Linux tools/perf/pmu-events/arch/x86/amdzen1 to
 * amdzen3, core.json and other.json; libpfm4's 0AEh on Zen). The core dispatches up to N = 6 macro-ops a cycle (AMD
 * Software Optimization Guides 55723, 56305, 56665). With C = 076h, U = 0C1h, E = 0A9h (the op queue is empty), P =
 * 0AAh:03, G = cycles with P (its count mask 1), S = 0AEh + 0AFh (a group waits for a token of one of these):
 *
 *   level 1   retiring U/NC + bad speculation (P - U)/NC + r/C + front end (latency (E - r)/C, bandwidth (NG - P)/NC) +
 *             back end min(S, C - E - G)/C + rest = 1; r, refilling: E, at most 11 cycles for each 0C3h
 *             and 0C7h
 *   bad       divided as Zen 4's, with 0C7h for restarts
 *   back      memory U/s * W / C, at most all of it: of s op samples the waits W of those that held retirement up
 *             (core/ibs/held.h) by IbsDcMissLat and IbsTlbRefillLat; core: the rest. Once more by the counts of single
 *             tokens, scaled so that they add up to it; beside each its share of cycles
 *
 * Each event counts cycles, and its mask selects the stalls that are included (Linux' lists, which say that mask bits
 * are added for 029h, but not for these): with all bits a cycle counts once, whatever token lacks. No source says what
 * 0AEh and 0AFh do together: S counts a cycle twice in which tokens of both lack, so it is an upper bound, cut to the
 * cycles in which ops were there and none was dispatched. On Zen 3, with two threads on the core, cycles of the other's
 * turn in which this one would have waited are counted as well (binutils' gprofng, events of Zen 3). The rest is the
 * other such cycles: no event says why. Where G is not counted, P/N stands for it. Zen has no event of E; there the
 * front end's latency is in the rest.
 *
 * Thresholds: as explore_slots.h; those of tokens are a choice, as for the causes of explore_10h.h.
 */
#ifndef CORE_EXPLORE_TOKENS_H
#define CORE_EXPLORE_TOKENS_H

#include "core/explore/explore.h"

enum explore_tokens_event {
    TOKENS_C = EXPLORE_C,
    TOKENS_C0,
    TOKENS_U,
    TOKENS_DISPATCHED,
    TOKENS_GROUPS, /* cycles that dispatch */
    TOKENS_OP_CACHE,
    TOKENS_EMPTY,
    TOKENS_0AE, /* all of each event */
    TOKENS_0AF,
    TOKENS_INT_FILE, /* single tokens; of schedulers all together */
    TOKENS_LOADS,
    TOKENS_STORES,
    TOKENS_INT_OTHERS,
    TOKENS_BRANCHES,
    TOKENS_FP_FILE,
    TOKENS_FP_SCHEDULER,
    TOKENS_FP_RECOVERS,
    TOKENS_SCHEDULERS,
    TOKENS_RETIRE,
    TOKENS_C2,
    TOKENS_C3,
    TOKENS_RESYNC,
    TOKENS_CODE_L2,
    TOKENS_CODE_BEYOND,
    TOKENS_FILLS_L2,
    TOKENS_FILLS_CACHES,
    TOKENS_FILLS_MEMORY,
    TOKENS_L2_MISSES,
    TOKENS_INTERRUPTS,
    TOKENS_EVENTS,
};

enum explore_tokens_row {
    TOKENS_CPI,
    TOKENS_CPI_IDEAL,
    TOKENS_IPC,
    TOKENS_RETIRING, /* level 1; each followed by its children */
    TOKENS_RETIRING_MICROCODE,
    TOKENS_OPS_PER_INSN,
    TOKENS_BAD,
    TOKENS_BAD_MISPREDICTS,
    TOKENS_BAD_RESTARTS,
    TOKENS_BAD_RATIO,
    TOKENS_LATENCY,
    TOKENS_LATENCY_L2,
    TOKENS_LATENCY_BEYOND,
    TOKENS_BANDWIDTH,
    TOKENS_BANDWIDTH_OP_CACHE,
    TOKENS_BACK_BOUND,
    TOKENS_BACK_MEMORY, /* by IBS */
    TOKENS_BACK_CORE,
    TOKENS_BACK_RETIRE, /* causes: normalised, and raw beside them */
    TOKENS_BACK_LOADS,
    TOKENS_BACK_STORES,
    TOKENS_BACK_SCHEDULERS,
    TOKENS_BACK_INT_FILE,
    TOKENS_BACK_INT_OTHERS,
    TOKENS_BACK_FP_SCHEDULER,
    TOKENS_BACK_FP_FILE,
    TOKENS_BACK_FP_RECOVERS,
    TOKENS_BACK_BRANCHES,
    TOKENS_BACK_FILLS_L2,
    TOKENS_BACK_FILLS_CACHES,
    TOKENS_BACK_FILLS_MEMORY,
    TOKENS_BACK_L2_MISSES,
    TOKENS_REST,
    TOKENS_REST_OTHER_THREAD,
    TOKENS_ROWS,
};

enum explore_tokens_check {
    TOKENS_CHECK_EMPTY, /* E + G <= 1.02 C */
    TOKENS_CHECK_0AE,   /* 0AEh + G <= 1.02 C: a group that waits is not dispatched */
    TOKENS_CHECK_0AF,
    TOKENS_CHECK_0AE_MAX, /* the largest single token <= all */
    TOKENS_CHECK_0AF_MAX,
    TOKENS_CHECK_SINGLE, /* 0AEh + 0AFh <= sum of single tokens */
    TOKENS_CHECK_OPS,    /* U <= P */
    TOKENS_CHECK_BRANCHES,
    TOKENS_CHECK_EXPECTED,
    TOKENS_CHECKS,
};

extern const struct explore_method explore_tokens_zen, explore_tokens_zen2, explore_tokens_zen3;

/* Events by processor; for explore_tokens.c. */
extern const struct explore_event explore_tokens_events_zen[TOKENS_EVENTS], explore_tokens_events_zen2[TOKENS_EVENTS],
    explore_tokens_events_zen3[TOKENS_EVENTS];
extern const struct explore_node_row explore_tokens_tree[TOKENS_ROWS];
extern const struct explore_check_row explore_tokens_checks[TOKENS_CHECKS];

#endif
