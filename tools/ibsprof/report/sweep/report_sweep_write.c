/* SPDX-License-Identifier: BSD-2-Clause */
/* A sweep as text, CSV, JSON and HTML. */
#include <inttypes.h>

#include "core/base/origin.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/report/sweep/report_sweep.h"

enum { SWEEP_JSON_VERSION = 1 };

static void write_text(struct out_file *to, const void *what)
{
    const struct sweep *sweep = what;
    struct out *out = &to->out;
    uint32_t series = UINT32_MAX;

    out_printf(out, "%s, %u runs\n", sweep->workload, sweep->count);
    if (sweep->is_model)
        out_printf(out, ORIGIN_MODEL "\n");
    out_printf(out,
               "\nLatency of the load at %" PRIx64 "h, which waited longest, against %s\n"
               "(IBS DcMissLat, cycles; a hit counts as 0)\n%10s%10s%9s%8s%8s%8s  mostly from\n",
               sweep->load, sweep->against, sweep->against, "loads", "hits, %", "p10", "median", "p90");
    for (uint32_t i = 0; i < sweep->count; i++) {
        const struct sweep_point *point = &sweep->points[i];

        if (point->series != series && sweep->series[point->series][0])
            out_printf(out, "%s\n", sweep->series[point->series]);
        series = point->series;
        out_real(out, "%10.10g", point->x);
        out_printf(out, "%10" PRIu64, point->loads);
        out_real(out, "%9.1f", 100.0 * (double)point->by_source[SOURCE_L1] / (double)point->loads);
        out_printf(out, "%8u%8u%8u  %s\n", point->cycles[0], point->cycles[1], point->cycles[2],
                   data_source_name(point->most));
    }
    out_printf(out, "\nSteps\n");
    for (uint32_t i = 0; i < sweep->level_count; i++) {
        const struct sweep_level *level = &sweep->levels[i];

        out_printf(out, "  %s%s", sweep->series[level->series], sweep->series[level->series][0] ? ": " : "");
        out_real(out, "%.10g", level->from);
        out_real(out, level->from < level->to ? " to %.10g" : "", level->to);
        out_printf(out, ": %s, ", data_source_name(level->source));
        if (level->median)
            out_printf(out, "%u cycles\n", level->median);
        else if (level->missed > 0)
            out_real(out, "most loads hit, %.1f %% missed\n", 100 * level->missed);
        else
            out_printf(out, "no misses\n");
    }
}

static void write_csv(struct out_file *to, const void *what)
{
    const struct sweep *sweep = what;
    struct out *out = &to->out;

    if (sweep->is_model)
        out_printf(out, "# " ORIGIN_MODEL "\n");
    csv_field(out, sweep->against);
    out_printf(out, ",series,file,loads,p10,median,p90,mostly from");
    for (unsigned s = 0; s < sweep->source_count; s++) {
        out_printf(out, ",");
        csv_field(out, data_source_name((enum data_source)s));
    }
    out_printf(out, "\n");
    for (uint32_t i = 0; i < sweep->count; i++) {
        const struct sweep_point *point = &sweep->points[i];

        out_real(out, "%.10g,", point->x);
        csv_field(out, sweep->series[point->series]);
        out_printf(out, ",");
        csv_field(out, point->path);
        out_printf(out, ",%" PRIu64 ",%u,%u,%u,", point->loads, point->cycles[0], point->cycles[1], point->cycles[2]);
        csv_field(out, data_source_name(point->most));
        for (unsigned s = 0; s < sweep->source_count; s++)
            out_printf(out, ",%" PRIu64, point->by_source[s]);
        out_printf(out, "\n");
    }
}

static void json_point(struct json *json, const struct sweep *sweep, const struct sweep_point *point)
{
    json_object(json);
    json_key_real(json, "x", point->x);
    json_key_uint(json, "series", point->series);
    json_key_text(json, "path", point->path);
    json_key_uint(json, "loads", point->loads);
    json_key_uint(json, "p10", point->cycles[0]);
    json_key_uint(json, "median", point->cycles[1]);
    json_key_uint(json, "p90", point->cycles[2]);
    json_key_uint(json, "most", point->most);
    json_key_array(json, "by_source");
    for (unsigned s = 0; s < sweep->source_count; s++)
        json_uint(json, point->by_source[s]);
    json_end(json);
    json_key_array(json, "median_of");
    for (unsigned s = 0; s < sweep->source_count; s++)
        json_uint(json, point->median_of[s]);
    json_end(json);
    json_end(json);
}

static void write_sweep(struct json *json, const void *what)
{
    const struct sweep *sweep = what;

    json_head(json, "ibsprof sweep", SWEEP_JSON_VERSION);
    json_key_text(json, "workload", sweep->workload);
    json_key_text(json, "against", sweep->against);
    json_key_text(json, "cpu", sweep->cpu);
    json_key_hex(json, "load", sweep->load);
    json_key_bool(json, "is_model", sweep->is_model);
    json_key_array(json, "sources");
    for (unsigned s = 0; s < sweep->source_count; s++)
        json_text(json, data_source_name((enum data_source)s));
    json_end(json);
    json_key_array(json, "series");
    for (uint32_t i = 0; i < sweep->series_count; i++)
        json_text(json, sweep->series[i]);
    json_end(json);
    json_key_array(json, "points");
    for (uint32_t i = 0; i < sweep->count; i++)
        json_point(json, sweep, &sweep->points[i]);
    json_end(json);
    json_key_array(json, "levels");
    for (uint32_t i = 0; i < sweep->level_count; i++) {
        json_object(json);
        json_key_uint(json, "series", sweep->levels[i].series);
        json_key_uint(json, "source", sweep->levels[i].source);
        json_key_real(json, "from", sweep->levels[i].from);
        json_key_real(json, "to", sweep->levels[i].to);
        json_key_uint(json, "median", sweep->levels[i].median);
        json_key_real(json, "missed", sweep->levels[i].missed);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

const struct document sweep_document = {.text = write_text,
                                        .csv = write_csv,
                                        .json = write_sweep,
                                        .title = "ibsprof report",
                                        .script = "sweep.js",
                                        .id = "sweep"};
