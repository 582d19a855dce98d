#include "app/report.h"

#include "app/version.h"
#include "core/ibs_regs.h"
#include "core/identities.h"
#include "core/str.h"
#include "core/view.h"

/* The virtual PMU of tests/vpmu signs so (CPUID leaf 4000_0000h); any other hypervisor is named, too. */
static const char model_signature[] = "ibsbootvPMU";

static void heading(struct out *out, const char *text)
{
    out_printf(out, "\n%s\n", text);
    for (; *text; text++)
        out->write(out, "-", 1);
    out_printf(out, "\n");
}

/* CPUID Fn8000_001B EAX in words. */
static void report_caps(struct out *out, const struct machine *machine)
{
    static const struct {
        uint32_t bit;
        const char *word;
    } caps[] = {
        {IBS_CAP_FETCH, "fetch"}, {IBS_CAP_OP, "op"}, {IBS_CAP_OPCNT, "op counting"}, {IBS_CAP_RDWR_OPCNT, "CurCnt writable"}};
    const char *separator = "";

    for (unsigned i = 0; i < sizeof(caps) / sizeof(caps[0]); i++) {
        if (!(machine->ibs_caps & caps[i].bit))
            continue;
        out_printf(out, "%s%s", separator, caps[i].word);
        separator = ", ";
    }
    out_printf(out, " (%xh, %s)\n", machine->ibs_caps,
               machine->ibs_leaf ? "CPUID 8000_001B" : "no leaf 8000_001B");
}

void report_origin(struct out *out, const struct machine *machine)
{
    if (!machine->hypervisor)
        return;
    if (str_equal(machine->hypervisor_signature, model_signature))
        out_printf(out, "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n");
    else
        out_printf(out, "VIRTUAL: hypervisor \"%s\" is underneath; figures are not silicon's.\n",
                   machine->hypervisor_signature);
}

void report_machine(struct out *out, const struct firmware *fw, const struct machine *machine)
{
    bool any = false;

    heading(out, "Machine");
    out_printf(out, "Processor     %s\n", machine->name[0] ? machine->name : machine->vendor);
    out_printf(out, "              %s family %xh model %xh stepping %u", machine->vendor, machine->family, machine->model,
               machine->stepping);
    if (machine->revision)
        out_printf(out, ", revision %c", machine->revision);
    out_printf(out, "\nIBS           ");
    if (machine->ibs)
        report_caps(out, machine);
    else
        out_printf(out, "none\n");
    out_printf(out, "Topology      %u core%s in this processor, %u node%s, TSC %llu MHz\n", machine->cores,
               machine->cores == 1 ? "" : "s", machine->nodes, machine->nodes == 1 ? "" : "s",
               (unsigned long long)(machine->tsc_khz / 1000));
    out_printf(out, "Hypervisor    %s\n", machine->hypervisor ? machine->hypervisor_signature : "none");
    out_printf(out, "Firmware      %s\n", fw->name);
    out_printf(out, "Errata        ");
    for (unsigned i = 0; i < errata_count; i++) {
        if (!errata_applies(&machine->errata, &errata_table[i]))
            continue;
        out_printf(out, "%s%s", any ? ", " : "", errata_table[i].name);
        any = true;
    }
    out_printf(out, "%s\n", any ? "" : "none known");
}

static void report_period(struct out *out, const char *name, bool on, uint32_t period, const char *unit, uint32_t range)
{
    out_printf(out, "%-13s ", name);
    if (!on)
        out_printf(out, "off\n");
    else if (range)
        out_printf(out, "1 sample per %u %s, interval random over %u\n", period, unit, range);
    else
        out_printf(out, "1 sample per %u %s, fixed interval\n", period, unit);
}

static void report_settings(struct out *out, const struct run *run)
{
    const struct session_plan *plan = &run->plan;
    static const char *const pages[] = {"4 KB", "2 MB", "1 GB"};

    heading(out, "Run");
    out_printf(out, "Workload      %s", run->workload->name);
    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && run->workload->params[i].name; i++)
        out_printf(out, " %s=%u", run->workload->params[i].name, run->params[i]);
    out_printf(out, "\n              %s\n", run->workload->title);
    out_printf(out, "Memory        %s pages, %s frames", pages[plan->paging.kind],
               plan->paging.shuffle ? "shuffled" : "contiguous");
    if (plan->paging.shuffle)
        out_printf(out, " (seed %llu)", (unsigned long long)plan->paging.seed);
    out_printf(out, "\n");
    report_period(out, "IBS op", plan->ibs.op, plan->ibs.op_period, plan->ibs.count_ops ? "dispatched ops" : "core cycles",
                  run->result.settings.op_random_range);
    report_period(out, "IBS fetch", plan->ibs.fetch, plan->ibs.fetch_period, "fetches",
                  run->result.settings.fetch_ctl & IBS_FETCH_RAND_EN ? 16 : 0);
    out_printf(out, "Seed          %llu\n", (unsigned long long)plan->ibs.seed);
}

static void report_sample_row(struct out *out, const struct run *run, const char *name, enum ibs_kind kind, uint64_t recorded,
                              uint64_t lost)
{
    uint64_t outside = run->profile.outside_records[kind], handler = run->in_handler[kind];

    out_printf(out, "%-12s%10llu%11llu%11llu%11llu%10llu\n", name, (unsigned long long)recorded,
               (unsigned long long)(recorded - outside), (unsigned long long)handler,
               (unsigned long long)(outside - handler), (unsigned long long)lost);
}

static void report_samples(struct out *out, const struct run *run)
{
    const struct ibs_counts *counts = &run->result.counts;

    heading(out, "Samples");
    out_printf(out, "              recorded   workload    handler  elsewhere      lost\n");
    report_sample_row(out, run, "IBS op", IBS_KIND_OP, counts->op, counts->lost_op);
    report_sample_row(out, run, "IBS fetch", IBS_KIND_FETCH, counts->fetch, counts->lost_fetch);
    if (counts->lost_op || counts->lost_fetch)
        out_printf(out,
                   "WARNING: the buffer held %u samples; %llu more were lost at the end of the run.\n"
                   "         Set records=%llu or longer periods.\n",
                   run->plan.capacity, (unsigned long long)(counts->lost_op + counts->lost_fetch),
                   (unsigned long long)(counts->op + counts->fetch + counts->lost_op + counts->lost_fetch));
    if (run->plan.ibs.op && counts->op < 1000 && !run->result.faulted)
        out_printf(out, "NOTE: few samples. More work (see 'list') or a shorter op_period gives more.\n");
    if (!run->plan.ibs.random)
        out_printf(out, "WARNING: the intervals are not random: a loop is sampled at the same few ops.\n");
    if (run->plan.ibs.op && !run->plan.ibs.count_ops)
        out_printf(out,
                   "NOTE: op intervals were counted in core cycles: ops that waited at dispatch are\n"
                   "      sampled more often. Shares of ops sampled are not shares of time.\n");
}

/* The paper's tables, in its order; each by instruction, and the op profile summed by line and function. */
static void report_tables(struct out *out, const struct run *run)
{
    static const enum profile_level levels[] = {PROFILE_INSTRUCTIONS, PROFILE_LINES, PROFILE_FUNCTIONS};
    const struct view_options sums = {.only_sampled = true, .no_footnote = true};

    for (unsigned l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
        for (unsigned v = 0; v < view_count; v++) {
            enum ibs_kind kind = (enum ibs_kind)derived_events[view_table[v].population].kind;

            if (kind == IBS_KIND_OP ? !run->plan.ibs.op : !run->plan.ibs.fetch)
                continue;
            out_printf(out, "\n");
            view_print(out, &view_table[v], &run->profile, levels[l], l == 0 ? NULL : &sums);
        }
        if (l == 0 && run->workload->published)
            out_printf(out, "\nFor comparison\n%s\n", run->workload->published);
    }
}

static void report_checks(struct out *out, const struct run *run)
{
    const struct restore_log *restore = &run->result.restore;
    const struct ibs_counts *counts = &run->result.counts;

    heading(out, "Checks");
    out_printf(out, "%s result of %s: expected %llu, got %llu\n", run->check_ok ? "PASS" : "FAIL", run->workload->name,
               (unsigned long long)run->check.expected, (unsigned long long)run->check.got);
    (void)identities_check(out, run->profile.total, IDENTITIES_ALL);
    if (run->plan.ibs.op)
        aliasing_print(out, &run->aliasing, &run->profile);
    out_printf(out, "%s restored: %u registers and tables read as before the run\n", restore->failed ? "FAIL" : "PASS",
               restore->count - restore->failed);
    for (unsigned i = 0; i < restore->count; i++)
        if (!restore->row[i].ok)
            out_printf(out, "FAIL %s was %llx, is %llx\n", restore->row[i].what,
                       (unsigned long long)restore->row[i].before, (unsigned long long)restore->row[i].after);
    out_printf(out, "     interrupts: %llu NMIs, %llu of them empty, %llu late, %llu not ours; %u others\n",
               (unsigned long long)counts->nmi, (unsigned long long)counts->empty, (unsigned long long)counts->late,
               (unsigned long long)counts->foreign, run->result.spurious_interrupts);
}

void report_fault(struct out *out, const struct run *run)
{
    const struct cpu_fault *fault = &run->result.fault;
    uint64_t rva = fault->rip - run->image->base;
    int32_t insn = codemap_find(&image_codemap, rva);
    static const char *const phases[] = {
        [SESSION_SET_UP] = "setting up",        [SESSION_PREPARE] = "preparing the workload",
        [SESSION_BODY] = "the measured part",   [SESSION_FINISH] = "checking the result",
        [SESSION_RESTORING] = "restoring",
    };

    heading(out, "Exception");
    out_printf(out, "%s in %s; error code %llx\n", fault_vector_name(fault->vector), phases[run->result.fault_phase],
               (unsigned long long)fault->error);
    out_printf(out, "rip %016llx = image + %llx", (unsigned long long)fault->rip, (unsigned long long)rva);
    if (insn >= 0)
        out_printf(out, ": %s", image_codemap.strings + image_codemap.insns[insn].text);
    out_printf(out, "\nrsp %016llx  rflags %08llx  cr2 %016llx\n", (unsigned long long)fault->rsp,
               (unsigned long long)fault->rflags, (unsigned long long)fault->cr2);
    for (unsigned i = 0; i < 16; i++)
        out_printf(out, "%-3s %016llx%s", fault_register_name(i), (unsigned long long)fault->gpr[i],
                   i % 3 == 2 || i == 15 ? "\n" : "  ");
}

void report_run(struct out *out, const struct run *run)
{
    report_machine(out, run->fw, run->machine);
    report_settings(out, run);
    if (run->result.error && !run->result.faulted)
        out_printf(out, "\nThe run failed: %s (%llx).\n", session_error_text(run->result.error),
                   (unsigned long long)run->result.error_detail);
    if (run->result.faulted)
        report_fault(out, run);
    report_samples(out, run);
    out_printf(out, "\n");
    report_origin(out, run->machine);
    report_tables(out, run);
    report_checks(out, run);
    report_origin(out, run->machine);
}
