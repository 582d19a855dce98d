/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of the report about nodes, where the machine has several. */
#ifndef APP_REPORT_NODES_H
#define APP_REPORT_NODES_H

#include "app/run/run.h"

/* Prints in the machine's section a line for each range of memory, and one when nodes do not matter. */
void report_node_memory(struct out *out, const struct machine *machine);

/* A row per core and per node: the node of its memory, and which loads that missed were served there and which
 * elsewhere.
 */
void report_nodes(struct out *out, const struct run *run);

/* "core.2.arena.node = 1" and so on, for run.ini. */
void save_node_facts(struct out *out, const struct run *run);

#endif
