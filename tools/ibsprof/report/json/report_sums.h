/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums for a row of a report, over one place or several. */
#ifndef TOOLS_IBSPROF_REPORT_SUMS_H
#define TOOLS_IBSPROF_REPORT_SUMS_H

#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/profile/profile.h"

struct report_sums {
    uint64_t counts[DERIVED_COUNT];
    uint64_t latency[LATENCY_BINS];
    uint64_t *events, *weights; /* by event of the file; 0 for IBS */
    bool any;
};

void report_sums_init(struct report_sums *sums, const struct run_profile *profile);
void report_sums_free(struct report_sums *sums);
void report_sums_add(struct report_sums *sums, const struct run_profile *profile, const struct profile_place *place);
void report_sums_clear(struct report_sums *sums, const struct run_profile *profile);

/* Writes array elements: counts, counter events [event, samples, weight, ...], latency; omits empty ones at the end. */
void report_sums_write(struct json *json, const struct report_sums *sums, const struct run_profile *profile);

#endif
