/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records of samples: taken branches, and the blocks between them. Text, CSV and JSON have the same rows; the
 * text omits those with less than options.min_percent of all and says how many.
 */
#ifndef TOOLS_IBSPROF_REPORT_TAKEN_H
#define TOOLS_IBSPROF_REPORT_TAKEN_H

#include "tools/ibsprof/html/document.h"
#include "tools/ibsprof/report/tables/report_text.h"

static inline bool report_is_taken(enum report_list list)
{
    return list == REPORT_BRANCHES || list == REPORT_BLOCKS;
}

/* Writes the list options.list. Reads options.input again, from its start; 'search' finds files of maps. Returns false,
 * after a complaint, if no event of the file has branch records. */
bool report_taken(struct out_file *out, enum form form, const struct run_profile *profile,
                  const struct object_search *search, const struct report_options *options);

#endif
