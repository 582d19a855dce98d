/* SPDX-License-Identifier: BSD-2-Clause */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tools/ibsprof/noise/noise_report.h"

#include "core/base/wrap.h"
#include "core/profile/csv.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_silicon.h"

enum { WIDTH = 79, NOISE_JSON_VERSION = 1, DETOURS_PAGE = 20000 };

static const char *system_name(const struct noise_file *file)
{
    return file->is_linux ? "Linux" : "ibsboot";
}

/* Converts ticks to ns. */
static double ticks_ns(const struct noise_file *file, uint64_t ticks)
{
    return (double)ticks * 1e6 / file->tsc_khz;
}

static double longest_more(const struct noise_quanta *quanta)
{
    return quanta->least ? (double)(quanta->most - quanta->least) / (double)quanta->least : 0;
}

/* ---------------------------------------------------------------- text */

static void causes(struct out *out, const struct noise_regime_file *regime)
{
    const char *separator = "    ";

    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++) {
        if (!regime->by_cause[i])
            continue;
        out_printf(out, "%s%" PRIu64 " %s", separator, regime->by_cause[i], noise_cause_name(i));
        separator = ", ";
    }
    if (*separator == ',')
        out_printf(out, "\n");
}

static void regime_text(struct out *out, const struct noise_file *file, const struct noise_regime_file *regime)
{
    const struct noise_class *class = &regime->by[NOISE_MICROSECOND];

    out_printf(out, "%-8s%-25s", system_name(file), file->is_linux ? "as it is" : regime->title);
    out_real(out, "%10.2f", noise_rate(class));
    out_real(out, "%10.4f", (double)class->lost_ppb / 1e7);
    out_real(out, "%12.3f", class->count || regime->by[NOISE_NINE].count ? (double)regime->largest_ns / 1e3 : 0);
    if (regime->quanta.count)
        out_real(out, "%11.3f", 100 * longest_more(&regime->quanta));
    else
        out_printf(out, "%11s", "-");
    out_printf(out, "\n");
    if (!class->count) {
        out_printf(out, "    none in ");
        out_real(out, "%.3g s: fewer than ", (double)regime->duration_ns / 1e9);
        out_real(out, "%.3g a second (95 %%)\n", noise_bound(class));
    }
    causes(out, regime);
    for (unsigned i = 0; i < regime->periods; i++) {
        unsigned hz = noise_tick_hz(&regime->period[i]);

        out_real(out, "    %.3f times a second", (double)regime->period[i].milli_hz / 1e3);
        out_printf(out, ": %u of %u detours", regime->period[i].detours, regime->period[i].expected);
        if (hz && file->is_linux)
            out_printf(out, ", the timer tick of a kernel with HZ=%u", hz);
        out_printf(out, "\n");
    }
}

static void put_origin(struct out *out, const struct noise_files *files, const char *prefix)
{
    bool model = false;

    for (uint32_t i = 0; i < files->count; i++)
        model |= files->file[i].is_model;
    if (model)
        out_printf(out, "%sMODEL: figures of ibsboot come from a virtual machine, not from silicon.\n", prefix);
}

static const struct input_facts *facts_of(const void *context, uint32_t side, uint32_t run)
{
    const struct noise_files *files = context;

    (void)side; /* all against all */
    return &files->file[run].facts;
}

/* Prints whether the machines of regimes side by side differ in their setup. */
static void put_set_up(struct out *out, const struct noise_files *files)
{
    const uint32_t runs[RUN_SILICON_SIDES] = {files->count, files->count};
    struct run_silicon silicon;

    run_silicon_compare(&silicon, runs, facts_of, files);
    if (silicon.count) {
        char *text = must_text(
            "WARNING: The processors were not set up alike: %s ('ibsprof compare' shows the values).", silicon.names);

        wrap_text(out, text, 0, 4, WIDTH);
        free(text);
    }
    run_silicon_free(&silicon);
}

/* A kernel's ticks come every 1 to 10 ms, SMIs less often: so short a time misses them, and a single detour in it
 * becomes a rate of many per second. */
enum { SHORT_NS = 100000000 };

static uint64_t shortest_ns(const struct noise_files *files)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < files->count; i++)
        for (unsigned r = 0; r < files->file[i].regimes; r++)
            if (files->file[i].regime[r].duration_ns < least)
                least = files->file[i].regime[r].duration_ns;
    return least;
}

static void write_text(struct out_file *to, const void *what)
{
    const struct noise_files *files = what;
    struct out *out = &to->out;

    for (uint32_t i = 0; i < files->count; i++)
        out_printf(out, "%s\n", files->file[i].path);
    put_set_up(out, files);
    put_origin(out, files, "");
    if (shortest_ns(files) < SHORT_NS) {
        out_real(out, "WARNING: %.3g ms", (double)shortest_ns(files) / 1e6);
        out_printf(out, " in a regime is too short for meaningful rates: choose a longer noise_ms=.\n");
    }
    out_printf(out, "\nNoise: detours of 1 us and more\n%-33s%10s%10s%12s%11s\n%-33s%10s%10s%12s%11s\n", "", "a second",
               "lost,", "largest,", "longest", "", "", "%", "us", "quantum, %");
    for (uint32_t i = 0; i < files->count; i++)
        for (unsigned r = 0; r < files->file[i].regimes; r++)
            regime_text(out, &files->file[i], &files->file[i].regime[r]);
    out_printf(out, "Longest quantum: excess over the shortest, for repetitions of the same work.\n");
}

/* ---------------------------------------------------------------- CSV */

static void write_csv(struct out_file *to, const void *what)
{
    const struct noise_files *files = what;
    struct out *out = &to->out;

    put_origin(out, files, "# ");
    out_printf(out,
               "file,system,regime,duration_ns,reads,usual_ps,nine_threshold_ns,nine_detours,nine_lost_ppb,detours,"
               "detours_milli_per_second,lost_ppb,fewer_micro_per_second,largest_ns,quanta,quanta_least_ticks,"
               "quanta_most_ticks,quanta_lost_ppb,period_ns,tick_hz\n");
    for (uint32_t i = 0; i < files->count; i++) {
        const struct noise_file *file = &files->file[i];

        for (unsigned r = 0; r < file->regimes; r++) {
            const struct noise_regime_file *regime = &file->regime[r];
            const struct noise_class *nine = &regime->by[NOISE_NINE], *micro = &regime->by[NOISE_MICROSECOND];

            csv_field(out, file->path);
            out_printf(out,
                       ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
                       ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64,
                       system_name(file), regime->name, regime->duration_ns, regime->reads, regime->usual_ps,
                       nine->threshold_ns, nine->count, nine->lost_ppb, micro->count, micro->milli_per_second,
                       micro->lost_ppb, micro->bound_micro, regime->largest_ns);
            out_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, regime->quanta.count, regime->quanta.least,
                       regime->quanta.most, regime->quanta.lost_ppb);
            if (regime->periods)
                out_printf(out, ",%" PRIu64 ",%u\n", regime->period[0].nanoseconds, noise_tick_hz(&regime->period[0]));
            else
                out_printf(out, ",,\n");
        }
    }
}

/* ---------------------------------------------------------------- JSON */

static void json_class(struct json *json, const char *key, const struct noise_class *class)
{
    json_key_object(json, key);
    json_key_uint(json, "threshold_ns", class->threshold_ns);
    json_key_uint(json, "detours", class->count);
    json_key_real(json, "per_second", noise_rate(class));
    json_key_uint(json, "lost_ppb", class->lost_ppb);
    json_key_real(json, "fewer_per_second", class->count ? (double)NAN : noise_bound(class));
    json_end(json);
}

/* Writes [from in ns, to in ns, count, ...] of bins that are not empty. */
static void json_bins(struct json *json, const char *key, const struct noise_file *file, const uint64_t *bins)
{
    json_key_array(json, key);
    for (unsigned i = 0; i < NOISE_BINS - 1; i++) {
        if (bins[i] == 0)
            continue;
        json_real(json, i ? ticks_ns(file, 1ull << i) : 0);
        json_real(json, ticks_ns(file, 1ull << (i + 1)));
        json_uint(json, bins[i]);
    }
    json_end(json);
}

static void json_quanta(struct json *json, const struct noise_file *file, const struct noise_quanta *quanta)
{
    json_key_object(json, "quanta");
    json_key_uint(json, "count", quanta->count);
    json_key_real(json, "least_ns", ticks_ns(file, quanta->least));
    json_key_real(json, "most_ns", ticks_ns(file, quanta->most));
    json_key_uint(json, "lost_ppb", quanta->lost_ppb);
    json_bins(json, "late", file, quanta->late);
    json_end(json);
}

/* Writes all detours if they are few; otherwise every n-th, and the largest. */
static void json_detours(struct json *json, const struct noise_regime_file *regime)
{
    uint32_t step = regime->detour_count / DETOURS_PAGE + 1, largest = 0;

    for (uint32_t i = 1; i < regime->detour_count; i++)
        if (regime->detours[i].ns > regime->detours[largest].ns)
            largest = i;
    json_key_array(json, "detours");
    for (uint32_t i = 0; i < regime->detour_count; i++) {
        if (i % step != 0 && i != largest)
            continue;
        json_uint(json, regime->detours[i].at);
        json_uint(json, regime->detours[i].ns);
        json_uint(json, regime->detours[i].cause);
    }
    json_end(json);
    json_key_uint(json, "detours_kept", regime->detour_count);
}

static void json_regime(struct json *json, const struct noise_file *file, const struct noise_regime_file *regime)
{
    json_object(json);
    json_key_text(json, "name", regime->name);
    json_key_text(json, "title", regime->title);
    json_key_uint(json, "duration_ns", regime->duration_ns);
    json_key_uint(json, "reads", regime->reads);
    json_key_uint(json, "usual_ps", regime->usual_ps);
    json_class(json, "nine", &regime->by[NOISE_NINE]);
    json_class(json, "microsecond", &regime->by[NOISE_MICROSECOND]);
    json_key_uint(json, "largest_ns", regime->largest_ns);
    json_key_uint(json, "not_kept", regime->not_kept);
    json_key_uint(json, "blind_ns", regime->blind_ns);
    json_bins(json, "histogram", file, regime->bins);
    json_key_object(json, "by_cause");
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (regime->by_cause[i])
            json_key_uint(json, noise_cause_name(i), regime->by_cause[i]);
    json_end(json);
    json_key_array(json, "periods");
    for (unsigned i = 0; i < regime->periods; i++) {
        json_object(json);
        json_key_uint(json, "ns", regime->period[i].nanoseconds);
        json_key_uint(json, "detours", regime->period[i].detours);
        json_key_uint(json, "expected", regime->period[i].expected);
        json_key_uint(json, "tick_hz", noise_tick_hz(&regime->period[i]));
        json_end(json);
    }
    json_end(json);
    if (regime->quanta.count)
        json_quanta(json, file, &regime->quanta);
    json_detours(json, regime);
    json_end(json);
}

void noise_causes_json(struct json *json)
{
    json_key_array(json, "causes");
    for (unsigned i = 0; i < NOISE_CAUSES; i++)
        json_text(json, i == NOISE_NOT_ASKED ? "not asked" : noise_cause_name(i));
    json_end(json);
}

void noise_file_json(struct json *json, const struct noise_file *file)
{
    json_object(json);
    json_key_text(json, "path", file->path);
    json_key_text(json, "system", system_name(file));
    json_key_bool(json, "is_linux", file->is_linux);
    json_key_bool(json, "is_model", file->is_model);
    json_key_text(json, "cpu", file->cpu);
    json_key_uint(json, "tsc_khz", file->tsc_khz);
    json_key_array(json, "regimes");
    for (unsigned i = 0; i < file->regimes; i++)
        json_regime(json, file, &file->regime[i]);
    json_end(json);
    json_end(json);
}

static void write_files(struct json *json, const void *what)
{
    const struct noise_files *files = what;

    json_head(json, "ibsprof noise", NOISE_JSON_VERSION);
    noise_causes_json(json);
    json_key_array(json, "runs");
    for (uint32_t i = 0; i < files->count; i++)
        noise_file_json(json, &files->file[i]);
    json_end(json);
    json_end(json);
}

const struct document noise_report_document = {.text = write_text,
                                               .csv = write_csv,
                                               .json = write_files,
                                               .title = "Noise: ibsprof report",
                                               .script = "noise.js",
                                               .id = "noise"};
