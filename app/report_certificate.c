#include "app/report_certificate.h"

#include "app/kind.h"
#include "app/sentence.h"
#include "core/stats.h"

enum { MILLION = 1000000 };

typedef unsigned long long ull;

static bool within(uint64_t rva, uint32_t from, uint32_t size)
{
    return rva - from < size;
}

struct certificate_samples report_certificate_samples(const struct run *run)
{
    const struct image *image = run->image;
    struct certificate_samples samples = {0};

    for (uint64_t i = 0; i < run->passes.samples; i++) {
        uint64_t rva = sample_address(&run->passes.records[i]) - image->base;

        if (codemap_find(&image_codemap, rva) >= 0 || within(rva, image->handler_rva, image->handler_size))
            continue;
        *(within(rva, image->text_rva, image->text_size) ? &samples.edges : &samples.elsewhere) += 1;
    }
    return samples;
}

bool report_certificate_surplus(const struct run *run, int64_t *ret_surplus, const char **ret_why_not)
{
    uint64_t retired;

    *ret_why_not = "the workload's row states no count";
    if (!run->workload->instructions)
        return false;
    *ret_why_not = "several cores have it together";
    if (run->passes.workers > 1)
        return false;
    *ret_why_not = "only totals leave the NMI handler's out (config=count)";
    for (EACH_KIND(kind, run)) {
        if (!(*kind)->retired || !(*kind)->retired(run, &retired))
            continue;
        *ret_surplus = (int64_t)(retired - (run->workload->instructions(run->params) - PASSES_EMPTY_INSTRUCTIONS));
        return true;
    }
    return false;
}

/* "PASS name: 0", "NOTE name: 3", or "     name: not available: why". */
static void report_none(struct out *out, const struct witness *witness, enum witness_what what, uint64_t count)
{
    if (witness->why_not[what])
        out_printf(out, "     %s: not available: %s\n", witness_name(what), witness->why_not[what]);
    else
        out_printf(out, "%s %s: %llu\n", count ? "NOTE" : "PASS", witness_name(what), (ull)count);
}

static void report_interrupts(struct out *out, const struct run *run, const struct passes_core *core)
{
    const struct certificate *c = &core->certificate;
    const struct nmi_counts *counts = &core->counts;
    bool alone;
    uint64_t taken = c->delta[WITNESS_INTERRUPTS], nmis = c->delta[WITNESS_NMIS];

    report_none(out, &c->witness, WITNESS_STRAYS, c->delta[WITNESS_STRAYS]);
    if (c->witness.why_not[WITNESS_INTERRUPTS])
        report_none(out, &c->witness, WITNESS_INTERRUPTS, 0);
    else
        out_printf(out, "%s interrupts: %llu taken, %llu NMIs handled\n", taken > nmis ? "NOTE" : "PASS", (ull)taken,
                   (ull)nmis);
    /* Two kinds of samples may come with two requests, and one NMI serves both; the alarm of the time limit, too,
     * brings none. A single kind has no empty ones. */
    alone = !run->pmc.memory && run->ibs.plan.op != run->ibs.plan.fetch && !run->passes.limit_ms;
    out_printf(out, "%s NMIs that brought nothing: %llu, and %llu late; of the chipset: %llu\n",
               counts->foreign || (alone && counts->empty) ? "NOTE" : "    ", (ull)counts->empty, (ull)counts->late,
               (ull)counts->foreign);
}

void report_certificate_clock(struct out *out, const struct witness *witness, const struct witness_reading *first,
                              const struct witness_reading *last, uint64_t aperf, uint64_t mperf)
{
    static const uint8_t states[] = {WITNESS_PSTATE, WITNESS_LIMIT, WITNESS_BOOST_OFF};
    const char *why_not = witness->why_not[WITNESS_APERF] ? witness->why_not[WITNESS_APERF]
                          : witness->why_not[WITNESS_MPERF] ? witness->why_not[WITNESS_MPERF]
                          : mperf                           ? NULL
                                                            : "MPERF stands still";

    if (why_not)
        out_printf(out, "     clock (APERF/MPERF): not available: %s\n", why_not);
    else
        out_printf(out, "     clock (APERF/MPERF): %llu ppm of the nominal one\n",
                   (ull)stats_mul_div(aperf, MILLION, mperf));
    for (unsigned i = 0; i < sizeof(states); i++) {
        enum witness_what what = (enum witness_what)states[i];

        if (witness->why_not[what])
            out_printf(out, "     %s: not available: %s\n", witness_name(what), witness->why_not[what]);
        else
            out_printf(out, "%s %s: %llu at the start, %llu at the end\n",
                       first->value[what] == last->value[what] ? "PASS" : "NOTE", witness_name(what),
                       (ull)first->value[what], (ull)last->value[what]);
    }
}

static void report_gaps(struct out *out, const struct certificate *c)
{
    const char *separator = "\n     of them ";
    uint64_t us = stats_mul_div(c->ticks, 1000, c->khz);

    if (c->no_loop) {
        out_printf(out, "     gaps: not available: %s\n", c->no_loop);
        return;
    }
    out_printf(out, "%s gaps of %llu ns or more around the measured part: %llu", c->gaps ? "NOTE" : "PASS",
               (ull)stats_mul_div(c->threshold, MILLION, c->khz), (ull)c->gaps);
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++) {
        if (!c->by_cause[i])
            continue;
        out_printf(out, "%s%llu %s", separator, (ull)c->by_cause[i], noise_cause_name(i));
        separator = ", ";
    }
    out_printf(out, "\n     looked for in %llu us, %llu readings of the TSC", (ull)us, (ull)c->reads);
    if (!c->gaps && us)
        out_printf(out, ";\n     none, so fewer than %llu a second (95 %%)", (ull)stats_mul_div(3, MILLION, us));
    out_printf(out, "\n");
    for (uint32_t i = 0; i < c->gaps_shown; i++)
        out_printf(out, "     %llu ns %s pass %u, TSC %llu: %s\n", (ull)c->gap[i].ns,
                   c->gap[i].after ? "behind" : "before", c->gap[i].pass + 1, (ull)c->gap[i].tsc,
                   noise_cause_name(c->gap[i].cause));
}

static void report_core(struct out *out, const struct run *run, const struct passes_core *core)
{
    const struct certificate *c = &core->certificate;

    if (run->passes.cores > 1)
        out_printf(out, "Core %u\n", core->cpu);
    if (!c->ended) {
        out_printf(out, "     none: no pass came to its end\n");
        return;
    }
    if (c->ended < c->begun)
        out_printf(out, "NOTE of %u passes %u came to their end; this is of those\n", c->begun, c->ended);
    report_none(out, &c->witness, WITNESS_SMIS, c->delta[WITNESS_SMIS]);
    report_interrupts(out, run, core);
    report_certificate_clock(out, &c->witness, &c->first, &c->last, c->delta[WITNESS_APERF], c->delta[WITNESS_MPERF]);
    report_gaps(out, c);
}

void report_certificate(struct out *out, const struct run *run)
{
    struct certificate_samples samples = report_certificate_samples(run);
    const char *why_not;
    int64_t surplus;

    heading(out, "Noise certificate");
    if (kind_has_samples(run))
        out_printf(out,
                   "%s samples on neither workload nor profiler: %llu\n"
                   "     on what starts and stops the measurement: %llu\n",
                   samples.elsewhere ? "FAIL" : "PASS", (ull)samples.elsewhere, (ull)samples.edges);
    if (report_certificate_surplus(run, &surplus, &why_not))
        out_printf(out, "%s retired instructions beyond those that the workload has: %lld\n", surplus ? "NOTE" : "PASS",
                   (long long)surplus);
    else
        out_printf(out, "     retired instructions: not available:\n     %s\n", why_not);
    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].works && !run->passes.core[i].lost)
            report_core(out, run, &run->passes.core[i]);
}
