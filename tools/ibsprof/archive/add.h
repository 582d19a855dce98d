/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds runs to an archive, each once. */
#ifndef TOOLS_IBSPROF_ARCHIVE_ADD_H
#define TOOLS_IBSPROF_ARCHIVE_ADD_H

#include "tools/ibsprof/archive/content.h"
#include "tools/ibsprof/archive/figures.h"
#include "tools/ibsprof/profile/load.h"

struct add_sums {
    uint32_t added, known, failed;
};

/* Adds the runs of a path. Skips a run whose content is in the archive. Complains of an unreadable run and counts it as
 * failed. Returns false if the database failed, and no more runs can be added. */
bool archive_add(struct archive *archive, const char *path, const struct load_options *options, struct add_sums *sums);

/* Finds a run by content. *ret_id 0: there is none. Returns false if the database failed. */
bool archive_find_run(struct archive *archive, const struct content *content, int64_t *ret_id);

/* Number of columns of table 'run' without its own number, in their order. STORE_NULL: no value. */
enum { RUN_VALUES = 17 };

/* Adds a run in one transaction. *ret_there: another writer was first. Returns false if the database failed. */
bool archive_store(struct archive *archive, const struct content *content, const struct figures *figures,
                   const struct store_value values[RUN_VALUES], bool *ret_there);

#endif
