/* SPDX-License-Identifier: BSD-2-Clause */
/* "roofline" of the JSON, and the table of the text. */
#include "tools/ibsprof/counters/roofline_facts.h"
#include "tools/ibsprof/report/json/report_parts.h"

static void known(struct json *json, const char *key, uint64_t value)
{
    json_key_known(json, key, value != ROOFLINE_NONE, value);
}

static void write_loop(struct json *json, const struct roofline *roofline, enum roofline_loop loop)
{
    const struct roofline_counts *of = &roofline->of[loop];

    json_object(json);
    json_key_text(json, "loop", roofline_loop_name(loop));
    json_key_known(json, "operations", !of->no_operations, of->operations);
    json_key_text(json, "no_operations", of->no_operations);
    json_key_known(json, "bytes", !of->no_bytes, of->bytes);
    json_key_text(json, "no_bytes", of->no_bytes);
    json_key_uint(json, "ns", of->ns);
    known(json, "operations_s", roofline->operations_s[loop]);
    known(json, "bytes_s", roofline->bytes_s[loop]);
    known(json, "intensity_ppm", roofline->intensity_ppm[loop]);
    json_end(json);
}

void report_roofline_json(struct json *json, const struct run_profile *profile)
{
    struct roofline_counts counts[ROOFLINE_LOOPS];
    struct roofline roofline;

    if (!roofline_read(counts, &roofline, profile->facts))
        return;
    json_key_object(json, "roofline");
    json_key_array(json, "loops");
    for (unsigned i = 0; i < ROOFLINE_LOOPS; i++)
        write_loop(json, &roofline, (enum roofline_loop)i);
    json_end(json);
    json_key_text(json, "bound",
                  roofline.bound == ROOFLINE_UNDER_OPERATIONS ? "operations"
                  : roofline.bound == ROOFLINE_UNDER_MEMORY   ? "memory"
                                                              : NULL);
    known(json, "roof_s", roofline.roof_s);
    known(json, "share_ppm", roofline.share_ppm);
    known(json, "ridge_ppm", roofline.ridge_ppm);
    json_end(json);
}

void report_roofline_text(struct out *out, const struct run_profile *profile)
{
    struct roofline_counts counts[ROOFLINE_LOOPS];
    struct roofline roofline;

    if (!roofline_read(counts, &roofline, profile->facts))
        return;
    out_printf(out, "\n");
    roofline_print(out, &roofline, input_event_set(profile->facts));
}
