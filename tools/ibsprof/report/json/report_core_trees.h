/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration of each core of a run (cores=all config=explore). */
#ifndef TOOLS_IBSPROF_REPORT_CORE_TREES_H
#define TOOLS_IBSPROF_REPORT_CORE_TREES_H

#include "core/explore/explore.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/profile/profile.h"

struct core_trees {
    struct core_tree {
        uint32_t cpu;
        char name[20]; /* "core 3" */
        struct explore_result result;
    } * core;
    uint32_t count;
};

/* Computes the trees from core-counts.csv and each core's op samples. Returns false if the run has not several
 * cores. */
bool core_trees_read(struct core_trees *ret, const struct run_profile *profile);
void core_trees_free(struct core_trees *trees);

void core_trees_text(struct out *out, const struct core_trees *trees);

/* Writes "core_trees": "core" and the keys of report_tree() for each; nothing if there are none. */
void core_trees_json(struct json *json, const struct core_trees *trees);

#endif
