/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls the workload in a pass, or an empty function instead. */
#include "app/run/passes.h"

#include "app/run/code.h"
#include "core/base/mem.h"
#include "drivers/machine/vpmu_query.h"

/* The empty workload: COUNTS_EMPTY_INSTRUCTIONS instructions. It begins a cache line, which body() below shares, so
 * that it adds no line of its own to what starting and stopping cost. */
__attribute__((naked, aligned(64))) static void nothing(void *arena, const uint32_t *params)
{
    __asm__("ret");
}

/* A loop of half a million instructions that depend only on each other. */
__attribute__((naked)) static void loop(void *arena, const uint32_t *params)
{
    __asm__("mov $250000, %eax\n"
            "1: sub $1, %eax\n"
            "jnz 1b\n"
            "ret");
}

/* Tells the virtual PMU, which would start the workload with cold caches. */
void passes_tell_filled(const struct workload *workload, const uint32_t *params, const struct machine *machine,
                        uint64_t arena)
{
    uint32_t msr = vpmu_prepared_msr(machine);
    struct vpmu_filled filled = {0};
    struct workload_range range;

    if (!msr)
        return;
    if (!workload->filled)
        vpmu_filled_add(&filled, msr, arena, workload->arena_size(params));
    else
        for (uint32_t n = 0; workload->filled(params, n, &range); n++)
            vpmu_filled_add(&filled, msr, arena + range.offset, range.bytes);
    vpmu_filled_tell(&filled, msr);
}

static void prepare_nothing(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    (void)arena;
    if (code_file_at(0))
        vpmu_own_code(core->plan.place.machine, core->own_code);
    if (core->worker)
        code_fill_data(&core->plan.place.paging.own);
    if (core->drops)
        vpmu_part(core->plan.place.machine, VPMU_PART_DROP);
    core->drops = false;
    vpmu_part(core->plan.place.machine, core->part);
}

static void prepare_body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    prepare_nothing(argument, arena);
    if (!core->prepares)
        return;
    core->workload->prepare((void *)(uintptr_t)arena, core->params);
    passes_tell_filled(core->workload, core->params, core->plan.place.machine, arena);
}

/* Waiting for other cores, before and after, is outside of the certificate. */
static void begin(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    (void)arena;
    certificate_begin(&core->certificate, &core->plan, &core->result.restore);
}

/* Also used by the empty pass, so that the two differ only in the workload. */
static void body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    core->kernel((void *)(uintptr_t)arena, core->params);
}

static void end(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    (void)arena;
    certificate_end(&core->certificate, core->result.tsc_stop - core->result.tsc_start);
}

static void finish_body(void *argument, uint64_t arena)
{
    struct passes_core *core = argument;

    core->correct = !core->checks || core->workload->check((void *)(uintptr_t)arena, core->params, &core->check);
    core->finished = true;
}

/* Indexed by enum passes_beside. kernel NULL: the workload. */
static const struct {
    struct session_calls calls;
    void (*kernel)(void *arena, const uint32_t *params);
    enum vpmu_part part;
} ways[] = {
    [PASSES_SAMPLED] = {{.prepare = prepare_body, .begin = begin, .body = body, .end = end, .finish = finish_body},
                        NULL,
                        VPMU_PART_MEASURED},
    [PASSES_UNDISTURBED] = {{.prepare = prepare_body, .body = body, .finish = finish_body}, NULL, VPMU_PART_REFERENCE},
    [PASSES_ASIDE] = {{.prepare = prepare_body, .body = body, .finish = finish_body}, NULL, VPMU_PART_OTHER},
    [PASSES_WATCHED] = {{.prepare = prepare_body, .begin = begin, .body = body, .end = end, .finish = finish_body},
                        NULL,
                        VPMU_PART_OTHER},
    [PASSES_CALM] = {{.prepare = prepare_nothing, .body = body}, loop, VPMU_PART_OTHER},
};

static bool failed(const struct passes *passes)
{
    return passes->ring_full || passes->lost || passes->finished < passes->run || passes->result.error ||
           passes->restore_failed;
}

/* Checks that the ring has room for a pass with samples; otherwise notes that it is full and returns false. */
static bool may_run(struct passes *passes, enum passes_beside way)
{
    if (way == PASSES_SAMPLED)
        passes->ring_full = passes->capacity - passes->samples < passes->workers;
    return !failed(passes);
}

static void run_way(struct passes *passes, const struct session_program *program, enum passes_beside way)
{
    passes->beside = way != PASSES_SAMPLED;
    passes->beside_interrupts = 0;
    passes->part = ways[way].part;
    passes_run_cores(passes, program, &ways[way].calls, ways[way].kernel ? ways[way].kernel : passes->workload->run);
    passes->part = VPMU_PART_MEASURED;
    passes->beside = false;
}

bool passes_run(struct passes *passes, const struct session_program *program)
{
    if (!may_run(passes, PASSES_SAMPLED))
        return false;
    passes->run++;
    run_way(passes, program, PASSES_SAMPLED);
    return !failed(passes);
}

bool passes_run_plain(struct passes *passes, const struct session_program *program)
{
    if (!may_run(passes, PASSES_SAMPLED))
        return false;
    passes->run++;
    passes_run_cores(passes, program, &ways[PASSES_UNDISTURBED].calls, passes->workload->run);
    return !failed(passes);
}

void passes_drop(struct passes *passes)
{
    passes->samples = 0;
    passes->counts = (struct nmi_counts){0};
    memset(passes->stack_ends, 0, sizeof(passes->stack_ends));
    passes->branch_sums = (struct branch_sums){0};
    for (unsigned i = 0; i < passes->cores; i++) {
        passes->core[i].counts = (struct nmi_counts){0};
        passes->core[i].drops = true;
    }
    passes_share_room(passes);
}

bool passes_run_empty(struct passes *passes, const struct session_program *program)
{
    /* Fills memory, too: this evicts cache lines, which starting and stopping have to fetch again. */
    static const struct session_calls calls = {.prepare = prepare_body, .body = body};

    if (failed(passes))
        return false;
    passes->empty++;
    passes_run_cores(passes, program, &calls, nothing);
    return !failed(passes);
}

bool passes_run_beside(struct passes *passes, const struct session_program *program, enum passes_beside what,
                       enum session_error *ret_refused)
{
    unsigned *begun = what == PASSES_CALM ? &passes->empty : &passes->run, unrestored = passes->restore_failed;

    *ret_refused = SESSION_OK;
    if (!may_run(passes, what))
        return false;
    *begun += 1;
    run_way(passes, program, what);
    if (!passes->result.error || passes->result.faulted || passes->result.tsc_start || passes->lost ||
        passes->restore_failed != unrestored)
        return !failed(passes);
    *ret_refused = passes->result.error;
    passes->result = (struct session_result){0};
    *begun -= 1;
    return false;
}

bool passes_run_stepped(struct passes *passes, struct single_step *step)
{
    static const struct session_calls first = {.prepare = prepare_body, .body = body, .finish = finish_body},
                                      next = {.body = body, .finish = finish_body};
    const struct session_program program = {.step = step};
    bool begins = step->state == SINGLE_STEP_NEW;
    uint64_t limit_ms = passes->limit_ms;

    if (begins && failed(passes))
        return false;
    step->kernel = (uint64_t)(uintptr_t)passes->workload->run;
    step->params = (uint64_t)(uintptr_t)passes->core[0].params;
    passes->run += begins;
    passes->beside = true;
    passes->part = VPMU_PART_OTHER;
    passes->limit_ms = 0;
    passes_run_cores(passes, &program, begins ? &first : &next, passes->workload->run);
    passes->limit_ms = limit_ms;
    passes->part = VPMU_PART_MEASURED;
    passes->beside = false;
    return !passes->lost && !passes->result.error && !passes->restore_failed;
}
