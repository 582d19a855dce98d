/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions to an archive: which runs there are, and what was counted at an instruction over all of them. */
#ifndef TOOLS_IBSPROF_ARCHIVE_QUERY_H
#define TOOLS_IBSPROF_ARCHIVE_QUERY_H

#include "tools/ibsprof/archive/archive.h"
#include "tools/ibsprof/html/document.h"

/* Only what has these; NULL: any. */
struct archive_filters {
    const char *function, *instruction, *event, *workload, *machine, *since, *until;
    const char *whole; /* of figures: "" for those of functions and runs, "-" for those of instructions */
};

/* Writes runs, or figures: their sums by instruction, or of each run. False after a complaint. */
enum archive_question { ARCHIVE_LIST, ARCHIVE_SUMS, ARCHIVE_EACH };
bool archive_query(struct archive *archive, enum archive_question question, const struct archive_filters *filters,
                   enum form form, const char *output, enum exit_code *ret_code);

enum { ARCHIVE_FILTERS_MAX = 8 };
/* Returns a statement, to be freed, with the conditions of the filters that are given in the place of {code}, {event}
 * and {run}, each as an AND, and adds their values to 'count' that there are. */
char *archive_filtered(const char *sql, const struct archive_filters *filters,
                       struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count);

/* Returns the statement of a question so. */
char *archive_question(enum archive_question question, const struct archive_filters *filters,
                       struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count);

#endif
