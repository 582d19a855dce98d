/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AMD's top-down method as rows: events, tree and checks; sources of formulas and thresholds: explore_slots.h. The
 * events are those of Linux' amdzen4, amdzen5 and amdzen6 (core/events/events_zen_fr.c).
 */
#include "core/explore/explore_slots.h"

#include "core/explore/explore_rows.h"

#define IN(name) (1ull << SLOTS_##name)

#define RETIRE (IN(C) | IN(U))
#define BAD    (IN(C) | IN(U) | IN(DISPATCHED))
#define CAUSE  (BAD | IN(C3) | IN(RESYNC))
#define FRONT  (IN(C) | IN(FRONT))
#define BACK   (IN(C) | IN(BACK))
#define MEMORY (BACK | IN(WAIT) | IN(WAIT_LOAD))

/* clang-format off */
/* slots: the count mask of cycles without any op; then the event of resyncs. */
#define EVENTS(slots, resync, resync_mask)                                                                             \
    [SLOTS_C]          = {0x076, 0x00, 0, "cycles, the sentinel"},                                                     \
    [SLOTS_C0]         = {0x0C0, 0x00, 0, "CPI, IPC, ops per instruction"},                                            \
    [SLOTS_U]          = {0x0C1, 0x00, 0, "retiring, bad speculation"},                                                \
    [SLOTS_FRONT]      = {0x1A0, 0x01, 0, "front end"},                                                                \
    [SLOTS_BACK]       = {0x1A0, 0x1E, 0, "back end"},                                                                 \
    [SLOTS_OTHER]      = {0x1A0, 0x60, 0, "the other thread"},                                                         \
    [SLOTS_DISPATCHED] = {0x0AA, 0x07, 0, "bad speculation"},                                                          \
    [SLOTS_FRONT_ALL]  = {0x1A0, 0x01, slots, "front end, latency"},                                                   \
    [SLOTS_C2]         = {0x0C2, 0x00, 0, "mispredict ratio"},                                                         \
    [SLOTS_C3]         = {0x0C3, 0x00, 0, "bad speculation, mispredicts"},                                             \
    [SLOTS_RESYNC]     = {resync, resync_mask, 0, "bad speculation, restarts"},                                        \
    [SLOTS_WAIT]       = {0x0D6, 0x02, 0, "back end, memory"},                                                         \
    [SLOTS_WAIT_LOAD]  = {0x0D6, 0xA2, 0, "back end, memory"},                                                         \
    [SLOTS_MICROCODE]  = {0x1C2, 0x00, 0, "retiring, microcode"},                                                      \
    [SLOTS_INTERRUPTS] = {0x02C, 0x00, 0, "check: there were no interrupts"}

const struct explore_event explore_slots_events_6[SLOTS_EVENTS] = {EVENTS(6, 0x096, 0x00)};
const struct explore_event explore_slots_events_8[SLOTS_EVENTS] = {EVENTS(8, 0x09F, 0x01)};

const struct explore_node_row explore_slots_tree[SLOTS_ROWS] = {
    [SLOTS_CPI] = {CPI_ROW(IN(C), IN(C0))},
    [SLOTS_CPI_IDEAL] = {CPI_IDEAL_ROW(IN(U), IN(C0))},
    [SLOTS_IPC] = {IPC_ROW(IN(C), IN(C0))},

    [SLOTS_RETIRING] = {
        TOP("Retiring"), SLOTS, .limit_ppm = 700000, .inputs = RETIRE,
        .means = "Macro-ops that retire use most slots: the pipeline is well filled, and only less work makes the code faster.",
        .try_this = "Do more per op: packed AVX2 or AVX-512 instead of scalar code, and fewer ops per result.",
        .proof = "F100 in 'IBS op profile': with dispatched ops counted, its shares show where the ops are executed.",
    },
    [SLOTS_RETIRING_MICROCODE] = {
        NODE(2, SLOTS_RETIRING, "Microcode (1C2)"), SLOTS, .limit_ppm = 50000, .alone = true,
        .inputs = RETIRE | IN(MICROCODE),
        .means = "Ops of the microcode sequencer retire: string instructions, x87 transcendentals, system instructions, gathers and other instructions with many ops.",
        .try_this = "Replace these instructions by sequences of simple ones.",
        .proof = "X110 (ops from microcode) in the per-instruction CSV: the instructions with these ops.",
    },
    [SLOTS_RETIRING_FAST] = {
        NODE(2, SLOTS_RETIRING, "Fast path"), SLOTS, .inputs = RETIRE | IN(MICROCODE),
        .means = "Share of the slots used by retired macro-ops (0C1) that do not come from microcode (1C2).",
    },
    [SLOTS_OPS_PER_INSN] = {OPS_PER_INSN_ROW(SLOTS_RETIRING, IN(U), IN(C0))},

    [SLOTS_BAD] = {
        TOP("Bad speculation"), SLOTS, .limit_ppm = 150000, .inputs = BAD,
        .means = "Ops were dispatched that did not retire, because they were on the wrong path. Slots that stay empty until the right path arrives count as front-end bound.",
        .try_this = "Make the branch predictable (sort the data, split the loop) or replace it by CMOV or SETcc.",
        .proof = "F104 against F103 in the per-instruction CSV: the branches that were mispredicted, and how often.",
    },
    [SLOTS_BAD_MISPREDICTS] = {
        NODE(2, SLOTS_BAD, "Mispredicted branches"), SLOTS, .limit_ppm = 100000, .inputs = CAUSE,
        .means = "The share of bad speculation due to mispredicted branches, among all causes that flush the pipeline: each flush is assumed to cost the same.",
        .try_this = "Look for branches on random data, and for indirect jumps with many targets.",
        .proof = "F104 and F106 in the per-instruction CSV; F108 when the branches are returns.",
    },
    [SLOTS_BAD_RESTARTS] = {
        NODE(2, SLOTS_BAD, "Pipeline restarts (resyncs)"), SLOTS, .limit_ppm = 100000, .inputs = CAUSE,
        .means = "The share due to restarts that no branch caused: loads that were executed too early, modified code, faults.",
        .try_this = "Do not load just stored data with another size or through another address; keep written data and code on different pages.",
        .proof = "No column marks a restart: look at loads that follow stores to the same place, at the longest F101.",
    },
    [SLOTS_BAD_RATIO] = {MISPREDICTED_ROW(SLOTS_BAD, IN(C2), IN(C3))},

    [SLOTS_FRONT_BOUND] = {
        TOP("Front-end bound"), SLOTS, .limit_ppm = 150000, .inputs = FRONT,
        .means = "Slots stay empty because the front end supplies no op, although the back end could take one.",
        .try_this = "The rows below say whether no ops arrive, or too few in a cycle.",
        .proof = "With config=ibs, F008 and F004 in 'IBS fetch profile': fetches that missed the cache, and fetches that "
                 "were aborted.",
    },
    [SLOTS_FRONT_LATENCY] = {
        NODE(2, SLOTS_FRONT_BOUND, "Latency: nothing supplied"), SLOTS, .limit_ppm = 100000,
        .inputs = FRONT | IN(FRONT_ALL),
        .means = "Cycles in which no op arrives: instruction cache or ITLB misses, refilling after a mispredicted branch or a restart, and the delay from a taken branch to its target.",
        .try_this = "If fetches miss: make the hot code smaller, move functions that run together next to each other, "
                    "use 2 MB pages for code. Else see bad speculation.",
        .proof = "With config=ibs, F006, F007 and F00E in the per-instruction CSV: ITLB misses and the latency of "
                 "fetches; F104 where mispredicted branches are the cause.",
    },
    [SLOTS_FRONT_BANDWIDTH] = {
        NODE(2, SLOTS_FRONT_BOUND, "Bandwidth: too few supplied"), SLOTS, .limit_ppm = 200000,
        .inputs = FRONT | IN(FRONT_ALL),
        .means = "Some ops arrive in a cycle, but not as many as there are slots: the decoder or the op cache does not deliver enough, or taken branches cut blocks short.",
        .try_this = "Take fewer branches and align hot loops; only code that is larger than the op cache needs to be smaller.",
        .proof = "F105 in the per-instruction CSV: dense taken branches; with config=ibs, F001 in 'IBS fetch profile': "
                 "killed fetches after them.",
    },

    [SLOTS_BACK_BOUND] = {
        TOP("Back-end bound"), SLOTS, .limit_ppm = 200000, .inputs = BACK,
        .means = "Slots stay empty because the back end takes no op: the retire queue, a scheduler, a register file, or "
                 "the queues of loads and stores are full.",
        .try_this = "The rows below say whether ops wait for data or for execution.",
        .proof = "F101 (tag to retire) of the op samples: ops that stay in the pipeline for a long time.",
    },
    [SLOTS_BACK_MEMORY] = {
        NODE(2, SLOTS_BACK_BOUND, "Memory bound"), SLOTS, .limit_ppm = 200000, .inputs = MEMORY,
        .means = "If nothing retires because the oldest op is not complete, this op may wait for a load (0D6:A2 of 0D6:02); this share of back-end bound counts as memory, at most these cycles. Loads that hit the data cache, and loads that take a store's data, count, too; for locked ops (IBS) only the wait for their line.",
        .try_this = "If loads miss: change the order of access (blocking, interchanged loops), keep less data, prefetch. "
                    "If they take a store's data: keep the value in a register.",
        .proof = "F206 in 'IBS load/store breakdown', F219 in 'IBS DC miss latency'; F20B (forwarded) in the per-instruction "
                 "CSV.",
    },
    [SLOTS_BACK_CORE] = {
        NODE(2, SLOTS_BACK_BOUND, "Core bound"), SLOTS, .limit_ppm = 100000, .inputs = MEMORY,
        .means = "The oldest op does not wait for a load: long chains of dependent ops, divisions, one "
                 "busy unit, or a locked op that has its line and waits for all ops before it.",
        .try_this = "Break the chain: several accumulators, a reciprocal instead of a division. Use fewer locked ops.",
        .proof = "F101 minus F102 (tag to completion) of ops without a miss, and F20F (locked), in the per-instruction CSV.",
    },

    [SLOTS_OTHER_THREAD] = {
        TOP("Other thread (SMT contention)"), SLOTS, .limit_ppm = 100000, .inputs = IN(C) | IN(OTHER),
        .means = "The cycle's slots went to the other thread of the core, which is also busy.",
        .try_this = "Name one thread of each core ('cores='), or switch SMT off in the firmware's setup.",
        .proof = "F101 of the same instructions, with and without the other thread.",
    },
    [SLOTS_REST] = {
        TOP("Not attributed (the rest)"), SLOTS, .inputs = BAD | IN(FRONT) | IN(BACK) | IN(OTHER),
        .means = "The rest of all slots, which no row of level 1 counts. The counts come from different passes and counters, and only the processor makes them add up.",
    },
};

/* 5 %: toplev's rule for a share. Inequalities of different passes: the residue of counting is under 0.1 %; dispatched
 * and retired ops are nearly the same where nothing is mispredicted, so noise between passes counts there: 1 %, a
 * choice. No check says instructions <= macro-ops: fused branches are one op of two instructions (1D0). */
#define RESIDUE .tolerance_ppm = 1000
const struct explore_check_row explore_slots_checks[SLOTS_CHECKS] = {
    [SLOTS_CHECK_SUM] = {
        "1A0:01 + 1A0:1E + 1A0:60 + 0AA = all slots within 5 %",
        IN(FRONT) | IN(BACK) | IN(OTHER) | IN(DISPATCHED), IN(C),
        .right_slots = true, .relation = EXPLORE_EQUAL, .tolerance_ppm = 50000, .of_cycles = true,
    },
    [SLOTS_CHECK_LATENCY] = {
        "slots of cycles without any op <= 1A0:01", IN(FRONT_ALL), IN(FRONT),
        .left_slots = true, .relation = EXPLORE_AT_MOST, RESIDUE, .of_cycles = true,
    },
    [SLOTS_CHECK_OPS] = {
        "0C1 <= 1.01 0AA", IN(U), IN(DISPATCHED), .relation = EXPLORE_AT_MOST, .tolerance_ppm = 10000,
    },
    [SLOTS_CHECK_MICROCODE] = {"1C2 <= 0C1", IN(MICROCODE), IN(U), .relation = EXPLORE_AT_MOST, RESIDUE},
    [SLOTS_CHECK_BRANCHES] = {"0C3 <= 0C2", IN(C3), IN(C2), .relation = EXPLORE_AT_MOST, RESIDUE},
    [SLOTS_CHECK_WAIT] = {"0D6:02 <= 076", IN(WAIT), IN(C), .relation = EXPLORE_AT_MOST, RESIDUE, .of_cycles = true},
    [SLOTS_CHECK_WAIT_LOAD] = {
        "0D6:A2 <= 0D6:02", IN(WAIT_LOAD), IN(WAIT), .relation = EXPLORE_AT_MOST, RESIDUE, .of_cycles = true,
    },
    [SLOTS_CHECK_EXPECTED] = {
        "0C0 = expected + 02C + exceptions", IN(C0), IN(INTERRUPTS),
        .needs_expected = true, .relation = EXPLORE_EQUAL,
    },
};
/* clang-format on */
