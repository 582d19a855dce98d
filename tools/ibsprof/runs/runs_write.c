/* SPDX-License-Identifier: BSD-2-Clause */
#include <dirent.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/profile/csv.h"
#include "tools/ibsprof/base/json.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/runs/runs.h"
#include "tools/ibsprof/base/shown.h"

enum { RUNS_JSON_VERSION = 1 };

/* ---------------------------------------------------------------- columns */

enum { NUMBER, NAME, STARTED, WORKLOAD, CONFIG, SAMPLES, MACHINE, NOTE, COLUMNS };
static const char *const titles[COLUMNS] = {"Number", "Name",    "Started", "Workload",
                                            "Config", "Samples", "Machine", "Note"};
static const char *const keys[COLUMNS] = {"number", "name",    "started", "workload",
                                          "config", "samples", "machine", "note"};

/* Returns the text of a cell; "": not in the run. text[24] */
static const char *value_of(const struct run_entry *run, unsigned column, char *text)
{
    switch (column) {
    case NUMBER:
        snprintf(text, 24, run->number >= 0 ? "%d" : "", run->number);
        return text;
    case NAME:
        return run->name;
    case STARTED:
        return run_entry_started(run, text);
    case WORKLOAD:
        return run->facts.workload;
    case CONFIG:
        return run_entry_config(run);
    case SAMPLES:
        snprintf(text, 24, run->sampled ? "%" PRIu64 : "", run->samples);
        return text;
    case MACHINE:
        return run_entry_machine(run);
    default:
        return run->unfinished[0] ? run->unfinished : run->note;
    }
}

static bool is_number(unsigned column)
{
    return column == NUMBER || column == SAMPLES;
}

/* ---------------------------------------------------------------- text */

/* Returns the length of a path's folders, with the '/' after them, within its first 'length' characters. */
static size_t folders_length(const char *path, size_t length)
{
    while (length > 0 && path[length - 1] != '/')
        length--;
    return length;
}

/* Names the runs; with several folders, includes those folders that not all runs share. */
static void name_runs(const struct run_entry *runs, uint32_t count, const char **ret_names)
{
    const char *first = shown(runs[0].path);
    size_t common = folders_length(first, strlen(first)), folder = (size_t)(runs[0].name - runs[0].path);
    bool one = true;

    for (uint32_t i = 0; i < count; i++) {
        ret_names[i] = shown(runs[i].path);
        one &= runs[i].name - runs[i].path == (ptrdiff_t)folder && strncmp(runs[0].path, runs[i].path, folder) == 0;
        while (strncmp(first, ret_names[i], common) != 0)
            common = folders_length(first, common - 1);
    }
    for (uint32_t i = 0; i < count; i++)
        ret_names[i] = one ? runs[i].name : ret_names[i] + common;
}

static const char *cell(const struct run_entry *run, const char *name, unsigned column, char *text)
{
    return shown_plain(column == NAME ? name : value_of(run, column, text));
}

static void text_cell(FILE *to, unsigned column, int width, const char *text)
{
    if (column == COLUMNS - 1)
        fputs(text, to);
    else
        fprintf(to, is_number(column) ? "%*s" : "%-*s", width, text);
}

/* Prints a line without trailing blanks. */
static void text_line(FILE *to, const int width[COLUMNS], const struct run_entry *run, const char *name)
{
    char text[24], *line = NULL;
    size_t size = 0;
    bool some = false;
    FILE *memory = must_have(open_memstream(&line, &size));

    for (unsigned i = 0; i < COLUMNS; i++)
        if (width[i] > 0) {
            fputs(some ? "  " : "", memory);
            text_cell(memory, i, width[i], run ? cell(run, name, i, text) : titles[i]);
            some = true;
        }
    fclose(memory);
    while (size > 0 && line[size - 1] == ' ')
        size--;
    fprintf(to, "%.*s\n", (int)size, line);
    free(line);
}

void runs_text(FILE *to, const struct run_entry *runs, uint32_t count)
{
    const char **names = must_alloc(count, sizeof(*names));
    int width[COLUMNS] = {0};
    char text[24];

    name_runs(runs, count, names);
    for (unsigned i = 0; i < COLUMNS; i++) {
        for (uint32_t r = 0; r < count; r++) {
            int length = (int)strlen(cell(&runs[r], names[r], i, text));

            width[i] = length > width[i] ? length : width[i];
        }
        if (width[i] > 0 && width[i] < (int)strlen(titles[i])) /* an empty column is omitted */
            width[i] = (int)strlen(titles[i]);
    }
    text_line(to, width, NULL, NULL);
    for (uint32_t r = 0; r < count; r++)
        text_line(to, width, &runs[r], names[r]);
    free(names);
}

/* ---------------------------------------------------------------- CSV and JSON */

void runs_csv(FILE *to, const struct run_entry *runs, uint32_t count)
{
    struct out_file out;
    char text[24];

    out_file_init(&out, to, false);
    for (unsigned i = 0; i < COLUMNS; i++)
        out_printf(&out.out, "%s%s", keys[i], i + 1 < COLUMNS ? "," : ",path\n");
    for (uint32_t r = 0; r < count; r++) {
        for (unsigned i = 0; i < COLUMNS; i++) {
            csv_field(&out.out, value_of(&runs[r], i, text));
            out_printf(&out.out, ",");
        }
        csv_field(&out.out, runs[r].path);
        out_printf(&out.out, "\n");
    }
}

static void json_run(struct json *json, const struct run_entry *run)
{
    char text[24];

    json_object(json);
    for (unsigned i = 0; i < COLUMNS; i++) {
        const char *value = value_of(run, i, text);

        if (is_number(i))
            json_key_known(json, keys[i], value[0] != '\0', strtoull(value, NULL, 10));
        else
            json_key_text(json, keys[i], value[0] ? value : NULL);
    }
    json_key_text(json, "path", shown(run->path));
    json_end(json);
}

void runs_json(FILE *to, const struct run_entry *runs, uint32_t count)
{
    struct json json;

    json_init(&json, to);
    json_head(&json, "ibsprof runs", RUNS_JSON_VERSION);
    json_key_array(&json, "runs");
    for (uint32_t r = 0; r < count; r++)
        json_run(&json, &runs[r]);
    json_end(&json);
    json_end(&json);
    (void)json_finish(&json); /* output_close tells what could not be written */
}

/* ---------------------------------------------------------------- properties */

static void line(FILE *to, const char *title, const char *value)
{
    if (value && value[0])
        fprintf(to, "%-12s%s\n", title, shown_plain(value));
}

static void number_line(FILE *to, const struct run_entry *run, const char *title, enum fact fact, const char *unit)
{
    const char *value = run_fact(&run->facts, fact);

    if (value)
        fprintf(to, "%-12s%s%s\n", title, shown_plain(value), unit);
}

/* Prints the parameters of the workload: "n = 200". */
static void parameters(FILE *to, const struct run_entry *run)
{
    for (uint32_t i = 0; i < run->facts.setting_count; i++) {
        const struct input_setting *one = &run->facts.settings[i];

        if (one->fact && fact_find(one->key) == FACT_PARAMETER)
            fprintf(to, "%-12s%s = %s\n", "", shown_plain(one->key + sizeof("workload.") - 1), shown_plain(one->value));
    }
}

static void files(FILE *to, const struct run_entry *run)
{
    struct dirent **entries;
    int count = scandir(run->path, &entries, NULL, alphasort);
    const char *title = "Files";

    for (int i = 0; i < count; i++) {
        char *path = must_text("%s/%s", run->path, entries[i]->d_name);
        struct stat status;

        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            fprintf(to, "%-12s%-16s%12" PRIu64 " bytes\n", title, shown_plain(entries[i]->d_name),
                    (uint64_t)status.st_size);
            title = "";
        }
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

void runs_properties(FILE *to, const struct run_entry *run)
{
    const char *check = run_fact(&run->facts, FACT_CHECK);
    char text[24];

    line(to, "Run", run->path);
    line(to, "Number", value_of(run, NUMBER, text));
    line(to, "Name", run->name);
    line(to, "Note", run->note);
    line(to, "Started", value_of(run, STARTED, text));
    number_line(to, run, "Elapsed", FACT_ELAPSED, " us");
    line(to, "Workload", run->facts.workload);
    parameters(to, run);
    if (check)
        line(to, "Result", strcmp(check, "1") == 0 ? "right" : "WRONG, or not completely checked");
    line(to, "Config", run_entry_config(run));
    line(to, "Processor", run->facts.cpu_name);
    line(to, "Figures", run_fact(&run->facts, FACT_FIGURES));
    number_line(to, run, "Samples", FACT_SAMPLES_OP, " of IBS ops");
    number_line(to, run, "", FACT_SAMPLES_FETCH, " of IBS fetches");
    number_line(to, run, "", FACT_SAMPLES_PMC, " of counters");
    number_line(to, run, "", FACT_SAMPLES_TIMER, " of the timer");
    files(to, run);
}
