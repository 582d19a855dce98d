/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compares two sets of explorations (config=explore), node by node (compare_node.h).
 *
 * Runs of the virtual PMU may agree to the last digit, and with a spread of 0 every residue would be a difference.
 * Counts from outside of the workload are corrected to under 0.1 % (of all cycles if a node is a part of cycles; the
 * tree's own checks allow that), so no mean is treated as more exact: a rectangle of +-0.1 % has the standard
 * deviation 0.1 % / sqrt(3), which more runs do not reduce.
 *
 * A single run on a side has no spread, so nothing is judged; it only has the spread of its repeats.
 */
#ifndef TOOLS_IBSPROF_COMPARE_EXPLORE_H
#define TOOLS_IBSPROF_COMPARE_EXPLORE_H

#include "core/explore/explore.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/compare/compare_node.h"

struct compare_exploration {
    const struct explore_method *method; /* of A's first run; all runs have its rows */
    struct compare_node node[EXPLORE_NODES];
    uint32_t runs[SIDES];
    uint32_t judged, count[VERDICTS];
};

/* Judges trees[side][run], runs[side] of them, with the options' level and margin. */
void compare_explore_judge(struct compare_exploration *e, const struct explore_result *const trees[SIDES],
                           const uint32_t runs[SIDES], const struct compare_options *options);

/* Reads the trees of all runs into c->exploration, with a note on the result; leaves it NULL unless all are
 * explorations with the same rows. */
void compare_explore(struct comparison *c);

/* Write the section of each output; nothing without an exploration. all: also rows that do not differ. */
void compare_explore_text(FILE *to, const struct comparison *c, bool all, bool colour);
void compare_explore_csv(FILE *to, const struct comparison *c);
void compare_explore_json(struct json *json, const struct comparison *c);

#endif
