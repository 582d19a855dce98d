#include "app/save_files.h"

#include "app/measure_pmc.h"
#include "core/csv.h"

enum { MILLION = 1000000 };

/* "event.3.samples" */
static void event_fact(struct out *out, unsigned event, const char *key, uint64_t value)
{
    out_printf(out, "#: event.%u.%s = %llu\n", event, key, (unsigned long long)value);
}

static void event_text(struct out *out, const struct task *task, unsigned event)
{
    out_printf(out, "#: event.%u = ", event);
    event_write(&task->list.spec[event], true, out);
    out_printf(out, "\n#: event.%u.groups =", event);
    for (unsigned g = 0; g < task->groups.count; g++)
        for (unsigned c = 0; c < task->groups.group[g].count; c++)
            if (task->groups.group[g].event[c] == event)
                out_printf(out, " %u", g);
    out_printf(out, "\n");
}

static void sampled_event(struct out *out, const struct run *run, unsigned event)
{
    const struct pmc_profile_event *row = &run->pmc.profile.event[event];
    uint32_t active = pmc_profile_active_ppm(row);
    uint64_t total;

    event_text(out, &run->task, event);
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

void save_pmc_facts(struct out *out, const struct run *run)
{
    if (run->task.kind == TASK_TIMER) {
        save_fact(out, "timer.us", run->task.timer_us);
        save_fact(out, "timer.khz", run->pmc.timer_settings.khz);
        save_fact(out, "timer.count", run->pmc.timer_settings.count);
        save_fact(out, "samples.timer", run->passes.counts.recorded[SAMPLE_TIMER]);
        save_fact(out, "samples.timer_lost", run->passes.counts.lost[SAMPLE_TIMER]);
        return;
    }
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

static void save_expected(struct out *out, const struct run *run)
{
    const struct workload *workload = run->workload;

    if (workload->instructions)
        save_fact(out, "expected.0c0:00", workload->instructions(run->params));
    for (unsigned i = 0; i < WORKLOAD_EXPECTED_MAX && workload->expected[i].select; i++)
        out_printf(out, "#: expected.%03x:%02x = %llu\n", workload->expected[i].select, workload->expected[i].mask,
                   (unsigned long long)workload->expected[i].count(run->params));
}

void save_count_facts(struct out *out, const struct run *run)
{
    save_expected(out, run);
    save_fact(out, "groups", run->task.groups.count);
    save_fact(out, "repeats", run->task.repeats);
    for (unsigned i = 0; i < run->task.list.count; i++)
        event_text(out, &run->task, i);
}

void save_counts(struct file_sink *sink, const struct run *run, const struct options *options)
{
    static const char *const states[] = {
        [COUNTS_NOT_COUNTED] = "not counted", [COUNTS_NOT_MODELLED] = "not modelled", [COUNTS_COUNTED] = "counted"};
    struct out *out = &sink->out;

    (void)options;
    out_printf(out,
               "select,mask,count_mask,event,state,repeats,mean,min,max,cv_ppm,overhead,residue,reliability_ppm\n");
    for (unsigned i = 0; i < run->task.list.count; i++) {
        const struct event_spec *spec = &run->task.list.spec[i];
        struct counts_result result;

        counts_result(&run->counts, i, &result);
        out_printf(out, "%03x,%02x,%u,%s,%s,", spec->event->select, spec->mask, spec->count_mask, spec->event->symbol,
                   states[result.state]);
        if (result.state == COUNTS_COUNTED)
            out_printf(out, "%u,%llu,%llu,%llu,%u,%llu,%llu,%u\n", result.repeats, (unsigned long long)result.mean,
                       (unsigned long long)result.min, (unsigned long long)result.max, result.cv_ppm,
                       (unsigned long long)result.overhead, (unsigned long long)result.residue, result.reliability_ppm);
        else
            out_printf(out, ",,,,,,,\n");
    }
}

void save_pmc_profile(struct file_sink *sink, const struct run *run, const struct options *options)
{
    (void)options;
    csv_write_pmc_profile(&sink->out, &run->pmc.profile);
}
