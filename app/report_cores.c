#include "app/report_cores.h"

#include "app/sentence.h"
#include "core/ibs_regs.h"
#include "core/facts.h"

#define ULL(value) ((unsigned long long)(value))

void core_sums(const struct run *run, uint32_t cpu, struct core_sums *sums)
{
    *sums = (struct core_sums){0};
    for (uint64_t i = 0; i < run->passes.samples; i++) {
        const struct sample_record *record = &run->passes.records[i];
        uint64_t data3 = record->reg[IBS_OP_DATA3];

        if (record->cpu != cpu)
            continue;
        sums->op += record->kind == SAMPLE_OP;
        sums->fetch += record->kind == SAMPLE_FETCH;
        sums->counter += record->kind > SAMPLE_OP;
        if (record->kind != SAMPLE_OP || !(data3 & (IBS_LD_OP | IBS_ST_OP)))
            continue;
        sums->memory++;
        sums->dc_miss += (data3 & IBS_DC_MISS) != 0;
        sums->other_cache +=
            (data3 & IBS_DC_MISS) && (data3 & IBS_LD_OP) && ibs_nb_req_src(record->reg[IBS_OP_DATA2]) == IBS_NB_CACHE;
    }
}

static void row(struct out *out, const char *name, const struct core_sums *sums)
{
    out_printf(out, "%-14s%9llu%9llu%9llu%9llu%9llu%9llu", name, ULL(sums->op), ULL(sums->fetch), ULL(sums->counter),
               ULL(sums->memory), ULL(sums->dc_miss), ULL(sums->other_cache));
}

static void core_row(struct out *out, const struct run *run, const struct passes_core *core)
{
    struct core_sums sums;
    char text[16];
    struct out_memory name;

    core_sums(run, core->cpu, &sums);
    out_memory_init(&name, text, sizeof(text));
    out_printf(&name.out, "core %u node %u", core->cpu, core->result.node);
    row(out, text, &sums);
    if (core->result.tsc_start)
        out_printf(out, "%10llu\n", ULL(core->result.tsc_start - run->passes.result.tsc_start));
    else
        out_printf(out, "%10s\n", "-");
}

static void add(struct core_sums *to, const struct core_sums *from)
{
    to->op += from->op;
    to->fetch += from->fetch;
    to->counter += from->counter;
    to->memory += from->memory;
    to->dc_miss += from->dc_miss;
    to->other_cache += from->other_cache;
}

/* Sums over the cores of a node, or of all (node < 0). Returns how many they are. */
static unsigned sum_node(const struct run *run, int node, struct core_sums *sum)
{
    unsigned count = 0;

    *sum = (struct core_sums){0};
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];
        struct core_sums sums;

        if (!core->works || core->lost || (node >= 0 && core->result.node != (uint32_t)node))
            continue;
        core_sums(run, core->cpu, &sums);
        add(sum, &sums);
        count++;
    }
    return count;
}

static void node_rows(struct out *out, const struct run *run)
{
    struct core_sums all, sums;
    unsigned cores = sum_node(run, -1, &all);

    for (int node = 0; node < NODES_MAX; node++) {
        unsigned of_node = sum_node(run, node, &sums);
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

void report_cores(struct out *out, const struct run *run)
{
    if (run->passes.cores < 2)
        return;
    heading(out, "Cores");
    out_printf(out, "%-14s%9s%9s%9s%9s%9s%9s%10s\n", "", "op", "fetch", "counter", "ld/st", "DC miss", "oth.L1/2",
               "began at");
    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].works && !run->passes.core[i].lost)
            core_row(out, run, &run->passes.core[i]);
    node_rows(out, run);
    out_printf(out, "Samples; of op samples those that load or store, missed the DC, and were served\n"
                    "by another core's cache. Began at: TSC ticks behind the first core, last pass.\n");
}

void report_lost_cores(struct out *out, const struct run *run)
{
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (core->start_error)
            out_printf(out, "LOST: core %u was not started: %s.\n      What the others gave is kept.\n", core->cpu,
                       firmware_error_text(core->start_error));
        else if (core->lost)
            out_printf(out, "LOST: core %u did not answer: %s.\n      What the others gave is kept.\n", core->cpu,
                       gang_step_text(core->lost_at));
        else if (run->passes.cores > 1 && core->result.error)
            sentence(out, "Core %u: %s (%llx).", core->cpu, session_error_text(core->result.error),
                     ULL(core->result.error_detail));
    }
    if (!passes_all_back(&run->passes))
        out_printf(out, "A core is still running: switch the machine off before you start anything else.\n");
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
        struct core_sums sums;

        fact_number(out, FACT_CORE_LOST, core->lost, core->cpu);
        if (core->lost)
            continue;
        core_sums(run, core->cpu, &sums);
        fact_number(out, FACT_CORE_WORKS, core->works, core->cpu);
        fact_number(out, FACT_CORE_APIC_ID, result->apic_id, core->cpu);
        fact_number(out, FACT_CORE_NODE, result->node, core->cpu);
        fact_number(out, FACT_CORE_ERROR, result->error, core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_OP, sums.op, core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_FETCH, sums.fetch, core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_COUNTER, sums.counter, core->cpu);
        fact_number(out, FACT_CORE_SAMPLES_LOST, nmi_counts_lost(&core->counts), core->cpu);
        fact_number(out, FACT_CORE_NMI_ALL, core->counts.nmi, core->cpu);
        fact_number(out, FACT_CORE_NMI_EMPTY, core->counts.empty, core->cpu);
        fact_number(out, FACT_CORE_NMI_LATE, core->counts.late, core->cpu);
        fact_number(out, FACT_CORE_CHECK, core->finished && core->right, core->cpu);
        fact_number(out, FACT_CORE_TSC_START, result->tsc_start, core->cpu);
        fact_number(out, FACT_CORE_TSC_STOP, result->tsc_stop, core->cpu);
        fact_number(out, FACT_CORE_RESTORED_COUNT, result->restore.count - result->restore.failed, core->cpu);
        fact_number(out, FACT_CORE_NOT_RESTORED, result->restore.failed, core->cpu);
        for (unsigned r = 0; r < result->restore.count; r++)
            if (!result->restore.row[r].ok) {
                fact_begin(out, FACT_CORE_RESTORED, core->cpu, r);
                out_printf(out, " %s, 0x%llx, 0x%llx, DIFFERENT\n", result->restore.row[r].what,
                           ULL(result->restore.row[r].before), ULL(result->restore.row[r].after));
            }
    }
}
