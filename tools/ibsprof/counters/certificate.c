/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/counters/certificate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/read/run_ini.h"

/* ---------------------------------------------------------------- facts */

/* Returns NULL if the text is a number, which is then in *ret; otherwise the reason in its place. */
static const char *why_not(const char *text, uint64_t *ret)
{
    return text != NULL ? run_why_not(text, ret) : certificate_not_told;
}

/* Reads "2, 2": at the start and at the end. */
static const char *why_not_both(const char *text, uint64_t *ret_first, uint64_t *ret_last)
{
    const char *comma = text != NULL ? strchr(text, ',') : NULL, *why = why_not(text, ret_first);

    if (why != NULL)
        return why;
    if (comma == NULL)
        return certificate_not_told;
    *ret_last = strtoull(comma + 1, NULL, 0);
    return NULL;
}

/* Returns whether each NMI brings a sample: with one kind of samples, and no alarm of a time limit. */
static bool each_brings(const struct input_facts *facts)
{
    const char *limit = run_value(facts, "limit_ms", false);
    unsigned kinds = 0;

    for (uint32_t i = 0; i < facts->event_count; i++)
        kinds += sample_is_ibs(facts->events[i].kind) ? 1 : 2;
    return kinds == 1 && (limit == NULL || strtoull(limit, NULL, 0) == 0);
}

/* "228 ns, TSC 815531574, before pass 0, NMI" */
static bool read_gap(struct certificate_gap *gap, const char *text)
{
    char where[8], cause[24];

    if (sscanf(text, "%" SCNu64 " ns, TSC %" SCNu64 ", %7s pass %u, %23[^\n]", &gap->ns, &gap->tsc, where, &gap->pass,
               cause) != 5)
        return false;
    gap->after = strcmp(where, "before") != 0; /* older images write "behind" for "after" */
    gap->cause = NOISE_UNKNOWN;
    for (uint32_t i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        if (strcmp(noise_cause_name(i), cause) == 0)
            gap->cause = i;
    return true;
}

static void read_gaps(struct certificate_core *to, const struct input_facts *facts, int core)
{
    const char *gap;

    to->no_loop = why_not(run_fact(facts, FACT_CERTIFICATE_GAPS, core), &to->gaps);
    to->looked_us = run_number(facts, FACT_CERTIFICATE_LOOKED, core);
    to->reads = run_number(facts, FACT_CERTIFICATE_READS, core);
    to->gap_ns = run_number(facts, FACT_CERTIFICATE_GAP_NS, core);
    for (unsigned i = NOISE_UNKNOWN; i < NOISE_CAUSES; i++)
        to->by_cause[i] = run_number(facts, FACT_CERTIFICATE_CAUSE, core, noise_cause_name(i));
    for (unsigned i = 0; i < CERTIFICATE_GAPS; i++)
        if ((gap = run_fact(facts, FACT_CERTIFICATE_GAP, core, i)) != NULL)
            to->gaps_shown += read_gap(&to->gap[to->gaps_shown], gap);
}

static struct certificate_core read_core(const struct input_facts *facts, int core)
{
    bool only = core == FACT_ONLY_CORE;
    unsigned cpu = only ? 0 : (unsigned)core;
    const char *empty = only ? run_fact(facts, FACT_NMI_EMPTY) : run_fact(facts, FACT_CORE_NMI_EMPTY, cpu);
    struct certificate_core to = {
        .core = cpu,
        .ended = (uint32_t)run_number(facts, FACT_CERTIFICATE_PASSES, core),
        .nmis_told = empty != NULL,
        .each_brings = each_brings(facts),
        .empty = empty != NULL ? strtoull(empty, NULL, 0) : 0,
        .late = only ? run_number(facts, FACT_NMI_LATE) : run_number(facts, FACT_CORE_NMI_LATE, cpu),
        .foreign = run_number(facts, FACT_NMI_FOREIGN),
        .tsc_start = only ? run_number(facts, FACT_TSC_START) : run_number(facts, FACT_CORE_TSC_START, cpu),
        .tsc_stop = only ? run_number(facts, FACT_TSC_STOP) : run_number(facts, FACT_CORE_TSC_STOP, cpu),
    };

    to.measured_us = run_number(facts, FACT_CERTIFICATE_MEASURED, core);
    to.tsc_khz = (uint32_t)run_number(facts, FACT_MACHINE_TSC_KHZ);
    to.begun = to.ended; /* the file has nothing on the others */
    for (unsigned what = 0; what < WITNESS_ROWS; what++) {
        const char *text = run_fact(facts, FACT_CERTIFICATE_SMIS + what, core);

        to.why_not[what] =
            what < WITNESS_PSTATE ? why_not(text, &to.sum[what]) : why_not_both(text, &to.first[what], &to.last[what]);
    }
    read_gaps(&to, facts, core);
    return to;
}

static struct certificate_run read_run(const struct input_facts *facts)
{
    struct certificate_run to = {.sampled = run_fact(facts, FACT_SAMPLES_ELSEWHERE) != NULL,
                                 .elsewhere = run_number(facts, FACT_SAMPLES_ELSEWHERE),
                                 .edges = run_number(facts, FACT_SAMPLES_EDGES)};
    uint64_t surplus = 0;

    to.why_no_count = why_not(run_fact(facts, FACT_SURPLUS), &surplus);
    to.surplus = (int64_t)surplus; /* strtoull takes a sign */
    return to;
}

/* ---------------------------------------------------------------- rows */

struct to_lines {
    struct certificate_sink sink;
    struct certificate *to;
    uint32_t core;
};

/* Joins a value of several lines. */
static void add_line(struct certificate_sink *sink, const struct certificate_row *row)
{
    struct to_lines *lines = (struct to_lines *)sink;
    struct certificate *to = lines->to;
    struct certificate_line *line;
    size_t length = 0;

    line = must_add(to->lines, to->line_count);
    *line = (struct certificate_line){.core = lines->core, .row = *row};
    for (const char *at = row->value; *at && length + 2 < sizeof(line->row.value); at++) {
        if (*at == '\n' && at > row->value && at[-1] != ':' && at[-1] != ';')
            line->row.value[length++] = ';';
        line->row.value[length++] = *at == '\n' ? ' ' : *at;
    }
    line->row.value[length] = '\0';
}

static void add_core(struct certificate *to, const struct input_facts *facts, int core)
{
    struct to_lines lines = {{add_line}, to, core == FACT_ONLY_CORE ? CERTIFICATE_RUN : (uint32_t)core};
    struct certificate_core of = read_core(facts, core);

    certificate_judge_core(&of, &lines.sink);
    if (of.ended && of.no_loop != certificate_not_told)
        *must_add(to->cores, to->core_count) = of;
}

struct certificate *certificate_read(const struct input_facts *facts)
{
    struct certificate *to = must_new(to);
    struct to_lines lines = {{add_line}, to, CERTIFICATE_RUN};
    struct certificate_run run = read_run(facts);

    certificate_judge_run(&run, &lines.sink);
    for (uint32_t i = 0; i < facts->setting_count; i++) {
        int core = FACT_ONLY_CORE;

        if (!facts->settings[i].fact || fact_find(facts->settings[i].key) != FACT_CERTIFICATE_PASSES)
            continue;
        (void)sscanf(facts->settings[i].key, "certificate.core.%d.", &core);
        add_core(to, facts, core);
    }
    if (to->line_count > 0)
        return to;
    certificate_free(to);
    return NULL;
}

void certificate_free(struct certificate *certificate)
{
    if (certificate == NULL)
        return;
    free(certificate->lines);
    free(certificate->cores);
    free(certificate);
}

enum certificate_verdict certificate_worst(const struct certificate *certificate)
{
    enum certificate_verdict worst = CERTIFICATE_NONE;

    for (uint32_t i = 0; i < certificate->line_count; i++)
        if (certificate->lines[i].row.verdict > worst)
            worst = certificate->lines[i].row.verdict;
    return worst;
}
