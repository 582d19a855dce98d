#include "app/run.h"

#include "core/ibs_regs.h"
#include "core/identities.h"

enum {
    PAGE = 4096,
    ARENA_ALIGNMENT = 2 << 20, /* drivers/paging.h */
    SAMPLES_WANTED = 50000,
    PERIOD_LOW_MODEL = 512,
    PERIOD_LOW_SILICON = 65536,
    PERIOD_HIGH = 0xf0000, /* leaves room for the random part below the 20-bit limit */
    FETCHES_PER_OPS = 2,   /* a fetch block holds a few ops: fewer fetch samples than op samples, but not many fewer */
};

uint32_t run_auto_period(const struct workload *workload, const uint32_t *params, bool hypervisor)
{
    uint64_t period = workload->work(params) * workload->unit_ops / SAMPLES_WANTED;
    uint64_t low = hypervisor ? PERIOD_LOW_MODEL : PERIOD_LOW_SILICON;

    if (period < low)
        period = low;
    if (period > PERIOD_HIGH)
        period = PERIOD_HIGH;
    return (uint32_t)period & ~15u;
}

static bool take(struct run *run, struct run_block *block, size_t size, size_t alignment, const char *what,
                 struct out *problems)
{
    block->memory = run->fw->allocate(run->fw, size, alignment);
    block->size = size;
    if (!block->memory)
        out_printf(problems, "no memory for %s: %zu KiB wanted; a smaller workload or fewer records need less\n", what,
                   size / 1024);
    return block->memory != NULL;
}

static void prepare_body(void *argument, uint64_t arena)
{
    struct run *run = argument;

    run->workload->prepare((void *)(uintptr_t)arena, run->params);
}

static void body(void *argument, uint64_t arena)
{
    struct run *run = argument;

    run->workload->run((void *)(uintptr_t)arena, run->params);
}

static void finish_body(void *argument, uint64_t arena)
{
    struct run *run = argument;

    run->check_ok = run->workload->check((void *)(uintptr_t)arena, run->params, &run->check);
    run->measured = true;
}

static struct ibs_plan ibs_plan(const struct run *run, const struct options *options)
{
    uint32_t period = run_auto_period(run->workload, run->params, run->machine->hypervisor);
    bool can_count_ops = run->machine->ibs_caps & IBS_CAP_OPCNT;

    return (struct ibs_plan){
        .fetch = options->fetch,
        .op = options->op,
        .fetch_period = options->fetch_period ? (uint32_t)options->fetch_period : (period / FETCHES_PER_OPS) & ~15u,
        .op_period = options->op_period ? (uint32_t)options->op_period : period,
        .count_ops = options->count == OPTIONS_COUNT_AUTO ? can_count_ops : options->count == OPTIONS_COUNT_OPS,
        .random = options->random,
        .seed = options->seed,
    };
}

static bool take_all(struct run *run, const struct options *options, struct out *problems)
{
    size_t arena = (run->workload->arena_size(run->params) + PAGE - 1) / PAGE * PAGE + SESSION_STACK_BYTES;
    size_t profile = profile_memory_size(&image_codemap);

    return take(run, &run->arena, arena, ARENA_ALIGNMENT, "the workload", problems) &&
           take(run, &run->tables, paging_memory_needed(arena, (enum paging_kind)options->pages), PAGE, "page tables",
                problems) &&
           take(run, &run->workspace, session_workspace_size(), PAGE, "exception stacks", problems) &&
           take(run, &run->records, (size_t)options->records * sizeof(struct ibs_record), PAGE, "the samples", problems) &&
           take(run, &run->profile_memory, profile, PAGE, "the profile", problems);
}

bool run_prepare(struct run *run, struct firmware *fw, const struct machine *machine, const struct options *options,
                 const struct image *image, struct out *problems)
{
    enum session_error error;

    *run = (struct run){.fw = fw, .machine = machine, .image = image};
    run->workload = options_find_workload(options->workload);
    if (!run->workload) {
        out_printf(problems, "workload = %s: there is none of that name; 'list' at the prompt names them all\n",
                   options->workload);
        return false;
    }
    if (!options_params(options, run->workload, run->params, problems))
        return false;
    if (!take_all(run, options, problems)) {
        run_release(run);
        return false;
    }
    run->plan = (struct session_plan){
        .machine = machine,
        .workspace = run->workspace.memory,
        .records = run->records.memory,
        .capacity = (uint32_t)options->records,
        .paging = {.kind = (enum paging_kind)options->pages,
                   .physical = (uint64_t)(uintptr_t)run->arena.memory,
                   .size = run->arena.size,
                   .shuffle = options->shuffled,
                   .seed = options->frame_seed,
                   .memory = run->tables.memory,
                   .memory_size = run->tables.size},
        .ibs = ibs_plan(run, options),
        .prepare = prepare_body,
        .body = body,
        .finish = finish_body,
        .argument = run,
    };
    error = session_check(&run->plan);
    if (error) {
        out_printf(problems, "these settings cannot run here: %s\n", session_error_text(error));
        run_release(run);
        return false;
    }
    return true;
}

static bool in_handler(const struct run *run, const struct ibs_record *record)
{
    uint64_t address = record->reg[record->kind == IBS_KIND_OP ? (int)IBS_OP_RIP : (int)IBS_FETCH_LINAD];

    return address - run->image->base - run->image->handler_rva < run->image->handler_size;
}

void run_measure(struct run *run)
{
    const struct ibs_record *record = run->records.memory;

    run->fw->now(run->fw, &run->started);
    session_run(&run->plan, &run->result);
    if (!profile_init(&run->profile, &image_codemap, run->image->base, run->profile_memory.memory, run->profile_memory.size))
        return; /* its size was asked for in take_all() */
    for (uint64_t i = 0; i < run->result.samples; i++) {
        profile_add(&run->profile, &record[i]);
        if (record[i].kind <= IBS_KIND_OP && in_handler(run, &record[i]))
            run->in_handler[record[i].kind]++;
    }
    run->identities_failed = identities_check(NULL, run->profile.total, IDENTITIES_FAILED_ONLY);
    aliasing_check(&run->aliasing, &run->profile, run->plan.ibs.count_ops);
}

void run_release(struct run *run)
{
    struct run_block *blocks[] = {&run->arena, &run->tables, &run->workspace, &run->records, &run->profile_memory};

    for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        run->fw->release(run->fw, blocks[i]->memory, blocks[i]->size);
        *blocks[i] = (struct run_block){0};
    }
}
