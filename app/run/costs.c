/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/costs.h"

#include "app/settings/params.h"
#include "core/base/str.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/vpmu_query.h"

enum {
    ARENA_ALIGNMENT = 2 << 20, /* drivers/cpu/paging.h */
    LIMIT_MS = 2000,           /* for each loop on silicon, which takes less than a millisecond */
    TIMES = 2,
    CLOCKS = 0x076,
};

enum loops { CHASE_L2, CHASE_MEMORY, REACH_L1, REACH_L2, REACH_WALK, FORWARDED, APART, LOOPS };

/* The sizes are below and above those of the caches and TLBs of Family 10h: 64 KB, 512 KB and at most 6 MB; 48 and 512
 * entries (AMD 40546, appendix A). */
static const struct {
    const char *workload;
    struct {
        const char *name;
        uint32_t value;
    } param[3];
    enum paging_kind pages;
    bool cold; /* begins with empty caches, so it runs only once */
} loops[LOOPS] = {
    [CHASE_L2] = {"pointer-chase", {{"hops", 8192}, {"kb", 256}}, PAGING_2M},
    [CHASE_MEMORY] = {"pointer-chase", {{"hops", 4096}, {"kb", 16384}}, PAGING_2M, .cold = true},
    [REACH_L1] = {"tlb-reach", {{"hops", 4096}, {"reach", 40}}, PAGING_4K},
    [REACH_L2] = {"tlb-reach", {{"hops", 16384}, {"reach", 480}}, PAGING_4K},
    [REACH_WALK] = {"tlb-reach", {{"hops", 6400}, {"reach", 640}}, PAGING_4K},
    [FORWARDED] = {"store-forward", {{"iterations", 2000}}, PAGING_4K},
    [APART] = {"store-forward", {{"iterations", 2000}, {"offset", 8}}, PAGING_4K},
};

static struct costs_loop looping_of(const struct run *run, unsigned loop)
{
    struct costs_loop looping = {
        .machine = run->machine, .workload = params_find_workload(loops[loop].workload), .cold = loops[loop].cold};

    for (unsigned i = 0; i < WORKLOAD_PARAMS_MAX && looping.workload->params[i].name; i++) {
        looping.params[i] = looping.workload->params[i].fallback;
        for (unsigned p = 0; p < 3 && loops[loop].param[p].name; p++)
            if (str_equal(loops[loop].param[p].name, looping.workload->params[i].name))
                looping.params[i] = loops[loop].param[p].value;
    }
    looping.params[WORKLOAD_CORES] = 1;
    return looping;
}

bool costs_prepare(struct costs *costs, struct run *run, struct out *problems)
{
    struct paging_plan *paging = &costs->place.paging;
    size_t size = POOL_PAGE;

    for (unsigned i = 0; i < LOOPS; i++) {
        struct costs_loop looping = looping_of(run, i);
        size_t own = looping.workload->arena_size(looping.params);

        size = own > size ? own : size;
    }
    size = (size + POOL_PAGE - 1) / POOL_PAGE * POOL_PAGE + SESSION_STACK_BYTES;
    costs->place = run->passes.core[0].plan.place;
    costs->place.gang = NULL;
    costs->place.stacks = NULL;
    costs->place.branches = NULL;
    costs->place.stack_top = 0;
    *paging = (struct paging_plan){.size = size,
                                   .memory_size = paging_memory_needed(size, PAGING_4K),
                                   .program = run->image->base,
                                   .slots = paging->slots};
    paging->physical =
        (uint64_t)(uintptr_t)pool_take(&run->pool, size, ARENA_ALIGNMENT, "measuring costs of events", problems);
    paging->memory =
        paging->physical ? pool_take(&run->pool, paging->memory_size, POOL_PAGE, "page tables", problems) : NULL;
    return paging->memory;
}

static void prepare_body(void *argument, uint64_t arena)
{
    const struct costs_loop *looping = argument;

    vpmu_part(looping->machine, VPMU_PART_OTHER);
    looping->workload->prepare((void *)(uintptr_t)arena, looping->params);
    if (looping->cold)
        cpu_wbinvd();
    else
        passes_tell_filled(looping->workload, looping->params, looping->machine, arena);
}

static void body(void *argument, uint64_t arena)
{
    const struct costs_loop *looping = argument;

    looping->workload->run((void *)(uintptr_t)arena, looping->params);
}

static void finish(void *argument, uint64_t arena)
{
    struct costs_loop *looping = argument;
    struct workload_check check;

    looping->correct = looping->workload->check((void *)(uintptr_t)arena, looping->params, &check);
    vpmu_part(looping->machine, VPMU_PART_MEASURED);
}

/* Returns cycles for each unit of work, in thousandths; 0: not measured. */
static uint64_t measure(struct costs *costs, struct run *run, unsigned loop)
{
    struct costs_loop *looping = &costs->loop;
    struct session_plan plan = {
        .place = costs->place,
        .program = {.pmc = {.mode = PMC_COUNTING,
                            .events = 1,
                            .groups = 1,
                            .event = {{.select = CLOCKS, .user = true, .os = true}},
                            .group = {{.events = 1}}},
                    .timer = {.limit_ms = run->machine->hypervisor ? 0 : LIMIT_MS}},
        .calls = {.prepare = prepare_body, .body = body, .finish = finish, .argument = looping},
    };
    uint64_t least = UINT64_MAX;

    *looping = looping_of(run, loop);
    plan.place.paging.kind = loops[loop].pages;
    for (unsigned i = 0; i < (looping->cold ? 1 : TIMES); i++) {
        looping->correct = false;
        session_run(&plan, &costs->result);
        run->passes.restore_failed += costs->result.restore.failed;
        restore_add(&run->passes.core[0].restored, &costs->result.restore);
        run->passes.spurious_interrupts += costs->result.spurious_interrupts;
        if (costs->result.error)
            run->passes.result = costs->result;
        if (costs->result.error || !looping->correct)
            return 0;
        if (costs->result.pmc.group[0].counter[0].total < least)
            least = costs->result.pmc.group[0].counter[0].total;
    }
    return least * 1000 / looping->workload->work(looping->params);
}

/* Returns the difference in cycles, rounded; 0: one is not known, or the difference is not positive. */
static uint32_t beyond(uint64_t with, uint64_t without)
{
    return with > without && without ? (uint32_t)((with - without + 500) / 1000) : 0;
}

void costs_measure(struct costs *costs, struct run *run, struct explore_costs *ret)
{
    uint64_t cycles[LOOPS] = {0};

    for (unsigned i = 0; i < LOOPS && !run->passes.result.error; i++)
        cycles[i] = measure(costs, run, i);
    ret->of[EXPLORE_COST_L2] = (uint32_t)((cycles[CHASE_L2] + 500) / 1000);
    ret->of[EXPLORE_COST_MEMORY] = (uint32_t)((cycles[CHASE_MEMORY] + 500) / 1000);
    ret->of[EXPLORE_COST_TLB_L2] = beyond(cycles[REACH_L2], cycles[REACH_L1]);
    ret->of[EXPLORE_COST_WALK] = beyond(cycles[REACH_WALK], cycles[REACH_L1]);
    ret->of[EXPLORE_COST_FORWARD] = beyond(cycles[FORWARDED], cycles[APART]);
}
