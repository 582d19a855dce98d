/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples by the APIC timer, in one pass; its samples are in the profile of the counters. */
#include "core/run/facts.h"
#include "core/base/rng.h"
#include "app/run/kind.h"
#include "app/kinds/counters/pmc.h"
#include "app/kinds/shared/sampled.h"
#include "app/run/reference.h"
#include "app/base/sentence.h"

/* Each repeat has other random intervals. */
static struct session_program sampling(const struct run *run, unsigned repeat)
{
    return (struct session_program){.timer = {.period = run->task.timer_us,
                                              .random = run->pmc.random,
                                              .seed = rng_part_seed(run->seed, RNG_PASS, repeat)}};
}

static bool prepare(struct run *run, const struct options *options, struct out *problems)
{
    const struct session_program program = sampling(run, 0);

    return pmc_take_profile(run, 1, options, problems) && passes_possible(&run->passes, &program, problems);
}

static unsigned passes(const struct run *run)
{
    const struct session_program program = sampling(run, 0);
    unsigned sampled, before = run->reference ? reference_passes(run, false, &program, NULL, &sampled) + sampled : 0;

    return before + run->task.repeats;
}

static void measure(struct run *run)
{
    struct run_pmc *pmc = &run->pmc;

    (void)pmc_profile_init(&pmc->profile, run->map, run->map_base, NULL, run->task.timer_us, pmc->memory,
                           pmc->size); /* prepared for this size */
    if (run->reference) {
        const struct session_program program = sampling(run, 0);

        reference_undisturbed(run, false);
        reference_sampled(run, &program, NULL, false);
    }
    for (bool good = true; good && pmc->repeats < run->task.repeats; pmc->repeats += good) {
        const struct session_program program = sampling(run, pmc->repeats);
        uint64_t first = run->passes.samples;

        good = passes_run(&run->passes, &program);
        pmc_add_records(run, first);
    }
    pmc->timer_settings = run->passes.result.timer;
    pmc_profile_ran(&pmc->profile, (unsigned)pmc_profile_timer(&pmc->profile), 1, 1);
    reference_time(run, false);
    run->disturbance.passes = pmc->repeats;
}

/* Returns the expected number if each op takes a cycle of the TSC; ops that wait for memory give more. */
static uint64_t expects(const struct run *run)
{
    uint64_t ops = run->workload->work(run->params) * run->workload->unit_ops;
    uint64_t ticks = run->machine->tsc_khz * run->task.timer_us / 1000; /* TSC ticks between two samples */

    return ticks ? ops / ticks * run->cores.count * run->task.repeats : 0;
}

static void settings(struct out *out, const struct run *run)
{
    out_printf(out, "Timer         1 sample per %u us%s\n", run->task.timer_us,
               run->pmc.random ? ", interval random over up to 1/8 of it" : ", fixed interval");
    if (run->task.repeats > 1)
        out_printf(out, "Repeats       %u\n", run->task.repeats);
}

static void samples(struct out *out, const struct run *run)
{
    pmc_sample_row(out, run, "timer", SAMPLE_TIMER);
}

/* Returns whether there were ticks: an empty table of a part that lasted is no profile. */
static bool ticked(const struct run *run)
{
    return run->passes.counts.recorded[SAMPLE_TIMER] || run->passes.counts.lost[SAMPLE_TIMER] ||
           passes_elapsed_us(&run->passes, run->machine) < 4 * (uint64_t)run->task.timer_us;
}

/* A lost core has its own line, and may have been lost before the first tick. */
static void checks(struct out *out, const struct run *run)
{
    if (!run->passes.lost && !ticked(run))
        sentence(out, "FAIL ticks: the timer sent no NMI in the %lu us of the measured part",
                 passes_elapsed_us(&run->passes, run->machine));
}

static void tables(struct out *out, const struct run *run)
{
    out_printf(out, "\n");
    if (ticked(run) && !run->passes.counts.recorded[SAMPLE_TIMER] && !run->passes.counts.lost[SAMPLE_TIMER])
        sentence(out,
                 "NOTE: no samples: the measured part took %lu us, and the timer's interval is %u us. More work, or a "
                 "lower timer_us, gives some.",
                 passes_elapsed_us(&run->passes, run->machine), run->task.timer_us);
    pmc_profile_print_events(out, &run->pmc.profile);
    pmc_views(out, run);
}

static void notes(struct out *out, const struct run *run)
{
    pmc_random_note(out, run);
    sampled_notes(out, run->pmc.repeats, run->task.repeats, run->passes.counts.recorded[SAMPLE_TIMER],
                  "a lower timer_us");
}

static void facts(struct out *out, const struct run *run)
{
    fact_number(out, FACT_REPEATS, run->pmc.repeats);
    fact_number(out, FACT_TIMER_US, run->task.timer_us);
    fact_number(out, FACT_TIMER_KHZ, run->pmc.timer_settings.khz);
    fact_number(out, FACT_TIMER_COUNT, run->pmc.timer_settings.count);
    fact_number(out, FACT_SAMPLES_TIMER, run->passes.counts.recorded[SAMPLE_TIMER]);
    fact_number(out, FACT_SAMPLES_TIMER_LOST, run->passes.counts.lost[SAMPLE_TIMER]);
}

const struct kind kind_timer = {
    .prepare = prepare,
    .passes = passes,
    .measure = measure,
    .expects = expects,
    .settings = settings,
    .samples = samples,
    .notes = notes,
    .tables = tables,
    .checks = checks,
    .good = ticked,
    .facts = facts,
    .csv_name = "pmc.csv",
    .csv = pmc_csv,
};
