/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the estimate of time that a run has saved: time.csv of its folder. */
#ifndef TOOLS_IBSPROF_TIME_FILE_H
#define TOOLS_IBSPROF_TIME_FILE_H

#include "core/ibs/time_share.h"
#include "tools/ibsprof/base/csv_map.h"

struct time_file {
    struct csv_map map;
    struct time_share_row *rows; /* of the map's instructions, and one for other places */
    struct time_share share;     /* shares and numbers of samples, but no samples */
};

/* Returns false if the run has none, or a damaged one. */
bool time_file_read(struct time_file *file, const char *run);
/* Reorders the rows for another map of the same code. */
void time_file_move(struct time_file *file, const struct codemap *map);
void time_file_free(struct time_file *file);

#endif
