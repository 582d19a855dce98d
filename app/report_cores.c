/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report_cores.h"

#include "app/sentence.h"
#include "core/facts.h"

unsigned core_sums(const struct run *run, int node, int cpu, struct core_sums *sum)
{
    unsigned count = 0;

    *sum = (struct core_sums){0};
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (!core->worker || core->lost || (node >= 0 && core->result.node != (uint32_t)node) ||
            (cpu >= 0 && core->cpu != (uint32_t)cpu))
            continue;
        count++;
        for (unsigned kind = 0; kind < SAMPLE_KINDS; kind++)
            sum->recorded[kind] += core->counts.recorded[kind];
        if (core->cpu < run->ibs.profile.cores)
            profile_sums_add(&sum->ibs, &run->ibs.profile.core[core->cpu]);
    }
    return count;
}

static void row(struct out *out, const char *name, const struct core_sums *sums)
{
    const uint64_t *ibs = sums->ibs.total;

    out_printf(out, "%-14s%9lu%9lu%9lu%9lu%9lu%9lu", name, sums->recorded[SAMPLE_OP], sums->recorded[SAMPLE_FETCH],
               sums->recorded[SAMPLE_PMC] + sums->recorded[SAMPLE_TIMER], ibs[DERIVED_F200_LOAD_STORE],
               ibs[DERIVED_F206_DC_MISS], ibs[DERIVED_F243_NB_LOCAL_CACHE]);
}

static void core_row(struct out *out, const struct run *run, const struct passes_core *core)
{
    struct core_sums sums;
    char text[16];
    struct out_memory name;

    (void)core_sums(run, -1, (int)core->cpu, &sums);
    out_memory_init(&name, text, sizeof(text));
    out_printf(&name.out, "core %u node %u", core->cpu, core->result.node);
    row(out, text, &sums);
    if (core->result.tsc_start)
        out_printf(out, "%10lu\n", core->result.tsc_start - run->passes.result.tsc_start);
    else
        out_printf(out, "%10s\n", "-");
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

void report_cores(struct out *out, const struct run *run)
{
    if (run->passes.cores < 2)
        return;
    heading(out, "Cores");
    out_printf(out, "%-14s%9s%9s%9s%9s%9s%9s%10s\n", "", "op", "fetch", "counter", "ld/st", "DC miss", "oth.L1/2",
               "began at");
    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].worker && !run->passes.core[i].lost)
            core_row(out, run, &run->passes.core[i]);
    node_rows(out, run);
    out_printf(out, "Samples; of op samples those that load or store, missed the DC, and were served\n"
                    "by another core's cache. Began at: TSC ticks after the first core, last pass.\n");
}

void report_lost_cores(struct out *out, const struct run *run)
{
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (core->start_error)
            out_printf(out, "LOST: core %u was not started: %s.\n      The results of the others are kept.\n",
                       core->cpu, firmware_error_text(core->start_error));
        else if (core->lost)
            out_printf(out, "LOST: core %u did not answer: %s.\n      The results of the others are kept.\n", core->cpu,
                       gang_step_text(core->lost_at));
        else if (run->passes.cores > 1 && core->result.error)
            sentence(out, "Core %u: %s (%lx).", core->cpu, session_error_text(core->result.error),
                     core->result.error_detail);
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
        const uint64_t *recorded = core->counts.recorded;

        fact_number(out, FACT_CORE_LOST, core->lost, core->cpu);
        if (core->lost)
            continue;
        fact_number(out, FACT_CORE_WORKS, core->worker, core->cpu);
        fact_number(out, FACT_CORE_APIC_ID, result->apic_id, core->cpu);
        fact_number(out, FACT_CORE_NODE, result->node, core->cpu);
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
                fact_begin(out, FACT_CORE_RESTORED, core->cpu, r);
                out_printf(out, " %s, 0x%lx, 0x%lx, DIFFERENT\n", result->restore.row[r].what,
                           result->restore.row[r].before, result->restore.row[r].after);
            }
    }
}
