#include "app/passes.h"

#include "app/run.h"
#include "core/mem.h"

enum {
    ARENA_ALIGNMENT = 2 << 20, /* drivers/paging.h */
    LIMIT_MS_SILICON = 600000,
    PATIENCE_MS = 10000, /* that cores may come later than others; a large arena is filled meanwhile */
    RETURN_STEP_US = 1000,
};

/* PASSES_EMPTY_INSTRUCTIONS of them. */
__attribute__((naked)) static void nothing(void *arena, const uint32_t *params)
{
    __asm__("ret");
}

static void prepare_body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    if (core->prepares)
        core->workload->prepare((void *)(uintptr_t)arena, core->params);
    certificate_begin(&core->certificate, &core->plan, core->plan.timer.period || core->plan.timer.limit_ms,
                      &core->result.restore);
}

/* The empty region comes by here, too, so that it differs from the real one by nothing but the workload. */
static void body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    core->kernel((void *)(uintptr_t)arena, core->params);
}

static void finish_body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    certificate_end(&core->certificate);

    core->right = !core->checks || core->workload->check((void *)(uintptr_t)arena, core->params, &core->check);
    core->finished = true;
}

/* Stepped by a model, a second takes an hour: there is no time that suits all workloads. */
static uint64_t limit_ms(const struct machine *machine, const struct options *options)
{
    return options->limit_ms || machine->hypervisor ? options->limit_ms : LIMIT_MS_SILICON;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Memory for as many as there are: parts of one size, one behind the other. */
struct parts {
    uint8_t *first;
    size_t size;
};

static bool take(struct parts *parts, struct pool *pool, size_t size, size_t alignment, unsigned count, const char *what,
                 struct out *problems)
{
    parts->size = round_up(size, alignment);
    parts->first = pool_take(pool, count > 1 ? parts->size * count : size, alignment, what, problems);
    return parts->first != NULL;
}

static void *part(const struct parts *parts, unsigned i)
{
    return parts->first + parts->size * i;
}

/* The boot core first, whether it works or not; then those that were chosen. */
static void name_cores(struct passes *passes, const struct run *run)
{
    unsigned worker = 0;
    bool boot_works = run->cores.core[0] == 0;

    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        core->works = i || boot_works;
        core->cpu = run->cores.core[boot_works || !i ? i : i - 1];
        if (!core->works)
            core->cpu = 0;
        core->workload = run->workload;
        memcpy(core->params, run->params, sizeof(core->params));
        core->params[WORKLOAD_CORES] = run->cores.count;
        core->params[WORKLOAD_CORE] = worker;
        core->prepares = core->checks = core->works && (!run->workload->shared || worker == 0);
        worker += core->works;
    }
}

bool passes_prepare(struct passes *passes, struct pool *pool, const struct machine *machine, const struct run *run,
                    const struct options *options, struct out *problems)
{
    const struct workload *workload = run->workload;
    unsigned cores = run->cores.count + (run->cores.core[0] != 0), workers = run->cores.count;
    unsigned arenas = workload->shared ? 1 : cores, stacks = workload->shared ? cores : 1;
    uint32_t params[WORKLOAD_VALUES];
    struct parts list, gang, arena, tables, workspace;
    size_t size, tables_size;

    memcpy(params, run->params, sizeof(params));
    params[WORKLOAD_CORES] = workers;
    params[WORKLOAD_CORE] = 0;
    size = round_up(workload->arena_size(params), POOL_PAGE) + stacks * SESSION_STACK_BYTES;
    tables_size = paging_memory_needed(size, (enum paging_kind)options->pages);
    *passes = (struct passes){.fw = run->fw,
                              .workload = workload,
                              .capacity = (uint32_t)options->records,
                              .limit_ms = limit_ms(machine, options)};
    if (!take(&list, pool, sizeof(*passes->core) * cores, POOL_PAGE, 1, "the list of cores", problems) ||
        !take(&gang, pool, sizeof(*passes->gang), POOL_PAGE, 1, "the cores' start", problems) ||
        !take(&arena, pool, size, ARENA_ALIGNMENT, arenas, "the workload", problems) ||
        !take(&tables, pool, tables_size, POOL_PAGE, cores, "page tables", problems) ||
        !take(&workspace, pool, session_workspace_size(), POOL_PAGE, cores, "exception stacks", problems))
        return false;
    passes->records =
        pool_take(pool, (size_t)passes->capacity * sizeof(struct ibs_record), POOL_PAGE, "the samples", problems);
    if (!passes->records)
        return false;
    passes->ring = passes->capacity / workers ? passes->capacity / workers : 1;
    if (cores > 1)
        passes->rings = pool_take(pool, (size_t)passes->ring * workers * sizeof(struct ibs_record), POOL_PAGE,
                                  "each core's samples", problems);
    if (cores > 1 && !passes->rings)
        return false;
    passes->core = part(&list, 0);
    passes->cores = cores;
    passes->workers = workers;
    passes->gang = part(&gang, 0);
    name_cores(passes, run);
    passes->plan = (struct session_plan){
        .machine = machine,
        .records = passes->records,
        .capacity = passes->capacity,
        .paging = {.kind = (enum paging_kind)options->pages,
                   .physical = (uint64_t)(uintptr_t)part(&arena, 0),
                   .size = size,
                   .shuffle = options->shuffled,
                   .seed = options->frame_seed,
                   .memory_size = tables_size},
        .prepare = prepare_body,
        .body = body,
        .finish = finish_body,
    };
    for (unsigned i = 0; i < cores; i++) {
        struct session_plan *plan = &passes->core[i].plan;

        *plan = passes->plan;
        certificate_init(&passes->core[i].certificate, machine);
        plan->workspace = part(&workspace, i);
        plan->paging.physical = (uint64_t)(uintptr_t)part(&arena, arenas > 1 ? i : 0);
        plan->paging.memory = part(&tables, i);
        plan->stack_top = size - (stacks > 1 ? i : 0) * SESSION_STACK_BYTES;
    }
    passes->plan.workspace = passes->core[0].plan.workspace;
    passes->plan.paging.memory = passes->core[0].plan.paging.memory;
    return true;
}

bool passes_possible(const struct passes *passes, struct out *problems)
{
    enum session_error error = session_check(&passes->plan);

    if (error)
        out_printf(problems, "these settings cannot run here: %s\n", session_error_text(error));
    return error == SESSION_OK;
}

static void add_counts(struct ibs_counts *sum, const struct ibs_counts *counts)
{
    sum->nmi += counts->nmi;
    sum->fetch += counts->fetch;
    sum->op += counts->op;
    sum->lost_fetch += counts->lost_fetch;
    sum->lost_op += counts->lost_op;
    sum->empty += counts->empty;
    sum->late += counts->late;
    sum->foreign += counts->foreign;
    sum->pmc += counts->pmc;
    sum->timer += counts->timer;
    sum->lost_pmc += counts->lost_pmc;
    sum->lost_timer += counts->lost_timer;
}

static bool failed(const struct passes *passes)
{
    return passes->full || passes->lost || passes->finished < passes->run || passes->result.error ||
           passes->restore_failed;
}

/* ---------------------------------------------------------------- on all cores */

static bool samples_by_ibs(const struct session_plan *plan)
{
    return plan->ibs.fetch || plan->ibs.op;
}

/* What this pass is on a core: the plan of all, in memory of its own. */
static void plan_core(struct passes *passes, unsigned i, const struct session_plan *common)
{
    struct passes_core *core = &passes->core[i];
    struct session_plan own = core->plan, *plan = &core->plan;
    bool alone = passes->cores == 1;

    *plan = *common;
    plan->workspace = own.workspace;
    plan->paging = own.paging;
    plan->stack_top = own.stack_top;
    plan->cpu = core->cpu;
    plan->gang = alone ? NULL : passes->gang;
    plan->member = i;
    plan->argument = core;
    if (!alone) {
        plan->records = passes->rings + (size_t)core->params[WORKLOAD_CORE] * passes->ring;
        plan->capacity = (uint32_t)(passes->capacity - passes->samples) / passes->workers;
        plan->capacity = plan->capacity < passes->ring ? plan->capacity : passes->ring;
    }
    /* Each core's intervals vary in its own way. */
    plan->ibs.seed += core->cpu;
    plan->pmc.seed += core->cpu;
    plan->timer.seed += core->cpu;
    core->finished = core->right = false;
    if (core->works)
        return;
    plan->ibs = (struct ibs_plan){0};
    plan->pmc.mode = PMC_OFF;
    plan->timer = (struct timer_plan){0};
    plan->prepare = plan->body = plan->finish = NULL;
}

/* On another core: it has nothing of the firmware's but a stack. */
static void run_core(void *argument)
{
    struct passes_core *core = argument;

    session_run(&core->plan, &core->result);
}

static void start_others(struct passes *passes)
{
    for (unsigned i = 1; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        core->start_error = passes->fw->start_core(passes->fw, core->cpu, run_core, core);
        if (core->start_error)
            gang_leave(passes->gang, i); /* nobody is to wait for it */
    }
}

/* They have nothing left to do but to restore themselves. */
static void await_others(struct passes *passes)
{
    for (unsigned i = 1; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];
        bool back = passes->fw->core_ended(passes->fw, core->cpu);

        for (unsigned ms = 0; !back && ms < PATIENCE_MS && gang_step_of(passes->gang, i) != GANG_GIVEN_UP; ms++) {
            passes->fw->stall(passes->fw, RETURN_STEP_US);
            back = passes->fw->core_ended(passes->fw, core->cpu);
        }
        core->lost = core->start_error || !back || gang_step_of(passes->gang, i) == GANG_GIVEN_UP;
        core->lost_at = gang_step_of(passes->gang, i) == GANG_GIVEN_UP ? passes->gang->member[i].given_up_at : GANG_DONE;
        passes->lost += core->lost;
    }
}

bool passes_all_back(const struct passes *passes)
{
    for (unsigned i = 1; i < passes->cores; i++)
        if (!passes->fw->core_ended(passes->fw, passes->core[i].cpu))
            return false;
    return true;
}

/* ---------------------------------------------------------------- what came of it */

/* All of it is counts of 64 bits. */
static void add_pmc(struct pmc_result *sum, const struct pmc_result *result)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)result;

    for (size_t i = 0; i < sizeof(*sum) / sizeof(*to); i++)
        to[i] += from[i];
}

/* Whose result stands for all. */
static struct passes_core *spokesman(const struct passes *passes)
{
    struct passes_core *first = NULL;

    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        if (core->lost)
            continue;
        if (core->result.error)
            return core;
        if (core->works && !first)
            first = core;
    }
    return first ? first : &passes->core[0];
}

static void collect_core(struct passes *passes, struct passes_core *core, bool first)
{
    struct session_result *sum = &passes->result;
    const struct session_result *result = &core->result;

    add_counts(&passes->counts, &result->counts);
    add_counts(&core->counts, &result->counts);
    core->samples += result->samples;
    passes->spurious_interrupts += result->spurious_interrupts;
    if (passes->cores > 1)
        memcpy(passes->records + passes->samples, core->plan.records,
               (size_t)result->samples * sizeof(struct ibs_record));
    passes->samples += result->samples;
    if (first) {
        sum->tsc_start = result->tsc_start;
        sum->tsc_stop = result->tsc_stop;
        sum->samples = result->samples;
        sum->counts = result->counts;
        sum->pmc = result->pmc;
        return;
    }
    if (result->tsc_start < sum->tsc_start)
        sum->tsc_start = result->tsc_start;
    if (result->tsc_stop > sum->tsc_stop)
        sum->tsc_stop = result->tsc_stop;
    sum->samples += result->samples;
    add_counts(&sum->counts, &result->counts);
    add_pmc(&sum->pmc, &result->pmc);
}

static void collect(struct passes *passes)
{
    bool first = true, finished = true, right = true;
    const struct workload_check *check = NULL;

    passes->result = spokesman(passes)->result;
    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        if (!core->lost)
            passes->restore_failed += core->result.restore.failed;
        if (!core->works || core->lost) {
            finished = finished && !core->works;
            continue;
        }
        collect_core(passes, core, first);
        first = false;
        finished = finished && core->finished;
        if (core->finished && core->checks && (!check || (right && !core->right)))
            check = &core->check;
        right = right && (core->right || !core->finished);
    }
    if (check && !passes->wrong)
        passes->check = *check;
    passes->wrong += !right;
    passes->finished += finished && passes->plan.finish && passes->core[0].kernel != nothing;
}

static void run(struct passes *passes, struct session_plan *plan, void (*kernel)(void *, const uint32_t *))
{
    uint64_t khz = plan->machine->tsc_khz;

    plan->timer.limit_ms = passes->limit_ms;
    gang_init(passes->gang, passes->cores, samples_by_ibs(plan), PATIENCE_MS * khz,
              (passes->limit_ms + passes->limit_ms / 32) * khz);
    for (unsigned i = 0; i < passes->cores; i++) {
        passes->core[i].kernel = kernel;
        plan_core(passes, i, plan);
    }
    start_others(passes);
    session_run(&passes->core[0].plan, &passes->core[0].result);
    await_others(passes);
    collect(passes);
    if (passes->run + passes->empty == 1)
        passes->tsc_start = passes->result.tsc_start;
}

bool passes_run(struct passes *passes)
{
    struct session_plan plan = passes->plan;

    plan.records = passes->records + passes->samples;
    plan.capacity = passes->capacity - (uint32_t)passes->samples;
    passes->full = plan.capacity < passes->workers;
    if (failed(passes))
        return false;
    passes->run++;
    run(passes, &plan, passes->workload->run);
    return !failed(passes);
}

bool passes_run_empty(struct passes *passes)
{
    struct session_plan plan = passes->plan;

    if (failed(passes))
        return false;
    plan.prepare = NULL;
    plan.finish = NULL;
    passes->empty++;
    run(passes, &plan, nothing);
    return !failed(passes);
}

uint64_t passes_first_record(const struct passes *passes)
{
    return passes->samples - passes->result.samples;
}
