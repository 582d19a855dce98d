/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Databases for archives, a row each. They share the text of all statements; the words below, in braces, stand for
 * what differs between databases. Values are parameters ($1, $2, ... in the order of first use), never part of the
 * text: they come from other people's runs.
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
    const void *bytes; /* for text and bytes; text in a row ends with a 0 */
    size_t size;
};

static inline struct store_value store_number(int64_t number)
{
    return (struct store_value){.type = STORE_NUMBER, .number = number};
}

/* Called with each row of an answer; must not run other statements. */
typedef void store_row_fn(void *context, const struct store_value *values);

enum store_word {
    STORE_ID,      /* type of a key that the database increments */
    STORE_BLOB,    /* type of bytes */
    STORE_CLUSTER, /* follows the columns of a table stored in the order of its key */
    STORE_COVER,   /* includes the counts of figures in the index of their key, if the table is not stored in that order
                    */
    STORE_BEGIN,   /* begins a transaction that writes */
    STORE_LOCK,    /* keeps other writers out until the transaction ends */
    STORE_SETTLE,  /* puts the next commit, and all earlier ones, on disk */
    STORE_TABLES,  /* query for the number of tables of this name */
    STORE_WORDS
};
extern const char *const store_word_names[STORE_WORDS];

struct store_kind {
    const char *name;
    const char *const *schemes; /* prefixes of places; NULL after the last; an empty list accepts all other places */
    const char *words[STORE_WORDS];
    /* Opens an archive. create: makes a missing one. Returns NULL with a line in 'error'. */
    void *(*open)(const char *place, bool create, char *error, size_t error_size);
    /* Runs one statement; row NULL: ignores its answer. Returns false; problem() then says why. */
    bool (*run)(void *db, const char *sql, const struct store_value *values, unsigned count, store_row_fn *row,
                void *context);
    /* Allow statements without rows to be sent before earlier ones are answered. end_queue() returns false if one of
     * them failed. NULL: the database is in this process. */
    void (*begin_queue)(void *db);
    bool (*end_queue)(void *db);
    const char *(*problem)(void *db);
    void (*close)(void *db);
};

extern const struct store_kind store_sqlite, store_postgres;

#endif
