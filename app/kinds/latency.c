/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Latency of loads by the size of a list, and by the node of its memory: a walk along pointers in random order.
 *
 * Each list has two passes that walk until the caches are full, and two that walk some hops farther: the difference of
 * their times is these hops alone, without what starting costs. Nothing samples in them; but on a model, which has
 * time only while it steps, IBS runs with its longest interval. In a last pass IBS samples often, for DcMissLat and
 * the sources.
 */
#include "app/kinds/latency.h"

#include "app/base/sentence.h"
#include "app/run/kind.h"
#include "core/base/mem.h"
#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/ibs/ibs_field.h"
#include "drivers/machine/vpmu_query.h"

enum {
    HOPS_SILICON = 1 << 18,
    HOPS_MODEL = 1 << 12,
    LAP_SILICON = LATENCY_MOST_KB << 4, /* once around the longest list */
    LAP_MODEL = 1 << 14,
    PERIOD_SILICON = 4096, /* cycles */
    PERIOD_MODEL = 256,
    L2_KB = 2048, /* largest L2 without an L3: that of a module of Family 15h */
    ALIGNMENT = 2 << 20,
    LINE = 64,
    WALKS = 2,
    CYCLES = 1 << 16, /* range of IbsDcMissLat */
};

/* Parameters of pointer-chase. */
enum { HOPS, KB };

uint32_t latency_most_kb(const struct machine *machine)
{
    uint32_t sharers = machine->topology.sharers, kb = machine->l3_kb, most = LATENCY_LEAST_KB;

    if (sharers && sharers < machine->cores)
        kb = (uint32_t)((uint64_t)kb * sharers / machine->cores);
    kb = kb > L2_KB ? kb : L2_KB;
    while (most < LATENCY_MOST_KB && most / 4 < kb)
        most *= 2;
    return most;
}

/* ---------------------------------------------------------------- memory */

/* Lists the nodes whose memory is walked: all, or that of the setting 'memory'. */
static unsigned list_nodes(const struct run *run, struct latency_node *list)
{
    const struct nodes *nodes = &run->machine->nodes;
    unsigned count = 0;

    if (!nodes_matter(nodes) || run->place.how != PLACE_AUTO) {
        list[0].node = place_of(&run->place, nodes, run->passes.core[0].node);
        return 1;
    }
    for (int node = 0; node < NODES_MAX; node++) {
        bool has = false;

        for (uint32_t i = 0; i < nodes->ranges; i++)
            has |= nodes->range[i].node == (uint32_t)node;
        if (has)
            list[count++].node = node;
    }
    return count;
}

/* Takes an arena for the largest list on each node, and page tables for one. */
static bool take_memory(struct run *run, struct latency_run *latency, uint32_t most_kb, struct out *problems)
{
    struct session_place *place = &run->passes.core[0].plan.place;
    const uint32_t params[WORKLOAD_VALUES] = {[KB] = most_kb};
    size_t size = run->workload->arena_size(params) + SESSION_STACK_BYTES;

    for (unsigned i = 0; i < latency->nodes; i++) {
        struct latency_node *node = &latency->node[i];

        node->physical = (uint64_t)(uintptr_t)pool_take_on(&run->pool, &run->machine->nodes, node->node, true, size,
                                                           ALIGNMENT, "the lists", problems);
        if (!node->physical)
            return false;
    }
    place->paging.size = place->stack_top = size;
    place->paging.memory_size =
        paging_memory_needed(size, place->paging.kind) + paging_code_memory_needed(place->paging.code_size);
    place->paging.memory =
        pool_take(&run->pool, place->paging.memory_size, POOL_PAGE, "the lists' page tables", problems);
    return place->paging.memory;
}

static struct session_program program_of(const struct run *run, bool often)
{
    bool model = vpmu_is_model(run->machine);
    struct session_program program = {0};

    if (run->machine->ibs && (often || model))
        program.ibs = (struct ibs_plan){.op = true,
                                        .op_period = !often  ? IBS_PERIOD_MAX
                                                     : model ? PERIOD_MODEL
                                                             : PERIOD_SILICON,
                                        .random = often,
                                        .seed = rng_part_seed(run->seed, RNG_PASS, run->passes.run)};
    return program;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct session_program program = program_of(run, true);
    bool model = vpmu_is_model(run->machine);
    uint32_t most = latency_most_kb(run->machine);
    struct latency_run *latency = run->own =
        pool_take(&run->pool, sizeof(*latency), POOL_PAGE, "the latencies", problems);

    (void)options;
    if (!latency)
        return false;
    *latency = (struct latency_run){.hops = model ? HOPS_MODEL : HOPS_SILICON,
                                    .lap = model ? LAP_MODEL : LAP_SILICON,
                                    .sampled = run->machine->ibs};
    latency->node =
        pool_take(&run->pool, NODES_MAX * sizeof(*latency->node), POOL_PAGE, "the nodes' latencies", problems);
    latency->count = pool_take(&run->pool, CYCLES * sizeof(*latency->count), POOL_PAGE, "loads by latency", problems);
    if (!latency->node || !latency->count)
        return false;
    latency->nodes = list_nodes(run, latency->node);
    for (uint32_t kb = LATENCY_LEAST_KB; kb <= most; kb *= 2, latency->sizes++)
        for (unsigned i = 0; i < latency->nodes; i++)
            latency->node[i].row[latency->sizes].kb = kb;
    return take_memory(run, latency, most, problems) && passes_possible(&run->passes, &program, problems);
}

/* ---------------------------------------------------------------- passes */

/* Returns the fewest cycles that a share of the loads, in quarters, does not exceed. */
static uint32_t quartile(const struct latency_run *latency, uint64_t loads, unsigned quarters)
{
    uint64_t below = 0;
    uint32_t cycles = 0;

    while ((below += latency->count[cycles]) * 4 < loads * quarters)
        cycles++;
    return cycles;
}

/* Counts loads that missed, whose status alone is guaranteed. Skips the loads of hops that fill the caches. */
static void take_loads(const struct run *run, struct latency_run *latency, struct latency_row *row, uint32_t lap)
{
    const struct machine *machine = run->machine;
    const struct ibs_machine of = ibs_machine_of(machine->family, machine->model, machine->ibs_caps);
    uint64_t samples = run->passes.samples;

    memset(latency->count, 0, CYCLES * sizeof(*latency->count));
    for (uint64_t i = samples * lap / (lap + latency->hops); i < samples; i++) {
        const struct sample_record *record = &run->passes.records[i];
        uint64_t data3 = record->reg[IBS_OP_DATA3];

        if (record->kind != SAMPLE_OP || !ibs_ld_op(data3) || !ibs_dc_miss(data3))
            continue;
        row->loads++;
        row->cycles += ibs_dc_miss_lat(data3);
        row->source[ibs_source_of(&of, record->reg[IBS_OP_DATA2])]++;
        latency->count[ibs_dc_miss_lat(data3)]++;
    }
    for (unsigned q = 0; row->loads && q < 3; q++)
        row->quartile[q] = quartile(latency, row->loads, q + 1);
}

/* Walks so many hops. Returns their ticks; 0: the pass failed. Only the first walk has a noise certificate. */
static uint64_t walk(struct run *run, uint32_t hops, bool often)
{
    const struct session_program program = program_of(run, often);
    struct passes *passes = &run->passes;

    passes->core[0].params[HOPS] = hops;
    passes->samples = 0; /* samples of the earlier pass are already counted */
    passes_share_room(passes);
    if (!(passes->run ? passes_run_plain(passes, &program) : passes_run(passes, &program)))
        return 0;
    return passes->result.tsc_stop - passes->result.tsc_start;
}

/* Returns the fewest ticks of some walks without samples: the first one may find code outside of the caches, and an SMI
 * may hit any. */
static uint64_t walk_undisturbed(struct run *run, uint32_t hops)
{
    uint64_t least = UINT64_MAX;

    for (unsigned i = 0; i < WALKS && least; i++) {
        uint64_t ticks = walk(run, hops, false);

        least = ticks < least ? ticks : least;
    }
    return least;
}

static bool measure_list(struct run *run, const struct latency_node *node, struct latency_row *row)
{
    struct latency_run *latency = run->own;
    struct passes_core *core = &run->passes.core[0];
    uint32_t lines = row->kb * (1024 / LINE), lap = lines < latency->lap ? lines : latency->lap;
    uint64_t less, more;

    core->params[KB] = row->kb;
    core->plan.place.paging.physical = node->physical;
    core->arena_node = nodes_of_address(&run->machine->nodes, node->physical);
    less = walk_undisturbed(run, lap);
    more = less ? walk_undisturbed(run, lap + latency->hops) : 0;
    row->ticks = more > less ? more - less : 0;
    if (!more || (latency->sampled && !walk(run, lap + latency->hops, true)))
        return false;
    if (latency->sampled)
        take_loads(run, latency, row, lap);
    return true;
}

static unsigned passes(const struct run *run)
{
    const struct latency_run *latency = run->own;

    return latency->sizes * latency->nodes * (2 * WALKS + latency->sampled);
}

static void measure(struct run *run)
{
    struct latency_run *latency = run->own;
    bool good = true;

    for (unsigned size = 0; size < latency->sizes; size++)
        for (unsigned n = 0; n < latency->nodes; n++)
            good = good && measure_list(run, &latency->node[n], &latency->node[n].row[size]);
    run->passes.samples = 0;
}

KIND(kind_latency, 56) = {
    .name = "latency",
    .title = "Latency of loads by size and node of memory",
    .explanation = "A walk along pointers in random order, in lists of 16 KB to four times the L3,\n"
                   "in the memory of each node: ticks per load without sampling, and by IBS, if\n"
                   "there is one, the latency of misses and which part answered. pages=2m avoids\n"
                   "page walks. Writes latency.csv.\n",
    .anywhere = true,
    .uses = "pointer-chase",
    .uses_params = {HOPS_MODEL, LATENCY_LEAST_KB},
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .settings = latency_settings,
    .tables = latency_tables,
    .facts = latency_facts,
    .csv_name = "latency.csv",
    .csv = latency_csv,
};
