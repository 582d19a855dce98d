/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/profile/measure.h"

static struct measure of_derived(enum derived event)
{
    return (struct measure){
        .derived = event, .name = derived_events[event].name, .unit = derived_unit_name(&derived_events[event])};
}

static struct measure of_event(const struct run_profile *profile, uint32_t event)
{
    bool weighted = profile_weighted(profile, event);

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

struct measure measure_at(const struct run_profile *profile, uint32_t event)
{
    uint32_t events = profile->facts->event_count;

    return event < events ? of_event(profile, event) : of_derived((enum derived)(event - events));
}

uint64_t measure_of(const struct measure *measure, const uint64_t counts[DERIVED_COUNT], const uint64_t *events)
{
    return measure->derived >= 0 ? counts[measure->derived] : events[measure->event];
}

uint64_t measure_total(const struct measure *measure, const struct run_profile *profile)
{
    return measure_of(measure, profile->totals, profile->event_samples);
}
