/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/ibs_once.h"

#include "app/run/counter_plan.h"
#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/base/str.h"
#include "core/family/ibs_regs.h"
#include "drivers/machine/vpmu_query.h"

enum {
    PASSES = 1000,
    SECOND = 0xf0000, /* interval after the sample: longer than any accepted workload */
    RETIRED_UOPS = 0x0C1,
    SPARE = 1024, /* ops of starting and stopping, and others that a row does not know */
};

/* Dispatch may exceed the counted ops by one in so many; the sampled range covers these too. */
enum { MORE = 16 };

static uint64_t reach(uint64_t ops)
{
    return (ops + ops / MORE + SPARE) & ~15ull;
}

/* Returns the reason for a refusal, or NULL. */
static const char *refusal(const struct run *run, const struct options *options)
{
    uint32_t caps = run->machine->ibs_caps;

    if (run->task.kinds[0] != &kind_ibs || !str_equal(run->task.name, "ibs"))
        return "works only with config=ibs";
    if (!(caps & IBS_CAP_OPCNT) || options->count == OPTIONS_COUNT_CYCLES)
        return "needs op intervals that are counted in ops";
    if (!(caps & IBS_CAP_RDWR_OPCNT))
        return "needs an IbsOpCurCnt that may be written (CPUID 8000_001Bh EAX bit 3)";
    if (!options->op || !options->random || options->op_period)
        return "samples random ops with its own period: do not set op, random and op_period";
    return NULL;
}

bool ibs_once_prepare(struct run *run, const struct options *options, struct out *problems)
{
    const char *why = refusal(run, options);
    uint64_t ops = reach(run->workload->work(run->params) * run->workload->unit_ops);

    if (why) {
        sentence(problems, "once = yes: %s", why);
        return false;
    }
    if (ops > SECOND) {
        sentence(problems,
                 "once = yes: a pass of this workload dispatches some %lu ops, and one interval is %u at most: take a "
                 "smaller one",
                 ops, SECOND);
        return false;
    }
    run->ibs.plan.fetch = false;
    run->ibs.plan.op_period = (uint32_t)ops;
    run->ibs.wanted = options->repeats ? (unsigned)options->repeats : PASSES;
    run->ibs.once = true;
    run->reference = false;
    return true;
}

void ibs_once_count(struct run *run)
{
    struct event_list list = {0};
    const struct event_group group = {.count = 1};
    struct session_program program = {0};
    enum session_error refused;
    uint64_t counted;

    task_add_event_of(&list, task_event_set(run->machine), RETIRED_UOPS, 0);
    if (!list.count || !machine_pmc_usable(run->machine) || !vpmu_counts(run->machine, RETIRED_UOPS, 0))
        return;
    counter_plan(&program.pmc, &list, &group, 1);
    program.pmc.mode = PMC_COUNTING;
    if (!passes_run_beside(&run->passes, &program, PASSES_UNDISTURBED, &refused))
        return;
    counted = reach(run->passes.result.pmc.event[0].total / run->passes.workers);
    run->ibs.plan.op_period = counted < SECOND ? (uint32_t)counted : SECOND;
}

struct ibs_plan ibs_once_plan(const struct run *run)
{
    struct ibs_plan plan = run->ibs.plan;

    plan.op_first = plan.op_period;
    plan.op_period = SECOND;
    return plan;
}
