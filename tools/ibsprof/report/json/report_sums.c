/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/report/json/report_sums.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/report/json/report_choose.h"
#include "tools/ibsprof/report/json/report_parts.h"

void report_sums_init(struct report_sums *sums, const struct run_profile *profile)
{
    uint32_t events = profile->facts->event_count;

    memset(sums, 0, sizeof(*sums));
    sums->events = must_alloc(2ul * events, sizeof(*sums->events));
    sums->weights = sums->events + events;
}

void report_sums_free(struct report_sums *sums)
{
    free(sums->events);
}

void report_sums_add(struct report_sums *sums, const struct run_profile *profile, const struct profile_place *place)
{
    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        sums->counts[i] += place->counts[i];
    for (unsigned i = 0; place->latency && i < LATENCY_BINS; i++)
        sums->latency[i] += place->latency[i];
    for (uint32_t e = 0; e < profile->facts->event_count; e++) {
        if (sample_is_ibs(profile->facts->events[e].kind))
            continue;
        sums->events[e] += place->events ? place->events[e] : 0;
        sums->weights[e] += place->event_weights ? place->event_weights[e] : 0;
    }
    sums->any = true;
}

void report_sums_clear(struct report_sums *sums, const struct run_profile *profile)
{
    memset(sums->counts, 0, sizeof(sums->counts));
    memset(sums->latency, 0, sizeof(sums->latency));
    memset(sums->events, 0, profile->facts->event_count * sizeof(*sums->events));
    memset(sums->weights, 0, profile->facts->event_count * sizeof(*sums->weights));
    sums->any = false;
}

void report_sums_write(struct json *json, const struct report_sums *sums, const struct run_profile *profile)
{
    bool events = false, latency = false;

    for (uint32_t e = 0; e < profile->facts->event_count; e++)
        events |= sums->events[e] != 0;
    for (unsigned i = 0; i < LATENCY_BINS; i++)
        latency |= sums->latency[i] != 0;
    report_derived(json, NULL, profile, sums->counts);
    if (!events && !latency)
        return;
    json_array(json);
    for (uint32_t e = 0; e < profile->facts->event_count; e++) {
        if (sums->events[e] == 0)
            continue;
        json_uint(json, e);
        json_uint(json, sums->events[e]);
        json_uint(json, sums->weights[e]);
    }
    json_end(json);
    if (latency)
        report_sparse(json, NULL, sums->latency, LATENCY_BINS);
}
