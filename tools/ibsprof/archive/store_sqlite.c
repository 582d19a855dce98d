/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive in one file, by SQLite. Its journal is the write-ahead log: readers never wait, and a writer that is
 * killed leaves nothing half done. With "synchronous=NORMAL" a power failure takes the last transactions, whole ones; a
 * commit with "synchronous=FULL" puts them on disk with all before it
 * (https://www.sqlite.org/pragma.html#pragma_synchronous). The second for each run takes five times as long.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/archive/store.h"
#include "tools/ibsprof/base/must.h"

enum { BUSY_MS = 120000, AGAIN_MS = 10, LOG_PAGES = 4000, LOG_MS = 50, COLUMNS_MAX = 32 };

struct prepared {
    char *sql;
    sqlite3_stmt *statement;
};

struct sqlite {
    sqlite3 *db;
    struct prepared *prepared;
    uint32_t count;
};

static void sqlite_close(void *of)
{
    struct sqlite *sqlite = of;

    for (uint32_t i = 0; i < sqlite->count; i++) {
        sqlite3_finalize(sqlite->prepared[i].statement);
        free(sqlite->prepared[i].sql);
    }
    free(sqlite->prepared);
    sqlite3_close(sqlite->db);
    free(sqlite);
}

static const char *sqlite_problem(void *of)
{
    return sqlite3_errmsg(((struct sqlite *)of)->db);
}

/*
 * Moves the pages of a long log into the file and restarts the log, while others wait briefly. SQLite by itself
 * restarts it only when nobody reads, and with several writers somebody always does: their log grew to gigabytes. If
 * somebody still reads, the next commit tries again
 * (https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files).
 */
static int shorten_log(void *context, sqlite3 *db, const char *name, int pages)
{
    if (pages < LOG_PAGES)
        return SQLITE_OK;
    sqlite3_busy_timeout(db, LOG_MS);
    sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_RESTART, NULL, NULL);
    sqlite3_busy_timeout(db, BUSY_MS);
    return SQLITE_OK;
}

/*
 * Sets up a connection, and waits for others. Two writers that make a write-ahead log of a new file at the same time
 * would wait for each other; SQLite refuses one at once (https://www.sqlite.org/c3ref/busy_handler.html).
 */
static bool set_up(sqlite3 *db)
{
    static const char words[] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
                                "PRAGMA cache_size=-65536"; /* KiB: figures need their runs, in any order */
    int code = SQLITE_BUSY;

    for (int waited = 0; code == SQLITE_BUSY && waited < BUSY_MS; waited += AGAIN_MS) {
        if (waited)
            sqlite3_sleep(AGAIN_MS);
        code = sqlite3_exec(db, words, NULL, NULL, NULL);
    }
    sqlite3_wal_hook(db, shorten_log, NULL);
    return code == SQLITE_OK && sqlite3_busy_timeout(db, BUSY_MS) == SQLITE_OK;
}

static void *sqlite_open(const char *place, bool create, char *error, size_t error_size)
{
    struct sqlite *sqlite = must_new(sqlite);
    int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);

    if (sqlite3_open_v2(place, &sqlite->db, flags, NULL) == SQLITE_OK && set_up(sqlite->db))
        return sqlite;
    snprintf(error, error_size, "%s", sqlite_problem(sqlite));
    sqlite_close(sqlite);
    return NULL;
}

/* Returns the statement, ready for its values; NULL: it is wrong. */
static sqlite3_stmt *prepare(struct sqlite *sqlite, const char *sql)
{
    struct prepared *prepared;

    for (uint32_t i = 0; i < sqlite->count; i++)
        if (strcmp(sqlite->prepared[i].sql, sql) == 0)
            return sqlite->prepared[i].statement;
    prepared = must_add(sqlite->prepared, sqlite->count);
    *prepared = (struct prepared){.sql = must_copy(sql)};
    if (sqlite3_prepare_v3(sqlite->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &prepared->statement, NULL) == SQLITE_OK)
        return prepared->statement;
    free(prepared->sql);
    sqlite->count--;
    return NULL;
}

static void bind(sqlite3_stmt *statement, int at, const struct store_value *value)
{
    if (value->type == STORE_NUMBER)
        sqlite3_bind_int64(statement, at, value->number);
    else if (value->type == STORE_TEXT)
        sqlite3_bind_text64(statement, at, value->bytes, value->size, SQLITE_STATIC, SQLITE_UTF8);
    else if (value->type == STORE_BYTES)
        sqlite3_bind_blob64(statement, at, value->size ? value->bytes : "", value->size, SQLITE_STATIC);
}

static struct store_value column(sqlite3_stmt *statement, int at)
{
    int type = sqlite3_column_type(statement, at);

    if (type == SQLITE_NULL)
        return (struct store_value){.type = STORE_NULL};
    if (type == SQLITE_INTEGER)
        return store_number(sqlite3_column_int64(statement, at));
    const void *bytes = type == SQLITE_BLOB ? sqlite3_column_blob(statement, at) : sqlite3_column_text(statement, at);
    return (struct store_value){.type = type == SQLITE_BLOB ? STORE_BYTES : STORE_TEXT,
                                .bytes = bytes ? bytes : "", /* bytes of which there are none */
                                .size = (size_t)sqlite3_column_bytes(statement, at)};
}

static bool sqlite_run(void *of, const char *sql, const struct store_value *values, unsigned count, store_row_fn *row,
                       void *context)
{
    sqlite3_stmt *statement = prepare(of, sql);
    int code;

    if (!statement)
        return false;
    for (unsigned i = 0; i < count; i++)
        bind(statement, (int)i + 1, &values[i]);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        struct store_value columns[COLUMNS_MAX];

        for (int i = 0; row && i < sqlite3_column_count(statement) && i < COLUMNS_MAX; i++)
            columns[i] = column(statement, i);
        if (row)
            row(context, columns);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE;
}

const struct store_kind store_sqlite = {
    .name = "SQLite",
    .schemes = (const char *const[]){NULL},
    .words = {[STORE_ID] = "INTEGER PRIMARY KEY",
              [STORE_BLOB] = "BLOB",
              [STORE_CLUSTER] = "WITHOUT ROWID",
              [STORE_COVER] = "SELECT 1",
              [STORE_BEGIN] = "BEGIN IMMEDIATE",
              [STORE_LOCK] = "SELECT 1", /* the transaction itself does so */
              [STORE_SETTLE] = "PRAGMA synchronous=FULL",
              [STORE_TABLES] = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = $1"},
    .open = sqlite_open,
    .run = sqlite_run,
    .problem = sqlite_problem,
    .close = sqlite_close,
};
