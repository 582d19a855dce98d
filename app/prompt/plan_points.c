/* SPDX-License-Identifier: BSD-2-Clause */
/* Points of a plan, one at a time: for the image, and for 'ibsprof plan'. */
#include "app/prompt/plan.h"

#include "app/prompt/options_check.h"
#include "app/run/sequence.h"
#include "core/base/mem.h"

/* Refuses settings that are not one run: several runs, or none. */
static unsigned check_single(const struct options *options, const char *name, struct out *problems)
{
    unsigned wrong = 0;

    if (sequence_is_several(options->config)) {
        out_printf(problems, "%s: config = %s: several configurations are written as a list, with | between\n", name,
                   options->config);
        wrong++;
    }
    if (options->plan[0] || options->batch[0] || options->show[0]) {
        out_printf(problems, "%s: a plan must not contain 'plan', 'batch' and 'show'\n", name);
        wrong++;
    }
    return wrong;
}

unsigned plan_read_point(const struct plan *plan, unsigned point, const char *name, struct options *options, char *text,
                         struct out *problems)
{
    struct out_memory memory;
    unsigned wrong;

    options->plan[0] = options->batch[0] = options->show[0] = '\0';
    options->seed = 1;
    out_memory_init(&memory, text, PLAN_POINT_TEXT);
    plan_write_point(plan, point, &memory.out);
    wrong = options_read_text(options, name, text, memory.needed, problems);
    return wrong ? wrong : check_single(options, name, problems);
}

void plan_print_point(const struct plan *plan, unsigned point, const struct options *options, struct out *out)
{
    out_printf(out, "%5u  %s %s", point + 1, options->config, options->workload);
    plan_write_name(plan, point, out);
    out_printf(out, "\n");
}

bool plan_read_design(const struct plan *plan, const struct options *options, const char *name,
                      struct plan_design *ret_design, struct out *problems)
{
    unsigned times = (unsigned)options->plan_times;

    *ret_design = (struct plan_design){
        .points = plan->points, .times = times, .order = (enum plan_order)options->plan_order, .seed = options->seed};
    if (plan->points * times > PLAN_RUNS_MAX)
        out_printf(problems, "%s: %u runs, more than %d\n", name, plan->points * times, PLAN_RUNS_MAX);
    else if (options->plan_order == PLAN_ABBA && times % 2)
        out_printf(problems, "%s: plan_order = abba needs an even number for plan_times, not %u\n", name, times);
    else
        return true;
    return false;
}

void plan_write_design(const struct plan_design *design, char (*text)[PLAN_DESIGN_TEXT])
{
    static const char *const orders[] = {
        [PLAN_LISTED] = "as listed", [PLAN_ABBA] = "forwards and backwards in turn", [PLAN_RANDOM] = "in random order"};
    unsigned runs = design->points * design->times;
    struct out_memory memory;

    out_memory_init(&memory, *text, sizeof(*text));
    out_printf(&memory.out, "%u run%s", runs, runs == 1 ? "" : "s");
    if (design->times > 1)
        out_printf(&memory.out, ": %u different run%s, %u times each", design->points, design->points == 1 ? "" : "s",
                   design->times);
    out_printf(&memory.out, ", %s", orders[design->order]);
}
