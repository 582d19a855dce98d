/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive of runs of many machines. Its tables are in schema.c, its databases in store.h.
 *
 * Functions that return bool have complained when it is false.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_H
#define TOOLS_IBSPROF_ARCHIVE_H

#include "tools/ibsprof/archive/store.h"
#include "tools/ibsprof/base/table.h"

struct archive {
    const char *place;
    const struct store_kind *kind;
    void *db;
    struct table ids; /* of what dictionaries hold: their numbers in 'known', plus one */
    struct archive_id *known;
    uint32_t known_count;
};

enum { ARCHIVE_VERSION = 3 }; /* of the tables */

/* The place of code that is a whole function, or, without a function, the whole run. */
#define ARCHIVE_WHOLE "-1"

/* Opens the archive, and brings its tables up to this version. create: one that is not there is made. */
bool archive_open(struct archive *archive, const char *place, bool create);
void archive_close(struct archive *archive);

/* Runs a statement with its words in braces replaced. Texts lose what is no UTF-8 and what steers a terminal. */
bool archive_run(struct archive *archive, const char *sql, const struct store_value *values, unsigned count,
                 store_row_fn *row, void *context);

/* A transaction: at its end all of its statements are there, or none. After archive_queue they have no rows. */
bool archive_begin(struct archive *archive);
void archive_queue(struct archive *archive);
bool archive_end(struct archive *archive, bool good);

/* Returns when all that was written is on disk. Before that, a power failure may take whole transactions of the last
 * moments; a killed program loses none. */
bool archive_settle(struct archive *archive);

/* Texts that many runs share are stored once, and have numbers. */
enum archive_dictionary {
    ARCHIVE_MACHINES,
    ARCHIVE_SNAPSHOTS, /* of silicon, settings and facts, as JSON */
    ARCHIVE_CODE,
    ARCHIVE_EVENTS,
    ARCHIVE_DICTIONARIES
};

/* The number of such a row of values, which is added when it is not there. Not inside a transaction: other writers may
 * add the same at the same time. False as above. */
bool archive_id(struct archive *archive, enum archive_dictionary dictionary, const struct store_value *values,
                int64_t *ret_id);

/* A text as a value; NULL: no value. */
struct store_value archive_text(const char *text);

/* For archive_run: the first column of the last row as a number, to an int64_t. */
store_row_fn archive_take_number;

#endif
