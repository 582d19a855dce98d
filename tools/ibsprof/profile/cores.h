/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes of cores, and lists of cores and nodes on command lines.
 *
 * Nodes come from a run's facts ("core.2.node = 1"), or from perf.data's list (perf record writes it on every
 * machine). Without either, all cores are in node 0.
 */
#ifndef TOOLS_IBSPROF_CORES_H
#define TOOLS_IBSPROF_CORES_H

#include "tools/ibsprof/read/input.h"

enum { CORES_MAX = 1024 }; /* higher numbers are in node 0, and in no list */

struct core_nodes {
    uint8_t node[CORES_MAX];
    uint16_t ccx[CORES_MAX]; /* number of the core complex plus one; 0: not known */
    bool known;              /* the file has nodes */
};

void core_nodes_read(struct core_nodes *nodes, const struct input_facts *facts);
uint32_t core_node(const struct core_nodes *nodes, uint32_t cpu);
uint32_t core_ccx(const struct core_nodes *nodes, uint32_t cpu); /* number plus one; 0: not known */

/* Set of numbers, from "0,2-3". */
struct core_list {
    uint64_t bits[CORES_MAX / 64];
};

/* Returns false if this is no such list, or has no number below CORES_MAX. */
bool core_list_read(struct core_list *list, const char *text);

/* Selects samples by core and node; NULL text: all. */
struct core_choice {
    const char *core_text, *node_text; /* as given, for titles */
    struct core_list cores, nodes;
};

/* Returns whether the core is selected. */
bool core_chosen(const struct core_choice *choice, uint32_t cpu, const struct core_nodes *nodes);

/* Returns whether a sample of an event (an index into facts.events; false if it is none) and a core is selected; choice
 * NULL: all are. Otherwise samples that do not name their core are not. Inlined: it is for every sample. */
static inline bool core_sample_chosen(const struct core_choice *choice, const struct core_nodes *nodes,
                                      const struct input_facts *facts, uint32_t event, uint32_t cpu)
{
    return event < facts->event_count && (!choice || (!facts->events[event].no_cpu && core_chosen(choice, cpu, nodes)));
}

#endif
