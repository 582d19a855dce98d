/* SPDX-License-Identifier: BSD-2-Clause */
/* The causes, a row each. */
#include "tools/ibsprof/cause/cause.h"

#define MORE(code)                                                                                                     \
    {                                                                                                                  \
        .there = true, .event = DERIVED_##code                                                                         \
    }
#define LESS(code)                                                                                                     \
    {                                                                                                                  \
        .there = true, .less = true, .event = DERIVED_##code                                                           \
    }
#define COUNT(...)    .count = {__VA_ARGS__}
#define OF(text, ...) .of = text, .whole = {__VA_ARGS__}
#define LOADS         OF("sampled loads", MORE(F201_LOAD))
#define ACCESSES      OF("sampled loads and stores", MORE(F200_LOAD_STORE))
#define OPS           OF("sampled ops", MORE(F100_OP_ALL))
#define FETCHES       OF("attempted fetches that were sampled", MORE(F002_FETCH_ATTEMPTED))
#define FROM(source_)                                                                                                  \
    .kind = CAUSE_SOURCE, .source = SOURCE_##source_, .waits = true, .group = "source of data", .view = "ibs_dclat",   \
    LOADS
#define SHARING(source_)                                                                                               \
    .kind = CAUSE_SOURCE, .source = SOURCE_##source_, .waits = true, .group = "sharing", .view = "ibs_op_nb_service",  \
    LOADS
#define EACH(cost_)     .kind = CAUSE_EACH, .cost = CAUSE_COST_##cost_
#define EVENT(meaning_) .counted = true, .meaning = MEANING_##meaning_
#define COUNTER(cost_)  .kind = CAUSE_COUNTER, .cost = CAUSE_COST_##cost_

/* clang-format off */
const struct cause_row cause_rows[] = {
    {
        .name = "l2", FROM(L2), .says = "Loads find their data in the L2, not in the data cache",
        .try_this = "Work on smaller blocks, which fit into the data cache; keep the distance of streams off powers of two.",
    },
    {
        .name = "l3", FROM(L3), .says = "Loads find their data in the L3 only",
        .try_this = "Work on blocks that fit into the L2; pack data that is used together into the same lines.",
    },
    {
        .name = "near", FROM(NEAR), .says = "Loads find their data beyond the L2, in the L3 or in another core's cache",
        .try_this = "Work on blocks that fit into the L2; give each core its own lines.",
    },
    {
        .name = "dram", FROM(DRAM), .says = "Loads wait for memory",
        .try_this = "Read in order, so that the prefetcher can follow, or prefetch well ahead; work on blocks that fit into the caches.",
    },
    {
        .name = "remote-dram", FROM(REMOTE_DRAM), .says = "Loads wait for memory of another node",
        .try_this = "Let the thread that works on data touch it first, or place both on one node.",
    },
    {
        .name = "far-memory", FROM(EXTENSION), .says = "Loads wait for extension memory",
        .try_this = "Keep data that is read often in the node's own memory.",
    },
    {
        .name = "long-latency", FROM(LONG_LATENCY), .says = "Loads wait for memory with a long latency", .try_this = "Keep data that is read often in DRAM.",
    },
    {
        .name = "device", FROM(OTHER), .says = "Loads wait for a device",
        .try_this = "Read devices less often; use memory that the device writes to.",
    },
    {
        .name = "uncached", FROM(UNCACHED), .says = "Loads wait for memory that is not cached",
        .try_this = "Map the memory as write-back, or copy it once.",
    },
    {
        .name = "sharing", SHARING(CACHE), .says = "Cores share cache lines: another core's cache answers loads, and lines move between cores",
        .try_this = "Give each core its own lines, 64 bytes apart, and add up at the end.",
    },
    {
        .name = "remote-sharing", SHARING(REMOTE_CACHE),
        .says = "Nodes share cache lines: another node's cache answers loads, and lines move between nodes",
        .try_this = "Give each node its own lines, and add up at the end.",
    },
    {
        .name = "walks", .view = "ibs_op_ls_dtlb", EACH(WALK), EVENT(DTLB_WALKS), .waits = true, .group = "TLB", ACCESSES, COUNT(MORE(F205_DTLB_L1M_L2M)),
        .says = "Addresses miss both data TLBs, and page tables are walked",
        .try_this = "Use pages of 2 MB or 1 GB, or pack the data into fewer pages.",
    },
    {
        .name = "tlb", .view = "ibs_op_ls_dtlb", EACH(L2_TLB), EVENT(DTLB_L2_HITS), .waits = true, .group = "TLB", ACCESSES, COUNT(MORE(F204_DTLB_L1M_L2H)),
        .says = "Addresses miss the first data TLB",
        .try_this = "Use pages of 2 MB or 1 GB, or use a page longer before the next.",
    },
    {
        .name = "branches", .view = "ibs_op_branch", .kind = CAUSE_BRANCH, .cost = CAUSE_COST_REFILL, EVENT(MISPREDICTED), .group = "branch",
        OF("sampled branches", MORE(F103_BRANCH)), COUNT(MORE(F104_BRANCH_MISPREDICTED), LESS(F108_RETURN_MISPREDICTED)),
        .says = "Branches are mispredicted",
        .try_this = "Make the branch predictable (sort the data, split the loop), or replace it by CMOV or SETcc.",
    },
    {
        .name = "returns", .view = "ibs_op_return", .kind = CAUSE_BRANCH, .cost = CAUSE_COST_REFILL, EVENT(RETURNS_MISPREDICTED), .group = "branch",
        OF("sampled returns", MORE(F107_RETURN)), COUNT(MORE(F108_RETURN_MISPREDICTED)),
        .says = "Returns are mispredicted",
        .try_this = "Nest calls less deeply than the return stack has entries, and pair each call with its return.",
    },
    {
        .name = "taken", .view = "ibs_op_branch", EACH(TAKEN), .group = "branch", OPS, COUNT(MORE(F105_BRANCH_TAKEN)),
        .says = "Taken branches come every few ops, and fetch restarts after each",
        .try_this = "Unroll short loops, and arrange code so that the usual path falls through.",
    },
    {
        .name = "cancelled", .view = "ibs_op_ls_expert", EACH(CANCELLED), .waits = true, .group = "forwarding", LOADS, COUNT(MORE(F20C_FORWARD_CANCELLED)),
        .says = "Loads overlap stores that cannot be forwarded to them",
        .try_this = "Load with the address and size of the store, or store all bytes at once.",
    },
    {
        .name = "forwarding", .view = "ibs_op_ls_expert", EACH(FORWARD), .waits = true, .group = "forwarding", LOADS, COUNT(MORE(F20B_FORWARDED)),
        .says = "Values pass from a store to the next load through memory",
        .try_this = "Keep the value in a register during the loop (optimise, or use a local variable).",
    },
    {
        .name = "locked", .view = "ibs_op_ls_memacc", .kind = CAUSE_LOCKED, .waits = true, .group = "sharing", OPS, COUNT(MORE(F20F_LOCKED)),
        .says = "Locked ops wait until all stores before them have left",
        .try_this = "Use fewer locked ops: count for each core, and add up at the end.",
    },
    {
        .name = "banks", .view = "ibs_op_ls_expert", EACH(ONE), .waits = true, .group = "source of data", ACCESSES,
        COUNT(MORE(F209_BANK_CONFLICT_LOAD), MORE(F20A_BANK_CONFLICT_STORE)), .says = "Two accesses in one cycle need the same bank", .try_this = "Change the distance between the two by 8 bytes.",
    },
    {
        .name = "misaligned", .view = "ibs_ls", EACH(ONE), EVENT(MISALIGNED), .waits = true, .group = "source of data", ACCESSES, COUNT(MORE(F208_MISALIGNED)),
        .says = "Accesses are misaligned, and take two lookups", .try_this = "Align the data to its size.",
    },
    {
        .name = "instruction-cache", .view = "ibs_fetch_ic", .kind = CAUSE_FETCH, .cost = CAUSE_COST_L2, EVENT(IC_MISSES), .group = "front end", FETCHES, COUNT(MORE(F008_IC_MISS)),
        .says = "Fetches miss the instruction cache",
        .try_this = "Make the hot code smaller (inline and unroll less), and put functions that run together next to each other.",
    },
    {
        .name = "instruction-tlb", .view = "ibs_fetch_itlb", .kind = CAUSE_FETCH, .cost = CAUSE_COST_WALK, EVENT(ITLB_WALKS), .group = "front end", FETCHES, COUNT(MORE(F007_ITLB_L1M_L2M)),
        .says = "Fetches miss both instruction TLBs",
        .try_this = "Put the hot code into few pages, or into 2 MB pages.",
    },
    {
        .name = "front-end", .view = "ibs_fetch", .kind = CAUSE_FRONT, .group = "front end", FETCHES, COUNT(MORE(F008_IC_MISS)),
        .says = "The front end does not deliver ops; sampled fetches do not say why",
        .try_this = "Count the waits of fetch: config=explore, or config=inst_access.",
    },
    {
        .name = "waiting", .view = "ibs_op", .kind = CAUSE_WAITING, .cost = CAUSE_COST_WAITING, .group = "execution", OPS, COUNT(MORE(F100_OP_ALL)),
        .says = "Ops wait for results of earlier ops, not for data",
        .try_this = "Break chains of dependent ops: several accumulators, a reciprocal instead of divisions.",
    },
    {
        .name = "retiring", .view = "ibs_op", .kind = CAUSE_RETIRING, .cost = CAUSE_COST_WIDTH, .group = "execution", OPS, COUNT(MORE(F100_OP_ALL)),
        .says = "No wait of ops stands out",
        .try_this = "Do more per op: packed instructions, fewer ops per result.",
    },
    {
        .name = "indirect", COUNTER(REFILL), EVENT(INDIRECT_MISPREDICTED), .says = "Targets of indirect branches are mispredicted",
        .try_this = "Test for the usual target first; alternate between fewer targets.",
    },
    {
        .name = "data-cache", COUNTER(L2), EVENT(DC_MISSES), .says = "Accesses miss the data cache",
        .try_this = "Work on smaller blocks, in the order of addresses. IBS ops (config=ibs) show which part answers.",
    },
    {
        .name = "l2-misses", COUNTER(L3), EVENT(L2_MISSES), .says = "Requests miss the L2",
        .try_this = "Work on blocks that fit into the L2. IBS ops (config=ibs) show which part answers.",
    },
};
/* clang-format on */
const unsigned cause_row_count = sizeof(cause_rows) / sizeof(cause_rows[0]);

_Static_assert(sizeof(cause_rows) / sizeof(cause_rows[0]) <= CAUSES_MAX, "a place for each");
