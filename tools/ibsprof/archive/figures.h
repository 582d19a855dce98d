/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The figures of a run as rows of an archive: how often each event was counted at each instruction, in each function,
 * and in all.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_FIGURES_H
#define TOOLS_IBSPROF_ARCHIVE_FIGURES_H

#include "tools/ibsprof/archive/archive.h"
#include "tools/ibsprof/profile/load.h"

struct figure {
    int64_t code, event, count; /* keys of the archive's tables */
};

struct figures {
    struct figure *row;
    uint32_t count;
};

/* Where something was counted. */
struct place {
    const char *object, *function, *source, *instruction;
    int64_t offset; /* from the function's first instruction */
};

/* The keys of code and of an event. False after a complaint: the database failed. */
bool figures_code(struct archive *archive, const struct place *place, int64_t *ret_id);
bool figures_event(struct archive *archive, const char *name, int64_t *ret_id);

/* Puts them in order, and those of the same code and event together. */
void figures_sum(struct figures *figures);

/* Reads those of a run's own CSV (profile.csv, pmc.csv): what the image counted. False after a complaint: the
 * database failed. *ret_readable becomes false after one: the run is damaged. */
bool figures_of_csv(struct archive *archive, struct figures *figures, const char *path, bool *ret_readable);

/* Adds up the samples of a run that has no CSV: of Linux' perf. */
bool figures_of_samples(struct archive *archive, struct figures *figures, const struct run_profile *profile);

#endif
