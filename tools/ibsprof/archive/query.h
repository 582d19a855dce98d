/* SPDX-License-Identifier: BSD-2-Clause */
/* Queries of an archive: its runs, and counts at an instruction over all of them. */
#ifndef TOOLS_IBSPROF_ARCHIVE_QUERY_H
#define TOOLS_IBSPROF_ARCHIVE_QUERY_H

#include "tools/ibsprof/archive/archive.h"
#include "tools/ibsprof/html/document.h"

/* Filters by value; NULL: any. */
struct archive_filters {
    const char *function, *instruction, *event, *workload, *machine, *since, *until;
    const char *whole; /* figures: "" for functions and runs, "-" for instructions */
};

/* Writes runs, sums of figures by instruction, or figures of each run. Returns false after a complaint. */
enum archive_question { ARCHIVE_LIST, ARCHIVE_SUMS, ARCHIVE_EACH };
bool archive_query(struct archive *archive, enum archive_question question, const struct archive_filters *filters,
                   enum form form, const char *output, enum exit_code *ret_code);

enum { ARCHIVE_FILTERS_MAX = 8 };
/* Returns a statement, to be freed, in which {code}, {event} and {run} are replaced by the given filters, each as an
 * AND. Appends their values to values[*count]. */
char *archive_filtered(const char *sql, const struct archive_filters *filters,
                       struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count);

/* Returns the statement of a question, with filters as above. */
char *archive_question(enum archive_question question, const struct archive_filters *filters,
                       struct store_value values[ARCHIVE_FILTERS_MAX], unsigned *count);

#endif
