/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/ibs_period.h"

#include "app/run/kind.h"
#include "app/run/reference.h"

enum {
    SAMPLES_ALONE = 50000,
    SAMPLES_TRUE = 7500, /* op samples; with those of fetches some 10,000 */
    LOW_ALONE_MODEL = 512,
    LOW_TRUE_MODEL = 10240, /* 9216 changes the matrix multiply's cycles by 0.96 %, too close to one in a hundred */
    LOW_SILICON = 65536,
    HIGH = 0xf0000, /* leaves room for the random part below the 20-bit limit */
    PASSES_MAX = 64,
};

static uint64_t ops_of(const struct run *run)
{
    return run->workload->work(run->params) * run->workload->unit_ops * run->cores.count;
}

uint32_t ibs_period_for(const struct workload *workload, const uint32_t *params, unsigned cores, uint64_t samples,
                        uint32_t low)
{
    uint64_t period = workload->work(params) * workload->unit_ops * cores / samples;

    if (period < low)
        period = low;
    if (period > HIGH)
        period = HIGH;
    return (uint32_t)period & ~15u;
}

uint32_t ibs_period_alone(const struct run *run)
{
    return ibs_period_for(run->workload, run->params, run->cores.count, SAMPLES_ALONE,
                          run->machine->hypervisor ? LOW_ALONE_MODEL : LOW_SILICON);
}

uint32_t ibs_period_first(const struct run *run)
{
    return ibs_period_for(run->workload, run->params, run->cores.count, SAMPLES_TRUE,
                          run->machine->hypervisor ? LOW_TRUE_MODEL : LOW_SILICON);
}

/* Returns how many passes give some 10,000 samples, 7,500 of ops, at the plan's period. */
static unsigned passes_for_samples(const struct run *run)
{
    uint64_t each = ops_of(run) / run->ibs.plan.op_period, passes = each ? SAMPLES_TRUE / each : PASSES_MAX;

    if (passes > PASSES_MAX)
        passes = PASSES_MAX;
    return passes ? (unsigned)passes : 1;
}

uint64_t ibs_period_expects(const struct run *run)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    uint64_t op = plan->op ? ops_of(run) / plan->op_period : 0;
    uint64_t fetch = plan->fetch ? ops_of(run) / IBS_FETCHES_PER_OPS / plan->fetch_period : 0;

    if (run->ibs.once)
        return run->ibs.wanted;
    return (op + fetch) * (run->ibs.searched ? passes_for_samples(run) : run->ibs.wanted);
}

/* Sets and returns how many ops one of 'recorded' op samples of these passes stands for; none for a filtered one,
 * because rejected ops were counted, too. */
static uint64_t weigh(struct run *run, unsigned passes, uint64_t recorded)
{
    const struct ibs_plan *plan = &run->ibs.plan;
    struct disturbance *of = &run->disturbance;
    uint64_t weight = plan->op_period;

    of->passes = passes;
    if (!plan->op || plan->l3_miss_only || plan->load_latency)
        weight = 0;
    else if (!plan->count_ops) /* taking an instruction for an op */
        weight = recorded ? of->undisturbed[DISTURBANCE_INSTRUCTIONS] * passes / recorded : 0;
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++)
        of->weight[r] = disturbance_sampled(r) == DERIVED_COUNT ? 0 : weight;
    return weight;
}

/* Estimates, before there are samples, what these passes leave open at the plan's periods. */
static void expect(struct run *run, unsigned passes)
{
    struct disturbance *of = &run->disturbance;
    uint64_t weight = weigh(run, passes, of->undisturbed[DISTURBANCE_CYCLES] * passes / run->ibs.plan.op_period);

    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++)
        of->samples[r] = weight ? of->undisturbed[r] * passes / weight : 0;
}

void ibs_period_judge(struct run *run)
{
    struct disturbance *of = &run->disturbance;

    if (of->why)
        return;
    reference_time(run, true);
    (void)weigh(run, run->ibs.repeats, run->passes.counts.recorded[SAMPLE_OP]);
    for (unsigned r = 0; r < DISTURBANCE_ROWS; r++)
        of->samples[r] = disturbance_sampled(r) == DERIVED_COUNT ? 0 : run->ibs.profile.total[disturbance_sampled(r)];
}

/* Returns whether the reference's passes may be kept: the user has not set their number. */
static bool keeps(const struct run *run)
{
    return !run->options->repeats || run->task.kinds[0] != &kind_ibs; /* otherwise they are passes of counters */
}

unsigned ibs_period_passes(const struct run *run, unsigned sampled)
{
    unsigned wanted = passes_for_samples(run);

    if (!run->ibs.searched || !keeps(run))
        return sampled + run->ibs.wanted;
    return wanted > sampled ? wanted : sampled;
}

/* Forgets the passes of a period that was too short. */
static void sampled(struct run *run)
{
    struct session_program program = {.ibs = run->ibs.plan};

    if (keeps(run)) {
        if (run->ibs.repeats)
            passes_drop(&run->passes);
        run->ibs.repeats = 0;
        program.ibs.op_first = program.ibs.op_period;
        program.ibs.fetch_first = program.ibs.fetch_period;
        reference_kept(run, &program, &run->ibs.repeats);
    } else {
        reference_sampled(run, &program, NULL, false);
    }
    expect(run, passes_for_samples(run));
}

static bool longer(struct run *run)
{
    struct ibs_plan *plan = &run->ibs.plan;

    if (plan->op_period > HIGH / 2)
        return false;
    plan->op_period *= 2;
    plan->fetch_period *= 2;
    return true;
}

void ibs_period_choose(struct run *run)
{
    reference_search(run, sampled, longer);
    if (!keeps(run))
        return;
    run->ibs.wanted = passes_for_samples(run);
    if (run->ibs.wanted < run->ibs.repeats)
        run->ibs.wanted = run->ibs.repeats;
}
