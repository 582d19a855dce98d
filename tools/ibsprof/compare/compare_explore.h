/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two sets of explorations (config=explore), node by node (compare_node.h).
 *
 * Runs of the virtual PMU may agree to the last digit, and a spread of 0 would make a difference of every residue. What
 * counters count besides the workload is corrected to under 0.1 % (of all cycles where a node is a part of cycles; the
 * tree's own checks allow that), so no mean is taken for better known than that: a rectangle of +-0.1 % has the
 * standard deviation 0.1 % / sqrt(3), and more runs do not make it smaller.
 *
 * One run on a side has no spread: nothing is judged. What it has is the spread of the repeats within the run.
 */
#ifndef TOOLS_IBSPROF_COMPARE_EXPLORE_H
#define TOOLS_IBSPROF_COMPARE_EXPLORE_H

#include "core/explore/explore.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/compare/compare_node.h"

struct compare_exploration {
    const struct explore_method *method; /* of A's first run; all have its rows */
    struct compare_node node[EXPLORE_NODES];
    uint32_t runs[SIDES];
    uint32_t judged, count[VERDICTS];
};

/* From trees[side][run], runs[side] of them; level and margin are the options'. */
void compare_explore_judge(struct compare_exploration *e, const struct explore_result *const trees[SIDES],
                           const uint32_t runs[SIDES], const struct compare_options *options);

/* Reads the trees of all runs into c->exploration, with a note on what was found. When not all of them are
 * explorations with the same rows, there is none. */
void compare_explore(struct comparison *c);

/* The section of each output; nothing when there is no exploration. all: rows that do not differ, too. */
void compare_explore_text(FILE *to, const struct comparison *c, bool all, bool colour);
void compare_explore_csv(FILE *to, const struct comparison *c);
void compare_explore_json(struct json *json, const struct comparison *c);

#endif
