/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof annotate: functions with their source lines, instructions and samples. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/report/annotate/annotate.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/profile/rows.h"
#include "tools/ibsprof/read/run_archive.h"
#include "tools/ibsprof/profile/no_source.h"

enum { WIDTH_DEFAULT = 79, WIDTH_MIN = 60, WIDTH_MAX = 400, FUNCTIONS_MAX = 10 };

struct annotate_settings {
    struct load_options load;
    struct annotate_options annotate;
    const char *output;
    bool csv;
    const char *event[1 + ANNOTATE_MORE];
    unsigned event_count;
    double min_percent;
    char *const *functions; /* NULL-terminated; none: the hottest */
};

static const char *add_event(void *place, char *name)
{
    struct annotate_settings *settings = place;

    if (settings->event_count == 1 + ANNOTATE_MORE)
        return "may be given six times";
    settings->event[settings->event_count++] = name;
    return NULL;
}

#define PLACE(member_) offsetof(struct annotate_settings, member_)
static const struct option_row option_rows[] = {
    {"event", 0, "NAME", OPTION_CALL, 0, .call = add_event,
     .help = "event to count, as in 'ibsprof report' (default: ops sampled); up to five more\nevents stand beside it, "
             "but shares are those of the first"},
    {"limit", 0, "PERCENT", OPTION_NUMBER, PLACE(min_percent), .most = 100,
     .help = "without FUNCTION: show functions with at least this share (default: 5)"},
    {"source-dir", 0, "DIR", OPTION_FOLDER, PLACE(annotate.source_dir), .help = "look for source files in DIR first"},
    {"csv", 0, NULL, OPTION_FLAG, PLACE(csv), .help = "the same rows and columns as CSV, not rounded"},
    {"width", 0, "COLUMNS", OPTION_COUNT, PLACE(annotate.width), .least = WIDTH_MIN, .most = WIDTH_MAX,
     .help = "width of the text (default: the terminal's, else 79)"},
    {"output", 'o', "FILE", OPTION_TEXT, PLACE(output), .help = "write to FILE (default: standard output)"},
    {"", .kind = OPTION_TABLE, .place = PLACE(load), .table = load_option_rows},
    {0},
};

static const struct option_table options = {
    .command = "annotate",
    .usage = "usage: ibsprof annotate [OPTION...] FILE [FUNCTION...]\n"
             "\n"
             "Shows functions with their source lines and instructions, and the samples of each; without a name "
             "the\nhottest ones. A FUNCTION that is not the name of one is a pattern as in the shell: 'chase_*'.\n",
    .rows = option_rows,
};

/* before: number of functions already printed. */
static void print_function(struct out *out, const struct run_profile *profile, const struct annotate_settings *settings,
                           uint32_t object, uint32_t func, unsigned before)
{
    if (settings->csv) {
        annotate_csv(out, profile, object, func, &settings->annotate);
        return;
    }
    out_printf(out, before > 0 ? "\n" : "");
    annotate_function(out, profile, object, func, &settings->annotate);
}

/* Prints the text before the functions. */
static void print_begin(struct out *out, const struct run_profile *profile, const struct annotate_settings *settings)
{
    const char *figures = input_figures(profile->facts);

    if (figures)
        out_printf(out, settings->csv ? "# %s\n" : "%s\n\n", figures);
    report_periods(out, profile, settings->csv ? "# " : "NOTE: ", true);
    no_source_note(out, profile, settings->csv ? "# " : "NOTE: ");
    if (settings->csv)
        annotate_csv_header(out, profile, &settings->annotate);
}

/* Prints the named functions: all of a name, because static functions may share it. before: number already printed. */
static unsigned annotate_named(struct out *out, const struct run_profile *profile,
                               const struct annotate_settings *settings, const char *name, unsigned before)
{
    unsigned shown = 0;

    for (uint32_t object = 0; object < profile->object_count; object++) {
        const struct codemap *map = profile->maps[object];

        for (uint32_t func = 0; func < map->func_count; func++) {
            if (strcmp(map->strings + map->funcs[func].name, name) != 0)
                continue;
            print_function(out, profile, settings, object, func, before + shown++);
        }
    }
    return shown;
}

/* Prints the hottest functions: those that match the pattern, or, without one, those above the limit. */
static unsigned annotate_hottest(struct out *out, const struct run_profile *profile,
                                 const struct annotate_settings *settings, const char *pattern, unsigned before)
{
    const struct measure *measure = &settings->annotate.measure;
    struct rows *rows = rows_make(profile, PROFILE_FUNCTIONS, measure, false);
    uint64_t total = measure_total(measure, profile);
    unsigned shown = 0;

    for (uint32_t i = 0; i < rows->count && (pattern || shown < FUNCTIONS_MAX); i++) {
        const struct row *row = &rows->rows[i];
        uint64_t value = measure_of(measure, row->counts, row->events);
        const struct codemap *map;

        if (row->first->func < 0 || value == 0)
            continue;
        map = profile->maps[row->first->object];
        if (pattern ? fnmatch(pattern, map->strings + map->funcs[row->first->func].name, 0) != 0
                    : shown > 0 && (double)value * 100 < settings->min_percent * (double)total)
            continue;
        print_function(out, profile, settings, row->first->object, (uint32_t)row->first->func, before + shown++);
    }
    rows_free(rows);
    return shown;
}

static enum exit_code print_all(struct annotate_settings *settings, const struct loaded *loaded)
{
    const struct run_profile *profile = loaded->profile;
    enum exit_code code = load_status(loaded);
    unsigned shown = 0;
    struct out_file out;
    FILE *file;

    if (!load_measure(profile, settings->event[0], &settings->annotate.measure))
        return EXIT_USAGE;
    for (unsigned i = 1; i < settings->event_count; i++)
        if (!load_measure(profile, settings->event[i], &settings->annotate.more[settings->annotate.more_count++]))
            return EXIT_USAGE;
    file = output_open(settings->output);
    if (!file)
        return EXIT_OUTPUT;
    out_file_init(&out, file, false);
    settings->annotate.colour = file == stdout && colour_allowed(STDOUT_FILENO);
    if (settings->annotate.width == 0)
        settings->annotate.width = file == stdout ? terminal_columns(WIDTH_MIN, WIDTH_MAX) : 0;
    if (settings->annotate.width == 0)
        settings->annotate.width = WIDTH_DEFAULT;
    print_begin(&out.out, profile, settings);
    if (!settings->functions[0] && annotate_hottest(&out.out, profile, settings, NULL, 0) == 0) {
        complain("%s: no samples of %s in a function whose name is known", profile->facts->path,
                 settings->annotate.measure.name);
        code = EXIT_INPUT;
    }
    for (char *const *name = settings->functions; *name; name++) {
        unsigned of_name = annotate_named(&out.out, profile, settings, *name, shown);

        if (of_name == 0)
            of_name = annotate_hottest(&out.out, profile, settings, *name, shown);
        shown += of_name;
        if (of_name == 0) {
            if (access(*name, F_OK) == 0)
                complain("annotate takes one run, followed by names of functions; '%s' is a file", *name);
            else
                complain("%s: no samples in a function '%s'", profile->facts->path, *name);
            code = EXIT_USAGE;
        }
    }
    return output_close(file, settings->output) ? code : EXIT_OUTPUT;
}

static int run(int argc, char **argv)
{
    struct annotate_settings settings = {.min_percent = 5};
    struct loaded loaded;
    enum exit_code code;

    if (!run_operands_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (argc == 0)
        return options_misused(&options, "no FILE");
    if (!load_run(&loaded, argv[0], &settings.load))
        return EXIT_INPUT;
    settings.functions = argv + 1;
    code = print_all(&settings, &loaded);
    load_free(&loaded);
    return code;
}

const struct command command_annotate = {"annotate", "functions with source lines and instructions", run, true};
