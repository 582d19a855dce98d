/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/ibsprof/read/run_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/ibsprof/base/must.h"

const char *const run_folder_sent[] = {
    "report.txt",  "run.ini",   "begun.ini",       "profile.csv",  "time.csv",  "pmc.csv",
    "counts.csv",  "noise.csv", "core-counts.csv", "hardware.csv", "trace.csv", "pairs.csv",
    "latency.csv", "perf.data", "ibsboot.elf",     "sums.txt",     NULL,
};

bool run_folder_has(const char *folder, const char *name)
{
    char *path = must_text("%s/%s", folder, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Adds the runs in a folder that have a file of this name. */
static void add_runs(struct run_list *list, const char *folder, const char *file)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, alphasort);

    for (int i = 0; i < count; i++) {
        char *run = must_text("%s/%s", folder, entries[i]->d_name);

        if (run_folder_has(run, file) && !(strcmp(file, "begun.ini") == 0 && run_folder_has(run, "run.ini")))
            *must_add(list->path, list->count) = run;
        else
            free(run);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static const char *const places[] = {"/ibsboot/runs", "/runs", ""};

bool run_list_find(struct run_list *list, const char *path)
{
    uint32_t before = list->count;

    if (run_folder_has(path, "run.ini") || run_folder_has(path, "perf.data"))
        *must_add(list->path, list->count) = must_copy(path);
    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]) && list->count == before; i++) {
        char *folder = must_text("%s%s", path, places[i]);

        add_runs(list, folder, "run.ini");
        free(folder);
    }
    return list->count > before;
}

static bool find_begun(struct run_list *list, const char *path)
{
    uint32_t before = list->count;

    if (run_folder_has(path, "begun.ini") && !run_folder_has(path, "run.ini"))
        *must_add(list->path, list->count) = must_copy(path);
    for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]) && list->count == before; i++) {
        char *folder = must_text("%s%s", path, places[i]);

        add_runs(list, folder, "begun.ini");
        free(folder);
    }
    return list->count > before;
}

bool run_list_find_all(struct run_list *list, const char *path)
{
    bool finished = run_list_find(list, path);

    return find_begun(list, path) || finished;
}

static void find_below(struct run_list *list, const char *path, unsigned levels)
{
    struct dirent **entries;
    int count = scandir(path, &entries, is_visible, alphasort);

    for (int i = 0; i < count; i++) {
        char *folder = must_text("%s/%s", path, entries[i]->d_name);
        struct stat status;

        if (lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && !run_list_find_all(list, folder) && levels > 1)
            find_below(list, folder, levels - 1);
        free(folder);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

bool run_list_find_below(struct run_list *list, const char *path)
{
    uint32_t before = list->count;

    find_below(list, path, 2);
    return list->count > before;
}

void run_list_add(struct run_list *list, const char *path)
{
    if (!run_list_find(list, path))
        *must_add(list->path, list->count) = must_copy(path);
}

void run_list_free(struct run_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->path[i]);
    free(list->path);
    *list = (struct run_list){0};
}

char *run_folder_file(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    struct run_list runs = {0};
    struct stat status;
    char *file = NULL;

    if (stat(path, &status) != 0)
        return NULL;
    if (run_folder_has(path, name))
        return must_text("%s/%s", path, name);
    if (!S_ISDIR(status.st_mode))
        file = must_text("%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
    else if (run_list_find(&runs, path) && runs.count == 1)
        file = must_text("%s/%s", runs.path[0], name);
    run_list_free(&runs);
    if (file && access(file, F_OK) == 0)
        return file;
    free(file);
    return NULL;
}

FILE *run_folder_open(const char *path, const char *name)
{
    char *file_path = run_folder_file(path, name);
    FILE *file = file_path ? fopen(file_path, "r") : NULL;

    free(file_path);
    return file;
}

bool run_folder_may_have_samples(const char *path)
{
    char *name = run_folder_file(path, "perf.data");
    bool has = name || !run_folder_has(path, ".");

    free(name);
    return has;
}
