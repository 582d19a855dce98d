#include "app/passes.h"

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
    struct passes *passes = argument;

    passes->workload->prepare((void *)(uintptr_t)arena, passes->params);
}

/* The empty region comes by here, too, so that it differs from the real one by nothing but the workload. */
static void body(void *argument, uint64_t arena)
{
    struct passes *passes = argument;

    passes->kernel((void *)(uintptr_t)arena, passes->params);
}

static void finish_body(void *argument, uint64_t arena)
{
    struct passes *passes = argument;
    struct workload_check check;
    bool right = passes->workload->check((void *)(uintptr_t)arena, passes->params, &check);

    if (!passes->wrong)
        passes->check = check;
    passes->finished++;
    passes->wrong += !right;
}

/* Stepped by a model, a second takes an hour: there is no time that suits all workloads. */
static uint64_t limit_ms(const struct machine *machine, const struct options *options)
{
    return options->limit_ms || machine->hypervisor ? options->limit_ms : LIMIT_MS_SILICON;
}

bool passes_prepare(struct passes *passes, struct pool *pool, const struct machine *machine,
                    const struct workload *workload, const uint32_t *params, const struct options *options,
                    struct out *problems)
{
    size_t arena_size = (workload->arena_size(params) + POOL_PAGE - 1) / POOL_PAGE * POOL_PAGE + SESSION_STACK_BYTES;
    size_t tables_size = paging_memory_needed(arena_size, (enum paging_kind)options->pages);
    void *arena, *tables, *workspace;

    *passes = (struct passes){.workload = workload,
                              .params = params,
                              .capacity = (uint32_t)options->records,
                              .limit_ms = limit_ms(machine, options)};
    arena = pool_take(pool, arena_size, ARENA_ALIGNMENT, "the workload", problems);
    tables = arena ? pool_take(pool, tables_size, POOL_PAGE, "page tables", problems) : NULL;
    workspace = tables ? pool_take(pool, session_workspace_size(), POOL_PAGE, "exception stacks", problems) : NULL;
    if (workspace)
        passes->records =
            pool_take(pool, (size_t)passes->capacity * sizeof(struct ibs_record), POOL_PAGE, "the samples", problems);
    passes->plan = (struct session_plan){
        .machine = machine,
        .workspace = workspace,
        .records = passes->records,
        .capacity = passes->capacity,
        .paging = {.kind = (enum paging_kind)options->pages,
                   .physical = (uint64_t)(uintptr_t)arena,
                   .size = arena_size,
                   .shuffle = options->shuffled,
                   .seed = options->frame_seed,
                   .memory = tables,
                   .memory_size = tables_size},
        .prepare = prepare_body,
        .body = body,
        .finish = finish_body,
        .argument = passes,
    };
    return passes->records != NULL;
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
    return passes->full || passes->finished < passes->run || passes->result.error || passes->result.restore.failed;
}

static void run(struct passes *passes, struct session_plan *plan)
{
    plan->timer.limit_ms = passes->limit_ms;
    session_run(plan, &passes->result);
    if (passes->run + passes->empty == 1)
        passes->tsc_start = passes->result.tsc_start;
    passes->samples += passes->result.samples;
    passes->spurious_interrupts += passes->result.spurious_interrupts;
    add_counts(&passes->counts, &passes->result.counts);
}

bool passes_run(struct passes *passes)
{
    struct session_plan plan = passes->plan;

    plan.records = passes->records + passes->samples;
    plan.capacity = passes->capacity - (uint32_t)passes->samples;
    passes->full = !plan.capacity;
    if (failed(passes))
        return false;
    passes->kernel = passes->workload->run;
    passes->run++;
    run(passes, &plan);
    return !failed(passes);
}

bool passes_run_empty(struct passes *passes)
{
    struct session_plan plan = passes->plan;

    if (failed(passes))
        return false;
    plan.prepare = NULL;
    plan.finish = NULL;
    passes->kernel = nothing;
    passes->empty++;
    run(passes, &plan);
    return !failed(passes);
}

uint64_t passes_first_record(const struct passes *passes)
{
    return passes->samples - passes->result.samples;
}
