/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/ibs_tags.h"

#include "app/run/counter_plan.h"
#include "core/run/facts.h"

enum { TAGGED = 0x1CF }; /* by default all tags, on each family that has the event */

/* Finds the event of tags. Returns false if the processor, or its revision, has none. */
static bool find(struct event_list *list, const struct run *run)
{
    enum event_set set = task_event_set(run->machine);
    const struct event *event = event_by_select(set, TAGGED);

    if (event)
        task_add_event_of(list, set, TAGGED, event->mask_default);
    return list->count && event_check(&list->spec[0], set == EVENT_SET_10H ? run->machine->revision : 'E', NULL);
}

static uint64_t samples(const struct run *run)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < run->passes.cores; i++) {
        const struct nmi_counts *counts = &run->passes.core[i].result.counts;

        if (run->passes.core[i].worker)
            sum += counts->recorded[SAMPLE_OP] + counts->lost[SAMPLE_OP];
    }
    return sum;
}

bool ibs_tags_plan(const struct run *run, struct session_program *program)
{
    const struct ibs_plan *plan = &program->ibs;
    const struct event_group group = {.count = 1};
    struct event_list list = {0};

    if (!machine_pmc_usable(run->machine) || !plan->op || run->ibs.once || plan->l3_miss_only || plan->load_latency ||
        !find(&list, run))
        return false;
    counter_plan(&program->pmc, &list, &group, 1);
    program->pmc.mode = PMC_COUNTING; /* counts in the handler as well: its ops have samples, too */
    return true;
}

void ibs_tags_take(struct run *run)
{
    run->ibs.tags = run->passes.result.pmc.event[0].total;
    run->ibs.tag_samples = samples(run);
}

void ibs_tags_count(struct run *run)
{
    struct session_program program = {.ibs = run->ibs.plan};
    enum session_error refused;

    if (ibs_tags_plan(run, &program) && passes_run_beside(&run->passes, &program, PASSES_ASIDE, &refused))
        ibs_tags_take(run);
}

static uint64_t lost(const struct run_ibs *ibs)
{
    return ibs->tags > ibs->tag_samples ? ibs->tags - ibs->tag_samples : 0;
}

void ibs_tags_print(struct out *out, const struct run *run)
{
    const struct run_ibs *ibs = &run->ibs;

    if (!ibs->tags)
        return;
    out_printf(out, "Tags: %lu, %lu sampled, in one pass: ", ibs->tags, ibs->tag_samples);
    out_ratio(out, lost(ibs), ibs->tags, 100, 1, 0);
    out_printf(out, "%% lost to flushes\n");
}

void ibs_tags_facts(struct out *out, const struct run *run)
{
    const struct run_ibs *ibs = &run->ibs;

    if (!ibs->tags)
        return;
    fact_number(out, FACT_IBS_TAGS, ibs->tags);
    fact_number(out, FACT_IBS_TAGS_SAMPLED, ibs->tag_samples);
}
