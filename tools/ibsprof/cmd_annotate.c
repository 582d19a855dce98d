/* ibsprof annotate: functions with their source lines and instructions, and the samples of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/report/annotate.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/report/report_text.h"
#include "tools/ibsprof/profile/rows.h"

enum { WIDTH_DEFAULT = 79, WIDTH_MIN = 60, WIDTH_MAX = 400, FUNCTIONS_MAX = 10 };

struct annotate_command {
    struct load_options load;
    struct annotate_options annotate;
    const char *output, *event;
    double min_percent;
    char *const *functions; /* NULL-terminated; none: the hottest */
};

static void usage(FILE *to)
{
    fputs("usage: ibsprof annotate [OPTION...] FILE [FUNCTION...]\n"
          "\n"
          "Functions with their source lines and instructions, and the samples of each; the hottest ones when\n"
          "none is named.\n"
          "\n"
          "  --event=NAME       what is counted: a derived event (F206, \"IBS DC miss\") or an event of the\n"
          "                     file (default: ops sampled)\n"
          "  --limit=PERCENT    without FUNCTION: those with so much of it (default: 5)\n"
          "  --source-dir=DIR   look for source files there first\n"
          "  --width=COLUMNS    of text (default: the terminal's, else 79)\n"
          "  -o, --output=FILE  write there (default: standard output)\n" LOAD_HELP,
          to);
}

enum { OPTION_EVENT = 1, OPTION_LIMIT, OPTION_SOURCE, OPTION_WIDTH };

static const struct option long_options[] = {
    {"event", required_argument, NULL, OPTION_EVENT},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"source-dir", required_argument, NULL, OPTION_SOURCE},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    LOAD_LONG_OPTIONS,
    {0},
};

static bool take_option(struct annotate_command *command, int option)
{
    char *end = NULL;

    switch (option) {
    case OPTION_EVENT:
        command->event = optarg;
        return true;
    case OPTION_LIMIT:
        command->min_percent = strtod(optarg, &end);
        if (end != optarg && *end == '\0' && command->min_percent >= 0 && command->min_percent <= 100)
            return true;
        complain("--limit is a number from 0 to 100, not '%s'", optarg);
        return false;
    case OPTION_SOURCE:
        command->annotate.source_dir = optarg;
        return load_folder("--source-dir", optarg);
    case OPTION_WIDTH: {
        unsigned long width = strtoul(optarg, &end, 10);

        command->annotate.width = (unsigned)width;
        if (end != optarg && *end == '\0' && width >= WIDTH_MIN && width <= WIDTH_MAX)
            return true;
        complain("--width is a number from %d to %d, not '%s'", WIDTH_MIN, WIDTH_MAX, optarg);
        return false;
    }
    case 'o':
        command->output = optarg;
        return true;
    default:
        return load_option(&command->load, option, optarg);
    }
}

/* Rows of the functions that were asked for: all of a name, for static functions may share one. before: as many are
 * shown already. */
static unsigned annotate_named(struct out *out, const struct run_profile *profile,
                               const struct annotate_command *command, const char *name, unsigned before)
{
    unsigned shown = 0;

    for (uint32_t object = 0; object < profile->object_count; object++) {
        const struct codemap *map = profile->maps[object];

        for (uint32_t func = 0; func < map->func_count; func++) {
            if (strcmp(map->strings + map->funcs[func].name, name) != 0)
                continue;
            out_printf(out, before++ > 0 ? "\n" : "");
            annotate_function(out, profile, object, func, &command->annotate);
            shown++;
        }
    }
    return shown;
}

static unsigned annotate_hottest(struct out *out, const struct run_profile *profile,
                                 const struct annotate_command *command)
{
    const struct measure *measure = &command->annotate.measure;
    struct rows *rows = rows_make(profile, PROFILE_FUNCTIONS, measure, false);
    uint64_t total = measure_total(measure, profile);
    unsigned shown = 0;

    for (uint32_t i = 0; i < rows->count && shown < FUNCTIONS_MAX; i++) {
        const struct row *row = &rows->rows[i];
        uint64_t value = measure_of(measure, row->counts, row->events);

        if (row->first->func < 0 || value == 0 ||
            (shown > 0 && (double)value * 100 < command->min_percent * (double)total))
            continue;
        out_printf(out, shown ? "\n" : "");
        annotate_function(out, profile, row->first->object, (uint32_t)row->first->func, &command->annotate);
        shown++;
    }
    rows_free(rows);
    return shown;
}

static unsigned terminal_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_DEFAULT;
    if (size.ws_col < WIDTH_MIN)
        return WIDTH_MIN;
    return size.ws_col < WIDTH_MAX ? size.ws_col : WIDTH_MAX;
}

static enum exit_code print_all(struct annotate_command *command, const struct loaded *loaded)
{
    const struct run_profile *profile = loaded->profile;
    enum exit_code code = load_status(loaded);
    unsigned shown = 0;
    struct out_file out;
    FILE *file;

    command->annotate.measure = measure_default(profile);
    if (command->event != NULL && !measure_find(profile, command->event, &command->annotate.measure)) {
        complain("no event '%s' in %s, nor a derived event of that name", command->event, profile->facts->path);
        return EXIT_USAGE;
    }
    file = output_open(command->output);
    if (file == NULL)
        return EXIT_OUTPUT;
    out_file_init(&out, file, false);
    command->annotate.colour = file == stdout && colour_allowed(STDOUT_FILENO);
    if (command->annotate.width == 0)
        command->annotate.width = file == stdout ? terminal_width() : WIDTH_DEFAULT;
    if (input_figures(profile->facts))
        out_printf(&out.out, "%s\n\n", input_figures(profile->facts));
    report_periods(&out.out, profile, "NOTE: ", true);
    if (command->functions[0] == NULL && annotate_hottest(&out.out, profile, command) == 0) {
        complain("%s: no samples of %s in a function whose name is known", profile->facts->path,
                 command->annotate.measure.name);
        code = EXIT_INPUT;
    }
    for (char *const *name = command->functions; *name != NULL; name++) {
        unsigned of_name = annotate_named(&out.out, profile, command, *name, shown);

        shown += of_name;
        if (of_name == 0) {
            if (access(*name, F_OK) == 0)
                complain("annotate takes one run, and names of functions after it; '%s' is a file", *name);
            else
                complain("%s: no samples in a function '%s'", profile->facts->path, *name);
            code = EXIT_USAGE;
        }
    }
    return output_close(file, command->output) ? code : EXIT_OUTPUT;
}

static int run(int argc, char **argv)
{
    struct annotate_command command = {.min_percent = 5};
    struct loaded loaded;
    enum exit_code code;
    int option;

    optind = 0;
    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            return EXIT_DONE;
        }
        if (option == '?' || !take_option(&command, option))
            return EXIT_USAGE;
    }
    if (optind >= argc) {
        complain("annotate takes a file; 'ibsprof annotate --help' explains");
        return EXIT_USAGE;
    }
    if (!load_run(&loaded, argv[optind], &command.load))
        return EXIT_INPUT;
    command.functions = argv + optind + 1;
    code = print_all(&command, &loaded);
    load_free(&loaded);
    return code;
}

const struct command command_annotate = {"annotate", "functions with source lines and instructions", run};
