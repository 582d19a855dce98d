#include "app/measure_ibs.h"

#include "core/ibs_regs.h"
#include "core/identities.h"
#include "core/str.h"

enum {
    SAMPLES_WANTED = 50000,
    PERIOD_LOW_MODEL = 512,
    PERIOD_LOW_SILICON = 65536,
    PERIOD_HIGH = 0xf0000, /* leaves room for the random part below the 20-bit limit */
    FETCHES_PER_OPS = 2,   /* a fetch block holds a few ops: fewer fetch samples than op samples, but not many fewer */
};

uint32_t measure_ibs_auto_period(const struct workload *workload, const uint32_t *params, unsigned cores,
                                 bool hypervisor)
{
    uint64_t period = workload->work(params) * workload->unit_ops * cores / SAMPLES_WANTED;
    uint64_t low = hypervisor ? PERIOD_LOW_MODEL : PERIOD_LOW_SILICON;

    if (period < low)
        period = low;
    if (period > PERIOD_HIGH)
        period = PERIOD_HIGH;
    return (uint32_t)period & ~15u;
}

/* Which kinds are sampled: by the configuration; "ibs" and those of counters leave it to the settings. */
static bool wanted(const struct task *task, bool setting, uint32_t configured)
{
    return task->config && task->config->kind == CONFIG_IBS && !str_equal(task->name, "ibs") ? configured != 0
                                                                                             : setting;
}

static struct ibs_plan ibs_plan(const struct run *run, const struct options *options)
{
    uint32_t period = measure_ibs_auto_period(run->workload, run->params, run->cores.count, run->machine->hypervisor);
    bool can_count_ops = run->machine->ibs_caps & IBS_CAP_OPCNT;
    const struct task *task = &run->task;

    return (struct ibs_plan){
        .fetch = task->kind == TASK_IBS && wanted(task, options->fetch, task->config->fetch_period),
        .op = task->kind != TASK_IBS || wanted(task, options->op, task->config->op_period),
        .fetch_period = options->fetch_period ? (uint32_t)options->fetch_period : (period / FETCHES_PER_OPS) & ~15u,
        .op_period = options->op_period ? (uint32_t)options->op_period : period,
        .count_ops = options->count == OPTIONS_COUNT_AUTO ? can_count_ops : options->count == OPTIONS_COUNT_OPS,
        .random = options->random,
        .seed = options->seed,
    };
}

bool measure_ibs_prepare(struct run *run, const struct options *options, struct out *problems)
{
    size_t size = profile_memory_size(&image_codemap);
    void *memory = pool_take(&run->pool, size, POOL_PAGE, "the profile", problems);

    run->ibs.plan = ibs_plan(run, options);
    return memory && profile_init(&run->ibs.profile, &image_codemap, run->image->base, memory, size) &&
           passes_possible(&run->passes, &(struct session_program){.ibs = run->ibs.plan}, problems);
}

static bool in_handler(const struct run *run, const struct sample_record *record)
{
    uint64_t address = record->reg[record->kind == SAMPLE_OP ? (int)IBS_OP_RIP : (int)IBS_FETCH_LINAD];

    return address - run->image->base - run->image->handler_rva < run->image->handler_size;
}

void measure_ibs(struct run *run)
{
    struct run_ibs *ibs = &run->ibs;

    (void)passes_run(&run->passes, &(struct session_program){.ibs = ibs->plan});
    ibs->settings = run->passes.result.settings;
    for (uint64_t i = 0; i < run->passes.samples; i++) { /* the profile leaves counters' samples out */
        const struct sample_record *record = &run->passes.records[i];
        profile_add(&ibs->profile, record);
        if (record->kind <= SAMPLE_OP && in_handler(run, record))
            ibs->in_handler[record->kind]++;
    }
    ibs->identities_failed = identities_check(NULL, ibs->profile.total, IDENTITIES_FAILED_ONLY);
    aliasing_check(&ibs->aliasing, &ibs->profile, ibs->plan.count_ops);
}
