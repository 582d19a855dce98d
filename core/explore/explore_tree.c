/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration's tree and checks as rows.
 *
 * Limits: toplev's of Ivy Bridge, the last Intel core in pmu-tools that is as simple; those of the causes of dispatch
 * stalls are a choice (that of "core bound"). What is said of the core: AMD Software Optimization Guide for Family 10h,
 * 40546, and the BKDG 31116 as CodeXL (0x10.xml) and oprofile quote it.
 */
#include "core/explore/explore_rows.h"

#define IN(name) (1ull << EXPLORE_##name)

#define STALL_CAUSES (IN(D3) | IN(D4) | IN(D5) | IN(D6) | IN(D7) | IN(D8) | IN(D9) | IN(DA))
#define RETIRE       (IN(C) | IN(U))
#define BAD          (IN(C) | IN(C3) | IN(D0) | IN(D1) | IN(D2))
#define BACK         (IN(C) | IN(D1) | IN(D2))
#define WAITS        (BACK | IN(U) | IN(IBS))

#define CAUSE(event, name_)                                                                                            \
    .level = 2, .parent = EXPLORE_BACK, .name = name_, .raw = EXPLORE_##event, SLOTS, .limit_ppm = 100000,             \
    .inputs = BACK | STALL_CAUSES

/* clang-format off */
const struct explore_node_row explore_tree[EXPLORE_NODES] = {
    [EXPLORE_CPI] = {CPI_ROW(IN(C), IN(C0))},
    [EXPLORE_CPI_IDEAL] = {CPI_IDEAL_ROW(IN(U), IN(C0))},
    [EXPLORE_IPC] = {IPC_ROW(IN(C), IN(C0))},

    [EXPLORE_CYCLES_FRONT] = {
        TOP("Decoder empty (0D0)"), CYCLES, .inputs = IN(C) | IN(D0),
        .means = "Cycles in which the decoder has no op to dispatch (0D0), of all cycles (076).",
    },
    [EXPLORE_CYCLES_BACK] = {
        TOP("Dispatch stalled (0D1)"), CYCLES, .inputs = IN(C) | IN(D1),
        .means = "Cycles in which the decoder has ops but none can be dispatched (0D1), of all cycles (076).",
    },
    [EXPLORE_CYCLES_ACTIVE] = {
        TOP("Dispatching (the rest)"), CYCLES, .inputs = IN(C) | IN(D0) | IN(D1),
        .means = "All other cycles: at least one op is dispatched. The three rows add up to 100 %.",
    },

    [EXPLORE_RETIRING] = {
        TOP("Retiring"), SLOTS, .limit_ppm = 700000, .inputs = RETIRE,
        .means = "Most of the three macro-ops that the core can retire per cycle do retire: the pipeline is well "
                 "filled, and only less work makes the code faster.",
        .try_this = "Do more per op: packed SSE instead of scalar or x87 code, and fewer ops per result.",
        .proof = "F100 in 'IBS op profile': with dispatched ops counted, its shares show where the ops are executed.",
    },
    [EXPLORE_OPS_PER_INSN] = {OPS_PER_INSN_ROW(EXPLORE_RETIRING, IN(U), IN(C0))},
    [EXPLORE_DOUBLES] = {
        NODE(2, EXPLORE_RETIRING, "FastPath doubles (0CC)"), SHARE("insns"), .inputs = IN(CC) | IN(C0),
        .means = "FastPath double instructions, which are two macro-ops (0CC), of all retired instructions "
                 "(0C0).",
    },
    [EXPLORE_MICROCODE] = {
        NODE(2, EXPLORE_RETIRING, "VectorPath (microcode)"), SLOTS, .unobservable = true,
        .means = "Slots of microcoded instructions, each of which is dispatched alone. No event of this family counts them.",
    },

    [EXPLORE_BAD] = {
        TOP("Bad speculation"), SLOTS, .limit_ppm = 150000, .inputs = BAD,
        .means = "Cycles are lost from the dispatch of mispredicted branches to the first ops of the right path.",
        .try_this = "Make the branch predictable (sort the data, split the loop) or replace it by CMOV or SETcc.",
        .proof = "F104 against F103 in the per-instruction CSV: the branches that were mispredicted, and how often.",
    },
    [EXPLORE_BAD_REFILL] = {
        NODE(2, EXPLORE_BAD, "Refilling after a mispredict"), SLOTS, .limit_ppm = 100000, .inputs = BAD,
        .means = "The decoder is empty while fetch restarts on the right path, at least 10 cycles per mispredicted "
                 "branch.",
        .try_this = "Look for branches on random data, and for more than three branches in 16 bytes of code, which "
                    "share the predictor's entries.",
        .proof = "F104 and F106 in the per-instruction CSV; F108 when the branches are returns.",
    },
    [EXPLORE_BAD_ABORT] = {
        NODE(2, EXPLORE_BAD, "Waiting for the abort (0D2)"), SLOTS, .limit_ppm = 100000, .inputs = BAD,
        .means = "The right path waits at dispatch until the mispredicted branch retires: older ops hold the branch "
                 "up in the reorder buffer.",
        .try_this = "Compute the branch's condition earlier: do not compare a value that has just been loaded.",
        .proof = "F101 (tag to retire) where F104 is: a long time means that the branch waited for its operands.",
    },
    [EXPLORE_BAD_WAIT] = {
        NODE(2, EXPLORE_BAD, "Until the branch is known, est."), SLOTS, .limit_ppm = 100000, .inputs = BAD | IN(U) | IN(IBS),
        .means = "Mispredicted branches are executed late, and until then ops of the wrong path are dispatched: estimated from the shortest time from tag to completion of each branch, beyond 3 cycles. A right prediction may save less, because the branch, and ops that depend on it, must wait for operands in any case.",
        .try_this = "Shorten the way from a load to the comparison, or to the target of an indirect branch: load the value earlier, or keep it in a register.",
        .proof = "F101 minus F102 (tag to completion) where F104 is, in the per-instruction CSV.",
    },
    [EXPLORE_BAD_RATIO] = {MISPREDICTED_ROW(EXPLORE_BAD, IN(C2), IN(C3))},

    [EXPLORE_FRONT] = {
        TOP("Front-end bound"), SLOTS, .limit_ppm = 150000, .inputs = BAD,
        .means = "The decoder is empty (0D0) although no branch was mispredicted: fetch does not deliver. 087 does not help here, because it also counts while the decoders have enough to do.",
        .try_this = "The rows below say whether fetch waits for the instruction cache, for translations, or for decoding.",
        .proof = "With config=ibs, F008 and F004 in 'IBS fetch profile': fetches that missed the cache, and fetches that were "
                 "aborted.",
    },
    [EXPLORE_FRONT_IC] = {
        NODE(2, EXPLORE_FRONT, "Instruction cache misses, est."), SLOTS, .limit_ppm = 50000,
        .inputs = BAD | IN(82) | IN(83),
        .means = "Code comes from the L2 or beyond; the instruction cache has 64 KB but only two ways, so three "
                 "lines 32 KB apart already evict each other.",
        .try_this = "Make the hot code smaller than the cache: unroll and inline less, move functions that run together "
                    "next to each other.",
        .proof = "With config=ibs, F008 in 'IBS fetch profile', F00E in the per-instruction CSV for its latency.",
    },
    [EXPLORE_FRONT_ITLB] = {
        NODE(2, EXPLORE_FRONT, "ITLB misses, est."), SLOTS, .limit_ppm = 50000,
        .inputs = BAD | IN(82) | IN(83) | IN(84) | IN(85),
        .means = "Code is spread over more pages than the ITLB holds: 32 of 4 KB and 16 of 2 MB at level 1, 512 of "
                 "4 KB at level 2.",
        .try_this = "Put the hot code into few pages, or into 2 MB pages.",
        .proof = "With config=ibs, F006 and F007 in the per-instruction CSV.",
    },
    [EXPLORE_FRONT_DECODE] = {
        NODE(2, EXPLORE_FRONT, "Fetch and decode, the rest"), SLOTS, .limit_ppm = 200000,
        .inputs = BAD | IN(82) | IN(83) | IN(84) | IN(85),
        .means = "The code is in the cache, but 32 bytes of fetch per cycle and three decoders do not supply enough ops: taken branches cut blocks short, long instructions fill them.",
        .try_this = "Align hot loops to 32 bytes, take fewer branches, avoid prefixes and long immediates.",
        .proof = "F105 in the per-instruction CSV: dense taken branches; with config=ibs, F001 in 'IBS fetch "
                 "profile': killed fetches after them.",
    },

    [EXPLORE_BACK] = {
        TOP("Back-end bound"), SLOTS, .limit_ppm = 200000, .inputs = BACK,
        .means = "Ops are decoded but cannot be dispatched (0D1), because one of the queues in which they wait is full: the reorder buffer (72 entries), a scheduler, or the queue of loads and stores.",
        .try_this = "The rows below say whether they wait for data or for execution.",
        .proof = "F101 (tag to retire) of the op samples: ops that stay in the pipeline for a long time.",
    },
    [EXPLORE_MEMORY] = {
        NODE(2, EXPLORE_BACK, "Memory bound"), SLOTS, .limit_ppm = 200000, .inputs = WAITS,
        .means = "Retirement waits for loads that missed the data cache, and for translations of addresses. The rows below say which; they add up to this row.",
        .try_this = "See the largest of the rows below.",
        .proof = "F206 in 'IBS load/store breakdown', F219 in 'IBS DC miss latency'.",
    },
    [EXPLORE_MEMORY_L2] = {
        NODE(3, EXPLORE_MEMORY, "L2 hits, est."), SLOTS, .limit_ppm = 50000, .inputs = WAITS,
        .means = "The data fits the L2 of 512 KB but not the data cache of 64 KB and two ways; each miss costs about "
                 "15 cycles.",
        .try_this = "Block for 32 KB, and keep the distance of streams off multiples of 32 KB.",
        .proof = "F219 over loads missed in 'IBS DC miss latency': a mean under 20; X200 minus X240: misses without "
                 "an answer from the northbridge.",
    },
    [EXPLORE_MEMORY_L3] = {
        NODE(3, EXPLORE_MEMORY, "L3 hits, est."), SLOTS, .limit_ppm = 50000, .inputs = WAITS,
        .means = "The data comes from the L3, which all cores of the node share and which runs at the northbridge's "
                 "clock.",
        .try_this = "Block for the 512 KB of the L2: its contents are not those of the data cache, so both sizes add up.",
        .proof = "F242 (local L3) of F240; the mean in 'IBS DC miss latency'.",
    },
    [EXPLORE_MEMORY_CACHE] = {
        NODE(3, EXPLORE_MEMORY, "Other cores' caches, est."), SLOTS, .limit_ppm = 50000, .inputs = WAITS,
        .means = "The data is in the cache of another core, or in one of another processor: cores write to the same "
                 "lines in turn.",
        .try_this = "Give each core its own lines: counters 64 bytes apart, and sums that are added up at the end.",
        .proof = "F243 and F244 (other caches, local and remote) in the per-instruction CSV.",
    },
    [EXPLORE_MEMORY_DRAM] = {
        NODE(3, EXPLORE_MEMORY, "DRAM, est."), SLOTS, .limit_ppm = 100000, .inputs = WAITS,
        .means = "The data comes from memory: far more cycles than the 72 ops of the reorder buffer can cover.",
        .try_this = "Read memory in order so that the prefetchers can follow, or prefetch well ahead; keep data on its "
                    "node.",
        .proof = "F245 and F246 (local and remote DRAM) in the per-instruction CSV, F24B and F24C for their latency.",
    },
    [EXPLORE_MEMORY_DTLB] = {
        NODE(3, EXPLORE_MEMORY, "DTLB misses, est."), SLOTS, .limit_ppm = 100000, .inputs = WAITS,
        .means = "Addresses miss the DTLB (48 entries at level 1, 512 for 4 KB pages at level 2), and page walks go through the L2.",
        .try_this = "Use pages of 2 MB or 1 GB, or pack data into fewer pages.",
        .proof = "F204 and F205 in 'IBS load/store breakdown'.",
    },
    [EXPLORE_TLB_HITS] = {
        NODE(3, EXPLORE_MEMORY, "L2 DTLB hits (045 of 040)"), SHARE("accesses"), .inputs = IN(40) | IN(45),
        .means = "Accesses that miss the L1 DTLB and hit the L2 DTLB (045), of all accesses to the data "
                 "cache (040).",
    },
    [EXPLORE_TLB_WALKS] = {
        NODE(3, EXPLORE_MEMORY, "DTLB walks (046 of 040)"), SHARE("accesses"), .inputs = IN(40) | IN(46),
        .means = "Accesses that miss both DTLBs and wait for a page walk (046), of all accesses to the data "
                 "cache (040).",
    },
    [EXPLORE_NB_SHARE] = {
        NODE(3, EXPLORE_MEMORY, "From northbridge (043 of 042)"), SHARE("refills"), .inputs = IN(42) | IN(43),
        .means = "Refills of the data cache that the northbridge answers, from the L3, memory or another core (043), of all refills from L2 and northbridge (042).",
    },
    [EXPLORE_L3_HITS] = {
        NODE(3, EXPLORE_MEMORY, "L3 hits (4E0 less 4E1)"), SHARE("L3 reads"), .inputs = IN(4E0) | IN(4E1),
        .means = "Read requests to the L3 (4E0) minus those that miss (4E1), of all read requests, including those of the node's other cores.",
    },
    [EXPLORE_MISS_LATENCY] = {
        NODE(3, EXPLORE_MEMORY, "Mean miss, buffer 0 (069/068)"), RATIO("cycles"), .inputs = IN(68) | IN(69),
        .means = "Cycles in which miss address buffer 0 is in use (069) by its requests (068). Only one buffer is watched; each miss takes the first free buffer.",
    },
    [EXPLORE_FORWARD] = {
        NODE(2, EXPLORE_BACK, "Store forwarding, est."), SLOTS, .limit_ppm = 100000, .inputs = WAITS,
        .means = "Loads wait for stores to the same place that have not reached the cache: a value passes from one op to the next through memory. If forwarding fails, the load waits until the store has left its queue.",
        .try_this = "Keep the value in a register during the loop; load with the address and size of the store.",
        .proof = "F20B and F20C (forwarded, cancelled) in the per-instruction CSV.",
    },
    [EXPLORE_STORES] = {
        NODE(2, EXPLORE_BACK, "Stores, locked ops, est."), SLOTS, .limit_ppm = 100000, .inputs = WAITS | IN(D8),
        .means = "The queue of loads and stores is full (0D8), but not with loads that retirement waits for: stores wait for memory, or for their lines, which other cores may hold; or locked ops wait until all stores before them have left. The cost of sharing for stores is here; its cost for loads and locked ops, which also load, is in 'Other cores' caches'.",
        .try_this = "Use streaming stores for data that is not read again; write fewer lines; use fewer locked ops.",
        .proof = "F202 and F206 in 'IBS load/store breakdown'; F20F (locked) in the per-instruction CSV.",
    },
    [EXPLORE_CORE] = {
        NODE(2, EXPLORE_BACK, "Core bound"), SLOTS, .limit_ppm = 100000, .inputs = WAITS | IN(D8),
        .means = "Dispatch waits neither for data nor for stores: long chains of dependent ops, divisions, or one "
                 "busy unit (multiplications use only ALU 0).",
        .try_this = "Break the chain: several accumulators, a reciprocal instead of a division.",
        .proof = "F101 minus F102 (tag to completion) of ops without a miss in the per-instruction CSV.",
    },
    [EXPLORE_MU_CHECK] = {
        NODE(2, EXPLORE_BACK, "Cross-check: 0D5, 0D8 of 0D5-8"), SHARE("stalls"),
        .inputs = IN(D5) | IN(D6) | IN(D7) | IN(D8),
        .means = "Stalls of the reorder buffer and the load/store unit (0D5, 0D8), of all stalls including reservation stations and FPU (0D6, 0D7): another estimate of the part of memory, without IBS. They overlap, and a full reorder buffer may wait for any op.",
    },
    [EXPLORE_SERIAL] = {
        CAUSE(D3, "Stall: serialisation (0D3)"),
        .means = "An op that must run alone (CPUID, WRMSR, LFENCE, moves to control registers) drains the pipeline.",
        .try_this = "Move serialising instructions out of the loop.",
        .proof = "F101 at the serialising instruction: later ops are tagged only after it is done.",
    },
    [EXPLORE_SEGMENT] = {
        CAUSE(D4, "Stall: segment load (0D4)"),
        .means = "Segment registers are loaded, and dispatch waits for the descriptor.",
        .try_this = "Do not load segment registers in hot code.",
        .proof = "F100 at the instruction that loads a segment register, with core clocks counted.",
    },
    [EXPLORE_ROB] = {
        CAUSE(D5, "Stall: reorder buffer full (0D5)"),
        .means = "All 72 entries of the reorder buffer are in use: its oldest op has not completed, mostly a load that "
                 "missed or a long chain.",
        .try_this = "Find the oldest op: start its load earlier, or shorten the chain that leads to it.",
        .proof = "F101 against F102: the other ops wait for the op with a long F101 and a short F102.",
    },
    [EXPLORE_STATION] = {
        CAUSE(D6, "Stall: schedulers full (0D6)"),
        .means = "One of the three integer schedulers of 8 entries is full of ops that wait for operands.",
        .try_this = "Shorten chains of integer ops; mix independent work between them.",
        .proof = "F101 minus F102 of integer ops in the per-instruction CSV.",
    },
    [EXPLORE_FPU] = {
        CAUSE(D7, "Stall: FPU full (0D7)"),
        .means = "The scheduler of the floating point unit is full: chains of 4-cycle additions and multiplications, "
                 "or divisions.",
        .try_this = "Use several accumulators and packed SSE; divide less.",
        .proof = "F101 minus F102 of floating point ops in the per-instruction CSV.",
    },
    [EXPLORE_LS] = {
        CAUSE(D8, "Stall: load/store full (0D8)"),
        .means = "The queue of loads and stores is full of misses, or of stores that wait to be written.",
        .try_this = "Use fewer, wider accesses, and streaming stores for data that is not read again.",
        .proof = "F206 and F208 in 'IBS load/store breakdown'; F20C: cancelled forwarding.",
    },
    [EXPLORE_QUIET] = {
        CAUSE(D9, "Stall: waiting for quiet (0D9)"),
        .means = "Dispatch waits until all ops in flight, with their stores, are done.",
        .try_this = "Look for fences, locked instructions and VectorPath instructions in the loop.",
        .proof = "F20F (locked) of the op samples.",
    },
    [EXPLORE_FAR] = {
        CAUSE(DA, "Stall: far or resync (0DA)"),
        .means = "Far transfers (including interrupts and system calls) or resyncs empty the pipeline.",
        .try_this = "Look for self-modifying code, exceptions and interrupts.",
        .proof = "F109 (resyncs) of the op samples.",
    },
    [EXPLORE_SLACK] = {
        TOP("Slack (rest, not observable)"), SLOTS, .inputs = BAD | IN(U),
        .means = "Share of slots lost in cycles that dispatch something: in groups that are not full, and because VectorPath instructions are alone in their cycle. This is the rest up to 100 %; slightly negative values are noise between passes.",
    },

    [EXPLORE_N0] = {
        TOP("None"), CYCLES, .inputs = IN(C) | IN(R1),
        .means = "Cycles in which no macro-op retires (076 minus 0C1 with count mask 1), of all cycles (076).",
    },
    [EXPLORE_N1] = {
        TOP("One"), CYCLES, .inputs = IN(C) | IN(R1) | IN(R2),
        .means = "Cycles in which one macro-op retires (0C1 with count mask 1 minus that with 2), of all "
                 "cycles (076).",
    },
    [EXPLORE_N2] = {
        TOP("Two"), CYCLES, .inputs = IN(C) | IN(R2) | IN(R3),
        .means = "Cycles in which two macro-ops retire (0C1 with count mask 2 minus that with 3), of all "
                 "cycles (076).",
    },
    [EXPLORE_N3] = {
        TOP("Three"), CYCLES, .inputs = IN(C) | IN(R3),
        .means = "Cycles in which three macro-ops retire (0C1 with count mask 3), of all cycles (076).",
    },
};

/* Totals of different passes: the residue of counting is under 0.1 %, for which no inequality must fail. */
#define RESIDUE .tolerance_ppm = 1000
const struct explore_check_row explore_checks[EXPLORE_CHECKS] = {
    [EXPLORE_CHECK_HISTOGRAM] = {
        "R1 + R2 + R3 = U within 1 %", IN(R1) | IN(R2) | IN(R3), IN(U),
        .relation = EXPLORE_EQUAL, .tolerance_ppm = 10000, .of_cycles = true,
    },
    [EXPLORE_CHECK_STACK] = {
        "D0 + D1 <= 1.02 C", IN(D0) | IN(D1), IN(C),
        .relation = EXPLORE_AT_MOST, .tolerance_ppm = 20000, .of_cycles = true,
    },
    [EXPLORE_CHECK_STALL_MAX] = {
        "max(D2..DA) <= D1", IN(D2) | STALL_CAUSES, IN(D1),
        .left_is_max = true, .relation = EXPLORE_AT_MOST, RESIDUE, .of_cycles = true,
    },
    [EXPLORE_CHECK_STALL_SUM] = {
        "D1 <= sum(D2..DA)", IN(D1), IN(D2) | STALL_CAUSES,
        .relation = EXPLORE_AT_MOST, RESIDUE, .of_cycles = true,
    },
    [EXPLORE_CHECK_OPS] = {"C0 <= U", IN(C0), IN(U), .relation = EXPLORE_AT_MOST, RESIDUE},
    [EXPLORE_CHECK_BRANCHES] = {"C3 <= C2", IN(C3), IN(C2), .relation = EXPLORE_AT_MOST, RESIDUE},
    [EXPLORE_CHECK_DC] = {"041 <= 040", IN(41), IN(40), .relation = EXPLORE_AT_MOST, RESIDUE},
    [EXPLORE_CHECK_REFILLS] = {"043 <= 042", IN(43), IN(42), .relation = EXPLORE_AT_MOST, RESIDUE},
    [EXPLORE_CHECK_EXPECTED] = {
        "C0 = expected + CF + exceptions", IN(C0), IN(CF),
        .needs_expected = true, .relation = EXPLORE_EQUAL,
    },
};
/* clang-format on */
