/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report_cores.h"

#include "app/core_start.h"
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

static struct firmware_start start_of(const struct run *run, unsigned i)
{
    struct firmware_start start;

    run->passes.fw->core_started(run->passes.fw, run->passes.core[i].cpu, &start);
    return start;
}

/* Those from i on that were started as core i, in the same way and after the same answer: "1-3,5". False: core i is not
 * the first of them. */
static bool started_alike(struct out *out, const struct run *run, unsigned i)
{
    const struct passes *passes = &run->passes;
    struct firmware_start start = start_of(run, i);
    bool like[CORES_MAX + 2] = {false};
    const char *comma = "";

    for (unsigned k = 1; k < passes->cores; k++) {
        struct firmware_start other = start_of(run, k);

        like[k] = !passes->core[k].start_error && other.own == start.own && other.status == start.status;
        if (like[k] && k < i)
            return false;
    }
    for (unsigned first = i, last; first < passes->cores; first = last + 1) {
        for (last = first; like[first] && like[last + 1] && passes->core[last + 1].cpu == passes->core[last].cpu + 1;)
            last++;
        if (!like[first])
            continue;
        out_printf(out, "%s%u", comma, passes->core[first].cpu);
        if (last > first)
            out_printf(out, "-%u", passes->core[last].cpu);
        comma = ",";
    }
    return true;
}

static void report_starts(struct out *out, const struct run *run)
{
    for (unsigned i = 1; i < run->passes.cores; i++) {
        struct firmware_start start = start_of(run, i);
        struct out_memory list;
        char text[200];

        out_memory_init(&list, text, sizeof(text));
        if (run->passes.core[i].start_error)
            continue;
        if (start.wrong)
            out_printf(out, "WARNING: core %u has %u registers that could not be set as the boot core's.\n",
                       run->passes.core[i].cpu, start.wrong);
        if (!started_alike(&list.out, run, i))
            continue;
        out_printf(out, "Started by ");
        core_start_print(out, &start);
        out_printf(out, ":%s cores %s.\n", start.status ? "\n   " : "", text);
    }
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
    report_starts(out, run);
}

static void report_not_started(struct out *out, const struct run *run, const struct passes_core *core)
{
    struct firmware_start start = start_of(run, (unsigned)(core - run->passes.core));

    out_printf(out, "LOST: core %u was not started: %s", core->cpu, firmware_error_text(core->start_error));
    if (start.status)
        out_printf(out, "\n      (MP Services: EFI_STATUS %lx)", start.status);
    out_printf(out, ".\n      The results of the others are kept.\n");
}

void report_lost_cores(struct out *out, const struct run *run)
{
    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct passes_core *core = &run->passes.core[i];

        if (core->start_error)
            report_not_started(out, run, core);
        else if (core->lost)
            out_printf(out, "LOST: core %u did not answer: %s.\n      The results of the others are kept.%s\n",
                       core->cpu, gang_step_text(core->lost_at),
                       start_of(run, i).kept ? " The next run starts it by INIT and STARTUP." : "");
        else if (run->passes.cores > 1 && core->result.error)
            sentence(out, "Core %u: %s (%lx).", core->cpu, session_error_text(core->result.error),
                     core->result.error_detail);
    }
    if (!passes_all_back(&run->passes))
        out_printf(out, "A core is still running: switch the machine off before you start anything else.\n");
}

static void save_start_facts(struct out *out, const struct run *run, const struct passes_core *core)
{
    struct firmware_start start = start_of(run, (unsigned)(core - run->passes.core));

    if (!core->cpu)
        return;
    fact_begin(out, FACT_CORE_START, core->cpu);
    out_printf(out, " ");
    core_start_print(out, &start);
    out_printf(out, "\n");
    if (!start.own)
        return;
    fact_number(out, FACT_CORE_START_SET, start.set, core->cpu);
    fact_number(out, FACT_CORE_START_WRONG, start.wrong, core->cpu);
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
        save_start_facts(out, run, core);
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
