/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the cause in runs without IBS: the costliest event among those for which the run's configuration is made. */
#include "tools/ibsprof/cause/cause_counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/ibsprof/profile/event_names.h"

/* Numbers of Linux' PERF_TYPE_HARDWARE (include/uapi/linux/perf_event.h); on AMD's processors cache misses are those of
 * the L2 (arch/x86/events/amd/core.c: 077E, from Zen on 0964). */
enum { LINUX_HARDWARE = 0, LINUX_CACHE_MISSES = 3, LINUX_BRANCH_MISSES = 5 };

enum { LEAST_SAMPLES = 10, SURE_SAMPLES = 100 };

static bool is_row(const struct input_facts *facts, uint32_t index, const struct cause_row *row)
{
    const struct input_event *event = &facts->events[index];
    struct event_spec spec;

    if (!row->counted || event->kind != SAMPLE_PMC || event->not_measured)
        return false;
    if (facts->is_linux && event->type == LINUX_HARDWARE)
        return (row->meaning == MEANING_MISPREDICTED && event->config == LINUX_BRANCH_MISSES) ||
               (row->meaning == MEANING_L2_MISSES && event->config == LINUX_CACHE_MISSES);
    return event_names_spec(facts, index, &spec) && event_means(&spec, (enum event_meaning)row->meaning);
}

static void find_place(struct cause_counter *cause, const struct run_profile *profile)
{
    for (uint32_t i = 0; i < profile->place_count; i++) {
        const struct profile_place *place = &profile->places[i];

        if (place->events && place->events[cause->event] > cause->there) {
            cause->there = place->events[cause->event];
            cause->where = place;
        }
    }
}

bool cause_counters_find(struct cause_counter *ret, const struct run_profile *profile)
{
    double next = 0;

    *ret = (struct cause_counter){0};
    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        for (unsigned k = 0; k < cause_row_count; k++) {
            double cycles;

            if (!is_row(profile->facts, i, &cause_rows[k]))
                continue;
            cycles = (double)profile->event_weights[i] * cause_costs(profile)[cause_rows[k].cost];
            if (profile->event_samples[i] < LEAST_SAMPLES || cycles <= ret->cycles) {
                next = cycles > next && profile->event_samples[i] >= LEAST_SAMPLES ? cycles : next;
                continue;
            }
            next = ret->cycles > next ? ret->cycles : next;
            *ret = (struct cause_counter){
                .row = &cause_rows[k], .event = i, .samples = profile->event_samples[i], .cycles = cycles};
        }
    if (!ret->row)
        return false;
    ret->trust = ret->samples < SURE_SAMPLES ? CAUSE_LOW : ret->cycles >= 2 * next ? CAUSE_HIGH : CAUSE_FAIR;
    find_place(ret, profile);
    return true;
}

/* ---------------------------------------------------------------- words */

/* Returns the sum of periods of an event's samples; 0: it was not sampled. */
static double sum_of(const struct run_profile *profile, enum event_meaning meaning)
{
    struct event_spec spec;

    for (uint32_t i = 0; i < profile->facts->event_count; i++)
        if (profile->facts->events[i].kind == SAMPLE_PMC && !profile->facts->events[i].not_measured &&
            event_names_spec(profile->facts, i, &spec) && event_means(&spec, meaning))
            return (double)profile->event_weights[i];
    return 0;
}

void cause_counters_words(struct cause_words *ret, const struct run_profile *profile, const struct cause_counter *of)
{
    double instructions = sum_of(profile, MEANING_INSTRUCTIONS);
    int used;

    *ret = (struct cause_words){.name = of->row->name,
                                .group = "counter",
                                .event = profile->facts->events[of->event].name,
                                .try_this = of->row->try_this,
                                .trust = of->trust};
    used = snprintf(ret->says, sizeof(ret->says), "%s: of the sampled events, %s costs most, %" PRIu64 " samples",
                    of->row->says, profile->facts->events[of->event].name, of->samples);
    if (instructions > 0)
        snprintf(ret->says + used, sizeof(ret->says) - (size_t)used, ", %.1f in 1000 instructions",
                 1000 * (double)profile->event_weights[of->event] / instructions);
    if (of->where) {
        cause_place(ret->where, profile, of->where);
        used = (int)strlen(ret->where);
        snprintf(ret->where + used, sizeof(ret->where) - (size_t)used,
                 ": %" PRIu64 " of them; interrupts come some instructions after the cause", of->there);
    }
    snprintf(ret->sure, sizeof(ret->sure),
             "%s: at the least cost of one event, %.0f cycles; the ops that wait for it are not counted",
             cause_trust_name(of->trust), cause_costs(profile)[of->row->cost]);
}

bool cause_exploration_words(struct cause_words *ret, const struct explore_result *result)
{
    const struct explore_node_row *row;
    const struct explore_node *node;
    bool by_raw;
    int found = -1;

    for (int below = explore_largest(result, EXPLORE_ROOT, 0); below >= 0;
         below = explore_largest(result, (unsigned)below, 0))
        found = below;
    if (found < 0)
        return false;
    row = &result->method->row[found];
    node = &result->node[found];
    by_raw = node->state != EXPLORE_KNOWN;
    *ret = (struct cause_words){.name = row->name,
                                .group = "General Exploration",
                                .try_this = row->try_this,
                                .trust = node->unreliable ? CAUSE_LOW : CAUSE_HIGH};
    snprintf(ret->says, sizeof(ret->says), "%s: %.1f %s, over %.1f %%. %.*s", row->name,
             (double)(by_raw ? node->raw : node->value) / 1e4, by_raw ? "% cycles" : row->unit_text,
             (double)row->limit_ppm / 1e4, (int)strcspn(row->means, "."), row->means);
    snprintf(ret->sure, sizeof(ret->sure), "%s: the lowest reliability of its counts is %.2f",
             cause_trust_name(ret->trust), (double)node->reliability_ppm / 1e6);
    return true;
}
