/* SPDX-License-Identifier: BSD-2-Clause */
/* Shortens the rows of both trees of General Exploration. For explore*_tree.c only. */
#ifndef CORE_EXPLORE_ROWS_H
#define CORE_EXPLORE_ROWS_H

#include "core/explore/explore.h"

#define NODE(level_, parent_, name_) .level = level_, .parent = parent_, .name = name_, .raw = EXPLORE_EVENTS
#define TOP(name_)                   NODE(1, EXPLORE_ROOT, name_)
#define CYCLES                       .unit = EXPLORE_UNIT_CYCLES, .unit_text = "% cycles"
#define SLOTS                        .unit = EXPLORE_UNIT_SLOTS, .unit_text = "% slots"
#define SHARE(of)                    .unit = EXPLORE_UNIT_SHARE, .unit_text = "% " of
#define RATIO(text)                  .unit = EXPLORE_UNIT_RATIO, .unit_text = text

/* Rows that stand in both trees, by the events of each. */
#define CPI_ROW(cycles, instructions)                                                                                  \
    TOP("CPI, cycles per instruction"), RATIO("clk/insn"),                                                             \
        .inputs = (cycles) | (instructions),                                                                           \
        .means = "Cycles (076) by retired instructions (0C0). Lower is faster for the same work; which value is good " \
                 "depends on "                                                                                         \
                 "what the instructions do."
#define CPI_IDEAL_ROW(ops, instructions)                                                                               \
    TOP("Ideal CPI, every slot retires"), RATIO("clk/insn"),                                                           \
        .inputs = (ops) | (instructions),                                                                              \
        .means =                                                                                                       \
            "Retired macro-ops (0C1) by retired instructions (0C0) and by the slots of a cycle: CPI if each slot "     \
            "retired an op."
#define IPC_ROW(cycles, instructions)                                                                                  \
    TOP("IPC, instructions per cycle"), RATIO("insn/clk"),                                                             \
        .inputs = (cycles) | (instructions), .means = "Retired instructions (0C0) by cycles (076): one by CPI."
#define OPS_PER_INSN_ROW(parent, ops, instructions)                                                                    \
    NODE(2, parent, "Macro-ops per instruction"), RATIO("ops/insn"),                                                   \
        .inputs = (ops) | (instructions),                                                                              \
        .means =                                                                                                       \
            "Retired macro-ops (0C1) by retired instructions (0C0): the more ops, the fewer instructions per cycle."
#define MISPREDICTED_ROW(parent, branches, mispredicted)                                                               \
    NODE(2, parent, "Mispredicted (0C3 of 0C2)"), SHARE("branches"),                                                   \
        .inputs = (branches) | (mispredicted),                                                                         \
        .means = "Retired branches that were mispredicted (0C3), of all retired branches (0C2)."

#endif
