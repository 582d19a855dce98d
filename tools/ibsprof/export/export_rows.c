/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes one row per sample: CSV and JSON lines. */
#include <inttypes.h>
#include <string.h>

#include "core/perfdata/perfdata_format.h"
#include "tools/ibsprof/base/terminal.h"
#include "tools/ibsprof/export/export.h"
#include "tools/ibsprof/read/ibs_columns.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/read/input_names.h"

/* ---------------------------------------------------------------- CSV */

/* Writes samples of counters, clocks and software events: the common columns that they have, then the event. */
static void csv_event(const struct export *export, const struct perfdata_item *sample)
{
    const struct input_event *event = &input_facts(export->input)->events[sample->event];

    fprintf(export->output, "%" PRIu64 ",", sample->time);
    if (sample->cpu == PERFDATA_NO_CPU)
        fputs("-", export->output);
    else
        fprintf(export->output, "%d", (int)sample->cpu);
    fprintf(export->output, ",%d,%d,%d,\"", (int)sample->tid, (int)sample->pid, sample->mode == MODE_KERNEL);
    for (const char *at = event->name; *at; at++) {
        if (*at == '"')
            putc('"', export->output);
        putc(*at, export->output);
    }
    fprintf(export->output, "\",0x%" PRIx64 ",%" PRIu64 ",0x%" PRIx64, sample->ip, sample->period, sample->addr);
}

static uint64_t chain_word(const struct perfdata_item *sample, uint32_t index)
{
    uint64_t word;

    memcpy(&word, sample->callchain + index * sizeof(word), sizeof(word));
    return word;
}

/* Returns whether samples of the exported kind have call chains. */
static bool has_chains(const struct export *export)
{
    const struct input_facts *facts = input_facts(export->input);
    bool has = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        has |= export_samples_of(facts->events[i].kind) == export->samples &&
               facts->events[i].sample_type & PERFDATA_SAMPLE_CALLCHAIN;
    return has;
}

/* Writes the last column, if there are call chains: the recorded words. */
static void csv_chain(FILE *file, const struct perfdata_item *sample)
{
    putc(',', file);
    for (uint32_t i = 0; i < sample->callchain_count; i++)
        fprintf(file, "%s0x%" PRIx64, i ? " " : "", chain_word(sample, i));
}

/* Chooses the kind if none was requested: the only one in the file. */
static bool choose(struct export *export)
{
    const struct input_facts *facts = input_facts(export->input);
    bool has[4] = {false};
    unsigned kinds = 0;

    for (uint32_t i = 0; i < facts->event_count; i++)
        has[export_samples_of(facts->events[i].kind)] = true;
    for (unsigned i = EXPORT_OP; i <= EXPORT_EVENTS; i++)
        kinds += has[i];
    if (export->samples == EXPORT_ALL) {
        if (kinds > 1) {
            complain("%s: has several kinds of samples, whose columns differ: choose with --samples=%s%s%s",
                     input_facts(export->input)->path, has[EXPORT_OP] ? "op" : "",
                     has[EXPORT_FETCH] ? has[EXPORT_OP] ? "|fetch" : "fetch" : "", has[EXPORT_EVENTS] ? "|events" : "");
            return false;
        }
        export->samples = has[EXPORT_OP] ? EXPORT_OP : has[EXPORT_FETCH] ? EXPORT_FETCH : EXPORT_EVENTS;
    }
    return true;
}

static char *csv_row(const struct ibs_columns *columns, const struct perfdata_item *sample, char *to)
{
    for (unsigned i = 0; i < columns->count; i++) {
        to = ibs_column_value(columns, i, sample, to);
        if (i + 1 < columns->count)
            *to++ = ',';
    }
    return to;
}

int export_csv(struct export *export)
{
    const struct input_facts *facts = input_facts(export->input);
    bool ticks = input_is_ticks(facts), chains;
    struct ibs_layout layout = ibs_layout_of_input(export->input);
    struct ibs_columns columns;
    struct perfdata_item item;
    char row[IBS_ROW_MAX];
    int more;

    if (!choose(export))
        return EXIT_USAGE;
    chains = has_chains(export);
    columns = ibs_columns_of(export->samples == EXPORT_FETCH ? SAMPLE_FETCH : SAMPLE_OP, &layout, ticks);
    if (facts->is_model)
        fprintf(export->output, "# %s\n", input_figures(facts));
    if (export->samples == EXPORT_EVENTS)
        fputs("Time_ns,CPU_Number,TID,PID,Kern_mode,Event,Ip,Period,Addr", export->output);
    for (unsigned i = 0; export->samples != EXPORT_EVENTS && i < columns.count; i++)
        fprintf(export->output, "%s%s", i > 0 ? "," : "", ibs_column_name(&columns, i));
    fputs(chains ? ",Callchain\n" : "\n", export->output);
    while ((more = export_next(export, &item)) > 0) {
        if (export->samples == EXPORT_EVENTS)
            csv_event(export, &item);
        else
            fwrite(row, 1, (size_t)(csv_row(&columns, &item, row) - row), export->output);
        if (chains)
            csv_chain(export->output, &item);
        putc('\n', export->output);
    }
    return more == 0 ? EXIT_DONE : EXIT_INPUT;
}

/* ---------------------------------------------------------------- JSON lines */

/* Writes addresses and registers as text, because many readers store numbers in doubles. */
static void field_hex(FILE *file, const char *key, uint64_t value)
{
    fprintf(file, ",\"%s\":\"0x%" PRIx64 "\"", key, value);
}

static void json_fields(FILE *file, const struct ibs_columns *columns, const struct perfdata_item *sample)
{
    enum { COMMON = 5 }; /* time to mode: already written */

    fputs(",\"fields\":{", file);
    for (unsigned i = COMMON; i < columns->count; i++) {
        const char *quote = ibs_column_is_number(columns, i) ? "" : "\"";
        char value[IBS_VALUE_MAX];
        size_t size = (size_t)(ibs_column_value(columns, i, sample, value) - value);

        if (size == 1 && value[0] == '-') /* not valid */
            fprintf(file, "%s\"%s\":null", i > COMMON ? "," : "", ibs_column_name(columns, i));
        else
            fprintf(file, "%s\"%s\":%s%.*s%s", i > COMMON ? "," : "", ibs_column_name(columns, i), quote, (int)size,
                    value, quote);
    }
    putc('}', file);
}

/* Writes branches, the latest first. */
static void json_branches(FILE *file, const struct perfdata_item *sample)
{
    fputs(",\"branches\":[", file);
    for (uint32_t i = 0; i < sample->branch_count; i++) {
        struct branch_record branch = perfdata_branch(sample, i);

        fprintf(file, "%s{\"from\":\"0x%" PRIx64 "\",\"to\":\"0x%" PRIx64 "\",\"mispredicted\":%s,\"wrong_path\":%s}",
                i ? "," : "", branch.from, branch.to,
                !branch.told          ? "null"
                : branch.mispredicted ? "true"
                                      : "false",
                branch.how == BRANCH_WRONG_PATH ? "true" : "false");
    }
    putc(']', file);
}

static void json_sample(struct export *export, const struct ibs_columns *columns, bool ticks,
                        const struct perfdata_item *sample)
{
    const struct input_event *event = &input_facts(export->input)->events[sample->event];
    FILE *file = export->output;

    fputs("{\"event\":", file);
    json_put_text(file, event->name);
    fprintf(file, ",\"%s\":%" PRIu64 ",\"cpu\":", ticks ? "tsc" : "time_ns", sample->time);
    if (sample->cpu == PERFDATA_NO_CPU)
        fputs("null", file);
    else
        fprintf(file, "%d", (int)sample->cpu);
    fprintf(file, ",\"pid\":%d,\"tid\":%d,\"mode\":\"%s\",\"exact\":%s", (int)sample->pid, (int)sample->tid,
            input_mode_name(sample->mode), sample->exact ? "true" : "false");
    if (input_facts(export->input)->is_model)
        fputs(",\"model\":true", file);
    field_hex(file, "ip", sample->ip);
    fprintf(file, ",\"period\":%" PRIu64, sample->period);
    if (sample->addr)
        field_hex(file, "addr", sample->addr);
    if (sample->phys_addr)
        field_hex(file, "phys_addr", sample->phys_addr);
    if (sample->data_src)
        field_hex(file, "data_src", sample->data_src);
    if (sample->weight)
        fprintf(file, ",\"weight\":%" PRIu64, sample->weight);
    if (sample->callchain_count) {
        fputs(",\"callchain\":[", file);
        for (uint32_t i = 0; i < sample->callchain_count; i++)
            fprintf(file, "%s\"0x%" PRIx64 "\"", i ? "," : "", chain_word(sample, i));
        putc(']', file);
    }
    if (sample->branch_count)
        json_branches(file, sample);
    if (sample->register_count) {
        fprintf(file, ",\"caps\":\"0x%x\",\"registers\":[", sample->caps);
        for (uint32_t i = 0; i < sample->register_count; i++)
            fprintf(file, "%s\"0x%" PRIx64 "\"", i ? "," : "", sample->registers[i]);
        putc(']', file);
    }
    if (event->kind <= SAMPLE_OP)
        json_fields(file, &columns[event->kind], sample);
    fputs("}\n", file);
}

int export_jsonl(struct export *export)
{
    const struct input_facts *facts = input_facts(export->input);
    bool ticks = input_is_ticks(facts);
    struct ibs_layout layout = ibs_layout_of_input(export->input);
    struct ibs_columns columns[2];
    struct perfdata_item item;
    int more;

    columns[SAMPLE_FETCH] = ibs_columns_of(SAMPLE_FETCH, &layout, ticks);
    columns[SAMPLE_OP] = ibs_columns_of(SAMPLE_OP, &layout, ticks);
    while ((more = export_next(export, &item)) > 0)
        json_sample(export, columns, ticks, &item);
    return more == 0 ? EXIT_DONE : EXIT_INPUT;
}
