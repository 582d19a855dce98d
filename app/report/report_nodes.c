/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_nodes.h"

#include "app/report/report_cores.h"
#include "app/report/report_groups.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "core/run/facts.h"

enum { NAME = 14, MEMORY = 8 }; /* columns; a blank between the two */

/* Prints loads from DRAM, and their mean latency. */
static void dram(struct out *out, uint64_t loads, uint64_t cycles)
{
    out_printf(out, "%8lu", loads);
    if (loads)
        out_printf(out, "%8lu", cycles / loads);
    else
        out_printf(out, "%8s", "-");
}

static void row(struct out *out, const char *name, const char *memory, const struct profile_sums *sums)
{
    const uint64_t *total = sums->total;

    int more = (int)strlen(name) > NAME ? (int)strlen(name) - NAME : 0; /* "core 300 node 12" */

    out_printf(out, "%-*s %-*s%8lu%8lu", NAME, name, MEMORY - more, memory, total[DERIVED_F242_NB_LOCAL_L3],
               total[DERIVED_F243_NB_LOCAL_CACHE]);
    dram(out, total[DERIVED_F245_NB_LOCAL_DRAM], sums->dram_cycles[0]);
    out_printf(out, "%8lu", total[DERIVED_F244_NB_REMOTE_CACHE]);
    dram(out, total[DERIVED_F246_NB_REMOTE_DRAM], sums->dram_cycles[1]);
    out_printf(out, "\n");
}

static const char *node_text(char text[12], int node)
{
    struct out_memory memory;

    out_memory_init(&memory, text, 12);
    if (node == NODE_UNKNOWN)
        out_printf(&memory.out, "?");
    else
        out_printf(&memory.out, "node %d", node);
    return text;
}

static void core_row(struct out *out, const struct run *run, const struct passes_core *core)
{
    char text[CORE_NAME], memory[12];
    struct core_sums sums;

    (void)core_sums(run, -1, (int)core->cpu, &sums);
    row(out, core_name(text, run, core), node_text(memory, core->arena_node), &sums.ibs);
}

static void node_row(struct out *out, const struct run *run, int node)
{
    char text[12];
    struct core_sums sums;

    if (core_sums(run, node, -1, &sums))
        row(out, node_text(text, node), "", &sums.ibs);
}

void report_nodes(struct out *out, const struct run *run)
{
    struct core_sums sums;
    unsigned cores;

    if (run->machine->nodes.count < 2 || !run->ibs.profile.map)
        return;
    cores = core_sums(run, -1, -1, &sums);
    if (!cores)
        return;
    heading(out, "Nodes");
    out_printf(out, "%-23s%32s%24s\n", "", "on the same node", "on another node");
    out_printf(out, "%-15s%-8s%8s%8s%8s%8s%8s%8s%8s\n", "", "memory", "L3", "L1/L2", "DRAM", "cycles", "cache", "DRAM",
               "cycles");
    for (unsigned i = 0; !report_grouped(run) && i < run->passes.cores; i++)
        if (run->passes.core[i].worker && !run->passes.core[i].lost)
            core_row(out, run, &run->passes.core[i]);
    for (int node = 0; cores > 1 && node < NODES_MAX; node++)
        node_row(out, run, node);
    if (cores > 1)
        row(out, "all", "", &sums.ibs);
    out_printf(out, "Loads among the op samples that missed the L2, by source, and the mean\n"
                    "latency of loads from DRAM. Memory: the node of the workload's memory.\n");
}

void report_node_memory(struct out *out, const struct machine *machine)
{
    const struct nodes *nodes = &machine->nodes;

    if (nodes->count < 2)
        return;
    for (uint32_t i = 0; i < nodes->ranges && !nodes->interleaved; i++)
        out_printf(out, "              node %u: memory %lx to %lx\n", nodes->range[i].node, nodes->range[i].base,
                   nodes->range[i].end - 1);
    if (!nodes_matter(nodes))
        out_printf(out, "              memory: %s\n",
                   nodes->interleaved ? "interleaved over the nodes" : "no map of the nodes' memory");
}

void save_node_facts(struct out *out, const struct run *run)
{
    for (unsigned i = 0; run->machine->nodes.count > 1 && i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        struct core_sums sums;
        const uint64_t *total = sums.ibs.total;

        if (!core->worker || core->lost)
            continue;
        (void)core_sums(run, -1, (int)core->cpu, &sums);
        fact_number(out, FACT_CORE_ARENA_NODE, core->arena_node, core->cpu);
        fact_number(out, FACT_CORE_RECORDS_NODE, core->records_node, core->cpu);
        fact_number(out, FACT_CORE_LOADS_L3, total[DERIVED_F242_NB_LOCAL_L3], core->cpu);
        fact_number(out, FACT_CORE_LOADS_NEAR_CACHE, total[DERIVED_F243_NB_LOCAL_CACHE], core->cpu);
        fact_number(out, FACT_CORE_LOADS_NEAR_DRAM, total[DERIVED_F245_NB_LOCAL_DRAM], core->cpu);
        fact_number(out, FACT_CORE_LOADS_FAR_CACHE, total[DERIVED_F244_NB_REMOTE_CACHE], core->cpu);
        fact_number(out, FACT_CORE_LOADS_FAR_DRAM, total[DERIVED_F246_NB_REMOTE_DRAM], core->cpu);
    }
}
