/* SPDX-License-Identifier: BSD-2-Clause */
/* General Exploration: the tree of core/explore.h from the counts of a run and its pass of IBS op. */
#include "app/kind.h"

#include "core/explore.h"

/* How long sampled ops were under way, those that missed the data cache apart. With cycles counted instead of ops, slow
 * ops are sampled more often, and the share would not be one of ops' time. */
static void take_ibs(const struct run *run, struct explore_ibs *ibs)
{
    const uint64_t *total = run->ibs.profile.total;

    if (!run->ibs.plan.count_ops || !run->passes.counts.recorded[SAMPLE_OP])
        return;
    ibs->state = COUNTS_COUNTED;
    ibs->retire_all = total[DERIVED_F101_TAG_TO_RETIRE];
    ibs->retire_misses = total[DERIVED_X203_DC_MISS_TAG_TO_RETIRE];
    ibs->complete_all = ibs->retire_all - total[DERIVED_F102_COMP_TO_RETIRE];
    ibs->complete_misses = ibs->retire_misses - total[DERIVED_X204_DC_MISS_COMP_TO_RETIRE];
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    (void)options;
    run->own = pool_take(&run->pool, sizeof(struct explore_result), POOL_PAGE, "the exploration", problems);
    return run->own;
}

static void conclude(struct run *run)
{
    struct explore_input input = {0};
    uint64_t instructions;

    for (unsigned i = 0; i < EXPLORE_EVENTS; i++) {
        struct counts_result result;

        counts_result(&run->counts, i, &result);
        explore_take(&input, (enum explore_event_index)i, &result);
    }
    take_ibs(run, &input.ibs);
    if (workload_instructions(run->workload, run->params, &instructions))
        explore_expect(&input, instructions, run->passes.workers);
    explore_compute(run->own, &input);
}

static bool good(const struct run *run)
{
    const struct explore_result *result = run->own;

    for (unsigned i = 0; i < EXPLORE_CHECKS; i++)
        if (result->check[i].verdict == EXPLORE_FAIL)
            return false;
    return true;
}

static void tables(struct out *out, const struct run *run)
{
    out_printf(out, "\n");
    explore_print(out, run->own);
}

KIND(kind_explore) = {
    .name = "explore",
    .title = "General Exploration",
    .explanation = "Where the slots of dispatch and retirement went: retiring, bad speculation, front\n"
                   "end, back end, and their parts; counted in passes, with one more of IBS op.\n",
    .order = 30,
    .parts = {&kind_count, &kind_ibs},
    .ibs = true,
    .events = KIND_COUNTS_EVENTS,
    .list_events = explore_list,
    .prepare = prepare,
    .conclude = conclude,
    .good = good,
    .tables = tables,
};
