/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures the error of each way of sampling: exact counts, then each way on this machine, in separate runs, which
 * 'ibsprof bias' compares (tools/ibsprof/bias/).
 */
#include "app/run/kind.h"
#include "core/base/mem.h"
#include "core/family/ibs_regs.h"
#include "drivers/machine/vpmu_query.h"

enum { TIMER_US = 1000, TIMER_US_MODEL = 10 };

static bool always(const struct machine *machine)
{
    (void)machine;
    return true;
}

static bool counts_ops(const struct machine *machine)
{
    return machine_ibs_usable(machine) && machine->ibs_caps & IBS_CAP_OPCNT;
}

/* Returns whether the counters are known, with a table of their events. */
static bool samples_events(const struct machine *machine)
{
    return machine_pmc_usable(machine) && task_event_set(machine);
}

static const struct {
    const char *config, *events;
    enum options_count count;
    bool (*possible)(const struct machine *machine);
} steps[] = {
    {"exact", "", OPTIONS_COUNT_AUTO, always},
    {"ibs", "", OPTIONS_COUNT_OPS, counts_ops},
    {"ibs", "", OPTIONS_COUNT_CYCLES, machine_ibs_usable},
    {"events", "0C0,076", OPTIONS_COUNT_AUTO, samples_events},
    {"tbp", "", OPTIONS_COUNT_AUTO, machine_pmc_usable},
};

static bool step(unsigned n, const struct machine *machine, struct options *options)
{
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (!steps[i].possible(machine) || n--)
            continue;
        memcpy(options->config, steps[i].config, strlen(steps[i].config) + 1);
        memcpy(options->events, steps[i].events, strlen(steps[i].events) + 1);
        options->count = steps[i].count;
        options->op = true;
        options->fetch = options->once = false;
        /* A model takes an hour for a second: a workload that it can step has few ticks of a millisecond. */
        if (vpmu_is_model(machine) && options->timer_us == TIMER_US)
            options->timer_us = TIMER_US_MODEL;
        return true;
    }
    return false;
}

KIND(kind_bias, 46) = {
    .name = "bias",
    .title = "The error of each way of sampling",
    .explanation = "Exact counts, then samples of the same workload by IBS op, counted in ops and\n"
                   "in cycles, by the counters (retired instructions, cycles) and by the timer, as\n"
                   "far as the machine has them: a run each. 'ibsprof bias' compares all with the\n"
                   "first.\n",
    .anywhere = true,
    .step = step,
};
