/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/plan/plan.h"

#include "app/prompt/plan.h"

struct memory {
    struct plan plan;
    struct options before, options;
    uint16_t order[PLAN_POINTS_MAX];
    char point[PLAN_POINT_TEXT];
};

size_t plan_memory(void)
{
    return sizeof(struct memory);
}

static bool set_point(struct memory *memory, unsigned point, const char *name, struct out *problems)
{
    options_copy(&memory->options, &memory->before);
    return !plan_read_point(&memory->plan, point, name, &memory->options, memory->point, problems);
}

bool plan_print(const char *name, const void *text, size_t size, void *memory_of, struct out *out, struct out *problems)
{
    struct memory *memory = memory_of;
    struct options *options = &memory->options;
    struct plan_design design;
    char how[PLAN_DESIGN_TEXT];

    if (!options_init(&memory->before) || plan_read(&memory->plan, name, text, size, problems))
        return false;
    for (unsigned point = memory->plan.points; point-- > 0;)
        if (!set_point(memory, point, name, problems))
            return false;
    if (!plan_read_design(&memory->plan, options, name, &design, problems))
        return false;
    plan_write_design(&design, &how);
    out_printf(out, "%s\n", how);
    for (unsigned n = 0; n < design.points * design.times; n++) {
        struct plan_run run = plan_nth(&design, n, memory->order);

        (void)set_point(memory, run.point, name, problems);
        out_printf(out, "%5u  %s %s", n + 1, options->config, options->workload);
        plan_write_name(&memory->plan, run.point, out);
        out_printf(out, "; block %u, seed %lu\n", run.block + 1, options->seed + run.seed);
    }
    if (options->plan_enough)
        out_printf(out, "fewer when each has %lu op samples at its hottest instruction (plan_enough)\n",
                   options->plan_enough);
    if (options->plan_minutes)
        out_printf(out, "no run begins when those before took %lu minutes (plan_minutes)\n", options->plan_minutes);
    return true;
}
