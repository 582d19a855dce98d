/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/html/html.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/read/input_names.h"

#include <stdlib.h>
#include <string.h>

#include "core/ibs/identities.h"
#include "tools/ibsprof/profile/no_source.h"
#include "tools/ibsprof/base/shown.h"

/* A row takes 60 bytes, or 350 if all of its samples differ; with 20000 points and d3 the page stays below 5 MB. */
const struct report_json_options report_json_all = {.rows_max = UINT32_MAX, .listed_max = UINT32_MAX};

void report_sparse(struct json *json, const char *key, const uint64_t *values, uint32_t count)
{
    if (key)
        json_key(json, key);
    json_array(json);
    for (uint32_t i = 0; i < count; i++) {
        if (values[i] == 0)
            continue;
        json_uint(json, i);
        json_uint(json, values[i]);
    }
    json_end(json);
}

void report_derived(struct json *json, const char *key, const struct run_profile *profile, const uint64_t *counts)
{
    uint64_t shown[DERIVED_COUNT];
    uint32_t count = 0;

    for (unsigned i = 0; i < DERIVED_COUNT; i++)
        if (profile_has(profile, i))
            shown[count++] = counts[i];
    report_sparse(json, key, shown, count);
}

static void write_run(struct json *json, const struct input_facts *facts, const struct run_profile *profile)
{
    const char *const texts[][2] = {
        {"path", shown(facts->path)},    {"format", input_format_name(facts->format)},
        {"vendor", facts->vendor},       {"cpu", facts->cpu_name},
        {"hostname", facts->hostname},   {"release", facts->release},
        {"arch", facts->arch},           {"version", facts->version},
        {"command", facts->command},     {"workload", facts->workload},
        {"work_unit", facts->work_unit},
    };
    const struct core_choice *only = profile->only;

    json_key_object(json, "run");
    for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        json_key_text(json, texts[i][0], texts[i][1] ? texts[i][1] : "");
    json_key_uint(json, "file_size", facts->file_size);
    json_key_uint(json, "family", facts->family);
    json_key_uint(json, "model", facts->model);
    json_key_uint(json, "stepping", facts->stepping);
    json_key_uint(json, "ibs_caps", facts->ibs_caps);
    json_key_bool(json, "is_model", facts->is_model);
    json_key_text(json, "figures", input_figures(facts));
    json_key_bool(json, "is_linux", facts->is_linux);
    json_key_text(json, "error", profile->error);
    json_key_text(json, "only_process", profile->comm);
    json_key_text(json, "only_cores", only ? only->core_text : NULL);
    json_key_text(json, "only_nodes", only ? only->node_text : NULL);
    json_key_uint(json, "work", facts->work);
    json_key_uint(json, "tsc_khz", facts->tsc_khz);
    json_end(json);
}

static void write_settings(struct json *json, const struct input_facts *facts, const char *key, bool fact)
{
    json_key_array(json, key);
    for (uint32_t i = 0; i < facts->setting_count; i++) {
        if (facts->settings[i].fact != fact)
            continue;
        json_array(json);
        json_text(json, facts->settings[i].key);
        json_text(json, facts->settings[i].value);
        json_end(json);
    }
    json_end(json);
}

static void write_samples(struct json *json, const struct run_profile *profile)
{

    json_key_object(json, "samples");
    for (unsigned kind = SAMPLE_FETCH; kind <= SAMPLE_OP; kind++) {
        json_key_object(json, input_kind_name((enum sample_kind)kind));
        json_key_uint(json, "all", profile->samples[kind]);
        json_key_known(json, "outside", !profile->outside_unknown, profile->outside[kind]);
        json_end(json);
    }
    json_key_uint(json, "lost", profile->lost);
    json_key_uint(json, "throttled", profile->throttled);
    json_key_uint(json, "records_other", profile->records_other);
    json_key_text(json, "time_unit", input_is_ticks(profile->facts) ? "TSC ticks" : "ns");
    json_key_uint(json, "first_time", profile->first_time);
    json_key_uint(json, "last_time", profile->last_time);
    json_end(json);
}

static void write_events(struct json *json, const struct run_profile *profile)
{
    const struct input_facts *facts = profile->facts;

    json_key_array(json, "events");
    for (uint32_t i = 0; i < facts->event_count; i++) {
        const struct input_event *event = &facts->events[i];
        char operand[REPORT_OPERAND_SIZE];

        report_operand(operand, input_event_set(facts), event);
        json_object(json);
        json_key_text(json, "name", event->name);
        json_key_text(json, "kind", input_kind_name(event->kind));
        json_key_text(json, "operand", operand);
        json_key_uint(json, "type", event->type);
        json_key_hex(json, "config", event->config);
        json_key_uint(json, "period", event->period);
        json_key_uint(json, "frequency", event->frequency);
        json_key_known(json, "samples", !event->not_measured, profile->event_samples ? profile->event_samples[i] : 0);
        json_key_known(json, "weight", !event->not_measured, profile->event_weights ? profile->event_weights[i] : 0);
        json_key_bool(json, "periods_vary", profile_varies(profile, i));
        json_key_bool(json, "weighted", profile_weighted(profile, i));
        json_end(json);
    }
    json_end(json);
}

static void write_derived(struct json *json, const struct run_profile *profile)
{
    json_key_array(json, "derived");
    for (unsigned i = 0; i < DERIVED_COUNT; i++) {
        if (!profile_has(profile, i))
            continue;
        json_object(json);
        json_key_text(json, "code", derived_events[i].code);
        json_key_text(json, "name", derived_events[i].name);
        json_key_text(json, "kind", derived_events[i].kind == SAMPLE_OP ? "op" : "fetch");
        json_key_text(json, "unit", derived_unit_name(&derived_events[i]));
        json_end(json);
    }
    json_end(json);
    if (!no_source_any(profile))
        return;
    json_key_array(json, "no_source");
    for (unsigned i = 0; i < DERIVED_FIRST; i++)
        if (no_source(profile, (enum derived)i))
            json_text(json, derived_events[i].code);
    json_end(json);
}

/* Returns whether the events that count the source's loads exist. */
static bool has_loads(const struct run_profile *profile, enum data_source source)
{
    const char *const *loads = data_source_loads(source);

    for (unsigned k = 0; k < DATA_SOURCE_OPERANDS && loads[k]; k++)
        for (int i = 0; i < DERIVED_COUNT; i++)
            if (strcmp(derived_events[i].code, loads[k] + (loads[k][0] == '-')) == 0 && !profile_has(profile, i))
                return false;
    return true;
}

static void write_latency(struct json *json, const struct run_profile *profile)
{
    json_key_object(json, "latency");
    json_key_array(json, "bins");
    for (uint32_t i = 0; i < LATENCY_BINS; i++)
        json_uint(json, latency_bin_low(i));
    json_end(json);
    json_key_array(json, "sources");
    for (unsigned i = 0; i < profile->source_count; i++) {
        json_object(json);
        json_key_text(json, "name", data_source_name((enum data_source)i));
        json_key_array(json, "loads");
        for (unsigned k = 0; has_loads(profile, (enum data_source)i) && k < DATA_SOURCE_OPERANDS &&
                             data_source_loads((enum data_source)i)[k] != NULL;
             k++)
            json_text(json, data_source_loads((enum data_source)i)[k]);
        json_end(json);
        report_sparse(json, "counts", profile->latency[i], LATENCY_BINS);
        json_end(json);
    }
    json_end(json);
    report_sparse(json, "tag_to_retire", profile->tag_to_ret, LATENCY_BINS);
    report_sparse(json, "fetch", profile->fetch_latency, LATENCY_BINS);
    json_end(json);
}

static void write_objects(struct json *json, const struct run_profile *profile)
{
    json_key_array(json, "objects");
    for (uint32_t i = 0; i < profile->object_count; i++) {
        const struct object *object = profile->objects[i];
        char id[2 * sizeof(object->build_id) + 1] = "";

        for (unsigned b = 0; b < object->build_id_size && b < sizeof(object->build_id); b++)
            snprintf(id + 2 * b, 3, "%02x", object->build_id[b]);
        json_object(json);
        json_key_text(json, "name", object->name);
        json_key_text(json, "path", object->path);
        json_key_text(json, "why_not", object->path ? NULL : object->why_not);
        json_key_text(json, "build_id", id);
        json_end(json);
    }
    json_end(json);
}

static void write_identities(struct json *json, const struct run_profile *profile)
{
    json_key_array(json, "identities");
    for (unsigned i = 0; i < identity_count; i++) {
        if (!identity_asked(&identity_table[i], &profile->set))
            continue;
        json_object(json);
        json_key_text(json, "says", identity_table[i].says);
        json_key_bool(json, "holds", identity_holds(&identity_table[i], profile->totals));
        json_end(json);
    }
    json_end(json);
}

void report_json_write(struct json *json, const struct run_profile *profile, const struct report_json_options *options)
{
    const struct input_facts *facts = profile->facts;
    uint32_t *row_of_place = must_alloc(profile->place_count, sizeof(*row_of_place));

    json_head(json, "ibsprof report", REPORT_JSON_VERSION);
    write_run(json, facts, profile);
    write_settings(json, facts, "settings", false);
    write_settings(json, facts, "facts", true);
    write_samples(json, profile);
    write_events(json, profile);
    write_derived(json, profile);
    report_derived(json, "totals", profile, profile->totals);
    report_ratios(json, profile, profile->totals);
    write_latency(json, profile);
    report_cores_json(json, profile);
    report_certificate_json(json, profile);
    report_disturbance_json(json, profile);
    report_roofline_json(json, profile);
    report_found_json(json, facts);
    report_time_json(json, profile);
    report_cause_json(json, profile);
    write_identities(json, profile);
    write_objects(json, profile);
    report_functions(json, profile, options, row_of_place);
    report_points(json, profile, row_of_place);
    if (options->more)
        options->more(json, profile, options->more_context);
    report_views(json, profile, options->own_views);
    report_counters(json, profile);
    report_pmc(json, profile);
    report_explorations(json, profile);
    json_end(json);
    free(row_of_place);
}

struct report {
    const struct run_profile *profile;
    struct report_json_options options;
};

static void write_report(struct json *json, const void *what)
{
    const struct report *report = what;

    report_json_write(json, report->profile, &report->options);
}

bool report_json(FILE *to, const struct run_profile *profile, const struct views *own_views, const char *source_dir)
{
    struct report report = {profile, report_json_all};

    report.options.own_views = own_views;
    report.options.source_dir = source_dir;
    return json_document(to, write_report, &report);
}

bool report_html(FILE *to, const struct run_profile *profile, const struct views *own_views, const char *source_dir,
                 report_more_fn *more, void *more_context)
{
    struct report report = {profile, {.rows_max = 8000, .listed_max = 10000}}; /* sizes that a browser handles easily */
    const char *workload = profile->facts->workload;

    report.options.own_views = own_views;
    report.options.source_dir = source_dir;
    report.options.more = more;
    report.options.more_context = more_context;
    return html_page(to, workload && workload[0] ? workload : "ibsprof report", "report.js", "profile", write_report,
                     &report);
}
