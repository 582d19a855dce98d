/* SPDX-License-Identifier: BSD-2-Clause */
/* Weights of samples, places outside of the workload, and the amount of work done. */
#include "tools/ibsprof/compare/compare_count.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/profile/event_names.h"
#include "tools/ibsprof/read/input_names.h"
#include "tools/ibsprof/read/run_ini.h"

const char *compare_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] != '\0' ? slash + 1 : path;
}

/* ---------------------------------------------------------------- what is counted */

static int32_t event_index(const struct run_profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (strcmp(profile->facts->events[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

/* Killed fetches do not count as attempts (core/ibs/derived.h). */
double compare_samples(const struct comparison *c, const struct run_profile *profile, const struct profile_place *place)
{
    if (c->kind == SAMPLE_OP)
        return (double)place->counts[DERIVED_F100_OP_ALL];
    if (c->kind == SAMPLE_FETCH)
        return (double)place->counts[DERIVED_F002_FETCH_ATTEMPTED];
    return place->events ? (double)place->events[event_index(profile, c->event)] : 0;
}

static double all_samples(const struct comparison *c, const struct run_profile *profile)
{
    if (c->kind == SAMPLE_OP)
        return (double)profile->totals[DERIVED_F100_OP_ALL];
    if (c->kind == SAMPLE_FETCH)
        return (double)profile->totals[DERIVED_F002_FETCH_ATTEMPTED];
    return (double)profile->event_samples[event_index(profile, c->event)];
}

/* Returns the mean number of events that a sample represents. */
static double mean_period(const struct comparison *c, const struct run_profile *profile)
{
    double weight = 0, samples = 0;

    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (c->kind == SAMPLE_FETCH) {
            weight += (double)place->weighted[SAMPLE_FETCH];
            samples += (double)place->counts[DERIVED_F000_FETCH_ALL];
        } else if (c->kind == SAMPLE_OP) {
            weight += (double)place->weighted[SAMPLE_OP];
            samples += (double)place->counts[DERIVED_F100_OP_ALL];
        } else {
            weight += place->events ? (double)place->event_weights[event_index(profile, c->event)] : 0;
            samples += compare_samples(c, profile, place);
        }
    }
    return samples > 0 ? weight / samples : 1;
}

static bool all_have(const struct comparison *c, const char *event, uint32_t kind)
{
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const struct run_profile *profile = c->runs[side][run].profile;

            if (sample_is_ibs(kind)) {
                if (profile->samples[kind] == 0)
                    return false;
            } else if (event_index(profile, event) < 0 || profile->event_samples[event_index(profile, event)] == 0) {
                return false;
            }
        }
    return true;
}

static bool choose_ibs(struct comparison *c, enum sample_kind kind)
{
    if (!all_have(c, NULL, kind))
        return false;
    c->kind = kind;
    c->event = kind == SAMPLE_OP ? "IBS op" : "IBS fetch";
    return true;
}

static bool choose_of_file(struct comparison *c, const char *name)
{
    if (!all_have(c, name, SAMPLE_PMC))
        return false;
    c->kind = SAMPLE_PMC;
    c->event = name;
    return true;
}

/* Chooses the first event that all runs have. */
static bool choose_any(struct comparison *c)
{
    const struct input_facts *facts = c->runs[SIDE_A][0].profile->facts;

    if (choose_ibs(c, SAMPLE_OP) || choose_ibs(c, SAMPLE_FETCH))
        return true;
    for (uint32_t i = 0; i < facts->event_count; i++)
        if (choose_of_file(c, facts->events[i].name))
            return true;
    return false;
}

/* Chooses an event by any of its names in the first run. Of derived events only all ops and all fetches have their own
 * samples; the others are rates, which a comparison of ops includes anyway. */
static bool choose_named(struct comparison *c, const char *wanted)
{
    const struct input_facts *facts = c->runs[SIDE_A][0].profile->facts;
    uint32_t found[EVENT_NAMES_MAX];

    if (strcmp(wanted, "op") == 0)
        return choose_ibs(c, SAMPLE_OP);
    if (strcmp(wanted, "fetch") == 0)
        return choose_ibs(c, SAMPLE_FETCH);
    if (event_names_find(facts, wanted, found) != 1)
        return false;
    if (found[0] < facts->event_count)
        return choose_of_file(c, facts->events[found[0]].name);
    if (found[0] - facts->event_count == DERIVED_F100_OP_ALL)
        return choose_ibs(c, SAMPLE_OP);
    return found[0] - facts->event_count == DERIVED_F002_FETCH_ATTEMPTED && choose_ibs(c, SAMPLE_FETCH);
}

/* Writes the events that all runs have: "op, fetch, DATA_CACHE_MISSES:00 (041 DC misses)"; "" for none. */
static void list_common(const struct comparison *c, char *text, size_t size)
{
    const struct input_facts *facts = c->runs[SIDE_A][0].profile->facts;
    char name[160];

    snprintf(text, size, "%s%s", all_have(c, NULL, SAMPLE_OP) ? "op, " : "",
             all_have(c, NULL, SAMPLE_FETCH) ? "fetch, " : "");
    for (uint32_t i = 0; i < facts->event_count; i++) {
        enum sample_kind kind = facts->events[i].kind;
        size_t used = strlen(text);

        if (!sample_is_ibs(kind) && all_have(c, facts->events[i].name, SAMPLE_PMC))
            snprintf(text + used, size - used, "%s, ", event_names_say(facts, i, name, sizeof(name)));
    }
    if (text[0] != '\0')
        text[strlen(text) - 2] = '\0';
}

static bool choose_event(struct comparison *c, char *error, size_t error_size)
{
    const char *wanted = c->options->event;
    char common[800];

    if (wanted ? choose_named(c, wanted) : choose_any(c))
        return true;
    list_common(c, common, sizeof(common));
    if (wanted)
        snprintf(error, error_size, "compare: not every run has samples of '%s'%s%s", wanted,
                 common[0] != '\0' ? "; all have: " : "", common);
    else
        snprintf(error, error_size, "compare: the runs have no event in common that has samples in all of them");
    return false;
}

/* Returns false for samples that stand for varying numbers of events: they are no counts, and no method here is for
 * weighted ones. */
static bool periods_fixed(const struct comparison *c, char *error, size_t error_size)
{
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const struct run_profile *profile = c->runs[side][run].profile;

            for (uint32_t i = 0; i < profile->facts->event_count; i++) {
                const struct input_event *event = &profile->facts->events[i];

                if (!profile_varies(profile, i) ||
                    (sample_is_ibs(c->kind) ? event->kind != c->kind : strcmp(event->name, c->event) != 0))
                    continue;
                snprintf(error, error_size,
                         "compare: %s: periods of %s vary, %sso its samples represent unequal numbers of events; %s",
                         c->runs[side][run].path, event->name, profile->facts->is_linux ? "as with a frequency, " : "",
                         profile->facts->is_linux
                             ? "record with a fixed period (perf record -c)"
                             : "measure with random=no and without sharing=multiplex; of explorations, trees are "
                               "compared (config=explore)");
                return false;
            }
        }
    return true;
}

bool compare_choose_event(struct comparison *c, char *error, size_t error_size)
{
    return choose_event(c, error, error_size) && periods_fixed(c, error, error_size);
}

static void add_outside(struct comparison *c, uint32_t side, const char *label, double samples)
{
    uint32_t i = 0;

    while (i < c->outside_count && strcmp(c->outside[i].label, label) != 0)
        i++;
    if (i == c->outside_count)
        *must_add(c->outside, c->outside_count) = (struct compare_outside){.label = must_copy(label)};
    c->outside[i].samples[side] += samples;
}

static int by_samples(const void *left, const void *right)
{
    const struct compare_outside *a = left, *b = right;
    double x = a->samples[0] + a->samples[1], y = b->samples[0] + b->samples[1];

    return x < y ? 1 : x > y ? -1 : strcmp(a->label, b->label);
}

/* Counts the share of the OS, or of the firmware and the sampling handler. */
void compare_count_outside(struct comparison *c)
{
    for (uint32_t side = 0; side < SIDES; side++) {
        double *x = must_alloc(c->run_count[side], sizeof(*x)), *n = must_alloc(c->run_count[side], sizeof(*n));

        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const struct run_profile *profile = c->runs[side][run].profile;

            n[run] = all_samples(c, profile);
            for (uint32_t i = 0; i < profile->place_count; i++) {
                const struct profile_place *place = &profile->places[i];
                double samples = compare_samples(c, profile, place);
                char label[256];

                if (place->workload || !(samples > 0))
                    continue;
                x[run] += samples;
                snprintf(label, sizeof(label), "%s: %s", input_mode_name(place->mode),
                         compare_base_name(profile_object(profile, place)));
                add_outside(c, side, label, samples);
            }
            c->lost[side] += profile->lost;
            c->throttled[side] += profile->throttled;
        }
        stat_estimate(&(struct stat_side){.runs = c->run_count[side], .cells = 1, .x = x, .n = n},
                      &c->outside_share[side]);
        free(x);
        free(n);
    }
    if (c->outside_count > 0)
        qsort(c->outside, c->outside_count, sizeof(*c->outside), by_samples);
}

double compare_work_of(const struct comparison *c, const struct run_profile *profile)
{
    uint32_t cores = profile->facts->is_linux || profile->core_count == 0 ? 1 : profile->core_count;
    uint64_t repeats = run_number(profile->facts, sample_is_ibs(c->kind) ? FACT_IBS_REPEATS : FACT_REPEATS);

    return (double)profile->facts->work * cores * (double)(repeats > 0 ? repeats : 1);
}

void compare_measure_work(struct comparison *c)
{
    const char *unit = c->runs[SIDE_A][0].profile->facts->work_unit;

    c->work_unit = unit;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t run = 0; run < c->run_count[side]; run++) {
            const struct run_profile *profile = c->runs[side][run].profile;
            const struct input_facts *facts = profile->facts;

            if (facts->work == 0 || !unit || unit[0] == '\0' || !facts->work_unit ||
                strcmp(facts->work_unit, unit) != 0) {
                c->work_unit = NULL;
                return;
            }
            c->work[side] += compare_work_of(c, profile);
            c->exposure[side][run] = compare_work_of(c, profile) / mean_period(c, profile);
        }
}
