/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration of a run (config=explore) on the host: what app/kinds/explore.c makes of the run itself, made
 * again from its files.
 */
#ifndef TOOLS_IBSPROF_EXPLORATION_H
#define TOOLS_IBSPROF_EXPLORATION_H

#include "core/derived.h"
#include "core/explore.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/counters/counts_csv.h"
#include "tools/ibsprof/read/input.h"

/* What the tree is made of besides counts.csv. */
struct exploration_run {
    const struct input_facts *facts;
    const uint64_t *totals; /* [DERIVED_COUNT], of all IBS samples */
    uint64_t op_samples;
};

/* Keys of a row in JSON: what it is, without its figures. */
void exploration_json_row(struct json *json, const struct explore_node_row *row);

/* The tree. False: the run is no exploration. */
bool exploration_compute(struct explore_result *ret, const struct exploration_run *run,
                         const struct counts_csv *counts);

/* The same, reading counts.csv of the run. */
bool exploration_read(struct explore_result *ret, const struct exploration_run *run);

/* The tree of one core that worked, from core-counts.csv; totals and samples are the core's. False: there is none. */
bool exploration_core_read(struct explore_result *ret, const struct exploration_run *run, uint32_t cpu);

/* The fact says that a core ran the workload: which. */
bool exploration_worker(const struct input_setting *fact, uint32_t *ret_cpu);

#endif
