/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/report/report_certificate.h"

#include "app/run/kind.h"
#include "app/report/report_groups.h"
#include "app/run/save_files.h"
#include "app/base/sentence.h"
#include "core/base/stats.h"
#include "core/run/facts.h"

enum { DIGEST_FACTOR = 31 };

static bool within(uint64_t rva, uint32_t from, uint32_t size)
{
    return rva - from < size;
}

/* Counts samples outside of both the workload and the NMI handler. */
static void count_samples(const struct run *run, struct certificate_run *of)
{
    const struct image *image = run->image;

    for (uint64_t i = 0; i < run->passes.samples; i++) {
        uint64_t address = sample_address(&run->passes.records[i]), rva = address - image->base;

        if (run_insn(run, address) >= 0 || within(rva, image->handler_rva, image->handler_size))
            continue;
        *(within(rva, image->text_rva, image->text_size) ? &of->edges : &of->elsewhere) += 1;
    }
}

/* Computes the instructions retired beyond those in the workload's row. Returns why that is not known, or NULL. */
static const char *surplus(const struct run *run, int64_t *ret_surplus)
{
    uint64_t retired, stated;

    if (!workload_instructions(run->workload, run->params, &stated))
        return "the workload's row states no count";
    if (run->passes.workers > 1)
        return "several cores share the counter";
    for (EACH_KIND(kind, run)) {
        if (!(*kind)->retired || !(*kind)->retired(run, &retired))
            continue;
        *ret_surplus = (int64_t)(retired - (stated - COUNTS_EMPTY_INSTRUCTIONS));
        return NULL;
    }
    return "only totals exclude the NMI handler (config=count)";
}

/* ---------------------------------------------------------------- what there is to judge */

static struct certificate_run of_run(const struct run *run)
{
    struct certificate_run of = {.sampled = kind_has_samples(run)};

    if (of.sampled)
        count_samples(run, &of);
    of.why_no_count = surplus(run, &of.surplus);
    return of;
}

static void take_readings(struct certificate_core *of, const struct witness *witness,
                          const struct witness_reading *first, const struct witness_reading *last)
{
    for (unsigned what = 0; what < WITNESS_ROWS; what++) {
        of->why_not[what] = witness->why_not[what];
        of->first[what] = first->value[what];
        of->last[what] = last->value[what];
    }
}

static struct certificate_core of_core(const struct run *run, const struct passes_core *core)
{
    const struct certificate *c = &core->certificate;
    struct certificate_core of = c->found;

    take_readings(&of, &c->witness, &c->first, &c->last);
    of.core = core->cpu;
    of.tsc_khz = c->khz;
    of.measured_us = c->khz ? stats_mul_div(c->measured, 1000, c->khz) : 0;
    of.nmis_told = true;
    of.empty = core->counts.empty;
    of.late = core->counts.late;
    of.foreign = core->counts.foreign;
    /* With two kinds of samples, one NMI may serve two requests; the alarm of the time limit brings no sample either. A
     * single kind has no empty NMIs. */
    of.each_brings = !run->pmc.memory && run->ibs.plan.op != run->ibs.plan.fetch && !run->passes.limit_ms;
    if (!of.no_loop) {
        of.gap_ns = stats_mul_div(c->threshold, 1000000, c->khz);
        of.looked_us = stats_mul_div(c->ticks, 1000, c->khz);
    }
    return of;
}

static bool has_certificate(const struct passes_core *core)
{
    return core->worker && !core->lost;
}

/* ---------------------------------------------------------------- the report */

struct to_console {
    struct certificate_sink sink;
    struct out *out;
};

/* Prints "PASS name: 0", "NOTE name: 3", or "     name: not available: why"; further lines below the first. */
static void print_row(struct certificate_sink *sink, const struct certificate_row *row)
{
    struct out *out = ((struct to_console *)sink)->out;

    out_printf(out, "%-4s %s%s", certificate_verdict_name(row->verdict), row->what, row->what[0] ? ": " : "");
    for (const char *at = row->value; *at; at++)
        if (*at == '\n')
            out_printf(out, "\n     ");
        else
            out->write(out, at, 1);
    out_printf(out, "\n");
}

void report_certificate_clock(struct out *out, const struct witness *witness, const struct witness_reading *first,
                              const struct witness_reading *last)
{
    struct to_console console = {{print_row}, out};
    struct certificate_core of = {0};

    take_readings(&of, witness, first, last);
    for (unsigned what = 0; what < WITNESS_ROWS; what++)
        of.sum[what] = of.last[what] - of.first[what];
    certificate_judge_clock(&of, &console.sink);
}

/* Verdicts of a core's rows, combined into a number that is equal for cores with equal verdicts. */
struct verdicts {
    struct certificate_sink sink;
    uint32_t digest;
};

static void add_verdict(struct certificate_sink *sink, const struct certificate_row *row)
{
    struct verdicts *verdicts = (struct verdicts *)sink;

    verdicts->digest = verdicts->digest * DIGEST_FACTOR + (uint32_t)row->verdict;
}

static uint32_t judge(const struct run *run, const struct passes_core *core)
{
    struct verdicts verdicts = {{add_verdict}, 1};
    struct certificate_core of = of_core(run, core);

    certificate_judge_core(&of, &verdicts.sink);
    return verdicts.digest;
}

static void report_core(struct out *out, const struct run *run, const struct passes_core *core)
{
    struct to_console console = {{print_row}, out};
    struct certificate_core of = of_core(run, core);

    certificate_judge_core(&of, &console.sink);
    for (uint32_t i = 0; of.ended && i < of.gaps_shown; i++)
        out_printf(out, "     %lu ns %s pass %u, TSC %lu: %s\n", of.gap[i].ns, of.gap[i].after ? "after" : "before",
                   of.gap[i].pass + 1, of.gap[i].tsc, noise_cause_name(of.gap[i].cause));
}

/* Prints core i as the example for its group, if it is the first with its verdicts. */
static void report_alike_cores(struct out *out, const struct run *run, unsigned i, const uint32_t *digest)
{
    struct cores_set set = {0};
    unsigned count = 0;

    for (unsigned k = 0; k < run->passes.cores; k++) {
        if (digest[k] != digest[i])
            continue;
        if (k < i)
            return;
        cores_set_add(&set, run->passes.core[k].cpu);
        count++;
    }
    if (count == 1)
        out_printf(out, "Core %u\n", run->passes.core[i].cpu);
    else
        out_printf(out, "%u cores with the same judgement, shown for core %u: ", count, run->passes.core[i].cpu);
    if (count > 1) {
        report_core_list(out, &set, 50);
        out_printf(out, "\n");
    }
    report_core(out, run, &run->passes.core[i]);
}

static void report_groups(struct out *out, const struct run *run)
{
    uint32_t digest[CORES_MAX] = {0}; /* 0: no certificate */

    for (unsigned i = 0; i < run->passes.cores; i++)
        if (has_certificate(&run->passes.core[i]))
            digest[i] = judge(run, &run->passes.core[i]);
    for (unsigned i = 0; i < run->passes.cores; i++)
        if (digest[i])
            report_alike_cores(out, run, i, digest);
}

void report_certificate(struct out *out, const struct run *run)
{
    struct to_console console = {{print_row}, out};
    struct certificate_run of = of_run(run);

    heading(out, "Noise certificate");
    certificate_judge_run(&of, &console.sink);
    if (report_grouped(run))
        report_groups(out, run);
    for (unsigned i = 0; !report_grouped(run) && i < run->passes.cores; i++) {
        if (!has_certificate(&run->passes.core[i]))
            continue;
        if (run->passes.cores > 1)
            out_printf(out, "Core %u\n", run->passes.core[i].cpu);
        report_core(out, run, &run->passes.core[i]);
    }
}

/* ---------------------------------------------------------------- run.ini */

void save_certificate_facts(struct out *out, const struct run *run)
{
    struct certificate_run of = of_run(run);

    certificate_write_run(out, &of);
    for (unsigned i = 0; i < run->passes.cores; i++) {
        struct certificate_core core;

        if (!has_certificate(&run->passes.core[i]))
            continue;
        core = of_core(run, &run->passes.core[i]);
        certificate_write_core(out, &core, run->passes.cores > 1 ? (int)core.core : FACT_ONLY_CORE);
    }
}
