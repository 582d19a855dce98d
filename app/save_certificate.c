#include "app/kind.h"
#include "app/report_certificate.h"
#include "app/save_files.h"
#include "core/stats.h"
#include "core/facts.h"

typedef unsigned long long ull;

/* As keys have it: no blanks. */
static const char *const keys[WITNESS_ROWS] = {"smis",  "interrupts", "nmis",         "strays",   "aperf",
                                               "mperf", "pstate",     "pstate_limit", "boost_off"};

/* "certificate.gaps"; of several cores "certificate.core.3.gaps". */
static void key(struct out *out, const struct run *run, const struct passes_core *core, const char *name)
{
    out_printf(out, "#: certificate.");
    if (run->passes.cores > 1)
        out_printf(out, "core.%u.", core->cpu);
    out_printf(out, "%s = ", name);
}

static void core_facts(struct out *out, const struct run *run, const struct passes_core *core)
{
    const struct certificate *c = &core->certificate;
    char name[32];
    struct out_memory text;

    key(out, run, core, "passes");
    out_printf(out, "%u\n", c->ended);
    if (!c->ended)
        return; /* gaps before a pass that did not end are no certificate */
    for (unsigned what = 0; what < WITNESS_ROWS; what++) {
        key(out, run, core, keys[what]);
        if (c->witness.why_not[what])
            out_printf(out, "not available: %s\n", c->witness.why_not[what]);
        else if (what < WITNESS_PSTATE)
            out_printf(out, "%llu\n", (ull)c->delta[what]);
        else
            out_printf(out, "%llu, %llu\n", (ull)c->first.value[what], (ull)c->last.value[what]);
    }
    key(out, run, core, "gaps");
    if (c->no_loop) {
        out_printf(out, "not available: %s\n", c->no_loop);
        return;
    }
    out_printf(out, "%llu\n", (ull)c->gaps);
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++) {
        if (!c->by_cause[i])
            continue;
        out_memory_init(&text, name, sizeof(name));
        out_printf(&text.out, "gaps: %s", noise_cause_name(i));
        key(out, run, core, name);
        out_printf(out, "%llu\n", (ull)c->by_cause[i]);
    }
    key(out, run, core, "gap_ns");
    out_printf(out, "%llu\n", (ull)stats_mul_div(c->threshold, 1000000, c->khz));
    key(out, run, core, "looked_us");
    out_printf(out, "%llu\n", (ull)stats_mul_div(c->ticks, 1000, c->khz));
    key(out, run, core, "reads");
    out_printf(out, "%llu\n", (ull)c->reads);
    for (uint32_t i = 0; i < c->gaps_shown; i++) {
        out_memory_init(&text, name, sizeof(name));
        out_printf(&text.out, "gap.%u", i);
        key(out, run, core, name);
        out_printf(out, "%llu ns, TSC %llu, %s pass %u, %s\n", (ull)c->gap[i].ns, (ull)c->gap[i].tsc,
                   c->gap[i].after ? "behind" : "before", c->gap[i].pass, noise_cause_name(c->gap[i].cause));
    }
}

void save_certificate_facts(struct out *out, const struct run *run)
{
    const char *why_not;
    int64_t surplus;

    if (kind_has_samples(run)) {
        struct certificate_samples samples = report_certificate_samples(run);

        fact_number(out, FACT_SAMPLES_ELSEWHERE, samples.elsewhere);
        fact_number(out, FACT_SAMPLES_EDGES, samples.edges);
    }
    if (report_certificate_surplus(run, &surplus, &why_not))
        out_printf(out, "#: certificate.instructions_surplus = %lld\n", (long long)surplus);
    else
        out_printf(out, "#: certificate.instructions_surplus = not available: %s\n", why_not);
    for (unsigned i = 0; i < run->passes.cores; i++)
        if (run->passes.core[i].works && !run->passes.core[i].lost)
            core_facts(out, run, &run->passes.core[i]);
}
