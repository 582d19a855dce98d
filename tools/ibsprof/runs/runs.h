/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs in their folders, without reading their samples: what run.ini and the folder's name say, and a note of the
 * user's. A note is the file note.txt of the folder; nothing that the image wrote is ever changed.
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
    const char *name; /* of the folder: the last part of the path */
    int number;       /* that the name begins with ("0001-"); -1: none */
    struct input_facts facts;
    struct run_ini ini;
    bool sampled;     /* it says how many samples it took, ... */
    uint64_t samples; /* ... of IBS, counters and timer */
    char note[RUNS_NOTE_MAX + 1];
    char unfinished[RUNS_NOTE_MAX + 100]; /* "NOT FINISHED: saving perf.data", and the note; "": it was finished */
};

/* path: a run's folder, or a file in it. False after a complaint: its run.ini cannot be read. To be freed. */
bool run_entry_read(struct run_entry *run, const char *path);
void run_entry_free(struct run_entry *run);

/* Return what the run says in a word or two: "2026-11-22 19:05:42", "ibs", "MODEL" or the processor's name; "" where it
 * does not say. text[20] */
const char *run_entry_started(const struct run_entry *run, char *text);
const char *run_entry_config(const struct run_entry *run);
const char *run_entry_machine(const struct run_entry *run);

/* A list as text, CSV, JSON; the properties of one. */
void runs_text(FILE *to, const struct run_entry *runs, uint32_t count);
void runs_csv(FILE *to, const struct run_entry *runs, uint32_t count);
void runs_json(FILE *to, const struct run_entry *runs, uint32_t count);
void runs_properties(FILE *to, const struct run_entry *run);

/* ---- changes. Each is false after a complaint, and then nothing was changed. */

/* The folder is that of a run: it has a run.ini with facts. */
bool run_is_one(const char *path);

/* Writes the note, of at most RUNS_NOTE_MAX printable characters; "" removes it. */
bool run_set_note(const char *path, const char *note);

/* Another name for the folder after its number, which stays: the image numbers its runs by the names there are. Prints
 * the new path. */
bool run_rename(const char *path, const char *name);

/* Asks for each on the terminal, unless 'yes', and deletes. A folder that holds more than files of a run is refused
 * whole. */
bool runs_delete(char *const *paths, uint32_t count, bool yes);

#endif
