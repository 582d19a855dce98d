/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/workloads/print.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/run/facts.h"

static bool pinned(const struct report *report)
{
    return report->options->cpu != UINT64_MAX;
}

static const struct workload_param *param(const struct report *report, unsigned i)
{
    const struct workload_param *params = report->workload->params;

    return i < WORKLOAD_PARAMS_MAX && params[i].name ? &params[i] : NULL;
}

/* "name=value name=value" */
static void print_params(const struct report *report)
{
    for (unsigned i = 0; param(report, i); i++)
        printf("%s%s=%u", i ? " " : "", param(report, i)->name, report->params[i]);
}

/* ---------------------------------------------------------------- a table */

static void text_head(const struct report *report)
{
    const struct workload *workload = report->workload;

    printf("%s ", workload->name);
    print_params(report);
    printf(": %s\n", workload->title);
    printf("kernel %s; arena and stack at %p, %zu KB; pages: %s\n", workload->kernel, report->arena->base,
           report->arena->size >> 10, report->arena->got);
    printf("%lu %s in a run; %s\n", workload->work(report->params), workload->unit,
           pinned(report) ? "pinned to a processor" : "not pinned to a processor");
    printf("%7s %12s %14s %10s %9s %8s  %s\n", "run", "seconds", "TSC ticks", "ticks/unit", "processor", "switches",
           "result");
}

static void text_run(const struct report *report, uint64_t number, const struct one_run *run)
{
    printf("%7lu %12.9f %14lu %10.3f %9d %8ld  ", number, run->seconds, run->ticks,
           (double)run->ticks / (double)report->workload->work(report->params), run->cpu, run->switches);
    if (run->right)
        printf("right (%lu)\n", run->check.got);
    else
        printf("WRONG: expected %lu, got %lu\n", run->check.expected, run->check.got);
}

static int by_ticks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* The spread of the runs: smaller differences cannot be seen by comparing single runs. */
static void text_end(const struct report *report, uint64_t *ticks, uint64_t wrong)
{
    uint64_t count = report->options->repeat;

    if (count < 2)
        return;
    qsort(ticks, count, sizeof(*ticks), by_ticks);
    printf("TSC ticks: least %lu, median %lu, most %lu (%.3f %% over the least)\n", ticks[0], ticks[count / 2],
           ticks[count - 1], ((double)ticks[count - 1] / (double)ticks[0] - 1) * 100);
}

/* ---------------------------------------------------------------- CSV */

static void csv_head(const struct report *report)
{
    printf("workload,parameters,pages,repeat,processor,units,unit,seconds,tsc_ticks,switches,right,expected,got\n");
}

static void csv_run(const struct report *report, uint64_t number, const struct one_run *run)
{
    printf("%s,\"", report->workload->name);
    print_params(report);
    printf("\",\"%s\",%lu,%d,%lu,%s,%.9f,%lu,%ld,%s,%lu,%lu\n", report->arena->got, number, run->cpu,
           report->workload->work(report->params), report->workload->unit, run->seconds, run->ticks, run->switches,
           run->right ? "yes" : "no", run->check.expected, run->check.got);
}

/* ---------------------------------------------------------------- JSON */

static void json_head(const struct report *report)
{
    const struct workload *workload = report->workload;

    printf("{\"workload\": \"%s\", \"kernel\": \"%s\", \"parameters\": {", workload->name, workload->kernel);
    for (unsigned i = 0; param(report, i); i++)
        printf("%s\"%s\": %u", i ? ", " : "", param(report, i)->name, report->params[i]);
    printf("},\n \"arena\": \"%p\", \"arena_bytes\": %zu, \"pages\": \"%s\", \"pinned\": %s, \"units\": %lu,\n"
           " \"unit\": \"%s\",\n \"runs\": [\n",
           report->arena->base, report->arena->size, report->arena->got, pinned(report) ? "true" : "false",
           workload->work(report->params), workload->unit);
}

static void json_run(const struct report *report, uint64_t number, const struct one_run *run)
{
    printf("%s  {\"seconds\": %.9f, \"tsc_ticks\": %lu, \"switches\": %ld, \"processor\": %d, \"right\": %s,\n"
           "   \"expected\": %lu, \"got\": %lu}",
           number > 1 ? ",\n" : "", run->seconds, run->ticks, run->switches, run->cpu, run->right ? "true" : "false",
           run->check.expected, run->check.got);
}

static void json_end(const struct report *report, uint64_t *ticks, uint64_t wrong)
{
    printf("]}\n");
}

/* ---------------------------------------------------------------- run.ini */

static void write_stdout(struct out *out, const char *text, size_t length)
{
    (void)out;
    fwrite(text, 1, length, stdout);
}

static void ini_head(const struct report *report)
{
    static const char *const pages[] = {[TWIN_4K] = "4k", [TWIN_2M] = "2m", [TWIN_1G] = "1g"};
    const struct workload *workload = report->workload;
    struct out out = {.write = write_stdout};

    printf("# Under Linux, by ibsboot-workloads. Copied to \\ibsboot\\ibsboot.ini it is run without.\n\n"
           "workload = \"%s\"\npages = %s\n",
           workload->name, pages[report->options->pages]);
    for (unsigned i = 0; param(report, i); i++)
        printf("%s = %u\n", param(report, i)->name, report->params[i]);
    printf("\n");
    for (unsigned i = 0; param(report, i); i++)
        fact_number(&out, FACT_PARAMETER, report->params[i], param(report, i)->name);
    /* One file holds all runs. */
    fact_number(&out, FACT_WORK, workload->work(report->params) * report->options->repeat);
    fact_text(&out, FACT_WORK_UNIT, workload->unit);
    fact_number(&out, FACT_ARENA_VIRTUAL, (uintptr_t)report->arena->base);
    fact_text(&out, FACT_LINUX_PAGES, report->arena->got);
    params_expected_facts(&out, workload, report->params); /* of one run, whatever 'repeat' is */
}

static void ini_run(const struct report *report, uint64_t number, const struct one_run *run)
{
    struct out out = {.write = write_stdout};

    fact_begin(&out, FACT_LINUX_RUN, (unsigned)number);
    printf(" processor %d, %.9f s, %lu TSC ticks, %ld switches\n", run->cpu, run->seconds, run->ticks, run->switches);
}

static void ini_end(const struct report *report, uint64_t *ticks, uint64_t wrong)
{
    struct out out = {.write = write_stdout};

    fact_number(&out, FACT_CHECK, wrong == 0);
}

static const struct format {
    void (*head)(const struct report *report);
    void (*run)(const struct report *report, uint64_t number, const struct one_run *run);
    void (*end)(const struct report *report, uint64_t *ticks, uint64_t wrong);
} format[] = {
    [TWIN_TEXT] = {text_head, text_run, text_end},
    [TWIN_CSV] = {csv_head, csv_run, NULL},
    [TWIN_JSON] = {json_head, json_run, json_end},
    [TWIN_INI] = {ini_head, ini_run, ini_end},
};

void print_head(const struct report *report)
{
    format[report->options->format].head(report);
}

void print_run(const struct report *report, uint64_t number, const struct one_run *run)
{
    format[report->options->format].run(report, number, run);
}

void print_end(const struct report *report, uint64_t *ticks, uint64_t wrong)
{
    if (format[report->options->format].end)
        format[report->options->format].end(report, ticks, wrong);
}
