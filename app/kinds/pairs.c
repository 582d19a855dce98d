/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pairs of cores: the time of a line from one to the other, the rate at which one reads what the other has written,
 * and the sources.
 *
 * Each pair has two passes, while the other cores wait. In the first, IBS has its longest interval: it disturbs
 * nothing, and makes a model step, which has time only then. In the second it samples often, for the sources.
 */
#include "app/kinds/pairs.h"

#include "app/run/kind.h"
#include "app/base/sentence.h"
#include "core/base/rng.h"
#include "core/family/ibs_regs.h"
#include "core/ibs/ibs_field.h"
#include "drivers/machine/vpmu_query.h"

enum {
    BLOCKS_MODEL = 8,
    PATIENCE_SILICON = 1 << 26, /* more than a tenth of a second */
    PATIENCE_MODEL = 1 << 16,
    PERIOD_SILICON = 4096, /* cycles */
    PERIOD_MODEL = 256,
};

/* Ticks of the last pass, saved by its check: the arena is mapped only during a session. */
static struct two_cores_ticks kept;

static bool keep(const void *arena, const uint32_t *params, struct workload_check *ret_check)
{
    kept = ((const struct two_cores_arena *)arena)->ticks;
    return two_cores.check(arena, params, ret_check);
}

/* ---------------------------------------------------------------- passes */

static struct session_program program_of(const struct run *run, bool sources)
{
    struct session_program program = {0};
    uint32_t often = vpmu_is_model(run->machine) ? PERIOD_MODEL : PERIOD_SILICON;

    if (run->machine->ibs)
        program.ibs = (struct ibs_plan){.op = true,
                                        .op_period = sources ? often : IBS_PERIOD_MAX,
                                        .random = sources,
                                        .seed = rng_part_seed(run->seed, RNG_PASS, run->passes.run)};
    return program;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    bool model = vpmu_is_model(run->machine);
    struct session_program program = program_of(run, true);
    struct pairs_run *pairs;
    size_t cells;

    (void)options;
    if (run->passes.workers < 2) {
        sentence(problems, "config = pairs: needs two cores or more");
        return false;
    }
    pairs = run->own = pool_take(&run->pool, sizeof(*pairs), POOL_PAGE, "the pairs", problems);
    if (!pairs)
        return false;
    *pairs = (struct pairs_run){.workload = two_cores,
                                .blocks = model ? BLOCKS_MODEL : TWO_CORES_BLOCKS,
                                .patience = model ? PATIENCE_MODEL : PATIENCE_SILICON,
                                .count = run->passes.workers,
                                .sampled = run->machine->ibs};
    pairs->workload.check = keep;
    for (unsigned i = 0; i < run->passes.cores; i++)
        run->passes.core[i].workload = &pairs->workload;
    cells = (size_t)pairs->count * (pairs->count - 1) / 2;
    pairs->cell = pool_take(&run->pool, cells * sizeof(*pairs->cell), POOL_PAGE, "the pairs' figures", problems);
    return pairs->cell && passes_possible(&run->passes, &program, problems);
}

/* Sorts ticks in ascending order. */
static void sort(uint64_t *ticks, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint64_t value = ticks[i];
        uint32_t at = i;

        for (; at && ticks[at - 1] > value; at--)
            ticks[at] = ticks[at - 1];
        ticks[at] = value;
    }
}

static void take_ticks(const struct pairs_run *pairs, struct pairs_cell *cell)
{
    struct two_cores_ticks ticks = kept;

    cell->answered = true;
    sort(ticks.hops, pairs->blocks);
    for (unsigned q = 0; q < 3; q++)
        cell->block[q] = (uint32_t)ticks.hops[pairs->blocks * (q + 1) / 4];
    for (unsigned way = 0; way < 2; way++) {
        sort(ticks.read[way], pairs->blocks);
        cell->way[way].ticks = (uint32_t)ticks.read[way][pairs->blocks / 2];
    }
}

/* Counts loads that missed, whose status alone is guaranteed, for their core. */
static void take_sources(const struct run *run, struct pairs_cell *cell, unsigned a, unsigned b)
{
    const struct machine *machine = run->machine;
    const struct ibs_machine of = ibs_machine_of(machine->family, machine->model, machine->ibs_caps);

    for (uint64_t i = 0; i < run->passes.samples; i++) {
        const struct sample_record *record = &run->passes.records[i];
        uint64_t data3 = record->reg[IBS_OP_DATA3];
        int way = record->cpu == pairs_worker(run, b)->cpu ? 0 : record->cpu == pairs_worker(run, a)->cpu ? 1 : -1;

        if (way >= 0 && ibs_ld_op(data3) && ibs_dc_miss(data3))
            cell->way[way].source[ibs_source_of(&of, record->reg[IBS_OP_DATA2])]++;
    }
}

/* Runs a pass of this pair. Only the first one has a noise certificate. */
static bool run_pass(struct run *run, bool sources)
{
    const struct session_program program = program_of(run, sources);
    struct passes *passes = &run->passes;

    passes->samples = 0; /* samples of the earlier pass are already counted */
    passes_share_room(passes);
    return passes->run ? passes_run_plain(passes, &program) : passes_run(passes, &program);
}

static bool measure_pair(struct run *run, unsigned a, unsigned b)
{
    struct pairs_run *pairs = run->own;
    struct pairs_cell *cell = pairs_cell(pairs, a, b);
    unsigned wrong = run->passes.incorrect;

    for (unsigned i = 0; i < run->passes.cores; i++) {
        uint32_t *params = run->passes.core[i].params;

        params[TWO_CORES_PARAM_BLOCKS] = pairs->blocks;
        params[TWO_CORES_PARAM_PATIENCE] = pairs->patience;
        params[TWO_CORES_PARAM_FIRST] = a;
        params[TWO_CORES_PARAM_SECOND] = b;
    }
    if (!run_pass(run, false))
        return false;
    if (run->passes.incorrect == wrong)
        take_ticks(pairs, cell);
    if (!pairs->sampled)
        return true;
    if (!run_pass(run, true))
        return false;
    take_sources(run, cell, a, b);
    return true;
}

static unsigned passes(const struct run *run)
{
    const struct pairs_run *pairs = run->own;

    return pairs->count * (pairs->count - 1) / 2 * (1 + pairs->sampled);
}

static void measure(struct run *run)
{
    struct pairs_run *pairs = run->own;
    bool good = true;

    for (unsigned b = 1; b < pairs->count; b++)
        for (unsigned a = 0; a < b; a++) {
            good = good && measure_pair(run, a, b);
            pairs->unanswered += !pairs_cell(pairs, a, b)->answered;
        }
    run->passes.samples = 0;
}

KIND(kind_pairs, 55) = {
    .name = "pairs",
    .title = "Distances between cores",
    .explanation = "Each pair of cores (all, or those of 'cores') passes a cache line back and\n"
                   "forth, then each reads what the other has written: ticks per hop, bytes per\n"
                   "tick, and by IBS, if there is one, which part answered. Writes pairs.csv.\n",
    .anywhere = true,
    .workload = &two_cores,
    .all_cores = true,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .settings = pairs_settings,
    .tables = pairs_tables,
    .facts = pairs_facts,
    .csv_name = "pairs.csv",
    .csv = pairs_csv,
};
