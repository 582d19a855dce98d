/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The method of Zen to Zen 3 as rows: events, tree and checks; sources of formulas and thresholds: explore_tokens.h.
 * The events are those of core/events/events_zen_fr.c and its neighbours.
 */
#include "core/explore/explore_tokens.h"

#include "core/explore/explore_rows.h"

#define IN(name) (1ull << TOKENS_##name)

#define RETIRE    (IN(C) | IN(U))
#define BAD       (RETIRE | IN(DISPATCHED) | IN(C3))
#define FLUSHES   (BAD | IN(RESYNC))
#define BANDWIDTH (IN(C) | IN(DISPATCHED) | IN(GROUPS))
#define BACK      (IN(C) | IN(DISPATCHED) | IN(0AE) | IN(0AF))
#define WAITS     (BACK | IN(U) | 1ull << EXPLORE_IBS)
#define OF_0AE                                                                                                         \
    (IN(INT_FILE) | IN(LOADS) | IN(STORES) | IN(INT_OTHERS) | IN(BRANCHES) | IN(FP_FILE) | IN(FP_SCHEDULER) |          \
     IN(FP_RECOVERS))
#define OF_0AF (IN(SCHEDULERS) | IN(RETIRE))

#define CAUSE(event, name_)                                                                                            \
    .level = 2, .parent = TOKENS_BACK_BOUND, .name = name_, .raw = TOKENS_##event, SLOTS, .limit_ppm = 100000,         \
    .inputs = BACK | OF_0AE | OF_0AF
#define PER_1000(parent, event, name_) NODE(2, parent, name_), RATIO("/1k insn"), .inputs = IN(event) | IN(C0)

/* clang-format off */
/* all: of 0AFh; its bits of schedulers, and of the retire queue; of 043h those of caches. */
#define EVENTS(all, schedulers, retire, caches)                                                                        \
    [TOKENS_C]            = {0x076, 0x00, 0, "cycles, the sentinel"},                                                  \
    [TOKENS_C0]           = {0x0C0, 0x00, 0, "CPI, IPC, ops per instruction"},                                         \
    [TOKENS_U]            = {0x0C1, 0x00, 0, "retiring, bad speculation"},                                             \
    [TOKENS_DISPATCHED]   = {0x0AA, 0x03, 0, "bad speculation"},                                                       \
    [TOKENS_GROUPS]       = {0x0AA, 0x03, 1, "front end, bandwidth"},                                                  \
    [TOKENS_OP_CACHE]     = {0x0AA, 0x02, 0, "ops from the op cache"},                                                 \
    [TOKENS_EMPTY]        = {0x0A9, 0x00, 0, "front end, latency"},                                                    \
    [TOKENS_0AE]          = {0x0AE, 0xFF, 0, "back end"},                                                              \
    [TOKENS_0AF]          = {0x0AF, all, 0, "back end"},                                                               \
    [TOKENS_INT_FILE]     = {0x0AE, 0x01, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_LOADS]        = {0x0AE, 0x02, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_STORES]       = {0x0AE, 0x04, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_INT_OTHERS]   = {0x0AE, 0x08, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_BRANCHES]     = {0x0AE, 0x10, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_FP_FILE]      = {0x0AE, 0x20, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_FP_SCHEDULER] = {0x0AE, 0x40, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_FP_RECOVERS]  = {0x0AE, 0x80, 0, "causes of dispatch stalls"},                                             \
    [TOKENS_SCHEDULERS]   = {0x0AF, schedulers, 0, "causes of dispatch stalls"},                                       \
    [TOKENS_RETIRE]       = {0x0AF, retire, 0, "causes of dispatch stalls"},                                           \
    [TOKENS_C2]           = {0x0C2, 0x00, 0, "mispredict ratio"},                                                      \
    [TOKENS_C3]           = {0x0C3, 0x00, 0, "bad speculation, mispredicts"},                                          \
    [TOKENS_RESYNC]       = {0x0C7, 0x00, 0, "bad speculation, restarts"},                                             \
    [TOKENS_CODE_L2]      = {0x082, 0x00, 0, "instruction cache misses"},                                              \
    [TOKENS_CODE_BEYOND]  = {0x083, 0x00, 0, "instruction cache misses"},                                              \
    [TOKENS_FILLS_L2]     = {0x043, 0x01, 0, "where data comes from"},                                                 \
    [TOKENS_FILLS_CACHES] = {0x043, caches, 0, "where data comes from"},                                               \
    [TOKENS_FILLS_MEMORY] = {0x043, 0x48, 0, "where data comes from"},                                                 \
    [TOKENS_L2_MISSES]    = {0x064, 0x08, 0, "where data comes from"},                                                 \
    [TOKENS_INTERRUPTS]   = {0x02C, 0x00, 0, "check: there were no interrupts"}

const struct explore_event explore_tokens_events_zen[TOKENS_EVENTS] = {EVENTS(0x7F, 0x3F, 0x40, 0x12)};
const struct explore_event explore_tokens_events_zen2[TOKENS_EVENTS] = {EVENTS(0x7F, 0x5F, 0x20, 0x12)};
const struct explore_event explore_tokens_events_zen3[TOKENS_EVENTS] = {EVENTS(0x3F, 0x1F, 0x20, 0x16)};

const struct explore_node_row explore_tokens_tree[TOKENS_ROWS] = {
    [TOKENS_CPI] = {CPI_ROW(IN(C), IN(C0))},
    [TOKENS_CPI_IDEAL] = {CPI_IDEAL_ROW(IN(U), IN(C0))},
    [TOKENS_IPC] = {IPC_ROW(IN(C), IN(C0))},

    [TOKENS_RETIRING] = {
        TOP("Retiring"), SLOTS, .limit_ppm = 700000, .inputs = RETIRE,
        .means = "Macro-ops that retire use most slots: the pipeline is well filled, and only less work makes the code faster.",
        .try_this = "Do more per op: packed AVX2 instead of scalar code, and fewer ops per result.",
        .proof = "F100 in 'IBS op profile': with dispatched ops counted, its shares show where the ops are executed.",
    },
    [TOKENS_RETIRING_MICROCODE] = {
        NODE(2, TOKENS_RETIRING, "Microcode"), SLOTS, .unobservable = true,
        .means = "Slots used by ops of the microcode sequencer. No event before Zen 4 counts them; X110 of the op samples marks them.",
    },
    [TOKENS_OPS_PER_INSN] = {OPS_PER_INSN_ROW(TOKENS_RETIRING, IN(U), IN(C0))},

    [TOKENS_BAD] = {
        TOP("Bad speculation"), SLOTS, .limit_ppm = 150000, .inputs = BAD,
        .means = "Ops were dispatched (0AA) that did not retire (0C1), because they were on the wrong path. This includes the cycles without an op (0A9) until the right path arrives, at most 11 for each mispredicted branch (0C3) and restart (0C7).",
        .try_this = "Make the branch predictable (sort the data, split the loop) or replace it by CMOV or SETcc.",
        .proof = "F104 against F103 in the per-instruction CSV: the branches that were mispredicted, and how often.",
    },
    [TOKENS_BAD_MISPREDICTS] = {
        NODE(2, TOKENS_BAD, "Mispredicted branches"), SLOTS, .limit_ppm = 100000, .inputs = FLUSHES,
        .means = "The share due to mispredicted branches (0C3), among all causes that flush the pipeline: each flush is assumed to cost the same.",
        .try_this = "Look for branches on random data, and for indirect jumps with many targets.",
        .proof = "F104 and F106 in the per-instruction CSV; F108 when the branches are returns.",
    },
    [TOKENS_BAD_RESTARTS] = {
        NODE(2, TOKENS_BAD, "Pipeline restarts (0C7)"), SLOTS, .limit_ppm = 100000, .inputs = FLUSHES,
        .means = "The share due to restarts that no mispredicted branch caused (0C7): assists of the microcode, modified code, loads that were executed too early.",
        .try_this = "Keep written data and code on different pages; avoid denormal operands in x87 code; do not load just stored data through another address.",
        .proof = "No column marks a restart: look at loads that follow stores to the same place, at the longest F101.",
    },
    [TOKENS_BAD_RATIO] = {MISPREDICTED_ROW(TOKENS_BAD, IN(C2), IN(C3))},

    [TOKENS_LATENCY] = {
        TOP("Front-end latency (0A9)"), SLOTS, .limit_ppm = 150000, .inputs = IN(C) | IN(EMPTY) | IN(C3),
        .means = "The op queue is empty (0A9) and nothing can be dispatched: instruction cache or ITLB misses, and the delay from a taken branch to its target. Refilling after a mispredicted branch or a restart, for 11 cycles, is part of bad speculation. Zen does not have this event: there these cycles are in the rest.",
        .try_this = "If fetches miss: move functions that run together next to each other, use 2 MB pages for code. Else "
                    "see bad speculation.",
        .proof = "With config=ibs, F008 in 'IBS fetch profile'; F006, F007 and F00E in the per-instruction CSV: ITLB misses "
                 "and the latency of fetches; F104 where mispredicted branches are the cause.",
    },
    [TOKENS_LATENCY_L2] = {
        PER_1000(TOKENS_LATENCY, CODE_L2, "Code from the L2 (082)"),
        .means = "Lines of code that the L2 supplied (082) per thousand instructions (0C0).",
    },
    [TOKENS_LATENCY_BEYOND] = {
        PER_1000(TOKENS_LATENCY, CODE_BEYOND, "Code from beyond (083)"),
        .means = "Lines of code that came from beyond the L2 (083) per thousand instructions (0C0).",
    },
    [TOKENS_BANDWIDTH] = {
        TOP("Front-end bandwidth"), SLOTS, .limit_ppm = 200000, .inputs = BANDWIDTH,
        .means = "Some ops are dispatched in a cycle (0AA), but not as many as there are slots: the decoder or the op cache does not deliver enough, or taken branches cut blocks short.",
        .try_this = "Take fewer branches and align hot loops; only code that is larger than the op cache needs to be smaller.",
        .proof = "F105 in the per-instruction CSV: dense taken branches; with config=ibs, F001 in 'IBS fetch profile': "
                 "killed fetches after them.",
    },
    [TOKENS_BANDWIDTH_OP_CACHE] = {
        NODE(2, TOKENS_BANDWIDTH, "Op cache (0AA:02 of 0AA:03)"), SHARE("ops"),
        .inputs = IN(DISPATCHED) | IN(OP_CACHE),
        .means = "Ops that came from the op cache (0AA:02), of all dispatched ops (0AA:03): the others were decoded.",
    },

    [TOKENS_BACK_BOUND] = {
        TOP("Back-end bound"), SLOTS, .limit_ppm = 200000, .inputs = BACK,
        .means = "Ops wait to be dispatched, because a queue, a scheduler or a register file has no room (0AE, 0AF). These are at most the cycles in which no op is dispatched and the op queue is not empty.",
        .try_this = "The rows below say which one is full: mostly because its oldest op waits for data or for execution.",
        .proof = "F101 (tag to retire) of the op samples: ops that stay in the pipeline for a long time; F206 in 'IBS load/store breakdown': "
                 "loads that missed.",
    },
    [TOKENS_BACK_MEMORY] = {
        NODE(2, TOKENS_BACK_BOUND, "Memory bound, est."), SLOTS, .limit_ppm = 200000, .inputs = WAITS,
        .means = "Retirement waits for loads that missed the data cache or the DTLB: IbsDcMissLat and IbsTlbRefillLat of the op samples that held it up. Waits overlap, so this is an upper bound, at most the back end. The fills below show where the data comes from.",
        .try_this = "Change the order of access (blocking, interchanged loops), keep less data, prefetch; use 2 MB pages if translations miss.",
        .proof = "F206 and F205 in 'IBS load/store breakdown', F219 in 'IBS DC miss latency', X20A.",
    },
    [TOKENS_BACK_CORE] = {
        NODE(2, TOKENS_BACK_BOUND, "Core bound, est."), SLOTS, .limit_ppm = 100000, .inputs = WAITS,
        .means = "The rest of the back end: long chains of dependent ops, divisions, one busy unit, stores.",
        .try_this = "Break the chain: several accumulators, a reciprocal instead of a division.",
        .proof = "F101 minus F102 (tag to completion) of ops without a miss in the per-instruction CSV.",
    },
    [TOKENS_BACK_RETIRE] = {
        CAUSE(RETIRE, "Retire queue"),
        .means = "The retire queue is full: its oldest op has not completed, mostly a load that missed or a long chain. "
                 "The fills below show whether data comes from far away.",
        .try_this = "Find the oldest op: start its load earlier, or shorten the chain that leads to it.",
        .proof = "F219 in 'IBS DC miss latency'; F101 against F102: the op with a long F101 and a short F102 is the one that "
                 "the others wait for.",
    },
    [TOKENS_BACK_LOADS] = {
        CAUSE(LOADS, "Load queue"),
        .means = "The queue of loads is full: its oldest loads miss, so that no place becomes free.",
        .try_this = "Change the order of access (blocking, interchanged loops), keep less data, prefetch.",
        .proof = "F206 in 'IBS load/store breakdown', F219 in 'IBS DC miss latency'.",
    },
    [TOKENS_BACK_STORES] = {
        CAUSE(STORES, "Store queue"),
        .means = "The queue of stores is full: stores wait to retire, or for their lines, which other cores may hold, or "
                 "for memory's pace.",
        .try_this = "Use streaming stores for data that is not read again; write fewer lines; use fewer locked ops.",
        .proof = "F202 and F206 in 'IBS load/store breakdown'; F20F (locked) in the per-instruction CSV.",
    },
    [TOKENS_BACK_SCHEDULERS] = {
        CAUSE(SCHEDULERS, "Integer, address schedulers"),
        .means = "The schedulers of integer ops and addresses are full (0AF without its retire queue): ops wait for their "
                 "operands, which a load or a long chain delivers late.",
        .try_this = "Break the chain: several accumulators, a reciprocal instead of a division.",
        .proof = "F101 minus F102 (tag to completion) of ops without a miss in the per-instruction CSV.",
    },
    [TOKENS_BACK_INT_FILE] = {
        CAUSE(INT_FILE, "Integer register file"),
        .means = "No integer register is free for a result: too many ops with results are under way behind one that "
                 "waits.",
        .try_this = "See the retire queue: the oldest op is the cause.",
        .proof = "F101 against F102: the other ops wait for the op with a long F101 and a short F102.",
    },
    [TOKENS_BACK_INT_OTHERS] = {
        CAUSE(INT_OTHERS, "Integer scheduler, others"),
        .means = "Another resource of the integer unit is missing; no source says which.",
        .try_this = "See the integer schedulers.",
        .proof = "F101 minus F102 (tag to completion) of ops without a miss in the per-instruction CSV.",
    },
    [TOKENS_BACK_FP_SCHEDULER] = {
        CAUSE(FP_SCHEDULER, "Floating-point scheduler"),
        .means = "The scheduler of floating-point ops is full: the ops wait for each other or for their data.",
        .try_this = "Several accumulators; packed instead of scalar operations; multiply by a reciprocal.",
        .proof = "F101 minus F102 (tag to completion) of floating-point ops in the per-instruction CSV.",
    },
    [TOKENS_BACK_FP_FILE] = {
        CAUSE(FP_FILE, "Floating-point register file"),
        .means = "No floating-point register is free for a result: too many ops with such results are under way behind one that waits.",
        .try_this = "See the retire queue: the oldest op is the cause.",
        .proof = "F101 against F102: the other ops wait for the op with a long F101 and a short F102.",
    },
    [TOKENS_BACK_FP_RECOVERS] = {
        CAUSE(FP_RECOVERS, "Floating-point recovery"),
        .means = "The floating-point unit recovers from a flush, or lacks another resource (Zen 2).",
        .try_this = "See bad speculation: fewer flushes.",
        .proof = "F104 against F103 in the per-instruction CSV: the branches that were mispredicted, and how often.",
    },
    [TOKENS_BACK_BRANCHES] = {
        CAUSE(BRANCHES, "Taken branch buffer"),
        .means = "More taken branches are under way than the core has places for.",
        .try_this = "Take fewer branches: unroll, or reverse the condition so that the usual case falls through.",
        .proof = "F105 in the per-instruction CSV: dense taken branches.",
    },
    [TOKENS_BACK_FILLS_L2] = {
        PER_1000(TOKENS_BACK_BOUND, FILLS_L2, "Fills from the L2 (043)"),
        .means = "Lines of data that the L2 supplied to loads and stores (043:01) per thousand instructions (0C0).",
    },
    [TOKENS_BACK_FILLS_CACHES] = {
        PER_1000(TOKENS_BACK_BOUND, FILLS_CACHES, "Fills from L3, caches (043)"),
        .means = "Lines of data from the L3 or another core's cache (043:12, on Zen 3 043:16) in a thousand instructions "
                 "(0C0).",
    },
    [TOKENS_BACK_FILLS_MEMORY] = {
        PER_1000(TOKENS_BACK_BOUND, FILLS_MEMORY, "Fills from memory (043)"),
        .means = "Lines of data from memory or I/O (043:48) per thousand instructions (0C0).",
    },
    [TOKENS_BACK_L2_MISSES] = {
        PER_1000(TOKENS_BACK_BOUND, L2_MISSES, "Data misses of the L2 (064:08)"),
        .means = "Requests of the data cache and its prefetcher that miss the L2 (064:08), in a thousand "
                 "instructions (0C0).",
    },

    [TOKENS_REST] = {
        TOP("Not attributed (the rest)"), SLOTS, .inputs = BACK | BANDWIDTH | RETIRE,
        .means = "The rest of all slots, which no row of level 1 counts: cycles without dispatch for which no event gives a reason; on Zen also cycles with an empty op queue.",
    },
    [TOKENS_REST_OTHER_THREAD] = {
        NODE(2, TOKENS_REST, "Other thread (SMT)"), SLOTS, .unobservable = true,
        .means = "Cycles that went to the core's other thread. No event before Zen 4 counts them: name one thread of each core (cores=first-threads).",
    },
};

/* 2 %, of cycles: counts of different passes, of which one may be all of another, and 0.1 % of all cycles where they
 * are few. That a group which waits is not dispatched is the method's assumption. The other tolerances are those of explore_slots_tree.c. */
#define ADD_UP  .relation = EXPLORE_AT_MOST, .tolerance_ppm = 20000, .of_cycles = true
#define FEW     ADD_UP, .cycles_ppm = 1000
#define RESIDUE .relation = EXPLORE_AT_MOST, .tolerance_ppm = 1000
const struct explore_check_row explore_tokens_checks[TOKENS_CHECKS] = {
    [TOKENS_CHECK_EMPTY] = {"0A9 + cycles with 0AA <= 1.02 x 076", IN(EMPTY) | IN(GROUPS), IN(C), ADD_UP},
    [TOKENS_CHECK_0AE] = {"0AE + cycles with 0AA <= 1.02 x 076", IN(0AE) | IN(GROUPS), IN(C), ADD_UP},
    [TOKENS_CHECK_0AF] = {"0AF + cycles with 0AA <= 1.02 x 076", IN(0AF) | IN(GROUPS), IN(C), ADD_UP},
    [TOKENS_CHECK_0AE_MAX] = {"each token of 0AE <= 1.02 0AE", OF_0AE, IN(0AE), .left_is_max = true, FEW},
    [TOKENS_CHECK_0AF_MAX] = {"each token of 0AF <= 1.02 0AF", OF_0AF, IN(0AF), .left_is_max = true, FEW},
    [TOKENS_CHECK_SINGLE] = {"0AE + 0AF <= 1.02 all tokens", IN(0AE) | IN(0AF), OF_0AE | OF_0AF, FEW},
    [TOKENS_CHECK_OPS] = {
        "0C1 <= 1.01 0AA", IN(U), IN(DISPATCHED), .relation = EXPLORE_AT_MOST, .tolerance_ppm = 10000,
    },
    [TOKENS_CHECK_BRANCHES] = {"0C3 <= 0C2", IN(C3), IN(C2), RESIDUE},
    [TOKENS_CHECK_EXPECTED] = {
        "0C0 = expected + 02C + exceptions", IN(C0), IN(INTERRUPTS),
        .needs_expected = true, .relation = EXPLORE_EQUAL,
    },
};
/* clang-format on */
