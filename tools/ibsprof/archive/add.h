/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds runs to an archive, each of them once. */
#ifndef TOOLS_IBSPROF_ARCHIVE_ADD_H
#define TOOLS_IBSPROF_ARCHIVE_ADD_H

#include "tools/ibsprof/archive/content.h"
#include "tools/ibsprof/archive/figures.h"
#include "tools/ibsprof/profile/load.h"

struct add_sums {
    uint32_t added, known, failed;
};

/* Adds the runs that the path means. A run that is there already, by content, is left as it is. A run that cannot be
 * read is counted as failed, after a complaint. False: the database failed, and no more runs can be added. */
bool archive_add(struct archive *archive, const char *path, const struct load_options *options, struct add_sums *sums);

/* Is the run there? *ret_id 0: no. False: the database failed. */
bool archive_find_run(struct archive *archive, const struct content *content, int64_t *ret_id);

/* The columns of table 'run' without its own number, in their order there. None is NULL. */
enum { RUN_VALUES = 17 };

/* Puts a run into the archive in one transaction. *ret_there: another writer was first. False: the database failed. */
bool archive_store(struct archive *archive, const struct content *content, const struct figures *figures,
                   const struct store_value values[RUN_VALUES], bool *ret_there);

#endif
