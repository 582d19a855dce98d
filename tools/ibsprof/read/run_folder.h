/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs in folders: which runs a path means, and what is in them. A run is a folder with run.ini or perf.data; a
 * boot stick (ibsboot/runs), its folder ibsboot, and a folder of runs stand for the runs with run.ini in it.
 */
#ifndef TOOLS_IBSPROF_RUN_FOLDER_H
#define TOOLS_IBSPROF_RUN_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The files that a machine writes into the folder of a run; NULL after the last. */
extern const char *const run_folder_sent[];

struct run_list {
    char **path;
    uint32_t count;
};

/* Adds the runs that 'path' means, in the order of names; false: none. */
bool run_list_find(struct run_list *list, const char *path);

/* Adds these, and then the runs that were begun and not finished: they have begun.ini and no run.ini. */
bool run_list_find_all(struct run_list *list, const char *path);

/* Looks for runs in each folder in 'path' and, where that has none, in the folders in it: of several boots, or machines
 * and their boots. Hidden folders and links are left out. */
bool run_list_find_below(struct run_list *list, const char *path);

/* Adds runs as run_list_find() does, but a path that means none is added itself. */
void run_list_add(struct run_list *list, const char *path);
void run_list_free(struct run_list *list);

bool run_folder_has(const char *folder, const char *name);

/* The path of the file 'name' of a run, to be freed; NULL: it has none, or 'path' means several runs. 'path': what
 * the run was read from, or any file in its folder. */
char *run_folder_file(const char *path, const char *name);

/* Opens such a file for reading. */
FILE *run_folder_open(const char *path, const char *name);

/* The path is that of a run with perf.data, or no folder: then it is to be one itself. */
bool run_folder_may_have_samples(const char *path);

#endif
