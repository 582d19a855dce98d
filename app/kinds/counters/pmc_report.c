/* SPDX-License-Identifier: BSD-2-Clause */
#include "app/kinds/shared/events.h"
#include "app/kinds/counters/pmc.h"
#include "app/kinds/shared/sampled.h"
#include "app/base/sentence.h"
#include "core/base/stats.h"
#include "core/view/view.h"

enum { MILLION = 1000000 };

static void turns_taken(struct out *out, const struct run *run)
{
    uint64_t least, most;

    measure_pmc_turns(run, &least, &most);
    out_printf(out, "taking turns of %lu us in one run\n", run->pmc.slice_us);
    out_printf(out, "Turns         %lu", least);
    if (most > least)
        out_printf(out, " to %lu", most);
    out_printf(out, " of each group\n");
}

void pmc_settings(struct out *out, const struct run *run)
{
    const struct task *task = &run->task;
    unsigned counted = 0, measured = 0;

    for (unsigned i = 0; i < task->list.count; i++) {
        counted += task->counted[i];
        measured += task->measure_period[i];
    }
    out_printf(out, "Events        %u in %u group%s of up to 4, ", counted, task->groups.count,
               task->groups.count == 1 ? "" : "s");
    if (task->groups.count == 1)
        out_printf(out, "all in one run\n");
    else if (task->sharing == EVENT_SHARING_MULTIPLEX)
        turns_taken(out, run);
    else
        out_printf(out, "each in its own run\n");
    if (measured)
        out_printf(out,
                   "Periods       %u from a preceding counting run: up to %u samples per event,\n              and at "
                   "most one in %u ops: each interrupt disturbs the run\n",
                   measured, MEASURE_PMC_SAMPLES, MEASURE_PMC_OPS_PER_SAMPLE);
    else
        out_printf(out, "Periods       as configured\n");
    out_printf(out, "              %s\n",
               run->pmc.random ? "intervals random over up to 1/8 of the period" : "fixed intervals");
    if (task->repeats > 1)
        out_printf(out, "Repeats       %u\n", task->repeats);
}

void pmc_sample_row(struct out *out, const struct run *run, const char *name, enum sample_kind kind)
{
    const struct nmi_counts *counts = &run->passes.counts;
    uint64_t recorded = counts->recorded[kind], outside = 0;

    for (unsigned i = 0; i < run->pmc.profile.event_count; i++)
        outside += run->pmc.profile.event[i].outside;
    out_printf(out, "%-12s%10lu%11lu%11lu%11lu%10lu\n", name, recorded, recorded - outside, run->pmc.in_handler,
               outside - run->pmc.in_handler, counts->lost[kind]);
}

void pmc_random_note(struct out *out, const struct run *run)
{
    if (!run->pmc.random)
        out_printf(out, "WARNING: intervals are not random: a loop is sampled at the same few places.\n");
}

/* Returns the least time that gives each group ten turns. */
static uint64_t least_us(const struct run *run)
{
    return TURNS_LEAST * run->task.groups.count * run->pmc.slice_us;
}

void pmc_begins(struct out *out, const struct run *run)
{
    if (pmc_multiplexed(run))
        sentence(out,
                 "Turns: with less than %lu us of measured time, %u turns of each of %u groups, totals will be LOW.",
                 least_us(run), TURNS_LEAST, run->task.groups.count);
}

static void turns_note(struct out *out, const struct run *run)
{
    uint64_t least, most, ticks = 0;

    if (!pmc_multiplexed(run))
        return;
    measure_pmc_turns(run, &least, &most);
    for (unsigned r = 0; r < run->pmc.repeats; r++)
        for (unsigned g = 0; g < run->task.groups.count; g++)
            ticks += pmc_group_result(run, r, g)->tsc;
    if (least < TURNS_LEAST)
        sentence(out,
                 "NOTE: too short for turns: %lu us were counted, and %lu are needed for %u turns of each group. More "
                 "work, more repeats, or a shorter slice_us.",
                 stats_mul_div(ticks, 1000, run->machine->tsc_khz * run->passes.workers), least_us(run), TURNS_LEAST);
}

void pmc_notes(struct out *out, const struct run *run)
{
    pmc_random_note(out, run);
    turns_note(out, run);
    events_notes(out, &run->task, true);
    sampled_notes(out, run->pmc.repeats, run->task.repeats, run->passes.counts.recorded[SAMPLE_PMC],
                  "shorter periods in 'events'");
}

/* ---------------------------------------------------------------- totals */

/* Notes the marks that the legend below the totals explains. */
struct told {
    bool low, unseen;
};

static void total_of_turns(struct out *out, const struct run *run, unsigned event, uint64_t mean, struct told *told)
{
    struct turns_estimate estimate;
    bool low;

    measure_pmc_estimate(run, event, &estimate);
    low = estimate.reliability_ppm < TURNS_RELIABLE_PPM;
    if (estimate.unseen)
        out_printf(out, "%14s", "none seen");
    else
        out_printf(out, "%14lu", mean);
    if (estimate.error_ppm)
        out_printf(out, "%8lu", estimate.turns);
    else
        out_printf(out, "%8s", "always");
    if (estimate.error_ppm < MILLION)
        out_ratio(out, estimate.error_ppm, MILLION, 100, 1, 8);
    out_printf(out, estimate.error_ppm < MILLION ? "%%" : "  unknown");
    out_ratio(out, estimate.reliability_ppm, MILLION, 1, 2, 6);
    out_printf(out, "%s\n", low ? " LOW" : "");
    told->low |= low;
    told->unseen |= estimate.unseen;
}

static void total(struct out *out, const struct run *run, unsigned event, struct told *told)
{
    int columns = pmc_multiplexed(run) ? 14 : 16;
    uint32_t spread;
    uint64_t mean;

    events_name(out, &run->task.list.spec[event]);
    if (!run->task.counted[event]) {
        out_printf(out, "%*s\n", columns, "not modelled");
    } else if (!measure_pmc_mean(run, event, &mean, &spread)) {
        out_printf(out, "%*s\n", columns, "not counted");
    } else if (pmc_multiplexed(run)) {
        total_of_turns(out, run, event, mean, told);
    } else {
        out_printf(out, "%16lu", mean);
        if (run->pmc.repeats > 1)
            out_ratio(out, spread, MILLION, 100, 2, 11);
        else
            out_printf(out, "%11s", "-");
        out_printf(out, run->pmc.repeats > 1 ? "%%\n" : "\n");
    }
}

/* Prints the counters' own totals beside the estimates from samples: they have no sampling error, only that of taking
 * turns. */
static void totals(struct out *out, const struct run *run)
{
    struct told told = {0};

    out_printf(out, "\nCounted while sampling, per run of the workload\n");
    if (pmc_multiplexed(run))
        out_printf(out, "%-*s%14s%8s%9s%6s\n", EVENTS_NAME_COLUMNS, "Event", "total", "turns", "+-95%", "MUX");
    else
        out_printf(out, "%-*s%16s%12s\n", EVENTS_NAME_COLUMNS, "Event", "total", "run-to-run");
    for (unsigned i = 0; i < run->task.list.count; i++)
        total(out, run, i, &told);
    out_printf(out, "By the counters themselves, including each interrupt handler's entry and exit.\n");
    if (!pmc_multiplexed(run))
        return;
    out_printf(out, "+-95%%: from the number of turns, their part of the time, and their differences.\n"
                    "MUX: 1 - this error; LOW: below 0.9, always so with fewer than ten turns.\n");
    if (told.low)
        out_printf(out, "More work, more repeats, or shorter turns (slice_us) make figures reliable.\n");
    if (told.unseen)
        out_printf(out, "none seen: none in these turns; there may have been some between them.\n");
}

/* ---------------------------------------------------------------- views */

/* Returns whether to show a view: the configuration's own ones; for freely chosen events, those that have all they
 * need. */
static bool shown(const struct run *run, const struct view *view)
{
    return run->task.events_chosen ? view_measured(view, &run->pmc.profile) : config_prints(run->task.config, view);
}

void pmc_views(struct out *out, const struct run *run)
{
    static const enum profile_level levels[] = {PROFILE_INSTRUCTIONS, PROFILE_LINES, PROFILE_FUNCTIONS};
    const struct view_options sums = {.no_footnote = true};

    for (unsigned l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
        for (unsigned v = 0; v < view_count_pmc; v++) {
            struct view part;

            if (!view_with_events(&view_table_pmc[v], run->pmc.profile.set, &part) || !shown(run, &part))
                continue;
            out_printf(out, "\n");
            view_print_pmc(out, &part, &run->pmc.profile, levels[l], l == 0 ? NULL : &sums);
        }
    }
}

void pmc_tables(struct out *out, const struct run *run)
{
    out_printf(out, "\n");
    pmc_profile_print_events(out, &run->pmc.profile);
    totals(out, run);
    if (run->task.events_chosen)
        pmc_samples_tables(out, run);
    pmc_views(out, run);
}
