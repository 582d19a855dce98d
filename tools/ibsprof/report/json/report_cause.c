/* SPDX-License-Identifier: BSD-2-Clause */
/* The cause of a run: "causes" of the JSON, and the text. */
#include "tools/ibsprof/cause/cause.h"
#include "tools/ibsprof/counters/time_file.h"
#include "tools/ibsprof/report/json/report_parts.h"

/* Returns the front end's estimated part of the time by the low end of its interval; 0: not known. */
static uint32_t front_end(const struct run_profile *profile)
{
    struct time_file file;
    uint32_t low;

    if (!report_time_read(&file, profile))
        return 0;
    low = file.share.front.low;
    time_file_free(&file);
    return low;
}

void report_cause_json(struct json *json, const struct run_profile *profile)
{
    struct causes causes;

    causes_find(&causes, profile, front_end(profile));
    causes_json(json, profile, &causes);
}

void report_cause_text(struct out *out, const struct run_profile *profile)
{
    struct causes causes;

    causes_find(&causes, profile, front_end(profile));
    causes_print(out, profile, &causes);
}
