/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/shared/filters.h"

#include "app/base/sentence.h"
#include "core/family/ibs_regs.h"
#include "core/run/facts.h"

void filters_begin(struct run *run)
{
    struct run_ibs *ibs = &run->ibs;

    ibs->filtered = (struct filtered){.machine = &ibs->set.machine,
                                      .l3_only = {[SAMPLE_FETCH] = ibs->settings.fetch_ctl & IBS_FETCH_L3MISSONLY,
                                                  [SAMPLE_OP] = ibs->settings.op_ctl & IBS_OP_L3MISSONLY},
                                      .dropped = run->passes.dropped};
}

/* AMD APM vol. 2 section 13.3.5: what does not match is dropped without an interrupt, and the counter starts anew. */
void filters_notes(struct out *out, const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;

    if (plan->l3_miss_only)
        sentence(out,
                 "NOTE: only samples that missed the L3 were taken (l3_miss_only): this skews their shares, and counts "
                 "cannot be multiplied by the period.");
    if (plan->op && plan->load_latency)
        sentence(
            out,
            "NOTE: only op samples of loads of more than %u cycles were taken (load_latency): this skews their shares, "
            "and counts cannot be multiplied by the period. %lu samples that the filter wrongly let pass were dropped.",
            plan->load_latency, run->passes.dropped);
    filtered_print(out, &run->ibs.filtered);
}

void filters_facts(struct out *out, const struct run *run)
{
    const struct filtered *filtered = &run->ibs.filtered;

    if (filtered->l3_only[SAMPLE_OP])
        fact_number(out, FACT_SAMPLES_OP_LEAKED, filtered->leaked[SAMPLE_OP]);
    if (filtered->l3_only[SAMPLE_FETCH])
        fact_number(out, FACT_SAMPLES_FETCH_LEAKED, filtered->leaked[SAMPLE_FETCH]);
    if (run->ibs.plan.op && run->ibs.plan.load_latency)
        fact_number(out, FACT_SAMPLES_OP_DROPPED, filtered->dropped);
}
