/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the runs that a path means, and their files. A run is a folder with run.ini or perf.data; a boot stick
 * (ibsboot/runs), its folder ibsboot, and a folder of runs mean all runs with run.ini in them.
 */
#ifndef TOOLS_IBSPROF_RUN_FOLDER_H
#define TOOLS_IBSPROF_RUN_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Names of files that a machine writes into a run's folder; ends with NULL. */
extern const char *const run_folder_sent[];

struct run_list {
    char **path;
    uint32_t count;
};

/* Adds the runs that 'path' means, sorted by name. Returns false if there are none. */
bool run_list_find(struct run_list *list, const char *path);

/* Adds these, then unfinished runs, which have begun.ini but no run.ini. */
bool run_list_find_all(struct run_list *list, const char *path);

/* Searches each folder in 'path', and, if that has no runs, the folders in it: boots, or machines with their boots.
 * Skips hidden folders and links. */
bool run_list_find_below(struct run_list *list, const char *path);

/* Adds runs as run_list_find() does, or the path itself if it means none. */
void run_list_add(struct run_list *list, const char *path);
void run_list_free(struct run_list *list);

bool run_folder_has(const char *folder, const char *name);

/* Returns the path of a run's file, to be freed; NULL: there is none, or 'path' means several runs. 'path': the run's
 * input, or any file in its folder. */
char *run_folder_file(const char *path, const char *name);

/* Opens such a file for reading. */
FILE *run_folder_open(const char *path, const char *name);

/* Returns whether the path is a run with perf.data, or no folder, and so perhaps a recording itself. */
bool run_folder_may_have_samples(const char *path);

#endif
