#include "app/report_ibs.h"

#include "core/ibs_regs.h"
#include "core/identities.h"
#include "core/str.h"
#include "core/view.h"

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

void report_ibs_settings(struct out *out, const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    const struct ibs_settings *settings = &run->ibs.settings;

    report_period(out, "IBS op", plan->op, plan->op_period, plan->count_ops ? "dispatched ops" : "core cycles",
                  settings->op_random_range);
    report_period(out, "IBS fetch", plan->fetch, plan->fetch_period, "fetches",
                  settings->fetch_ctl & IBS_FETCH_RAND_EN ? 16 : 0);
}

static void report_sample_row(struct out *out, const struct run *run, const char *name, enum sample_kind kind,
                              uint64_t recorded, uint64_t lost)
{
    uint64_t outside = run->ibs.profile.outside_records[kind], handler = run->ibs.in_handler[kind];

    out_printf(out, "%-12s%10llu%11llu%11llu%11llu%10llu\n", name, (unsigned long long)recorded,
               (unsigned long long)(recorded - outside), (unsigned long long)handler,
               (unsigned long long)(outside - handler), (unsigned long long)lost);
}

void report_ibs_sample_rows(struct out *out, const struct run *run)
{
    const struct nmi_counts *counts = &run->passes.counts;

    report_sample_row(out, run, "IBS op", SAMPLE_OP, counts->recorded[SAMPLE_OP], counts->lost[SAMPLE_OP]);
    report_sample_row(out, run, "IBS fetch", SAMPLE_FETCH, counts->recorded[SAMPLE_FETCH], counts->lost[SAMPLE_FETCH]);
}

void report_ibs_notes(struct out *out, const struct run *run)
{
    const struct nmi_counts *counts = &run->passes.counts;

    if (run->ibs.plan.op && counts->recorded[SAMPLE_OP] < 1000 && !run->passes.result.faulted)
        out_printf(out, "NOTE: few samples. More work (see 'list') or a shorter op_period gives more.\n");
    if (!run->ibs.plan.random)
        out_printf(out, "WARNING: the intervals are not random: a loop is sampled at the same few ops.\n");
    if (run->ibs.plan.op && !run->ibs.plan.count_ops)
        out_printf(out, "NOTE: op intervals were counted in core cycles: ops that waited at dispatch are\n"
                        "      sampled more often. Shares of ops sampled are not shares of time.\n");
}

/* "ibs" and our own configurations show all of the paper's tables that there are samples for; a configuration of few
 * events has views of its own. */
static bool shown(const struct run *run, const struct view *view)
{
    const struct config *config = str_equal(run->task.name, "ibs") ? NULL : run->task.config;

    if (view_kind(view) == SAMPLE_OP ? !run->ibs.plan.op : view_kind(view) != SAMPLE_FETCH || !run->ibs.plan.fetch)
        return false;
    for (unsigned i = 0; config && i < CONFIG_VIEWS && config->views[i]; i++)
        if (str_equal(config->views[i], view->name))
            return true;
    return !config && view->paper;
}

void report_ibs_tables(struct out *out, const struct run *run)
{
    static const enum profile_level levels[] = {PROFILE_INSTRUCTIONS, PROFILE_LINES, PROFILE_FUNCTIONS};
    const struct view_options sums = {.only_sampled = true, .no_footnote = true};

    for (unsigned l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
        const struct view *view;

        for (unsigned v = 0; (view = view_at(v)); v++) {
            if (!shown(run, view))
                continue;
            out_printf(out, "\n");
            view_print(out, view, &run->ibs.profile, levels[l], l == 0 ? NULL : &sums);
        }
        if (l == 0 && run->workload->published)
            out_printf(out, "\nFor comparison\n%s\n", run->workload->published);
    }
}

void report_ibs_checks(struct out *out, const struct run *run)
{
    (void)identities_check(out, run->ibs.profile.total, IDENTITIES_ALL);
    if (run->ibs.plan.op)
        aliasing_print(out, &run->ibs.aliasing, &run->ibs.profile);
}
