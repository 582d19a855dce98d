/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/shared/events.h"
#include "app/kinds/counters/pmc.h"
#include "core/profile/csv.h"
#include "core/run/facts.h"

enum { MILLION = 1000000 };

static void sampled_event(struct out *out, const struct run *run, unsigned event)
{
    const struct pmc_profile_event *row = &run->pmc.profile.event[event];
    uint32_t active = pmc_profile_active_ppm(row);
    struct turns_estimate estimate;
    uint64_t total;

    events_fact(out, &run->task, event);
    if (!run->task.counted[event]) {
        fact_text(out, FACT_EVENT_STATE, "not modelled", event);
        return;
    }
    if (!pmc_profile_counted(row)) {
        fact_text(out, FACT_EVENT_STATE, "not measured", event);
        return;
    }
    fact_number(out, FACT_EVENT_PERIOD, row->period, event);
    fact_number(out, FACT_EVENT_ACTIVE, active, event);
    fact_number(out, FACT_EVENT_WEIGHT, active ? (row->period * MILLION + active / 2) / active : 0, event);
    fact_number(out, FACT_EVENT_RUNS, row->runs, event);
    fact_number(out, FACT_EVENT_SAMPLES, row->samples, event);
    fact_number(out, FACT_EVENT_ESTIMATE, pmc_profile_estimate(row, row->samples), event);
    fact_number(out, FACT_EVENT_INTERVAL, pmc_profile_interval_ppm(row->samples), event);
    fact_number(out, FACT_EVENT_OUTSIDE, row->outside, event);
    fact_number(out, FACT_EVENT_LOST, run->pmc.lost[event], event);
    measure_pmc_estimate(run, event, &estimate);
    fact_number(out, FACT_EVENT_TURNS, estimate.turns, event);
    fact_number(out, FACT_EVENT_ERROR, estimate.error_ppm, event);
    fact_number(out, FACT_EVENT_RELIABILITY, estimate.reliability_ppm, event);
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        if (measure_pmc_total(run, event, r, &total))
            fact_number(out, FACT_EVENT_TOTAL, total, event, r);
}

void pmc_facts(struct out *out, const struct run *run)
{
    fact_number(out, FACT_REPEATS, run->pmc.repeats);
    fact_number(out, FACT_GROUPS, run->task.groups.count);
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        for (unsigned g = 0; g < run->task.groups.count; g++) {
            fact_begin(out, FACT_GROUP_RUN, g, r);
            out_printf(out, " %lu ticks, %lu slices\n", run->pmc.group[r * run->task.groups.count + g].tsc,
                       run->pmc.group[r * run->task.groups.count + g].slices);
        }
    fact_number(out, FACT_SAMPLES_PMC, run->passes.counts.recorded[SAMPLE_PMC]);
    fact_number(out, FACT_SAMPLES_PMC_LOST, run->passes.counts.lost[SAMPLE_PMC]);
    for (unsigned i = 0; i < run->task.list.count; i++)
        sampled_event(out, run, i);
}

void pmc_csv(struct out *out, const struct run *run)
{
    csv_write_pmc_profile(out, &run->pmc.profile);
}
