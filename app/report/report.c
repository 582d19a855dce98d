/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report.h"

#include "app/run/code.h"
#include "app/run/kind.h"
#include "app/report/report_certificate.h"
#include "app/report/report_board.h"
#include "app/report/report_cores.h"
#include "app/report/report_ibs.h"
#include "app/report/report_nodes.h"
#include "app/report/report_restored.h"
#include "app/report/report_silicon.h"
#include "app/selftest/selftest_first.h"
#include "app/base/sentence.h"
#include "core/base/origin.h"
#include "core/base/version.h"
#include "core/base/str.h"
#include "drivers/cpu/apic.h"
#include "drivers/cpu/paging.h"
#include "drivers/machine/vpmu_query.h"

enum { APIC_TIMER_KHZ = 200000 };

/* Calls the section's function of each measured kind. */
#define EACH_PRINTS(section)                                                                                           \
    for (EACH_KIND(kind, run))                                                                                         \
        if ((*kind)->section)                                                                                          \
    (*kind)->section(out, run)

void report_origin(struct out *out, const struct machine *machine)
{
    if (!machine->hypervisor)
        return;
    if (vpmu_is_model(machine))
        out_printf(out, ORIGIN_MODEL "\n");
    else
        out_printf(out, "VIRTUAL: hypervisor \"%s\" is present; figures are not silicon's.\n",
                   machine->hypervisor_signature);
}

/* Prints only unusual modes. */
static void report_modes(struct out *out, const struct machine *machine)
{
    uint64_t apic;

    if (!apic_find(machine->apic_msr, &apic) && apic == APIC_BASE_OF_MSRS)
        out_printf(out, "Local APIC    in x2APIC mode: its registers are MSRs\n");
    if (machine->cr4 & CR4_LA57)
        out_printf(out, "Page tables   of five levels\n");
}

void report_machine(struct out *out, const struct firmware *fw, const struct machine *machine)
{
    bool any = false;

    heading(out, "Machine");
    out_printf(out, "Processor     %s\n", machine->name[0] ? machine->name : machine->vendor);
    out_printf(out, "              %s family %xh model %xh stepping %u", machine->vendor, machine->family,
               machine->model, machine->stepping);
    if (machine->revision)
        out_printf(out, ", revision %c", machine->revision);
    out_printf(out, "\n");
    report_ibs(out, machine);
    out_printf(out, "Topology      %u core%s in this processor, ", machine->cores, machine->cores == 1 ? "" : "s");
    if (machine->nodes.count) /* later families: neither ACPI nor CPUID may say */
        out_printf(out, "%u node%s, ", machine->nodes.count, machine->nodes.count == 1 ? "" : "s");
    out_printf(out, "TSC %lu MHz\n", machine->tsc_khz / 1000);
    report_shared(out, &machine->topology);
    report_node_memory(out, machine);
    report_silicon(out, machine);
    report_modes(out, machine);
    out_printf(out, "Hypervisor    %s\n", machine->hypervisor ? machine->hypervisor_signature : "none");
    report_board(out, fw, &machine->board);
    out_printf(out, "Errata        ");
    for (unsigned i = 0; i < IBS_ERRATA; i++) {
        if (!(machine->errata >> i & 1))
            continue;
        out_printf(out, "%s%s", any ? ", " : "", ibs_errata[i].name);
        any = true;
    }
    out_printf(out, "%s\n", any ? "" : "none known");
    for (uint32_t i = 0; i < machine->check.count; i++) {
        out_printf(out, "%s", i ? "              " : "Errors before ");
        machine_check_print(out, &machine->check.bank[i]);
        out_printf(out, "\n");
    }
}

/* Prints where own code is, and whether its listing is known. */
static void report_code(struct out *out, const struct run *run)
{
    const struct code_file *file = run->code.file;

    if (!file)
        return;
    out_printf(out, "Code          %s at %lx\n", file->file_name, run->code.address);
    if (!run->machine->nxe)
        sentence(out, "NOTE: the code's data can be executed, because the firmware leaves EFER.NXE off.");
    if (file->why_no_map[0])
        sentence(out, "NOTE: addresses are shown instead of instructions, because the code map cannot be used: %s.",
                 file->why_no_map);
}

static void report_workload(struct out *out, const struct run *run)
{
    const struct paging_plan *paging = &run->passes.core[0].plan.place.paging;
    static const char *const pages[] = {"4 KB", "2 MB", "1 GB"};

    out_printf(out, "Workload      %s", run->workload->name);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && run->workload->params[i].name; i++)
        out_printf(out, " %s=%u", run->workload->params[i].name, run->params[i]);
    out_printf(out, "\n              %s\n", run->workload->title);
    report_code(out, run);
    out_printf(out, "Memory        %s pages, %s frames", pages[paging->kind],
               paging->shuffle ? "shuffled" : "contiguous");
    if (paging->shuffle)
        out_printf(out, " (seed %lu)", paging->seed);
    if (paging->code_size)
        out_printf(out, "; code by 4 KB pages");
    out_printf(out, "\n");
    report_memory_types(out, run);
}

const char *report_timer_by(enum timer_by by)
{
    static const char *const names[] = {[TIMER_BY_NOTHING] = "",
                                        [TIMER_BY_APIC] = "apic",
                                        [TIMER_BY_COUNTER] = "counter",
                                        [TIMER_IMPOSSIBLE] = "nothing"};

    return names[by];
}

/* The APIC's timer counts the family's reference clock (docs/hardware-checks.md): another rate means that the TSC's
 * rate, by which it was measured, is wrong. */
static void report_timer_rate(struct out *out, const struct run *run)
{
    const struct timer_settings *timer = &run->passes.result.timer;
    uint64_t apart = timer->khz > APIC_TIMER_KHZ ? timer->khz - APIC_TIMER_KHZ : APIC_TIMER_KHZ - timer->khz;

    if (timer->by == TIMER_BY_APIC && timer->khz && machine_registers_known(run->machine) &&
        apart > APIC_TIMER_KHZ / 100)
        sentence(out,
                 "NOTE: by the TSC the APIC's timer counts at %lu kHz, but %u is expected: the TSC's rate may be wrong "
                 "by this ratio.",
                 timer->khz, APIC_TIMER_KHZ);
}

/* Prints only unexpected ticks. */
static void report_ticks(struct out *out, const struct run *run)
{
    report_timer_rate(out, run);
    switch (run->passes.ticks) {
    case TIMER_BY_COUNTER:
        out_printf(out, "Ticks         by overflow of counter 3 (076h): the APIC's timer sends no NMI\n");
        break;
    case TIMER_IMPOSSIBLE:
        sentence(out, "WARNING: no time limit: neither the APIC's timer nor a free counter sends an NMI here. Only "
                      "switching the machine off ends a workload that does not end.");
        break;
    default:
        break;
    }
}

static void report_settings(struct out *out, const struct run *run, bool own)
{
    heading(out, "Run");
    if (!own)
        report_workload(out, run);
    if (!str_equal(run->task.name, "ibs"))
        out_printf(out, "Measured      %s: %s\n", run->task.name, run->task.title);
    EACH_PRINTS(settings);
    report_ticks(out, run);
    if (!own)
        out_printf(out, "Seed          %lu\n", run->seed);
}

static void report_lost(struct out *out, const struct run *run)
{
    uint64_t lost = nmi_counts_lost(&run->passes.counts);

    if (lost)
        out_printf(out,
                   "WARNING: the buffer held %u samples; %lu more were lost at the end of the run.\n"
                   "         Set records=%lu or longer periods.\n",
                   run->passes.capacity, lost, run->passes.samples + lost);
    if (run->passes.ring_full)
        out_printf(out, "WARNING: the buffer of %u samples was full before the last pass. Set more records.\n",
                   run->passes.capacity);
}

static void report_stacks(struct out *out, const struct passes *passes)
{
    const uint64_t *ends = passes->stack_ends;

    if (passes->stacks)
        out_printf(out, "Call stacks   %lu whole, %lu cut at %u return addresses, %lu broken\n",
                   ends[SAMPLE_STACK_WHOLE], ends[SAMPLE_STACK_CUT], passes->core[0].plan.place.stack_depth,
                   ends[SAMPLE_STACK_BROKEN]);
}

static void report_branches(struct out *out, const struct run *run)
{
    const struct branch_sums *sums = &run->passes.branch_sums;

    if (run->passes.branches && run->machine->branch_sampling)
        out_printf(out, "Branches      %lu taken, after counter overflows; predictions are not recorded; %lu empty\n",
                   sums->by_how[BRANCH_CERTAIN], sums->by_how[BRANCH_EMPTY]);
    else if (run->passes.branches)
        out_printf(out, "Branches      %lu taken, %lu of them mispredicted; left out: %lu on wrong paths, %lu empty\n",
                   sums->by_how[BRANCH_CERTAIN] + sums->by_how[BRANCH_SPECULATIVE], sums->mispredicted,
                   sums->by_how[BRANCH_WRONG_PATH], sums->by_how[BRANCH_EMPTY]);
}

static void report_samples(struct out *out, const struct run *run)
{
    if (kind_has_samples(run)) {
        heading(out, "Samples");
        out_printf(out, "              recorded   workload    handler  elsewhere      lost\n");
    }
    EACH_PRINTS(samples);
    report_lost(out, run);
    report_stacks(out, &run->passes);
    report_branches(out, run);
    EACH_PRINTS(notes);
    if (run->reference) {
        out_printf(out, "\n");
        disturbance_print(out, &run->disturbance);
    }
}

static void report_result(struct out *out, const struct run *run)
{
    const struct workload_check *check = &run->passes.check;

    if (run->passes.finished && run->code.file && run->code.file->code.check == CODE_NONE)
        out_printf(out, "     result of %s: not compared, as the workload has no check()\n", run->workload->name);
    else if (run->passes.finished)
        sentence(out, "%s result of %s: expected %lu, got %lu", passes_correct(&run->passes) ? "PASS" : "FAIL",
                 run->workload->name, check->expected, check->got);
    else
        out_printf(out, "FAIL result of %s: missing, as the workload did not run to its end\n", run->workload->name);
}

/* Prints the time, as the program of AMD's paper did. */
static void report_elapsed(struct out *out, const struct run *run)
{
    uint64_t us = passes_elapsed_us(&run->passes, run->machine);

    if (us == 0)
        return;
    out_printf(out, "     elapsed: %lu.%06lu s%s%s\n", us / 1000000, us % 1000000,
               run->passes.run > 1 ? " in the last pass" : "",
               vpmu_is_model(run->machine) ? ", in the model's time" : "");
}

static void report_selftest(struct out *out, const struct selftest_summary *selftest)
{
    char text[SELFTEST_TEXT];
    struct out_memory memory;

    if (!selftest)
        return;
    out_memory_init(&memory, text, sizeof(text));
    selftest_summary_print(&memory.out, selftest);
    sentence(out, "%s self-test of this boot: %s", selftest->possible && !selftest->failed ? "PASS" : "WARNING:", text);
}

static void report_checks(struct out *out, const struct run *run, bool own)
{
    const struct nmi_counts *counts = &run->passes.counts;

    heading(out, "Checks");
    if (!own) {
        report_result(out, run);
        report_elapsed(out, run);
    }
    if (run->passes.run > 1)
        out_printf(out, "     right in %u of %u passes\n", run->passes.finished - run->passes.incorrect,
                   run->passes.run);
    EACH_PRINTS(checks);
    report_selftest(out, run->selftest);
    report_restored(out, run);
    out_printf(out, "     interrupts: %lu NMIs, %lu of them empty, %lu late, %lu not ours; %lu others\n", counts->nmi,
               counts->empty, counts->late, counts->foreign, run->passes.spurious_interrupts);
    if (counts->storm)
        sentence(out,
                 "WARNING: a storm of NMIs without samples (erratum 420) was ended %lu time%s by masking the APIC's "
                 "entries that send them.",
                 counts->storm, counts->storm == 1 ? "" : "s");
}

/* Prints vector, registers and place in the code map, on one screen. */
static void fault(struct out *out, const struct run *run)
{
    const struct cpu_fault *fault = &run->passes.result.fault;
    uint64_t rva = fault->rip - run->image->base;
    int32_t insn = run_insn(run, fault->rip);
    static const char *const phases[] = {
        [SESSION_SET_UP] = "setting up",      [SESSION_PREPARE] = "preparing the workload",
        [SESSION_BODY] = "the measured part", [SESSION_FINISH] = "checking the result",
        [SESSION_RESTORING] = "restoring",
    };

    heading(out, "Exception");
    code_explain_fault(out, run);
    out_printf(out, "%s in %s; error code %lx\n", fault_vector_name(fault->vector),
               phases[run->passes.result.fault_phase], fault->error);
    out_printf(out, "rip %016lx = ", fault->rip);
    if (!code_write_address(out, run, fault->rip))
        out_printf(out, "image + %lx", rva);
    if (insn >= 0)
        out_printf(out, ": %s", run->map->strings + run->map->insns[insn].text);
    out_printf(out, "\nrsp %016lx  rflags %08lx  cr2 %016lx\n", fault->rsp, fault->rflags, fault->cr2);
    for (uint32_t i = 0; i < fault->check.count; i++) {
        out_printf(out, "%s", i ? "  " : "machine check: ");
        machine_check_print(out, &fault->check.bank[i]);
        out_printf(out, "\n");
    }
    for (unsigned i = 0; i < 16; i++)
        out_printf(out, "%-3s %016lx%s", fault_register_name(i), fault->gpr[i], i % 3 == 2 || i == 15 ? "\n" : "  ");
}

static void report_error(struct out *out, const struct run *run)
{
    const struct session_result *result = &run->passes.result;
    char where[SENTENCE_MAX];

    if (!result->error || (result->faulted && result->error != SESSION_LIMIT))
        return;
    out_printf(out, "\n");
    if (result->error == SESSION_LIMIT) {
        code_write_limit(where, sizeof(where), run);
        sentence(out, "STOPPED: %s did not end within %lu ms%s; the samples until then are kept.", run->workload->name,
                 run->passes.limit_ms, where);
    } else if (result->error == SESSION_STATE) {
        code_explain_state(out, run);
    } else {
        sentence(out, "The run failed: %s (%lx).", session_error_text(result->error), result->error_detail);
    }
}

/* Comes first, for users who read no further. */
static void report_disturbance(struct out *out, const struct run *run)
{
    char text[SENTENCE_MAX];
    struct out_memory memory;

    if (!run->reference)
        return;
    out_memory_init(&memory, text, sizeof(text));
    disturbance_verdict(&memory.out, &run->disturbance);
    sentence(out, "%s.", text);
}

void report_run(struct out *out, const struct run *run)
{
    bool own = kind_has_own_workload(run);

    report_disturbance(out, run);
    report_machine(out, run->fw, run->machine);
    report_settings(out, run, own);
    report_error(out, run);
    if (run->passes.result.faulted)
        fault(out, run);
    report_lost_cores(out, run);
    report_samples(out, run);
    report_cores(out, run);
    report_nodes(out, run);
    out_printf(out, "\n");
    report_origin(out, run->machine);
    EACH_PRINTS(tables);
    report_checks(out, run, own);
    if (!own)
        report_certificate(out, run);
    report_origin(out, run->machine);
}
