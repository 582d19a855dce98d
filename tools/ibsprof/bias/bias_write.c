/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the results as text and as JSON. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/wrap.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/shown.h"
#include "tools/ibsprof/bias/bias.h"
#include "tools/ibsprof/counters/disturbance_facts.h"

enum { JSON_VERSION = 1, LINE = 79, INDENT = 4 };

/* Prints a line in printf's format, wrapped and indented by so many blanks. */
static void put(struct out *out, unsigned blanks, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void put(struct out *out, unsigned blanks, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = must_text_of(format, args);
    va_end(args);
    for (unsigned i = 0; i < blanks; i++)
        out_printf(out, " ");
    wrap_text(out, shown_plain(text), blanks, blanks + INDENT, LINE);
    free(text);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* Returns "cycles +0.12 %, DC misses -3.10 %" without rare events; to be freed. */
static char *changes(const struct disturbance *of)
{
    char *text = must_copy("");

    for (unsigned row = 0; row < DISTURBANCE_ROWS; row++) {
        double undisturbed = (double)of->undisturbed[row], by;
        char *longer;

        if (!of->counted[row] || undisturbed <= 0 || row == DISTURBANCE_INSTRUCTIONS ||
            undisturbed * 10000 < (double)of->undisturbed[DISTURBANCE_CYCLES])
            continue;
        by = 100 * ((double)of->sampled[row] - undisturbed) / undisturbed;
        longer = must_text("%s%s%s %+.2f %%", text, *text ? ", " : "", disturbance_name(row), by);
        free(text);
        text = longer;
    }
    return text;
}

static void put_disturbance(struct out *out, const struct bias_run *run)
{
    struct disturbance of;
    char *text;

    if (run->once)
        put(out, 2, "sampling: one sample per pass, so that nothing before it was disturbed");
    if (!disturbance_read(&of, &run->run.facts)) {
        if (!run->once)
            put(out, 2, "sampling: its effect is not known; reference=yes counts it");
        return;
    }
    text = changes(&of);
    if (of.why)
        put(out, 2, "sampling: its effect is not known: %s", of.why);
    else
        put(out, 2, "sampling changed %s", *text ? text : "nothing that was counted");
    free(text);
}

static void put_counts_row(struct out *out, const struct bias *bias, const struct bias_row *row)
{
    const struct stat_bias *stat = &row->stat;
    char *sentence = bias_sentence(row), *place = bias_place(&bias->exact, stat->worst);
    const char *what = bias_against_name(row->against);

    if (stat->n > 0) {
        put(out, 2, "against %s: %.2f %% elsewhere; by chance %.2f %%, 95 %% below %.2f %%", what, 100 * stat->tvd,
            100 * stat->floor, 100 * stat->floor_high);
        if (stat->df)
            put(out, 4, "chi-square %.1f of %u, p %.3g; %u small cells combined", stat->chi2, stat->df, stat->p_chi2,
                stat->pooled);
        put(out, 4, "worst: %s: %.2f %% of the samples, %.2f %% of the %s", place, 100 * row->worst_here,
            100 * row->worst_there, what);
    }
    put(out, 4, "%s", sentence);
    free(sentence);
    free(place);
}

static void put_number(struct out *out, const struct bias *bias, uint32_t run, uint32_t way)
{
    struct bias_number number;

    if (!bias_number(bias, run, way, &number))
        return;
    put(out, 2, "the intervals between its ops allow %.0f to %.0f samples", number.least, number.most);
    if (number.missing > 0)
        put(out, 4, "MISSING: at least %.2f %% of the samples did not come or were lost", 100 * number.missing);
    if (number.surplus > 0)
        put(out, 4, "TOO MANY: at least %.2f %% came between the ends of intervals", 100 * number.surplus);
}

/* Prints the comparisons with counts for one kind of samples. */
static void put_way(struct out *out, const struct bias *bias, uint32_t run, uint32_t at)
{
    const struct bias_way *way = &bias->run[run].way[at];
    double n = 0;

    for (uint32_t i = 0; i <= bias->exact.insns; i++)
        n += way->samples[i];
    out_printf(out, "\n");
    put(out, 0, "%u %s: %s", run + 1, last_part(bias->run[run].run.path), bias_way_name(way->by));
    put(out, 2, "%.0f samples on the workload, %.0f elsewhere%s", n, way->outside,
        bias->run[run].failed     ? "; THE RUN FAILED, so samples may be missing"
        : bias->run[run].lost > 0 ? "; SOME LOST: the buffer was full, so its end is missing"
                                  : "");
    put_number(out, bias, run, at);
    for (uint32_t i = 0; i < bias->rows; i++)
        if (bias->row[i].run == run && bias->row[i].way == at && bias->row[i].against != BIAS_AGAINST_TIME)
            put_counts_row(out, bias, &bias->row[i]);
    if (at + 1 == bias->run[run].ways)
        put_disturbance(out, &bias->run[run]);
}

static char *estimate_text(const struct bias *bias, const struct bias_row *row)
{
    const char *way = bias_way_name(bias->run[row->run].way[row->way].by), *name = bias_estimate_name(row->estimate);

    if (row->estimate == BIAS_TIME_CSV)
        return must_copy(name);
    return must_text("%s%s%s", way, *name ? ", " : "", name);
}

static void put_time(struct out *out, const struct bias *bias)
{
    char *name;

    for (uint32_t i = 0; i < bias->runs; i++)
        if (bias->run[i].no_truth)
            put(out, 0, "%u: %s beside it %s; it is left out", i + 1, bias->run[i].truth_name, bias->run[i].no_truth);
    if (bias->nearest < 0)
        return;
    out_printf(out, "\n");
    put(out, 0, "Against the time that the virtual PMU knows, in per cent elsewhere:");
    for (uint32_t i = 0; i < bias->rows; i++) {
        const struct bias_row *row = &bias->row[i];

        if (row->against != BIAS_AGAINST_TIME || (row->stat.n <= 0 && row->estimate != BIAS_TIME_CSV))
            continue;
        name = estimate_text(bias, row);
        out_printf(out, "%3u  %-60s", row->run + 1, name);
        out_real(out, " %6.2f\n", 100 * row->stat.tvd);
        free(name);
    }
    name = estimate_text(bias, &bias->row[bias->nearest]);
    put(out, 0, "Nearest to it: %s (run %u), %.2f %%; by %s", name, bias->row[bias->nearest].run + 1,
        100 * bias->row[bias->nearest].stat.tvd, bias->run[bias->row[bias->nearest].run].truth_name);
    free(name);
}

static void put_text(struct out_file *to, const void *what)
{
    const struct bias *bias = what;
    const struct bias_exact *exact = &bias->exact;
    const char *figures = input_figures(&exact->run.facts);

    put(&to->out, 0, "Exact counts of %s (%s): %.0f instructions, %.0f macro-ops, at %u addresses",
        exact->run.facts.workload ? exact->run.facts.workload : "", last_part(exact->run.path), exact->executions,
        exact->ops, exact->insns);
    if (figures)
        put(&to->out, 0, "%s", figures);
    for (uint32_t run = 0; run < bias->runs; run++)
        for (uint32_t way = 0; way < bias->run[run].ways; way++)
            put_way(&to->out, bias, run, way);
    put_time(&to->out, bias);
}

/* ---------------------------------------------------------------- JSON */

static void put_json_row(struct json *json, const struct bias *bias, const struct bias_row *row)
{
    const struct bias_run *run = &bias->run[row->run];
    bool plain = row->estimate == BIAS_PLAIN, counts = row->against != BIAS_AGAINST_TIME;
    char *place = bias_place(&bias->exact, row->stat.worst), *sentence = bias_sentence(row);
    struct bias_number number;

    json_object(json);
    json_key_uint(json, "run", row->run);
    json_key_text(json, "sampled", row->estimate == BIAS_TIME_CSV ? NULL : bias_way_name(run->way[row->way].by));
    json_key_text(json, "estimate", plain ? NULL : bias_estimate_name(row->estimate));
    json_key_text(json, "against", bias_against_name(row->against));
    json_key_uint(json, "samples", (uint64_t)row->stat.n);
    json_key_uint(json, "outside", (uint64_t)run->way[row->way].outside);
    json_key_real(json, "tvd", row->stat.tvd);
    if (plain) {
        json_key_interval(json, "chance", row->stat.floor, 0, row->stat.floor_high);
        json_key_real(json, "p_tvd", row->stat.p_tvd);
    }
    if (counts && row->against == BIAS_AGAINST_OPS && bias_number(bias, row->run, row->way, &number)) {
        json_key_real(json, "least", number.least);
        json_key_real(json, "most", number.most);
        json_key_real(json, "missing", number.missing);
        json_key_real(json, "surplus", number.surplus);
    }
    if (counts) {
        json_key_real(json, "chi2", row->stat.chi2);
        json_key_uint(json, "df", row->stat.df);
        json_key_real(json, "p", row->stat.p_chi2);
        json_key_uint(json, "never", (uint64_t)row->stat.never);
        json_key_text(json, "worst", place);
        json_key_real(json, "worst_samples", row->worst_here);
        json_key_real(json, "worst_exact", row->worst_there);
        json_key_bool(json, "beyond", row->stat.beyond);
        json_key_bool(json, "even", row->stat.even);
        json_key_text(json, "text", sentence);
    }
    json_end(json);
    free(place);
    free(sentence);
}

static void put_json(struct json *json, const void *what)
{
    const struct bias *bias = what;

    json_head(json, "ibsprof bias", JSON_VERSION);
    json_key_text(json, "exact", shown(bias->exact.run.path));
    json_key_text(json, "workload", bias->exact.run.facts.workload);
    json_key_text(json, "figures", input_figures(&bias->exact.run.facts));
    json_key_uint(json, "instructions", (uint64_t)bias->exact.executions);
    json_key_uint(json, "ops", (uint64_t)bias->exact.ops);
    json_key_array(json, "runs");
    for (uint32_t i = 0; i < bias->runs; i++)
        json_text(json, shown(bias->run[i].run.path));
    json_end(json);
    json_key_array(json, "rows");
    for (uint32_t i = 0; i < bias->rows; i++)
        put_json_row(json, bias, &bias->row[i]);
    json_end(json);
    json_key_known(json, "nearest", bias->nearest >= 0, bias->nearest >= 0 ? (uint64_t)bias->nearest : 0);
    json_end(json);
}

const struct document bias_document = {.text = put_text, .json = put_json};
