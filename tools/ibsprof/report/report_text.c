/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/report_text.h"

#include <inttypes.h>
#include <string.h>

#include "core/str.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/counters/exploration.h"
#include "tools/ibsprof/profile/view_profile.h"

enum { FAIR_PERCENT = 1 }; /* files with less of the samples get no tables of their own */

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

/* "24452 of IBS ops, 0.3 % of them outside of the workload" */
static void samples_line(struct out *out, const struct run_profile *profile, enum sample_kind kind, const char *name)
{
    if (profile->samples[kind] == 0)
        return;
    if (profile->outside_unknown) {
        out_printf(out, "%-10s%" PRIu64 "; without the run's ELF file it is not known which are the workload's\n", name,
                   profile->samples[kind]);
        return;
    }
    out_printf(out, "%-10s%" PRIu64 ", ", name, profile->samples[kind]);
    out_ratio(out, profile->outside[kind], profile->samples[kind], 100, 1, 0);
    out_printf(out, " %% of them outside of the workload\n");
}

void report_periods(struct out *out, const struct run_profile *profile, const char *prefix, bool weighted)
{
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        const struct input_event *event = &profile->facts->events[i];

        if (!profile_varies(profile, i))
            continue;
        out_printf(out, "%sPeriods of %s vary, as with a frequency (perf record -F): ", prefix, event->name);
        if (weighted && !sample_is_ibs(event->kind))
            out_printf(out, "its samples are weighted by them.\n");
        else
            out_printf(out, "its samples, which are counted here, stand for unequal numbers. A fixed period (-c) "
                            "avoids that.\n");
    }
}

void report_head(struct out *out, const struct run_profile *profile)
{
    const struct input_facts *facts = profile->facts;

    out_printf(out, "%s\n", facts->path);
    if (input_figures(facts))
        out_printf(out, "%s\n", input_figures(facts));
    print_line(out, "Processor", facts->cpu_name);
    if (facts->is_linux && facts->release[0])
        out_printf(out, "%-10sLinux %s\n", "System", facts->release);
    if (profile->comm)
        print_line(out, "Workload", profile->comm);
    else if (facts->is_linux && !facts->workload[0])
        print_line(out, "Workload", "the file does not name one: all that ran in user mode (--comm=NAME chooses)");
    else
        print_line(out, "Workload", facts->workload);
    if (facts->is_linux)
        print_line(out, "Command", facts->command);
    if (profile->only && profile->only->core_text)
        print_line(out, "Only core", profile->only->core_text);
    if (profile->only && profile->only->node_text)
        print_line(out, "Only node", profile->only->node_text);
    samples_line(out, profile, SAMPLE_OP, "IBS ops");
    samples_line(out, profile, SAMPLE_FETCH, "Fetches");
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (!sample_is_ibs(facts->events[i].kind))
            out_printf(out, "%-10s%" PRIu64 " of %s\n", "Samples", profile->event_samples[i], facts->events[i].name);
    if (profile->lost)
        out_printf(out, "%-10s%" PRIu64 " samples or records: the profile is not complete\n", "LOST", profile->lost);
    if (profile->throttled)
        out_printf(out, "%-10s%" PRIu64 " times: the kernel stopped sampling for a while, so shares are biased\n",
                   "THROTTLED", profile->throttled);
    report_periods(out, profile, "NOTE      ", true);
    if (profile->samples[SAMPLE_OP] || profile->samples[SAMPLE_FETCH])
        out_printf(out, "Shares of IBS samples are shares of sampled ops or fetches, not of time.\n");
}

/* ---------------------------------------------------------------- views */

static bool is_shown(const struct run_profile *profile, const struct report_options *options, const struct view *view)
{
    enum sample_kind kind = view_kind(view);

    if (!sample_is_ibs(kind) || profile->samples[kind] == 0)
        return false;
    if (options->view_count == 0)
        return view->paper;
    for (unsigned i = 0; i < options->view_count; i++)
        if (options->views[i] == view)
            return true;
    return false;
}

/* The views of one object. */
static void object_views(struct out *out, const struct run_profile *profile, uint32_t object,
                         const struct report_options *options)
{
    enum profile_level level = options->level < 0 ? PROFILE_INSTRUCTIONS : (enum profile_level)options->level;
    struct view_options how = {.width = (uint8_t)options->width,
                               .only_sampled = level != PROFILE_INSTRUCTIONS,
                               .outside = profile->facts->is_linux ? "not listed" : NULL};
    struct view_profile core;
    const struct view *view;

    view_profile_make(&core, profile, object, options->min_percent / 100);
    for (unsigned i = 0; (view = view_at(i)); i++) {
        if (!is_shown(profile, options, view) || core.taken[view_kind(view)] == 0)
            continue;
        out_printf(out, "\n");
        view_print(out, view, &core.profile, level, &how);
    }
    view_profile_free(&core);
}

/* "libc.so.6" and "/usr/lib/.../libc.so.6" name the same file. */
static bool is_named(const struct object *object, const char *name)
{
    size_t length = strlen(object->name), tail = strlen(name);

    return strcmp(object->name, name) == 0 ||
           (length > tail && object->name[length - tail - 1] == '/' && strcmp(object->name + length - tail, name) == 0);
}

static uint64_t object_samples(const struct run_profile *profile, uint32_t object)
{
    uint64_t samples = 0;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (place->object == object && place->workload)
            samples += place->counts[DERIVED_F100_OP_ALL] + place->counts[DERIVED_F002_FETCH_ATTEMPTED];
    }
    return samples;
}

static bool print_views(struct out *out, const struct run_profile *profile, const struct report_options *options)
{
    uint64_t all = profile->samples[SAMPLE_OP] + profile->samples[SAMPLE_FETCH];
    uint32_t most = main_object(profile), shown = 0;

    for (uint32_t i = 0; i < profile->object_count; i++) {
        uint64_t samples = object_samples(profile, i);
        bool wanted = options->object ? is_named(profile->objects[i], options->object)
                                      : samples > 0 && (i == most || samples * 100 >= all * FAIR_PERCENT);

        if (!wanted || (!profile->objects[i]->path && !profile->objects[i]->listed))
            continue;
        if (profile->object_count > 1 && profile->facts->is_linux)
            out_printf(out, "\n%s\n", profile->objects[i]->name);
        object_views(out, profile, i, options);
        shown++;
    }
    if (shown == 0 && options->object) {
        complain("no samples in a file named '%s', or the file was not found", options->object);
        return false;
    }
    return true;
}

/* What the list over all files is of: without symbols of any file, addresses say more than one row. */
static enum profile_level list_level(const struct run_profile *profile, const struct report_options *options, bool ibs)
{
    if (options->level >= 0 && !ibs)
        return (enum profile_level)options->level;
    for (uint32_t i = 0; i < profile->place_count; i++)
        if (profile->places[i].func >= 0)
            return PROFILE_FUNCTIONS;
    return PROFILE_INSTRUCTIONS;
}

/* General Exploration's tree comes first: where the slots went says which of the tables below to look at. */
static void print_exploration(struct out *out, const struct run_profile *profile)
{
    const struct exploration_run run = {profile->facts, profile->totals, profile->samples[SAMPLE_OP]};
    struct explore_result result;

    if (!exploration_read(&result, &run))
        return;
    out_printf(out, "\n");
    explore_print(out, &result);
}

bool report_text(struct out_file *out, const struct run_profile *profile, const struct report_options *options)
{
    bool ibs = profile->samples[SAMPLE_OP] || profile->samples[SAMPLE_FETCH], good = true;

    report_head(&out->out, profile);
    if (options->view_count == 0 && !options->by_core)
        print_exploration(&out->out, profile);
    if (all_samples(profile) == 0) {
        out_printf(&out->out, "\nno samples\n");
        return true;
    }
    if (options->by_core) {
        report_cores(&out->out, profile);
        return true;
    }
    if (options->view_count == 0 && profile->core_count > 1)
        report_cores(&out->out, profile);
    if (options->view_count == 0)
        report_rows(&out->out, profile, list_level(profile, options, ibs), options);
    if (ibs)
        good = print_views(&out->out, profile, options);
    if (input_figures(profile->facts))
        out_printf(&out->out, "\n%s\n", input_figures(profile->facts));
    return good;
}
