/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes what sampling changed: "sampling" of the JSON, and the text. */
#include "core/base/wrap.h"
#include "tools/ibsprof/counters/disturbance_facts.h"
#include "tools/ibsprof/report/json/report_parts.h"

enum { VERDICT_MAX = 320, LINE = 79 };

static void verdict_text(char text[VERDICT_MAX], const struct disturbance *of)
{
    struct out_memory memory;

    out_memory_init(&memory, text, VERDICT_MAX);
    disturbance_verdict(&memory.out, of);
    out_printf(&memory.out, ".");
}

void report_disturbance_verdict(struct out *out, const struct run_profile *profile)
{
    struct disturbance of;
    char text[VERDICT_MAX];

    if (!disturbance_read(&of, profile->facts))
        return;
    verdict_text(text, &of);
    wrap_text(out, text, 0, 4, LINE);
}

void report_disturbance_table(struct out *out, const struct run_profile *profile)
{
    struct disturbance of;

    if (!disturbance_read(&of, profile->facts))
        return;
    out_printf(out, "\n");
    disturbance_print(out, &of);
}

void report_disturbance_json(struct json *json, const struct run_profile *profile)
{
    struct disturbance of;
    char text[VERDICT_MAX];

    if (!disturbance_read(&of, profile->facts))
        return;
    verdict_text(text, &of);
    json_key_object(json, "sampling");
    json_key_text(json, "verdict", of.why ? "not known" : disturbance_large(&of) ? "changed" : "unchanged");
    json_key_text(json, "text", text);
    json_key_uint(json, "undisturbed_us", of.undisturbed_us);
    json_key_uint(json, "sampled_us", of.sampled_us);
    json_key_text(json, "time", disturbance_time_name(of.time));
    json_key_uint(json, "interrupts", of.interrupts);
    json_key_text(json, "clock", of.ticks ? "TSC" : "076");
    json_key_array(json, "rows");
    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++) {
        struct disturbance_change change = disturbance_change(&of, row);

        if (!of.counted[row])
            continue;
        json_object(json);
        json_key_text(json, "event", disturbance_name(row));
        json_key_uint(json, "undisturbed", of.undisturbed[row]);
        json_key_uint(json, "sampled", of.sampled[row]);
        json_key_uint(json, "handler", of.handler[row]);
        json_key_known(json, "open", change.judged, change.allowed);
        json_key_bool(json, "large", change.large);
        json_key_bool(json, "hidden", change.hidden);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}
