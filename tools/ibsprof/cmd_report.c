/* ibsprof report: the tables of a run. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/csv.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/export/folded.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/html/html.h"
#include "tools/ibsprof/report/report_json.h"
#include "tools/ibsprof/report/report_many.h"
#include "tools/ibsprof/report/report_text.h"

enum { WIDTH_DEFAULT = 79, WIDTH_MIN = 60, WIDTH_MAX = 200 };

static const struct {
    const char *name;
    enum report_form form;
} forms[] = {{"text", FORM_TEXT}, {"csv", FORM_CSV}, {"json", FORM_JSON}, {"html", FORM_HTML}, {"folded", FORM_FOLDED}};

struct report_command {
    struct load_options load;
    struct report_options report;
    enum report_form form;
    const char *output, *event, *against, *source_dir;
    bool all_samples;
    bool all_views; /* --view=all: those that the run has */
};

static void usage(FILE *to)
{
    fputs(
        "usage: ibsprof report [OPTION...] FILE...\n"
        "\n"
        "Tables of a run: FILE is a run's folder or a perf.data file. Of several noise runs (config=noise, or the "
        "Linux\n"
        "twin's JSON) all regimes side by side; of several runs of one workload, or a folder that holds them, the\n"
        "latency of its loads against the parameter that differs.\n"
        "\n"
        "  --view=NAME        this table; may be given again. 'list' names them all, 'all' shows them\n"
        "                     (default: the four of AMD's IBS paper)\n"
        "  --by=LEVEL         rows are: instruction, line, function or core\n"
        "  --event=NAME       what the list of functions, and folded stacks, are of: a derived event\n"
        "                     (F206, \"IBS DC miss\") or an event of the file (default: ops sampled)\n"
        "  --object=NAME      only tables of this file\n"
        "  --limit=PERCENT    leave out functions with less of the samples (Linux files; default: 0.5)\n"
        "  --width=COLUMNS    of text (default: the terminal's, else 79)\n"
        "  --format=FORMAT    text, csv, json, html (one page with charts, needs nothing else) or folded (stacks for\n"
        "                     flame graphs); --csv, --json, --html, --folded say the same\n"
        "  --against=NAME     of several runs: this parameter of the workload (default: the one that differs)\n"
        "  --source-dir=DIR   html and json: look for source files there first\n"
        "  --all-samples      folded: kernel, firmware and other processes, too\n"
        "  -o, --output=FILE  write there (default: standard output)\n" LOAD_HELP,
        to);
}

static void list_views(void)
{
    const struct view *view;

    for (unsigned i = 0; (view = view_at(i)) != NULL; i++)
        printf("%-24s%s: %s\n", view->name, view->title, view->what);
}

static bool add_view(struct report_command *command, const char *name)
{
    struct report_options *options = &command->report;
    const struct view *view;

    if (strcmp(name, "all") == 0) {
        for (unsigned i = 0; (view = view_at(i)) != NULL && i < REPORT_VIEWS; i++)
            options->views[i] = view, options->view_count = i + 1;
        command->all_views = true;
        return true;
    }
    view = view_find(name);
    if (view == NULL) {
        complain("no view '%s'; 'ibsprof report --view=list' names them", name);
        return false;
    }
    if (options->view_count < REPORT_VIEWS)
        options->views[options->view_count++] = view;
    return true;
}

static bool set_level(struct report_command *command, const char *name)
{
    static const char *const names[] = {"instruction", "line", "function"};

    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            command->report.level = i;
            return true;
        }
    }
    if (strcmp(name, "core") == 0) {
        command->report.by_core = true;
        return true;
    }
    complain("no level '%s': it is instruction, line, function or core", name);
    return false;
}

static bool set_form(struct report_command *command, const char *name)
{
    for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (strcmp(name, forms[i].name) == 0) {
            command->form = forms[i].form;
            return true;
        }
    }
    complain("no format '%s'; 'ibsprof report --help' names them", name);
    return false;
}

static bool set_number(const char *text, double low, double high, const char *what, double *ret_number)
{
    char *end;

    *ret_number = strtod(text, &end);
    if (end != text && *end == '\0' && *ret_number >= low && *ret_number <= high)
        return true;
    complain("%s is a number from %g to %g, not '%s'", what, low, high, text);
    return false;
}

enum {
    OPTION_VIEW = 1,
    OPTION_BY,
    OPTION_EVENT,
    OPTION_OBJECT,
    OPTION_LIMIT,
    OPTION_WIDTH,
    OPTION_FORMAT,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_FOLDED,
    OPTION_ALL,
    OPTION_AGAINST,
    OPTION_SOURCE
};

static const struct option long_options[] = {
    {"view", required_argument, NULL, OPTION_VIEW},
    {"by", required_argument, NULL, OPTION_BY},
    {"event", required_argument, NULL, OPTION_EVENT},
    {"object", required_argument, NULL, OPTION_OBJECT},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"json", no_argument, NULL, OPTION_JSON},
    {"html", no_argument, NULL, OPTION_HTML},
    {"folded", no_argument, NULL, OPTION_FOLDED},
    {"all-samples", no_argument, NULL, OPTION_ALL},
    {"against", required_argument, NULL, OPTION_AGAINST},
    {"source-dir", required_argument, NULL, OPTION_SOURCE},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    LOAD_LONG_OPTIONS,
    {0},
};

static bool take_option(struct report_command *command, int option)
{
    double number;

    switch (option) {
    case OPTION_VIEW:
        return add_view(command, optarg);
    case OPTION_BY:
        return set_level(command, optarg);
    case OPTION_EVENT:
        command->event = optarg;
        return true;
    case OPTION_OBJECT:
        command->report.object = optarg;
        return true;
    case OPTION_LIMIT:
        return set_number(optarg, 0, 100, "--limit", &command->report.min_percent);
    case OPTION_WIDTH:
        if (!set_number(optarg, WIDTH_MIN, WIDTH_MAX, "--width", &number))
            return false;
        command->report.width = (unsigned)number;
        return true;
    case OPTION_FORMAT:
        return set_form(command, optarg);
    case OPTION_CSV:
        return set_form(command, "csv");
    case OPTION_JSON:
        return set_form(command, "json");
    case OPTION_HTML:
        return set_form(command, "html");
    case OPTION_FOLDED:
        return set_form(command, "folded");
    case OPTION_ALL:
        command->all_samples = true;
        return true;
    case OPTION_AGAINST:
        command->against = optarg;
        return true;
    case OPTION_SOURCE:
        command->source_dir = optarg;
        return load_folder("--source-dir", optarg);
    case 'o':
        command->output = optarg;
        return true;
    default:
        return load_option(&command->load, option, optarg);
    }
}

static unsigned terminal_width(void)
{
    struct winsize size;

    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_DEFAULT;
    if (size.ws_col <= WIDTH_MIN)
        return WIDTH_MIN;
    return size.ws_col - 1u < WIDTH_MAX ? size.ws_col - 1u : WIDTH_MAX;
}

static FILE *begin(struct report_command *command, struct out_file *out)
{
    FILE *file = output_open(command->output);

    if (file == NULL)
        return NULL;
    out_file_init(out, file, file == stdout && colour_allowed(STDOUT_FILENO));
    if (command->report.width == 0)
        command->report.width = file == stdout ? terminal_width() : WIDTH_DEFAULT;
    return file;
}

/* Each view that was named can be made of what was counted; an empty table would read as zeroes. profile or counters
 * may be NULL. False after a complaint. */
static bool named_views_are_there(const struct report_command *command, const char *path,
                                  const struct run_profile *profile, const struct pmc_run *counters)
{
    bool good = true;

    for (unsigned i = 0; i < command->report.view_count && !command->all_views; i++) {
        const struct view *view = command->report.views[i];
        enum ibs_kind kind = view_kind(view);
        bool there = kind == IBS_KIND_OP || kind == IBS_KIND_FETCH ? profile != NULL && profile->samples[kind] > 0
                                                                   : counters != NULL && report_pmc_has(counters, view);

        if (!there)
            complain("%s: no table '%s': what it is made of was not counted", path, view->name);
        good &= there;
    }
    return good;
}

static bool print_text(struct report_command *command, struct out_file *out, const struct run_profile *profile)
{
    const char *path = profile->facts->path;
    struct pmc_run counters;
    bool good = report_text(out, profile, &command->report);

    /* Counters were sampled in the same run, or in one beside it (config=skid). */
    if (!profile->facts->is_linux && pmc_run_read(&counters, path) == PMC_RUN_READ) {
        good &= report_pmc_text(out, &counters, &command->report);
        good &= named_views_are_there(command, path, profile, &counters);
        pmc_run_free(&counters);
        return good;
    }
    return named_views_are_there(command, path, profile, NULL) && good;
}

/* What the image's CSV files begin with where they are not silicon's (app/save.c). A Linux file says it only of the
 * model: that it was recorded in a virtual machine is for info and the tables. */
static void csv_origin(struct out *out, const struct input_facts *facts)
{
    if (facts->is_model)
        out_printf(out, "# %s\n", input_figures(facts));
}

static void print_pmc_csv(struct out *out, const struct pmc_run *counters)
{
    if (counters->origin[0])
        out_printf(out, "%s\n", counters->origin);
    csv_write_pmc_profile(out, &counters->profile);
}

/* A run without IBS samples has no profile.csv, but pmc.csv. */
static void print_csv(struct out *out, const struct run_profile *profile)
{
    const struct input_facts *facts = profile->facts;
    struct pmc_run counters;
    bool ibs = false;

    for (uint32_t i = 0; i < facts->event_count; i++)
        ibs |= facts->events[i].kind == IBS_KIND_OP || facts->events[i].kind == IBS_KIND_FETCH;
    if (ibs || facts->is_linux || pmc_run_read(&counters, facts->path) != PMC_RUN_READ) {
        csv_origin(out, facts);
        report_periods(out, profile, "# ", false);
        report_csv(out, profile);
        return;
    }
    print_pmc_csv(out, &counters);
    pmc_run_free(&counters);
}

static enum exit_code print_report(struct report_command *command, const struct loaded *loaded)
{
    const struct run_profile *profile = loaded->profile;
    struct out_file out;
    bool good = true;
    FILE *file;

    command->report.measure = measure_default(profile);
    if (command->event != NULL && !measure_find(profile, command->event, &command->report.measure)) {
        complain("no event '%s' in %s, nor a derived event of that name", command->event, profile->facts->path);
        return EXIT_USAGE;
    }
    if (command->report.by_core && load_no_cores(profile))
        return EXIT_INPUT;
    file = begin(command, &out);
    if (file == NULL)
        return EXIT_OUTPUT;
    switch (command->form) {
    case FORM_TEXT:
        good = print_text(command, &out, profile);
        break;
    case FORM_CSV:
        if (command->report.by_core) {
            csv_origin(&out.out, profile->facts);
            report_cores_csv(&out.out, profile);
        } else {
            print_csv(&out.out, profile);
        }
        break;
    case FORM_JSON:
        (void)report_json(file, profile, command->source_dir); /* output_close tells what could not be written */
        break;
    case FORM_HTML:
        (void)report_html(file, profile, command->source_dir);
        break;
    case FORM_FOLDED:
        (void)export_folded(file, profile, &command->report.measure, !command->all_samples);
        break;
    }
    if (!output_close(file, command->output))
        return EXIT_OUTPUT;
    return good ? load_status(loaded) : EXIT_USAGE;
}

/* A run that sampled counters or time only: it has pmc.csv and no perf.data. -1: it is none. */
static int print_counters(struct report_command *command, const char *path)
{
    struct pmc_run counters;
    struct out_file out;
    bool good = true;
    FILE *file;

    if (command->form != FORM_TEXT && command->form != FORM_CSV)
        return -1;
    switch (pmc_run_read(&counters, path)) {
    case PMC_RUN_NONE:
        return -1;
    case PMC_RUN_DAMAGED:
        return EXIT_INPUT;
    case PMC_RUN_READ:
        break;
    }
    file = begin(command, &out);
    if (file != NULL && command->form == FORM_CSV) {
        print_pmc_csv(&out.out, &counters);
    } else if (file != NULL) {
        out_printf(&out.out, "%s\n", path);
        if (counters.is_model)
            out_printf(&out.out, "MODEL: all figures come from ibsboot's virtual PMU (a model), not from silicon.\n");
        (void)report_pmc_text(&out, &counters, &command->report);
        good = named_views_are_there(command, path, NULL, &counters);
    }
    pmc_run_free(&counters);
    if (file == NULL || !output_close(file, command->output))
        return EXIT_OUTPUT;
    return good ? EXIT_DONE : EXIT_USAGE;
}

static bool has_perfdata(const char *path)
{
    char name[PATH_MAX];
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return true; /* it is to be one itself */
    return snprintf(name, sizeof(name), "%s/perf.data", path) >= (int)sizeof(name) || access(name, F_OK) == 0;
}

/* -1: it is one run with samples. */
static int several(const struct report_command *command, char *const *paths, int count)
{
    struct run_list list = {0};
    int status;

    for (int i = 0; i < count; i++)
        if (access(paths[i], F_OK) != 0) {
            complain("%s: %s", paths[i], strerror(errno));
            return EXIT_INPUT;
        }
    for (int i = 0; i < count; i++)
        run_list_add(&list, paths[i]);
    status = report_many(&list, command->form, command->against, command->output);
    run_list_free(&list);
    return status;
}

static int run(int argc, char **argv)
{
    struct report_command command = {.report = {.level = -1, .min_percent = 0.5}};
    struct loaded loaded;
    enum exit_code code;
    int option;

    optind = 0;
    while ((option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            return EXIT_DONE;
        }
        if (option == OPTION_VIEW && strcmp(optarg, "list") == 0) {
            list_views();
            return EXIT_DONE;
        }
        if (option == '?' || !take_option(&command, option))
            return EXIT_USAGE;
    }
    if (optind == argc) {
        complain("report takes a file; 'ibsprof report --help' explains");
        return EXIT_USAGE;
    }
    if ((option = several(&command, argv + optind, argc - optind)) >= 0)
        return option;
    if (!has_perfdata(argv[optind]) && (option = print_counters(&command, argv[optind])) >= 0)
        return option;
    if (!load_run(&loaded, argv[optind], &command.load))
        return EXIT_INPUT;
    code = print_report(&command, &loaded);
    load_free(&loaded);
    return code;
}

const struct command command_report = {"report", "tables of a run: text, CSV, JSON, HTML, folded stacks", run};
