/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive of runs of many machines. schema.c has its tables, store.h its databases.
 *
 * Functions that return bool complain before they return false.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_H
#define TOOLS_IBSPROF_ARCHIVE_H

#include "tools/ibsprof/archive/store.h"
#include "tools/ibsprof/base/table.h"

struct archive {
    const char *place;
    const struct store_kind *kind;
    void *db;
    struct table ids; /* index of 'known', from 1: keys of dictionary rows */
    struct archive_id *known;
    uint32_t known_count;
};

enum { ARCHIVE_VERSION = 3 }; /* version of the tables */

/* Place of code for a whole function or, without a function, the whole run. */
#define ARCHIVE_WHOLE "-1"

/* Opens the archive, and updates its tables to this version. create: makes a missing one. */
bool archive_open(struct archive *archive, const char *place, bool create);
void archive_close(struct archive *archive);

/* Runs a statement after replacing its words in braces. Removes invalid UTF-8 and terminal control characters from
 * texts. */
bool archive_run(struct archive *archive, const char *sql, const struct store_value *values, unsigned count,
                 store_row_fn *row, void *context);

/* Begin and end a transaction, of which all statements take effect, or none. Statements after archive_queue() return no
 * rows. */
bool archive_begin(struct archive *archive);
void archive_queue(struct archive *archive);
bool archive_end(struct archive *archive, bool good);

/* Waits until everything written is on disk. Before that, a power failure may lose whole recent transactions; a killed
 * program loses none. */
bool archive_settle(struct archive *archive);

/* Dictionaries: texts that many runs share are stored once, and have numbers. */
enum archive_dictionary {
    ARCHIVE_MACHINES,
    ARCHIVE_SNAPSHOTS, /* silicon, settings and facts, as JSON */
    ARCHIVE_CODE,
    ARCHIVE_EVENTS,
    ARCHIVE_DICTIONARIES
};

/* Finds the number of a dictionary row with these values, and adds the row if there is none. Not for use in a
 * transaction: other writers may add the same row. */
bool archive_id(struct archive *archive, enum archive_dictionary dictionary, const struct store_value *values,
                int64_t *ret_id);

/* Returns a text as a value; NULL: no value. */
struct store_value archive_text(const char *text);

/* Row function for archive_run(): stores the first column of the last row in an int64_t. */
store_row_fn archive_take_number;

#endif
