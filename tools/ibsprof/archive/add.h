/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds runs to an archive, each of them once. */
#ifndef TOOLS_IBSPROF_ARCHIVE_ADD_H
#define TOOLS_IBSPROF_ARCHIVE_ADD_H

#include "tools/ibsprof/archive/archive.h"
#include "tools/ibsprof/profile/load.h"

struct add_sums {
    uint32_t added, known, failed;
};

/* Adds the runs that the path means. A run that is there already, by content, is left as it is. A run that cannot be
 * read is counted as failed, after a complaint. False: the database failed, and no more runs can be added. */
bool archive_add(struct archive *archive, const char *path, const struct load_options *options, struct add_sums *sums);

#endif
