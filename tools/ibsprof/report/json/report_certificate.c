/* SPDX-License-Identifier: BSD-2-Clause */
/* "certificate" of the JSON. */
#include "tools/ibsprof/counters/certificate.h"
#include "tools/ibsprof/report/json/report_parts.h"

static void write_core(struct json *json, const struct certificate_core *core)
{
    json_object(json);
    json_key_uint(json, "core", core->core);
    json_key_bool(json, "looked", core->no_loop == NULL);
    json_key_uint(json, "gaps", core->gaps);
    json_key_uint(json, "gap_ns", core->gap_ns);
    json_key_uint(json, "looked_us", core->looked_us);
    json_key_uint(json, "reads", core->reads);
    json_key_uint(json, "fewer_milli_per_second", certificate_bound_milli(core));
    json_key_uint(json, "tsc_start", core->tsc_start);
    json_key_uint(json, "tsc_stop", core->tsc_stop);
    json_key_object(json, "by_cause");
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (core->by_cause[i])
            json_key_uint(json, noise_cause_name(i), core->by_cause[i]);
    json_end(json);
    json_key_array(json, "longest");
    for (unsigned i = 0; i < core->gaps_shown; i++) {
        json_object(json);
        json_key_uint(json, "ns", core->gap[i].ns);
        json_key_uint(json, "tsc", core->gap[i].tsc);
        json_key_bool(json, "behind", core->gap[i].after);
        json_key_uint(json, "pass", core->gap[i].pass);
        json_key_text(json, "cause", noise_cause_name(core->gap[i].cause));
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

void report_certificate_json(struct json *json, const struct run_profile *profile)
{
    struct certificate *certificate = certificate_read(profile->facts);

    if (!certificate)
        return;
    json_key_object(json, "certificate");
    json_key_text(json, "verdict", certificate_verdict_name(certificate_worst(certificate)));
    json_key_array(json, "rows");
    for (uint32_t i = 0; i < certificate->line_count; i++) {
        const struct certificate_row *row = &certificate->lines[i].row;
        uint32_t core = certificate->lines[i].core;

        json_object(json);
        json_key_known(json, "core", core != CERTIFICATE_RUN, core);
        json_key_text(json, "verdict", certificate_verdict_name(row->verdict));
        json_key_text(json, "what", row->what);
        json_key_text(json, "value", row->value);
        json_end(json);
    }
    json_end(json);
    json_key_array(json, "cores");
    for (uint32_t i = 0; i < certificate->core_count; i++)
        write_core(json, &certificate->cores[i]);
    json_end(json);
    json_end(json);
    certificate_free(certificate);
}
