#include "app/report_nodes.h"

#include "app/sentence.h"
#include "core/ibs_regs.h"
#include "core/facts.h"

#define ULL(value) ((unsigned long long)(value))

/* Loads among the op samples that went to the northbridge, by where they were served: here, on another node. */
struct served {
    uint64_t l3;
    uint64_t cache[2], dram[2], cycles[2]; /* cycles: sum of the latencies of dram */
};

static void serve(struct served *served, const struct sample_record *record)
{
    uint64_t data2 = record->reg[IBS_OP_DATA2], data3 = record->reg[IBS_OP_DATA3];
    bool remote = ibs_nb_dst_proc(data2);

    if (record->kind != SAMPLE_OP || (data3 & (IBS_LD_OP | IBS_DC_MISS)) != (IBS_LD_OP | IBS_DC_MISS))
        return;
    served->l3 += ibs_nb_req_src(data2) == IBS_NB_L3;
    served->cache[remote] += ibs_nb_req_src(data2) == IBS_NB_CACHE;
    if (ibs_nb_req_src(data2) != IBS_NB_DRAM)
        return;
    served->dram[remote]++;
    served->cycles[remote] += ibs_dc_miss_lat(data3);
}

/* Of the cores of a node, of one core of it, or of all (node, cpu: -1). Returns how many cores they are. */
static unsigned sum(const struct run *run, int node, int cpu, struct served *served)
{
    unsigned count = 0;

    *served = (struct served){0};
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (!core->works || core->lost || (node >= 0 && core->result.node != (uint32_t)node) ||
            (cpu >= 0 && core->cpu != (uint32_t)cpu))
            continue;
        count++;
        for (uint64_t r = 0; r < run->passes.samples; r++)
            if (run->passes.records[r].cpu == core->cpu)
                serve(served, &run->passes.records[r]);
    }
    return count;
}

static void dram(struct out *out, const struct served *served, unsigned remote)
{
    out_printf(out, "%8llu", ULL(served->dram[remote]));
    if (served->dram[remote])
        out_printf(out, "%8llu", ULL(served->cycles[remote] / served->dram[remote]));
    else
        out_printf(out, "%8s", "-");
}

static void row(struct out *out, const char *name, const char *memory, const struct served *served)
{
    out_printf(out, "%-15s%-8s%8llu%8llu", name, memory, ULL(served->l3), ULL(served->cache[0]));
    dram(out, served, 0);
    out_printf(out, "%8llu", ULL(served->cache[1]));
    dram(out, served, 1);
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
    char text[20], memory[12];
    struct out_memory name;
    struct served served;

    (void)sum(run, -1, (int)core->cpu, &served);
    out_memory_init(&name, text, sizeof(text));
    out_printf(&name.out, "core %u node %u", core->cpu, core->result.node);
    row(out, text, node_text(memory, core->arena_node), &served);
}

static void node_row(struct out *out, const struct run *run, int node)
{
    char text[12];
    struct served served;

    if (sum(run, node, -1, &served))
        row(out, node_text(text, node), "", &served);
}

void report_nodes(struct out *out, const struct run *run)
{
    struct served served;
    unsigned cores;

    if (run->machine->nodes.count < 2 || !run->ibs.profile.map)
        return;
    cores = sum(run, -1, -1, &served);
    if (!cores)
        return;
    heading(out, "Nodes");
    out_printf(out, "%-23s%32s%24s\n", "", "on the same node", "on another node");
    out_printf(out, "%-15s%-8s%8s%8s%8s%8s%8s%8s%8s\n", "", "memory", "L3", "L1/L2", "DRAM", "cycles", "cache", "DRAM",
               "cycles");
    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].works && !run->passes.core[i].lost)
            core_row(out, run, &run->passes.core[i]);
    for (int node = 0; cores > 1 && node < NODES_MAX; node++)
        node_row(out, run, node);
    if (cores > 1)
        row(out, "all", "", &served);
    out_printf(out, "Loads among the op samples that missed the L2, by who served them, and the mean\n"
                    "latency of those from DRAM. Memory: whose the workload's is.\n");
}

void report_node_memory(struct out *out, const struct machine *machine)
{
    const struct nodes *nodes = &machine->nodes;

    if (nodes->count < 2)
        return;
    for (uint32_t i = 0; i < nodes->ranges && !nodes->interleaved; i++)
        out_printf(out, "              node %u: memory %llx to %llx\n", nodes->range[i].node, ULL(nodes->range[i].base),
                   ULL(nodes->range[i].end - 1));
    if (!nodes_matter(nodes))
        out_printf(out, "              memory: %s\n",
                   nodes->interleaved ? "interleaved over the nodes" : "no map of whose it is");
}

void save_node_facts(struct out *out, const struct run *run)
{
    for (unsigned i = 0; run->machine->nodes.count > 1 && i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        struct served served;

        if (!core->works || core->lost)
            continue;
        (void)sum(run, -1, (int)core->cpu, &served);
        fact_number(out, FACT_CORE_ARENA_NODE, core->arena_node, core->cpu);
        fact_number(out, FACT_CORE_RECORDS_NODE, core->records_node, core->cpu);
        fact_number(out, FACT_CORE_LOADS_L3, served.l3, core->cpu);
        fact_number(out, FACT_CORE_LOADS_NEAR_CACHE, served.cache[0], core->cpu);
        fact_number(out, FACT_CORE_LOADS_NEAR_DRAM, served.dram[0], core->cpu);
        fact_number(out, FACT_CORE_LOADS_FAR_CACHE, served.cache[1], core->cpu);
        fact_number(out, FACT_CORE_LOADS_FAR_DRAM, served.dram[1], core->cpu);
    }
}
