#include "app/facts.h"
#include "app/kinds/events.h"
#include "app/kinds/pmc.h"
#include "core/csv.h"

enum { MILLION = 1000000 };

/* "event.3.samples" */
static void event_fact(struct out *out, unsigned event, const char *key, uint64_t value)
{
    out_printf(out, "#: event.%u.%s = %llu\n", event, key, (unsigned long long)value);
}

static void sampled_event(struct out *out, const struct run *run, unsigned event)
{
    const struct pmc_profile_event *row = &run->pmc.profile.event[event];
    uint32_t active = pmc_profile_active_ppm(row);
    uint64_t total;

    events_fact(out, &run->task, event);
    if (!run->task.counted[event]) {
        out_printf(out, "#: event.%u.state = not modelled\n", event);
        return;
    }
    event_fact(out, event, "period", row->period);
    event_fact(out, event, "active_ppm", active);
    event_fact(out, event, "weight", active ? (row->period * MILLION + active / 2) / active : 0);
    event_fact(out, event, "runs", row->runs);
    event_fact(out, event, "samples", row->samples);
    event_fact(out, event, "estimate", pmc_profile_estimate(row, row->samples));
    event_fact(out, event, "interval_ppm", pmc_profile_interval_ppm(row->samples));
    event_fact(out, event, "outside", row->outside);
    event_fact(out, event, "lost", run->pmc.lost[event]);
    event_fact(out, event, "reliability_ppm", measure_pmc_reliability_ppm(run, event));
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        if (measure_pmc_total(run, event, r, &total))
            out_printf(out, "#: event.%u.total.%u = %llu\n", event, r, (unsigned long long)total);
}

void pmc_facts(struct out *out, const struct run *run)
{
    save_fact(out, "groups", run->task.groups.count);
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        for (unsigned g = 0; g < run->task.groups.count; g++)
            out_printf(out, "#: group.%u.run.%u = %llu ticks, %llu slices\n", g, r,
                       (unsigned long long)run->pmc.group[r * run->task.groups.count + g].tsc,
                       (unsigned long long)run->pmc.group[r * run->task.groups.count + g].slices);
    save_fact(out, "samples.pmc", run->passes.counts.recorded[SAMPLE_PMC]);
    save_fact(out, "samples.pmc_lost", run->passes.counts.lost[SAMPLE_PMC]);
    for (unsigned i = 0; i < run->task.list.count; i++)
        sampled_event(out, run, i);
}

void pmc_csv(struct out *out, const struct run *run)
{
    csv_write_pmc_profile(out, &run->pmc.profile);
}
