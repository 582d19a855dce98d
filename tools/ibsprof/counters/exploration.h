/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General Exploration of a run (config=explore) on the host: what app/kinds/counters/explore.c makes of the run itself,
 * made again from its files.
 */
#ifndef TOOLS_IBSPROF_EXPLORATION_H
#define TOOLS_IBSPROF_EXPLORATION_H

#include "core/explore/explore.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/counters/counts_csv.h"
#include "tools/ibsprof/read/input.h"

/* Keys of a row in JSON: what it is, without its figures. */
void exploration_json_row(struct json *json, const struct explore_node_row *row);

/* The tree, of the run's counts and of its op samples, which are read from its files. False: the run is no exploration.
 */
bool exploration_compute(struct explore_result *ret, const struct input_facts *facts, const struct counts_csv *counts);

/* Explores a run whose counts.csv it reads. */
bool exploration_read(struct explore_result *ret, const struct input_facts *facts);

/* The tree of one core that worked, from core-counts.csv and the core's samples. False: there is none. */
bool exploration_core_read(struct explore_result *ret, const struct input_facts *facts, uint32_t cpu);

/* The fact says that a core ran the workload: which. */
bool exploration_worker(const struct input_setting *fact, uint32_t *ret_cpu);

#endif
