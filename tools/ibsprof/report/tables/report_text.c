/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/tables/report_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/wrap.h"
#include "core/explore/explore_places.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/read/run_ini.h"
#include "tools/ibsprof/report/json/report_core_trees.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/tables/report_tables.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/profile/no_source.h"

static void print_line(struct out *out, const char *name, const char *text)
{
    if (text[0])
        out_printf(out, "%-10s%s\n", name, text);
}

static uint64_t all_samples(const struct run_profile *profile)
{
    uint64_t all = 0;

    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        all += profile->event_samples[i];
    return all;
}

/* Returns the fetches that looked up an address, by which tables rank, and how many were outside of the workload. */
static uint64_t attempted(const struct run_profile *profile, uint64_t *ret_outside)
{
    *ret_outside = 0;
    for (uint32_t i = 0; i < profile->place_count; i++)
        if (!profile->places[i].workload)
            *ret_outside += profile->places[i].counts[DERIVED_F002_FETCH_ATTEMPTED];
    return profile->totals[DERIVED_F002_FETCH_ATTEMPTED];
}

/* Prints "24452, 0.3 % of them outside of the workload"; with killed fetches, "1239, 111 of them attempted; of these
 * 100.0 % outside of the workload". */
static void samples_line(struct out *out, const struct run_profile *profile, enum sample_kind kind, const char *name)
{
    uint64_t all = profile->samples[kind], outside = profile->outside[kind];
    bool killed = kind == SAMPLE_FETCH && profile->totals[DERIVED_F001_FETCH_KILLED] > 0;

    if (all == 0)
        return;
    if (profile->outside_unknown) {
        out_printf(out, "%-10s%" PRIu64 "; without the run's ELF file it is not known which belong to the workload\n",
                   name, all);
        return;
    }
    out_printf(out, "%-10s%" PRIu64 ", ", name, all);
    if (killed) {
        all = attempted(profile, &outside);
        out_printf(out, "%" PRIu64 " of them attempted; of these ", all);
    }
    out_ratio(out, outside, all, 100, 1, 0);
    out_printf(out, " %%%s outside of the workload\n", killed ? "" : " of them");
}

void report_periods(struct out *out, const struct run_profile *profile, const char *prefix, bool weighted)
{
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        const struct input_event *event = &profile->facts->events[i];

        if (!profile_varies(profile, i))
            continue;
        out_printf(out, "%sPeriods of %s vary, %s: ", prefix, event->name,
                   profile->facts->is_linux ? "as with a frequency (perf record -F)"
                                            : "because each group that counted the event had its own");
        if (weighted && !sample_is_ibs(event->kind))
            out_printf(out, "its samples are weighted by them.\n");
        else
            out_printf(out, "its samples, which are counted here, represent unequal numbers of events. A fixed period "
                            "(-c) avoids this.\n");
    }
}

void report_elapsed(struct out *out, uint64_t us, bool is_model)
{
    if (us)
        out_printf(out, "%-10s%" PRIu64 ".%06u s in the last pass%s\n", "Elapsed", us / 1000000,
                   (unsigned)(us % 1000000), is_model ? ", in the model's time" : "");
}

/* Prints the share of tags without a sample, if the run has counted tags. */
static void tags_line(struct out *out, const struct input_facts *facts)
{
    uint64_t tags = run_number(facts, FACT_IBS_TAGS), sampled = run_number(facts, FACT_IBS_TAGS_SAMPLED);

    if (tags == 0)
        return;
    out_printf(out, "%-10s%" PRIu64 " in a separate pass, ", "Tags", tags);
    out_ratio(out, tags > sampled ? tags - sampled : 0, tags, 100, 1, 0);
    out_printf(out, " %% of them lost to flushes\n");
}

void report_head(struct out *out, const struct run_profile *profile)
{
    const struct input_facts *facts = profile->facts;

    out_printf(out, "%s\n", shown(facts->path));
    if (input_figures(facts))
        out_printf(out, "%s\n", input_figures(facts));
    if (profile->error)
        out_printf(out, "Only the records before are read. %s\n", profile->error);
    report_disturbance_verdict(out, profile);
    report_cause_text(out, profile);
    print_line(out, "Processor", facts->cpu_name);
    if (facts->is_linux && facts->release[0])
        out_printf(out, "%-10sLinux %s\n", "System", facts->release);
    if (profile->comm)
        print_line(out, "Workload", profile->comm);
    else if (facts->is_linux && !facts->workload[0])
        print_line(out, "Workload", "the file names none: everything in user mode (--comm=NAME chooses)");
    else
        print_line(out, "Workload", facts->workload);
    if (facts->is_linux)
        print_line(out, "Command", facts->command);
    if (profile->only && profile->only->core_text)
        print_line(out, "Only core", profile->only->core_text);
    if (profile->only && profile->only->node_text)
        print_line(out, "Only node", profile->only->node_text);
    samples_line(out, profile, SAMPLE_OP, "IBS ops");
    tags_line(out, facts);
    samples_line(out, profile, SAMPLE_FETCH, "Fetches");
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (facts->events[i].not_measured)
            out_printf(out, "%-10snot measured: %s\n", "Samples", facts->events[i].name);
        else if (!sample_is_ibs(facts->events[i].kind))
            out_printf(out, "%-10s%" PRIu64 " of %s\n", "Samples", profile->event_samples[i], facts->events[i].name);
    if (profile->lost)
        out_printf(out, "%-10s%" PRIu64 " samples or records: the profile is not complete\n", "LOST", profile->lost);
    if (profile->throttled)
        out_printf(out, "%-10s%" PRIu64 " times: the kernel stopped sampling for a while, so shares are biased\n",
                   "THROTTLED", profile->throttled);
    report_periods(out, profile, "NOTE      ", true);
    if (profile->samples[SAMPLE_OP] || profile->samples[SAMPLE_FETCH])
        out_printf(out, "Shares of IBS samples are shares of sampled ops or fetches, not of time.\n");
    report_found_ops(out, facts);
    no_source_note(out, profile, "NOTE      ");
    report_elapsed(out, run_number(facts, FACT_ELAPSED), facts->is_model);
    report_disturbance_table(out, profile);
}

/* ---------------------------------------------------------------- tables */

struct tables {
    struct out *out;
    unsigned width;
    const char *object;      /* object of the latest tables */
    const char *zero_object; /* object of the tables with nothing to show: */
    char zero[1024];         /* their titles */
};

/* Names the tables that have nothing to show. */
static void print_zero(struct tables *tables)
{
    if (tables->zero[0]) {
        out_printf(tables->out, "\n");
        wrap_text(tables->out, tables->zero, 0, 0, (int)tables->width);
    }
    tables->zero[0] = '\0';
}

static void note_zero(struct tables *tables, const struct report_table *table)
{
    size_t used = strlen(tables->zero);

    snprintf(tables->zero + used, sizeof(tables->zero) - used, "%s%s",
             used ? ", " : "Zero, and left out: ", table->view->title);
    tables->zero_object = table->object;
}

static void print_table(void *context, const struct report_table *table)
{
    struct tables *tables = context;

    if (table->object != tables->zero_object)
        print_zero(tables);
    if (table->zero) {
        note_zero(tables, table);
        return;
    }
    if (table->several && table->object && table->object != tables->object)
        out_printf(tables->out, "\n%s\n", table->object);
    tables->object = table->object;
    out_printf(tables->out, "\n");
    if (table->ibs)
        view_print(tables->out, table->view, table->ibs, table->level, &table->how);
    else
        view_print_pmc(tables->out, table->view, table->counters, table->level, &table->how);
}

void report_pmc_text(struct out_file *out, const struct pmc_run *run, const struct report_options *options)
{
    struct tables tables = {.out = &out->out};

    out_printf(&out->out, "\nCounter samples\n");
    pmc_profile_print_events(&out->out, &run->profile);
    report_found_counters(&out->out, &run->profile);
    if (options->view_count == 0 && explore_places_possible(&run->profile)) {
        out_printf(&out->out, "\n");
        explore_places_print(&out->out, &run->profile,
                             options->level == PROFILE_LINES ? PROFILE_LINES : PROFILE_FUNCTIONS);
    }
    if (report_tables_counters(run, options, print_table, &tables) == 0 && options->view_count == 0)
        out_printf(&out->out, "\nNo view has only these events; --csv has their samples by instruction.\n");
}

/* Returns the level of the list over all files: without any symbols, addresses say more than a single row. */
static enum profile_level list_level(const struct run_profile *profile, const struct report_options *options, bool ibs)
{
    if (options->level >= 0 && !ibs)
        return (enum profile_level)options->level;
    for (uint32_t i = 0; i < profile->place_count; i++)
        if (profile->places[i].func >= 0)
            return PROFILE_FUNCTIONS;
    return PROFILE_INSTRUCTIONS;
}

/* Prints General Exploration's tree first, because lost slots show which of the later tables matter. */
static void print_exploration(struct out *out, const struct run_profile *profile)
{
    struct explore_result result;

    if (!exploration_read(&result, profile->facts))
        return;
    out_printf(out, "\n");
    explore_print(out, &result);
}

static void print_core_trees(struct out *out, const struct run_profile *profile)
{
    struct core_trees cores;

    if (core_trees_read(&cores, profile)) {
        core_trees_text(out, &cores);
        core_trees_free(&cores);
    }
}

bool report_text(struct out_file *out, const struct run_profile *profile, const struct report_options *options)
{
    bool ibs = profile->samples[SAMPLE_OP] || profile->samples[SAMPLE_FETCH], good = true;
    struct tables tables = {.out = &out->out, .width = options->width};

    report_head(&out->out, profile);
    if (options->view_count == 0 && options->list == REPORT_NO_LIST) {
        print_exploration(&out->out, profile);
        report_roofline_text(&out->out, profile);
    }
    if (all_samples(profile) == 0) {
        out_printf(&out->out, "\nno samples\n");
        return true;
    }
    if (options->list == REPORT_CORES) {
        report_cores(&out->out, profile);
        print_core_trees(&out->out, profile);
    }
    if (options->list == REPORT_MODULES)
        report_modules(&out->out, profile, options);
    if (options->list == REPORT_PROCESSES || options->list == REPORT_THREADS)
        report_processes(&out->out, profile, options);
    if (options->list != REPORT_NO_LIST)
        return true;
    if (options->view_count == 0)
        report_time_text(&out->out, profile);
    if (options->view_count == 0 && profile->core_count > 1)
        report_cores(&out->out, profile);
    if (options->view_count == 0 && profile->facts->is_linux && profile->object_count > 1)
        report_modules(&out->out, profile, options);
    if (options->view_count == 0)
        report_rows(&out->out, profile, list_level(profile, options, ibs), options);
    if (ibs)
        good = report_tables_ibs(profile, options, print_table, &tables);
    print_zero(&tables);
    if (input_figures(profile->facts))
        out_printf(&out->out, "\n%s\n", input_figures(profile->facts));
    return good;
}
