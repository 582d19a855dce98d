/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Databases that an archive may be in: a row each. The text of all statements is shared; where databases have to be
 * told the same in other words, the text has one of the words below in braces. Values are parameters ($1, $2, ... in
 * the order of their first use), never part of the text: they come from runs of other people.
 */
#ifndef TOOLS_IBSPROF_ARCHIVE_STORE_H
#define TOOLS_IBSPROF_ARCHIVE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum store_type { STORE_NULL, STORE_NUMBER, STORE_TEXT, STORE_BYTES };

struct store_value {
    enum store_type type;
    int64_t number;
    const void *bytes; /* of text and bytes; text in a row ends with a 0 */
    size_t size;
};

static inline struct store_value store_number(int64_t number)
{
    return (struct store_value){.type = STORE_NUMBER, .number = number};
}

/* Is called with each row of an answer; no other statement may be run meanwhile. */
typedef void store_row_fn(void *context, const struct store_value *values);

enum store_word {
    STORE_ID,      /* the type of a key that the database counts up itself */
    STORE_BLOB,    /* the type of bytes */
    STORE_CLUSTER, /* after the columns of a table that is kept in the order of its key */
    STORE_COVER,   /* puts the counts of figures into the index of their key, where the table has not its order */
    STORE_BEGIN,   /* begins a transaction that will write */
    STORE_LOCK,    /* keeps other writers out until its end */
    STORE_SETTLE,  /* the next commit, and all before it, will be on disk */
    STORE_TABLES,  /* a query for the number of tables of this name */
    STORE_WORDS
};
extern const char *const store_word_names[STORE_WORDS];

struct store_kind {
    const char *name;
    const char *const *schemes; /* beginnings of its places; NULL after the last, or at once: it takes all the others */
    const char *words[STORE_WORDS];
    /* NULL with a line in error. create: an archive that is not there is made. */
    void *(*open)(const char *place, bool create, char *error, size_t error_size);
    /* Runs one statement; row NULL: what it answers is left. False: problem() says why. */
    bool (*run)(void *db, const char *sql, const struct store_value *values, unsigned count, store_row_fn *row,
                void *context);
    /* Between these two, statements without rows may be sent on without waiting for their answers. end is false when
     * one of them failed. NULL: the database is in this process. */
    void (*begin_queue)(void *db);
    bool (*end_queue)(void *db);
    const char *(*problem)(void *db);
    void (*close)(void *db);
};

extern const struct store_kind store_sqlite, store_postgres;

#endif
