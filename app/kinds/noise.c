/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/noise.h"

#include "app/run/kind.h"
#include "drivers/cpu/cpu.h"
#include "drivers/machine/quiet.h"
#include "drivers/machine/vpmu_query.h"
#include "noise/loops.h"

enum {
    MS_SILICON = 10000,
    MS_MODEL = 1, /* a model steps each instruction: 1 ms takes seconds */
    QUANTA_SILICON = 10000,
    QUANTA_MODEL = 20,
    WORK_SILICON = 20000,
    WORK_MODEL = 500,
    GAPS = 4096, /* gaps that determine the usual one */
    GAPS_MODEL = 64,
    WARM_UP = 64, /* part of the time before, for warming up */
};

/* ---------------------------------------------------------------- what stands for the workload */

/* Stands in for a workload; the session calls alone() instead. */
static const struct workload workload = {
    .name = "noise",
    .title = "no workload: only the loops that detect noise",
    .shows = "what takes time from a program",
    .kernel = "noise_detour_loop",
    .unit = "run",
    .unit_ops = 1,
    .arena_size = kind_one_page,
    .work = kind_one_piece,
};

/* ---------------------------------------------------------------- memory */

static uint64_t chosen(uint64_t given, bool model, uint64_t on_model, uint64_t on_silicon)
{
    return given ? given : model ? on_model : on_silicon;
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    struct noise *noise = run->own = pool_take(&run->pool, sizeof(struct noise), POOL_PAGE, "the results", problems);
    bool model = vpmu_is_model(run->machine);
    size_t gaps_size = (size_t)options->noise_detours * sizeof(struct noise_gap);
    struct noise_gap *gaps;

    if (!noise)
        return false;
    noise->duration_ms = chosen(options->noise_ms, model, MS_MODEL, MS_SILICON);
    noise->quanta = chosen(options->noise_quanta, model, QUANTA_MODEL, QUANTA_SILICON);
    noise->work = chosen(options->noise_work, model, WORK_MODEL, WORK_SILICON);
    noise->usual_gaps = model ? GAPS_MODEL : GAPS;
    if (!run->machine->tsc_khz) {
        out_printf(problems, "config = noise: the TSC's rate is not known\n");
        return false;
    }
    gaps = pool_take(&run->pool, gaps_size * NOISE_REGIMES, POOL_PAGE, "the detours", problems);
    noise->scratch =
        gaps ? pool_take(&run->pool, sizeof(*noise->scratch), POOL_PAGE, "the search for periods", problems) : NULL;
    noise->ticks = noise->scratch
                       ? pool_take(&run->pool, (noise->quanta > GAPS ? noise->quanta : GAPS) * sizeof(*noise->ticks),
                                   POOL_PAGE, "the quanta", problems)
                       : NULL;
    for (unsigned i = 0; gaps && i < NOISE_REGIMES; i++) {
        noise->regime[i].trace.gap = gaps + options->noise_detours * i;
        noise->regime[i].trace.capacity = (uint32_t)options->noise_detours;
    }
    return noise->ticks && passes_possible(&run->passes, &(struct session_program){0}, problems);
}

/* ---------------------------------------------------------------- the regimes */

/* Runs the loops with whatever is on or off. */
static void loops(struct run *run, enum noise_regime which)
{
    struct noise *noise = run->own;
    struct noise_in_regime *regime = &noise->regime[which];
    uint32_t khz = (uint32_t)run->machine->tsc_khz;

    noise_gap_loop(noise->ticks, noise->usual_gaps); /* the second one is warm */
    noise_gap_loop(noise->ticks, noise->usual_gaps);
    noise_thresholds(&regime->trace, noise->ticks, noise->usual_gaps, khz);
    regime->trace.witness = witness_ask;
    regime->trace.context = &regime->witness;
    noise_warm_up(&regime->trace, noise->duration_ms * khz / WARM_UP);
    witness_begin(&regime->witness);
    regime->first = regime->witness.last;
    noise_detour_loop(&regime->trace, noise->duration_ms * khz);
    witness_read(&regime->witness, &regime->last);
    noise_quantum_loop(noise->ticks, 1, noise->work);
    noise_quantum_loop(noise->ticks, noise->quanta, noise->work);
    noise_analyse_quanta(&regime->quanta, noise->ticks, noise->quanta);
    regime->done = true;
}

/* Runs within a session. */
static void alone(void *argument, uint64_t arena)
{
    struct run *run = argument;
    struct noise *noise = run->own;
    struct restore_log *log = &run->passes.core[0].result.restore;

    (void)arena;
    noise->masked = quiet_mask_lvt(run->machine, log);
    witness_open(&noise->regime[NOISE_ALONE].witness, run->machine, (1u << run->machine->pmc.count) - 1, log,
                 session_live(run->passes.core[0].plan.place.workspace));
    loops(run, NOISE_ALONE);
    witness_close(&noise->regime[NOISE_ALONE].witness);
}

/* Runs with the firmware's tables in force; reads what the session found to be readable without an exception. */
static void under_firmware(struct run *run, enum noise_regime which, bool interrupts)
{
    struct noise *noise = run->own;
    struct noise_in_regime *regime = &noise->regime[which];
    bool flag = cpu_flags() & CPU_FLAG_INTERRUPT;

    regime->interrupts_on = flag && interrupts;
    if (flag && !interrupts)
        cpu_cli();
    regime->witness = noise->regime[NOISE_ALONE].witness;
    witness_reopen(&regime->witness);
    loops(run, which);
    witness_close(&regime->witness);
    if (flag && !interrupts)
        cpu_sti();
}

static unsigned passes(const struct run *run)
{
    (void)run;
    return NOISE_REGIMES;
}

/* Begins with everything off, because there the accesses of the other regimes are tried safely. */
static void measure(struct run *run)
{
    struct noise *noise = run->own;
    struct passes *passes = &run->passes;
    struct session_plan plan = {.place = passes->core[0].plan.place, .calls = {.body = alone, .argument = run}};

    plan.place.stack_top = 0; /* the arena's end: all of it is the loops' stack */
    passes_tell(passes, 1);
    passes->run = 1;
    session_run(&plan, &passes->core[0].result);
    passes->result = passes->core[0].result;
    passes->restore_failed = passes->result.restore.failed;
    passes->counts = passes->result.counts;
    passes->spurious_interrupts = passes->result.spurious_interrupts;
    if (!noise->regime[NOISE_ALONE].done)
        return;
    passes_tell(passes, 2);
    under_firmware(run, NOISE_MASKED, false);
    passes_tell(passes, 3);
    under_firmware(run, NOISE_FIRMWARE, true);
    for (unsigned i = 0; i < NOISE_REGIMES; i++)
        noise_analyse(&noise->regime[i].result, &noise->regime[i].trace, (uint32_t)run->machine->tsc_khz,
                      noise->scratch);
    passes->finished = 1;
}

KIND(kind_noise, 50) = {
    .name = "noise",
    .title = "What takes time from a program",
    .explanation = "No workload: a loop that only reads the TSC, then a loop with fixed work, as\n"
                   "in the firmware, with interrupts off, and with everything off that can be off;\n"
                   "'noise_ms' is the time for each. Needs neither IBS nor counters.\n",
    .anywhere = true,
    .workload = &workload,
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .settings = noise_settings,
    .tables = noise_tables,
    .facts = noise_facts,
    .csv_name = "noise.csv",
    .csv = noise_csv,
};
