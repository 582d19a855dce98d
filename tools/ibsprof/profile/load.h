/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens and sums up an input for commands: their options for symbols, and messages. */
#ifndef TOOLS_IBSPROF_LOAD_H
#define TOOLS_IBSPROF_LOAD_H

#include "tools/ibsprof/base/options.h"
#include "tools/ibsprof/profile/measure.h"
#include "tools/ibsprof/profile/profile.h"

enum { LOAD_DEBUG_DIRS = 16 };

struct load_options {
    const char *debug_dirs[LOAD_DEBUG_DIRS + 1];
    unsigned debug_dir_count;
    struct profile_options profile;
    struct core_choice only; /* profile.only points here if cores or nodes were selected */
};

/* Options of commands that read profiles, stored in a struct load_options. */
extern const struct option_row load_option_rows[];

struct loaded {
    struct input *input;
    struct run_profile *profile;
    bool partial; /* the input is incomplete */
};

/* Reads a run. Returns false, after a complaint, if nothing is readable. Reports missing ELF files once. */
bool load_run(struct loaded *loaded, const char *path, const struct load_options *options);
void load_free(struct loaded *loaded);

/* Returns true, after a complaint, if the profile has no cores. */
bool load_no_cores(const struct run_profile *profile);

/* Finds the event of that name; NULL: the default order. Returns false after a complaint if there is none. */
bool load_measure(const struct run_profile *profile, const char *event, struct measure *ret_measure);

/* Returns the exit code of a command that read this and wrote everything. */
enum exit_code load_status(const struct loaded *loaded);

#endif
