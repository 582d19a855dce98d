/* SPDX-License-Identifier: BSD-2-Clause */
/* ibsprof runs: lists the runs of a folder; changes notes and names; deletes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ibsprof/command.h"
#include "tools/ibsprof/base/must.h"
#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/base/out_file.h"
#include "tools/ibsprof/read/run_folder.h"
#include "tools/ibsprof/runs/runs.h"
#include "tools/ibsprof/read/run_archive.h"

struct runs_settings {
    bool csv, json, properties, delete, yes;
    const char *note, *name;
};

#define PLACE(member_) offsetof(struct runs_settings, member_)
static const struct option_row option_rows[] = {
    {"properties", 'p', NULL, OPTION_FLAG, PLACE(properties), .help = "show run.ini and the files of each run"},
    {"csv", 0, NULL, OPTION_FLAG, PLACE(csv), .help = "write the list as CSV"},
    {"json", 'j', NULL, OPTION_FLAG, PLACE(json), .help = "write the list as JSON"},
    {"note", 0, "TEXT", OPTION_TEXT, PLACE(note),
     .help = "write this line as the note of the run; '' removes the note"},
    {"rename", 0, "NAME", OPTION_TEXT, PLACE(name), .help = "give the run another name; its number stays"},
    {"delete", 0, NULL, OPTION_FLAG, PLACE(delete),
     .help = "delete the run, after asking; refuse a folder with other\nfiles than those of a run"},
    {"yes", 'y', NULL, OPTION_FLAG, PLACE(yes), .help = "delete without asking"},
    {0},
};

static const struct option_table options = {
    .command = "runs",
    .usage = "usage: ibsprof runs [OPTION...] FOLDER...\n"
             "       ibsprof runs --note=TEXT RUN...\n"
             "       ibsprof runs --rename=NAME RUN\n"
             "       ibsprof runs --delete [--yes] RUN...\n"
             "\n"
             "Lists the runs of each FOLDER (a stick, a folder of runs or of such folders, or a run): number, name,\n"
             "start, workload, configuration, samples, machine, note.\n",
    .rows = option_rows,
};

struct found {
    struct run_entry *run;
    uint32_t count;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns false if something was unreadable. */
static bool find(struct found *found, char *const *paths, int count)
{
    struct run_list list = {0};
    bool good = true;

    for (int i = 0; i < count; i++) {
        uint32_t before = list.count;

        if (access(paths[i], F_OK) != 0) {
            complain("%s: %s", paths[i], strerror(errno));
            good = false;
        } else if (!run_list_find_all(&list, paths[i]) && !run_list_find_below(&list, paths[i])) {
            complain("%s: no runs here", paths[i]);
            good = false;
        }
        if (list.count > before)
            qsort(list.path + before, list.count - before, sizeof(*list.path), by_name);
    }
    for (uint32_t i = 0; i < list.count; i++) {
        struct run_entry run;

        if (run_entry_read(&run, list.path[i]))
            *must_add(found->run, found->count) = run;
        else
            good = false;
    }
    run_list_free(&list);
    return good;
}

static void write_list(const struct runs_settings *settings, const struct found *found)
{
    if (settings->json)
        runs_json(stdout, found->run, found->count);
    else if (settings->csv)
        runs_csv(stdout, found->run, found->count);
    else if (!settings->properties && found->count > 0)
        runs_text(stdout, found->run, found->count);
    for (uint32_t i = 0; i < found->count && settings->properties; i++) {
        if (i > 0)
            putchar('\n');
        runs_properties(stdout, &found->run[i]);
    }
}

static enum exit_code list(const struct runs_settings *settings, char *const *paths, int count)
{
    struct found found = {0};
    bool good = find(&found, paths, count);

    write_list(settings, &found);
    for (uint32_t i = 0; i < found.count; i++)
        run_entry_free(&found.run[i]);
    free(found.run);
    return !output_close(stdout, NULL) ? EXIT_OUTPUT : good ? EXIT_DONE : EXIT_INPUT;
}

static enum exit_code change(const struct runs_settings *settings, char *const *paths, int count)
{
    bool good = true;

    if (settings->delete)
        good = runs_delete(paths, (uint32_t)count, settings->yes);
    for (int i = 0; i < count && !settings->delete; i++)
        good &= run_is_one(paths[i]) &&
                (settings->note ? run_set_note(paths[i], settings->note) : run_rename(paths[i], settings->name));
    return !output_close(stdout, NULL) ? EXIT_OUTPUT : good ? EXIT_DONE : EXIT_INPUT;
}

static int run(int argc, char **argv)
{
    struct runs_settings settings = {0};
    enum exit_code code;
    int changes;

    if (!options_read(&options, &argc, &argv, &settings, &code))
        return code;
    changes = settings.delete + (settings.note != NULL) + (settings.name != NULL);
    if (argc == 0)
        return options_misused(&options, "no FOLDER");
    if (settings.csv + settings.json + settings.properties + changes > 1)
        return options_misused(&options, "one of --properties, --csv, --json, --note, --rename and --delete at a time");
    if (settings.yes && !settings.delete)
        return options_misused(&options, "--yes belongs to --delete");
    if (settings.name && argc > 1)
        return options_misused(&options, "--rename takes one run");
    for (int i = 0; i < argc && changes > 0; i++)
        if (run_archive_is(argv[i])) {
            complain("%s: runs in a tar cannot be changed: extract them with tar -xf first", argv[i]);
            return EXIT_INPUT;
        }
    if (!run_archives_open(argc, argv))
        return EXIT_INPUT;
    return changes > 0 ? change(&settings, argv, argc) : list(&settings, argv, argc);
}

const struct command command_runs = {"runs", "list the runs of a folder, show properties, note, rename, delete", run,
                                     false};
