/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof report: the tables of a run. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/profile/csv.h"
#include "core/base/origin.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/export/autofdo.h"
#include "tools/ibsprof/export/folded.h"
#include "tools/ibsprof/profile/load.h"
#include "tools/ibsprof/html/html.h"
#include "tools/ibsprof/report/lists/report_addresses.h"
#include "tools/ibsprof/report/tables/report_asked.h"
#include "tools/ibsprof/report/lists/report_calls.h"
#include "tools/ibsprof/report/lists/report_loads.h"
#include "tools/ibsprof/report/lists/report_taken.h"
#include "tools/ibsprof/report/explore/report_explore.h"
#include "tools/ibsprof/report/json/report_json.h"
#include "tools/ibsprof/report/json/report_parts.h"
#include "tools/ibsprof/report/sweep/report_many.h"
#include "tools/ibsprof/report/tables/report_tables.h"
#include "tools/ibsprof/report/tables/report_text.h"
#include "tools/ibsprof/views/views.h"
#include "tools/ibsprof/read/run_archive.h"
#include "tools/ibsprof/profile/no_source.h"

enum { WIDTH_DEFAULT = 79, WIDTH_MIN = 60, WIDTH_MAX = 200 };

static const char *const form_names[] = {[FORM_TEXT] = "text",
                                         [FORM_CSV] = "csv",
                                         [FORM_JSON] = "json",
                                         [FORM_HTML] = "html",
                                         [FORM_FOLDED] = "folded",
                                         [FORM_AUTOFDO] = "autofdo",
                                         NULL};

enum { BY_DEFAULT = -1, BY_LIST = PROFILE_FUNCTIONS };
/* Indexed by enum profile_level, then by enum report_list. */
static const char *const level_names[] = {
    "instruction", "line",   "function", "core",   "module", "process", "thread", "fetch", "region", "page",
    "cache-line",  "object", "load",     "caller", "callee", "stack",   "branch", "block", NULL};
_Static_assert(sizeof(level_names) / sizeof(level_names[0]) == BY_LIST + REPORT_BLOCKS + 2, "a word for each list");

struct report_settings {
    struct load_options load;
    struct report_options report;
    int form, by; /* enum form */
    const char *output, *event, *against, *source_dir;
    bool all_samples;
    bool exploration;          /* --view=exploration */
    struct report_asked asked; /* --view and --views */
    struct report_lines lines; /* of the page */
};

static const char *add_view(void *place, char *name)
{
    struct report_settings *settings = place;

    if (strcmp(name, "exploration") != 0)
        return report_ask_view(&settings->asked, name);
    settings->exploration = true;
    return NULL;
}

static const char *add_views(void *place, char *path)
{
    return report_ask_file(&((struct report_settings *)place)->asked, path);
}

#define PLACE(member_) offsetof(struct report_settings, member_)
static const struct option_row option_rows[] = {
    {"view", 0, "NAME", OPTION_CALL, 0, .word = report_view_word, .call = add_view,
     .help =
         "show this table; may be given several times. 'list' names all tables, 'all' shows them\n(default: the cause "
         "that costs most, then the four tables of AMD's IBS paper, and branches\nif 1 in 100 is mispredicted; no "
         "table that is all zero).\nAs csv (one at a time) or json: the table's own rows and columns, not rounded"},
    {"by", 0, "LEVEL", OPTION_WORD, PLACE(by), .words = level_names,
     .help = "what each row shows;\nfrom core on, rows form a separate list: fetch: by address; region (memory without "
             "a\ngap of 1 MB), page, cache-line and object (arrays, variables, stack, heap, mappings):\nby address of "
             "data; load: stride, lines and pages of each load; caller, callee and\nstack need recorded call stacks; "
             "branch (taken) and block (between two branches) need\nbranch records"},
    {"event", 0, "NAME", OPTION_TEXT, PLACE(event),
     .help = "event by which functions and folded stacks are weighted: any name that an\n"
             "output has for an event (F206, 041, DATA_CACHE_MISSES, \"DC misses\";\n"
             "default: ops sampled); an unknown name lists the events"},
    {"object", 0, "NAME", OPTION_TEXT, PLACE(report.object), .help = "only tables of this file"},
    {"views", 0, "FILE", OPTION_CALL, 0, .call = add_views,
     .help = "a file with your own views; may be given several times. views.ini beside the run\n"
             "and ~/.config/ibsprof/views/*.ini are read as well"},
    {"limit", 0, "PERCENT", OPTION_NUMBER, PLACE(report.min_percent), .most = 100,
     .help = "leave out functions with less of the samples (Linux files; default: 0.5)"},
    {"width", 0, "COLUMNS", OPTION_COUNT, PLACE(report.width), .least = WIDTH_MIN, .most = WIDTH_MAX,
     .help = "width of the text (default: the terminal's, else 79)"},
    {"format", 0, "FORMAT", OPTION_WORD, PLACE(form), .words = form_names,
     .help = "html is one page with charts that\n"
             "needs nothing else, folded are stacks for flame graphs, autofdo is a profile\n"
             "for clang -fprofile-sample-use"},
    {"csv", 0, NULL, OPTION_VALUE, PLACE(form), .value = FORM_CSV, .help = "the same as --format=csv"},
    {"json", 0, NULL, OPTION_VALUE, PLACE(form), .value = FORM_JSON, .help = "the same as --format=json"},
    {"html", 0, NULL, OPTION_VALUE, PLACE(form), .value = FORM_HTML, .help = "the same as --format=html"},
    {"folded", 0, NULL, OPTION_VALUE, PLACE(form), .value = FORM_FOLDED, .help = "the same as --format=folded"},
    {"against", 0, "NAME", OPTION_TEXT, PLACE(against),
     .help = "several runs: this parameter of the workload (default: the one that differs)"},
    {"source-dir", 0, "DIR", OPTION_FOLDER, PLACE(source_dir),
     .help = "html and json: look for source files in DIR first"},
    {"all-samples", 0, NULL, OPTION_FLAG, PLACE(all_samples),
     .help = "folded: kernel, firmware and other processes, too"},
    {"output", 'o', "FILE", OPTION_TEXT, PLACE(output), .help = "write to FILE (default: standard output)"},
    {"", .kind = OPTION_TABLE, .place = PLACE(load), .table = load_option_rows},
    {0},
};

static const struct option_table options = {
    .command = "report",
    .usage =
        "usage: ibsprof report [OPTION...] FILE...\n"
        "\n"
        "Tables of a run: FILE is a run's folder or a perf.data file. Of several noise runs (config=noise, or the\n"
        "Linux twin's) all regimes side by side; of several runs of one workload, or a folder that holds them,\n"
        "the latency of its loads against the parameter that differs.\n",
    .rows = option_rows,
};

static FILE *begin(struct report_settings *settings, struct out_file *out)
{
    FILE *file = output_open(settings->output);

    if (!file)
        return NULL;
    out_file_init(out, file, file == stdout && colour_allowed(STDOUT_FILENO));
    if (settings->report.width == 0) {
        unsigned columns = file == stdout ? terminal_columns(WIDTH_MIN + 1, WIDTH_MAX + 1) : 0;

        settings->report.width = columns > 0 ? columns - 1 : WIDTH_DEFAULT;
    }
    return file;
}

static bool print_text(struct report_settings *settings, struct out_file *out, const struct run_profile *profile)
{
    const char *path = profile->facts->path;
    struct pmc_run counters;
    bool good = report_text(out, profile, &settings->report);

    /* Counters were sampled in this run, or in the run beside it (config=skid). */
    if (!profile->facts->is_linux && pmc_run_read(&counters, path) == PMC_RUN_READ) {
        report_pmc_text(out, &counters, &settings->report);
        good &= report_tables_are_there(path, &settings->report, profile, &counters);
        pmc_run_free(&counters);
        return good;
    }
    return report_tables_are_there(path, &settings->report, profile, NULL) && good;
}

/* Prints the first line of the image's CSV files if figures are not silicon's (app/save/save.c). For a Linux file only
 * a model is named; other virtual machines are reported by info and the tables. */
static void csv_origin(struct out *out, const struct run_profile *profile)
{
    if (profile->facts->is_model)
        out_printf(out, "# %s\n", input_figures(profile->facts));
    no_source_note(out, profile, "# ");
}

static void print_pmc_csv(struct out *out, const struct pmc_run *counters)
{
    if (counters->origin[0])
        out_printf(out, "%s\n", counters->origin);
    csv_write_pmc_profile(out, &counters->profile);
}

static void print_list_csv(const struct report_settings *settings, struct out *out, const struct run_profile *profile)
{
    csv_origin(out, profile);
    if (settings->report.list == REPORT_CORES)
        report_cores_csv(out, profile);
    else if (settings->report.list == REPORT_MODULES)
        report_modules_csv(out, profile, &settings->report);
    else
        report_processes_csv(out, profile, &settings->report);
}

/* A run without IBS samples has pmc.csv instead of profile.csv. */
static void print_csv(const struct report_settings *settings, struct out *out, const struct run_profile *profile)
{
    const struct input_facts *facts = profile->facts;
    struct pmc_run counters;
    bool ibs = false;

    if (settings->report.list != REPORT_NO_LIST) {
        print_list_csv(settings, out, profile);
        return;
    }
    if (settings->report.level > PROFILE_INSTRUCTIONS) {
        csv_origin(out, profile);
        report_periods(out, profile, "# ", false);
        report_rows_csv(out, profile, (enum profile_level)settings->report.level, &settings->report);
        return;
    }
    for (uint32_t i = 0; i < facts->event_count; i++)
        ibs |= sample_is_ibs(facts->events[i].kind);
    if (ibs || facts->is_linux || pmc_run_read(&counters, facts->path) != PMC_RUN_READ) {
        csv_origin(out, profile);
        report_periods(out, profile, "# ", false);
        report_csv(out, profile);
        return;
    }
    print_pmc_csv(out, &counters);
    pmc_run_free(&counters);
}

/* Returns whether named views are to be written as data. */
static bool wants_tables(const struct report_settings *settings)
{
    return settings->report.view_count > 0 && (settings->form == FORM_CSV || settings->form == FORM_JSON);
}

static enum exit_code print_report(struct report_settings *settings, const struct loaded *loaded)
{
    const struct run_profile *profile = loaded->profile;
    enum form form = (enum form)settings->form;
    struct out_file out;
    bool good = true;
    FILE *file;

    if (!load_measure(profile, settings->event, &settings->report.measure))
        return EXIT_USAGE;
    if (!settings->event && form == FORM_TEXT)
        (void)report_cause_measure(profile, &settings->report.measure);
    if (settings->report.list == REPORT_CORES && load_no_cores(profile))
        return EXIT_INPUT;
    file = begin(settings, &out);
    if (!file)
        return EXIT_OUTPUT;
    if (settings->report.list >= REPORT_FETCHES) {
        if (report_is_addresses(settings->report.list))
            report_addresses(&out, form, profile, &settings->load.profile.search, &settings->report);
        else if (settings->report.list == REPORT_LOADS)
            report_loads(&out, form, profile, &settings->load.profile.search, &settings->report);
        else
            good = (report_is_taken(settings->report.list) ? report_taken : report_calls)(
                &out, form, profile, &settings->load.profile.search, &settings->report);
        return !output_close(file, settings->output) ? EXIT_OUTPUT : good ? load_status(loaded) : EXIT_INPUT;
    }
    if (wants_tables(settings)) {
        good = report_tables_write(&out, form, profile->facts->path, profile, &settings->report);
        return !output_close(file, settings->output) ? EXIT_OUTPUT : good ? load_status(loaded) : EXIT_USAGE;
    }
    switch (form) {
    case FORM_TEXT:
        good = print_text(settings, &out, profile);
        break;
    case FORM_CSV:
        print_csv(settings, &out.out, profile);
        break;
    case FORM_JSON:
        (void)report_json(file, profile, settings->report.own_views,
                          settings->source_dir); /* output_close() reports errors of writing */
        break;
    case FORM_HTML:
        (void)report_html(file, profile, settings->report.own_views, settings->source_dir, report_lines_json,
                          &settings->lines);
        break;
    case FORM_FOLDED:
        (void)export_folded(file, profile, &settings->report.measure, !settings->all_samples);
        break;
    case FORM_AUTOFDO:
        good = export_autofdo(file, profile);
        break;
    }
    if (!output_close(file, settings->output))
        return EXIT_OUTPUT;
    return good ? load_status(loaded) : EXIT_USAGE;
}

/* Reports a run that sampled only counters or time, with pmc.csv and no perf.data. Returns false for other runs, or if
 * the form needs perf.data. */
static bool report_counters_alone(struct report_settings *settings, const char *path, enum exit_code *ret_code)
{
    struct pmc_run counters;
    struct out_file out;
    bool good = true;
    FILE *file;

    if ((settings->form != FORM_TEXT && settings->form != FORM_CSV && !wants_tables(settings)) ||
        settings->report.list != REPORT_NO_LIST)
        return false;
    switch (pmc_run_read(&counters, path)) {
    case PMC_RUN_NONE:
        return false;
    case PMC_RUN_DAMAGED:
        *ret_code = EXIT_INPUT;
        return true;
    case PMC_RUN_READ:
        break;
    }
    file = begin(settings, &out);
    if (file && wants_tables(settings)) {
        good = report_tables_write_counters(&out, (enum form)settings->form, path, &counters, &settings->report);
    } else if (file && settings->form == FORM_CSV) {
        print_pmc_csv(&out.out, &counters);
    } else if (file) {
        out_printf(&out.out, "%s\n", path);
        if (counters.is_model)
            out_printf(&out.out, ORIGIN_MODEL "\n");
        report_elapsed(&out.out, counters.elapsed_us, counters.is_model);
        report_pmc_text(&out, &counters, &settings->report);
        good = report_tables_are_there(path, &settings->report, NULL, &counters);
    }
    pmc_run_free(&counters);
    *ret_code = !file || !output_close(file, settings->output) ? EXIT_OUTPUT : good ? EXIT_DONE : EXIT_USAGE;
    return true;
}

/* Reports several runs, or noise runs. Returns false for one run with a profile. */
static bool report_several(const struct report_settings *settings, char *const *paths, int count,
                           enum exit_code *ret_code)
{
    struct run_list list = {0};
    bool done;

    for (int i = 0; i < count; i++)
        if (access(paths[i], F_OK) != 0) {
            complain("%s: %s", paths[i], strerror(errno));
            *ret_code = EXIT_INPUT;
            return true;
        }
    for (int i = 0; i < count; i++)
        run_list_add(&list, paths[i]);
    done = report_many(&list, (enum form)settings->form, settings->against, settings->output, ret_code);
    run_list_free(&list);
    return done;
}

static enum exit_code report(struct views *views, int argc, char **argv)
{
    struct report_settings settings = {.by = BY_DEFAULT, .report.min_percent = 0.5};
    struct loaded loaded;
    enum exit_code code;

    if (!run_operands_read(&options, &argc, &argv, &settings, &code))
        return code;
    if (!report_asked_find(&settings.asked, argc > 0 ? argv[0] : NULL,
                           settings.form == FORM_JSON || settings.form == FORM_HTML, views, &settings.report))
        return EXIT_USAGE;
    if (report_asked_list(&settings.asked)) {
        report_list_views(views);
        return EXIT_DONE;
    }
    if (argc == 0)
        return options_misused(&options, "no FILE");
    if (settings.form == FORM_CSV && report_asked_all_data(&settings.asked) && settings.asked.name_count == 1)
        settings.report.view_count = 0; /* CSV without a view has all data in one table */
    if (settings.form == FORM_CSV && settings.report.view_count > 1)
        return options_misused(&options, "--csv takes one --view at a time");
    settings.report.list = settings.by > BY_LIST ? (enum report_list)(settings.by - BY_LIST) : REPORT_NO_LIST;
    settings.report.level = settings.by > BY_LIST ? BY_DEFAULT : settings.by;
    if (settings.report.list != REPORT_NO_LIST && settings.report.view_count > 0)
        return options_misused(&options, "tables of --view are not by core, module, process or thread");
    if (settings.exploration && (settings.report.view_count > 0 || settings.form == FORM_FOLDED))
        return options_misused(&options, "--view=exploration stands alone, as text, csv, json or html");
    if (settings.report.list >= REPORT_FETCHES && !report_is_calls(settings.report.list) && settings.form >= FORM_HTML)
        return options_misused(&options, "tables by address are text, csv or json");
    if (report_is_calls(settings.report.list) && (settings.form == FORM_HTML || settings.form == FORM_AUTOFDO))
        return options_misused(&options, "tables of call stacks are text, csv, json or folded");
    if (report_several(&settings, argv, argc, &code))
        return code;
    if (settings.exploration && settings.form != FORM_HTML && settings.form != FORM_FOLDED)
        return report_exploration(argv[0], (enum form)settings.form, &settings.report, &settings.load, settings.output);
    if (!run_folder_may_have_samples(argv[0]) && report_counters_alone(&settings, argv[0], &code))
        return code;
    if (settings.form == FORM_HTML)
        report_lines_begin(&settings.lines, &settings.load.profile);
    code = EXIT_INPUT;
    if (load_run(&loaded, argv[0], &settings.load)) {
        settings.report.input = settings.lines.input = loaded.input;
        code = print_report(&settings, &loaded);
        load_free(&loaded);
    }
    report_lines_free(&settings.lines);
    return code;
}

static int run(int argc, char **argv)
{
    struct views views = {0};
    enum exit_code code = report(&views, argc, argv);

    views_free(&views);
    return code;
}

const struct command command_report = {"report", "show tables of a run: text, CSV, JSON, HTML, folded stacks", run,
                                       true};
