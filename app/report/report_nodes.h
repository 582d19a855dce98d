/* SPDX-License-Identifier: BSD-2-Clause */
/* Parts of the report about nodes, on machines with several. */
#ifndef APP_REPORT_NODES_H
#define APP_REPORT_NODES_H

#include "app/run/run.h"

/* Prints below "Machine" a line for each range of memory, and one if nodes do not matter. */
void report_node_memory(struct out *out, const struct machine *machine);

/* Prints a row for each core and node: the node of its memory, and the missed loads served there and elsewhere. */
void report_nodes(struct out *out, const struct run *run);

/* Writes "core.2.arena.node = 1" and so on to run.ini. */
void save_node_facts(struct out *out, const struct run *run);

#endif
