/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof export: the samples of a file in other forms. */
#include <stdio.h>
#include <unistd.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/export/export.h"
#include "tools/ibsprof/export/trace_page.h"
#include "tools/ibsprof/read/run_archive.h"

enum export_format {
    FORMAT_CSV,
    FORMAT_JSONL,
    FORMAT_PERFDATA,
    FORMAT_FOLDED,
    FORMAT_AUTOFDO,
    FORMAT_KONATA,
    FORMAT_HTML
};
static const char *const format_names[] = {"csv", "jsonl", "perf.data", "folded", "autofdo", "konata", "html", NULL};
static export_fn *const writers[] = {export_csv, export_jsonl, export_perfdata};

static const char *const kind_names[] = {
    [EXPORT_ALL] = "all", [EXPORT_OP] = "op", [EXPORT_FETCH] = "fetch", [EXPORT_EVENTS] = "events", NULL};

struct export_settings {
    int format, samples; /* enum export_format, enum export_samples */
    const char *output;
};

#define PLACE(member_) offsetof(struct export_settings, member_)
static const struct option_row option_rows[] = {
    {"format", 'f', "FORMAT", OPTION_WORD, PLACE(format), .words = format_names,
     .help = "\ncsv        a row per sample, with the columns of AMD_IBS_Toolkit's decoder\n"
             "           (default)\n"
             "jsonl      one object per line: fields by these names, and raw registers\n"
             "perf.data  for Linux' perf: the same samples, with the same registers\n"
             "folded     stacks for flame graphs, as 'ibsprof report --format=folded'\n"
             "autofdo    counts by line for a compiler (clang -fprofile-sample-use)\n"
             "konata     a trace of ops (config=trace) for the pipeline viewer Konata\n"
             "html       the same trace as a page that draws it"},
    {"samples", 's', "KIND", OPTION_WORD, PLACE(samples), .words = kind_names,
     .help = "'events' are counters and clocks; csv takes one kind\nat a time"},
    {"output", 'o', "FILE", OPTION_TEXT, PLACE(output), .help = "write to FILE (default: standard output)"},
    {0},
};

static const struct option_table options = {
    .command = "export",
    .usage =
        "usage: ibsprof export [--format=FORMAT] [--samples=KIND] [-o FILE] FILE\n"
        "\n"
        "Writes the samples of FILE (a run folder, perf.data, or a raw file of AMD_IBS_Toolkit) in another format.\n",
    .rows = option_rows,
    .notes = "In csv, values that are not valid in a sample are '-', and 'Time_ns' replaces 'TSC' if times are in\n"
             "nanoseconds.\n",
};

int export_next(struct export *export, struct perfdata_item *item)
{
    while (input_next(export->input, item)) {
        if (item->kind == PERFDATA_ITEM_END)
            return 0;
        if (item->kind == PERFDATA_ITEM_SAMPLE && export_wants(export, item->record.kind))
            return 1;
    }
    complain("%s", input_error(export->input));
    return -1;
}

/* Stacks and compilers' profiles need symbols, as in report. */
static int export_with_symbols(const struct export_settings *settings, const char *path)
{
    char *form = settings->format == FORMAT_FOLDED ? "--format=folded" : "--format=autofdo";
    char *argv[] = {"report", form, (char *)path, "-o", (char *)settings->output, NULL};

    if (settings->samples != EXPORT_ALL) {
        complain("--samples is not for autofdo, which is of ops, nor for folded stacks: choose with 'ibsprof report "
                 "--format=folded --event=NAME'");
        return EXIT_USAGE;
    }
    return command_report.run(settings->output ? 5 : 3, argv);
}

/* A trace has no file of samples. */
static enum exit_code export_trace(const struct export_settings *settings, const char *path)
{
    struct trace_file file;
    FILE *output;
    bool good;

    if (settings->samples != EXPORT_ALL) {
        complain("--samples is not for konata and html, which are of ops");
        return EXIT_USAGE;
    }
    if (!trace_file_read(&file, path))
        return EXIT_INPUT;
    output = output_open(settings->output);
    good = output && (settings->format == FORMAT_HTML ? export_trace_page : export_konata)(output, &file);
    good = output && output_close(output, settings->output) && good;
    trace_file_free(&file);
    return good ? EXIT_DONE : EXIT_OUTPUT;
}

static int run(int argc, char **argv)
{
    struct export_settings settings = {.format = FORMAT_CSV, .samples = EXPORT_ALL};
    enum exit_code code;
    char error[1024];

    if (!run_operands_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (argc != 1)
        return options_misused(&options, argc == 0 ? "no FILE" : "more than one FILE");
    if (settings.format == FORMAT_KONATA || settings.format == FORMAT_HTML)
        return export_trace(&settings, argv[0]);
    if (settings.format >= FORMAT_FOLDED)
        return export_with_symbols(&settings, argv[0]);

    struct export export = {.samples = (enum export_samples)settings.samples};
    export.input = input_open(argv[0], error, sizeof(error));
    if (!export.input) {
        complain("%s", error);
        return EXIT_INPUT;
    }
    export.output = output_open(settings.output);
    code = EXIT_OUTPUT;
    if (export.output) {
        if (export.output == stdout && isatty(STDOUT_FILENO))
            input_hide_progress(export.input);
        code = (enum exit_code)writers[settings.format](&export);
        if (!output_close(export.output, settings.output))
            code = EXIT_OUTPUT;
    }
    input_close(export.input);
    return code;
}

const struct command command_export = {"export", "samples as CSV, JSON lines, perf.data or folded stacks", run, false};
