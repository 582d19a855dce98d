/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures that sort and colour rows: a derived event of IBS samples, or the samples of a file's event. */
#ifndef TOOLS_IBSPROF_MEASURE_H
#define TOOLS_IBSPROF_MEASURE_H

#include "tools/ibsprof/profile/profile.h"

struct measure {
    int derived;      /* enum derived, or -1: 'event' */
    uint32_t event;   /* index into facts.events: samples; plus facts.event_count: sums of periods, which vary */
    const char *name; /* "F206 IBS DC miss", "cpu-clock" */
    const char *unit; /* "samples", "cycles"; "events": sums of periods */
};

/* Returns the first of these with samples: ops, fetches, the event with the most samples. */
struct measure measure_default(const struct run_profile *profile);

/* Returns the measure of an event, by its number in event_names.h. */
struct measure measure_at(const struct run_profile *profile, uint32_t event);

uint64_t measure_of(const struct measure *measure, const uint64_t counts[DERIVED_COUNT], const uint64_t *events);
uint64_t measure_total(const struct measure *measure, const struct run_profile *profile);

#endif
