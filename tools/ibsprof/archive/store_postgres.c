/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An archive on a PostgreSQL server, by libpq. Statements of a run without rows are sent on in pipeline mode
 * (https://www.postgresql.org/docs/15/libpq-pipeline-mode.html): a run has many figures, and to wait for each takes the
 * time of the network.
 */
#include <postgresql/libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ibsprof/archive/store.h"
#include "tools/ibsprof/base/must.h"

/* Object identifiers of types (src/include/catalog/pg_type.dat). */
enum { TYPE_BYTEA = 17, TYPE_INT8 = 20, TYPE_INT4 = 23 };

enum { PARAMETERS_MAX = 32, COLUMNS_MAX = 32, QUEUE_MAX = 500, DIGITS = 24 };

struct postgres {
    PGconn *connection;
    char **prepared; /* statements; number n is called "n" */
    uint32_t count;
    bool queueing;
    uint32_t queued; /* statements since the last sync */
    bool queue_failed;
    char problem[300];
};

static const char *postgres_problem(void *of)
{
    return ((struct postgres *)of)->problem;
}

static void postgres_close(void *of)
{
    struct postgres *postgres = of;

    for (uint32_t i = 0; i < postgres->count; i++)
        free(postgres->prepared[i]);
    free(postgres->prepared);
    PQfinish(postgres->connection);
    free(postgres);
}

/* Keeps the first line of the server's message. */
static bool failed(struct postgres *postgres, const char *message)
{
    snprintf(postgres->problem, sizeof(postgres->problem), "%.*s", (int)strcspn(message, "\n"), message);
    return false;
}

/* Drops a server's notices ("there is no transaction in progress"), which are not for the user. */
static void no_notice(void *context, const PGresult *result)
{
}

static void *postgres_open(const char *place, bool create, char *error, size_t error_size)
{
    struct postgres *postgres = must_new(postgres);
    PGresult *result;

    postgres->connection = PQconnectdb(place);
    PQsetNoticeReceiver(postgres->connection, no_notice, NULL);
    if (PQstatus(postgres->connection) == CONNECTION_OK && PQsetClientEncoding(postgres->connection, "UTF8") == 0) {
        result = PQexec(postgres->connection, "SET synchronous_commit = off");
        PQclear(result);
        return postgres;
    }
    failed(postgres, PQerrorMessage(postgres->connection));
    snprintf(error, error_size, "%s", postgres->problem);
    postgres_close(postgres);
    return NULL;
}

/* ---------------------------------------------------------------- values */

struct parameters {
    const char *value[PARAMETERS_MAX];
    int length[PARAMETERS_MAX], format[PARAMETERS_MAX];
    char digits[PARAMETERS_MAX][DIGITS];
    char *copy[PARAMETERS_MAX];
};

static void parameters_of(struct parameters *to, const struct store_value *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct store_value *value = &values[i];

        to->copy[i] = NULL;
        to->value[i] = NULL;
        to->format[i] = value->type == STORE_BYTES;
        to->length[i] = (int)value->size;
        if (value->type == STORE_NUMBER) {
            snprintf(to->digits[i], DIGITS, "%lld", (long long)value->number);
            to->value[i] = to->digits[i];
        } else if (value->type == STORE_BYTES) {
            to->value[i] = value->size ? value->bytes : "";
        } else if (value->type == STORE_TEXT) {
            to->value[i] = to->copy[i] = must_text("%.*s", (int)value->size, (const char *)value->bytes);
        }
    }
}

static void parameters_free(struct parameters *parameters, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(parameters->copy[i]);
}

static struct store_value column(const PGresult *result, int row, int at, unsigned char **ret_bytes)
{
    const char *text = PQgetvalue(result, row, at);
    size_t size = (size_t)PQgetlength(result, row, at);
    Oid type = PQftype(result, at);

    if (PQgetisnull(result, row, at))
        return (struct store_value){.type = STORE_NULL};
    if (type == TYPE_INT8 || type == TYPE_INT4)
        return store_number(strtoll(text, NULL, 10));
    if (type != TYPE_BYTEA)
        return (struct store_value){.type = STORE_TEXT, .bytes = text, .size = size};
    *ret_bytes = must_have(PQunescapeBytea((const unsigned char *)text, &size));
    return (struct store_value){.type = STORE_BYTES, .bytes = *ret_bytes, .size = size};
}

static void give_row(const PGresult *result, int row, store_row_fn *give, void *context)
{
    struct store_value columns[COLUMNS_MAX];
    unsigned char *bytes[COLUMNS_MAX] = {NULL};
    int count = PQnfields(result);

    for (int i = 0; i < count && i < COLUMNS_MAX; i++)
        columns[i] = column(result, row, i, &bytes[i]);
    give(context, columns);
    for (int i = 0; i < count && i < COLUMNS_MAX; i++)
        PQfreemem(bytes[i]);
}

/* ---------------------------------------------------------------- statements */

/* Takes all outstanding answers. Returns false if one is an error; later statements in the pipeline were then not
 * run. */
static bool take_answers(struct postgres *postgres, store_row_fn *row, void *context)
{
    bool good = true;
    PGresult *result;

    while ((result = PQgetResult(postgres->connection)) != NULL) {
        ExecStatusType status = PQresultStatus(result);

        if (status == PGRES_FATAL_ERROR && good)
            good = failed(postgres, PQresultErrorMessage(result));
        for (int i = 0; (status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK) && row && i < PQntuples(result);
             i++)
            give_row(result, i, row, context);
        PQclear(result);
    }
    return good;
}

/* Takes the pipeline's answers up to its sync. */
static bool end_pipeline(struct postgres *postgres)
{
    bool good = true, more = true;

    PQpipelineSync(postgres->connection);
    while (more && PQstatus(postgres->connection) == CONNECTION_OK) {
        PGresult *result = PQgetResult(postgres->connection);
        ExecStatusType status = result ? PQresultStatus(result) : PGRES_COMMAND_OK;

        if (status == PGRES_FATAL_ERROR && good)
            good = failed(postgres, PQresultErrorMessage(result));
        more = status != PGRES_PIPELINE_SYNC;
        PQclear(result);
    }
    postgres->queued = 0;
    return PQstatus(postgres->connection) == CONNECTION_OK ? good
                                                           : failed(postgres, PQerrorMessage(postgres->connection));
}

static void postgres_begin_queue(void *of)
{
    struct postgres *postgres = of;

    postgres->queueing = PQenterPipelineMode(postgres->connection) == 1;
    postgres->queue_failed = false;
}

static bool postgres_end_queue(void *of)
{
    struct postgres *postgres = of;

    if (!postgres->queueing)
        return true;
    postgres->queue_failed |= !end_pipeline(postgres);
    PQexitPipelineMode(postgres->connection);
    postgres->queueing = false;
    return !postgres->queue_failed;
}

/* Returns the name of the prepared statement, and prepares a new one. Returns false for a wrong statement. */
static bool prepare(struct postgres *postgres, const char *sql, unsigned count, char name[DIGITS])
{
    uint32_t i = 0;

    while (i < postgres->count && strcmp(postgres->prepared[i], sql) != 0)
        i++;
    snprintf(name, DIGITS, "%u", i);
    if (i < postgres->count)
        return true;
    if (!PQsendPrepare(postgres->connection, name, sql, (int)count, NULL))
        return failed(postgres, PQerrorMessage(postgres->connection));
    if (!postgres->queueing && !take_answers(postgres, NULL, NULL))
        return false;
    *must_add(postgres->prepared, postgres->count) = must_copy(sql);
    return true;
}

static bool postgres_run(void *of, const char *sql, const struct store_value *values, unsigned count, store_row_fn *row,
                         void *context)
{
    struct postgres *postgres = of;
    struct parameters parameters;
    char name[DIGITS];
    bool good;

    if (!prepare(postgres, sql, count, name))
        return false;
    parameters_of(&parameters, values, count);
    good = PQsendQueryPrepared(postgres->connection, name, (int)count, parameters.value, parameters.length,
                               parameters.format, 0) == 1 ||
           failed(postgres, PQerrorMessage(postgres->connection));
    parameters_free(&parameters, count);
    if (!good || !postgres->queueing) {
        PQsetSingleRowMode(postgres->connection);
        return good && take_answers(postgres, row, context);
    }
    /* Answers must be read from time to time, or both sides wait for each other. */
    if (++postgres->queued == QUEUE_MAX)
        postgres->queue_failed |= !end_pipeline(postgres);
    return !postgres->queue_failed;
}

const struct store_kind store_postgres = {
    .name = "PostgreSQL",
    .schemes = (const char *const[]){"postgresql://", "postgres://", NULL},
    .words = {[STORE_ID] = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
              [STORE_BLOB] = "BYTEA",
              [STORE_CLUSTER] = "",
              [STORE_COVER] = "ALTER TABLE figure DROP CONSTRAINT figure_pkey, "
                              "ADD PRIMARY KEY (code, event, run) INCLUDE (count)",
              [STORE_BEGIN] = "BEGIN",
              [STORE_LOCK] = "SELECT pg_advisory_xact_lock(1768059750)",
              [STORE_SETTLE] = "SET synchronous_commit = on",
              [STORE_TABLES] = "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = $1"},
    .open = postgres_open,
    .run = postgres_run,
    .begin_queue = postgres_begin_queue,
    .end_queue = postgres_end_queue,
    .problem = postgres_problem,
    .close = postgres_close,
};
