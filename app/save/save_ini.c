/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/save_files.h"

#include "core/run/facts.h"
#include "app/run/kind.h"
#include "app/report/report.h"
#include "app/report/report_board.h"
#include "app/report/report_cores.h"
#include "app/report/report_nodes.h"
#include "app/report/report_restored.h"
#include "app/report/report_silicon.h"
#include "app/selftest/selftest_first.h"
#include "core/base/mem.h"
#include "core/base/version.h"

static void save_plan_facts(struct out *out, const struct run_plan *plan)
{
    fact_text(out, FACT_PLAN, plan->name);
    fact_number(out, FACT_PLAN_KEY, plan->key);
    fact_number(out, FACT_PLAN_RUN, plan->run + 1);
    fact_number(out, FACT_PLAN_RUNS, plan->runs);
    fact_number(out, FACT_PLAN_POINT, plan->at.point + 1);
    fact_number(out, FACT_PLAN_ROUND, plan->at.round + 1);
    fact_number(out, FACT_PLAN_BLOCK, plan->at.block + 1);
    fact_begin(out, FACT_PLAN_SECTION);
    out_printf(out, " %.*s\n", (int)plan->section.length, plan->section.at);
    fact_number(out, FACT_PLAN_MS, plan->ms);
    fact_number(out, FACT_PLAN_HOTTEST, plan->hottest);
}

void save_machine_facts(struct out *out, const struct run *run)
{
    const struct machine *machine = run->machine;
    const struct firmware_time *time = &run->started;

    if (time->valid) {
        fact_begin(out, FACT_STARTED);
        out_printf(out, " %04u-%02u-%02uT%02u:%02u:%02u\n", time->year, time->month, time->day, time->hour,
                   time->minute, time->second);
    }
    fact_begin(out, FACT_FIGURES);
    out_printf(out, " %s", machine->hypervisor ? "" : "silicon\n");
    report_origin(out, machine);
    if (run->plan)
        save_plan_facts(out, run->plan);
    fact_text(out, FACT_MACHINE_VENDOR, machine->vendor);
    fact_text(out, FACT_MACHINE_NAME, machine->name);
    fact_number(out, FACT_MACHINE_FAMILY, machine->family);
    fact_number(out, FACT_MACHINE_MODEL, machine->model);
    fact_number(out, FACT_MACHINE_STEPPING, machine->stepping);
    fact_text(out, FACT_MACHINE_REVISION, (const char[]){machine->revision ? machine->revision : '-', '\0'});
    fact_number(out, FACT_MACHINE_IBS_CAPS, machine->ibs_caps);
    fact_text(out, FACT_MACHINE_HYPERVISOR, machine->hypervisor ? machine->hypervisor_signature : "none");
    fact_text(out, FACT_MACHINE_FIRMWARE, run->fw->name);
    save_board_facts(out, run->fw, &machine->board);
    fact_number(out, FACT_MACHINE_NODES, machine->nodes.count);
    fact_number(out, FACT_MACHINE_CORES, machine->cores);
    if (machine->topology.threads > 1)
        fact_number(out, FACT_MACHINE_THREADS, machine->topology.threads);
    if (machine->topology.sharers)
        fact_number(out, FACT_MACHINE_SHARERS, machine->topology.sharers);
    if (machine->caches_told)
        fact_number(out, FACT_MACHINE_L3_KB, machine->l3_kb);
    fact_number(out, FACT_MACHINE_TSC_KHZ, machine->tsc_khz);
    if (machine->tsc_told)
        fact_number(out, FACT_MACHINE_TSC_INVARIANT, machine->tsc_invariant);
    fact_number(out, FACT_MACHINE_CR4, machine->cr4);
    for (uint32_t i = 0; i < machine->check.count; i++) {
        fact_begin(out, FACT_MACHINE_BANK, i);
        out_printf(out, " ");
        machine_check_print(out, &machine->check.bank[i]);
        out_printf(out, "\n");
    }
}

/* Returns an array's range within the arena. */
static struct workload_range array_of(const struct workload *workload, const uint32_t *params, uint32_t which,
                                      uint32_t arrays)
{
    struct workload_range all = {workload->arrays_at, workload->arena_size(params) - workload->arrays_at}, range;

    for (uint32_t n = which; workload->filled && workload->filled(params, n, &range); n += arrays) {
        if (n == which)
            all.offset = range.offset;
        all.bytes = range.offset + range.bytes - all.offset;
    }
    return all;
}

static void save_object(struct out *out, uint32_t row, uint64_t address, uint64_t bytes, const char *name)
{
    fact_begin(out, FACT_OBJECT, row);
    out_printf(out, " 0x%lx, %lu, %s\n", address, bytes, name);
}

static void save_objects(struct out *out, const struct run *run)
{
    const struct workload *workload = run->workload;
    const struct session_place *place = &run->passes.core[0].plan.place;
    uint64_t arena = run->passes.result.arena;
    uint32_t params[WORKLOAD_VALUES], arrays = 0, row = 0;
    size_t used;

    memcpy(params, run->params, sizeof(params));
    params[WORKLOAD_CORES] = run->passes.workers;
    used = (workload->arena_size(params) + POOL_PAGE - 1) / POOL_PAGE * POOL_PAGE;
    while (workload->arrays[arrays])
        arrays++;
    for (; row < arrays; row++) {
        struct workload_range range = array_of(workload, params, row, arrays);

        save_object(out, row, arena + range.offset, range.bytes, workload->arrays[row]);
    }
    save_object(out, row, arena + used, place->paging.size - used, "stack");
    save_object(out, row + 1, arena, used, "arena");
}

/* Writes settings first, so that the file works as ibsboot.ini to repeat the run; then results as "#: key = value". */
void save_ini(struct file_sink *sink, const struct run *run, const struct options *options)
{
    struct out *out = &sink->out;
    const struct session_result *result = &run->passes.result;
    const struct nmi_counts *counts = &run->passes.counts;

    out_printf(out, "# A run of ibsboot %s. To repeat it, copy this file to \\ibsboot\\ibsboot.ini.\n\n",
               IBSBOOT_VERSION);
    settings_write(&options->settings, out);
    out_printf(out, "\n# The machine and the results.\n");
    save_machine_facts(out, run);
    save_silicon_facts(out, run);
    if (run->selftest) {
        fact_begin(out, FACT_SELFTEST);
        out_printf(out, " ");
        selftest_summary_print(out, run->selftest);
        out_printf(out, "\n");
    }
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && run->workload->params[i].name; i++)
        fact_number(out, FACT_PARAMETER, run->params[i], run->workload->params[i].name);
    fact_number(out, FACT_WORK, run->workload->work(run->params));
    fact_text(out, FACT_WORK_UNIT, run->workload->unit);
    fact_number(out, FACT_CHECK, passes_correct(&run->passes));
    fact_number(out, FACT_IMAGE_BASE, run->image->base);
    fact_number(out, FACT_ARENA_PHYSICAL, run->passes.core[0].plan.place.paging.physical);
    fact_number(out, FACT_ARENA_VIRTUAL, result->arena);
    if (result->arena)
        save_objects(out, run);
    fact_text(out, FACT_CONFIG, run->task.name);
    fact_number(out, FACT_PASSES, run->passes.run);
    fact_number(out, FACT_PASSES_EMPTY, run->passes.empty);
    if (run->passes.stacks) {
        fact_number(out, FACT_STACKS_WHOLE, run->passes.stack_ends[SAMPLE_STACK_WHOLE]);
        fact_number(out, FACT_STACKS_CUT, run->passes.stack_ends[SAMPLE_STACK_CUT]);
        fact_number(out, FACT_STACKS_BROKEN, run->passes.stack_ends[SAMPLE_STACK_BROKEN]);
    }
    if (run->passes.branches) {
        const struct branch_sums *sums = &run->passes.branch_sums;

        fact_number(out, FACT_BRANCHES_TAKEN, sums->by_how[BRANCH_CERTAIN] + sums->by_how[BRANCH_SPECULATIVE]);
        if (!run->machine->branch_sampling) {
            fact_number(out, FACT_BRANCHES_MISPREDICTED, sums->mispredicted);
            fact_number(out, FACT_BRANCHES_WRONG_PATH, sums->by_how[BRANCH_WRONG_PATH]);
        }
        fact_number(out, FACT_BRANCHES_EMPTY, sums->by_how[BRANCH_EMPTY]);
    }
    save_core_facts(out, run);
    save_node_facts(out, run);
    if (run->passes.ticks != TIMER_BY_NOTHING)
        fact_text(out, FACT_TIMER_BY, report_timer_by(run->passes.ticks));
    for (EACH_KIND(kind, run))
        if ((*kind)->facts)
            (*kind)->facts(out, run);
    if (run->reference)
        disturbance_write(out, &run->disturbance);
    if (!kind_has_own_workload(run))
        save_certificate_facts(out, run);
    fact_number(out, FACT_NMI_ALL, counts->nmi);
    fact_number(out, FACT_NMI_EMPTY, counts->empty);
    fact_number(out, FACT_NMI_LATE, counts->late);
    fact_number(out, FACT_NMI_FOREIGN, counts->foreign);
    fact_number(out, FACT_NMI_STORM, counts->storm);
    fact_number(out, FACT_TSC_START, result->tsc_start);
    fact_number(out, FACT_TSC_STOP, result->tsc_stop);
    fact_number(out, FACT_ELAPSED, passes_elapsed_us(&run->passes, run->machine));
    fact_number(out, FACT_ERROR, result->error);
    save_restored_facts(out, run);
}
