/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration of a run (config=explore) on the host, computed from its files as app/kinds/counters/explore.c
 * does in the run.
 */
#ifndef TOOLS_IBSPROF_EXPLORATION_H
#define TOOLS_IBSPROF_EXPLORATION_H

#include "core/explore/explore.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/counters/counts_csv.h"
#include "tools/ibsprof/read/input.h"

/* Writes the keys of a row, without figures. */
void exploration_json_row(struct json *json, const struct explore_node_row *row);

/* Computes the tree from the run's counts and its op samples, which it reads. Returns false if the run is no
 * exploration. */
bool exploration_compute(struct explore_result *ret, const struct input_facts *facts, const struct counts_csv *counts);

/* Computes the tree of a run, whose counts.csv it reads. */
bool exploration_read(struct explore_result *ret, const struct input_facts *facts);

/* Computes the tree of one working core from core-counts.csv and the core's samples. Returns false if there is none. */
bool exploration_core_read(struct explore_result *ret, const struct input_facts *facts, uint32_t cpu);

/* Returns whether the fact says that a core ran the workload, and sets its number. */
bool exploration_worker(const struct input_setting *fact, uint32_t *ret_cpu);

#endif
