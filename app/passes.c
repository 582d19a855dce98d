#include "app/passes.h"

#include "app/run.h"
#include "core/mem.h"

enum {
    ARENA_ALIGNMENT = 2 << 20, /* drivers/paging.h */
    LIMIT_MS_SILICON = 600000,
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
}

/* Waiting for other cores, before and after, is no part of what is certified. */
static void begin(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    (void)arena;
    certificate_begin(&core->certificate, &core->plan, core->plan.timer.period || core->plan.timer.limit_ms,
                      &core->result.restore);
}

/* The empty region comes by here, too, so that it differs from the real one by nothing but the workload. */
static void body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    core->kernel((void *)(uintptr_t)arena, core->params);
}

static void end(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    (void)arena;
    certificate_end(&core->certificate);
}

static void finish_body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

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

static bool take(struct parts *parts, struct pool *pool, size_t size, size_t alignment, unsigned count,
                 const char *what, struct out *problems)
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
        .begin = begin,
        .body = body,
        .end = end,
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

static bool failed(const struct passes *passes)
{
    return passes->full || passes->lost || passes->finished < passes->run || passes->result.error ||
           passes->restore_failed;
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
    passes_run_cores(passes, &plan, passes->workload->run);
    return !failed(passes);
}

bool passes_run_empty(struct passes *passes)
{
    struct session_plan plan = passes->plan;

    if (failed(passes))
        return false;
    plan.prepare = plan.begin = NULL;
    plan.end = plan.finish = NULL;
    passes->empty++;
    passes_run_cores(passes, &plan, nothing);
    return !failed(passes);
}

uint64_t passes_first_record(const struct passes *passes)
{
    return passes->samples - passes->result.samples;
}
