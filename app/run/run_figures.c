/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/kind.h"
#include "core/base/str.h"

/* Takes the figures of IBS samples. Filtered ones are of other ops than all samples, and say nothing about their
 * number. */
static void take_ibs(struct figures *figures, const struct run *run, struct out *what)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    const struct profile *profile = &run->ibs.profile;
    enum sample_kind kind = plan->op ? SAMPLE_OP : SAMPLE_FETCH;
    bool filtered = plan->l3_miss_only || (plan->op && plan->load_latency);

    out_printf(what, "IBS %s%s", plan->op ? "ops" : "fetches", !plan->op || plan->count_ops ? "" : ", by cycles");
    out_printf(what, "%s%s", filtered ? ", filtered" : "", run->ibs.once ? ", one per pass" : "");
    if (!filtered && !run->ibs.once)
        figures->period = plan->op ? plan->op_period : plan->fetch_period;
    figures->samples = profile->records[kind];
    figures->outside = profile->outside_records[kind];
    for (uint32_t i = 0; i < run->map->insn_count; i++)
        figures_add(figures, i, run->map->insns[i].rva,
                    profile_row(profile, i)[plan->op ? DERIVED_F100_OP_ALL : DERIVED_F000_FETCH_ALL]);
}

/* Takes the first event that was sampled. */
static void take_pmc(struct figures *figures, const struct run *run, struct out *what)
{
    const struct pmc_profile *profile = &run->pmc.profile;
    unsigned e = 0;

    while (e < profile->event_count && !profile->event[e].samples)
        e++;
    if (e == profile->event_count)
        return;
    if (profile->event[e].spec.event)
        event_write(&profile->event[e].spec, false, what);
    else
        out_printf(what, "timer ticks");
    figures->samples = profile->event[e].samples;
    figures->outside = profile->event[e].outside;
    for (uint32_t i = 0; i < run->map->insn_count; i++)
        if (!pmc_profile_empty(profile, i))
            figures_add(figures, i, run->map->insns[i].rva, pmc_profile_sum_of(profile, PROFILE_INSTRUCTIONS, i, e));
}

static void write_settings(const struct options *options, struct out *out)
{
    for (unsigned i = 0; i < options->settings.count; i++) {
        const struct settings_row *row = &options->row[i];
        char value[OPTIONS_TEXT_MAX + 1];
        struct out_memory text;

        out_memory_init(&text, value, sizeof(value));
        settings_write_value(row, &text.out);
        if (!str_equal(value, row->initial))
            out_printf(out, "%s=%s\n", row->key, value);
    }
}

void run_figures(const struct run *run, struct figures *figures, struct out *settings)
{
    bool own = kind_has_own_workload(run);
    struct out_memory what;

    *figures = (struct figures){.workload = run->workload->name,
                                .unit = run->workload->unit,
                                .config = run->task.name,
                                .settings = "",
                                .map = run->map == &run->code.plain ? NULL : run->map,
                                .model = vpmu_is_model(run->machine),
                                .good = run_good(run)};
    write_settings(run->options, settings);
    if (own)
        return;
    figures->us = passes_elapsed_us(&run->passes, run->machine);
    figures->work = run->workload->work(run->params);
    for (EACH_KIND(kind, run))
        if ((*kind)->retired && (*kind)->retired(run, &figures->instructions))
            break;
    out_memory_init(&what, figures->what, sizeof(figures->what));
    if (run->ibs.profile.rows && (run->ibs.plan.op || run->ibs.plan.fetch))
        take_ibs(figures, run, &what.out);
    else if (run->pmc.profile.rows)
        take_pmc(figures, run, &what.out);
}
