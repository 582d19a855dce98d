/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens an input and sums it up, for commands: their options on where symbols are, and what is said on standard error.
 */
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
    struct core_choice only; /* profile.only points here when it was asked for */
};

/* Options of the commands that read profiles; their settings are a struct load_options. */
extern const struct option_row load_option_rows[];

struct loaded {
    struct input *input;
    struct run_profile *profile;
    bool partial; /* the input broke off: what came before is there */
};

/* False, after a complaint, when nothing can be read. Of ELF files that are missing it tells once. */
bool load_run(struct loaded *loaded, const char *path, const struct load_options *options);
void load_free(struct loaded *loaded);

/* True, after a complaint: nothing is known of cores. */
bool load_no_cores(const struct run_profile *profile);

/* The event of that name, NULL: what the profile is sorted by when none is named. False after a complaint: there is
 * none of that name. */
bool load_measure(const struct run_profile *profile, const char *event, struct measure *ret_measure);

/* Exit status of a command that read this and wrote all. */
enum exit_code load_status(const struct loaded *loaded);

#endif
