/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs in their folders, without their samples: run.ini, the folder's name, and a note of the user. The note is the
 * file note.txt of the folder; files that the image wrote are never changed.
 */
#ifndef TOOLS_IBSPROF_RUNS_H
#define TOOLS_IBSPROF_RUNS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/ibsprof/read/run_ini.h"

enum { RUNS_NOTE_MAX = 200 };

struct run_entry {
    char *path;
    const char *name; /* last part of the path: the folder's name */
    int number;       /* number at the start of the name ("0001-"); -1: none */
    struct input_facts facts;
    struct run_ini ini;
    bool sampled;     /* 'samples' is known */
    uint64_t samples; /* number of samples by IBS, counters and timer */
    char note[RUNS_NOTE_MAX + 1];
    char unfinished[RUNS_NOTE_MAX + 100]; /* "NOT FINISHED: saving perf.data", and the note; "": finished */
};

/* Reads the run of a folder, or of a file in it. Returns false after a complaint if its run.ini is unreadable. To be
 * freed. */
bool run_entry_read(struct run_entry *run, const char *path);
void run_entry_free(struct run_entry *run);

/* Return a short description: "2026-11-22 19:05:42", "ibs", "MODEL" or the processor's name; "": not known. text[20] */
const char *run_entry_started(const struct run_entry *run, char *text);
const char *run_entry_config(const struct run_entry *run);
const char *run_entry_machine(const struct run_entry *run);

/* Write a list as text, CSV or JSON; the properties of one run. */
void runs_text(FILE *to, const struct run_entry *runs, uint32_t count);
void runs_csv(FILE *to, const struct run_entry *runs, uint32_t count);
void runs_json(FILE *to, const struct run_entry *runs, uint32_t count);
void runs_properties(FILE *to, const struct run_entry *run);

/* ---- changes. Return false after a complaint, with nothing changed; but runs_delete() may have deleted some runs. */

/* Checks that the folder is a run's: it has a run.ini with facts. */
bool run_is_one(const char *path);

/* Writes the note, of at most RUNS_NOTE_MAX printable characters; "" removes it. */
bool run_set_note(const char *path, const char *note);

/* Renames the folder after its number, which stays: the image numbers new runs by existing names. Prints the new
 * path. */
bool run_rename(const char *path, const char *name);

/* Deletes runs after asking for each on the terminal, unless 'yes'. Refuses all if a folder has other files than a
 * run's. */
bool runs_delete(char *const *paths, uint32_t count, bool yes);

#endif
