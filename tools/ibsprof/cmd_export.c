/* ibsprof export: the samples of a file in other forms. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/export/export.h"

static const struct {
    const char *name, *help;
    export_fn *run;
} formats[] = {
    {"csv", "a row a sample; columns named as AMD_IBS_Toolkit's decoder names them (default)", export_csv},
    {"jsonl", "an object a sample, a line each: fields by those names, and raw registers", export_jsonl},
    {"perf.data", "for Linux' perf: the same samples, with the same registers", export_perfdata},
    {"folded", "stacks for flame graphs: what 'ibsprof report --format=folded' writes", NULL},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static const char *const kinds[] = {
    [EXPORT_ALL] = "all", [EXPORT_OP] = "op", [EXPORT_FETCH] = "fetch", [EXPORT_EVENTS] = "events"};

static void usage(FILE *to)
{
    fputs("usage: ibsprof export [--format=FORMAT] [--samples=KIND] [-o OUTPUT] FILE\n"
          "\n"
          "Writes the samples of FILE (a run folder, perf.data, or a raw file of AMD_IBS_Toolkit) in another form.\n"
          "\n"
          "  -f, --format=FORMAT   one of:\n",
          to);
    for (unsigned i = 0; i < FORMATS; i++)
        fprintf(to, "                          %-10s %s\n", formats[i].name, formats[i].help);
    fputs("  -s, --samples=KIND    op, fetch, events (counters and clocks), or all; csv takes one kind at a time\n"
          "  -o, --output=OUTPUT   file to write; standard output when it is not given\n"
          "  -h, --help            this text\n"
          "\n"
          "In csv, what is not valid in a sample is '-', and 'Time_ns' stands in place of 'TSC' where times are in\n"
          "nanoseconds.\n",
          to);
}

int export_next(struct export *export, struct input_item *item)
{
    while (input_next(export->input, item)) {
        uint32_t kind = item->sample.record.kind;

        if (item->kind == INPUT_END)
            return 0;
        if (export->progress && ++export->items % PROGRESS_STEP == 0)
            progress(export->path, input_position(export->input), input_facts(export->input)->file_size);
        if (item->kind != INPUT_SAMPLE)
            continue;
        if (export->samples == EXPORT_ALL || export->samples == (kind == IBS_KIND_OP      ? EXPORT_OP
                                                                 : kind == IBS_KIND_FETCH ? EXPORT_FETCH
                                                                                          : EXPORT_EVENTS))
            return 1;
    }
    complain("%s", input_error(export->input));
    return -1;
}

static int find(const char *word, const char *const *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return (int)i;
    return -1;
}

struct options {
    unsigned format;
    enum export_samples samples;
    const char *output, *path;
};

/* -1: go on; else the exit code. */
static int read_options(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {{"format", required_argument, NULL, 'f'},
                                          {"samples", required_argument, NULL, 's'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    const char *names[FORMATS];
    int option, found;

    for (unsigned i = 0; i < FORMATS; i++)
        names[i] = formats[i].name;
    optind = 0; /* glibc: begin anew */
    while ((option = getopt_long(argc, argv, "f:s:o:h", longs, NULL)) != -1) {
        switch (option) {
        case 'f':
            if ((found = find(optarg, names, FORMATS)) < 0) {
                complain("no format '%s'; 'ibsprof export --help' lists them", optarg);
                return EXIT_USAGE;
            }
            options->format = (unsigned)found;
            break;
        case 's':
            if ((found = find(optarg, kinds, sizeof(kinds) / sizeof(kinds[0]))) < 0) {
                complain("--samples is op, fetch, events or all, not '%s'", optarg);
                return EXIT_USAGE;
            }
            options->samples = (enum export_samples)found;
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'h':
            usage(stdout);
            return EXIT_DONE;
        default:
            return EXIT_USAGE; /* getopt has said why */
        }
    }
    if (argc - optind != 1) {
        complain("export: exactly one FILE, please; 'ibsprof export --help' says how");
        return EXIT_USAGE;
    }
    options->path = argv[optind];
    return -1;
}

/* Stacks need symbols: that is report's work. */
static int folded(const struct options *options)
{
    char *argv[] = {"report", "--format=folded", (char *)options->path, "-o", (char *)options->output, NULL};

    if (options->samples != EXPORT_ALL) {
        complain("--samples is not for folded stacks: choose with 'ibsprof report --format=folded --event=NAME'");
        return EXIT_USAGE;
    }
    return command_report.run(options->output ? 5 : 3, argv);
}

static int run(int argc, char **argv)
{
    struct options options = {0};
    struct export export = {0};
    char error[1024];
    int result = read_options(argc, argv, &options);

    if (result >= 0)
        return result;
    if (!formats[options.format].run)
        return folded(&options);
    export.path = options.path;
    export.samples = options.samples;
    export.input = input_open(options.path, error, sizeof(error));
    if (!export.input) {
        complain("%s", error);
        return EXIT_INPUT;
    }
    export.output = options.output ? fopen(options.output, "wb") : stdout;
    if (!export.output) {
        complain("%s: %s", options.output, strerror(errno));
        input_close(export.input);
        return EXIT_OUTPUT;
    }
    export.progress = options.output || !isatty(STDOUT_FILENO);
    result = formats[options.format].run(&export);
    if (fflush(export.output) != 0 || ferror(export.output)) {
        complain("%s: cannot be written: %s", options.output ? options.output : "standard output", strerror(errno));
        result = EXIT_OUTPUT;
    }
    if (options.output)
        fclose(export.output);
    progress_end();
    input_close(export.input);
    return result;
}

const struct command command_export = {"export", "samples as CSV, JSON lines, perf.data or folded stacks", run};
