/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes of cores, and lists of cores and nodes on command lines.
 *
 * Nodes are known from a run's facts ("core.2.node = 1"), or from perf.data's own list (perf record writes it on every
 * machine). Files that say nothing are of one node, 0.
 */
#ifndef TOOLS_IBSPROF_CORES_H
#define TOOLS_IBSPROF_CORES_H

#include <stdbool.h>
#include <stdint.h>

struct input_facts;

enum { CORES_MAX = 1024 }; /* cores beyond are of node 0, and in no list */

struct core_nodes {
    uint8_t node[CORES_MAX];
    uint16_t ccx[CORES_MAX]; /* the number of its core complex, plus one; 0: the file does not say */
    bool known;              /* the file says something about nodes */
};

void core_nodes_read(struct core_nodes *nodes, const struct input_facts *facts);
uint32_t core_node(const struct core_nodes *nodes, uint32_t cpu);
uint32_t core_ccx(const struct core_nodes *nodes, uint32_t cpu); /* plus one; 0: not known */

/* "0,2-3" as a set of numbers. */
struct core_list {
    uint64_t bits[CORES_MAX / 64];
};

/* False: it is no such list, or names nothing below CORES_MAX. */
bool core_list_read(struct core_list *list, const char *text);

/* Samples of these cores, on these nodes; NULL text: all of them. */
struct core_choice {
    const char *core_text, *node_text; /* as they were given, for titles */
    struct core_list cores, nodes;
};

/* choice NULL: all. */
bool core_chosen(const struct core_choice *choice, uint32_t cpu, const struct core_nodes *nodes);

#endif
