/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_cores.h"

#include "app/cores/core_start.h"
#include "app/report/report_groups.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "core/run/facts.h"

enum { APART_TOLD = 16 }; /* most cores of a node that are listed separately */

void report_shared(struct out *out, const struct topology *topology)
{
    const char *comma = topology->threads > 1 && topology->sharers ? ", " : "";

    if (topology->threads < 2 && !topology->sharers)
        return;
    out_printf(out, "Shared        ");
    if (topology->threads > 1)
        out_printf(out, "a core by %u threads", topology->threads);
    out_printf(out, "%s", comma);
    if (topology->sharers)
        out_printf(out, "an L3 by %u threads (a core complex)", topology->sharers);
    out_printf(out, "\n");
}

static void add_core(struct core_sums *sum, const struct run *run, const struct passes_core *core)
{
    for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
        sum->recorded[kind] += core->counts.recorded[kind];
    if (core->cpu < run->ibs.profile.cores)
        profile_sums_add(&sum->ibs, &run->ibs.profile.core[core->cpu]);
}

static bool has_samples(const struct passes_core *core)
{
    return core->worker && !core->lost;
}

unsigned core_sums(const struct run *run, int node, int cpu, struct core_sums *sum)
{
    unsigned count = 0;

    *sum = (struct core_sums){0};
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (!has_samples(core) || (node >= 0 && core->result.node != (uint32_t)node) ||
            (cpu >= 0 && core->cpu != (uint32_t)cpu))
            continue;
        count++;
        add_core(sum, run, core);
    }
    return count;
}

enum { NAME = 14, COLUMNS = 6 };

static void columns_of(const struct core_sums *sums, uint64_t column[COLUMNS])
{
    const uint64_t *ibs = sums->ibs.total;

    column[0] = sums->recorded[SAMPLE_OP];
    column[1] = sums->recorded[SAMPLE_FETCH];
    column[2] = sums->recorded[SAMPLE_PMC] + sums->recorded[SAMPLE_TIMER];
    column[3] = ibs[DERIVED_F200_LOAD_STORE];
    column[4] = ibs[DERIVED_F206_DC_MISS];
    column[5] = ibs[DERIVED_F243_NB_LOCAL_CACHE];
}

static void print_columns(struct out *out, const char *name, const uint64_t column[COLUMNS])
{
    int used = (int)strlen(name), more = used > NAME ? used - NAME : 0; /* "core 300 node 12" */

    out_printf(out, "%-*s%*lu", NAME, name, 9 - more, column[0]);
    for (unsigned c = 1; c < COLUMNS; c++)
        out_printf(out, "%9lu", column[c]);
}

static void row(struct out *out, const char *name, const struct core_sums *sums)
{
    uint64_t column[COLUMNS];

    columns_of(sums, column);
    print_columns(out, name, column);
}

const char *core_name(char text[CORE_NAME], const struct run *run, const struct passes_core *core)
{
    const struct topology *topology = &run->machine->topology;
    struct out_memory name;

    out_memory_init(&name, text, CORE_NAME);
    out_printf(&name.out, "core %u node %u", core->cpu, core->result.node);
    if (topology->sharers)
        out_printf(&name.out, "/%u", topology_complex(topology, core->result.apic_id));
    return text;
}

static void core_row(struct out *out, const struct run *run, const struct passes_core *core)
{
    struct core_sums sums = {0};
    char text[CORE_NAME];

    add_core(&sums, run, core);
    row(out, core_name(text, run, core), &sums);
    if (core->result.tsc_start)
        out_printf(out, "%10lu\n", core->result.tsc_start - run->passes.result.tsc_start);
    else
        out_printf(out, "%10s\n", "-");
}

/* Holds what each of a node's cores has, by column. */
struct spread {
    unsigned cores;
    uint64_t least[COLUMNS], sum[COLUMNS], most[COLUMNS];
};

static void take_spread(const struct run *run, uint32_t node, struct spread *spread, struct cores_set *set)
{
    *spread = (struct spread){0};
    *set = (struct cores_set){0};
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        struct core_sums sums = {0};
        uint64_t column[COLUMNS];

        if (!has_samples(core) || core->result.node != node)
            continue;
        add_core(&sums, run, core);
        columns_of(&sums, column);
        cores_set_add(set, core->cpu);
        for (unsigned c = 0; c < COLUMNS; c++) {
            spread->least[c] = !spread->cores || column[c] < spread->least[c] ? column[c] : spread->least[c];
            spread->most[c] = column[c] > spread->most[c] ? column[c] : spread->most[c];
            spread->sum[c] += column[c];
        }
        spread->cores++;
    }
}

/* Fewer than half of the mean's samples, or more than twice as many; by what most of them are. */
static bool stands_out(const struct run *run, const struct passes_core *core, const struct spread *spread)
{
    struct core_sums sums = {0};
    uint64_t column[COLUMNS], own = 0, all = 0;

    add_core(&sums, run, core);
    columns_of(&sums, column);
    for (unsigned c = 0; c < 3; c++) {
        own += column[c];
        all += spread->sum[c];
    }
    return own * 2 * spread->cores < all || own * spread->cores > 2 * all;
}

static uint32_t last_node(const struct run *run)
{
    uint32_t last = 0;

    for (unsigned i = 0; i < run->passes.cores; i++)
        if (has_samples(&run->passes.core[i]) && run->passes.core[i].result.node > last)
            last = run->passes.core[i].result.node;
    return last;
}

/* Prints, instead of a row for each core of a node, least, mean and most, and rows of outliers. */
static void spread_rows(struct out *out, const struct run *run, uint32_t node)
{
    struct cores_set set;
    struct spread spread;
    unsigned told = 0;

    take_spread(run, node, &spread, &set);
    if (!spread.cores)
        return;
    out_printf(out, "Node %u, of each of %u cores: ", node, spread.cores);
    report_core_list(out, &set, 32);
    out_printf(out, "\n");
    print_columns(out, "  least", spread.least);
    for (unsigned c = 0; c < COLUMNS; c++)
        spread.sum[c] = (spread.sum[c] + spread.cores / 2) / spread.cores;
    out_printf(out, "\n");
    print_columns(out, "  mean", spread.sum);
    out_printf(out, "\n");
    print_columns(out, "  most", spread.most);
    out_printf(out, "\n");
    take_spread(run, node, &spread, &set);
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (!has_samples(core) || core->result.node != node || !stands_out(run, core, &spread))
            continue;
        if (told++ < APART_TOLD)
            core_row(out, run, core);
    }
    if (told > APART_TOLD)
        out_printf(out, "and %u more cores with less than half or more than twice the mean\n", told - APART_TOLD);
}

static void node_rows(struct out *out, const struct run *run)
{
    struct core_sums all, sums;
    unsigned cores = core_sums(run, -1, -1, &all);

    for (int node = 0; node < NODES_MAX; node++) {
        unsigned of_node = core_sums(run, node, -1, &sums);
        char text[16];
        struct out_memory name;

        if (!of_node || of_node == cores)
            continue;
        out_memory_init(&name, text, sizeof(text));
        out_printf(&name.out, "node %d", node);
        row(out, text, &sums);
        out_printf(out, "\n");
    }
    row(out, "all", &all);
    out_printf(out, "\n");
}

/* Returns whether both were started in the same way, after the same answer. */
static bool started_alike(const struct passes_core *first, const struct passes_core *other)
{
    return other->cpu && !other->start_error && other->start.own == first->start.own &&
           other->start.status == first->start.status;
}

static void report_starts(struct out *out, const struct run *run)
{
    for (unsigned i = 1; i < run->passes.cores; i++) {
        const struct firmware_start *start = &run->passes.core[i].start;
        struct cores_set set;

        if (run->passes.core[i].start_error)
            continue;
        if (start->wrong)
            out_printf(out, "WARNING: on core %u, %u registers could not be set to the boot core's values.\n",
                       run->passes.core[i].cpu, start->wrong);
        if (!report_group(run, i, started_alike, &set))
            continue;
        out_printf(out, "Started by ");
        core_start_print(out, start);
        out_printf(out, ":%s cores ", start->status ? "\n   " : "");
        report_core_list(out, &set, start->status ? 10 : 35);
        out_printf(out, ".\n");
    }
}

void report_cores(struct out *out, const struct run *run)
{
    if (run->passes.cores < 2)
        return;
    heading(out, "Cores");
    out_printf(out, "%-14s%9s%9s%9s%9s%9s%9s%10s\n", "", "op", "fetch", "counter", "ld/st", "DC miss", "oth.L1/2",
               "began at");
    for (uint32_t node = 0; report_grouped(run) && node <= last_node(run); node++)
        spread_rows(out, run, node);
    for (unsigned i = 0; !report_grouped(run) && i < run->passes.cores; i++)
        if (has_samples(&run->passes.core[i]))
            core_row(out, run, &run->passes.core[i]);
    node_rows(out, run);
    out_printf(out, "Samples; op samples that load or store, that missed the DC, or that another\ncore's cache served. "
                    "Began at: TSC ticks after the first core, last pass.\n");
    if (run->machine->topology.sharers)
        out_printf(out, "Node 0/1: core complex (L3) 1, on node 0.\n");
    report_starts(out, run);
}

static void save_place_facts(struct out *out, const struct topology *topology, const struct passes_core *core)
{
    uint32_t id = core->result.apic_id;

    fact_number(out, FACT_CORE_APIC_ID, id, core->cpu);
    fact_number(out, FACT_CORE_NODE, core->result.node, core->cpu);
    if (topology->sharers)
        fact_number(out, FACT_CORE_COMPLEX, topology_complex(topology, id), core->cpu);
    if (topology->threads > 1)
        fact_number(out, FACT_CORE_PHYSICAL, topology_core(topology, id), core->cpu);
}

static void save_start_facts(struct out *out, const struct passes_core *core)
{
    if (!core->cpu)
        return;
    fact_begin(out, FACT_CORE_START, core->cpu);
    out_printf(out, " ");
    core_start_print(out, &core->start);
    out_printf(out, "\n");
    if (!core->start.own)
        return;
    fact_number(out, FACT_CORE_START_SET, core->start.set, core->cpu);
    fact_number(out, FACT_CORE_START_WRONG, core->start.wrong, core->cpu);
}

void save_core_facts(struct out *out, const struct run *run)
{
    const char *comma = " ";

    fact_begin(out, FACT_CORES);
    for (unsigned i = 0; i < run->cores.count; i++, comma = ",")
        out_printf(out, "%s%u", comma, run->cores.core[i]);
    out_printf(out, "\n");
    for (unsigned i = 0; run->passes.cores > 1 && i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        const struct session_result *result = &core->result;
        const uint64_t *recorded = core->counts.recorded;

        fact_number(out, FACT_CORE_LOST, core->lost, core->cpu);
        if (core->lost)
            continue;
        save_start_facts(out, core);
        fact_number(out, FACT_CORE_WORKS, core->worker, core->cpu);
        save_place_facts(out, &run->machine->topology, core);
        fact_number(out, FACT_CORE_ERROR, result->error, core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_OP, recorded[SAMPLE_OP], core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_FETCH, recorded[SAMPLE_FETCH], core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_COUNTER, recorded[SAMPLE_PMC] + recorded[SAMPLE_TIMER], core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_LOST, nmi_counts_lost(&core->counts), core->cpu);
        fact_number(out, FACT_CORE_NMI_ALL, core->counts.nmi, core->cpu);
        fact_number(out, FACT_CORE_NMI_EMPTY, core->counts.empty, core->cpu);
        fact_number(out, FACT_CORE_NMI_LATE, core->counts.late, core->cpu);
        fact_number(out, FACT_CORE_CHECK, core->finished && core->correct, core->cpu);
        fact_number(out, FACT_CORE_TSC_START, result->tsc_start, core->cpu);
        fact_number(out, FACT_CORE_TSC_STOP, result->tsc_stop, core->cpu);
        fact_number(out, FACT_CORE_RESTORED_COUNT, result->restore.count - result->restore.failed, core->cpu);
        fact_number(out, FACT_CORE_NOT_RESTORED, result->restore.failed, core->cpu);
        for (unsigned r = 0; r < result->restore.count; r++)
            if (!result->restore.row[r].ok) {
                char name[RESTORE_NAME];

                fact_begin(out, FACT_CORE_RESTORED, core->cpu, r);
                out_printf(out, " %s, 0x%lx, 0x%lx, DIFFERENT\n", restore_name(&result->restore.row[r], name),
                           result->restore.row[r].before, result->restore.row[r].after);
            }
    }
}
