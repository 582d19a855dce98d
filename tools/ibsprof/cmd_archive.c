/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof archive: runs of many machines over years, in one database. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/ibsprof/archive/contrast.h"
#include "tools/ibsprof/archive/exchange.h"
#include "tools/ibsprof/archive/query.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/command.h"
#include "tools/ibsprof/read/run_archive.h"

struct archive_settings {
    struct archive_filters filters;
    struct load_options load;
    int form; /* enum form */
    int by;   /* index into contrast_by */
    bool each, functions;
    const char *output;
};

#define PLACE(member_) offsetof(struct archive_settings, member_)
static const struct option_row option_rows[] = {
    {"function", 'f', "NAME", OPTION_TEXT, PLACE(filters.function), .help = "query: only figures of this function"},
    {"instruction", 'i', "TEXT", OPTION_TEXT, PLACE(filters.instruction),
     .help = "query: only figures of instructions with this text, as in the listing"},
    {"event", 'e', "NAME", OPTION_TEXT, PLACE(filters.event),
     .help = "query: only figures of this event: the heading of its column, or its first word (F100)"},
    {"workload", 'w', "NAME", OPTION_TEXT, PLACE(filters.workload), .help = "only runs of this workload"},
    {"machine", 'm', "NAME", OPTION_TEXT, PLACE(filters.machine),
     .help = "only runs of this machine: its key in 'archive list', serial number, UUID, MAC address or\nhost name; or "
             "of all machines with this processor"},
    {"since", 0, "DATE", OPTION_TEXT, PLACE(filters.since), .help = "only runs that were started at DATE or later"},
    {"until", 0, "DATE", OPTION_TEXT, PLACE(filters.until), .help = "only runs that were started before DATE"},
    {"runs", 0, NULL, OPTION_FLAG, PLACE(each), .help = "query: the figures of each run, not their sums"},
    {"functions", 0, NULL, OPTION_FLAG, PLACE(functions),
     .help = "figures of whole functions, and of the whole run, without a name; compare: of functions"},
    {"by", 0, "WHAT", OPTION_WORD, PLACE(by), .words = contrast_by,
     .help = "compare: groups of runs to compare (machine); date: by month"},
    {"html", 0, NULL, OPTION_VALUE, PLACE(form), .value = FORM_HTML, .help = "compare: a page, with trends over time"},
    {"csv", 0, NULL, OPTION_VALUE, PLACE(form), .value = FORM_CSV, .help = "write the answer as CSV"},
    {"json", 'j', NULL, OPTION_VALUE, PLACE(form), .value = FORM_JSON, .help = "write the answer as JSON"},
    {"output", 'o', "FILE", OPTION_TEXT, PLACE(output), .help = "write the answer to FILE (default: standard output)"},
    {"", .kind = OPTION_TABLE, .place = PLACE(load), .table = load_option_rows},
    {0},
};

static const struct option_table options = {
    .command = "archive",
    .usage = "usage: ibsprof archive add ARCHIVE RUN...\n"
             "       ibsprof archive list [OPTION...] ARCHIVE\n"
             "       ibsprof archive query [OPTION...] ARCHIVE\n"
             "       ibsprof archive compare [--by=WHAT] [OPTION...] ARCHIVE\n"
             "       ibsprof archive export ARCHIVE FOLDER\n"
             "       ibsprof archive import ARCHIVE FOLDER...\n"
             "\n"
             "Keeps runs of many machines in one database: machine, settings, counts at each instruction, "
             "verdicts,\nand the runs' own files. ARCHIVE is a file, which add makes, or a database of a PostgreSQL "
             "server:\npostgresql://USER@HOST/DATABASE\n",
    .rows = option_rows,
    .notes = "A run is added only once, which its files' contents decide. Several writers may add at the same time; "
             "if\none is killed, it leaves no incomplete run, and adds the rest when it is started again.\n",
};

/* ---------------------------------------------------------------- verbs: archive[0] is the archive */

/* Reports on the runs once they are on disk. */
static enum exit_code tell(struct archive *archive, const struct add_sums *sums, bool good)
{
    good = archive_settle(archive) && good;
    printf("%" PRIu32 " added, %" PRIu32 " already there, %" PRIu32 " failed\n", sums->added, sums->known,
           sums->failed);
    return good && sums->failed == 0 ? EXIT_DONE : EXIT_INPUT;
}

static enum exit_code add(struct archive_settings *settings, struct archive *archive, int count, char **runs)
{
    struct add_sums sums = {0};
    bool good = true;

    if (!run_archives_open(count, runs))
        return EXIT_INPUT;
    for (int i = 0; i < count && good; i++)
        good = archive_add(archive, runs[i], &settings->load, &sums);
    return tell(archive, &sums, good);
}

static enum exit_code import(struct archive_settings *settings, struct archive *archive, int count, char **folders)
{
    struct add_sums sums = {0};
    bool good = true;

    for (int i = 0; i < count && good; i++)
        good = archive_import(archive, folders[i], &sums);
    return tell(archive, &sums, good);
}

static enum exit_code export(struct archive_settings *settings, struct archive *archive, int count, char **folders) {
    return archive_export(archive, folders[0]) ? EXIT_DONE : EXIT_OUTPUT;
}

static enum exit_code ask(struct archive *archive, enum archive_question question,
                          const struct archive_settings *settings)
{
    enum exit_code code = EXIT_INPUT;

    (void)archive_query(archive, question, &settings->filters, (enum form)settings->form, settings->output, &code);
    return code;
}

static enum exit_code list(struct archive_settings *settings, struct archive *archive, int count, char **operands)
{
    if (settings->filters.function || settings->filters.instruction || settings->filters.event)
        return options_misused(&options, "list takes no --function, --instruction and --event: 'query --runs' does");
    return ask(archive, ARCHIVE_LIST, settings);
}

static enum exit_code query(struct archive_settings *settings, struct archive *archive, int count, char **operands)
{
    settings->filters.whole = settings->functions ? "" : "-";
    return ask(archive, settings->each ? ARCHIVE_EACH : ARCHIVE_SUMS, settings);
}

static enum exit_code compare(struct archive_settings *settings, struct archive *archive, int count, char **operands)
{
    enum exit_code code = EXIT_INPUT;
    struct contrast contrast;

    settings->filters.whole = settings->functions ? "" : "-";
    if (!settings->filters.event)
        settings->filters.event = "F100";
    if (contrast_read(&contrast, archive, (unsigned)settings->by, &settings->filters)) {
        if (contrast.subject_count == 0) {
            complain("%s: no runs that counted %s", archive->place, settings->filters.event);
        } else {
            contrast_judge(&contrast);
            code = document_write(settings->output, (enum form)settings->form, &contrast_document, &contrast);
        }
    }
    contrast_free(&contrast);
    return code;
}

static const struct {
    const char *name;
    enum exit_code (*run)(struct archive_settings *settings, struct archive *archive, int count, char **operands);
    bool create;     /* makes the archive */
    int least, most; /* operands after the archive */
    const char *misused;
} verbs[] = {
    {"add", add, true, 1, INT32_MAX, "add takes an ARCHIVE and RUNs"},
    {"import", import, true, 1, INT32_MAX, "import takes an ARCHIVE and FOLDERs"},
    {"export", export, false, 1, 1, "export takes an ARCHIVE and a FOLDER"},
    {"list", list, false, 0, 0, "list takes an ARCHIVE"},
    {"compare", compare, false, 0, 0, "compare takes an ARCHIVE"},
    {"query", query, false, 0, 0, "query takes an ARCHIVE"},
};

static int run(int argc, char **argv)
{
    struct archive_settings settings = {.form = FORM_TEXT};
    enum exit_code code;

    if (!options_read(&options, &argc, &argv, &settings, &code))
        return code;
    for (unsigned i = 0; i < sizeof(verbs) / sizeof(verbs[0]) && argc > 0; i++) {
        struct archive archive;

        if (strcmp(argv[0], verbs[i].name) != 0)
            continue;
        if (argc - 2 < verbs[i].least || argc - 2 > verbs[i].most)
            return options_misused(&options, verbs[i].misused);
        if (!archive_open(&archive, argv[1], verbs[i].create))
            return EXIT_INPUT;
        code = verbs[i].run(&settings, &archive, argc - 2, argv + 2);
        archive_close(&archive);
        return code;
    }
    return options_misused(&options,
                           argc > 0 ? "the first word is add, list, query, compare, export or import" : "no ARCHIVE");
}

const struct command command_archive = {"archive", "keep runs of many machines in a database, and query it", run, true};
