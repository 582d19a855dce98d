/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/measure.h"

#include <string.h>
#include <strings.h>

static struct measure of_derived(enum derived event)
{
    return (struct measure){
        .derived = event, .name = derived_events[event].name, .unit = derived_unit_name(&derived_events[event])};
}

static struct measure of_event(const struct run_profile *profile, uint32_t event)
{
    bool weighted = profile_varies(profile, event);

    return (struct measure){.derived = -1,
                            .event = event + (weighted ? profile->facts->event_count : 0),
                            .name = profile->facts->events[event].name,
                            .unit = weighted ? "events" : "samples"};
}

struct measure measure_default(const struct run_profile *profile)
{
    uint32_t most = 0;

    if (profile->samples[SAMPLE_OP])
        return of_derived(DERIVED_F100_OP_ALL);
    if (profile->samples[SAMPLE_FETCH])
        return of_derived(DERIVED_F002_FETCH_ATTEMPTED);
    for (uint32_t i = 1; i < profile->facts->event_count; i++)
        if (profile->event_samples[i] > profile->event_samples[most])
            most = i;
    return profile->facts->event_count > 0 ? of_event(profile, most) : of_derived(DERIVED_F100_OP_ALL);
}

bool measure_find(const struct run_profile *profile, const char *name, struct measure *ret_measure)
{
    for (uint32_t i = 0; i < profile->facts->event_count; i++) {
        if (strcmp(name, profile->facts->events[i].name) == 0) {
            *ret_measure = of_event(profile, i);
            return true;
        }
    }
    for (int i = 0; i < DERIVED_COUNT; i++) {
        const struct derived_event *event = &derived_events[i];

        if (strcasecmp(name, event->code) == 0 || strcasecmp(name, event->abbreviation) == 0 ||
            strcasecmp(name, event->name) == 0 || (event->symbol[0] && strcasecmp(name, event->symbol) == 0)) {
            *ret_measure = of_derived((enum derived)i);
            return true;
        }
    }
    return false;
}

uint64_t measure_of(const struct measure *measure, const uint64_t counts[DERIVED_COUNT], const uint64_t *events)
{
    return measure->derived >= 0 ? counts[measure->derived] : events[measure->event];
}

uint64_t measure_total(const struct measure *measure, const struct run_profile *profile)
{
    return measure_of(measure, profile->totals, profile->event_samples);
}
