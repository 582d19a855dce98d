/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/run/passes.h"

#include "app/run/code.h"
#include "app/run/run.h"
#include "app/base/sentence.h"
#include "core/base/mem.h"
#include "drivers/cpu/apic.h"

enum {
    ARENA_ALIGNMENT = 2 << 20, /* drivers/cpu/paging.h */
    LIMIT_MS_SILICON = 600000,
};

/* Returns the limit. A hypervisor has no default: a model takes about an hour to step through a second. */
static uint64_t limit_ms(const struct machine *machine, const struct options *options)
{
    if (options->limit_ms == UINT64_MAX)
        return 0;
    return options->limit_ms || machine->hypervisor ? options->limit_ms : LIMIT_MS_SILICON;
}

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static void use(void *slots, uint64_t first, uint64_t last)
{
    paging_slots_use(slots, first, last);
}

struct paging_slots passes_slots(struct firmware *fw, const struct machine *machine)
{
    struct paging_slots slots = {0};
    uint64_t apic;

    slots.known = !fw->memory_map(fw, use, &slots);
    if (!apic_find(machine->apic_msr, &apic))
        use(&slots, apic, apic);
    return slots;
}

static void refuse(enum session_error error, struct out *problems)
{
    sentence(problems, "these settings cannot run here: %s", session_error_text(error));
}

/* Lists the boot core first, worker or not, then the other chosen cores. */
static void name_cores(struct passes *passes, const struct run *run)
{
    unsigned worker = 0;
    bool boot_works = run->cores.core[0] == 0;

    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        core->worker = i || boot_works;
        core->own_code = run->code.file ? &run->code.told : NULL;
        core->cpu = run->cores.core[boot_works || !i ? i : i - 1];
        core->node = i ? run->cores.node[boot_works ? i : i - 1] : run->cores.boot_node;
        if (!core->worker)
            core->cpu = 0;
        core->workload = run->workload;
        memcpy(core->params, run->params, sizeof(core->params));
        core->params[WORKLOAD_CORES] = run->cores.count;
        core->params[WORKLOAD_CORE] = worker;
        core->prepares = core->checks = core->worker && (!run->workload->shared || worker == 0);
        worker += core->worker;
    }
}

/* Returns which counters a working core leaves to earlier ones: those of its node and core complex, and its processor's
 * energy. Unknown ones may be shared with an earlier core. Firmware may call parts of a processor nodes that have one
 * data fabric (CPUID 8000_001Eh ECX[10:8] then says one node): its counters belong to the processor. */
static unsigned shares_of(const struct passes *passes, const struct run *run, unsigned core)
{
    const struct cores *cores = &run->cores;
    uint32_t first = passes->cores - cores->count, n = core - first;
    bool several = run->machine->nodes.of_processor > 1;
    unsigned shares = 0;

    for (uint32_t before = 0; core > first && before < n; before++) {
        bool processor = cores->processor[before] == cores->processor[n] || cores->processor[n] == PROCESSOR_UNKNOWN;
        bool node = cores->node[before] == cores->node[n] || cores->node[n] == NODE_UNKNOWN;

        if (cores->complex[before] == cores->complex[n] || cores->complex[n] == COMPLEX_UNKNOWN)
            shares |= OUTER_SHARED_COMPLEX;
        if (several ? node : processor)
            shares |= OUTER_SHARED_NODE;
        if (processor)
            shares |= OUTER_SHARED_PROCESSOR;
    }
    return shares;
}

/* Prints one line, for the first core whose memory is not on its node with 'auto': the node was full, or is not
 * known. */
static void tell_elsewhere(const struct passes *passes, struct out *problems)
{
    const struct passes_core *first = NULL;
    unsigned cores = 0;

    for (unsigned i = 0; i < passes->cores; i++) {
        const struct passes_core *core = &passes->core[i];

        if (!core->worker || passes->workload->shared || core->arena_node == core->node ||
            core->arena_node == NODE_UNKNOWN)
            continue;
        first = first ? first : core;
        cores++;
    }
    if (!first)
        return;
    if (first->node == NODE_UNKNOWN)
        sentence(problems, "memory = auto: the node of core %u is not known; its workload has memory of node %d%s",
                 first->cpu, first->arena_node, cores > 1 ? ", likewise for other cores" : "");
    else
        sentence(problems, "memory = auto: no room on node %d of core %u; its workload has memory of node %d%s",
                 first->node, first->cpu, first->arena_node, cores > 1 ? ", likewise for other cores" : "");
}

/* Takes arenas: one for each core, or the first worker's for all. Cores that do not work get a substitute. */
static bool take_arenas(struct passes *passes, struct pool *pool, const struct run *run, size_t size,
                        struct place_block *blocks, struct out *problems)
{
    const struct nodes *nodes = &run->machine->nodes;
    const struct place_need need = {"the workload", size, ARENA_ALIGNMENT, run->place.how != PLACE_AUTO};
    bool shared = passes->workload->shared;
    unsigned count = shared ? 1 : passes->cores, first = passes->core[0].worker ? 0 : 1;

    for (unsigned i = 0; i < count; i++) {
        const struct passes_core *core = &passes->core[shared ? first : i];

        if (core->worker && !place_possible(&run->place, nodes, core->cpu, core->node, problems))
            return false;
        blocks[i].node = place_of(&run->place, nodes, core->node);
    }
    if (!place_take(pool, nodes, &need, blocks, count, problems))
        return false;
    for (unsigned i = 0; i < passes->cores; i++) {
        uint64_t physical = (uint64_t)(uintptr_t)blocks[shared ? 0 : i].memory;

        passes->core[i].plan.place.paging.physical = physical;
        passes->core[i].arena_node = nodes_of_address(nodes, physical);
    }
    if (run->place.how == PLACE_AUTO && nodes_matter(nodes))
        tell_elsewhere(passes, problems);
    return true;
}

/* Places each core's block on its own node, if that has room. */
static void near_cores(const struct passes *passes, const struct nodes *nodes, struct place_block *blocks)
{
    for (unsigned i = 0; i < passes->cores; i++)
        blocks[i].node = place_of(&(struct place){.how = PLACE_AUTO}, nodes, passes->core[i].node);
}

/* Takes memory for data beside the records: of all passes, and of each core's ring if there are several cores. Returns
 * NULL if there is none. */
static void *take_beside(struct passes *passes, struct pool *pool, const struct run *run, struct place_block *blocks,
                         size_t bytes, const char *what, struct out *problems)
{
    const struct nodes *nodes = &run->machine->nodes;
    const struct place_need need = {what, passes->ring * bytes, POOL_PAGE, false};
    unsigned first = passes->cores - passes->workers;
    void *all;

    near_cores(passes, nodes, blocks);
    blocks[0].memory = all =
        pool_take_on(pool, nodes, blocks[0].node, false, passes->capacity * bytes, POOL_PAGE, what, problems);
    if (!all || (passes->cores > 1 && !place_take(pool, nodes, &need, blocks + first, passes->workers, problems)))
        return NULL;
    return all;
}

static bool take_stacks(struct passes *passes, struct pool *pool, const struct run *run, struct place_block *blocks,
                        struct out *problems)
{
    passes->stacks =
        take_beside(passes, pool, run, blocks, sizeof(*passes->stacks), "the call stacks of samples", problems);
    for (unsigned i = 0; i < passes->cores && passes->stacks; i++)
        passes->core[i].stacks = blocks[i].memory;
    return passes->stacks;
}

static bool take_branches(struct passes *passes, struct pool *pool, const struct run *run, struct place_block *blocks,
                          struct out *problems)
{
    if (!run->machine->branches) {
        refuse(SESSION_NO_BRANCHES, problems);
        return false;
    }
    passes->branches =
        take_beside(passes, pool, run, blocks, sizeof(*passes->branches), "the branch records of samples", problems);
    for (unsigned i = 0; i < passes->cores && passes->branches; i++)
        passes->core[i].branches = blocks[i].memory;
    return passes->branches;
}

/* Takes the memory that only one core uses, on its node if that has room. */
static bool take_own(struct passes *passes, struct pool *pool, const struct run *run, size_t tables_size,
                     struct place_block *blocks, struct out *problems)
{
    const struct nodes *nodes = &run->machine->nodes;
    size_t ring = (size_t)passes->ring * sizeof(struct sample_record);
    const struct place_need needs[] = {{"page tables", tables_size, POOL_PAGE, false},
                                       {"exception stacks", session_workspace_size(), POOL_PAGE, false},
                                       {"each core's samples", ring, POOL_PAGE, false}};
    unsigned first = passes->cores - passes->workers; /* that samples */

    near_cores(passes, nodes, blocks);
    if (!place_take(pool, nodes, &needs[0], blocks, passes->cores, problems))
        return false;
    for (unsigned i = 0; i < passes->cores; i++)
        passes->core[i].plan.place.paging.memory = blocks[i].memory;
    if (!place_take(pool, nodes, &needs[1], blocks, passes->cores, problems))
        return false;
    for (unsigned i = 0; i < passes->cores; i++)
        passes->core[i].plan.place.workspace = blocks[i].memory;
    blocks[0].memory = passes->records =
        pool_take_on(pool, nodes, blocks[0].node, false, (size_t)passes->capacity * sizeof(struct sample_record),
                     POOL_PAGE, "the samples", problems);
    if (!passes->records ||
        (passes->cores > 1 && !place_take(pool, nodes, &needs[2], blocks + first, passes->workers, problems)))
        return false;
    for (unsigned i = 0; i < passes->cores; i++) {
        struct passes_core *core = &passes->core[i];

        core->plan.place.records = blocks[i].memory;
        core->records_node = nodes_of_address(nodes, (uint64_t)(uintptr_t)blocks[i].memory);
    }
    return true;
}

bool passes_prepare(struct passes *passes, struct pool *pool, const struct machine *machine, const struct run *run,
                    const struct options *options, struct out *problems)
{
    const struct workload *workload = run->workload;
    unsigned cores = run->cores.count + (run->cores.core[0] != 0), workers = run->cores.count;
    unsigned stacks = workload->shared ? cores : 1;
    uint32_t params[WORKLOAD_VALUES];
    struct place_block *blocks;
    struct paging_slots slots;
    size_t size, tables_size, code_size = options->code_pages == OPTIONS_CODE_4K ? run->image->text_size : 0;

    memcpy(params, run->params, sizeof(params));
    params[WORKLOAD_CORES] = workers;
    size = round_up(workload->arena_size(params), POOL_PAGE) + stacks * SESSION_STACK_BYTES;
    tables_size = paging_memory_needed(size, (enum paging_kind)options->pages) + paging_code_memory_needed(code_size) +
                  paging_own_memory_needed(code_pages(run, 0).pages);
    *passes = (struct passes){.fw = run->fw,
                              .workload = workload,
                              .capacity = (uint32_t)options->records,
                              .limit_ms = limit_ms(machine, options),
                              .cores = cores,
                              .workers = workers};
    passes->ring = passes->capacity / workers ? passes->capacity / workers : 1;
    passes->core = pool_take(pool, sizeof(*passes->core) * cores, POOL_PAGE, "the list of cores", problems);
    passes->members =
        !passes->core ? NULL
                      : pool_take(pool, (sizeof(*passes->members) + sizeof(*blocks)) * cores + sizeof(*passes->gang),
                                  POOL_PAGE, "the cores' start", problems);
    if (!passes->members)
        return false;
    passes->gang = (struct gang *)(passes->members + cores);
    blocks = (struct place_block *)(passes->gang + 1);
    name_cores(passes, run);
    if (!take_arenas(passes, pool, run, size, blocks, problems) ||
        !take_own(passes, pool, run, tables_size, blocks, problems) ||
        (options->call_stack && !take_stacks(passes, pool, run, blocks, problems)) ||
        (options->branches && !take_branches(passes, pool, run, blocks, problems)))
        return false;
    slots = run->code.file ? run->code.slots : passes_slots(run->fw, machine);
    for (unsigned i = 0; i < cores; i++) {
        struct session_place *place = &passes->core[i].plan.place;

        certificate_init(&passes->core[i].certificate, machine, shares_of(passes, run, i));
        *place = (struct session_place){
            .machine = machine,
            .workspace = place->workspace,
            .records = place->records,
            .stack_depth = (uint32_t)options->call_stack,
            .cpu = passes->core[i].cpu,
            .gang = cores > 1 ? passes->gang : NULL,
            .member = i,
            .paging = {.kind = (enum paging_kind)options->pages,
                       .physical = place->paging.physical,
                       .size = size,
                       .shuffle = options->frames,
                       .seed = options->frame_seed,
                       .program = run->image->base,
                       .code = run->image->base + run->image->text_rva,
                       .code_size = code_size,
                       .memory = place->paging.memory,
                       .memory_size = tables_size,
                       .slots = slots,
                       .slot = run->code.slot,
                       .own = code_pages(run, passes->core[i].params[WORKLOAD_CORE])},
            .stack_top = size - (stacks > 1 ? i : 0) * SESSION_STACK_BYTES,
            .power = {.pin = options->pstate != UINT64_MAX,
                      .pstate = (uint8_t)options->pstate,
                      .boost = (uint8_t)options->boost,
                      .cppc = options->cppc == UINT64_MAX ? 0 : (uint8_t)options->cppc,
                      .erratum_721 = options->erratum_721},
            .usb_off = !i && options->usb_legacy == OPTIONS_USB_OFF,
            .silicon = &passes->core[i].silicon,
        };
    }
    passes->core[0].silicon = machine->silicon;
    passes_share_room(passes);
    return true;
}

uint64_t passes_elapsed_us(const struct passes *passes, const struct machine *machine)
{
    const struct session_result *result = &passes->result;

    return machine->tsc_khz && result->tsc_stop > result->tsc_start
               ? (result->tsc_stop - result->tsc_start) * 1000 / machine->tsc_khz
               : 0;
}

uint64_t passes_counted_ticks(const struct passes *passes)
{
    uint64_t ticks = 0;

    for (unsigned i = 0; i < passes->cores; i++)
        if (passes->core[i].worker && passes->core[i].result.pmc.group[0].tsc > ticks)
            ticks = passes->core[i].result.pmc.group[0].tsc;
    return ticks;
}

bool passes_possible(const struct passes *passes, const struct session_program *program, struct out *problems)
{
    struct session_plan plan = {.place = passes->core[0].plan.place, .program = *program};
    enum session_error error;

    plan.place.branches = passes->branches; /* as in plan_core() */
    error = session_check(&plan);

    if (error)
        refuse(error, problems);
    return error == SESSION_OK;
}
