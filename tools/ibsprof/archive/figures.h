/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The figures of a run as rows of an archive: the counts of each event at each instruction, in each function, and in
 * total.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_FIGURES_H
#define TOOLS_IBSPROF_ARCHIVE_FIGURES_H

#include "tools/ibsprof/archive/archive.h"
#include "tools/ibsprof/profile/load.h"

struct figure {
    int64_t code, event, count; /* 'code' and 'event' are keys of the archive's tables */
};

struct figures {
    struct figure *row;
    uint32_t count;
};

/* Place of a count. */
struct place {
    const char *object, *function, *source, *instruction;
    int64_t offset; /* bytes from the function's first instruction */
};

/* Find the keys of code and of an event. Return false after a complaint if the database failed. */
bool figures_code(struct archive *archive, const struct place *place, int64_t *ret_id);
bool figures_event(struct archive *archive, const char *name, int64_t *ret_id);

/* Sorts figures, and adds up those of the same code and event. */
void figures_sum(struct figures *figures);

/* Reads the figures of a run's CSV (profile.csv, pmc.csv), which the image counted. Returns false after a complaint if
 * the database failed. Sets *ret_readable to false, after a complaint, if the run is damaged. */
bool figures_of_csv(struct archive *archive, struct figures *figures, const char *path, bool *ret_readable);

/* Adds up the samples of a run without CSV, by Linux' perf. */
bool figures_of_samples(struct archive *archive, struct figures *figures, const struct run_profile *profile);

#endif
